//! A model's answer, and what it cost.

use serde::{Deserialize, Serialize};

use super::{request::ToolCall, thought::Thought};

/// A model's answer.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Response {
    /// The text, possibly empty.
    pub text: String,
    /// The tools it calls.
    pub calls: Vec<ToolCall>,
    /// What it thought before it called them, to be sent back with these calls; empty where there are none.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub thoughts: Vec<Thought>,
    /// Why it ended.
    pub stop: StopReason,
    /// What it cost.
    pub usage: Usage,
}

/// Why a model stopped.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum StopReason {
    /// It was done.
    End,
    /// It ran into the limit: the text is cut off.
    Length,
    /// It waits for the results of its tool calls.
    Tools,
    /// It, or a filter before it, refused.
    Refused,
}

/// How many tokens a call took.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Usage {
    /// How many tokens the model read.
    pub input: u64,
    /// How many of these came from the provider's cache.
    pub cached: u64,
    /// How many tokens the model wrote.
    pub output: u64,
    /// Whether these are our own estimates, since the provider gave no numbers.
    pub estimated: bool,
}
