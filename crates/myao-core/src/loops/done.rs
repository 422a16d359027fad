//! Reads what somebody says they did: "Picked up the cake", 「提出しておきました」.

use std::{
    collections::{BTreeSet, HashMap, HashSet},
    ops::Range,
    sync::LazyLock,
};

use aho_corasick::{AhoCorasick, AhoCorasickBuilder, MatchKind};

use super::{
    clauses::clauses_of,
    day::{names_vague_time, says_deadline},
    deed::{DEEDS, Deed, NOUNS, VERBS, without_courtesies},
    sentences::OwnSentence,
};
use crate::{
    text::Lexicon,
    worth::{WordFinder, words_with_spaces},
};

static DONE: LazyLock<WordFinder> = LazyLock::new(|| WordFinder::of("loops.done"));
static UNDONE: LazyLock<WordFinder> = LazyLock::new(|| WordFinder::of("loops.undone"));
static NO_UNDONE: Lexicon = Lexicon::of_all("loops.no_undone");
static NOT_YET: LazyLock<WordFinder> = LazyLock::new(|| WordFinder::of("loops.not_yet"));
static IRREGULAR: Lexicon<(&'static str, &'static str, &'static str)> = Lexicon::english("loops.deed_pasts");
static PAST_NOUN_ENDS: Lexicon = Lexicon::japanese("loops.deed_pasts");

static IRREGULAR_PASTS: Lexicon = Lexicon::english("manner.past");
static MORE_PASTS: Lexicon = Lexicon::english("loops.more_pasts");
static STATES: Lexicon = Lexicon::english("loops.states");
static ADVERBS: Lexicon = Lexicon::english("loops.done_adverbs");
static LEADS: Lexicon = Lexicon::english("loops.done_leads");
static PERFECT: Lexicon = Lexicon::english("loops.done_perfect");
static SELF: Lexicon = Lexicon::english("loops.done_self");
static OTHERS: Lexicon = Lexicon::english("loops.done_others");
static NO_PAST: Lexicon = Lexicon::japanese("loops.no_pasts");
static BEHIND_NOUNS: Lexicon = Lexicon::japanese("loops.behind_nouns");
static JAPANESE_STATES: Lexicon = Lexicon::japanese("loops.states");

/// A verb in the past has at least so many letters: not bed, red.
const SHORTEST_PAST: usize = 5;
/// What stands between a verb and the rest of its deed is at most so long: picked the heavy old thing up.
const MOST_BETWEEN: usize = 4;

/// Whether a clause of a sentence says that something was done.
pub(super) fn says_done(sentence: &OwnSentence<'_>) -> bool {
    !is_not_yet(sentence) && clauses_of(sentence).iter().any(clause_says_done)
}

/// Whether one of the clauses of a sentence says so, or by a verb that no list of deeds has ("Baked!", 「焼けました」), or by
/// none: "all done".
pub(super) fn says_any_deed(sentence: &OwnSentence<'_>, clauses: &[OwnSentence<'_>]) -> bool {
    let says_deed = |clause: &OwnSentence<'_>| !clause.asks && !is_undone(clause) && tells_deed(clause);
    !is_not_yet(sentence) && clauses.iter().any(|clause| clause_says_done(clause) || says_deed(clause))
}

fn clause_says_done(sentence: &OwnSentence<'_>) -> bool {
    if sentence.asks || is_undone(sentence) {
        return false;
    }
    // Whatever its author says they did may be it: 反映しました.
    let is_polite_past = || without_courtesies(&sentence.plain).0.ends_with("ました");
    sentence.has(&DONE)
        || english_pasts(&sentence.spaced).next().is_some()
        || (sentence.is_japanese && (is_polite_past() || japanese_pasts(&sentence.plain).next().is_some()))
}

/// Whether a clause says that something is not done yet, or will be.
pub(super) fn is_undone(clause: &OwnSentence<'_>) -> bool {
    let mut plain = without_time_behind(&clause.plain).to_owned();
    // What should be in your inbox is there, but not what should be there by Monday.
    if !says_deadline(clause) && !names_vague_time(clause) {
        for words in NO_UNDONE.words() {
            plain = plain.replace(words, " ");
        }
    }
    UNDONE.stands_in(&plain)
}

/// Whether a sentence says in any of its clauses that something is not done yet.
pub(super) fn is_not_yet(sentence: &OwnSentence<'_>) -> bool {
    sentence.has(&NOT_YET)
}

/// A clause without what only tells when something was done: uploaded it when I got home, sent it before lunch.
fn without_time_behind(plain: &str) -> &str {
    let is_told = |(head, tail): &(&str, &str), is_sure: bool| {
        let head = words_with_spaces(head);
        let is_past = english_pasts(&head).next().is_some() || tells_english_deed(&head);
        let is_then =
            is_sure || words_with_spaces(tail).split(' ').any(|word| is_past_form(word) || word == "was");
        is_past && is_then && !head.contains(" be ")
    };
    let when = plain.split_once(" when ").filter(|parts| is_told(parts, false));
    let before = || plain.split_once(" before ").filter(|parts| is_told(parts, true));
    when.or_else(before).map_or(plain, |(head, _)| head)
}

/// The deeds of the lists that a sentence says were done.
pub(super) fn deeds_done(sentence: &OwnSentence<'_>) -> Vec<Deed> {
    let mut done: Vec<Deed> = english_pasts(&sentence.spaced).map(|past| past.deed).collect();
    if sentence.is_japanese {
        done.extend(japanese_pasts(&sentence.plain).map(|(deed, _)| deed));
    }
    done
}

/// The English words of a sentence that are verbs in the past.
pub(super) fn past_words<'s>(sentence: &'s OwnSentence<'_>) -> impl Iterator<Item = &'s str> {
    let is_of = |nth: &usize, word: &str| {
        PAST_DEEDS.get(*nth).is_some_and(|past| past.forms.iter().any(|form| form == word))
    };
    let is_form =
        move |word: &str| BEGUN_BY.get(word).is_some_and(|begun| begun.iter().any(|nth| is_of(nth, word)));
    sentence.spaced.split(' ').filter(move |word| is_form(word) || is_past_form(word))
}

/// Whether a sentence has a verb in the past that no list of deeds has, or tells it by none, whatever it says of it.
pub(super) fn tells_deed(sentence: &OwnSentence<'_>) -> bool {
    sentence.has(&DONE)
        || tells_english_deed(&sentence.spaced)
        || (sentence.is_japanese && tells_japanese_deed(&sentence.plain))
}

/// Whether somebody says that they did something, or that something is done: I baked it, we've eaten, it was welded.
fn tells_english_deed(spaced: &str) -> bool {
    let known: HashSet<&str> = english_pasts(spaced)
        .flat_map(|past| past.forms.iter().filter_map(|form| form.split(' ').next()))
        .collect();
    let mut lead = "";
    for word in spaced.split(' ').filter(|word| !word.is_empty()) {
        let is_past = is_past_form(word) || PERFECT.contains(&lead);
        let is_deed = is_past && !known.contains(word) && !STATES.contains(&word);
        if is_deed && (lead.is_empty() || LEADS.contains(&lead)) {
            return true;
        }
        if !ADVERBS.contains(&word) {
            lead = word;
        }
    }
    false
}

/// Whether an English word tells a state or a thought, though it is a past.
pub(super) fn is_state(word: &str) -> bool {
    STATES.contains(&word)
}

/// Whether an English word is a verb in the past.
pub(super) fn is_past_form(word: &str) -> bool {
    (word.len() >= SHORTEST_PAST && word.ends_with("ed"))
        || IRREGULAR_PASTS.contains(&word)
        || MORE_PASTS.contains(&word)
}

/// Whether anything but the deeds of the lists stands in the past.
fn tells_japanese_deed(plain: &str) -> bool {
    let mut rest = String::new();
    let mut until = 0;
    for (_, span) in japanese_pasts(plain) {
        rest.push_str(plain.get(until..span.start).unwrap_or_default());
        until = until.max(span.end);
    }
    rest.push_str(plain.get(until..).unwrap_or_default());
    rest.split('、').any(|clause| {
        let (clause, _) = without_courtesies(clause);
        let is_state = JAPANESE_STATES.words().any(|state| clause.ends_with(state));
        clause.contains("ました") || (!is_state && clause.ends_with(['た', 'だ']))
    })
}

/// A deed in the past.
struct PastDeed {
    deed: Deed,
    /// The past and the participle of its verb.
    forms: [String; 2],
    /// The word that tells it from other deeds of the same verb: the `back` of `get back to you`.
    also: Option<&'static str>,
    /// Whether the past is the verb itself, so that a request looks like it: let me know.
    is_base: bool,
}

static PAST_DEEDS: LazyLock<Vec<PastDeed>> = LazyLock::new(|| {
    let irregular = |verb: &str| {
        let (_, past, participle) = IRREGULAR.iter().find(|(base, ..)| *base == verb)?;
        Some([(*past).to_owned(), (*participle).to_owned()])
    };
    let past_deed = |(word, _, hands_over): &(&'static str, i32, i32)| {
        let deed = Deed { word, hands_over: *hands_over == 1 };
        if let Some(forms) = irregular(word) {
            return PastDeed { deed, is_base: forms.iter().all(|form| form == word), forms, also: None };
        }
        let (verb, rest) = word.split_once(' ').unwrap_or((word, ""));
        let forms = irregular(verb).unwrap_or_else(|| [regular_past(verb), regular_past(verb)]);
        let also = rest.split(' ').filter(|word| !word.is_empty()).max_by_key(|word| word.len());
        PastDeed { deed, is_base: forms.iter().all(|form| form == verb), forms, also }
    };
    DEEDS.iter().map(past_deed).collect()
});

/// Which of them begin with a word: most words of a text begin none.
static BEGUN_BY: LazyLock<HashMap<&'static str, BTreeSet<usize>>> = LazyLock::new(|| {
    let mut begun: HashMap<&str, BTreeSet<usize>> = HashMap::new();
    for (nth, past) in PAST_DEEDS.iter().enumerate() {
        for form in &past.forms {
            begun.entry(form.split(' ').next().unwrap_or(form)).or_default().insert(nth);
        }
    }
    begun
});

/// The deeds that stand in the past in English words with spaces around them.
fn english_pasts(spaced: &str) -> impl Iterator<Item = &'static PastDeed> {
    let begun: BTreeSet<usize> =
        spaced.split(' ').filter_map(|word| BEGUN_BY.get(word)).flatten().copied().collect();
    let begun = begun.into_iter().filter_map(|nth| PAST_DEEDS.get(nth));
    begun.filter(move |past| stands_in_past(past, spaced))
}

fn stands_in_past(past: &PastDeed, spaced: &str) -> bool {
    past.forms.iter().any(|form| {
        spaced.match_indices(form.as_str()).any(|(at, found)| {
            let before = spaced.get(..at).and_then(|before| before.strip_suffix(' '));
            let behind = spaced.get(at + found.len()..).and_then(|behind| behind.strip_prefix(' '));
            let (Some(before), Some(behind)) = (before, behind) else { return false };
            let mut behind = behind.split(' ').peekable();
            let before = before.rsplit(' ').next().unwrap_or_default();
            let is_past =
                !past.is_base || is_told_of_self(before, behind.peek().copied().unwrap_or_default());
            is_past && past.also.is_none_or(|also| behind.take(MOST_BETWEEN + 1).any(|word| word == also))
        })
    })
}

/// Whether a verb whose past is the verb itself is one between these words: I let them know, but not: let them know.
fn is_told_of_self(before: &str, behind: &str) -> bool {
    if before.is_empty() { !OTHERS.contains(&behind) } else { SELF.contains(&before) }
}

/// The past of a verb by rule: share and shared, reply and replied, plan and planned, book and booked.
fn regular_past(verb: &str) -> String {
    let is_vowel = |c: &char| "aeiou".contains(*c);
    let mut back = verb.chars().rev();
    let (last, second, third) = (back.next(), back.next(), back.next());
    if last == Some('e') {
        return format!("{verb}d");
    }
    if let (Some('y'), Some(second)) = (last, second)
        && !is_vowel(&second)
    {
        return format!("{}ied", verb.trim_end_matches('y'));
    }
    // A last consonant is doubled behind the only vowel of the verb.
    let doubled = last.filter(|last| {
        let is_closed = !is_vowel(last) && !"wxy".contains(*last);
        let is_only = verb.chars().filter(is_vowel).count() == 1 && third.is_some();
        is_closed && is_only && second.as_ref().is_some_and(is_vowel)
    });
    doubled.map_or_else(|| format!("{verb}ed"), |last| format!("{verb}{last}ed"))
}

/// What says that one of the Japanese deeds was done: 送りました, 送っといた, 共有済み; each with its deed.
static JAPANESE_PASTS: LazyLock<Option<(AhoCorasick, Vec<Deed>)>> = LazyLock::new(|| {
    let mut forms: Vec<(String, Deed)> = Vec::new();
    for (noun, hands_over) in NOUNS.iter().copied() {
        let deed = Deed { word: noun, hands_over: hands_over == 1 };
        for between in BEHIND_NOUNS.words().chain([""]) {
            forms.extend(PAST_NOUN_ENDS.words().map(|end| (format!("{noun}{between}{end}"), deed)));
        }
    }
    for (polite, te, _, hands_over) in VERBS.iter().copied() {
        let deed = Deed { word: polite, hands_over: hands_over == 1 };
        forms.extend(past_forms(polite, te).into_iter().map(|form| (form, deed)));
    }
    let (forms, deeds): (Vec<String>, Vec<Deed>) = forms.into_iter().unzip();
    let finder = AhoCorasickBuilder::new().match_kind(MatchKind::LeftmostLongest).build(forms).ok()?;
    Some((finder, deeds))
});

fn past_forms(polite: &str, te: &str) -> Vec<String> {
    let mut forms = vec![
        format!("{polite}ました"),
        format!("{polite}済み"),
        format!("{te}ある"),
        format!("{te}あります"),
    ];
    for (ending, past, short) in [('て', 'た', "と"), ('で', 'だ', "ど")] {
        let Some(stem) = te.strip_suffix(ending) else { continue };
        forms.extend([format!("{stem}{past}"), format!("{te}おいた"), format!("{te}おきました")]);
        forms.extend([format!("{stem}{short}いた"), format!("{stem}{short}きました")]);
    }
    forms
}

/// The deeds of the lists that stand in the past in a Japanese text, and where.
fn japanese_pasts(plain: &str) -> impl Iterator<Item = (Deed, Range<usize>)> {
    let found = JAPANESE_PASTS.iter().flat_map(move |(finder, deeds)| {
        finder
            .find_iter(plain)
            .filter_map(|found| Some((*deeds.get(found.pattern().as_usize())?, found.range())))
    });
    found.filter(move |(_, span)| {
        let behind = plain.get(span.end..).unwrap_or_default();
        !NO_PAST.words().any(|words| behind.starts_with(words))
    })
}
