//! Scores a line of a memory by its words and by who said it.

use super::lasting::points_if_lasting;
use crate::text::{fold_for_comparison, head_of_text, is_japanese_char};

/// Points for a line without a speaker: a model or a person chose to write it.
const NOTE: i64 = 10;
/// Points off for the words of a program, which are mostly announcements.
pub const BY_PROGRAM: i64 = 30;
/// Stands between a question and its answer.
pub const ARROW: &str = " → ";
/// Up to this many columns, a line's length costs nothing. A Japanese character takes two columns.
const SHORT: i64 = 90;
/// Beyond [`SHORT`], a line loses one point for each group of this many columns.
const COLUMNS_A_POINT: i64 = 4;
/// How many characters of a line are looked at.
const LONGEST_LINE: usize = 600;
/// How many characters of a name are looked at.
const LONGEST_NAME: usize = 80;

/// The points of a line's words after months, by what they tell that lasts. A program's words and long lines lose some.
pub fn points_of_line(words: &str) -> i64 {
    let (speaker, said) = speaker_of(words);
    // An exchange is judged by its answer, since the question is settled.
    let told = said.split_once(ARROW).map_or(said, |(_, answer)| answer);
    let points = |yes: bool, points: i64| if yes { points } else { 0 };
    let best = sentences_of_line(told).map(points_if_lasting).max().unwrap_or_default();
    let length = i64::try_from(head_of_text(told, LONGEST_LINE).chars().map(character_width).sum::<usize>())
        .unwrap_or_default();
    best - (length - SHORT).max(0) / COLUMNS_A_POINT + points(speaker.is_empty(), NOTE)
        - points(is_program(speaker), BY_PROGRAM)
}

fn character_width(c: char) -> usize {
    if is_japanese_char(c) { 2 } else { 1 }
}

/// The sentences of a line, roughly.
fn sentences_of_line(said: &str) -> impl Iterator<Item = &str> {
    let parts = head_of_text(said, LONGEST_LINE).split_inclusive(['。', '！', '？', '!', '?', '\n']);
    parts.flat_map(|part| part.split(". ")).map(str::trim).filter(|part| !part.is_empty())
}

/// The name before the colon that a line begins with, and what follows; no name if nobody said it.
pub fn speaker_of(words: &str) -> (&str, &str) {
    match words.split_once(": ") {
        Some((name, said)) if is_name(name) => (name, said),
        Some(_) | None => ("", words),
    }
}

/// Whether a name is a program's: `deploy-bot`, `Slackbot`, `FloodBot1`.
pub fn is_program(name: &str) -> bool {
    let name = fold_for_comparison(head_of_text(name, LONGEST_NAME));
    let bare = name.trim_end_matches(|c: char| c.is_ascii_digit() || "_-)] ".contains(c));
    bare.ends_with("bot") || name.starts_with("ubot") || bare.ends_with("(bot")
}

/// Whether the text in front of a colon looks like a name rather than the beginning of a sentence.
fn is_name(text: &str) -> bool {
    let short = text.chars().count() <= 40 && text.split(' ').count() <= 5;
    short && !text.is_empty() && !text.contains(['。', '、', '？', '?', '！', '!', '"', '「'])
}
