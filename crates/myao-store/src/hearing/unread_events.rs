//! Keeps events that were not understood in their raw form: for a while, and no longer than the message they tell of.

use async_recursion::async_recursion as boxed;
use jiff::{SignedDuration, Timestamp};
use myao_core::chat::{ChannelId, MessageTs};

use super::removals::Removed;
use crate::{
    HearingHandle, StoreError,
    db::{Tx, query_as},
};

/// How long a raw copy is kept: it serves people who look into what was not understood, and a newer version that reads
/// it again. It is not a second archive.
const KEPT: SignedDuration = SignedDuration::from_hours(30 * 24);

/// Which raw copies to forget.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum RawCopies {
    /// All that name this message.
    OfMessage(ChannelId, MessageTs),
    /// All that name this channel.
    OfChannel(ChannelId),
    /// All that hold this text: words, or the id of a person.
    Holding(String),
    /// The one with this key.
    Keyed(String),
    /// All that arrived before this instant.
    ReceivedBefore(Timestamp),
}

impl HearingHandle<'_> {
    /// Forgets raw copies and returns how many. Meant for a person who has something forgotten: deletions, edits and
    /// time remove raw copies by themselves.
    #[boxed]
    pub async fn forget_raw(&self, copies: &RawCopies) -> Result<u64, StoreError> {
        let store = self.store.clone();
        let copies = copies.clone();
        to_the_end!({
            let mut tx = store.db.begin().await?;
            let forgotten = forget_raw_copies(&mut tx, &copies).await?;
            tx.commit().await?;
            Ok(forgotten)
        })
        .await
    }

    /// Forgets the raw copies that are older than 30 days and returns how many.
    #[boxed]
    pub async fn expire_raw(&self, now: Timestamp) -> Result<u64, StoreError> {
        let before = now.saturating_sub(KEPT).unwrap_or(Timestamp::MIN);
        let mut tx = self.store.db.snapshot().await?;
        // Looked up first, so that a round in which nothing expires writes nothing.
        let (due,): (i64,) = on!(&mut tx, c => query_as(
            "SELECT count(*) FROM unread_events WHERE received_at < $1")
            .bind(before.as_microsecond()).fetch_one(c).await)?;
        drop(tx);
        if due == 0 { Ok(0) } else { self.forget_raw(&RawCopies::ReceivedBefore(before)).await }
    }
}

/// How the key of a raw copy names a message: `channel/ts`.
fn name_of_message(channel: &ChannelId, ts: MessageTs) -> String {
    format!("{channel}/{ts}")
}

/// The message that a key names, if it names one.
fn message_of_key(key: &str) -> Option<(ChannelId, MessageTs)> {
    let (channel, ts) = key.split_once('/')?;
    Some((ChannelId::new(channel), ts.parse().ok()?))
}

/// Keeps a raw copy once; returns 1 if it is new, else 0. A copy of a message that was deleted or edited since is not
/// kept: nothing brings back what was removed.
pub(crate) async fn keep_raw_copy(
    tx: &mut Tx,
    key: &str,
    raw: &str,
    error: &str,
    now: Timestamp,
) -> Result<u64, StoreError> {
    if let Some((channel, ts)) = message_of_key(key) {
        let (removed,): (i64,) = on!(tx, c => query_as(
            "SELECT count(*) FROM messages
             WHERE channel_id = $1 AND ts = $2 AND (deleted > 0 OR edited_ts > 0 OR told_ts > 0)")
            .bind(channel.as_str()).bind(ts.as_micros()).fetch_one(c).await)?;
        if removed > 0 {
            return Ok(0);
        }
    }
    Ok(on!(tx, c => sqlx::query(
        "INSERT INTO unread_events (key, raw, error, received_at) VALUES ($1, $2, $3, $4)
         ON CONFLICT (key) DO NOTHING")
        .bind(key).bind(raw).bind(error).bind(now.as_microsecond())
        .execute(c).await.map(|done| done.rows_affected()))?)
}

/// Drops the raw copy under an edited message's name, since it holds what the message said before.
pub(crate) async fn drop_superseded_copy(
    tx: &mut Tx,
    channel: &ChannelId,
    ts: MessageTs,
) -> Result<(), StoreError> {
    on!(tx, c => sqlx::query("DELETE FROM unread_events WHERE key = $1")
        .bind(name_of_message(channel, ts)).execute(c).await.map(drop))?;
    Ok(())
}

/// Drops every raw copy that names a message whose words were removed, as it may hold them.
pub(crate) async fn drop_after_removal(tx: &mut Tx, removed: &[Removed]) -> Result<(), StoreError> {
    for one in removed {
        forget_raw_copies(tx, &RawCopies::OfMessage(one.channel.clone(), one.ts)).await?;
    }
    Ok(())
}

/// Forgets raw copies and returns how many.
pub(crate) async fn forget_raw_copies(tx: &mut Tx, copies: &RawCopies) -> Result<u64, StoreError> {
    let (by_key, text) = match copies {
        // Two messages of a workspace share a time stamp only by chance, so a copy without its channel's id is matched
        // by the time stamp alone.
        RawCopies::OfMessage(channel, ts) => (name_of_message(channel, *ts), ts.to_string()),
        RawCopies::OfChannel(channel) => (format!("{channel}/"), format!("\"{channel}\"")),
        RawCopies::Holding(text) => (String::new(), text.clone()),
        RawCopies::Keyed(key) => {
            return Ok(on!(tx, c => sqlx::query("DELETE FROM unread_events WHERE key = $1")
                .bind(key).execute(c).await.map(|done| done.rows_affected()))?);
        }
        RawCopies::ReceivedBefore(before) => {
            return Ok(on!(tx, c => sqlx::query("DELETE FROM unread_events WHERE received_at < $1")
                .bind(before.as_microsecond()).execute(c).await.map(|done| done.rows_affected()))?);
        }
    };
    if by_key.is_empty() && text.is_empty() {
        return Ok(0);
    }
    // JSON escapes some characters.
    let escaped = serde_json::to_string(&text).unwrap_or_default();
    let escaped =
        escaped.strip_prefix('"').and_then(|text| text.strip_suffix('"')).unwrap_or(&text).to_owned();
    Ok(on!(tx, c => sqlx::query(
        "DELETE FROM unread_events
         WHERE ($1 <> '' AND substr(key, 1, length($1)) = $1)
            OR replace(raw, $2, '') <> raw OR replace(raw, $3, '') <> raw")
        .bind(&by_key).bind(&text).bind(&escaped)
        .execute(c).await.map(|done| done.rows_affected()))?)
}
