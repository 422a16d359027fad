//! The errors of a call, told apart by what they mean for the caller.

use super::Method;

/// Why a call failed. None of these holds the token.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum ApiError {
    /// Slack does not accept the token, and will not until a person does something.
    #[error("Slack does not accept the token for {method}: {error}")]
    Denied {
        /// The call.
        method: Method,
        /// Slack's word for it: `invalid_auth`, `account_inactive`, `token_revoked`, …
        error: String,
    },
    /// The token may not do this: the app lacks a scope.
    #[error("{method} needs the scope `{needed}`; the token has {provided}")]
    MissingScope {
        /// The call.
        method: Method,
        /// The scope to be added.
        needed: String,
        /// The scopes there are.
        provided: String,
    },
    /// Slack understood the call and refused it: not done, and trying again will not help.
    #[error("Slack refused {method}: {error}")]
    Refused {
        /// The call.
        method: Method,
        /// Slack's word for it: `channel_not_found`, `not_in_channel`, …
        error: String,
    },
    /// Not done, since there were too many calls; to be tried again later.
    #[error("Slack asks to wait {seconds} s before {method}")]
    Limited {
        /// The call.
        method: Method,
        /// Seconds to wait.
        seconds: u64,
    },
    /// Surely not done: Slack was not reached, or says that it did not begin.
    #[error("{method} did not reach Slack: {reason}")]
    Unreachable {
        /// The call.
        method: Method,
        /// What happened instead.
        reason: String,
    },
    /// Perhaps done: the answer got lost, or Slack failed.
    #[error("nobody knows what became of {method}: {reason}")]
    Uncertain {
        /// The call.
        method: Method,
        /// What happened.
        reason: String,
    },
}

/// Slack's errors for a token that it does not accept.
const DENIALS: [&str; 12] = [
    "access_denied",
    "account_inactive",
    "app_not_installed",
    "enterprise_is_restricted",
    "invalid_auth",
    "invalid_token",
    "not_allowed_token_type",
    "not_authed",
    "team_access_not_granted",
    "token_expired",
    "token_revoked",
    "two_factor_setup_required",
];
/// Slack's errors after which a call may have taken effect: "It's possible some aspect of the operation succeeded before
/// the error was raised."
const FAILURES: [&str; 3] = ["fatal_error", "internal_error", "service_unavailable"];
/// Slack's errors for a call that it did not begin: a request cut short on its way, a workspace that is being moved.
const NOT_BEGUN: [&str; 3] = ["org_login_required", "request_timeout", "team_added_to_org"];
/// Slack's errors where a workspace or an app does not have a feature.
const MISSING_FEATURE: [&str; 5] = [
    "feature_not_enabled",
    "method_deprecated",
    "method_not_supported_for_app",
    "no_permission",
    "unknown_method",
];
/// How others of them begin: `not_allowed`, …
const NOT_ALLOWED: &str = "not_allowed";
/// Slack's errors for too many calls.
const LIMITS: [&str; 3] = ["message_limit_exceeded", "rate_limited", "ratelimited"];
/// Seconds to wait after a limit that names no time.
const UNTOLD_WAIT_SECONDS: u64 = 30;
/// Characters of the longest excerpt of a foreign text.
const MOST_CHARS: usize = 120;

impl ApiError {
    /// Whether trying again may help without a person doing something.
    pub fn may_pass(&self) -> bool {
        match self {
            Self::Limited { .. } | Self::Unreachable { .. } | Self::Uncertain { .. } => true,
            Self::Denied { .. } | Self::MissingScope { .. } | Self::Refused { .. } => false,
        }
    }

    /// Whether it says that this app does not have what the method is for, in any place, until a person does something.
    pub fn is_feature_missing(&self) -> bool {
        match self {
            Self::MissingScope { .. } | Self::Denied { .. } => true,
            Self::Refused { error, .. } => {
                MISSING_FEATURE.contains(&error.as_str()) || error.starts_with(NOT_ALLOWED)
            }
            Self::Limited { .. } | Self::Unreachable { .. } | Self::Uncertain { .. } => false,
        }
    }

    /// Slack's own name for a refusal: `thread_not_found`, …
    pub fn refusal(&self) -> Option<&str> {
        match self {
            Self::Denied { error, .. } | Self::Refused { error, .. } => Some(error),
            Self::MissingScope { .. }
            | Self::Limited { .. }
            | Self::Unreachable { .. }
            | Self::Uncertain { .. } => None,
        }
    }

    /// The error for the `error` field of an answer that is not `ok`.
    pub(super) fn of_word(method: Method, word: &str, retry_after: Option<u64>) -> Self {
        let error = harmless_error_name(word);
        if DENIALS.contains(&word) {
            return Self::Denied { method, error };
        }
        if LIMITS.contains(&word) {
            return Self::Limited { method, seconds: retry_after.unwrap_or(UNTOLD_WAIT_SECONDS) };
        }
        if FAILURES.contains(&word) {
            return Self::Uncertain { method, reason: error };
        }
        if NOT_BEGUN.contains(&word) {
            return Self::Unreachable { method, reason: error };
        }
        Self::Refused { method, error }
    }

    /// The error for an HTTP status that says more than the body.
    pub(super) fn of_status(method: Method, status: u16, retry_after: Option<u64>) -> Self {
        match status {
            429 => Self::Limited { method, seconds: retry_after.unwrap_or(UNTOLD_WAIT_SECONDS) },
            500.. => Self::Uncertain { method, reason: format!("HTTP {status}") },
            // Something on the way answered in Slack's place, so the call did not reach Slack.
            _ => Self::Unreachable { method, reason: format!("HTTP {status}, and no answer of Slack's") },
        }
    }

    /// The error for a request that got no answer.
    pub(super) fn of_sending(method: Method, error: &reqwest::Error) -> Self {
        let reason = innermost_source(error);
        if error.is_connect() || error.is_builder() {
            Self::Unreachable { method, reason }
        } else {
            Self::Uncertain { method, reason }
        }
    }

    /// The error for an answer that broke off or makes no sense.
    pub(super) fn unreadable(method: Method, reason: impl Into<String>) -> Self {
        Self::Uncertain { method, reason: reason.into() }
    }
}

/// The innermost source of an error, which is short and names no address.
pub(super) fn innermost_source(error: &reqwest::Error) -> String {
    let Some(mut deepest) = std::error::Error::source(error) else {
        return "the request could not be sent".to_owned();
    };
    while let Some(source) = deepest.source() {
        deepest = source;
    }
    deepest.to_string().chars().map(|c| if c.is_control() { ' ' } else { c }).take(MOST_CHARS).collect()
}

/// Slack's name for an error, if it looks like one: anything else might repeat our request.
fn harmless_error_name(word: &str) -> String {
    let letters = |c: char| c.is_ascii_lowercase() || c.is_ascii_digit() || c == '_';
    let is_word = (1..=MOST_CHARS).contains(&word.len()) && word.chars().all(letters);
    if is_word { word.to_owned() } else { "for a reason that it does not tell".to_owned() }
}
