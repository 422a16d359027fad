//! Stores the tokens by which other programs ask for memories (ADR 118).
//!
//! A secret has 256 random bits, so its plain hash tells nobody what it was.

use std::{
    collections::{BTreeMap, BTreeSet},
    sync::{Mutex, PoisonError},
    time::Duration,
};

use async_recursion::async_recursion as boxed;
use jiff::{SignedDuration, Timestamp};
use myao_core::chat::{AgentId, AgentSees, AgentToken, ChannelId};
use tokio_util::task::TaskTracker;

use crate::{
    LocalHandle, Store, StoreError,
    db::{
        query_as,
        values::{instant_from_micros, row},
    },
};

/// How often the use of a token is noted: agents ask far more often.
const NOTED_EVERY: SignedDuration = SignedDuration::from_mins(1);
/// How long a look-up waits for that, once a minute. After it the note is written when the database takes it.
const NOTE_WITHIN: Duration = Duration::from_millis(100);
/// How long a store that is closed waits for that.
const FINISH_WITHIN: Duration = Duration::from_secs(2);

/// When this process last noted which agent's use, so that a database that takes no writes now is not asked at every
/// request. It holds as many agents as there are tokens.
#[derive(Debug, Default)]
pub(crate) struct NotedUses {
    noted: Mutex<BTreeMap<AgentId, Timestamp>>,
    under_way: TaskTracker,
}

impl NotedUses {
    /// Whether a use is to be noted now. If so, it counts as noted.
    fn is_due(&self, agent: &AgentId, now: Timestamp) -> bool {
        let mut noted = self.noted.lock().unwrap_or_else(PoisonError::into_inner);
        let is_due = noted.get(agent).is_none_or(|at| is_over(*at, now));
        if is_due {
            noted.insert(agent.clone(), now);
        }
        is_due
    }

    /// Waits for what is being noted, but not for ever: nothing is lost but a minute.
    pub(crate) async fn finish(&self) {
        self.under_way.close();
        drop(tokio::time::timeout(FINISH_WITHIN, self.under_way.wait()).await);
    }
}

/// Whether a use that was noted at `at` does not stand for one at `now`. A clock that was set back is believed.
fn is_over(at: Timestamp, now: Timestamp) -> bool {
    now.duration_since(at).abs() >= NOTED_EVERY
}

/// A token as it stands.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct StoredAgentToken {
    /// What it lets its agent do.
    pub token: AgentToken,
    /// When it was made.
    pub made_at: Timestamp,
    /// When it was last used, to the minute; `None` if it never was.
    pub used_at: Option<Timestamp>,
    /// When it was revoked; `None` if it stands.
    pub revoked_at: Option<Timestamp>,
}

/// Why a token was not made. Nothing was written.
#[derive(Debug, thiserror::Error)]
pub enum AgentTokenError {
    /// A token that stands has the name.
    #[error("there is a token `{0}` already; revoke it (`myao token revoke`) or choose another name")]
    NameTaken(String),
    /// The database failed.
    #[error(transparent)]
    Store(#[from] StoreError),
}

row! {
    /// A token.
    struct TokenRow {
        agent: String,
        name: String,
        sees: String,
        channels: String,
        may_write: i64,
        made_at: i64,
        used_at: Option<i64>,
        revoked_at: Option<i64>,
    }
}

/// The columns of [`TokenRow`].
macro_rules! token_columns {
    () => {
        "agent, name, sees, channels, may_write, made_at, used_at, revoked_at"
    };
}

impl LocalHandle<'_> {
    /// Keeps a new token under the hash of its secret.
    ///
    /// # Errors
    /// [`AgentTokenError::NameTaken`].
    #[boxed]
    pub async fn add_agent_token(
        &self,
        token: &AgentToken,
        secret_hash: &str,
        now: Timestamp,
    ) -> Result<(), AgentTokenError> {
        let store = self.store.clone();
        let token = token.clone();
        let name = token.name.clone();
        let secret_hash = secret_hash.to_owned();
        let (sees, channels) = stored_sight(&token.sees)?;
        let added: u64 = to_the_end!({
            let mut tx = store.db.begin().await?;
            let added = on!(&mut tx, c => sqlx::query(
                "INSERT INTO agent_tokens (agent, name, secret_hash, sees, channels, may_write, made_at)
                 VALUES ($1, $2, $3, $4, $5, $6, $7) ON CONFLICT (name) WHERE revoked_at IS NULL DO NOTHING")
                .bind(token.agent.as_str()).bind(&token.name).bind(&secret_hash).bind(sees).bind(&channels)
                .bind(i64::from(token.may_write)).bind(now.as_microsecond())
                .execute(c).await.map(|done| done.rows_affected()))?;
            tx.commit().await?;
            Ok(added)
        })
        .await?;
        if added == 1 { Ok(()) } else { Err(AgentTokenError::NameTaken(name)) }
    }

    /// All tokens, those that were revoked too, by name and then by when they were made.
    #[boxed]
    pub async fn agent_tokens(&self) -> Result<Vec<StoredAgentToken>, StoreError> {
        let mut tx = self.store.db.snapshot().await?;
        let rows: Vec<TokenRow> = on!(&mut tx, c => query_as(concat!(
            "SELECT ", token_columns!(), " FROM agent_tokens ORDER BY name, made_at, agent")).fetch_all(c).await)?;
        rows.into_iter().map(token_of_row).collect()
    }

    /// The token with this hash of its secret; `None` if there is none, or it was revoked. That it was used is noted where
    /// the database may be written to: nobody waits long for that, and no error of it is theirs.
    #[boxed]
    pub async fn agent_token_of(
        &self,
        secret_hash: &str,
        now: Timestamp,
    ) -> Result<Option<AgentToken>, StoreError> {
        let mut tx = self.store.db.snapshot().await?;
        let row: Option<TokenRow> = on!(&mut tx, c => query_as(concat!(
            "SELECT ", token_columns!(), " FROM agent_tokens WHERE secret_hash = $1 AND revoked_at IS NULL"))
            .bind(secret_hash).fetch_optional(c).await)?;
        drop(tx);
        let Some(stored) = row.map(token_of_row).transpose()? else { return Ok(None) };
        let agent = &stored.token.agent;
        let is_due = stored.used_at.is_none_or(|at| is_over(at, now)) && self.store.is_writable();
        if is_due && self.store.uses_noted.is_due(agent, now) {
            let store = self.store.clone();
            let agent = agent.clone();
            let noting = self.store.uses_noted.under_way.spawn(async move {
                if let Err(error) = note_use(&store, &agent, now).await {
                    tracing::warn!(%error, %agent, "when a token was last used is not noted");
                }
            });
            drop(tokio::time::timeout(NOTE_WITHIN, noting).await);
        }
        Ok(Some(stored.token))
    }

    /// Makes a token worth nothing from now on. `false` if none that stands has the name.
    #[boxed]
    pub async fn revoke_agent_token(&self, name: &str, now: Timestamp) -> Result<bool, StoreError> {
        let store = self.store.clone();
        let name = name.to_owned();
        to_the_end!({
            let mut tx = store.db.begin().await?;
            let revoked = on!(&mut tx, c => sqlx::query(
                "UPDATE agent_tokens SET revoked_at = $2 WHERE name = $1 AND revoked_at IS NULL")
                .bind(&name).bind(now.as_microsecond()).execute(c).await.map(|done| done.rows_affected()))?;
            tx.commit().await?;
            Ok(revoked == 1)
        })
        .await
    }
}

async fn note_use(store: &Store, agent: &AgentId, now: Timestamp) -> Result<(), StoreError> {
    let store = store.clone();
    let agent = agent.clone();
    to_the_end!({
        let mut tx = store.db.begin().await?;
        on!(&mut tx, c => sqlx::query("UPDATE agent_tokens SET used_at = $2 WHERE agent = $1")
            .bind(agent.as_str()).bind(now.as_microsecond()).execute(c).await.map(drop))?;
        tx.commit().await
    })
    .await
}

fn stored_sight(sees: &AgentSees) -> Result<(&'static str, String), StoreError> {
    let none = "[]".to_owned();
    Ok(match sees {
        AgentSees::Owner => ("owner", none),
        AgentSees::Open => ("open", none),
        AgentSees::Channels(channels) => ("channels", serde_json::to_string(channels)?),
    })
}

fn token_of_row(row: TokenRow) -> Result<StoredAgentToken, StoreError> {
    let wrong = |column: &str| StoreError::Content(format!("agent_tokens.{column} of {}", row.agent));
    let sees = match row.sees.as_str() {
        "owner" => AgentSees::Owner,
        "open" => AgentSees::Open,
        "channels" => {
            let channels: BTreeSet<ChannelId> =
                serde_json::from_str(&row.channels).map_err(|_no_list| wrong("channels"))?;
            AgentSees::Channels(channels)
        }
        _ => return Err(wrong("sees")),
    };
    Ok(StoredAgentToken {
        token: AgentToken {
            agent: AgentId::parse(&row.agent).map_err(|_no_id| wrong("agent"))?,
            name: row.name,
            sees,
            may_write: row.may_write != 0,
        },
        made_at: instant_from_micros(row.made_at),
        used_at: row.used_at.map(instant_from_micros),
        revoked_at: row.revoked_at.map(instant_from_micros),
    })
}
