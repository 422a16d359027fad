//! Reads the ledger by what was judged: a statement that nobody answers is judged again and again, and is one entry.

use async_recursion::async_recursion as boxed;
use myao_core::chat::{ChannelId, Visibility};

use super::ledger::{LedgerQuery, LedgerRow, VerdictRecord};
use crate::{
    RepliesHandle, StoreError,
    db::{query_as, values::signed_count},
    replies::votes::vote_columns,
};

/// The most verdicts that are read of one statement, the newest.
const MOST_VERDICTS: u64 = 12;

/// A statement, and what was decided about it.
#[derive(Clone, Debug, PartialEq)]
pub struct JudgedStatement {
    /// The verdicts, newest first, at least one and at most twelve.
    pub verdicts: Vec<VerdictRecord>,
    /// How many verdicts there are.
    pub judged: u64,
}

impl RepliesHandle<'_> {
    /// Statements that were judged, those that were judged last first, without those in channels that may not be seen.
    /// The query limits them by their newest verdict, and counts statements.
    ///
    /// One statement of SQL. It walks down the index of times until it has enough, and asks the index of statements for
    /// each verdict whether there is a newer one.
    #[boxed]
    pub async fn list_judged_statements(
        &self,
        visibility: &Visibility,
        query: &LedgerQuery,
    ) -> Result<Vec<JudgedStatement>, StoreError> {
        let mut tx = self.store.db.snapshot().await?;
        let channel = query.channel.as_ref().map_or("", ChannelId::as_str);
        let rows: Vec<LedgerRow> = on!(&mut tx, c => query_as(concat!(
            "WITH newest AS (
                SELECT v.id, v.at, v.channel_id, v.thread_ts, v.latest_ts FROM verdicts v
                WHERE v.at >= $1 AND ($2 = '' OR v.channel_id = $2) AND NOT EXISTS (SELECT 1 FROM verdicts o
                    WHERE o.channel_id = v.channel_id AND o.thread_ts = v.thread_ts AND o.latest_ts = v.latest_ts
                        AND o.id > v.id)
                ORDER BY v.at DESC, v.id DESC LIMIT $3),
             judged AS (
                SELECT v.*, n.id AS newest_id, n.at AS newest_at, count(*) OVER (PARTITION BY n.id) AS judged,
                    row_number() OVER (PARTITION BY n.id ORDER BY v.id DESC) AS nth
                FROM newest n JOIN verdicts v ON v.channel_id = n.channel_id AND v.thread_ts = n.thread_ts
                    AND v.latest_ts = n.latest_ts)
             SELECT v.id, v.at, v.channel_id, v.thread_ts, v.latest_ts, v.verdict, v.confidence, v.reason, v.wait,
                v.hold_until, v.speak_at, v.model, v.call_id, v.shown_from, v.read_revision, v.wiped_at,
                v.reply_id, r.state, r.reason AS reply_reason, r.changed_at, r.stopped_ts, r.stopped_by,
                (SELECT min(p.ts) FROM reply_parts p WHERE p.reply_id = v.reply_id) AS posted_ts, v.judged,",
                vote_columns!("v.reply_id", "v.channel_id"), "
             FROM judged v LEFT JOIN replies r ON r.id = v.reply_id WHERE v.nth <= $4
             ORDER BY v.newest_at DESC, v.newest_id DESC, v.id DESC"))
            .bind(query.since.as_microsecond()).bind(channel).bind(signed_count(query.limit))
            .bind(signed_count(MOST_VERDICTS)).fetch_all(c).await)?;
        let mut shown = self.store.hearing().shown_channels(visibility);
        let mut statements: Vec<JudgedStatement> = Vec::new();
        for row in rows {
            let judged = row.times_judged();
            let record = row.into_record()?;
            if !shown.shows_talk_of(&mut tx, &record.place.channel).await? {
                continue;
            }
            match statements.last_mut().filter(|last| last.is_about(&record)) {
                Some(last) => last.verdicts.push(record),
                None => statements.push(JudgedStatement { verdicts: vec![record], judged }),
            }
        }
        Ok(statements)
    }
}

impl JudgedStatement {
    fn is_about(&self, record: &VerdictRecord) -> bool {
        let first = self.verdicts.first();
        first.is_some_and(|first| first.place == record.place && first.latest_ts == record.latest_ts)
    }
}
