//! What people think of what we said.

use std::str::FromStr;

use super::{
    ids::{ChannelId, UserId},
    ts::MessageTs,
};

/// Somebody says what they think of a message of ours, or takes that back.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct AnswerVote {
    /// The channel of the message.
    pub channel: ChannelId,
    /// Its time stamp.
    pub ts: MessageTs,
    /// Who says it.
    pub by: UserId,
    /// What they think.
    pub vote: Vote,
    /// How they said it.
    pub source: VoteSource,
    /// Whether they think so no longer.
    pub is_taken_back: bool,
    /// When they said it: of what one person thinks of a message the latest counts.
    pub at: MessageTs,
}

/// What somebody thinks of a message of ours.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Vote {
    /// It was welcome.
    Good,
    /// It was not.
    Bad,
}

/// How somebody said what they think.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum VoteSource {
    /// By a reaction to the message.
    Reaction,
    /// By a button beneath it.
    Button,
}

impl Vote {
    /// The name in storage and on buttons.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Good => "good",
            Self::Bad => "bad",
        }
    }

    /// What a reaction says, by its short name: a thumb up or down, in whatever colour of skin. `None` for all others.
    pub fn of_emoji(name: &str) -> Option<Self> {
        let (name, tone) = name.split_once("::").unwrap_or((name, ""));
        if !(tone.is_empty() || tone.starts_with("skin-tone-")) {
            return None;
        }
        match name {
            "+1" | "thumbsup" => Some(Self::Good),
            "-1" | "thumbsdown" => Some(Self::Bad),
            _ => None,
        }
    }
}

impl FromStr for Vote {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let found = [Self::Good, Self::Bad].into_iter().find(|vote| vote.as_str() == text);
        found.ok_or_else(|| format!("`{text}` is no vote"))
    }
}

impl VoteSource {
    /// The name in storage.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Reaction => "reaction",
            Self::Button => "button",
        }
    }
}
