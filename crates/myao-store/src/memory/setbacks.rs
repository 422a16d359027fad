//! Records what failed, and when it is tried again (design §6).

use async_recursion::async_recursion as boxed;
use jiff::{SignedDuration, Timestamp};
use myao_core::chat::{ChannelId, MessageTs, instant_after};

use crate::{
    MemoryHandle, StoreError,
    db::{
        query_as,
        values::{instant_from_micros, unsigned_count},
    },
};

/// The first retry waits this long; each further one waits twice as long as the last, up to [`LONGEST_WAIT`].
const FIRST_WAIT: SignedDuration = SignedDuration::from_secs(60);

/// The longest wait: a failing channel is still looked at a few times a day.
const LONGEST_WAIT: SignedDuration = SignedDuration::from_hours(6);

/// A piece of work that failed and was not done since.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Setback {
    /// What failed: `channel:C123`, `workspace`, …
    pub subject: String,
    /// How many times in a row it failed.
    pub attempts: u64,
    /// When it is tried again.
    pub retry_at: Timestamp,
    /// Why it failed the last time.
    pub reason: String,
    /// Whether it is kept for a person to look at; then it holds nothing back.
    pub flagged: bool,
}

/// What the subject of a claim or a [`Setback`] names.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum WorkSubject<'a> {
    /// A channel: its memory, a lookup of it, its history.
    Channel(ChannelId),
    /// A thread, by its first message.
    Thread(ChannelId, MessageTs),
    /// A short-term memory of a channel, by its version.
    ShortTerm(ChannelId, &'a str),
    /// The long-term memory of a channel.
    LongTerm(ChannelId),
    /// The workspace's memory.
    Workspace,
    /// An entry of the journal, by its number.
    Entry(&'a str),
    /// Nothing with a name of its own.
    Other(&'a str),
}

impl<'a> WorkSubject<'a> {
    /// Reads a subject, such as `channel:C0123`.
    pub fn parse(subject: &'a str) -> Self {
        let channel = |id: &str| ChannelId::new(id);
        let thread = |id: &str, root: &str| match root.parse() {
            Ok(root) => Self::Thread(channel(id), root),
            Err(_) => Self::Channel(channel(id)),
        };
        let parts: Vec<&str> = subject.split(':').collect();
        match parts[..] {
            ["channel" | "export" | "history" | "lookup" | "place" | "renumbered", id] => {
                Self::Channel(channel(id))
            }
            ["place", id, root] | ["refused", "thread", id, root, ..] => thread(id, root),
            ["refused", "channel", id, "long_term", _] => Self::LongTerm(channel(id)),
            ["refused", "channel", id, _, version] => Self::ShortTerm(channel(id), version),
            ["workspace"] | ["refused", "workspace", ..] => Self::Workspace,
            ["entry", entry] => Self::Entry(entry),
            _ => Self::Other(subject),
        }
    }

    /// The channel that it is about.
    pub const fn channel(&self) -> Option<&ChannelId> {
        match self {
            Self::Channel(id) | Self::Thread(id, _) | Self::ShortTerm(id, _) | Self::LongTerm(id) => Some(id),
            Self::Workspace | Self::Entry(_) | Self::Other(_) => None,
        }
    }
}

/// How long to wait after `attempts` failures in a row.
fn wait_after_failures(attempts: i64) -> SignedDuration {
    let doublings = u32::try_from(attempts.clamp(1, 20) - 1).unwrap_or(0);
    FIRST_WAIT.saturating_mul(2_i32.saturating_pow(doublings)).min(LONGEST_WAIT)
}

/// The subject of looking up every user and channel.
pub const LOOKUP_OF_ALL: &str = "lookup";

/// The subject of looking up one channel.
pub fn lookup_subject(channel: &ChannelId) -> String {
    format!("{LOOKUP_OF_ALL}:{channel}")
}

impl MemoryHandle<'_> {
    /// Records that work on `subject` failed at `now`; the next attempt is put off, longer each time.
    #[boxed]
    pub async fn set_back(&self, subject: &str, reason: &str, now: Timestamp) -> Result<(), StoreError> {
        let store = self.store.clone();
        let subject = subject.to_owned();
        let reason = reason.to_owned();
        to_the_end!({
            let mut tx = store.db.begin().await?;
            let (attempts,): (i64,) = on!(&mut tx, c => query_as(
                "INSERT INTO setbacks (subject, attempts, retry_at, reason, flagged) VALUES ($1, 1, 0, $2, 0)
                 ON CONFLICT (subject) DO UPDATE
                 SET attempts = setbacks.attempts + 1, reason = excluded.reason RETURNING attempts")
                .bind(&subject).bind(&reason).fetch_one(c).await)?;
            let retry_at = instant_after(now, wait_after_failures(attempts));
            on!(&mut tx, c => sqlx::query("UPDATE setbacks SET retry_at = $2 WHERE subject = $1")
                .bind(&subject).bind(retry_at.as_microsecond()).execute(c).await.map(drop))?;
            tx.commit().await
        })
        .await
    }

    /// Records something about `subject` that a person should look at; it stays until
    /// [`MemoryHandle::clear_after_success`].
    #[boxed]
    pub async fn flag_for_person(&self, subject: &str, reason: &str) -> Result<(), StoreError> {
        let store = self.store.clone();
        let subject = subject.to_owned();
        let reason = reason.to_owned();
        to_the_end!({
            let mut tx = store.db.begin().await?;
            on!(&mut tx, c => sqlx::query(
                "INSERT INTO setbacks (subject, attempts, retry_at, reason, flagged) VALUES ($1, 1, 0, $2, 1)
                 ON CONFLICT (subject) DO UPDATE SET reason = excluded.reason, flagged = 1")
                .bind(&subject).bind(&reason).execute(c).await.map(drop))?;
            tx.commit().await
        })
        .await
    }

    /// Records that work on `subject` succeeded.
    #[boxed]
    pub async fn clear_after_success(&self, subject: &str) -> Result<(), StoreError> {
        let store = self.store.clone();
        let subject = subject.to_owned();
        to_the_end!({
            let mut tx = store.db.begin().await?;
            on!(&mut tx, c => sqlx::query("DELETE FROM setbacks WHERE subject = $1")
                .bind(&subject).execute(c).await.map(drop))?;
            tx.commit().await
        })
        .await
    }

    /// Drops what was flagged about a channel's memories, after a person has looked at it.
    #[boxed]
    pub async fn clear_flags(&self, channel: &ChannelId) -> Result<(), StoreError> {
        let store = self.store.clone();
        let own = format!("refused:channel:{channel}:");
        let threads = format!("refused:thread:{channel}:");
        to_the_end!({
            let mut tx = store.db.begin().await?;
            on!(&mut tx, c => sqlx::query(
                "DELETE FROM setbacks WHERE flagged = 1
                    AND (substr(subject, 1, length($1)) = $1 OR substr(subject, 1, length($2)) = $2)")
                .bind(&own).bind(&threads).execute(c).await.map(drop))?;
            tx.commit().await
        })
        .await
    }

    /// Everything that failed and was not done since, ordered by the time of the next attempt.
    #[boxed]
    pub async fn list_open_setbacks(&self) -> Result<Vec<Setback>, StoreError> {
        let mut tx = self.store.db.snapshot().await?;
        let rows: Vec<(String, i64, i64, String, i64)> = on!(&mut tx, c => query_as(
            "SELECT subject, attempts, retry_at, reason, flagged FROM setbacks ORDER BY retry_at, subject")
            .fetch_all(c).await)?;
        let setback = |(subject, attempts, retry_at, reason, flagged)| Setback {
            subject,
            attempts: unsigned_count(attempts),
            retry_at: instant_from_micros(retry_at),
            reason,
            flagged: flagged != 0,
        };
        Ok(rows.into_iter().map(setback).collect())
    }
}
