//! Stores who is signed in to the pages (ADR 55).

use std::str::FromStr;

use async_recursion::async_recursion as boxed;
use jiff::{SignedDuration, Timestamp};

use crate::{
    LocalHandle, StoreError,
    db::{
        query_as,
        values::{instant_from_micros, parse_column},
    },
};

/// How long an unused session lasts.
const UNUSED_FOR: SignedDuration = SignedDuration::from_hours(14 * 24);

/// The longest time that a session lasts.
const LASTS: SignedDuration = SignedDuration::from_hours(90 * 24);

/// How often the use of a session is noted: pages are viewed far more often.
const NOTED_EVERY: SignedDuration = SignedDuration::from_hours(1);

/// What a person may do on the pages.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum WebRole {
    /// May look and change things.
    Owner,
    /// May look.
    Reader,
}

impl WebRole {
    /// The name in storage.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Owner => "owner",
            Self::Reader => "reader",
        }
    }
}

impl FromStr for WebRole {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let role = [Self::Owner, Self::Reader].into_iter().find(|role| role.as_str() == text);
        role.ok_or_else(|| format!("`{text}` is no role"))
    }
}

/// A person who is signed in.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PageSession {
    /// The name that the journal uses for them.
    pub name: String,
    /// What they may do.
    pub role: WebRole,
}

impl LocalHandle<'_> {
    /// Begins a session under a hashed id, and drops sessions that have ended.
    #[boxed]
    pub async fn begin_web_session(
        &self,
        id: &str,
        session: &PageSession,
        now: Timestamp,
    ) -> Result<(), StoreError> {
        let store = self.store.clone();
        let id = id.to_owned();
        let session = session.clone();
        to_the_end!({
            let mut tx = store.db.begin().await?;
            on!(&mut tx, c => sqlx::query("DELETE FROM web_sessions WHERE used_at < $1 OR begun_at < $2")
                .bind(micros_before(now, UNUSED_FOR)).bind(micros_before(now, LASTS)).execute(c).await.map(drop))?;
            on!(&mut tx, c => sqlx::query(
                "INSERT INTO web_sessions (id, name, role, begun_at, used_at) VALUES ($1, $2, $3, $4, $4)")
                .bind(&id).bind(&session.name).bind(session.role.as_str()).bind(now.as_microsecond())
                .execute(c).await.map(drop))?;
            tx.commit().await
        })
        .await
    }

    /// The session of this hashed id; `None` if it has ended or never existed.
    #[boxed]
    pub async fn web_session(&self, id: &str, now: Timestamp) -> Result<Option<PageSession>, StoreError> {
        let mut tx = self.store.db.snapshot().await?;
        let row: Option<(String, String, i64, i64)> = on!(&mut tx, c => query_as(
            "SELECT name, role, begun_at, used_at FROM web_sessions WHERE id = $1")
            .bind(id).fetch_optional(c).await)?;
        let Some((name, role, begun, used)) = row else { return Ok(None) };
        if used < micros_before(now, UNUSED_FOR) || begun < micros_before(now, LASTS) {
            return Ok(None);
        }
        let session = PageSession { role: parse_column(&role, "web_sessions.role", &name)?, name };
        if instant_from_micros(used) < now.saturating_sub(NOTED_EVERY).unwrap_or(Timestamp::MIN) {
            self.note_web_session_used(id, now).await?;
        }
        Ok(Some(session))
    }

    async fn note_web_session_used(&self, id: &str, now: Timestamp) -> Result<(), StoreError> {
        let store = self.store.clone();
        let id = id.to_owned();
        to_the_end!({
            let mut tx = store.db.begin().await?;
            on!(&mut tx, c => sqlx::query("UPDATE web_sessions SET used_at = $2 WHERE id = $1")
                .bind(&id).bind(now.as_microsecond()).execute(c).await.map(drop))?;
            tx.commit().await
        })
        .await
    }

    /// Ends a session.
    #[boxed]
    pub async fn end_web_session(&self, id: &str) -> Result<(), StoreError> {
        let store = self.store.clone();
        let id = id.to_owned();
        to_the_end!({
            let mut tx = store.db.begin().await?;
            on!(&mut tx, c => sqlx::query("DELETE FROM web_sessions WHERE id = $1")
                .bind(&id).execute(c).await.map(drop))?;
            tx.commit().await
        })
        .await
    }
}

fn micros_before(now: Timestamp, span: SignedDuration) -> i64 {
    now.saturating_sub(span).unwrap_or(Timestamp::MIN).as_microsecond()
}
