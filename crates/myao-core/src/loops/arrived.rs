//! Reads that a thing has come to where it is wanted, or that somebody has seen it: "it's in the drive now",
//! 「上がってます」, "great slides!"
//!
//! Each clause is looked at by itself. What is said of the place is no thing; nor is what may be called so whatever it is:
//! the file, the link, 最新版.

use std::{
    collections::{BTreeSet, HashSet},
    sync::LazyLock,
};

use super::{
    done::{is_past_form, is_state, is_undone},
    sentences::OwnSentence,
    topic::{tells_nothing, topic_of_word, topics_of_text},
};
use crate::{text::Lexicon, worth::WordFinder};

static STATES: Lexicon = Lexicon::english("loops.arrived_states");
static PHRASES: Lexicon = Lexicon::english("loops.arrivals");
static BEGINNINGS: Lexicon = Lexicon::english("loops.arrived_beginnings");
static ADVERBS: Lexicon = Lexicon::of_all("loops.arrived_adverbs");
static PLACE_LEADS: Lexicon = Lexicon::english("loops.place_leads");
static NO_PLACES: Lexicon = Lexicon::of_all("loops.no_places");
static PERSONS: Lexicon = Lexicon::english("loops.person_words");
static STORES: LazyLock<WordFinder> = LazyLock::new(|| WordFinder::of("loops.stores"));
static STORE_WORDS: Lexicon = Lexicon::of_all("loops.stores");
static ANY_THINGS: Lexicon = Lexicon::of_all("loops.any_things");
static JAPANESE_PHRASES: Lexicon = Lexicon::japanese("loops.arrivals");
static MOVES: Lexicon = Lexicon::japanese("loops.arrived_moves");
static PLACE_ENDS: Lexicon = Lexicon::japanese("loops.place_ends");
static JAPANESE_NAMES_BEHIND: Lexicon = Lexicon::japanese("loops.thing_ends");
static SEEN: LazyLock<WordFinder> = LazyLock::new(|| WordFinder::of("loops.seen"));
static AWAITED: LazyLock<WordFinder> = LazyLock::new(|| WordFinder::of("loops.awaited"));
static VERDICTS: Lexicon = Lexicon::english("loops.judging_verbs");
static VERDICT_ADVERBS: Lexicon = Lexicon::english("loops.judging_adverbs");
static PRAISES: Lexicon = Lexicon::english("loops.praises");

/// The topics of what is a thing whatever it is, and of where things are kept.
static NO_THINGS: LazyLock<HashSet<String>> =
    LazyLock::new(|| ANY_THINGS.words().chain(STORE_WORDS.words()).flat_map(topics_of_text).collect());

/// Which things a clause says have come, none if it does not name them; `None` if it says nothing of the kind.
pub(super) fn arrived_in(clause: &OwnSentence<'_>) -> Option<BTreeSet<String>> {
    if clause.asks || is_undone(clause) {
        return None;
    }
    english_arrival(&clause.spaced).or_else(|| {
        let is_japanese = clause.is_japanese;
        is_japanese.then(|| japanese_arrival(&clause.plain)).flatten()
    })
}

/// What a clause is about that tells that its author has seen a thing, or what they think of it.
pub(super) fn seen_in(clause: &OwnSentence<'_>) -> Option<BTreeSet<String>> {
    if clause.asks || is_undone(clause) || clause.has(&AWAITED) {
        return None;
    }
    let words: Vec<&str> = clause.spaced.split(' ').filter(|word| !word.is_empty()).collect();
    if clause.has(&SEEN) || (0..words.len()).any(|at| is_judged(&words, at)) {
        return Some(topics_of_text(&clause.plain));
    }
    let praised = words.windows(2).filter(|pair| pair.first().is_some_and(|word| PRAISES.contains(word)));
    let praised: BTreeSet<String> = praised.filter_map(|pair| topic_of_word(pair.last()?)).collect();
    (!praised.is_empty()).then_some(praised)
}

/// Whether a verb stands here with praise behind it: look great.
fn is_judged(words: &[&str], at: usize) -> bool {
    let is_verb = words.get(at).is_some_and(|verb| VERDICTS.contains(verb));
    let mut behind = words.iter().skip(at + 1).skip_while(|word| VERDICT_ADVERBS.contains(word));
    is_verb && behind.next().is_some_and(|word| PRAISES.contains(word))
}

/// What a text names, but places where things are kept and words for any thing.
pub(super) fn things_in(text: &str) -> BTreeSet<String> {
    topics_of_text(text).into_iter().filter(|topic| !NO_THINGS.contains(topic)).collect()
}

fn english_arrival(spaced: &str) -> Option<BTreeSet<String>> {
    let text = spaced.trim();
    if BEGINNINGS.words().any(|words| begins(text, words))
        && (STORES.stands_in(text) || spaced.contains(" now "))
    {
        return Some(BTreeSet::new());
    }
    let words: Vec<&str> = text.split(' ').collect();
    let stands = (0..words.len()).find_map(|at| thing_that_is(&words, at));
    stands.or_else(|| thing_of_phrase(spaced))
}

/// What the words before a form of "be" name, if those behind it say where it is: the slides are in the drive.
fn thing_that_is(words: &[&str], at: usize) -> Option<BTreeSet<String>> {
    let word = *words.get(at)?;
    let before = words.get(..at)?;
    let last = before.last().copied().unwrap_or_default();
    let is_joined = word.ends_with("'s") || word.ends_with("'re");
    let is_be = matches!(word, "is" | "are") || is_joined || (word == "be" && last == "should");
    let is_of_person = PERSONS.contains(&last) || PERSONS.contains(&word);
    if !is_be || is_of_person {
        return None;
    }
    let mut rest = words.get(at + 1..)?;
    while !says_where(rest) {
        let (_, behind) = rest.split_first().filter(|(first, _)| ADVERBS.contains(first))?;
        rest = behind;
    }
    let named = word.strip_suffix("'s").unwrap_or_default();
    Some(things_in(&format!("{} {named}", before.join(" "))))
}

/// Whether words behind a form of "be" begin with a place or a state in which a thing is that has come.
fn says_where(words: &[&str]) -> bool {
    let Some((state, behind)) = words.split_first() else { return false };
    let next = behind.first().copied().unwrap_or_default();
    // At 3, on Friday.
    let is_time = next.starts_with(|c: char| c.is_ascii_digit()) || tells_nothing(next);
    let is_place = PLACE_LEADS.contains(state) && !next.is_empty() && !is_time;
    // "The fix is in."
    let is_in = *state == "in" && next.is_empty();
    let is_there = STATES.contains(state) || (is_past_form(state) && !is_state(state)) || is_place || is_in;
    let rest = words.join(" ");
    is_there && !NO_PLACES.words().any(|words| begins(&rest, words))
}

/// What a phrase like "you'll find … in", "here's …" or "… went out" speaks of.
fn thing_of_phrase(spaced: &str) -> Option<BTreeSet<String>> {
    let found = PHRASES.words().find_map(|words| {
        let at = spaced.find(&format!(" {words} "))?;
        Some((spaced.get(..at)?, spaced.get(at + words.len() + 1..)?))
    });
    let (before, behind) = found?;
    if before.rsplit(' ').next().is_some_and(|last| PERSONS.contains(&last)) {
        return None;
    }
    let named = behind.split(' ').take_while(|word| !PLACE_LEADS.contains(word));
    Some(things_in(&format!("{before} {}", named.collect::<Vec<_>>().join(" "))))
}

/// What stands before words that say where it is; the place is what に marks.
fn japanese_arrival(plain: &str) -> Option<BTreeSet<String>> {
    let (at, phrase) =
        JAPANESE_PHRASES.words().filter_map(|words| Some((plain.find(words)?, words))).min()?;
    let mut before = plain.get(..at)?.trim_end();
    while let Some(shorter) = ADVERBS.words().find_map(|word| before.strip_suffix(word)) {
        before = shorter.trim_end();
    }
    let Some(place) = PLACE_ENDS.words().find_map(|end| before.strip_suffix(end)) else {
        return Some(things_in(before));
    };
    let is_end = |c: char| c.is_whitespace() || c == '、';
    let ends = JAPANESE_NAMES_BEHIND.words().filter_map(|end| Some(place.rfind(end)? + end.len()));
    let from = ends.chain(place.rfind(is_end).map(|at| at + 1)).max().unwrap_or_default();
    let place_name = place.get(from..).unwrap_or(place);
    let things = things_in(place.get(..from).unwrap_or_default());
    // "I'm in a meeting": 会議に入ってます.
    let may_be_person = things.is_empty() && MOVES.words().any(|words| phrase.starts_with(words));
    let is_store = || STORES.stands_in(place_name);
    let is_no_place = NO_PLACES.words().any(|words| place_name.contains(words));
    (!is_no_place && (!may_be_person || is_store())).then_some(things)
}

fn begins(text: &str, words: &str) -> bool {
    text.strip_prefix(words).is_some_and(|rest| rest.is_empty() || rest.starts_with(' '))
}
