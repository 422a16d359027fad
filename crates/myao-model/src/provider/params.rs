//! Reads `agents.*.params`: the parameters that we know, and those that are passed on to the provider.

use myao_core::ports::Request;
use reqwest::header::{HeaderName, HeaderValue};
use serde_json::{Map, Value};

use super::{ProviderError, effort::Effort};

/// Parameters of LiteLLM itself, which a myao2 configuration may hold and no provider knows.
const LITELLM_OWN: [&str; 6] =
    ["drop_params", "num_retries", "max_retries", "caching", "timeout", "request_timeout"];
/// Fields of a request that we set ourselves and a configuration must not.
const OURS: [&str; 9] =
    ["model", "messages", "contents", "system", "stream", "tools", "tool_choice", "response_format", "n"];

/// The temperatures of another draft: one steady enough to keep to the talk, one lively enough to leave a loop.
pub(super) const STEADY: f64 = 0.4;
pub(super) const LIVELY: f64 = 0.7;

/// The parameters of a model.
#[derive(Clone, Debug, Default)]
pub(super) struct ModelParams {
    pub(super) temperature: Option<f64>,
    pub(super) top_p: Option<f64>,
    /// The limit of the answer, in tokens.
    pub(super) max_tokens: Option<u32>,
    /// Whether the limit was given under OpenAI's newer name, which some deployments require.
    pub(super) newer_limit: bool,
    pub(super) stop: Vec<String>,
    pub(super) seed: Option<u64>,
    pub(super) effort: Option<Effort>,
    /// Headers the owner wants sent (`extra_headers`).
    pub(super) headers: Vec<(String, String)>,
    /// All other parameters, which are passed on.
    pub(super) rest: Map<String, Value>,
}

impl ModelParams {
    /// Reads parameters as configured.
    pub(super) fn read(params: &Map<String, Value>) -> Result<Self, ProviderError> {
        let mut read = Self::default();
        for (key, value) in params.iter().filter(|(_, value)| !value.is_null()) {
            read.take(key, value)?;
        }
        Ok(read)
    }

    /// The temperature of a request: the owner's, or for another draft one that differs from it. `None` if the owner
    /// set none: the provider's own is high enough for another draft.
    pub(super) fn temperature(&self, request: &Request) -> Option<f64> {
        let other = |own: f64| if own < STEADY { LIVELY } else { STEADY };
        self.temperature.map(|own| if request.afresh { other(own) } else { own })
    }

    /// The seed of a request: the owner's, or for another draft the next one, so that the result differs. `None` if the
    /// owner set none.
    pub(super) fn seed(&self, request: &Request) -> Option<u64> {
        self.seed.map(|seed| if request.afresh { seed.wrapping_add(1) } else { seed })
    }

    fn take(&mut self, key: &str, value: &Value) -> Result<(), ProviderError> {
        let wants = |wanted| ProviderError::Param { key: key.to_owned(), wanted };
        match key {
            "temperature" => self.temperature = Some(value.as_f64().ok_or(wants("a number"))?),
            "top_p" => self.top_p = Some(value.as_f64().ok_or(wants("a number"))?),
            "max_tokens" | "max_completion_tokens" => {
                let tokens = value.as_u64().and_then(|n| u32::try_from(n).ok()).filter(|n| *n > 0);
                self.max_tokens = Some(tokens.ok_or(wants("a whole number of tokens, at least 1"))?);
                self.newer_limit |= key == "max_completion_tokens";
            }
            "stop" | "stop_sequences" => {
                self.stop = parse_texts(value).ok_or(wants("a text or a list of texts"))?;
            }
            "seed" => self.seed = Some(value.as_u64().ok_or(wants("a whole number"))?),
            "reasoning_effort" => {
                let effort = value.as_str().and_then(Effort::read);
                let wanted = "none, minimal, low, medium, high, xhigh, max or a number of tokens";
                self.effort = Some(effort.ok_or(wants(wanted))?);
            }
            "extra_headers" => {
                self.headers = parse_headers(value).ok_or(wants("a map of header names and texts"))?;
            }
            "extra_body" => self.rest.extend(value.as_object().ok_or(wants("a map"))?.clone()),
            _ if LITELLM_OWN.contains(&key) => {
                tracing::warn!(key, "params: a setting of LiteLLM's own, without effect here");
            }
            _ if OURS.contains(&key) => return Err(wants("left out: myao says this itself")),
            _ => {
                self.rest.insert(key.to_owned(), value.clone());
            }
        }
        Ok(())
    }
}

fn parse_headers(value: &Value) -> Option<Vec<(String, String)>> {
    let header = |(name, value): (&String, &Value)| {
        let value = value.as_str()?;
        let fits = HeaderName::try_from(name).is_ok() && HeaderValue::try_from(value).is_ok();
        fits.then(|| (name.clone(), value.to_owned()))
    };
    value.as_object()?.iter().map(header).collect()
}

fn parse_texts(value: &Value) -> Option<Vec<String>> {
    match value {
        Value::String(text) => Some(vec![text.clone()]),
        Value::Array(list) => list.iter().map(|text| text.as_str().map(str::to_owned)).collect(),
        Value::Null | Value::Bool(_) | Value::Number(_) | Value::Object(_) => None,
    }
}
