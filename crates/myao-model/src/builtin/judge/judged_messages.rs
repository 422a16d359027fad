//! Judges what a single message wants, by its own words.

use std::collections::BTreeSet;

use myao_core::{
    text::{fold_for_comparison, head_of_text},
    worth::{is_question, is_said, points_of_text, weight_of_text, words_about_matter, words_with_spaces},
};

use super::super::{passages::readable_message, sentences};
use super::cue_words::{self, CueWords};

/// Characters of a message that are looked at.
const LOOKED_AT: usize = 1_000;
/// Sentences at a message's end among which a question is looked for; behind it are thanks or details.
const LAST_SENTENCES: usize = 3;
/// Points of a question that says what it is about.
const WORTH_ASKING: i64 = 16;
/// The least substance and points of a shorter question, which must not depend on what was said before.
const LEAST_WEIGHT: i64 = 5;
const LEAST_SCORE: i64 = -2;
/// Most characters of a message that tells a feeling; in a longer one the feeling is part of a story.
const SHORT: usize = 40;

/// What somebody who should get an answer wants.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Need {
    /// An answer to a question that says what it is about.
    Answer,
    /// Help in trouble of their own, or a kind word.
    Help,
}

/// What a message wants, as far as it decides whether to react.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct JudgedMessage {
    /// What it wants, if anything.
    pub(super) wish: Option<Need>,
    /// Whether it thanks, says goodbye, or tells of a solution.
    pub(super) closes: bool,
    /// Whether it is an announcement.
    pub(super) announces: bool,
    /// Whether it says next to nothing.
    pub(super) is_slight: bool,
}

impl JudgedMessage {
    pub(super) fn of(message: &str) -> Self {
        let clean = readable_message(head_of_text(message, LOOKED_AT));
        let folded = fold_for_comparison(&clean);
        let english = words_with_spaces(&folded);
        let any = |words: &'static CueWords| words.are_in(&folded, &english);
        let sentences = sentences::split_into_sentences(&clean);
        let is_short = folded.chars().nth(SHORT).is_none();
        let complains = || {
            (any(&cue_words::TROUBLE) && points_of_text(&clean) >= WORTH_ASKING)
                || (is_short && any(&cue_words::SORROW))
        };
        let help = || complains().then_some(Need::Help);
        Self {
            wish: ends_with_question(&sentences).then_some(Need::Answer).or_else(help),
            closes: any(&cue_words::CLOSINGS),
            announces: any(&cue_words::NOTICES),
            is_slight: !sentences.iter().any(|sentence| is_said(sentence)),
        }
    }
}

/// Whether a message ends with a question. An earlier question in it is part of a story, and one that continues with
/// `と思って` is quoted.
fn ends_with_question(sentences: &[&str]) -> bool {
    let first = sentences.len().saturating_sub(LAST_SENTENCES);
    sentences.iter().enumerate().skip(first).any(|(at, sentence)| {
        let next = sentences.get(at + 1);
        let is_quoted = next.is_some_and(|next| cue_words::QUOTING.begin(next));
        let is_full = points_of_text(sentence) >= WORTH_ASKING
            || (weight_of_text(sentence) >= LEAST_WEIGHT && points_of_text(sentence) >= LEAST_SCORE);
        !is_quoted && is_question(sentence) && !is_soft(sentence) && is_full
    })
}

/// Whether a question is a guess, a proposal, an expression of surprise, or asks for agreement or a favour.
pub(in super::super) fn is_soft(sentence: &str) -> bool {
    let folded = fold_for_comparison(sentence);
    let bare = folded.trim_end_matches(|c: char| c.is_whitespace() || ")♪w笑…・".contains(c));
    let end = bare.trim_end_matches(|c: char| c.is_whitespace() || "。.!?…・".contains(c));
    let is_guess = cue_words::SOFT.end(end) && !cue_words::FIRM.end(end);
    let is_favour = cue_words::FAVOURS.end(end) && !cue_words::ADVICE.are_in(&folded, "");
    bare.ends_with('!') || is_guess || is_favour
}

/// Whether a message addresses somebody: it calls a person, or begins with the name of one of `others`.
pub(super) fn is_addressed(message: &str, others: &BTreeSet<&str>) -> bool {
    let folded = fold_for_comparison(head_of_text(message, LOOKED_AT));
    let calls = folded.match_indices('@').any(|(at, _)| {
        let before = folded.get(..at).unwrap_or_default();
        let name = folded.get(at + 1..).unwrap_or_default();
        let everybody = ["here", "channel", "everyone"].iter().any(|all| name.starts_with(all));
        !everybody
            && !before.ends_with(|c: char| c.is_ascii_alphanumeric())
            && name.starts_with(|c: char| c.is_alphanumeric())
    });
    calls || others.iter().any(|name| begins_with_name(&folded, &fold_for_comparison(name)))
}

/// Whether a message is about the same matter as `other`, or names no matter.
pub(super) fn is_on_matter(message: &str, other: &str) -> bool {
    let [message, other] = [message, other].map(|text| fold_for_comparison(head_of_text(text, LOOKED_AT)));
    let own = words_about_matter(&message);
    own.is_empty() || !own.is_disjoint(&words_about_matter(&other))
}

fn begins_with_name(folded: &str, name: &str) -> bool {
    let rest = folded.strip_prefix(name);
    rest.is_some_and(|rest| {
        [":", ",", " :", "さん", "くん", "先生", "、"].iter().any(|mark| rest.starts_with(mark))
    })
}
