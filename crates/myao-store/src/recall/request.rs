//! What is asked of a search, and what it answers.

use jiff::{civil::Date, tz::TimeZone};
use myao_core::{
    chat::MessageTs,
    recall::{HeldEvidence, RecallFilter, TextVector},
};

use super::texts::RecalledText;

/// What is looked up.
#[derive(Clone, Debug)]
pub struct RecallRequest {
    /// The words that are looked for.
    pub words: String,
    /// Who said it, where and when.
    pub filter: RecallFilter,
    /// The most results.
    pub most: usize,
    /// Whether memories are searched as well.
    pub with_memories: bool,
    /// The current time: of equal results the newer comes first.
    pub now: MessageTs,
    /// What the words mean, if a model of embeddings was asked: then texts that mean the same are found as well.
    pub meaning: Option<QuestionVector>,
    /// If people and days named in the words matter to the search, the time zone of those days.
    pub named_in: Option<TimeZone>,
}

/// What a question means to a model of embeddings.
#[derive(Clone, Debug, PartialEq)]
pub struct QuestionVector {
    /// The model, as vectors are stored under it.
    pub model: String,
    /// The words of the question.
    pub words: String,
    /// Their vector.
    pub vector: TextVector,
}

/// A result of a search through a visibility. Only a search makes one.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Recalled {
    /// What it is.
    pub text: RecalledText,
    /// How well it fits, compared with the other results of the same search.
    pub score: f64,
    /// The words asked for that it holds, folded; English words as stems.
    pub terms: Vec<String>,
    /// How much of what was asked it holds; `None` where it was found otherwise than by words.
    pub evidence: Option<HeldEvidence>,
    /// Whether it holds no word that tells what was asked for, but only words of everyday, or letters that such a word
    /// happens to share with another.
    pub is_incidental: bool,
    /// Of a message the day on which somebody put right what it says; where it bears on a prompt, also the one on which a
    /// later message that was found replaced it.
    pub replaced_on: Option<Date>,
}
