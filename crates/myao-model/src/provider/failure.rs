//! Turns what went wrong into a [`ModelError`] (the table in `docs/models.md`).

use jiff::{Timestamp, fmt::rfc2822};
use myao_core::ports::{DataMode, ModelError, Request, ResponseFormat};
use reqwest::header::{DATE, HeaderMap, RETRY_AFTER};

use super::{complaint::Complaint, excerpt::excerpt_without_key};

const FILTERED: [&str; 4] =
    ["content_filter", "content_policy_violation", "responsibleaipolicyviolation", "data_inspection_failed"];
/// Messages of Azure's and OpenAI's filters, as gateways repeat them.
const FILTERED_WORDS: [&str; 4] =
    ["contentpolicyviolationerror", "content management policy", "content policy", "our safety system"];
const QUOTA_SPENT: [&str; 4] =
    ["insufficient_quota", "billing_hard_limit_reached", "billing_not_active", "budget_exceeded"];
/// LiteLLM's messages about the budget of a key, a user, a team or a provider.
const BUDGET_WORDS: [&str; 5] =
    ["exceeded budget", "exceededbudget", "budget has been exceeded", "over budget", "crossed budget"];
/// OpenAI's words for a quota, and OpenRouter's.
const QUOTA_WORDS: [&str; 4] =
    ["exceeded your current quota", "insufficient credits", "insufficient balance", "insufficient_quota"];
const RATE_WORDS: [&str; 4] = ["rate limit", "ratelimit", "rate_limit", "too many requests"];
const RATE: [&str; 3] = ["rate_limit", "too_many_requests", "resource_exhausted"];
const SERVERS_FAULT: [&str; 5] = ["overloaded", "server_error", "api_error", "unavailable", "timeout"];
const KEY_MARKS: [&str; 3] = ["api_key_invalid", "invalid_api_key", "authentication_error"];
/// LiteLLM's messages for any key but its own, when it has no database to look it up in.
const NO_KEYS: [&str; 2] = ["no_db_connection", "no connected db"];
const KEY_WORDS: [&str; 3] = ["api key not valid", "invalid api key", "incorrect api key"];
const NO_MODEL: [&str; 2] = ["model_not_found", "deploymentnotfound"];
const NO_MODEL_WORDS: [&str; 5] =
    ["not found", "not exist", "unknown model", "invalid model", "no such model"];
/// Words in a 404 that is about the model and not about the address.
const MODEL_WORDS: [&str; 3] = ["model", "deployment", "endpoints found"];
const TOO_LONG: [&str; 3] = ["context_length_exceeded", "exceed_context_size", "string_above_max_length"];
const TOO_LONG_WORDS: [&str; 7] = [
    "context length",
    "context window",
    "context size",
    "prompt is too long",
    "input is too long",
    "exceeds the maximum number of tokens",
    "too many input tokens",
];
const TOOL_WORDS: [&str; 9] = [
    "support tool",
    "tool use",
    "tool_choice",
    "tool choice",
    "tools param",
    "tool calling",
    "function calling",
    "tools is not supported",
    "tools are not supported",
];
const DATA_WORDS: [&str; 12] = [
    "response_format",
    "json_schema",
    "json_object",
    "output_config",
    "output_format",
    "responsejsonschema",
    "response_schema",
    "response mime type",
    "structured output",
    "json mode",
    "grammar",
    "constrained decoding",
];

/// Words in which servers say that a model takes no images.
const IMAGE_WORDS: [&str; 7] = [
    "image_url",
    "image input",
    "support image",
    "images are not supported",
    "image content",
    "multimodal",
    "support vision",
];

/// How a call without an answer ended.
#[derive(Debug)]
pub(super) enum CallFailure {
    /// A filter stopped it; with an excerpt of the provider's words.
    Refused(String),
    /// Anything else.
    Error(ModelError),
}

/// What is needed to describe a failure: the request, and the key, which must not be repeated.
#[derive(Clone, Copy)]
pub(super) struct RequestContext<'a> {
    pub(super) request: &'a Request,
    pub(super) key: Option<&'a str>,
}

impl CallFailure {
    /// The failure for an answer whose pieces end before the answer does.
    pub(super) fn broken_off() -> Self {
        Self::Error(ModelError::Unavailable("the answer was broken off".to_owned()))
    }
}

impl RequestContext<'_> {
    /// The failure for an answer that makes no sense.
    pub(super) fn invalid(self, why: &str) -> CallFailure {
        CallFailure::Error(ModelError::Invalid(excerpt_without_key(why, self.key)))
    }

    /// The failure for a request that a filter stopped.
    pub(super) fn refused(self, why: &str) -> CallFailure {
        CallFailure::Refused(excerpt_without_key(why, self.key))
    }

    /// The failure for an HTTP status other than success.
    pub(super) fn status(self, status: u16, headers: &HeaderMap, body: &str) -> CallFailure {
        let complaint = Complaint::read(body);
        let wait = retry_after(headers).or(complaint.retry_seconds);
        self.judge(status, &complaint, wait, self.message(status, &complaint))
    }

    /// The failure for an error that came with status 200.
    pub(super) fn in_answer(self, complaint: &Complaint) -> CallFailure {
        let status = complaint.status.or_else(|| {
            let by_mark = [(&RATE[..], 429), (&SERVERS_FAULT, 503), (&KEY_MARKS, 401), (&NO_MODEL, 404)];
            by_mark.into_iter().find(|(marks, _)| complaint.is_marked(marks)).map(|(_, status)| status)
        });
        match status {
            Some(status) => {
                self.judge(status, complaint, complaint.retry_seconds, self.message(status, complaint))
            }
            None => match self.judge(400, complaint, None, self.message(400, complaint)) {
                // An answer with status 200 does not say that the request was at fault.
                CallFailure::Error(ModelError::Rejected(why)) => CallFailure::Error(ModelError::Invalid(why)),
                CallFailure::Refused(why) => CallFailure::Refused(why),
                CallFailure::Error(error) => CallFailure::Error(error),
            },
        }
    }

    /// The failure for an error that a gateway sent as the model's words. What it is about is read from these.
    pub(super) fn spoken_error(self, words: &str) -> CallFailure {
        let complaint = Complaint::spoken(words);
        let by_words = [
            (&FILTERED_WORDS[..], 400),
            (&BUDGET_WORDS, 402),
            (&QUOTA_WORDS, 402),
            (&KEY_WORDS, 401),
            (&TOO_LONG_WORDS, 413),
            (&RATE_WORDS, 429),
        ];
        let status = by_words.into_iter().find(|(said, _)| complaint.says(said)).map(|(_, status)| status);
        // A status that is not known for certain is not told.
        let said = excerpt_without_key(&complaint.message, self.key);
        self.judge(status.or(complaint.status).unwrap_or(503), &complaint, complaint.retry_seconds, said)
    }

    /// The failure for an answer that its server broke off for this reason, with what it had said by then.
    pub(super) fn failed_with(self, reason: &str, words: &str) -> CallFailure {
        if words.trim().is_empty() || reason.to_ascii_lowercase().contains("call") {
            return CallFailure::Error(ModelError::Unavailable(excerpt_without_key(
                &format!("it ended the answer with {reason}"),
                self.key,
            )));
        }
        self.spoken_error(words)
    }

    fn judge(self, status: u16, complaint: &Complaint, wait: Option<u64>, text: String) -> CallFailure {
        let is_ours = matches!(status, 400..=499);
        let is_filter = complaint.is_marked(&FILTERED) || status == 400 && complaint.says(&FILTERED_WORDS);
        if is_ours && is_filter {
            return CallFailure::Refused(text);
        }
        let names_model = complaint.is_marked(&NO_MODEL)
            || complaint.says(&["model"]) && complaint.says(&NO_MODEL_WORDS)
            || status == 404 && complaint.says(&MODEL_WORDS);
        let is_spent = complaint.is_marked(&QUOTA_SPENT) || complaint.says(&BUDGET_WORDS);
        let is_key = complaint.is_marked(&KEY_MARKS) || complaint.says(&KEY_WORDS);
        let is_long = complaint.is_marked(&TOO_LONG) || complaint.says(&TOO_LONG_WORDS);
        CallFailure::Error(match status {
            _ if is_ours && is_spent => ModelError::Spent(text),
            402 => ModelError::Spent(text),
            401 | 403 => ModelError::Unauthorised(text),
            400 | 404 | 422 | 500 | 501 if self.is_unsupported(complaint) => ModelError::Unsupported(text),
            404 if names_model => ModelError::NoSuchModel(text),
            300..=399 | 404 | 405 => ModelError::WrongAddress(text),
            429 => ModelError::Limited { seconds: wait, said: text },
            408 | 500..=599 => ModelError::Unavailable(text),
            413 => ModelError::TooLong(text),
            _ if is_ours && (complaint.is_marked(&NO_KEYS) || complaint.says(&NO_KEYS)) => {
                ModelError::Unauthorised(format!(
                    "{text} (the gateway has no database: it knows its master key and no other)"
                ))
            }
            _ if is_ours && is_key => ModelError::Unauthorised(text),
            _ if is_ours && is_long => ModelError::TooLong(text),
            _ if is_ours && names_model => ModelError::NoSuchModel(text),
            _ => ModelError::Rejected(text),
        })
    }

    /// Whether the error is about tools, images or the form of the data, and the request has such.
    fn is_unsupported(self, complaint: &Complaint) -> bool {
        let asked_for_form = match &self.request.form {
            ResponseFormat::Data { means, .. } => *means != DataMode::Words,
            ResponseFormat::Text => false,
        };
        let about_form = complaint.is_marked(&DATA_WORDS) || complaint.says(&DATA_WORDS);
        let about_tools = complaint.is_marked(&[" tools ", " tool_choice "]) || complaint.says(&TOOL_WORDS);
        asked_for_form && about_form
            || !self.request.tools.is_empty() && about_tools
            || !self.request.images.is_empty() && complaint.says(&IMAGE_WORDS)
    }

    fn message(self, status: u16, complaint: &Complaint) -> String {
        let said = excerpt_without_key(&complaint.message, self.key);
        match status {
            300..=399 => format!("{status}: it points elsewhere {said}"),
            407 => format!("{status}: the proxy wants to know who asks {said}"),
            _ if said.is_empty() => format!("status {status}"),
            _ => format!("{status}: {said}"),
        }
    }

    /// The failure for a call that got no answer, or only part of one.
    pub(super) fn transport(self, error: &reqwest::Error) -> CallFailure {
        // The innermost cause is the most precise one, and does not repeat the address.
        let mut cause: &dyn std::error::Error = error;
        while let Some(inner) = cause.source() {
            cause = inner;
        }
        let cause = excerpt_without_key(&cause.to_string(), self.key);
        CallFailure::Error(if error.is_builder() {
            ModelError::Rejected(format!("the request could not be made: {cause}"))
        } else if error.is_connect() {
            ModelError::Unavailable(format!("no connection: {cause}"))
        } else {
            ModelError::Unavailable(format!("the connection was cut: {cause}"))
        })
    }
}

/// `Retry-After`, in seconds or as a date, and OpenAI's finer `retry-after-ms`; rounded up.
fn retry_after(headers: &HeaderMap) -> Option<u64> {
    let text = |name: &str| headers.get(name)?.to_str().ok().map(str::trim);
    if let Some(millis) = text("retry-after-ms").and_then(|millis| millis.parse::<u64>().ok()) {
        return Some(millis.div_ceil(1000));
    }
    let after = text(RETRY_AFTER.as_str())?;
    if let Ok(seconds) = after.parse() {
        return Some(seconds);
    }
    // Relative to the server's own clock, which may differ from ours.
    let instant = |date: &str| rfc2822::parse(date).ok().map(|date| date.timestamp());
    let wait = Timestamp::duration_since(instant(after)?, instant(text(DATE.as_str())?)?);
    Some(u64::try_from(wait.as_secs()).unwrap_or(0))
}
