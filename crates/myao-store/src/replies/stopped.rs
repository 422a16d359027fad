//! Replies that somebody stopped while they were written (ADR 121): who did it, and whether it was done.

use async_recursion::async_recursion as boxed;
use jiff::Timestamp;
use myao_core::chat::{ChannelId, MessageTs, Place, UserId, Visibility};

use super::{
    reply::{WantedReply, place_of_columns},
    reply_id::ReplyId,
};
use crate::{
    LedgerQuery, RepliesHandle, StoreError,
    db::{
        Tx, query_as,
        values::{instant_from_micros, row, signed_count},
    },
};

/// The reason of a reply that somebody stopped. Who it was stands beside it.
pub(crate) const STOPPED: &str = "stopped";

/// A reply that was asked for and that somebody stopped.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct StoppedReply {
    /// Its number.
    pub id: ReplyId,
    /// Where it would have gone.
    pub place: Place,
    /// When it ended.
    pub at: Timestamp,
    /// Who stopped it; `None` if that is not known, or not kept.
    pub by: Option<UserId>,
    /// The newest message that it would have answered; `None` if nobody asked.
    pub asked_at: Option<MessageTs>,
}

row! {
    /// A reply that somebody stopped.
    struct StoppedRow {
        id: i64,
        channel_id: String,
        thread_ts: i64,
        changed_at: i64,
        stopped_by: String,
        asked_at: Option<i64>,
    }
}

impl RepliesHandle<'_> {
    /// Whether somebody has stopped a reply, or what it was to answer, since it was read.
    #[boxed]
    pub async fn is_stopped(&self, reply: &WantedReply) -> Result<bool, StoreError> {
        // A stop takes what was asked before it, so the oldest message tells.
        let oldest = reply.triggers.first().map_or(0, |ts| ts.as_micros());
        let (stopped,): (i64,) = on!(&mut self.store.db.snapshot().await?, c => query_as(
            "SELECT count(*) FROM replies WHERE stopped_ts > 0 AND id IN (
                SELECT CAST($1 AS BIGINT) UNION ALL
                SELECT t.reply_id FROM reply_triggers t WHERE t.channel_id = $2 AND t.ts = $3)")
            .bind(reply.id.0).bind(reply.place.channel.as_str()).bind(oldest).fetch_one(c).await)?;
        Ok(stopped > 0)
    }

    /// Replies to people who asked that somebody stopped, newest first, without those in channels that may not be seen.
    /// What was to be said unasked stands in the ledger ([`RepliesHandle::list_verdicts`]).
    #[boxed]
    pub async fn list_stopped(
        &self,
        visibility: &Visibility,
        query: &LedgerQuery,
    ) -> Result<Vec<StoppedReply>, StoreError> {
        let mut tx = self.store.db.snapshot().await?;
        let channel = query.channel.as_ref().map_or("", ChannelId::as_str);
        let rows: Vec<StoppedRow> = on!(&mut tx, c => query_as(
            "SELECT r.id, r.channel_id, r.thread_ts, r.changed_at, r.stopped_by,
                (SELECT max(t.ts) FROM reply_triggers t WHERE t.reply_id = r.id) AS asked_at
             FROM replies r
             WHERE r.stopped_ts > 0 AND r.cause <> 'judgment' AND r.changed_at >= $1
               AND ($2 = '' OR r.channel_id = $2)
             ORDER BY r.changed_at DESC, r.id DESC LIMIT $3")
            .bind(query.since.as_microsecond()).bind(channel).bind(signed_count(query.limit))
            .fetch_all(c).await)?;
        let mut shown = self.store.hearing().shown_channels(visibility);
        let mut seen = Vec::new();
        for row in rows {
            let place = place_of_columns(row.channel_id, row.thread_ts);
            if shown.shows_talk_of(&mut tx, &place.channel).await? {
                seen.push(StoppedReply {
                    id: ReplyId(row.id),
                    place,
                    at: instant_from_micros(row.changed_at),
                    by: user_of_column(row.stopped_by),
                    asked_at: row.asked_at.map(MessageTs::from_micros),
                });
            }
        }
        Ok(seen)
    }
}

/// Who stands in a column that is empty where nobody is named.
pub(super) fn user_of_column(id: String) -> Option<UserId> {
    (!id.is_empty()).then(|| UserId::new(id))
}

/// Forgets that a person stopped replies to what was asked in a span: that they were stopped stays.
pub(crate) async fn forget_person(
    tx: &mut Tx,
    person: &UserId,
    channel: Option<&ChannelId>,
    from: MessageTs,
    to: MessageTs,
) -> Result<(), StoreError> {
    on!(tx, c => sqlx::query(
        "UPDATE replies SET stopped_by = ''
         WHERE stopped_ts > 0 AND stopped_by = $1 AND ($2 = '' OR channel_id = $2)
           AND stopped_ts >= $3 AND stopped_ts <= $4")
        .bind(person.as_str()).bind(channel.map_or("", ChannelId::as_str)).bind(from.as_micros())
        .bind(to.as_micros()).execute(c).await.map(drop))?;
    Ok(())
}
