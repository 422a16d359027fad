//! A rate limiter: a call is made below Slack's limits, and not before a `Retry-After` is over.
//!
//! For each limit one instant is remembered (the "generic cell rate algorithm"): when the limit would be fully unused
//! again, by [`Clock::steady`](myao_core::ports::Clock::steady). A library for it would bring its own clock.

use std::{
    collections::HashMap,
    sync::{Mutex, PoisonError},
    time::Duration,
};

use jiff::Timestamp;
use myao_core::chat::instant_after;

use super::method::{Method, Rate};

/// Channels remembered; with more, those whose limit is unused are forgotten.
const MOST_CHANNELS: usize = 1_000;

/// Fewer answers than this between two 429s mean that Slack allows a call in each `Retry-After`: apps that are not in the
/// marketplace have one a minute (docs.slack.dev/apis/web-api/rate-limits).
const FEW_ANSWERS: u32 = 3;
/// After so many answers at a slower rate, the usual one is tried again.
const TRY_AGAIN_AFTER: u32 = 30;
/// The longest time between calls that is learnt: Slack counts by the minute.
const SLOWEST: Duration = Duration::from_mins(1);

/// All limits of one token.
#[derive(Default)]
pub(super) struct Pace(Mutex<PaceLimits>);

#[derive(Default)]
struct PaceLimits {
    methods: HashMap<Method, Limit>,
    channels: HashMap<(Method, String), Limit>,
    paused: HashMap<Method, Timestamp>,
    /// What 429s told of methods.
    told: HashMap<Method, ToldRate>,
}

/// What 429s that came although our rate was kept tell of a method.
#[derive(Clone, Copy, Default)]
struct ToldRate {
    /// Answers since the last 429; `None` before the first.
    answers_since: Option<u32>,
    /// The time between calls, if it is longer than [`Rate::spacing`].
    spacing: Option<Duration>,
}

/// The state of one limit.
#[derive(Clone, Copy)]
struct Limit {
    /// When the limit is fully unused again.
    unused_at: Timestamp,
}

/// Whether a call may be made.
pub(super) enum Delay {
    /// The call may be made now; it has been counted.
    None,
    /// Ask again at this instant.
    Until(Timestamp),
    /// The call may be made at this instant, which is later than the caller waits.
    TooLong(Timestamp),
}

impl Pace {
    /// Takes the next turn if it is now, for a caller that waits until `patience` at most.
    pub(super) fn turn(
        &self,
        method: Method,
        channel: Option<&str>,
        now: Timestamp,
        patience: Timestamp,
    ) -> Delay {
        let mut limits = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let key = channel.filter(|_| method.rate_in_channel().is_some()).map(|id| (method, id.to_owned()));
        let in_channel = key.as_ref().and_then(|key| limits.channels.get(key)).copied();
        let rate = limits.rate(method);
        let free = [
            limits.paused.get(&method).copied(),
            rate.and_then(|rate| Some(limits.methods.get(&method)?.free_at(rate))),
            method.rate_in_channel().zip(in_channel).map(|(rate, limit)| limit.free_at(rate)),
        ];
        let free = free.into_iter().flatten().max().unwrap_or(now);
        if free > patience {
            return Delay::TooLong(free);
        }
        if free > now {
            return Delay::Until(free);
        }
        if let Some(rate) = rate {
            Limit::take(limits.methods.entry(method), rate, now);
        }
        if let Some((key, rate)) = key.zip(method.rate_in_channel()) {
            if limits.channels.len() >= MOST_CHANNELS {
                limits.channels.retain(|_, limit| limit.unused_at > now);
            }
            Limit::take(limits.channels.entry(key), rate, now);
        }
        Delay::None
    }

    /// Whether so many calls could be made now, one after the other.
    pub(super) fn has_room(&self, method: Method, calls: u32, now: Timestamp) -> bool {
        let limits = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        if limits.paused.get(&method).is_some_and(|until| *until > now) {
            return false;
        }
        let Some(rate) = limits.rate(method) else { return true };
        let unused_at = limits.methods.get(&method).map_or(now, |limit| limit.unused_at.max(now));
        let others = rate.spacing().saturating_mul(calls.saturating_sub(1));
        Limit { unused_at: instant_after(unused_at, others) }.free_at(rate) <= now
    }

    /// How often a method may be called, as far as is known.
    pub(super) fn rate(&self, method: Method) -> Option<Rate> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).rate(method)
    }

    /// Notes that a call was answered.
    pub(super) fn note_answer(&self, method: Method) {
        let mut limits = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(told) = limits.told.get_mut(&method) {
            told.note_answer();
        }
    }

    /// Notes a 429 that asks to wait for `retry_after`. If it is the second in a row, the method's rate is slower than ours.
    pub(super) fn note_limited(&self, method: Method, retry_after: Duration) {
        let mut limits = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        limits.told.entry(method).or_default().note_limited(method, retry_after);
    }

    /// Lets nobody call `method` before `until`; the callers that waited then come one by one, not all at once. Where
    /// each channel has its own limit for the method, only `channel` waits.
    pub(super) fn pause(&self, method: Method, channel: Option<&str>, until: Timestamp) {
        let mut limits = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some((rate, channel)) = method.rate_in_channel().zip(channel) {
            let entry = limits.channels.entry((method, channel.to_owned()));
            let limit = entry.or_insert(Limit { unused_at: until });
            limit.unused_at = limit.unused_at.max(rate.used_up_until(until));
            return;
        }
        let paused = limits.paused.entry(method).or_insert(until);
        *paused = until.max(*paused);
        if let Some(rate) = limits.rate(method) {
            let used_up = rate.used_up_until(until);
            let limit = limits.methods.entry(method).or_insert(Limit { unused_at: used_up });
            limit.unused_at = limit.unused_at.max(used_up);
        }
    }
}

impl PaceLimits {
    fn rate(&self, method: Method) -> Option<Rate> {
        let told = self.told.get(&method).and_then(|told| told.spacing);
        told.map(Rate::one_in).or_else(|| method.rate())
    }
}

impl ToldRate {
    fn note_answer(&mut self) {
        let answers = self.answers_since.map(|answers| answers.saturating_add(1));
        if answers.is_some_and(|answers| answers >= TRY_AGAIN_AFTER) {
            *self = Self::default();
        } else {
            self.answers_since = answers;
        }
    }

    fn note_limited(&mut self, method: Method, retry_after: Duration) {
        let is_slow = self.answers_since.is_some_and(|answers| answers > 0 && answers < FEW_ANSWERS);
        // Slack's limits are counted by the minute: who has to wait longer is told of something else.
        let is_spacing = |rate: Rate| retry_after > rate.spacing() && retry_after <= SLOWEST;
        if is_slow && method.rate().is_some_and(is_spacing) {
            self.spacing = Some(self.spacing.map_or(retry_after, |spacing| spacing.max(retry_after)));
        }
        self.answers_since = Some(0);
    }
}

impl Limit {
    /// When the next call may be made.
    fn free_at(self, rate: Rate) -> Timestamp {
        let tolerance = rate.spacing() * (rate.burst - 1);
        self.unused_at.saturating_sub(tolerance).unwrap_or(Timestamp::MIN)
    }

    fn take<K: Eq + std::hash::Hash>(
        entry: std::collections::hash_map::Entry<'_, K, Self>,
        rate: Rate,
        now: Timestamp,
    ) {
        let limit = entry.or_insert(Self { unused_at: now });
        limit.unused_at = instant_after(limit.unused_at.max(now), rate.spacing());
    }
}

impl Rate {
    /// One call in each `spacing`, or a little less.
    fn one_in(spacing: Duration) -> Self {
        let calls = u32::try_from(60 / spacing.as_secs().max(1)).unwrap_or(1).max(1);
        Self { per_minute: calls.saturating_add(1), burst: 1 }
    }

    /// The time between calls beyond the burst, such that a minute takes the burst and the rest together.
    pub(super) fn spacing(self) -> Duration {
        Duration::from_mins(1) / (self.per_minute - self.burst)
    }

    /// The [`Limit::unused_at`] of a limit that lets the next call through at `instant`.
    fn used_up_until(self, instant: Timestamp) -> Timestamp {
        instant_after(instant, self.spacing() * (self.burst - 1))
    }
}
