//! Reads `agents.*`: which model does what.

use std::fmt;

use myao_core::ports::Role;
use serde_json::{Map, Value};

use super::{predecessor::instead_of_provider, secret::Secret, section::Section};

/// `agents.*`.
#[derive(Clone, Debug, PartialEq)]
pub struct Agents {
    /// Writes answers.
    pub response: AgentConfig,
    /// Decides whether to speak.
    pub judgment: AgentConfig,
    /// Writes memories.
    pub memory: AgentConfig,
}

/// One of `agents.*`.
#[derive(Clone, Debug, PartialEq)]
pub struct AgentConfig {
    /// The model.
    pub model_id: ModelId,
    /// A text added to the role's own prompt; may be empty.
    pub system_prompt: String,
    /// Parameters passed on to the provider: temperature, `max_tokens`, …
    pub params: Map<String, Value>,
    /// How the provider is reached.
    pub client_args: ClientArgs,
    /// Whether the model is shown the images that people share; only for `agents.response`.
    pub vision: bool,
}

/// `agents.*.client_args`.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct ClientArgs {
    /// The provider's key.
    pub api_key: Option<Secret>,
    /// The address of another server than the provider's own.
    pub api_base: Option<String>,
    /// The version of the API, where the provider wants one.
    pub api_version: Option<String>,
    /// Seconds until a call is given up; `None`: the default timeout.
    pub timeout: Option<f64>,
}

/// `agents.*.model_id`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ModelId {
    /// The builtin model, which needs no provider.
    Builtin,
    /// `provider/model`.
    Provider {
        /// The provider, as in `openai`.
        provider: String,
        /// The model, as in `gpt-4o`; may hold further slashes.
        model: String,
    },
}

impl ModelId {
    /// Reads `builtin` or `provider/model`; `None` for anything else.
    pub fn parse(text: &str) -> Option<Self> {
        if text == "builtin" {
            return Some(Self::Builtin);
        }
        let (provider, model) = text.split_once('/')?;
        let is_name = |c: char| c.is_ascii_alphanumeric() || matches!(c, '_' | '-' | '.');
        let fits = !provider.is_empty()
            && provider.chars().all(is_name)
            && !model.is_empty()
            && !model.contains(char::is_whitespace);
        fits.then(|| Self::Provider { provider: provider.to_owned(), model: model.to_owned() })
    }
}

impl ModelId {
    /// What to write instead, if it names a provider of LiteLLM's that has another name here or is not spoken.
    pub fn instead(&self) -> Option<String> {
        match self {
            Self::Builtin => None,
            Self::Provider { provider, .. } => instead_of_provider(provider),
        }
    }
}

impl fmt::Display for ModelId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Builtin => f.write_str("builtin"),
            Self::Provider { provider, model } => write!(f, "{provider}/{model}"),
        }
    }
}

impl Agents {
    /// The settings for a role.
    pub fn get(&self, role: Role) -> &AgentConfig {
        match role {
            Role::Response => &self.response,
            Role::Judgment => &self.judgment,
            Role::Memory => &self.memory,
        }
    }
}

pub(super) fn read_agents_section(section: &mut Section<'_>) -> Agents {
    let mut agent = |role: Role| section.section(role.as_str(), |section| read_agent_section(role, section));
    Agents { response: agent(Role::Response), judgment: agent(Role::Judgment), memory: agent(Role::Memory) }
}

pub(super) const MODEL_ID: &str = "`builtin` or provider/model, as in openai/gpt-4o";

fn read_agent_section(role: Role, section: &mut Section<'_>) -> AgentConfig {
    if !section.is_present() {
        section.note_default("model_id");
    }
    section.require("model_id", MODEL_ID);
    let model_id = section.word("model_id", MODEL_ID, ModelId::parse).unwrap_or(ModelId::Builtin);
    if let Some(instead) = model_id.instead() {
        section.contradiction("model_id", &instead);
    }
    let vision = role == Role::Response && section.flag("vision", false);
    if vision && model_id == ModelId::Builtin {
        section.contradiction("vision", "expected a model that sees, and the builtin one does not");
    }
    AgentConfig {
        model_id,
        vision,
        system_prompt: section.text("system_prompt").unwrap_or_default(),
        params: section.map("params").iter().map(|e| (e.key.clone(), e.node.value.to_json())).collect(),
        client_args: section.section("client_args", |section| ClientArgs {
            api_key: section.secret("api_key"),
            api_base: section.url("api_base", ["https", "http"]),
            api_version: section.text("api_version"),
            timeout: section.number_or("timeout", 0.1..=3600.0),
        }),
    }
}
