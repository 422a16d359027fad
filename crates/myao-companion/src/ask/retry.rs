//! What is tried again, and when.

use backon::{BackoffBuilder as _, ExponentialBackoff, ExponentialBuilder};
use jiff::SignedDuration;
use myao_core::ports::{ModelError, Role};

/// Tries of one call, the first included: what four tries within minutes do not mend is a matter for the next
/// round, or for the people who wait.
const TRIES: usize = 4;
/// Before the second try; each further wait is three times as long, and up to as much again by chance, so that
/// calls that failed together do not come back together.
const FIRST_WAIT: std::time::Duration = std::time::Duration::from_secs(1);
const FACTOR: f32 = 3.0;
/// A provider that asks for a longer wait than this is not waited for: the call fails.
const LONGEST_WAIT: SignedDuration = SignedDuration::from_secs(60);
/// No try begins later than this after the first; waits for a limit of memory work do not count.
const PATIENCE: SignedDuration = SignedDuration::from_mins(3);
/// How often one call of memory work waits for a provider that limits it. Nobody waits for memories, and many
/// keys have a limit a minute: 1, 3, 9, 27, 60 and 60 s reach over one, and over the next.
const LIMIT_WAITS: usize = 6;
/// A little more than a provider asks for: its second may be longer than ours.
const BEYOND: SignedDuration = SignedDuration::from_millis(200);

/// The waits between the tries of one call.
pub(super) struct RetryWaits {
    failed: ExponentialBackoff,
    /// Those for a limit, where they are counted apart.
    limited: Option<ExponentialBackoff>,
    /// How long it has waited for limits that are counted apart.
    apart: SignedDuration,
}

impl RetryWaits {
    /// For a call of a role.
    pub(super) fn new(role: Role) -> Self {
        let growing = ExponentialBuilder::new().with_min_delay(FIRST_WAIT).with_factor(FACTOR).with_jitter();
        Self {
            failed: growing.with_max_times(TRIES - 1).build(),
            limited: (role == Role::Memory).then(|| growing.with_max_times(LIMIT_WAITS).build()),
            apart: SignedDuration::ZERO,
        }
    }

    /// How long to wait before the next try, `spent` after the first began; none when there should not be one.
    ///
    /// An answer that makes no sense is tried once more: a proxy's page in place of an answer passes, a server that
    /// speaks another language does not.
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
        (spent - self.apart + wait <= PATIENCE).then_some(wait)
    }
}
