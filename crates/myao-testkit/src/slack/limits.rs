//! Rate limits: how often a method may be called, and which calls came too early after a 429.

use std::{
    collections::HashMap,
    time::{Duration, Instant},
};

use jiff::Timestamp;
use myao_core::chat::instant_after;

const MICROS_PER_SECOND: i64 = 1_000_000;
const MICROS_PER_MINUTE: i64 = 60 * MICROS_PER_SECOND;
/// Slack tolerates "infrequent bursts". At least this many calls at once are never too many.
const LEAST_BURST: i64 = 5;
/// A call that arrives this soon after a 429 was sent before the 429 arrived. It is limited too, but breaks no rule. On a
/// machine that is busy with other tests a call may be on its way for nearly as long.
const CROSSED_ON_THE_WAY: Duration = Duration::from_secs(1);

/// How often a method may be called (docs.slack.dev, "Rate limits"; the methods' own pages).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum MethodRate {
    /// This many calls a minute.
    PerMinute(u32),
    /// One call a second in each channel.
    PerSecondAndChannel,
}

impl MethodRate {
    /// Tier 1.
    pub(super) const TIER_1: Self = Self::PerMinute(1);
    /// Tier 2.
    pub(super) const TIER_2: Self = Self::PerMinute(20);
    /// Tier 3.
    pub(super) const TIER_3: Self = Self::PerMinute(50);
    /// Tier 4.
    pub(super) const TIER_4: Self = Self::PerMinute(100);

    /// The pace in microseconds per call, and the most calls that may come at once.
    fn pace(self) -> (i64, i64) {
        match self {
            Self::PerMinute(calls) => {
                let calls = i64::from(calls).max(1);
                (MICROS_PER_MINUTE / calls, calls.max(LEAST_BURST))
            }
            Self::PerSecondAndChannel => (MICROS_PER_SECOND, LEAST_BURST),
        }
    }
}

/// The answer to a call that came too soon.
pub(super) struct Limited {
    /// How many seconds to wait.
    pub(super) retry_after: u64,
    /// Whether the caller was told before to wait, and did not.
    pub(super) too_early: bool,
}

/// What a limit counts together: a method's calls, or those in one channel.
type LimitKey = (String, String);

struct Shut {
    until: Timestamp,
    since: Instant,
}

/// Decides which calls may be made when. For each limit, it keeps the time at which a steady caller would make the next
/// call (GCRA).
#[derive(Default)]
pub(super) struct RateLimits {
    /// Whether Slack's own limits hold.
    pub(super) on: bool,
    /// Limits that the test sets, which hold even if `on` is not set.
    own: HashMap<String, MethodRate>,
    next: HashMap<LimitKey, i64>,
    shut: HashMap<LimitKey, Shut>,
}

impl RateLimits {
    pub(super) fn set(&mut self, method: &str, per_minute: u32) {
        self.own.insert(method.to_owned(), MethodRate::PerMinute(per_minute));
    }

    /// Counts a call of `method` for `channel`, at `now`.
    pub(super) fn count(
        &mut self,
        method: &str,
        channel: &str,
        rate: MethodRate,
        now: Timestamp,
    ) -> Result<(), Limited> {
        let own = self.own.get(method).copied();
        let key = key_of_limit(method, channel, rate);
        if let Some(shut) = self.shut.get(&key).filter(|shut| now < shut.until) {
            let left = shut.until.as_microsecond() - now.as_microsecond();
            let too_early = shut.since.elapsed() > CROSSED_ON_THE_WAY;
            return Err(Limited { retry_after: seconds_up(left), too_early });
        }
        let Some(rate) = own.or(self.on.then_some(rate)) else { return Ok(()) };
        let (pace, burst) = rate.pace();
        let now_micros = now.as_microsecond();
        let next = self.next.get(&key).copied().unwrap_or(now_micros).max(now_micros);
        let wait = next - now_micros - pace * (burst - 1);
        if wait > 0 {
            let retry_after = seconds_up(wait);
            self.shut(method, channel, rate, now, retry_after);
            return Err(Limited { retry_after, too_early: false });
        }
        self.next.insert(key, next + pace);
        Ok(())
    }

    /// Forbids calls of `method` for so many seconds, from `now` on.
    pub(super) fn shut(
        &mut self,
        method: &str,
        channel: &str,
        rate: MethodRate,
        now: Timestamp,
        seconds: u64,
    ) {
        let until = instant_after(now, Duration::from_secs(seconds));
        self.shut.insert(key_of_limit(method, channel, rate), Shut { until, since: Instant::now() });
    }
}

fn key_of_limit(method: &str, channel: &str, rate: MethodRate) -> LimitKey {
    let channel = if rate == MethodRate::PerSecondAndChannel { channel } else { "" };
    (method.to_owned(), channel.to_owned())
}

fn seconds_up(micros: i64) -> u64 {
    u64::try_from(micros).unwrap_or(0).div_ceil(MICROS_PER_SECOND.unsigned_abs()).max(1)
}
