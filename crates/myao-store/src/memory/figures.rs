//! Counts what was asked of models and what became of it, since the beginning: the numbers of `/metrics` (ADR 127).
//!
//! They hold no words and name nothing but models. Each is one statement over rows that are there anyway.

use async_recursion::async_recursion as boxed;
use myao_core::memory::Refusal;

use crate::{
    MemoryHandle, StoreError,
    db::{
        query_as,
        values::{row, unsigned_count},
    },
};

/// The upper bounds of the spans into which durations are counted, in milliseconds; the last span has none.
pub const TIME_BOUNDS: [u64; 8] = [500, 1_000, 2_500, 5_000, 10_000, 30_000, 60_000, 120_000];

/// How long something took, counted by spans.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct TimeSpread {
    /// How many fell into each span of [`TIME_BOUNDS`], and how many took longer.
    pub counts: [u64; TIME_BOUNDS.len() + 1],
    /// The sum of all durations, in milliseconds.
    pub millis: u64,
}

impl TimeSpread {
    /// Adds what a row counted for a span.
    pub(crate) fn add(&mut self, span: i64, count: i64, millis: i64) {
        if let Some(counted) = usize::try_from(span).ok().and_then(|span| self.counts.get_mut(span)) {
            *counted += unsigned_count(count);
        }
        self.millis += unsigned_count(millis);
    }

    /// Adds the durations of another.
    pub fn add_all(&mut self, other: &Self) {
        for (counted, more) in self.counts.iter_mut().zip(other.counts) {
            *counted += more;
        }
        self.millis += other.millis;
    }
}

/// The calls of a role to a model that ended in one way.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CallFigures {
    /// For which role.
    pub role: String,
    /// The model, by its configured name.
    pub model: String,
    /// As in [`crate::CallOutcome::outcome`], or `started`.
    pub outcome: String,
    /// Calls; each attempt counts.
    pub calls: u64,
    /// How many of these were not the first attempt.
    pub retries: u64,
    /// Tokens read, cached ones included.
    pub tokens_in: u64,
    /// How many of these came from the provider's cache.
    pub tokens_cached: u64,
    /// Tokens written.
    pub tokens_out: u64,
    /// How long they took.
    pub times: TimeSpread,
}

/// The entries of the journal of one kind.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct JournalFigures {
    /// Of what: `channel`, `thread`, `workspace`.
    pub scope: String,
    /// The kind of entry.
    pub kind: String,
    /// How many.
    pub entries: u64,
}

row! {
    /// Calls that took about as long, ended in the same way and went to the same model.
    struct CallFiguresRow {
        role: String,
        model: String,
        outcome: String,
        span: i64,
        calls: i64,
        retries: i64,
        tokens_in: i64,
        tokens_cached: i64,
        tokens_out: i64,
        millis: i64,
    }
}

impl MemoryHandle<'_> {
    /// All calls ever made, by role, model and outcome.
    #[boxed]
    pub async fn call_figures(&self) -> Result<Vec<CallFigures>, StoreError> {
        let mut tx = self.store.db.snapshot().await?;
        let rows: Vec<CallFiguresRow> = on!(&mut tx, c => query_as(
            "SELECT role, model, outcome,
                CAST(CASE WHEN millis <= 500 THEN 0 WHEN millis <= 1000 THEN 1 WHEN millis <= 2500 THEN 2
                    WHEN millis <= 5000 THEN 3 WHEN millis <= 10000 THEN 4 WHEN millis <= 30000 THEN 5
                    WHEN millis <= 60000 THEN 6 WHEN millis <= 120000 THEN 7 ELSE 8 END AS BIGINT) AS span,
                count(*) AS calls, sum(CASE WHEN attempt > 1 THEN 1 ELSE 0 END) AS retries,
                CAST(sum(tokens_in) AS BIGINT) AS tokens_in, CAST(sum(tokens_cached) AS BIGINT) AS tokens_cached,
                CAST(sum(tokens_out) AS BIGINT) AS tokens_out, CAST(sum(millis) AS BIGINT) AS millis
             FROM model_calls GROUP BY 1, 2, 3, 4 ORDER BY 1, 2, 3, 4").fetch_all(c).await)?;
        let mut found: Vec<CallFigures> = Vec::new();
        for row in rows {
            let is_same = |last: &CallFigures| {
                (&last.role, &last.model, &last.outcome) == (&row.role, &row.model, &row.outcome)
            };
            if !found.last().is_some_and(is_same) {
                found.push(CallFigures {
                    role: row.role,
                    model: row.model,
                    outcome: row.outcome,
                    calls: 0,
                    retries: 0,
                    tokens_in: 0,
                    tokens_cached: 0,
                    tokens_out: 0,
                    times: TimeSpread::default(),
                });
            }
            let Some(last) = found.last_mut() else { continue };
            last.calls += unsigned_count(row.calls);
            last.retries += unsigned_count(row.retries);
            last.tokens_in += unsigned_count(row.tokens_in);
            last.tokens_cached += unsigned_count(row.tokens_cached);
            last.tokens_out += unsigned_count(row.tokens_out);
            last.times.add(row.span, row.calls, row.millis);
        }
        Ok(found)
    }

    /// All entries of the journal, by scope and kind.
    #[boxed]
    pub async fn journal_figures(&self) -> Result<Vec<JournalFigures>, StoreError> {
        let mut tx = self.store.db.snapshot().await?;
        let rows: Vec<(String, String, i64)> = on!(&mut tx, c => query_as(
            "SELECT scope, kind, count(*) FROM memory_steps GROUP BY 1, 2 ORDER BY 1, 2").fetch_all(c).await)?;
        Ok(rows
            .into_iter()
            .map(|(scope, kind, entries)| JournalFigures { scope, kind, entries: unsigned_count(entries) })
            .collect())
    }

    /// The texts that were not accepted, by the kind of reason ([`Refusal::kind_of_reason`]).
    #[boxed]
    pub async fn refusals_by_kind(&self) -> Result<Vec<(&'static str, u64)>, StoreError> {
        let mut tx = self.store.db.snapshot().await?;
        let rows: Vec<(String, i64)> = on!(&mut tx, c => query_as(
            "SELECT reason, count(*) FROM memory_steps WHERE kind = 'refused' GROUP BY 1").fetch_all(c).await)?;
        let of = |kind: &str| {
            let those = rows.iter().filter(|(reason, _)| Refusal::kind_of_reason(reason) == kind);
            those.map(|(_, count)| unsigned_count(*count)).sum()
        };
        Ok(Refusal::kinds().map(|kind| (kind, of(kind))).collect())
    }
}
