//! Implements the core's `Model` trait: language models.
//!
//! [`Provider`] is a model of one of the usual providers, or of any server that speaks one of their protocols.
//! [`EmbeddingModel`] turns texts into vectors. [`Builtin`] needs no key, no network and no weights. Its steps, each a
//! module under `builtin`, in the order in which a text passes through them: `sentences` (splits text into sentences),
//! `passages` (splits a message into passages short enough for a bullet), `exchange` (joins a question with its
//! answer), `bullet` (the form of a memory's line), `read` (takes a memory's text apart), `choose` (chooses the bullets
//! to keep), and with these `talk`, `merge` and `reply`.

mod builtin;
mod http;
mod local_servers;
mod provider;
mod proxy;

pub use builtin::Builtin;
pub use http::{client_with_system_proxies, http_client_through};
pub use local_servers::{LocalModel, find_local_models};
pub use provider::{
    ApiKey, DEFAULT_TIMEOUT, Embedded, EmbeddingModel, EmbeddingSettings, ModelHabits, Provider,
    ProviderError, ProviderSettings, TraceParent, address_of_server, key_variable, limit_too_low,
    names_common_first, recorded_model_id, thinking_switch,
};
pub use proxy::{NamedProxy, Proxies};

/// The id that `builtin` is configured and recorded under.
pub use myao_core::ports::BUILTIN;
