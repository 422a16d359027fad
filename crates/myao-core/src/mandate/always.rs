//! Recognises messages whose author wants something remembered always, by their words (ADR 76).
//!
//! It is not enough that a word such as "always" stands in a request to remember: it has to say how long to remember,
//! and not something of what is to be remembered ("remember that we always meet on Mondays"). So it stands right beside
//! the word that asks, with no more than a word for the thing between them.

use super::intent::{REMEMBER, REMEMBER_JA, asked_around, begun_around, without_quotes, words_with_blanks};
use crate::text::Lexicon;

/// Where a clause ends: what is behind it belongs to another one.
const CLAUSE_ENDS: [char; 16] =
    ['.', ',', ':', ';', '!', '?', '(', ')', '\n', '。', '！', '？', '：', '（', '）', '—'];
/// Where a Japanese sentence ends.
const SENTENCE_ENDS: [char; 6] = ['。', '！', '？', '!', '?', '\n'];

static ALWAYS_BEFORE: Lexicon = Lexicon::english("mandate.always");
static ALWAYS_BEHIND: Lexicon = Lexicon::english("mandate.always_behind");
static NEVER_FORGET: Lexicon = Lexicon::english("mandate.never_forget");
static RAISES: Lexicon = Lexicon::english("mandate.raises");
/// The priorities of what stands in every prompt.
const HIGH: [&str; 2] = ["4", "5"];
static POLITE: Lexicon = Lexicon::english("mandate.polite");
static THINGS: Lexicon = Lexicon::english("mandate.things");
static BEFORE_A_THING: Lexicon = Lexicon::english("mandate.before_a_thing");
static STATED: Lexicon = Lexicon::english("mandate.stated");
static ASKS_YOU: Lexicon = Lexicon::english("mandate.asks_you");
static MODAL: Lexicon = Lexicon::english("mandate.modal");

static ALWAYS_JA: Lexicon = Lexicon::japanese("mandate.always");
static NEVER_JA: Lexicon = Lexicon::japanese("mandate.never");
static RAISES_JA: Lexicon = Lexicon::japanese("mandate.raises");
static THINGS_JA: Lexicon = Lexicon::japanese("mandate.things");
static AFTER_JA: Lexicon = Lexicon::japanese("mandate.after");

/// Whether a message asks, in its author's own words, for something to be remembered always.
pub(super) fn is_wanted_always(text: &str) -> bool {
    let said = without_quotes(text).to_lowercase();
    said.split(CLAUSE_ENDS).any(|clause| is_wanted_in(&words_with_blanks(clause)))
        || is_wanted_in_japanese(
            &said.chars().filter(|c| !matches!(c, ' ' | '\u{3000}')).map(ascii_digit).collect::<String>(),
        )
}

fn is_wanted_in(clause: &str) -> bool {
    let asks = REMEMBER.iter().flat_map(|word| asked_around(clause, word));
    let is_always = asks.into_iter().any(|(before, behind)| is_before(before) || is_behind(behind));
    let mut never = NEVER_FORGET.iter().flat_map(|word| asked_around(clause, word));
    let is_raised = |phrase: &&str| {
        let found = format!(" {phrase} ");
        clause.split_once(&found).is_some_and(|(before, behind)| {
            !is_stated(before.trim()) && HIGH.contains(&behind.trim().trim_end_matches(" please"))
        })
    };
    is_always || never.any(|(before, _)| !is_stated(before)) || RAISES.iter().any(is_raised)
}

/// Whether an adverb is the last of `before`, but for polite words, and what is before it does not make it a statement.
fn is_before(before: &str) -> bool {
    let words: Vec<&str> = before.split(' ').collect();
    let last = words.iter().rposition(|word| !POLITE.contains(word));
    let Some((adverb, rest)) = last.and_then(|last| words.get(..=last)).and_then(<[&str]>::split_last) else {
        return false;
    };
    ALWAYS_BEFORE.contains(adverb) && !is_stated(&rest.join(" "))
}

/// Whether a request behind these words is a statement or a prohibition.
fn is_stated(before: &str) -> bool {
    let mut words = before.rsplit(' ');
    match (words.next(), words.next()) {
        (Some("you"), asks) => !asks.is_some_and(|asks| ASKS_YOU.contains(&asks)),
        (Some(modal), Some(subject)) if MODAL.contains(&modal) => STATED.contains(&subject),
        (Some(word), _) => STATED.contains(&word),
        (None, _) => false,
    }
}

/// Whether `behind` is a phrase that says always, or a word for a thing and such a phrase.
fn is_behind(behind: &str) -> bool {
    let behind = behind.trim_end_matches(" please");
    let thing = ALWAYS_BEHIND.iter().find_map(|phrase| behind.strip_suffix(phrase));
    let Some(thing) = thing.filter(|thing| thing.is_empty() || thing.ends_with(' ')) else { return false };
    let words: Vec<&str> = thing.split_whitespace().collect();
    match words.as_slice() {
        [possessive, _] if BEFORE_A_THING.contains(possessive) => true,
        words => words.iter().all(|word| THINGS.contains(word)),
    }
}

fn is_wanted_in_japanese(said: &str) -> bool {
    said.split(SENTENCE_ENDS).any(|sentence| {
        let is_always = |stem: &&str| {
            let is_never = stem.starts_with("忘れ") || stem.starts_with("わすれ");
            let adverbs: &[&str] = if is_never { &NEVER_JA } else { &[] };
            let adverbs = || ALWAYS_JA.iter().chain(adverbs);
            let mut asks = begun_around(sentence, stem).filter(|(_, behind)| is_request(stem, behind));
            asks.any(|(before, behind)| {
                let before = without_things(before);
                let mut behind = behind.split('、').skip(1).map(without_ending);
                adverbs().any(|adverb| before.ends_with(adverb))
                    || behind.any(|piece| adverbs().any(|adverb| without_ending(adverb) == piece))
            })
        };
        REMEMBER_JA.iter().any(is_always)
            || RAISES_JA.iter().any(|begin| begun_around(sentence, begin).next().is_some())
    })
}

/// Whether a word that says not to forget asks for it, and does not promise it ("一生忘れない").
fn is_request(stem: &str, behind: &str) -> bool {
    let is_habit = || behind.contains("してい") || behind.contains("してる");
    match stem {
        "忘れない" | "わすれない" => {
            behind.starts_with('で') || (behind.starts_with("よう") && !is_habit())
        }
        "忘れず" | "わすれず" => behind.starts_with('に') && !is_habit(),
        _ => true,
    }
}

fn without_things(mut before: &str) -> &str {
    while let Some(rest) = THINGS_JA.iter().find_map(|thing| before.strip_suffix(thing)) {
        before = rest;
    }
    before
}

fn without_ending(mut piece: &str) -> &str {
    while let Some(rest) = AFTER_JA.iter().find_map(|ending| piece.strip_suffix(ending)) {
        piece = rest;
    }
    piece
}

/// A full-width digit as an ASCII one.
fn ascii_digit(c: char) -> char {
    match c {
        '４' => '4',
        '５' => '5',
        c => c,
    }
}
