//! Why a tool did not do what was asked, in words that a model can act on.

use myao_store::StoreError;
use rmcp::ErrorData;

/// Why a tool did not do what was asked.
#[derive(Debug, thiserror::Error)]
pub(crate) enum ToolFailure {
    /// Something about the request; the words say what to do instead.
    #[error("{0}")]
    Told(String),
    /// The database failed. The words are for the log alone.
    #[error(transparent)]
    Store(#[from] StoreError),
}

/// What an agent is told of a fault of ours.
const FAULT: &str = "the memory cannot be read or written at the moment; try again in a minute";

impl ToolFailure {
    /// A failure with these words.
    pub(crate) fn told(words: impl Into<String>) -> Self {
        Self::Told(words.into())
    }

    /// The words for the agent. A fault of ours is logged with its reason, which may hold what the agent must not see.
    pub(crate) fn into_words(self, tool: &str) -> String {
        match self {
            Self::Told(words) => words,
            Self::Store(error) => {
                tracing::error!(tool, %error, "a tool could not be used");
                FAULT.to_owned()
            }
        }
    }
}

/// How many things are asked for.
///
/// # Errors
/// When it is out of its bounds.
pub(crate) fn number_within(asked: Option<u8>, usual: u8, most: u8) -> Result<usize, ToolFailure> {
    let number = asked.unwrap_or(usual);
    if (1..=most).contains(&number) {
        return Ok(usize::from(number));
    }
    Err(ToolFailure::told(format!("`limit` is {number}; it has to be 1 to {most}")))
}

/// A failure as an error of the protocol.
pub(crate) fn as_error(failure: ToolFailure, of: &str) -> ErrorData {
    match &failure {
        ToolFailure::Told(_) => ErrorData::invalid_params(failure.into_words(of), None),
        ToolFailure::Store(_) => ErrorData::internal_error(failure.into_words(of), None),
    }
}
