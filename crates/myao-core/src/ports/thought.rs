//! A model's thoughts before a tool call, which its provider wants back.

use std::fmt;

use serde::{Deserialize, Serialize};
use serde_json::Value;

use crate::text::estimate_tokens;

/// A piece of a model's thoughts, in the form its provider gave it: text, a signature, or an encrypted block.
///
/// Many providers refuse the results of a turn's calls if the turn comes back without its thoughts. Only the provider
/// reads a thought: it is shown to nobody, not even by `Debug`, and no memory is made of it. A [`Recording`] holds it,
/// since it is part of what was sent.
///
/// [`Recording`]: super::recording::Recording
#[derive(Clone, PartialEq, Serialize, Deserialize)]
#[serde(transparent)]
pub struct Thought(Value);

impl Thought {
    /// A thought in a provider's form.
    pub const fn new(form: Value) -> Self {
        Self(form)
    }

    /// The provider's form.
    pub const fn form(&self) -> &Value {
        &self.0
    }

    /// What it adds to a prompt, in estimated tokens.
    pub fn estimated_tokens(&self) -> usize {
        estimate_tokens(&self.0.to_string())
    }
}

impl fmt::Debug for Thought {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Thought(hidden)")
    }
}
