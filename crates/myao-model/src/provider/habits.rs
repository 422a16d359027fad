//! What calls have shown of each model (ADR 84): whether it thinks, whether its answers lack room for that, and how many
//! tokens its vocabulary takes for a prompt; and whether what it writes first is its answer (ADR 125). It is remembered until the program ends.

use std::{
    collections::BTreeMap,
    sync::{Arc, Mutex, PoisonError},
};

use super::prompt_tokens::TokenRatio;

/// Tokens for the thoughts of a model that thinks, unless a number is configured.
pub(super) const THOUGHTS: u32 = 4096;
/// The most tokens for thoughts that are given because fewer were not enough.
const MOST_THOUGHTS: u32 = 16_384;

/// What is known of one model.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct ModelHabit {
    /// Tokens that it needs for thoughts in addition to its words; 0 if it was not seen to think.
    pub(super) room: u32,
    /// Whether its thoughts have used an answer up before the first word.
    pub(super) ran_out: bool,
    /// Tokens of a prompt as it counts them.
    pub(super) ratio: TokenRatio,
    /// Whether its answers may be shown while they are written.
    pub(super) pieces: PiecesHabit,
}

/// Whether answers of a model may be shown while they are written.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) enum PiecesHabit {
    /// No answer of it has come yet.
    #[default]
    Unknown,
    /// An answer of it had words, and no thoughts among them.
    Plain,
    /// Thoughts stood among the words of an answer.
    ThinksAloud,
    /// Its server refuses to give an answer in pieces.
    Refused,
}

/// What one answer shows.
#[derive(Clone, Copy, Debug)]
pub(super) struct AnswerEvidence {
    /// Whether the model thought.
    pub(super) thought: bool,
    /// Whether it reached its limit without a word.
    pub(super) ran_out: bool,
    /// Whether its text held thoughts; `None` if it had no text.
    pub(super) thought_aloud: Option<bool>,
    /// The tokens that the answer had beside its words' own.
    pub(super) room: u32,
}

/// What calls have shown of the models of a program. Clones share it.
#[derive(Clone, Debug, Default)]
pub struct ModelHabits(Arc<Mutex<BTreeMap<String, ModelHabit>>>);

impl ModelHabits {
    /// What is known of the model `key` names.
    pub(super) fn of(&self, key: &str) -> ModelHabit {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).get(key).copied().unwrap_or_default()
    }

    /// Changes what is known of a model.
    pub(super) fn learn(&self, key: &str, learn: impl FnOnce(&mut ModelHabit)) {
        let mut habits = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        learn(habits.entry(key.to_owned()).or_default());
    }
}

impl ModelHabit {
    /// Takes into account what an answer shows: a model that thinks needs room for it, and twice the room that was not
    /// enough.
    pub(super) fn see(&mut self, evidence: AnswerEvidence) {
        self.pieces = match (self.pieces, evidence.thought_aloud) {
            (PiecesHabit::Unknown | PiecesHabit::Plain, Some(true)) => PiecesHabit::ThinksAloud,
            (PiecesHabit::Unknown, Some(false)) => PiecesHabit::Plain,
            (known, _) => known,
        };
        if evidence.thought || evidence.ran_out {
            self.room = self.room.max(THOUGHTS);
        }
        if evidence.ran_out {
            self.room = self.room.max(evidence.room.saturating_mul(2).min(MOST_THOUGHTS));
            self.ran_out = true;
        }
    }
}
