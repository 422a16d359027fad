//! Scores texts by how much they tell that can be looked up later.

use std::collections::BTreeSet;

use super::points::{LOOKED_AT, asks_question};
use crate::text::{WritingSystem, fold_for_comparison, head_of_text, runs_of_one_kind};

/// Points off for a question without an answer.
const ASKED: i64 = 24;
/// Points for each name, number or date that a text tells, up to [`MOST_CONCRETE`] of them: people come back to these.
const CONCRETE: i64 = 12;
const MOST_CONCRETE: usize = 3;
/// Points off for what is said to one person: it is mostly advice for the moment.
const ADDRESSED: i64 = 8;

/// The points of a text for what it tells that can be looked up later, less those for a question or for words to one
/// person.
pub fn points_for_concreteness(text: &str) -> i64 {
    let text = head_of_text(text, LOOKED_AT);
    let folded = fold_for_comparison(text);
    let told = count_names(text) + count_numbers(&folded);
    let told = i64::try_from(told.min(MOST_CONCRETE)).unwrap_or_default() * CONCRETE;
    let asked = if asks_question(&folded) { ASKED } else { 0 };
    let addressed = if text.starts_with('@') && !is_for_everybody(text) { ADDRESSED } else { 0 };
    told - asked - addressed
}

/// Words behind `@` that call everybody.
pub const EVERYBODY: [&str; 4] = ["here", "channel", "everyone", "group"];

/// Whether a text begins by calling everybody.
fn is_for_everybody(text: &str) -> bool {
    let called = text.trim_start_matches('@');
    EVERYBODY.iter().any(|all| called.starts_with(all))
}

/// How many names a text has, as far as its writing shows them: different capitalised words inside a sentence,
/// different runs of katakana, people called さん, quotations.
fn count_names(text: &str) -> usize {
    let capital = |word: &&str| {
        let mut letters = word.chars();
        letters.next().is_some_and(char::is_uppercase) && letters.next().is_some_and(char::is_lowercase)
    };
    let bare = |word: &'_ str| word.trim_matches(|c: char| !c.is_alphanumeric()).to_owned();
    let words: BTreeSet<String> = text.split_whitespace().skip(1).filter(capital).map(bare).collect();
    let katakana: BTreeSet<&str> = runs_of_one_kind(text)
        .into_iter()
        .filter(|(kind, run)| *kind == WritingSystem::Katakana && run.chars().nth(2).is_some())
        .map(|(_, run)| run)
        .collect();
    let quoted = text.matches(['「', '『']).count() + text.matches('`').count() / 2;
    let titled = text.matches("さん").count();
    words.len() + katakana.len() + quoted + titled
}

/// How many numbers a folded text has.
fn count_numbers(folded: &str) -> usize {
    runs_of_one_kind(folded).into_iter().filter(|(kind, _)| *kind == WritingSystem::Digit).count()
}
