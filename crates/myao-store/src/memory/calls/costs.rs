//! Sums up what calls cost, for a person.

use async_recursion::async_recursion as boxed;
use jiff::Timestamp;

use crate::{
    MemoryHandle, StoreError,
    db::{
        query_as,
        values::{row, unsigned_count},
    },
};

/// What the sums are grouped by.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum CallGroup {
    /// `provider/model`.
    Model,
    /// `response`, `judgment`, `memory`.
    Role,
    /// The channel's id; empty for the workspace.
    Channel,
    /// `YYYY-MM-DD` in `locale.timezone`.
    Day,
    /// The day and the role, with a space between.
    DayAndRole,
    /// The purpose: `chapter`, `merge`, `reply`, …
    Purpose,
}

/// Sums over the calls of one model in one group.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CallSums {
    /// The group's value.
    pub key: String,
    /// The model; prices differ by model.
    pub model: String,
    /// Calls; each attempt counts.
    pub calls: u64,
    /// How many of these gave nothing usable.
    pub failed: u64,
    /// How many repeated words of other places and were asked for again.
    pub borrowed: u64,
    /// Tokens read, cached ones included.
    pub tokens_in: u64,
    /// How many of these came from the provider's cache.
    pub tokens_cached: u64,
    /// Tokens written.
    pub tokens_out: u64,
    /// The most tokens that calls which never ended may have cost.
    pub reserved: u64,
    /// Calls whose tokens we estimated since the provider reported none.
    pub estimated: u64,
    /// How long they took in total, in milliseconds.
    pub millis: u64,
}

row! {
    /// What the calls of a group to a model cost.
    struct SumsRow {
        of_group: String,
        model: String,
        calls: i64,
        failed: i64,
        borrowed: i64,
        tokens_in: i64,
        tokens_cached: i64,
        tokens_out: i64,
        reserved: i64,
        estimated: i64,
        millis: i64,
    }
}

/// The query for the sums, grouped by a column.
macro_rules! sums {
    ($column:literal) => {
        concat!(
            "SELECT ",
            $column,
            " AS of_group, model, count(*) AS calls,
                sum(CASE WHEN outcome IN ('ok', 'cut', 'started', 'borrowed') THEN 0 ELSE 1 END) AS failed,
                sum(CASE WHEN outcome = 'borrowed' THEN 1 ELSE 0 END) AS borrowed,
                cast(sum(tokens_in) AS BIGINT) AS tokens_in, cast(sum(tokens_cached) AS BIGINT) AS tokens_cached,
                cast(sum(tokens_out) AS BIGINT) AS tokens_out, cast(sum(reserved) AS BIGINT) AS reserved,
                cast(sum(estimated) AS BIGINT) AS estimated, cast(sum(millis) AS BIGINT) AS millis
             FROM model_calls WHERE at >= $1 AND at < $2 GROUP BY 1, 2 ORDER BY 1, 2"
        )
    };
}

impl MemoryHandle<'_> {
    /// Sums over all calls made at or after `since`, by group and model, in the order of the group's values.
    #[boxed]
    pub async fn sum_calls_by_group(
        &self,
        group: CallGroup,
        since: Option<Timestamp>,
    ) -> Result<Vec<CallSums>, StoreError> {
        self.call_sums_between(group, since, None).await
    }

    /// The same sums, limited to calls made before `before` if that is given.
    #[boxed]
    pub async fn call_sums_between(
        &self,
        group: CallGroup,
        since: Option<Timestamp>,
        before: Option<Timestamp>,
    ) -> Result<Vec<CallSums>, StoreError> {
        let mut tx = self.store.db.snapshot().await?;
        let sql = match group {
            CallGroup::Model => sums!("model"),
            CallGroup::Role => sums!("role"),
            CallGroup::Channel => sums!("coalesce(channel_id, '')"),
            CallGroup::Day => sums!("day"),
            CallGroup::DayAndRole => sums!("day || ' ' || role"),
            CallGroup::Purpose => sums!("purpose"),
        };
        let since = since.map_or(i64::MIN, Timestamp::as_microsecond);
        let before = before.map_or(i64::MAX, Timestamp::as_microsecond);
        let rows: Vec<SumsRow> =
            on!(&mut tx, c => query_as(sql).bind(since).bind(before).fetch_all(c).await)?;
        Ok(rows.into_iter().map(sums_of_row).collect())
    }
}

impl CallSums {
    /// Adds the sums over other calls of the same model in the same group.
    pub fn add(&mut self, other: &Self) {
        self.calls += other.calls;
        self.failed += other.failed;
        self.borrowed += other.borrowed;
        self.tokens_in += other.tokens_in;
        self.tokens_cached += other.tokens_cached;
        self.tokens_out += other.tokens_out;
        self.reserved += other.reserved;
        self.estimated += other.estimated;
        self.millis += other.millis;
    }
}

fn sums_of_row(row: SumsRow) -> CallSums {
    CallSums {
        key: row.of_group,
        model: row.model,
        calls: unsigned_count(row.calls),
        failed: unsigned_count(row.failed),
        borrowed: unsigned_count(row.borrowed),
        tokens_in: unsigned_count(row.tokens_in),
        tokens_cached: unsigned_count(row.tokens_cached),
        tokens_out: unsigned_count(row.tokens_out),
        reserved: unsigned_count(row.reserved),
        estimated: unsigned_count(row.estimated),
        millis: unsigned_count(row.millis),
    }
}
