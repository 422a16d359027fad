//! The arguments of a call, from a query, a form or JSON.

use axum::{
    body::to_bytes,
    extract::Request,
    http::{HeaderMap, header},
};
use myao_core::chat::{ChannelId, MessageTs};
use serde_json::{Map, Value};
use url::form_urlencoded;

use super::refusal::MethodRefusal;
use crate::slack::rules::Rule;

/// The most bytes of a body. No valid call has more.
const MOST_BODY_BYTES: usize = 4 * 1024 * 1024;

/// The arguments of a call.
pub(super) struct Args {
    fields: Map<String, Value>,
    token: Option<String>,
    body: BodyEncoding,
}

/// The encoding of the body.
#[derive(PartialEq, Eq)]
enum BodyEncoding {
    /// A form, or none at all.
    Fields,
    Json,
    BrokenJson,
}

/// What is wrong with the form of a call.
pub(super) struct WrongForm {
    /// Slack's code for the refusal.
    pub(super) code: &'static str,
    /// A description of what is wrong.
    pub(super) what: &'static str,
}

impl Args {
    pub(super) async fn read(request: Request) -> Result<Self, axum::Error> {
        let (head, body) = request.into_parts();
        let body = to_bytes(body, MOST_BODY_BYTES).await?;
        let mut fields = pairs_of_form(head.uri.query().unwrap_or_default().as_bytes());
        let is_json =
            text_of_header(&head.headers, &header::CONTENT_TYPE).is_some_and(|kind| kind.contains("json"));
        let mut form = BodyEncoding::Fields;
        if !is_json {
            fields.extend(pairs_of_form(&body));
        } else if !body.is_empty() {
            form = BodyEncoding::Json;
            match serde_json::from_slice(&body) {
                Ok(Value::Object(object)) => fields.extend(object),
                _ => form = BodyEncoding::BrokenJson,
            }
        }
        let bearer = text_of_header(&head.headers, &header::AUTHORIZATION)
            .and_then(|value| value.strip_prefix("Bearer "));
        let given = fields.shift_remove("token").and_then(|token| token.as_str().map(str::to_owned));
        let token = bearer.map(str::to_owned).or(given).filter(|token| !token.is_empty());
        Ok(Self { fields, token, body: form })
    }

    pub(super) fn token(&self) -> Option<&str> {
        self.token.as_deref()
    }

    /// All arguments but the token, for the record of calls.
    pub(super) fn shown(&self) -> Value {
        Value::Object(self.fields.clone())
    }

    /// What is wrong with the body. `takes_json` says whether the method takes JSON.
    pub(super) fn complaint(&self, takes_json: bool) -> Option<WrongForm> {
        match self.body {
            BodyEncoding::BrokenJson => {
                Some(WrongForm { code: "invalid_json", what: "the body is no JSON object" })
            }
            BodyEncoding::Json if !takes_json => Some(WrongForm {
                code: "invalid_arguments",
                what: "this method takes a query or a form, not JSON",
            }),
            BodyEncoding::Json | BodyEncoding::Fields => None,
        }
    }

    /// A text, if it is given and not empty.
    pub(super) fn text(&self, key: &str) -> Option<&str> {
        self.fields.get(key).and_then(Value::as_str).filter(|text| !text.is_empty())
    }

    pub(super) fn required(&self, key: &str) -> Result<&str, MethodRefusal> {
        self.text(key).ok_or_else(|| {
            MethodRefusal::new("invalid_arguments")
                .breaking(Rule::Arguments, format!("`{key}` is missing or no text"))
        })
    }

    /// The channel. Without one, Slack answers `channel_not_found`.
    pub(super) fn channel(&self) -> Result<ChannelId, MethodRefusal> {
        let given = self.text("channel").map(ChannelId::new);
        given.ok_or_else(|| {
            MethodRefusal::new("channel_not_found")
                .breaking(Rule::Arguments, "`channel` is missing or no text")
        })
    }

    pub(super) fn flag(&self, key: &str) -> bool {
        match self.fields.get(key) {
            Some(Value::Bool(flag)) => *flag,
            Some(Value::String(text)) => text == "true" || text == "1",
            _ => false,
        }
    }

    /// A whole number, if one is given.
    pub(super) fn number(&self, key: &str) -> Result<Option<usize>, MethodRefusal> {
        let number = match self.fields.get(key) {
            None | Some(Value::Null) => return Ok(None),
            Some(Value::String(text)) => text.parse().ok(),
            Some(other) => other.as_u64().and_then(|number| usize::try_from(number).ok()),
        };
        let wrong = || {
            MethodRefusal::new("invalid_arguments").breaking(Rule::Arguments, format!("`{key}` is no number"))
        };
        number.map(Some).ok_or_else(wrong)
    }

    /// A JSON value. In a form, it is a text that holds JSON.
    pub(super) fn json(&self, key: &str) -> Option<Value> {
        let given = self.fields.get(key)?;
        given.as_str().map_or_else(|| Some(given.clone()), |text| serde_json::from_str(text).ok())
    }

    /// Whether the argument is given at all.
    pub(super) fn has(&self, key: &str) -> bool {
        self.fields.get(key).is_some_and(|value| !value.is_null())
    }

    /// The time stamp of a message, if it is given. `code` is the refusal for a value that is not one.
    pub(super) fn ts(&self, key: &str, code: &str) -> Result<Option<MessageTs>, MethodRefusal> {
        if !self.has(key) || self.fields.get(key).and_then(Value::as_str) == Some("") {
            return Ok(None);
        }
        let parsed = self.text(key).and_then(|text| text.parse().ok());
        let wrong =
            || MethodRefusal::new(code).breaking(Rule::Arguments, format!("`{key}` is no time stamp"));
        parsed.map(Some).ok_or_else(wrong)
    }

    /// A bound of a history, in seconds with up to six decimals.
    pub(super) fn bound(&self, key: &str) -> Result<Option<MessageTs>, MethodRefusal> {
        let code = format!("invalid_ts_{key}");
        let Some(text) = self.text(key) else { return self.ts(key, &code) };
        let (seconds, decimals) = text.split_once('.').unwrap_or((text, ""));
        let exact = format!("{}.{decimals:0<6}", if seconds.is_empty() { "0" } else { seconds });
        let wrong = || {
            MethodRefusal::new(&code).breaking(Rule::Arguments, format!("`{key}` is no time stamp: {text}"))
        };
        exact.parse().ok().map(Some).ok_or_else(wrong)
    }
}

fn pairs_of_form(text: &[u8]) -> Map<String, Value> {
    let pairs = form_urlencoded::parse(text);
    pairs.map(|(key, value)| (key.into_owned(), Value::String(value.into_owned()))).collect()
}

fn text_of_header<'a>(headers: &'a HeaderMap, name: &header::HeaderName) -> Option<&'a str> {
    headers.get(name).and_then(|value| value.to_str().ok())
}
