//! Reads an error body of any provider.

use jiff::SignedDuration;
use myao_core::text::parse_json;
use serde_json::Value;

/// The content of an error body.
#[derive(Debug, Default)]
pub(super) struct Complaint {
    /// The provider's message.
    pub(super) message: String,
    /// Its codes, types, statuses and named parameter, in lower case, each between spaces.
    pub(super) marks: String,
    /// The HTTP status that it names, if any.
    pub(super) status: Option<u16>,
    /// The seconds after which to try again, if it says so, in Gemini's `RetryInfo` or in words.
    pub(super) retry_seconds: Option<u64>,
}

impl Complaint {
    /// Reads an error body. A body that is not JSON is the message itself.
    pub(super) fn read(body: &str) -> Self {
        match parse_json(body.as_bytes()) {
            Ok(value) => Self::found(&value).unwrap_or_else(|| Self::of(&value, &value)),
            Err(_) => Self { message: body.to_owned(), ..Self::default() },
        }
    }

    /// The error in an answer, if there is one: some servers and proxies send errors with status 200.
    pub(super) fn found(body: &Value) -> Option<Self> {
        // Gemini sometimes wraps its error in a list; OpenRouter puts one into the choice.
        let holder = body.get(0).unwrap_or(body);
        let places = [holder.get("error"), holder.pointer("/choices/0/error")];
        let error = places.into_iter().flatten().find(|error| !error.is_null())?;
        Some(Self::of(error, holder))
    }

    /// Reads an error in words. It may name a status, and repeat another server's error as JSON.
    pub(super) fn spoken(words: &str) -> Self {
        let inner = words.find('{').and_then(|at| parse_json(words.get(at..)?.as_bytes()).ok());
        let inner = inner.and_then(|value| Self::found(&value)).unwrap_or_default();
        let numbers = words.split(|c: char| !c.is_ascii_alphanumeric()).filter(|word| word.len() == 3);
        let status = numbers.filter_map(|word| word.parse().ok()).find(|code| (400..600).contains(code));
        let retry_seconds = inner.retry_seconds.or_else(|| in_words(words));
        Self { message: words.to_owned(), marks: inner.marks, status: inner.status.or(status), retry_seconds }
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
            retry_seconds = retry_seconds.or_else(|| seconds_rounded_up(detail.get("retryDelay")?.as_str()?));
        }
        marks.push(String::new());
        let message = message.map_or_else(|| error.to_string(), str::to_owned);
        let retry_seconds = retry_seconds.or_else(|| in_words(&message));
        Self { message, marks: marks.join(" "), status, retry_seconds }
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
fn seconds_rounded_up(duration: &str) -> Option<u64> {
    let text = duration.strip_suffix('s')?;
    let (whole, fraction) = text.split_once('.').unwrap_or((text, ""));
    let more = fraction.bytes().any(|digit| digit != b'0');
    whole.parse::<u64>().ok()?.checked_add(u64::from(more))
}

/// The words in front of a time to wait, in messages of LiteLLM, OpenAI and Groq.
const AGAIN_IN: &str = "try again in ";

/// `5 seconds`, `7.66s`, `1m26.4s` or `120ms` behind [`AGAIN_IN`], rounded up.
fn in_words(message: &str) -> Option<u64> {
    let message = message.to_lowercase();
    let (_, mut rest) = message.split_once(AGAIN_IN)?;
    let mut millis: Option<f64> = None;
    // Minutes and seconds at most.
    for _ in 0..2 {
        let is_number = |c: char| c.is_ascii_digit() || c == '.';
        let end = rest.find(|c| !is_number(c)).unwrap_or(rest.len());
        let (number, behind) = rest.split_at_checked(end)?;
        let letters = behind.trim_start();
        let length = letters.find(|c: char| !c.is_ascii_alphabetic()).unwrap_or(letters.len());
        let (unit, behind) = letters.split_at_checked(length)?;
        let factor = match unit {
            "ms" => 1.0,
            "s" | "sec" | "secs" | "second" | "seconds" => 1000.0,
            "m" | "min" | "minute" | "minutes" => 60_000.0,
            _ => break,
        };
        let Ok(number) = number.trim_end_matches('.').parse::<f64>() else { break };
        millis = Some(millis.unwrap_or(0.0) + number * factor);
        rest = behind;
    }
    let seconds = SignedDuration::try_from_secs_f64(millis? / 1000.0).ok()?;
    u64::try_from(seconds.as_secs()).ok()?.checked_add(u64::from(seconds.subsec_nanos() > 0))
}
