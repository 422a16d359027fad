//! A call to a model as it is written to a file, to look at it or to replay it.

use std::borrow::Cow;

use jiff::Timestamp;
use serde::{Deserialize, Serialize};
use serde_json::Value;

use super::{
    image::Image,
    model_error::ModelError,
    request::{Request, ResponseFormat, ToolSpec, Turn},
    response::Response,
};
use crate::text::with_secrets_masked;

/// A request as a model was sent it, and what came back.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Recording {
    /// When it was asked.
    pub at: Timestamp,
    /// The model's id.
    pub model: String,
    /// The name of the [`Role`](super::request::Role): `response`, `judgment`, `memory`.
    pub role: String,
    /// The request's purpose.
    pub purpose: String,
    /// The system prompt.
    pub system: String,
    /// The dialogue.
    pub turns: Vec<Turn>,
    /// The images that went with it, without their content, which is not ours to keep.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub images: Vec<ImageNote>,
    /// The tools that were offered.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub tools: Vec<ToolSpec>,
    /// The schema the answer had to satisfy.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub schema: Option<Value>,
    /// The length it was asked to keep to, in tokens.
    pub target_tokens: u32,
    /// What came back.
    pub answer: RecordedOutcome,
    /// When its texts were wiped because words that they may have held were removed from the chat (ADR 31); `None` as
    /// long as it has them.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub wiped_at: Option<Timestamp>,
}

/// An image that a model was shown.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct ImageNote {
    /// Its file's name.
    pub name: String,
    /// Its media type.
    pub media_type: String,
    /// How many bytes it had.
    pub bytes: usize,
}

impl ImageNote {
    fn of(image: &Image) -> Self {
        Self {
            name: image.name.clone(),
            media_type: image.format.media_type().to_owned(),
            bytes: image.bytes.len(),
        }
    }
}

/// What came back from a model.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum RecordedOutcome {
    /// A response.
    Response(Response),
    /// An error.
    Error(ModelError),
}

impl Recording {
    /// A call that was just made, without secrets. What we put into a prompt was masked before; what a model said, in a
    /// tool call or a thought too, and what a tool or a provider gave back may not have been.
    pub fn of(at: Timestamp, model: &str, request: &Request, result: &Result<Response, ModelError>) -> Self {
        let schema = match &request.form {
            ResponseFormat::Text => None,
            ResponseFormat::Data { schema, .. } => Some(schema.clone()),
        };
        let whole = Self {
            at,
            model: model.to_owned(),
            role: request.role.as_str().to_owned(),
            purpose: request.purpose.to_owned(),
            system: request.system.clone(),
            turns: request.turns.clone(),
            images: request.images.iter().map(ImageNote::of).collect(),
            tools: request.tools.clone(),
            schema,
            target_tokens: request.target_tokens,
            answer: match result {
                Ok(response) => RecordedOutcome::Response(response.clone()),
                Err(error) => RecordedOutcome::Error(error.clone()),
            },
            wiped_at: None,
        };
        whole.without_secrets().unwrap_or_else(|| whole.wiped(at))
    }

    /// `None` if it is no recording any more with masks in the place of secrets.
    fn without_secrets(&self) -> Option<Self> {
        let mut value = serde_json::to_value(self).ok()?;
        mask_texts(&mut value);
        serde_json::from_value(value).ok()
    }

    /// The same recording without any text of the prompt or the answer: the time, the model, the purpose and the usage
    /// stay.
    #[must_use]
    pub fn wiped(self, at: Timestamp) -> Self {
        let answer = match self.answer {
            RecordedOutcome::Response(response) => RecordedOutcome::Response(Response {
                text: String::new(),
                calls: Vec::new(),
                thoughts: Vec::new(),
                ..response
            }),
            // An error may repeat what it was given.
            RecordedOutcome::Error(_) => {
                RecordedOutcome::Error(ModelError::Invalid("its words were taken out".to_owned()))
            }
        };
        Self {
            system: String::new(),
            turns: Vec::new(),
            images: Vec::new(),
            tools: Vec::new(),
            answer,
            wiped_at: Some(at),
            ..self
        }
    }

    /// Whether `request` says the same to a model as the recorded one.
    pub fn is_of(&self, request: &Request) -> bool {
        let other = Self::of(self.at, &self.model, request, &Err(ModelError::Timeout(0)));
        self.purpose == other.purpose
            && self.system == other.system
            && self.turns == other.turns
            && self.images == other.images
    }
}

/// Masks the secrets in every text, number and name of a field of a value: a model chooses all of them in a tool call.
fn mask_texts(value: &mut Value) {
    match value {
        Value::String(text) => {
            if let Cow::Owned(masked) = with_secrets_masked(text) {
                *text = masked;
            }
        }
        Value::Number(number) => {
            if let Cow::Owned(masked) = with_secrets_masked(&number.to_string()) {
                *value = Value::String(masked);
            }
        }
        Value::Array(values) => values.iter_mut().for_each(mask_texts),
        Value::Object(fields) => {
            for (name, mut inside) in std::mem::take(fields) {
                mask_texts(&mut inside);
                fields.insert(with_secrets_masked(&name).into_owned(), inside);
            }
        }
        Value::Null | Value::Bool(_) => {}
    }
}
