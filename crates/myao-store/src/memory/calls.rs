//! Records every call to a model: what it was for, what it cost, how it ended (design §7).

pub(crate) mod costs;

use std::collections::BTreeMap;

use async_recursion::async_recursion as boxed;
use jiff::Timestamp;
use myao_core::chat::{ChannelId, MessageTs};
use myao_core::ports::{BudgetKind, DayLimits, NoRoom, Role, StopReason, Usage};

use crate::{
    MemoryHandle, StoreError,
    db::{
        Tx, query_as,
        values::{instant_from_micros, signed_count, ts_or_zero, unsigned_count},
    },
};

/// A call that is about to be made.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NewCall {
    /// When it is made.
    pub at: Timestamp,
    /// The date of `at` in `locale.timezone`, for daily budgets.
    pub day: String,
    /// For which role.
    pub role: Role,
    /// For which purpose.
    pub purpose: &'static str,
    /// The channel it is about; `None` for the workspace.
    pub channel: Option<ChannelId>,
    /// The thread it is about.
    pub thread: Option<MessageTs>,
    /// The model that is called.
    pub model: String,
    /// The number of the attempt; 1 for the first.
    pub attempt: u32,
    /// The most tokens it may cost: prompt and limit.
    pub reserved: u64,
}

/// How a call ended.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CallOutcome {
    /// `ok`, `refused`, `timeout`, `limited`, `cut`, `invalid`, `failed`, `stopped`, `borrowed`; or what only a person can
    /// mend: `wrong_key`, `key_spent`, `wrong_address`, `no_such_model`.
    pub outcome: &'static str,
    /// What it cost.
    pub usage: Usage,
    /// How long it took, in milliseconds.
    pub millis: u64,
    /// Why the model stopped, when it answered.
    pub stop: Option<StopReason>,
}

/// How a call ended.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct EndedCall {
    /// When it was made.
    pub at: Timestamp,
    /// As in [`CallOutcome::outcome`].
    pub outcome: String,
}

/// Whether a call may be made.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Started {
    /// The call may be made, and is recorded under this id.
    Call(i64),
    /// The call would exceed what may be spent on its day, and is not recorded: which budget has no room, and what the day
    /// has cost so far, as far as that budget is about it.
    Spent(NoRoom, DaySpent),
}

/// What the calls of one day cost. Calls of `builtin` are left out: they are free.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct DaySpent {
    /// Tokens of calls that have ended.
    pub settled: u64,
    /// The most tokens that may have been spent by calls under way, and by calls of a process that died.
    pub reserved: u64,
}

impl DaySpent {
    /// The sum of both, which counts against a budget.
    pub const fn total(self) -> u64 {
        self.settled.saturating_add(self.reserved)
    }

    /// The sum of two.
    #[must_use]
    pub const fn with(self, other: Self) -> Self {
        Self {
            settled: self.settled.saturating_add(other.settled),
            reserved: self.reserved.saturating_add(other.reserved),
        }
    }
}

/// Sums over calls.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct CallTotals {
    /// How many calls, those of `builtin` included.
    pub calls: u64,
    /// Tokens read.
    pub tokens_in: u64,
    /// Tokens written.
    pub tokens_out: u64,
    /// How many of the calls gave a text that repeated words of other places and was asked for again.
    pub borrowed: u64,
}

/// The outcome of a call whose text said what was only in its auxiliary information, not in its sources.
pub(crate) const BORROWED: &str = "borrowed";

fn stop_name(stop: StopReason) -> &'static str {
    match stop {
        StopReason::End => "end",
        StopReason::Length => "length",
        StopReason::Tools => "tools",
        StopReason::Refused => "refused",
    }
}

impl MemoryHandle<'_> {
    /// Records that a call begins, before it is made. Its reservation counts until the call is settled, so that a crash
    /// loop cannot spend for free. The call is only allowed if what its day has cost and may still cost stays within the
    /// limits. Two processes that ask at once never both take the rest of a budget.
    #[boxed]
    pub async fn record_call_start(&self, call: NewCall, limits: DayLimits) -> Result<Started, StoreError> {
        let store = self.store.clone();
        to_the_end!({
            let mut tx = store.db.begin().await?;
            if !limits.are_none() {
                one_at_a_time(&mut tx, &call.day).await?;
                if let Some((no_room, spent)) = room_for(&mut tx, &call, &limits).await? {
                    return Ok(Started::Spent(no_room, spent));
                }
            }
            let started = CallOutcome { outcome: "started", usage: Usage::default(), millis: 0, stop: None };
            let id = insert_ended_call(&mut tx, &call, &started).await?;
            tx.commit().await?;
            Ok(Started::Call(id))
        })
        .await
    }

    /// What the calls of `day` (`YYYY-MM-DD` in `locale.timezone`) have cost so far.
    #[boxed]
    pub async fn day_spent(&self, day: &str) -> Result<DaySpent, StoreError> {
        spent_on_day(&mut self.store.db.snapshot().await?, day).await
    }

    /// The same by channel; `None`: calls about none.
    #[boxed]
    pub async fn day_spent_by_channel(
        &self,
        day: &str,
    ) -> Result<BTreeMap<Option<ChannelId>, DaySpent>, StoreError> {
        spent_by_channel(&mut self.store.db.snapshot().await?, day).await
    }

    /// How the newest call of `model` in a role ended that was made at or after `since`; `None` if none came to an end.
    #[boxed]
    pub async fn last_ended_call(
        &self,
        role: Role,
        model: &str,
        since: Timestamp,
    ) -> Result<Option<EndedCall>, StoreError> {
        let mut tx = self.store.db.snapshot().await?;
        let row: Option<(i64, String)> = on!(&mut tx, c => query_as(
            "SELECT at, outcome FROM model_calls
             WHERE at >= $1 AND role = $2 AND model = $3 AND outcome NOT IN ('started', 'stopped')
             ORDER BY at DESC, id DESC LIMIT 1")
            .bind(since.as_microsecond()).bind(role.as_str()).bind(model).fetch_optional(c).await)?;
        Ok(row.map(|(at, outcome)| EndedCall { at: instant_from_micros(at), outcome }))
    }

    /// Records how a call ended.
    #[boxed]
    pub async fn record_call_end(&self, id: i64, end: CallOutcome) -> Result<(), StoreError> {
        let store = self.store.clone();
        to_the_end!({
            let mut tx = store.db.begin().await?;
            on!(&mut tx, c => sqlx::query(
                "UPDATE model_calls SET outcome = $2, tokens_in = $3, tokens_cached = $4, tokens_out = $5,
                        estimated = $6, millis = $7, stop = $8, reserved = 0 WHERE id = $1")
                .bind(id).bind(end.outcome).bind(signed_count(end.usage.input)).bind(signed_count(end.usage.cached))
                .bind(signed_count(end.usage.output)).bind(i64::from(end.usage.estimated))
                .bind(signed_count(end.millis)).bind(end.stop.map(stop_name))
                .execute(c).await.map(drop))?;
            tx.commit().await
        })
        .await
    }

    /// Sums over all calls.
    #[boxed]
    pub async fn sum_all_calls(&self) -> Result<CallTotals, StoreError> {
        let mut tx = self.store.db.snapshot().await?;
        let (calls, tokens_in, tokens_out, borrowed): (i64, i64, i64, i64) = on!(&mut tx, c => query_as(
            "SELECT count(*), cast(coalesce(sum(tokens_in), 0) AS BIGINT),
                    cast(coalesce(sum(tokens_out), 0) AS BIGINT),
                    coalesce(sum(CASE WHEN outcome = $1 THEN 1 ELSE 0 END), 0)
             FROM model_calls")
            .bind(BORROWED).fetch_one(c).await)?;
        Ok(CallTotals {
            calls: unsigned_count(calls),
            tokens_in: unsigned_count(tokens_in),
            tokens_out: unsigned_count(tokens_out),
            borrowed: unsigned_count(borrowed),
        })
    }
}

/// Inserts a call that has already ended: calls of `builtin` are one row, in the transaction of what they wrote.
pub(crate) async fn insert_ended_call(
    tx: &mut Tx,
    call: &NewCall,
    end: &CallOutcome,
) -> Result<i64, StoreError> {
    let reserved = if end.outcome == "started" { signed_count(call.reserved) } else { 0 };
    let (id,): (i64,) = on!(tx, c => query_as(
        "INSERT INTO model_calls (at, day, role, purpose, channel_id, thread_ts, model, attempt, reserved,
                tokens_in, tokens_cached, tokens_out, estimated, millis, stop, outcome)
         VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, $16) RETURNING id")
        .bind(call.at.as_microsecond()).bind(&call.day).bind(call.role.as_str()).bind(call.purpose)
        .bind(call.channel.as_ref().map(ChannelId::as_str)).bind(ts_or_zero(call.thread))
        .bind(&call.model).bind(i64::from(call.attempt)).bind(reserved)
        .bind(signed_count(end.usage.input)).bind(signed_count(end.usage.cached)).bind(signed_count(end.usage.output))
        .bind(i64::from(end.usage.estimated)).bind(signed_count(end.millis))
        .bind(end.stop.map(stop_name)).bind(end.outcome)
        .fetch_one(c).await)?;
    Ok(id)
}

/// Makes others that would spend from the same budget wait until this transaction ends.
async fn one_at_a_time(tx: &mut Tx, day: &str) -> Result<(), StoreError> {
    on!(tx, c => sqlx::query(
        "INSERT INTO settings (key, value) VALUES ('budget', $1)
         ON CONFLICT (key) DO UPDATE SET value = excluded.value")
        .bind(day).execute(c).await.map(drop))?;
    Ok(())
}

async fn spent_on_day(tx: &mut Tx, day: &str) -> Result<DaySpent, StoreError> {
    let (settled, reserved): (i64, i64) = on!(tx, c => query_as(
        "SELECT cast(coalesce(sum(tokens_in + tokens_out), 0) AS BIGINT),
                cast(coalesce(sum(reserved), 0) AS BIGINT)
         FROM model_calls WHERE day = $1 AND model <> 'builtin'")
        .bind(day).fetch_one(c).await)?;
    Ok(DaySpent { settled: unsigned_count(settled), reserved: unsigned_count(reserved) })
}

/// The budget that has no room for a call, and what was spent of it; `None` if the call may be made.
async fn room_for(
    tx: &mut Tx,
    call: &NewCall,
    limits: &DayLimits,
) -> Result<Option<(NoRoom, DaySpent)>, StoreError> {
    let channel = call.channel.as_ref();
    if limits.set_aside.is_empty() && limits.place_tokens.is_none() {
        let spent = spent_on_day(tx, &call.day).await?;
        let as_one = [(None, spent.total())].into();
        return Ok(limits.refuse(call.role, None, call.reserved, &as_one).map(|no_room| (no_room, spent)));
    }
    let spent = spent_by_channel(tx, &call.day).await?;
    let totals = spent.iter().map(|(channel, spent)| (channel.clone(), spent.total())).collect();
    let Some(no_room) = limits.refuse(call.role, channel, call.reserved, &totals) else { return Ok(None) };
    let is_meant = |of: &Option<ChannelId>| match no_room.budget {
        BudgetKind::Day => true,
        BudgetKind::Rest => of.as_ref().is_none_or(|of| !limits.set_aside.contains_key(of)),
        BudgetKind::Place => of.as_ref() == channel,
    };
    let meant = spent.iter().filter(|(of, _)| is_meant(of)).map(|(_, spent)| *spent);
    Ok(Some((no_room, meant.fold(DaySpent::default(), DaySpent::with))))
}

async fn spent_by_channel(
    tx: &mut Tx,
    day: &str,
) -> Result<BTreeMap<Option<ChannelId>, DaySpent>, StoreError> {
    let rows: Vec<(String, i64, i64)> = on!(tx, c => query_as(
        "SELECT coalesce(channel_id, ''), cast(coalesce(sum(tokens_in + tokens_out), 0) AS BIGINT),
                cast(coalesce(sum(reserved), 0) AS BIGINT)
         FROM model_calls WHERE day = $1 AND model <> 'builtin' GROUP BY coalesce(channel_id, '')")
        .bind(day).fetch_all(c).await)?;
    let spent = |(channel, settled, reserved): (String, i64, i64)| {
        let channel = (!channel.is_empty()).then(|| ChannelId::new(channel));
        (channel, DaySpent { settled: unsigned_count(settled), reserved: unsigned_count(reserved) })
    };
    Ok(rows.into_iter().map(spent).collect())
}
