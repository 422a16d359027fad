//! One call to a model as it is written to a file and read back, to look at it or to replay it.

use jiff::Timestamp;
use serde::{Deserialize, Serialize};
use serde_json::Value;

use super::{Form, ModelError, Request, Response, ToolSpec, Turn};

/// A request in the words a model was sent, and what came back.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Recording {
    /// When it was asked.
    pub at: Timestamp,
    /// Which model.
    pub model: String,
    /// For whom: `response`, `judgment`, `memory`.
    pub role: String,
    /// What for.
    pub purpose: String,
    /// The system prompt.
    pub system: String,
    /// The dialogue.
    pub turns: Vec<Turn>,
    /// The tools that were offered.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub tools: Vec<ToolSpec>,
    /// The schema the answer had to satisfy.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub schema: Option<Value>,
    /// The length it was asked to keep to, in tokens.
    pub target_tokens: u32,
    /// What came back.
    pub answer: Answered,
}

/// What came back from a model.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Answered {
    /// A response.
    Response(Response),
    /// None.
    Error(ModelError),
}

impl Recording {
    /// A call that was just made.
    pub fn of(at: Timestamp, model: &str, request: &Request, result: &Result<Response, ModelError>) -> Self {
        let schema = match &request.form {
            Form::Text => None,
            Form::Data { schema, .. } => Some(schema.clone()),
        };
        Self {
            at,
            model: model.to_owned(),
            role: request.role.as_str().to_owned(),
            purpose: request.purpose.to_owned(),
            system: request.system.clone(),
            turns: request.turns.clone(),
            tools: request.tools.clone(),
            schema,
            target_tokens: request.target_tokens,
            answer: match result {
                Ok(response) => Answered::Response(response.clone()),
                Err(error) => Answered::Error(error.clone()),
            },
        }
    }

    /// Whether a request says the same to a model.
    pub fn is_of(&self, request: &Request) -> bool {
        self.purpose == request.purpose && self.system == request.system && self.turns == request.turns
    }
}
