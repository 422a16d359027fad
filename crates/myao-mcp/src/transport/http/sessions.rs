//! Sessions of the older era: whose they are, and how many there may be.
//!
//! The protocol's library keeps them, and whoever knows the id of one could use it. Here each belongs to the agent that
//! began it.

use std::{
    collections::BTreeMap,
    sync::{Arc, Mutex, MutexGuard, PoisonError},
};

use axum::http::{HeaderMap, StatusCode};
use jiff::Timestamp;
use myao_core::chat::AgentId;
use rmcp::transport::streamable_http_server::session::{
    SessionId, SessionManager as _, local::LocalSessionManager,
};

use super::{refusal::HttpRefusal, settings::HttpLimits};

/// The header that holds the id of a session.
pub(super) const SESSION_HEADER: &str = "mcp-session-id";

/// Whose a session is, and when it was last used.
struct Owned {
    by: AgentId,
    used_at: Timestamp,
}

/// Knows whose each session is.
pub(super) struct Sessions {
    kept: Arc<LocalSessionManager>,
    owned: Mutex<BTreeMap<String, Owned>>,
}

impl Sessions {
    pub(super) fn new(kept: Arc<LocalSessionManager>) -> Self {
        Self { kept, owned: Mutex::default() }
    }

    /// Lets a request through that names no session, or one of its own.
    pub(super) fn check(&self, headers: &HeaderMap, by: &AgentId, now: Timestamp) -> Result<(), HttpRefusal> {
        let mut named = headers.get_all(SESSION_HEADER).iter();
        let id = match (named.next(), named.next()) {
            (None, _) => return Ok(()),
            (Some(id), None) => id.to_str().unwrap_or_default(),
            (Some(_), Some(_)) => "",
        };
        match self.owned().get_mut(id).filter(|session| session.by == *by) {
            Some(session) => {
                session.used_at = now;
                Ok(())
            }
            None => Err(no_session()),
        }
    }

    /// Notes whose a new session is, and ends those that are too many.
    pub(super) async fn add(&self, id: &str, by: &AgentId, limits: &HttpLimits, now: Timestamp) {
        let living: Vec<SessionId> = self.kept.sessions.read().await.keys().cloned().collect();
        let too_many = {
            let mut owned = self.owned();
            owned.insert(id.to_owned(), Owned { by: by.clone(), used_at: now });
            owned.retain(|id, _| living.iter().any(|living| **living == **id));
            let mut too_many = Vec::new();
            while let Some(oldest) = oldest_too_many(&owned, by, limits) {
                owned.remove(&oldest);
                too_many.push(oldest);
            }
            too_many
        };
        for id in too_many {
            self.close(&id).await;
        }
    }

    /// Forgets a session that has ended.
    pub(super) fn forget(&self, headers: &HeaderMap) {
        if let Some(id) = headers.get(SESSION_HEADER).and_then(|id| id.to_str().ok()) {
            self.owned().remove(id);
        }
    }

    /// Ends all sessions of an agent.
    pub(super) async fn end_all_of(&self, by: &AgentId) {
        let theirs: Vec<String> =
            self.owned().extract_if(.., |_, session| session.by == *by).map(|(id, _)| id).collect();
        for id in theirs {
            self.close(&id).await;
        }
    }

    async fn close(&self, id: &str) {
        if let Err(error) = self.kept.close_session(&SessionId::from(id)).await {
            tracing::debug!(%error, "a session of an agent had ended already");
        }
    }

    fn owned(&self) -> MutexGuard<'_, BTreeMap<String, Owned>> {
        self.owned.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// What is answered where a session does not exist, or is somebody else's.
pub(super) fn no_session() -> HttpRefusal {
    HttpRefusal::by_status(
        StatusCode::NOT_FOUND,
        "there is no such session: begin a new one with \"initialize\"",
    )
}

/// The session that has to go: the one that was not used for longest, an agent's own where it has too many.
fn oldest_too_many(owned: &BTreeMap<String, Owned>, by: &AgentId, limits: &HttpLimits) -> Option<String> {
    let of_one = |session: &&Owned| session.by == *by;
    let has_too_many = owned.values().filter(of_one).count() > limits.sessions_of_one;
    if !has_too_many && owned.len() <= limits.sessions {
        return None;
    }
    let candidates = owned.iter().filter(|(_, session)| !has_too_many || session.by == *by);
    candidates.min_by_key(|(_, session)| session.used_at).map(|(id, _)| id.clone())
}
