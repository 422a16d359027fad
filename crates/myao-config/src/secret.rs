//! A text that is never shown.

use std::fmt;

/// A token, a key or a password. `Debug` prints `REDACTED` and there is no `Display`: the text is only available by
/// [`Secret::expose`] (specification §6: secrets never appear in logs, errors or the UI).
#[derive(Clone, PartialEq, Eq)]
pub struct Secret(String);

impl Secret {
    /// Wraps the text.
    pub fn new(text: impl Into<String>) -> Self {
        Self(text.into())
    }

    /// The text, only for the request that it authenticates.
    pub fn expose(&self) -> &str {
        &self.0
    }
}

impl fmt::Debug for Secret {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("REDACTED")
    }
}
