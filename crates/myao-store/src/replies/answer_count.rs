//! Counts how often a person was answered lately, wherever they asked.

use async_recursion::async_recursion as boxed;
use jiff::Timestamp;
use myao_core::chat::UserId;

use super::reply_id::ReplyId;
use crate::{
    RepliesHandle, StoreError,
    db::{query_as, values::unsigned_count},
};

/// The reason recorded when a person is not answered for a while, and is told so.
pub const ANSWERED_ENOUGH: &str = "whoever asked was answered often enough within the hour";

/// How often a person was answered since an instant, in the whole workspace.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct AnswerCount {
    /// Replies that answered the person, or are about to be posted.
    pub given: u64,
    /// Replies to the person that wait for their words and were wanted earlier: a person who asks in many places at
    /// once is answered in the order in which the replies were opened.
    pub ahead: u64,
    /// Replies that told the person that there is no answer for a while.
    pub told: u64,
}

impl RepliesHandle<'_> {
    /// How often `person` was answered since an instant, as far as it matters to `reply`, which waits for its words. A bot
    /// that posts under several names is one.
    #[boxed]
    pub async fn how_often_answered(
        &self,
        person: &UserId,
        reply: ReplyId,
        since: Timestamp,
    ) -> Result<AnswerCount, StoreError> {
        let mut tx = self.store.db.snapshot().await?;
        let (given, ahead, told): (i64, i64, i64) = on!(&mut tx, c => query_as(
            // One part for each of the two indexes: most replies have ended.
            "SELECT count(CASE WHEN r.state IN ('written', 'done') AND r.excuse = 0 THEN 1 END),
                    count(CASE WHEN r.state = 'wanted' THEN 1 END),
                    count(CASE WHEN r.state IN ('written', 'failed') AND r.excuse = 1 AND r.reason = $4 THEN 1 END)
             FROM (SELECT id, state, excuse, reason FROM replies
                    WHERE changed_at >= $2 AND state IN ('written', 'done', 'failed')
                   UNION ALL SELECT id, state, excuse, reason FROM replies
                    WHERE state = 'wanted' AND + id < $3) AS r
             WHERE EXISTS (SELECT 1 FROM reply_triggers t
                JOIN messages m ON m.channel_id = t.channel_id AND m.ts = t.ts
                WHERE t.reply_id = r.id
                  AND (m.user_id = $1 OR substr(m.user_id, 1, length($1) + 1) = $1 || ':'))
                OR EXISTS (SELECT 1 FROM reply_triggers t
                JOIN passing_messages m ON m.channel_id = t.channel_id AND m.ts = t.ts
                WHERE t.reply_id = r.id
                  AND (m.user_id = $1 OR substr(m.user_id, 1, length($1) + 1) = $1 || ':'))")
            .bind(person.account().as_str()).bind(since.as_microsecond()).bind(reply.0).bind(ANSWERED_ENOUGH)
            .fetch_one(c).await)?;
        Ok(AnswerCount {
            given: unsigned_count(given),
            ahead: unsigned_count(ahead),
            told: unsigned_count(told),
        })
    }
}
