//! Keeps what people who opted out ask us until it is answered (specification §6, ADR 51).
//!
//! Such a message is stored in a table of its own, which no read of talk uses. Only the prompt of the reply shows it.
//! When the reply ends, the message's words are removed in the same transaction, and only a tombstone of our answer is
//! kept. What a crash leaves behind is wiped by [`RepliesHandle::wipe_left_over`].

use async_recursion::async_recursion as boxed;
use jiff::{SignedDuration, Timestamp};
use myao_core::chat::{ChannelId, Message, MessageTs, Place};

use super::reply_id::ReplyId;
use crate::{
    RepliesHandle, StoreError,
    archive::rows::{MessageRow, message_of_row},
    db::{Tx, query_as, values::ts_or_zero},
};

/// The longest time a reply may take, however often it is put off.
pub(super) const LONGEST: SignedDuration = SignedDuration::from_hours(24);

/// The reason recorded when a reply to a person who opted out took too long.
const TOO_LATE: &str = "whoever asked opted out of being remembered, and it was not answered within a day";

impl RepliesHandle<'_> {
    /// Wipes what is left of passing messages: their words if their reply has ended, and also the author after a day.
    /// Replies that took longer than a day are ended. On SQLite it also clears the write-ahead log of words that were
    /// wiped since the last time. `true` if there was anything to do.
    #[boxed]
    pub async fn wipe_left_over(&self, now: Timestamp) -> Result<bool, StoreError> {
        let (unwiped, named): (i64, i64) = on!(&mut self.store.db.snapshot().await?, c => query_as(
            "SELECT (SELECT count(*) FROM passing_messages WHERE wiped < 2),
                    (SELECT count(*) FROM passing_messages WHERE user_id <> '' AND arrived_at < $1)")
            .bind(a_day_before(now).as_microsecond()).fetch_one(c).await)?;
        if unwiped + named == 0 {
            return Ok(false);
        }
        let store = self.store.clone();
        let left = to_the_end!({
            let mut tx = store.db.begin().await?;
            let left = wipe_leftovers(&mut tx, now).await?;
            tx.commit().await?;
            Ok(left)
        })
        .await?;
        if !left {
            return Ok(false);
        }
        // While another connection reads, the log cannot be emptied; the next round does it then.
        if !self.store.db.empty_log().await? {
            return Ok(true);
        }
        let store = self.store.clone();
        to_the_end!({
            let mut tx = store.db.begin().await?;
            on!(&mut tx, c => sqlx::query("UPDATE passing_messages SET wiped = 2 WHERE wiped = 1")
                .execute(c).await.map(drop))?;
            tx.commit().await?;
            Ok(true)
        })
        .await
    }
}

fn a_day_before(now: Timestamp) -> Timestamp {
    now.saturating_sub(LONGEST).unwrap_or(Timestamp::MIN)
}

/// Ends replies that took too long and wipes messages that no reply waits for. Returns whether wiped text may be in a
/// log.
async fn wipe_leftovers(tx: &mut Tx, now: Timestamp) -> Result<bool, StoreError> {
    let oldest = a_day_before(now);
    let late: Vec<(i64,)> = on!(&mut *tx, c => query_as(
        "SELECT DISTINCT r.id FROM passing_messages p
         JOIN reply_triggers t ON t.channel_id = p.channel_id AND t.ts = p.ts JOIN replies r ON r.id = t.reply_id
         WHERE p.wiped = 0 AND p.arrived_at < $1 AND r.state IN ('wanted', 'written')")
        .bind(oldest.as_microsecond()).fetch_all(c).await)?;
    for (reply,) in late {
        on!(&mut *tx, c => sqlx::query(
            "UPDATE replies SET state = 'failed', reason = $2, not_before = 0, changed_at = $3 WHERE id = $1")
            .bind(reply).bind(TOO_LATE).bind(now.as_microsecond()).execute(c).await.map(drop))?;
        on!(&mut *tx, c => sqlx::query(
            "UPDATE reply_parts SET state = 'dropped', text = NULL WHERE reply_id = $1 AND state NOT IN ('posted', 'withdrawing', 'withdrawn')")
            .bind(reply).execute(c).await.map(drop))?;
    }
    on!(&mut *tx, c => sqlx::query(
        "UPDATE passing_messages SET text = '', files = '[]', wiped = 1
         WHERE wiped = 0 AND NOT EXISTS (SELECT 1 FROM reply_triggers t JOIN replies r ON r.id = t.reply_id
            WHERE t.channel_id = passing_messages.channel_id AND t.ts = passing_messages.ts
              AND r.state IN ('wanted', 'written'))")
        .execute(c).await.map(drop))?;
    // The name is not needed for counting any more; it has to leave the log too.
    on!(&mut *tx, c => sqlx::query(
        "UPDATE passing_messages SET user_id = '', wiped = 1 WHERE user_id <> '' AND arrived_at < $1 AND wiped > 0")
        .bind(oldest.as_microsecond()).execute(c).await.map(drop))?;
    let (left,): (i64,) = on!(tx, c => query_as("SELECT count(*) FROM passing_messages WHERE wiped = 1")
        .fetch_one(c).await)?;
    Ok(left > 0)
}

/// Keeps a message that wants an answer, or a later version of it, until it is answered.
pub(crate) async fn keep_until_answered(
    tx: &mut Tx,
    message: &Message,
    revision: i64,
    now: Timestamp,
) -> Result<(), StoreError> {
    let files = serde_json::to_string(&message.files)?;
    on!(tx, c => sqlx::query(
        "INSERT INTO passing_messages (channel_id, ts, thread_ts, user_id, text, files, edited_ts, revision, arrived_at)
         VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9)
         ON CONFLICT (channel_id, ts) DO UPDATE SET text = excluded.text, files = excluded.files,
            edited_ts = excluded.edited_ts, revision = excluded.revision
         WHERE passing_messages.wiped = 0 AND passing_messages.edited_ts <= excluded.edited_ts
           AND (passing_messages.text <> excluded.text OR passing_messages.files <> excluded.files)")
        .bind(message.channel.as_str()).bind(message.ts.as_micros()).bind(ts_or_zero(message.thread_ts))
        .bind(message.user.as_str()).bind(&message.text).bind(&files).bind(ts_or_zero(message.edited_at))
        .bind(revision).bind(now.as_microsecond()).execute(c).await.map(drop))?;
    Ok(())
}

/// Whether a message is or was a passing one, which the archive does not hold.
pub(crate) async fn knows_message(
    tx: &mut Tx,
    channel: &ChannelId,
    ts: MessageTs,
) -> Result<bool, StoreError> {
    let row: Option<(i64,)> = on!(tx, c => query_as(
        "SELECT wiped FROM passing_messages WHERE channel_id = $1 AND ts = $2")
        .bind(channel.as_str()).bind(ts.as_micros()).fetch_optional(c).await)?;
    Ok(row.is_some())
}

/// The passing messages that the reply wanted in a place has to answer, oldest first, as talk. Nothing else reads them.
pub(crate) async fn unanswered_messages(tx: &mut Tx, place: &Place) -> Result<Vec<Message>, StoreError> {
    let rows: Vec<MessageRow> = on!(tx, c => query_as(
        "SELECT m.channel_id, m.ts, m.thread_ts, m.user_id, 'talk' AS kind, m.text, m.files, m.edited_ts,
            CAST(0 AS BIGINT) AS deleted
         FROM replies r JOIN reply_triggers t ON t.reply_id = r.id
         JOIN passing_messages m ON m.channel_id = t.channel_id AND m.ts = t.ts
         WHERE r.channel_id = $1 AND r.thread_ts = $2 AND r.state = 'wanted' AND m.wiped = 0 ORDER BY t.ts")
        .bind(place.channel.as_str()).bind(ts_or_zero(place.thread)).fetch_all(c).await)?;
    rows.into_iter().map(message_of_row).collect()
}

/// Whether a reply answers, or answered, a person who opted out.
pub(crate) async fn is_answered_by(tx: &mut Tx, reply: ReplyId) -> Result<bool, StoreError> {
    let (passing,): (i64,) = on!(tx, c => query_as(
        "SELECT count(*) FROM reply_triggers t
         JOIN passing_messages p ON p.channel_id = t.channel_id AND p.ts = t.ts WHERE t.reply_id = $1")
        .bind(reply.0).fetch_one(c).await)?;
    Ok(passing > 0)
}

/// Wipes the words that a reply answered, if the reply has ended.
pub(crate) async fn wipe_if_answered(tx: &mut Tx, reply: ReplyId) -> Result<(), StoreError> {
    on!(tx, c => sqlx::query(
        "UPDATE passing_messages SET text = '', files = '[]', wiped = 1
         WHERE wiped = 0 AND (channel_id, ts) IN (SELECT t.channel_id, t.ts FROM replies r
            JOIN reply_triggers t ON t.reply_id = r.id WHERE r.id = $1 AND r.state NOT IN ('wanted', 'written'))")
        .bind(reply.0).execute(c).await.map(drop))?;
    Ok(())
}

/// Wipes the words of a message that was taken back or no longer wants an answer.
pub(crate) async fn wipe_words(tx: &mut Tx, channel: &ChannelId, ts: MessageTs) -> Result<(), StoreError> {
    on!(tx, c => sqlx::query(
        "UPDATE passing_messages SET text = '', files = '[]', wiped = 1
         WHERE channel_id = $1 AND ts = $2 AND wiped = 0")
        .bind(channel.as_str()).bind(ts.as_micros()).execute(c).await.map(drop))?;
    Ok(())
}
