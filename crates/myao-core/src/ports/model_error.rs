//! Why a call of a model gave no response, and what helps.

use serde::{Deserialize, Serialize};

/// Why a call gave no response.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum ModelError {
    /// No answer in time.
    #[error("no answer within {0} s")]
    Timeout(u64),
    /// There were too many calls or too many tokens within a short time.
    #[error("the provider limits the rate of calls{}", after_colon(said))]
    Limited {
        /// After how many seconds to try again, when the provider tells.
        seconds: Option<u64>,
        /// The provider's words; may be empty.
        said: String,
    },
    /// The provider could not be reached or failed; trying again may help.
    #[error("the provider failed: {0}")]
    Unavailable(String),
    /// The key is missing, wrong, or not allowed to do this.
    #[error("the provider does not accept the key: {0}")]
    Unauthorised(String),
    /// The key's budget, quota or balance is used up; unlike a rate limit, this does not pass within minutes.
    #[error("the key's budget or quota is spent: {0}")]
    Spent(String),
    /// The server at the address has no model API there.
    #[error("there is no model's interface at this address: {0}")]
    WrongAddress(String),
    /// There is no such model, or not for this key.
    #[error("the provider does not know the model: {0}")]
    NoSuchModel(String),
    /// The prompt and the limit of the answer together are more tokens than the model takes.
    #[error("the prompt is too long for the model: {0}")]
    TooLong(String),
    /// The server or the model does not know tools, or this way of asking for data.
    #[error("the model does not support what was asked for: {0}")]
    Unsupported(String),
    /// The provider will not take this request, however often it is tried.
    #[error("the provider refused the request: {0}")]
    Rejected(String),
    /// What came back makes no sense.
    #[error("the answer made no sense: {0}")]
    Invalid(String),
}

fn after_colon(said: &str) -> String {
    if said.is_empty() { String::new() } else { format!(": {said}") }
}

impl ModelError {
    /// A rate limit about which the provider says nothing, except perhaps when to try again.
    pub const fn limited(seconds: Option<u64>) -> Self {
        Self::Limited { seconds, said: String::new() }
    }

    /// Whether only a person can fix it, so that the next call would fail in the same way.
    pub const fn wants_a_person(&self) -> bool {
        match self {
            Self::Unauthorised(_) | Self::Spent(_) | Self::WrongAddress(_) | Self::NoSuchModel(_) => true,
            Self::Timeout(_)
            | Self::Limited { .. }
            | Self::Unavailable(_)
            | Self::TooLong(_)
            | Self::Unsupported(_)
            | Self::Rejected(_)
            | Self::Invalid(_) => false,
        }
    }

    /// Whether it may pass by itself: a rate limit, a timeout, a provider that fails or is not reached. Any other error
    /// would come again.
    pub const fn is_passing(&self) -> bool {
        match self {
            Self::Timeout(_) | Self::Limited { .. } | Self::Unavailable(_) => true,
            Self::Unauthorised(_)
            | Self::Spent(_)
            | Self::WrongAddress(_)
            | Self::NoSuchModel(_)
            | Self::TooLong(_)
            | Self::Unsupported(_)
            | Self::Rejected(_)
            | Self::Invalid(_) => false,
        }
    }
}

/// What helps where a model's thoughts leave no room for its words, for the model that `path` configures.
pub fn less_thought(path: &str) -> String {
    format!(
        "set {path}.params.reasoning_effort to low or none, or switch its thinking off where its server does \
         (docs/models.md, Thinking)"
    )
}
