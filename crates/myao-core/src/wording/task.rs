//! What a model is asked for in a place: words to say, or a judgment whether to say anything (specification §4).

use serde::Serialize;
use serde_json::json;

use crate::{
    ports::Role,
    text::{Language, phrase, phrase_with},
};

/// How many characters of a reason to speak are shown: as many as a verdict keeps.
const LONGEST_REASON: usize = 300;
const MINUTE: i64 = 60;
const HOUR: i64 = 60 * MINUTE;
const DAY: i64 = 24 * HOUR;
const TWO_HOURS: i64 = 2 * HOUR;
const TWO_DAYS: i64 = 2 * DAY;

/// What a prompt is for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PromptTask<'a> {
    /// Words to say in the place.
    Reply {
        /// Why we speak up though nobody asked us: the reason of the verdict. `None` when somebody asked.
        unasked: Option<&'a str>,
        /// Whether the model is given tools; then it is told how to use them.
        tools: bool,
        /// Whether an answer that is one emoji and nothing else becomes a reaction.
        reactions: bool,
    },
    /// Whether to say anything there: a [`crate::judgment::Verdict`].
    Judgment,
}

/// What an answer may be besides words.
#[derive(Clone, Copy, Debug, Serialize)]
pub(crate) struct Abilities {
    /// Whether tools may be called.
    tools: bool,
    /// Whether an emoji alone becomes a reaction.
    reactions: bool,
}

impl<'a> PromptTask<'a> {
    /// The reason to speak unasked; `None` where somebody asked, and for a judgment.
    pub const fn reason(&self) -> Option<&'a str> {
        match self {
            Self::Reply { unasked, .. } => *unasked,
            Self::Judgment => None,
        }
    }

    /// The same task with another reason.
    #[must_use]
    pub const fn with_reason(self, reason: Option<&str>) -> PromptTask<'_> {
        match self {
            Self::Reply { tools, reactions, .. } => PromptTask::Reply { unasked: reason, tools, reactions },
            Self::Judgment => PromptTask::Judgment,
        }
    }
}

impl PromptTask<'_> {
    /// An answer to somebody who asked, in words alone.
    pub const REPLY: PromptTask<'static> =
        PromptTask::Reply { unasked: None, tools: false, reactions: false };

    /// The role that does it; the prompt holds the instructions for this role.
    pub(crate) const fn role(&self) -> Role {
        match self {
            Self::Reply { .. } => Role::Response,
            Self::Judgment => Role::Judgment,
        }
    }

    /// Its template.
    pub(crate) const fn file(&self) -> &'static str {
        match self {
            Self::Reply { .. } => "reply.md",
            Self::Judgment => "judgment.md",
        }
    }

    /// The reason to speak unasked, shortened and on one line: a model wrote it from what people said, so it may hold
    /// anything.
    pub(crate) fn unasked(&self) -> Option<String> {
        let Self::Reply { unasked: Some(reason), .. } = self else { return None };
        let words =
            reason.split(|c: char| c.is_whitespace() || c.is_control()).filter(|word| !word.is_empty());
        Some(words.collect::<Vec<_>>().join(" ").chars().take(LONGEST_REASON).collect())
    }

    pub(crate) const fn abilities(&self) -> Abilities {
        match self {
            Self::Reply { tools, reactions, .. } => Abilities { tools: *tools, reactions: *reactions },
            Self::Judgment => Abilities { tools: false, reactions: false },
        }
    }
}

/// A length of time in words, rounded down: `12 minutes`, `12分`.
pub(crate) fn span_in_words(language: Language, seconds: i64) -> String {
    let (key, count) = match seconds {
        ..MINUTE => return phrase(language, "span-below-a-minute").to_owned(),
        // Below two of a unit, the next smaller unit says more.
        MINUTE..TWO_HOURS => ("span-minutes", seconds / MINUTE),
        TWO_HOURS..TWO_DAYS => ("span-hours", seconds / HOUR),
        TWO_DAYS.. => ("span-days", seconds / DAY),
    };
    phrase_with(language, key, &json!({ "count": count }))
}
