//! Counts replies and judgments since the beginning, and how long whoever asked waited: numbers of `/metrics` (ADR 127).

use async_recursion::async_recursion as boxed;

use crate::{
    RepliesHandle, StoreError,
    db::{
        query_as,
        values::{row, unsigned_count},
    },
    memory::figures::TimeSpread,
};

/// The replies of one cause in one state.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ReplyFigures {
    /// `mention`, `dm` or `judgment`.
    pub cause: String,
    /// `wanted`, `written`, `done`, `skipped` or `failed`.
    pub state: String,
    /// How many.
    pub replies: u64,
}

/// How long it took from the last message that asked to the first part of the answer, for answers that were asked for.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct ReplyTimes {
    /// All of it.
    pub whole: TimeSpread,
    /// The model's last call for it.
    pub of_model: TimeSpread,
    /// The rest, which is ours: waiting, reading, tools, posting.
    pub of_ours: TimeSpread,
}

row! {
    /// Answers that took about as long, in all, of the model and of us.
    struct ReplyTimesRow {
        whole_span: i64,
        model_span: i64,
        own_span: i64,
        replies: i64,
        whole: i64,
        model: i64,
        own: i64,
    }
}

impl RepliesHandle<'_> {
    /// All replies, by cause and state.
    #[boxed]
    pub async fn reply_figures(&self) -> Result<Vec<ReplyFigures>, StoreError> {
        let mut tx = self.store.db.snapshot().await?;
        let rows: Vec<(String, String, i64)> = on!(&mut tx, c => query_as(
            "SELECT cause, state, count(*) FROM replies GROUP BY 1, 2 ORDER BY 1, 2").fetch_all(c).await)?;
        Ok(rows
            .into_iter()
            .map(|(cause, state, replies)| ReplyFigures { cause, state, replies: unsigned_count(replies) })
            .collect())
    }

    /// All judgments, by verdict.
    #[boxed]
    pub async fn verdict_figures(&self) -> Result<Vec<(String, u64)>, StoreError> {
        let mut tx = self.store.db.snapshot().await?;
        let rows: Vec<(String, i64)> = on!(&mut tx, c => query_as(
            "SELECT verdict, count(*) FROM verdicts GROUP BY 1 ORDER BY 1").fetch_all(c).await)?;
        Ok(rows.into_iter().map(|(verdict, count)| (verdict, unsigned_count(count))).collect())
    }

    /// How long answers took that somebody asked for. The platform's own time stamps tell, so no clock is wrong.
    #[boxed]
    pub async fn reply_times(&self) -> Result<ReplyTimes, StoreError> {
        let mut tx = self.store.db.snapshot().await?;
        let rows: Vec<ReplyTimesRow> = on!(&mut tx, c => query_as(
            "SELECT CAST(CASE WHEN whole <= 500 THEN 0 WHEN whole <= 1000 THEN 1 WHEN whole <= 2500 THEN 2
                    WHEN whole <= 5000 THEN 3 WHEN whole <= 10000 THEN 4 WHEN whole <= 30000 THEN 5
                    WHEN whole <= 60000 THEN 6 WHEN whole <= 120000 THEN 7 ELSE 8 END AS BIGINT) AS whole_span,
                CAST(CASE WHEN model <= 500 THEN 0 WHEN model <= 1000 THEN 1 WHEN model <= 2500 THEN 2
                    WHEN model <= 5000 THEN 3 WHEN model <= 10000 THEN 4 WHEN model <= 30000 THEN 5
                    WHEN model <= 60000 THEN 6 WHEN model <= 120000 THEN 7 ELSE 8 END AS BIGINT) AS model_span,
                CAST(CASE WHEN own <= 500 THEN 0 WHEN own <= 1000 THEN 1 WHEN own <= 2500 THEN 2
                    WHEN own <= 5000 THEN 3 WHEN own <= 10000 THEN 4 WHEN own <= 30000 THEN 5
                    WHEN own <= 60000 THEN 6 WHEN own <= 120000 THEN 7 ELSE 8 END AS BIGINT) AS own_span,
                count(*) AS replies, CAST(sum(whole) AS BIGINT) AS whole, CAST(sum(model) AS BIGINT) AS model,
                CAST(sum(own) AS BIGINT) AS own
             FROM (SELECT whole, model, CASE WHEN whole > model THEN whole - model ELSE 0 END AS own
                FROM (SELECT (p.ts - (SELECT max(t.ts) FROM reply_triggers t WHERE t.reply_id = r.id)) / 1000 AS whole,
                        coalesce((SELECT k.millis FROM model_calls k WHERE k.id = r.call_id), 0) AS model
                    FROM replies r JOIN reply_parts p ON p.reply_id = r.id AND p.part = 1
                    WHERE p.state = 'posted' AND p.ts IS NOT NULL AND r.cause <> 'judgment') AS timed
                WHERE whole >= 0) AS apart
             GROUP BY 1, 2, 3").fetch_all(c).await)?;
        let mut times = ReplyTimes::default();
        for row in rows {
            times.whole.add(row.whole_span, row.replies, row.whole);
            times.of_model.add(row.model_span, row.replies, row.model);
            times.of_ours.add(row.own_span, row.replies, row.own);
        }
        Ok(times)
    }
}
