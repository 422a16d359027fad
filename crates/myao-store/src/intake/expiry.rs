//! Applies retention: words older than `privacy.archive_days` leave the archive, memories stay (specification §6, ADR
//! 52).
//!
//! An expired message keeps its row without words; it is neither talk nor a tombstone (`deleted` 2). The messages of a
//! chapter expire with the chapter, once long-term memory holds it; messages before a channel's memory expire by
//! themselves. A deletion or an edit still reaches the memories that were made from expired messages.

use async_recursion::async_recursion as boxed;
use jiff::Timestamp;
use myao_core::chat::{ChannelId, Message, MessageTs};

use crate::{
    IntakeHandle, StoreError,
    archive::{
        message_columns,
        rows::{MessageRow, message_of_row},
        team,
    },
    db::{Tx, query_as, values::unsigned_count},
    hearing::unread_events::{self, RawCopies},
    memory::restart::RestartFrom,
    recall::{
        RecallChanges,
        word_counts::{WordChanges, counted::WordSource},
    },
    replies::{judgments, lock_channel_row},
};

/// Messages wiped in one transaction outside chapters: other writers get their turn in between.
const EXPIRED_AT_ONCE: i64 = 400;

/// Whether a chapter `k` is written as its talk stands, and its channel's long-term memory holds it. Never true for the
/// window of overwrite mode, which is written anew all the time, nor for a provisional chapter, which will be.
macro_rules! is_folded {
    () => {
        "k.closed_by NOT IN ('window', 'provisional')
         AND EXISTS (SELECT 1 FROM memories h JOIN memory_steps s ON s.id = h.step_id
            WHERE h.scope = 'channel' AND h.scope_id = k.channel_id AND h.memory_type = 'short_term'
              AND h.version = k.version AND s.to_ts = k.to_ts AND s.read_revision >= k.late_revision)
         AND EXISTS (SELECT 1 FROM memories l JOIN memory_steps f ON f.id = l.step_id
            WHERE l.scope = 'channel' AND l.scope_id = k.channel_id AND l.memory_type = 'long_term'
              AND f.through_version >= k.version)"
    };
}

/// A stretch of a channel that expires at once: (`from`, `to`].
struct Expiring {
    channel: ChannelId,
    from: i64,
    to: i64,
    is_chapter: bool,
}

impl IntakeHandle<'_> {
    /// Wipes the words of one chapter, or of some messages before a channel's memory, if they are older than `before`.
    /// `false` if nothing is left to wipe.
    #[boxed]
    pub async fn expire_words(&self, before: Timestamp, now: Timestamp) -> Result<bool, StoreError> {
        let before = MessageTs::from_timestamp(before).as_micros();
        if next_expiring_stretch(&mut self.store.db.snapshot().await?, before).await?.is_none() {
            return Ok(false);
        }
        let store = self.store.clone();
        to_the_end!({
            let mut tx = store.db.begin().await?;
            // Looked up again, since only now nobody else writes.
            let Some(found) = next_expiring_stretch(&mut tx, before).await? else { return Ok(false) };
            lock_channel_row(&mut tx, &found.channel).await?;
            if !still_expires(&mut tx, &found, before).await? {
                return Ok(true);
            }
            expire_messages(&mut tx, &found, now).await?;
            tx.commit().await?;
            Ok(true)
        })
        .await
    }

    /// How many chapters of a channel, beginning at `from`, can no longer be written anew since their words have
    /// expired.
    #[boxed]
    pub async fn expired_chapters(&self, channel: &ChannelId, from: RestartFrom) -> Result<u64, StoreError> {
        let first = match from {
            RestartFrom::Start => 0,
            RestartFrom::Chapter(version) => i64::from(version),
        };
        let (expired,): (i64,) = on!(&mut self.store.db.snapshot().await?, c => query_as(
            "SELECT count(*) FROM chapters WHERE channel_id = $1 AND version >= $2 AND expired = 1")
            .bind(channel.as_str()).bind(first).fetch_one(c).await)?;
        Ok(unsigned_count(expired))
    }

    /// How many messages of a version of a channel's short-term memory have expired.
    #[boxed]
    pub async fn expired_of_version(&self, channel: &ChannelId, version: u32) -> Result<u64, StoreError> {
        let (expired,): (i64,) = on!(&mut self.store.db.snapshot().await?, c => query_as(
            "SELECT count(*) FROM chapters k JOIN messages m ON m.channel_id = k.channel_id
                AND m.ts > k.from_ts AND m.ts <= k.to_ts AND m.kind = 'talk' AND m.deleted = 2
             WHERE k.channel_id = $1 AND k.version = $2")
            .bind(channel.as_str()).bind(i64::from(version)).fetch_one(c).await)?;
        Ok(unsigned_count(expired))
    }
}

/// The next stretch to expire; `None` if there is none.
async fn next_expiring_stretch(tx: &mut Tx, before: i64) -> Result<Option<Expiring>, StoreError> {
    let chapter: Option<(String, i64, i64)> = on!(&mut *tx, c => query_as(concat!(
        "SELECT k.channel_id, k.from_ts, k.to_ts FROM chapters k
         WHERE k.expired = 0 AND k.to_ts < $1 AND ", is_folded!(), " ORDER BY k.to_ts LIMIT 1"))
        .bind(before).fetch_optional(c).await)?;
    if let Some((channel, from, to)) = chapter {
        return Ok(Some(Expiring { channel: ChannelId::new(channel), from, to, is_chapter: true }));
    }
    let channel: Option<(String, i64, i64)> = on!(&mut *tx, c => query_as(
        "SELECT id, expired_to, CASE WHEN memory_from < $1 THEN memory_from ELSE $1 - 1 END FROM channels
         WHERE expired_to < CASE WHEN memory_from < $1 THEN memory_from ELSE $1 - 1 END AND EXISTS (
            SELECT 1 FROM messages m WHERE m.channel_id = channels.id AND m.ts > channels.expired_to
              AND m.ts <= channels.memory_from AND m.ts < $1) ORDER BY id LIMIT 1")
        .bind(before).fetch_optional(c).await)?;
    let Some((channel, from, end)) = channel else { return Ok(None) };
    let (to,): (i64,) = on!(tx, c => query_as(
        "SELECT coalesce((SELECT m.ts FROM messages m WHERE m.channel_id = $1 AND m.ts > $2 AND m.ts <= $3
            ORDER BY m.ts LIMIT 1 OFFSET $4), $3)")
        .bind(&channel).bind(from).bind(end).bind(EXPIRED_AT_ONCE).fetch_one(c).await)?;
    Ok(Some(Expiring { channel: ChannelId::new(channel), from, to, is_chapter: false }))
}

/// Whether it is still the next to expire, now that the channel is locked.
async fn still_expires(tx: &mut Tx, found: &Expiring, before: i64) -> Result<bool, StoreError> {
    let now = next_expiring_stretch(tx, before).await?;
    Ok(now.is_some_and(|now| now.channel == found.channel && now.from == found.from && now.to == found.to))
}

async fn expire_messages(tx: &mut Tx, found: &Expiring, now: Timestamp) -> Result<(), StoreError> {
    let Expiring { channel, from, to, is_chapter } = found;
    let mut words = WordChanges::beside(team::own_identity(tx).await?);
    let mut index = RecallChanges::default();
    let (words_to, number): (i64, i64) = on!(&mut *tx, c => query_as(
        "SELECT words_to, number FROM channels WHERE id = $1").bind(channel.as_str()).fetch_one(c).await)?;
    for said in standing_messages(tx, found).await? {
        if said.is_talk() && said.ts.as_micros() <= words_to {
            words.note(channel, Some(WordSource::of(&said.user, &said.text, &said.files)), None);
        }
        // A channel of an older archive gets its number when it is indexed.
        if number > 0 {
            index.note_message(channel, number, said.ts);
        }
        unread_events::forget_raw_copies(tx, &RawCopies::OfMessage(channel.clone(), said.ts)).await?;
    }
    on!(&mut *tx, c => sqlx::query(
        "UPDATE messages SET text = '', files = '[]', deleted = 2
         WHERE channel_id = $1 AND ts > $2 AND ts <= $3 AND deleted = 0")
        .bind(channel.as_str()).bind(*from).bind(*to).execute(c).await.map(drop))?;
    on!(&mut *tx, c => sqlx::query("DELETE FROM message_secrets WHERE channel_id = $1 AND ts > $2 AND ts <= $3")
        .bind(channel.as_str()).bind(*from).bind(*to).execute(c).await.map(drop))?;
    words.write(tx).await?;
    index.write(tx).await?;
    judgments::expire_reasons(tx, channel, *to, now).await?;
    if *is_chapter {
        on!(tx, c => sqlx::query("UPDATE chapters SET expired = 1 WHERE channel_id = $1 AND from_ts = $2")
            .bind(channel.as_str()).bind(*from).execute(c).await.map(drop))?;
    } else {
        on!(tx, c => sqlx::query("UPDATE channels SET expired_to = $2 WHERE id = $1")
            .bind(channel.as_str()).bind(*to).execute(c).await.map(drop))?;
    }
    Ok(())
}

async fn standing_messages(tx: &mut Tx, found: &Expiring) -> Result<Vec<Message>, StoreError> {
    let rows: Vec<MessageRow> = on!(tx, c => query_as(concat!("SELECT ", message_columns!(),
        " FROM messages m WHERE m.channel_id = $1 AND m.ts > $2 AND m.ts <= $3 AND m.deleted = 0 ORDER BY m.ts"))
        .bind(found.channel.as_str()).bind(found.from).bind(found.to).fetch_all(c).await)?;
    rows.into_iter().map(message_of_row).collect()
}

/// Whether the words of that moment have expired, so that a message that arrives late there does not bring words back.
pub(crate) async fn has_expired(tx: &mut Tx, channel: &ChannelId, ts: MessageTs) -> Result<bool, StoreError> {
    let (expired,): (i64,) = on!(tx, c => query_as(
        "SELECT (SELECT count(*) FROM channels WHERE id = $1 AND expired_to >= $2)
              + (SELECT count(*) FROM chapters WHERE channel_id = $1 AND from_ts < $2 AND to_ts >= $2 AND expired = 1)")
        .bind(channel.as_str()).bind(ts.as_micros()).fetch_one(c).await)?;
    Ok(expired > 0)
}

/// Has the tombstone of a message stand for one whose words have expired. Its words do not come back.
pub(crate) async fn bring_row_back(tx: &mut Tx, message: &Message, revision: i64) -> Result<(), StoreError> {
    on!(tx, c => sqlx::query(
        "UPDATE messages SET deleted = 2, kind = $3, revision = $4 WHERE channel_id = $1 AND ts = $2 AND deleted = 1")
        .bind(message.channel.as_str()).bind(message.ts.as_micros()).bind(message.kind.as_str()).bind(revision)
        .execute(c).await.map(drop))?;
    Ok(())
}

/// Stores a row without words for a message that arrives where words have expired. `false` if the message had a row
/// already.
pub(crate) async fn keep_row(tx: &mut Tx, message: &Message, revision: i64) -> Result<bool, StoreError> {
    let new = on!(tx, c => sqlx::query(
        "INSERT INTO messages (channel_id, ts, thread_ts, user_id, kind, text, files, edited_ts, deleted, revision)
         VALUES ($1, $2, 0, '', $3, '', '[]', 0, 2, $4) ON CONFLICT (channel_id, ts) DO NOTHING")
        .bind(message.channel.as_str()).bind(message.ts.as_micros()).bind(message.kind.as_str()).bind(revision)
        .execute(c).await.map(|done| done.rows_affected()))?;
    Ok(new == 1)
}
