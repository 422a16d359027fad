//! The secrets that agents show: how they are drawn, and how they are kept.

use std::fmt::Write as _;

use base64::{Engine as _, engine::general_purpose::URL_SAFE_NO_PAD};
use myao_core::chat::{AgentId, AgentToken};
use myao_mcp::transport::{CannotTell, Identified, Identify, identify_with};
use myao_store::{Store, StoreError, StoredAgentToken};
use sha2::{Digest as _, Sha256};

use crate::{app::App, clock::random_bytes};

/// What every secret begins with, so that people and programs that look for leaked secrets know it.
const PREFIX: &str = "myao_";

/// A secret with 256 random bits.
pub(crate) fn draw_secret() -> String {
    format!("{PREFIX}{}", URL_SAFE_NO_PAD.encode(random_bytes()))
}

/// The id of a new agent.
pub(crate) fn draw_agent() -> AgentId {
    let mut drawn = [0; 10];
    for (to, from) in drawn.iter_mut().zip(random_bytes()) {
        *to = from;
    }
    AgentId::draw(drawn)
}

/// What is kept of a secret: the SHA-256 of all of it, in hexadecimal digits.
pub(crate) fn hash_of_secret(secret: &str) -> String {
    let mut hash = String::with_capacity(64);
    for byte in Sha256::digest(secret.as_bytes()) {
        // Writing to a text does not fail.
        write!(hash, "{byte:02x}").ok();
    }
    hash
}

/// Tells whose token a secret is, by the tokens in `store`.
pub(crate) fn identify_by(store: &Store, app: &App) -> Identify {
    let store = store.clone();
    let clock = std::sync::Arc::clone(&app.clock);
    identify_with(move |secret| {
        let store = store.clone();
        let now = clock.now();
        async move { look_up(&store, &secret, now).await }
    })
}

async fn look_up(store: &Store, secret: &str, now: jiff::Timestamp) -> Identified {
    let token: Result<Option<AgentToken>, _> =
        store.local().agent_token_of(&hash_of_secret(secret), now).await;
    token.map_err(|error| {
        tracing::warn!(%error, "the token of an agent cannot be looked up");
        CannotTell
    })
}

/// The tokens that were not revoked.
pub(crate) async fn standing_tokens(app: &App) -> Result<Vec<StoredAgentToken>, StoreError> {
    let all = app.store.local().agent_tokens().await?;
    Ok(all.into_iter().filter(|stored| stored.revoked_at.is_none()).collect())
}
