//! The fixed sentences that say why there is no answer (specification §4); they are used when no model can write one.

use crate::text::{Language, phrase};

/// Why somebody who asked gets no answer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Excuse {
    /// The model failed for good.
    Failed,
    /// The model, or a filter before it, will not answer this.
    Refused,
    /// The day's budget is spent.
    Budget,
    /// The person was answered as often as the limit for an hour allows.
    TooMany,
}

impl Excuse {
    /// The sentence.
    pub fn words(self, language: Language) -> &'static str {
        let key = match self {
            Self::Failed => "excuse-failed",
            Self::Refused => "excuse-refused",
            Self::Budget => "excuse-budget",
            Self::TooMany => "excuse-too-many",
        };
        phrase(language, key)
    }
}

/// What somebody is told in a direct message whose answer may not be posted where they asked.
pub fn not_let(language: Language) -> &'static str {
    phrase(language, "excuse-not-let")
}
