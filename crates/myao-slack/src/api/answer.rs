//! Receives and reads the answer of a call.

use serde_json::Value;

use super::{ApiError, Method};
use crate::json;

/// Most bytes of an answer: Slack's longest pages have some megabytes.
const MOST_BYTES: usize = 64 << 20;
/// The longest `Retry-After` that is obeyed, in seconds. A longer one is taken for an error and cut to this;
/// the next call shows whether it was one.
const LONGEST_WAIT_SECONDS: u64 = 3600;

/// An answer as far as it was received.
pub(super) struct RawResponse {
    status: u16,
    retry_after: Option<u64>,
    /// The scopes of the header `x-oauth-scopes`.
    pub(super) scopes: Option<Vec<String>>,
    body: Vec<u8>,
}

impl RawResponse {
    /// Receives the whole answer.
    pub(super) async fn receive(method: Method, mut response: reqwest::Response) -> Result<Self, ApiError> {
        let header = |name: &str| response.headers().get(name).and_then(|value| value.to_str().ok());
        let scopes = header("x-oauth-scopes").map(|list| {
            list.split(',').map(str::trim).filter(|scope| !scope.is_empty()).map(str::to_owned).collect()
        });
        let retry_after = header("retry-after").and_then(|seconds| seconds.trim().parse().ok());
        let retry_after = retry_after.map(|seconds: u64| seconds.min(LONGEST_WAIT_SECONDS));
        let mut answer = Self { status: response.status().as_u16(), retry_after, scopes, body: Vec::new() };
        loop {
            match response.chunk().await {
                Ok(Some(chunk)) if answer.body.len() + chunk.len() <= MOST_BYTES => {
                    answer.body.extend_from_slice(&chunk);
                }
                Ok(Some(_)) => return Err(ApiError::unreadable(method, "the answer has no end")),
                Ok(None) => return Ok(answer),
                Err(_) => return Err(ApiError::unreadable(method, "the answer broke off")),
            }
        }
    }

    /// The object that Slack answered with, if it is `ok`.
    pub(super) fn read(self, method: Method) -> Result<Value, ApiError> {
        if self.status == 429 || self.status >= 500 {
            return Err(ApiError::of_status(method, self.status, self.retry_after));
        }
        let body: Option<Value> = json::parse(&self.body).ok();
        let Some(body) = body.filter(|body| body.get("ok").is_some_and(Value::is_boolean)) else {
            return Err(self.not_slacks(method));
        };
        if json::is_true(&body, "ok") {
            return Ok(body);
        }
        let word = json::text_of_field(&body, "error").unwrap_or_default();
        if word == "missing_scope" {
            let told = |key| clean_scope_list(json::text_of_field(&body, key).unwrap_or_default());
            return Err(ApiError::MissingScope {
                method,
                needed: told("needed"),
                provided: told("provided"),
            });
        }
        Err(ApiError::of_word(method, word, self.retry_after))
    }

    /// The error for an answer that is not Slack's: a proxy's page, half an answer. None of its text is repeated, since
    /// it may repeat our request.
    fn not_slacks(&self, method: Method) -> ApiError {
        if !(200..300).contains(&self.status) {
            return ApiError::of_status(method, self.status, self.retry_after);
        }
        let first = self.body.iter().find(|byte| !byte.is_ascii_whitespace());
        let what = match first {
            None => "empty",
            Some(b'<') => "a web page",
            Some(_) => "not readable",
        };
        ApiError::unreadable(method, format!("the answer is {what}"))
    }
}

/// A list of scopes, without characters that scopes do not have.
fn clean_scope_list(list: &str) -> String {
    const MOST_CHARS: usize = 1_000;
    let letters = |c: &char| c.is_ascii_lowercase() || matches!(c, '_' | ':' | '.' | ',');
    let list: String = list.chars().filter(letters).take(MOST_CHARS).collect();
    if list.is_empty() { "none that Slack tells".to_owned() } else { list.replace(',', ", ") }
}
