//! Cuts a sentence into clauses, each of which tells, asks or doubts by itself: "uploaded, can you check?"

use super::sentences::OwnSentence;
use crate::{
    text::{Lexicon, is_japanese_char},
    worth::{is_question, words_with_spaces},
};

static BREAKS: Lexicon = Lexicon::english("loops.clause_breaks");
static BREAKS_BEHIND: Lexicon = Lexicon::japanese("loops.clause_breaks");
static TAGS: Lexicon = Lexicon::of_all("loops.tags");
static QUESTION_WORDS: Lexicon = Lexicon::english("loops.question_words");

/// What stands between clauses.
const SEPARATORS: &str = ",:、;—–()";

/// The clauses of a sentence, each read as if it stood alone. One that asks by what stands behind it is not cut: "it's up,
/// right?"
pub(super) fn clauses_of<'t>(sentence: &OwnSentence<'t>) -> Vec<OwnSentence<'t>> {
    let parts = parts_of(&sentence.plain);
    let Some((last, earlier)) = parts.split_last() else { return vec![sentence.clone()] };
    let is_tag = TAGS.words().any(|tag| last.trim_matches(|c: char| !c.is_alphanumeric()) == tag);
    if earlier.is_empty() || (sentence.asks && is_tag) {
        return vec![sentence.clone()];
    }
    let clause = |part: &str, asks| OwnSentence {
        said: sentence.said,
        spaced: words_with_spaces(part),
        plain: part.trim_matches(|c: char| c.is_whitespace() || SEPARATORS.contains(c)).to_owned(),
        asks,
        is_japanese: part.chars().any(is_japanese_char),
    };
    let told = earlier.iter().map(|part| clause(part, asks_itself(part)));
    told.chain([clause(last, sentence.asks)]).collect()
}

/// Whether a clause asks something that is not the last of its sentence.
fn asks_itself(part: &str) -> bool {
    let english = words_with_spaces(part);
    let begins =
        |word: &str| english.trim_start().strip_prefix(word).is_some_and(|rest| rest.starts_with(' '));
    part.trim_end().ends_with('?') || is_question(part) || QUESTION_WORDS.words().any(begins)
}

/// A text cut at commas and the like, before English words that begin something else, and behind Japanese ones.
fn parts_of(plain: &str) -> Vec<&str> {
    let mut parts = Vec::new();
    let mut from = 0;
    let mut cut = |at: usize| {
        let part = plain.get(from..at).filter(|part| part.chars().any(char::is_alphanumeric));
        if part.is_some() {
            parts.extend(part);
            from = at;
        }
    };
    let mut letters = plain.char_indices().peekable();
    while let Some((at, c)) = letters.next() {
        let behind = at + c.len_utf8();
        let is_followed_by_blank = letters.peek().is_none_or(|(_, next)| next.is_whitespace());
        // 4,000 and 19:00 are no two clauses.
        if SEPARATORS.contains(c) && (!",:".contains(c) || is_followed_by_blank) {
            cut(behind);
        } else if c.is_whitespace() {
            let rest = plain.get(behind..).unwrap_or_default();
            if rest.starts_with("- ") || BREAKS.words().any(|words| begins_with(rest, words)) {
                cut(behind);
            }
        } else if !c.is_ascii() {
            let rest = plain.get(at..).unwrap_or_default();
            if let Some(words) = BREAKS_BEHIND.words().find(|words| rest.starts_with(words)) {
                cut(at + words.len());
            }
        }
    }
    cut(plain.len());
    parts
}

/// Whether a text begins with these English words.
fn begins_with(text: &str, words: &str) -> bool {
    let is_letter = |c: char| c.is_ascii_alphanumeric() || c == '\'';
    text.strip_prefix(words).is_some_and(|rest| !rest.starts_with(is_letter))
}
