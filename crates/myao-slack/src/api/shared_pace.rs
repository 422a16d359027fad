//! Rate limits that several processes with one token share: Slack counts their calls together.

use std::{fmt::Debug, time::Duration};

use jiff::{SignedDuration, Timestamp};
use myao_core::ports::BoxFuture;

use super::method::{Method, Rate};

/// Counts the calls of all processes of one app together.
pub trait SharedPace: Debug + Send + Sync {
    /// Takes a turn within all of these limits and returns `None`, or takes none and returns after how long to ask again.
    /// If the limits cannot be read, the turn is taken.
    fn turn(&self, limits: Vec<PaceLimit>) -> BoxFuture<'_, Option<SignedDuration>>;

    /// Lets no process call before `until`.
    fn pause(&self, limit: PaceLimit, until: Timestamp) -> BoxFuture<'_, ()>;
}

/// A rate limit of Slack's.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PaceLimit {
    /// What it counts, as in `chat.postMessage` or `chat.postMessage:C123`.
    pub subject: String,
    /// The time between calls beyond the burst.
    pub spacing: Duration,
    /// How many calls may be made at once.
    pub burst: u32,
}

impl PaceLimit {
    /// The limits that hold for a call of a method that may be called at `rate`.
    pub(super) fn of(method: Method, rate: Option<Rate>, channel: Option<&str>) -> Vec<Self> {
        let in_channel = channel.zip(method.rate_in_channel());
        let in_channel =
            in_channel.map(|(channel, rate)| Self::new(format!("{method}:{channel}"), Some(rate)));
        [Some(Self::new(method.to_string(), rate)), in_channel].into_iter().flatten().collect()
    }

    /// The limit that a 429 closes: the channel's if the method has a limit for each channel.
    pub(super) fn paused(method: Method, rate: Option<Rate>, channel: Option<&str>) -> Self {
        let mut limits = Self::of(method, rate, channel);
        limits.pop().unwrap_or_else(|| Self::new(method.to_string(), rate))
    }

    fn new(subject: String, rate: Option<Rate>) -> Self {
        let (spacing, burst) = rate.map_or((Duration::ZERO, 1), |rate| (rate.spacing(), rate.burst));
        Self { subject, spacing, burst }
    }
}
