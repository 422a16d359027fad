//! A token of Slack's, kept out of logs.

use std::fmt;

/// A bot's or an app's token. Shown nowhere: its debug form is a placeholder, and it has no other.
#[derive(Clone, PartialEq, Eq)]
pub struct SlackToken(String);

impl SlackToken {
    /// Wraps a token as the configuration holds it.
    pub fn new(token: impl Into<String>) -> Self {
        Self(token.into())
    }

    /// The token itself, for the one header it belongs in.
    pub(super) fn secret(&self) -> &str {
        &self.0
    }
}

impl fmt::Debug for SlackToken {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Token(…)")
    }
}
