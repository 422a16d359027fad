//! What is looked at in a message before it is handed on: whether it is one, and under which id an answer is waited for.

use rmcp::model::{ErrorData, RequestId};
use serde::{Deserialize, Deserializer};
use serde_json::{Value, error::Category};

/// The longest id of a request, in bytes: it is said again in the answer.
const LONGEST_ID: usize = 512;

/// A message, by what stands around its parameters.
#[derive(Debug)]
pub(super) enum MessageEnvelope {
    /// Wants an answer.
    Request {
        /// Under this id.
        id: RequestId,
        /// What is asked for.
        method: String,
    },
    /// Wants none: a notification, or the answer to a question of ours.
    NoAnswer,
}

/// Not a message.
#[derive(Debug)]
pub(super) struct Malformed {
    /// What to answer.
    pub(super) error: Box<ErrorData>,
    /// Under which id, where one can be read. Without it a client waits until its patience ends.
    pub(super) id: Option<RequestId>,
}

/// The keys that are looked at. A key that stands there twice is an error, since others might read the other one.
#[derive(Deserialize)]
struct Keys {
    #[serde(default)]
    jsonrpc: Option<Value>,
    #[serde(default, deserialize_with = "present")]
    id: Option<Value>,
    #[serde(default)]
    method: Option<Value>,
}

/// Tells `null` from a key that is not there.
fn present<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Option<Value>, D::Error> {
    Value::deserialize(deserializer).map(Some)
}

impl MessageEnvelope {
    /// Reads what stands around the parameters.
    ///
    /// # Errors
    /// When it is not JSON (-32700), or no single message (-32600).
    pub(super) fn read(text: &[u8]) -> Result<Self, Malformed> {
        if text.trim_ascii_start().starts_with(b"[") {
            return Err(Malformed::request(
                "several messages at once are not taken: send one at a time",
                None,
            ));
        }
        let keys: Keys = serde_json::from_slice(text).map_err(|error| Malformed::unread(&error))?;
        let id = match keys.id {
            None => None,
            Some(id) => {
                let Some(id) = usable_id(&id) else {
                    let advice = "the id of a request is a text of up to 512 bytes, or a whole number";
                    return Err(Malformed::request(advice, None));
                };
                Some(id)
            }
        };
        if keys.jsonrpc.as_ref().and_then(Value::as_str) != Some("2.0") {
            return Err(Malformed::request("a message has \"jsonrpc\": \"2.0\"", id));
        }
        match (keys.method, id) {
            (Some(Value::String(method)), Some(id)) => Ok(Self::Request { id, method }),
            (Some(Value::String(_)) | None, _) => Ok(Self::NoAnswer),
            (Some(_), id) => Err(Malformed::request("the method of a request is a text", id)),
        }
    }
}

impl Malformed {
    fn request(advice: &'static str, id: Option<RequestId>) -> Self {
        Self { error: Box::new(ErrorData::invalid_request(advice, None)), id }
    }

    fn unread(error: &serde_json::Error) -> Self {
        let error = match error.classify() {
            Category::Data => ErrorData::invalid_request("a message is an object with each key once", None),
            Category::Syntax | Category::Eof | Category::Io => {
                ErrorData::parse_error("the message is not JSON, or is nested too deeply", None)
            }
        };
        Self { error: Box::new(error), id: None }
    }
}

fn usable_id(id: &Value) -> Option<RequestId> {
    if id.as_str().is_some_and(|id| id.len() > LONGEST_ID) {
        return None;
    }
    serde_json::from_value(id.clone()).ok()
}
