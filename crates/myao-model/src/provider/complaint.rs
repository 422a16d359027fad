//! An error in a provider's own form, whichever of the forms it is.

use serde_json::Value;

/// What an error body says.
#[derive(Debug, Default)]
pub(super) struct Complaint {
    /// In the provider's words.
    pub(super) message: String,
    /// Its codes, types, statuses and named parameter, in lower case, each between spaces.
    pub(super) marks: String,
    /// The HTTP status it names, if it names one.
    pub(super) status: Option<u16>,
    /// After how many seconds to try again, if it says so (Gemini's `RetryInfo`).
    pub(super) retry_seconds: Option<u64>,
}

impl Complaint {
    /// Reads an error body. What is not JSON is its own message.
    pub(super) fn read(body: &str) -> Self {
        match serde_json::from_str::<Value>(body) {
            Ok(value) => Self::found(&value).unwrap_or_else(|| Self::of(&value, &value)),
            Err(_) => Self { message: body.to_owned(), ..Self::default() },
        }
    }

    /// The error that an answer holds, if it holds one: some servers and proxies send it with status 200.
    pub(super) fn found(body: &Value) -> Option<Self> {
        // Gemini sometimes wraps its error in a list; OpenRouter puts one into the choice.
        let holder = body.get(0).unwrap_or(body);
        let places = [holder.get("error"), holder.pointer("/choices/0/error")];
        let error = places.into_iter().flatten().find(|error| !error.is_null())?;
        Some(Self::of(error, holder))
    }

    fn of(error: &Value, holder: &Value) -> Self {
        let texts = [error.get("message"), error.get("detail"), Some(error)];
        let message = texts.into_iter().flatten().find_map(Value::as_str);
        let mut marks = vec![String::new()];
        let mut status = None;
        for key in ["code", "type", "status", "param", "innererror"] {
            for value in [error.get(key), holder.get(key)].into_iter().flatten() {
                let text = value.as_str().map_or_else(|| value.to_string(), str::to_owned);
                status = status.or_else(|| text.parse().ok().filter(|code| (400..600).contains(code)));
                marks.push(text.to_lowercase());
            }
        }
        let details = error.get("details").and_then(Value::as_array).into_iter().flatten();
        let mut retry_seconds = None;
        for detail in details {
            marks.extend(detail.get("reason").and_then(Value::as_str).map(str::to_lowercase));
            retry_seconds = retry_seconds.or_else(|| seconds(detail.get("retryDelay")?.as_str()?));
        }
        marks.push(String::new());
        Self {
            message: message.map_or_else(|| error.to_string(), str::to_owned),
            marks: marks.join(" "),
            status,
            retry_seconds,
        }
    }

    /// Whether one of these is among the marks.
    pub(super) fn is_marked(&self, marks: &[&str]) -> bool {
        marks.iter().any(|mark| self.marks.contains(mark))
    }

    /// Whether the message holds one of these, in any case of letters.
    pub(super) fn says(&self, phrases: &[&str]) -> bool {
        let message = self.message.to_lowercase();
        phrases.iter().any(|phrase| message.contains(phrase))
    }
}

/// `34s` and `34.07s`, rounded up.
fn seconds(duration: &str) -> Option<u64> {
    let text = duration.strip_suffix('s')?;
    let (whole, fraction) = text.split_once('.').unwrap_or((text, ""));
    let more = fraction.bytes().any(|digit| digit != b'0');
    whole.parse::<u64>().ok()?.checked_add(u64::from(more))
}
