//! Decides which failed calls are retried, and when.

use backon::{BackoffBuilder as _, ExponentialBackoff, ExponentialBuilder};
use jiff::SignedDuration;
use myao_core::ports::{ModelError, Role};

/// Attempts of one call, including the first. If four within minutes fail, the next round tries again, or the people
/// who wait are told.
const TRIES: usize = 4;
/// The wait before the second attempt. Each further one is three times as long, plus a random jitter of up to the same
/// length, so that calls that failed together do not come back together.
const FIRST_WAIT: std::time::Duration = std::time::Duration::from_secs(1);
const FACTOR: f32 = 3.0;
/// The longest wait that a provider may ask for: if it asks for more, the call fails.
const LONGEST_WAIT: SignedDuration = SignedDuration::from_secs(60);
/// No attempt begins later than this after the first. Memory work's waits for rate limits do not count.
const PATIENCE: SignedDuration = SignedDuration::from_mins(3);
/// The same where a person waits: after a whole time-out of two minutes there is no second one.
const PATIENCE_OF_PEOPLE: SignedDuration = SignedDuration::from_secs(90);
/// How many rate limits one call of memory work waits out. Nobody waits for memories, and many keys have a limit per
/// minute: 1, 3, 9, 27, 60 and 60 s reach beyond two of these.
const LIMIT_WAITS: usize = 6;
/// Added to the wait that a provider asks for: its seconds may be longer than ours.
const BEYOND: SignedDuration = SignedDuration::from_millis(200);

/// The waits between the attempts of one call.
pub(super) struct RetryWaits {
    failed: ExponentialBackoff,
    /// The waits for rate limits; `None` if they are not counted separately.
    limited: Option<ExponentialBackoff>,
    /// How long the call has waited for rate limits that are counted separately.
    apart: SignedDuration,
    patience: SignedDuration,
}

impl RetryWaits {
    pub(super) fn new(role: Role) -> Self {
        let growing = ExponentialBuilder::new().with_min_delay(FIRST_WAIT).with_factor(FACTOR).with_jitter();
        Self {
            failed: growing.with_max_times(TRIES - 1).build(),
            limited: (role == Role::Memory).then(|| growing.with_max_times(LIMIT_WAITS).build()),
            apart: SignedDuration::ZERO,
            patience: if role == Role::Response { PATIENCE_OF_PEOPLE } else { PATIENCE },
        }
    }

    /// How long to wait before the next attempt, `spent` after the first one began. `None`: do not retry.
    ///
    /// An answer that cannot be read is retried once: a proxy's error page passes, a server that speaks another
    /// protocol does not.
    pub(super) fn after(
        &mut self,
        error: &ModelError,
        attempts: u32,
        spent: SignedDuration,
    ) -> Option<SignedDuration> {
        let once_more = matches!(error, ModelError::Invalid(_)) && attempts == 1;
        if !error.is_passing() && !once_more {
            return None;
        }
        let told = if let ModelError::Limited { seconds, .. } = error { *seconds } else { None };
        let told = told.map(|seconds| SignedDuration::from_secs(i64::try_from(seconds).unwrap_or(i64::MAX)));
        if told.is_some_and(|told| told > LONGEST_WAIT) {
            return None;
        }
        let at_least = told.map_or(SignedDuration::ZERO, |told| told.saturating_add(BEYOND));
        if let (ModelError::Limited { .. }, Some(limited)) = (error, &mut self.limited) {
            let ours = SignedDuration::try_from(limited.next()?).ok()?.min(LONGEST_WAIT);
            let wait = ours.max(at_least);
            self.apart = self.apart.saturating_add(wait);
            return Some(wait);
        }
        let wait = SignedDuration::try_from(self.failed.next()?).ok()?.max(at_least);
        (spent - self.apart + wait <= self.patience).then_some(wait)
    }
}
