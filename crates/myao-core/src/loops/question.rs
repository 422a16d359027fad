//! Tells which sentences ask something that waits for an answer.

use std::sync::LazyLock;

use super::{clauses::clauses_of, sentences::OwnSentence, topic::topics_of_text};
use crate::{
    text::Lexicon,
    worth::{WordFinder, is_question, weight_of_text, words_with_spaces},
};

static SMALL_TALK: Lexicon = Lexicon::english("loops.small_talk");
static NO_QUESTIONS: LazyLock<WordFinder> = LazyLock::new(|| WordFinder::of("loops.no_questions"));
static QUESTION_WORDS: Lexicon = Lexicon::english("loops.question_words");
static BEFORE_QUESTIONS: Lexicon = Lexicon::english("loops.before_questions");
static INVITATIONS: Lexicon = Lexicon::japanese("loops.invitations");
static JAPANESE_SMALL_TALK: Lexicon = Lexicon::japanese("loops.small_talk");
static ALTERNATIVES: Lexicon = Lexicon::english("loops.alternatives");
static JAPANESE_ALTERNATIVES: Lexicon = Lexicon::japanese("loops.alternatives");
static GUESSES: LazyLock<WordFinder> = LazyLock::new(|| WordFinder::of("loops.guesses"));
static JAPANESE_GUESSES: Lexicon = Lexicon::japanese("loops.guesses");
static IN_CASE: Lexicon = Lexicon::japanese("loops.in_case");
static TELL_ME: Lexicon = Lexicon::japanese("loops.tell_me");
static REMARKS: Lexicon = Lexicon::japanese("loops.remarks");
static MUSINGS: Lexicon = Lexicon::japanese("loops.musing_ends");
static ASKING_WORDS: Lexicon = Lexicon::japanese("loops.asking_words");
static ASKS_ANYBODY: Lexicon = Lexicon::of_all("loops.asks_anybody");

/// A question of less weight says too little of what it asks.
const LEAST_WEIGHT: i64 = 6;
/// An English question that begins with small talk is nothing else up to this many words.
const SMALL_TALK_WORDS: usize = 6;

/// Whether a sentence asks something that can be answered. What calls nobody has to be put as a question: in Japanese
/// politely, in English with a word that asks at the beginning of a clause.
pub(super) fn waits_for_answer(sentence: &OwnSentence<'_>, calls_somebody: bool) -> bool {
    let says_too_little = || weight_of_text(&sentence.plain) < LEAST_WEIGHT;
    if !sentence.asks
        || says_too_little()
        || sentence.has(&NO_QUESTIONS)
        || is_half_question(sentence)
        || is_guess(sentence)
    {
        return false;
    }
    let plain = sentence.plain.trim_end_matches(|c: char| c.is_whitespace() || "?!。.ー〜~".contains(c));
    if sentence.is_japanese {
        let is_small = JAPANESE_SMALL_TALK.words().any(|words| plain.ends_with(words));
        let is_remark = || is_remark(&sentence.plain) || is_in_case(&sentence.plain);
        let invites = || INVITATIONS.words().any(|words| plain.ends_with(words));
        return !is_small && !is_remark() && (calls_somebody || (is_question(plain) && !invites()));
    }
    let english = sentence.spaced.trim();
    let is_small = |words: &str| begins_with_words(english, words);
    let is_short = english.split(' ').count() <= SMALL_TALK_WORDS;
    !(is_short && SMALL_TALK.words().any(is_small)) && plain.split([',', ';', ':']).any(asks_in_english)
}

/// Whether a sentence asks who knows, without a word of what: does anybody know? It asks what was asked before it.
pub(super) fn asks_anybody(sentence: &OwnSentence<'_>) -> bool {
    let names_nothing = |text: &str| topics_of_text(text).is_empty();
    let around = |words: &'static str| {
        if words.is_ascii() {
            sentence.spaced.split_once(&format!(" {words} "))
        } else {
            sentence.plain.split_once(words)
        }
    };
    let is_all =
        |words| around(words).is_some_and(|(before, behind)| names_nothing(before) && names_nothing(behind));
    sentence.asks && ASKS_ANYBODY.words().any(is_all)
}

/// Whether the clause that asks is a guess: the lock is presumably open? What is guessed before it is only its reason.
fn is_guess(sentence: &OwnSentence<'_>) -> bool {
    let behind = |words: &str| Some(sentence.plain.rsplit_once(words)?.1);
    let is_asked = |words: &str| behind(words).is_some_and(|behind| !behind.contains('、'));
    JAPANESE_GUESSES.words().any(is_asked)
        || (sentence.has(&GUESSES) && clauses_of(sentence).last().is_some_and(|last| last.has(&GUESSES)))
}

/// Whether a sentence only adds another answer to what was asked before it: or is it blue?
fn is_half_question(sentence: &OwnSentence<'_>) -> bool {
    let plain = sentence.plain.trim_start_matches(|c: char| !c.is_alphanumeric());
    ALTERNATIVES.words().any(|words| begins_with_words(sentence.spaced.trim(), words))
        || JAPANESE_ALTERNATIVES.words().any(|words| plain.starts_with(words))
}

/// Whether a Japanese sentence without a question mark and a word that asks tells what its author has just understood:
/// なるほど、その手がありましたか。
fn is_remark(plain: &str) -> bool {
    let plain = plain.trim();
    let begins = || REMARKS.words().any(|words| plain.starts_with(words));
    let is_understood = begins() || MUSINGS.words().any(|end| plain.ends_with(end));
    is_understood && !plain.contains('?') && !ASKING_WORDS.words().any(|word| plain.contains(word))
}

/// Whether a Japanese sentence asks to be told only in case of something: 届かなかったら教えてください.
fn is_in_case(plain: &str) -> bool {
    let mut behind = IN_CASE.words().filter_map(|words| Some(plain.split_once(words)?.1));
    behind.any(|behind| TELL_ME.words().any(|words| behind.contains(words)))
}

/// Whether a clause begins with a word that asks, behind words that only lead to it.
fn asks_in_english(clause: &str) -> bool {
    let spaced = words_with_spaces(clause);
    let mut rest = spaced.trim();
    while let Some(shorter) =
        BEFORE_QUESTIONS.words().find_map(|words| rest.strip_prefix(words)?.strip_prefix(' '))
    {
        rest = shorter;
    }
    QUESTION_WORDS.words().any(|words| begins_with_words(rest, words))
}

pub(super) fn begins_with_words(text: &str, words: &str) -> bool {
    text.strip_prefix(words).is_some_and(|rest| rest.is_empty() || rest.starts_with(' '))
}
