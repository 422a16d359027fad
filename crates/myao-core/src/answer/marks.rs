//! Tells a mark that a model's format left in a text from one that the text speaks about.
//!
//! A mark in use stands where nobody would write it: behind the end of a sentence, on a line of its own, right between
//! two words. A mark that is spoken about is code, stands in quotation marks or brackets, or is a word of a sentence.

use std::ops::Range;

use aho_corasick::{AhoCorasick, MatchKind};

use super::code::CodeSpans;
use crate::text::{Lexicon, WritingSystem, writing_system};

/// How a mark is meant.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum MarkUse {
    /// The model's format.
    Used,
    /// A word of the text.
    Spoken,
    /// The beginning of an example that the line before announces.
    Example,
}

static BEFORE: Lexicon = Lexicon::english("marks.before");
static BEHIND: Lexicon = Lexicon::english("marks.behind");
static BEHIND_JAPANESE: Lexicon = Lexicon::japanese("marks.behind");
/// What stands behind a Japanese word that goes on in its sentence; a new sentence may begin alike.
const GOES_ON: [&str; 10] = ["で", "は", "が", "を", "の", "と", "や", "に", "も", "から"];
/// What a Japanese sentence has before a word for a mark.
const PARTICLES: [char; 9] = ['は', 'が', 'を', 'の', 'と', 'や', 'も', '「', '『'];
/// The roles that a model's format names behind its marks.
pub(super) const ROLES: [&str; 8] =
    ["user", "assistant", "system", "model", "human", "tool", "developer", "observation"];

/// A text and the code in it.
pub(super) struct MarkedText<'a> {
    pub(super) text: &'a str,
    pub(super) code: CodeSpans,
}

impl<'a> MarkedText<'a> {
    pub(super) fn new(text: &'a str) -> Self {
        Self { text, code: CodeSpans::of(text) }
    }

    /// How the mark from byte `start` to byte `end` is meant.
    pub(super) fn usage(&self, start: usize, end: usize) -> MarkUse {
        if self.code.holds(start) {
            return MarkUse::Spoken;
        }
        let before = self.text.get(..start).unwrap_or_default();
        let behind = self.text.get(end..).unwrap_or_default();
        match what_stands_before(before, behind) {
            Before::Announced => MarkUse::Example,
            Before::Sentence => MarkUse::Spoken,
            Before::End if is_in_sentence(behind) => MarkUse::Spoken,
            Before::Word if is_in_sentence(behind) || goes_on(behind) => MarkUse::Spoken,
            Before::End | Before::Word => MarkUse::Used,
        }
    }

    pub(super) fn is_used(&self, start: usize, end: usize) -> bool {
        self.usage(start, end) == MarkUse::Used
    }
}

/// What is in front of a mark.
enum Before {
    /// Nothing, or what ends a sentence or a line.
    End,
    /// A line that announces an example.
    Announced,
    /// A word that may end the text.
    Word,
    /// The beginning of a sentence of which the mark is a word.
    Sentence,
}

fn what_stands_before(before: &str, behind: &str) -> Before {
    let near = before.trim_end_matches([' ', '\t', '\u{3000}']);
    if near.is_empty() || near.ends_with('\n') {
        return if near.trim_end().ends_with([':', '：']) { Before::Announced } else { Before::End };
    }
    let has_gap = near.len() < before.len();
    let line = near.trim_end_matches(['-', '*', '+', '•', '・', '>']).trim_end_matches(' ');
    let is_bullet = line.len() < near.len() && (line.is_empty() || line.ends_with('\n'));
    let is_bullet = is_bullet || near.ends_with(['|', '→']);
    let last = near.chars().next_back().unwrap_or('\n');
    let is_pair = matches!(last, '"' | '\'') && behind.starts_with(last);
    let opens = matches!(last, '(' | '[' | '{' | '（' | '“' | '‘' | '<' | '/' | ',' | '、' | '`' | '=');
    if is_bullet || is_pair || opens || PARTICLES.contains(&last) || has_gap && matches!(last, ':' | '：') {
        return Before::Sentence;
    }
    if !last.is_alphanumeric() {
        return Before::End;
    }
    let word: String = last_word(near).to_lowercase();
    if has_gap && BEFORE.contains(&word.as_str()) { Before::Sentence } else { Before::Word }
}

fn last_word(text: &str) -> &str {
    text.rsplit(|c: char| !(c.is_ascii_alphanumeric() || c == '\'')).next().unwrap_or_default()
}

/// Whether the sentence of a mark certainly goes on behind it.
fn is_in_sentence(behind: &str) -> bool {
    let is_closed = behind.starts_with([
        '.', ',', ';', ':', '!', '?', ')', ']', '}', '、', '。', '」', '』', '）', '！', '？', '”', '’', '/',
        '|',
    ]);
    is_closed || is_named(behind)
}

/// Whether words that speak of a mark stand behind it.
fn is_named(behind: &str) -> bool {
    BEHIND_JAPANESE.iter().any(|word| behind.starts_with(word))
        || next_word(behind, |word| BEHIND.contains(&word))
}

/// Whether the sentence of a mark may go on behind it.
fn goes_on(behind: &str) -> bool {
    behind.starts_with("です") || has_particle(behind) || next_word(behind, |word| !ROLES.contains(&word))
}

/// Whether a Japanese particle stands there, and behind it no Hiragana: that would be the beginning of a word
/// (「はい」, 「でも」).
fn has_particle(behind: &str) -> bool {
    let behind = behind.trim_start_matches(' ');
    let is_word = |c: char| {
        matches!(writing_system(c), WritingSystem::Han | WritingSystem::Katakana) || "、「『<` ".contains(c)
    };
    GOES_ON.iter().any(|particle| behind.strip_prefix(particle).is_some_and(|rest| rest.starts_with(is_word)))
}

/// Whether a text that begins with a mark is a sentence about it, by what is behind the mark.
pub(super) fn begins_sentence(behind: &str) -> bool {
    let is_listed = behind.starts_with([',', ')', '、', '」', '』', '）', '/']);
    is_listed || is_named(behind)
}

/// Whether a text goes on about a pair of marks behind its second one.
pub(super) fn goes_on_about(behind: &str) -> bool {
    is_in_sentence(behind) || behind.starts_with("です") || has_particle(behind)
}

/// Whether a word in small letters stands behind a space, and `is` it.
fn next_word(behind: &str, is: impl Fn(&str) -> bool) -> bool {
    let Some(words) = behind.strip_prefix(' ') else { return false };
    let end = words.find(|c: char| !c.is_ascii_alphabetic()).unwrap_or(words.len());
    words.get(..end).is_some_and(|word| word.starts_with(|c: char| c.is_ascii_lowercase()) && is(word))
}

/// An automaton that finds marks, the longest where one is the beginning of another; `None` only if there are too many.
pub(super) fn finder_of_marks(marks: &[&str]) -> Option<AhoCorasick> {
    AhoCorasick::builder().match_kind(MatchKind::LeftmostLongest).build(marks).ok()
}

/// Where marks stand in a text, first to last.
pub(super) fn found_in<'t>(
    finder: Option<&'t AhoCorasick>,
    text: &'t str,
) -> impl Iterator<Item = Range<usize>> {
    finder.into_iter().flat_map(move |finder| finder.find_iter(text)).map(|found| found.range())
}
