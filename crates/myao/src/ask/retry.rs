//! What is tried again, and when.

use backon::{BackoffBuilder as _, ExponentialBackoff, ExponentialBuilder};
use jiff::SignedDuration;
use myao_core::ports::ModelError;

/// Tries of one call, the first included: what four tries within minutes do not mend is a matter for the next
/// round, or for the people who wait.
const TRIES: usize = 4;
/// Before the second try; each further wait is three times as long, and up to as much again by chance, so that
/// calls that failed together do not come back together.
const FIRST_WAIT: std::time::Duration = std::time::Duration::from_secs(1);
const FACTOR: f32 = 3.0;
/// A provider that asks for a longer wait than this is not waited for: the call fails.
const LONGEST_WAIT: SignedDuration = SignedDuration::from_secs(60);
/// No try begins later than this after the first.
const PATIENCE: SignedDuration = SignedDuration::from_mins(3);

/// The waits between the tries of one call.
pub(super) fn waits() -> ExponentialBackoff {
    ExponentialBuilder::new()
        .with_min_delay(FIRST_WAIT)
        .with_factor(FACTOR)
        .with_max_times(TRIES - 1)
        .with_jitter()
        .build()
}

/// How long to wait before the next try, `spent` after the first began; none when there should not be one.
///
/// An answer that makes no sense is tried once more: a proxy's page in place of an answer passes, a server that
/// speaks another language does not.
pub(super) fn wait_after(
    error: &ModelError,
    attempts: u32,
    waits: &mut ExponentialBackoff,
    spent: SignedDuration,
) -> Option<SignedDuration> {
    let once_more = matches!(error, ModelError::Invalid(_)) && attempts == 1;
    if !error.is_passing() && !once_more {
        return None;
    }
    let ours = SignedDuration::try_from(waits.next()?).ok()?;
    let wait = match error {
        ModelError::Limited(Some(seconds)) => {
            // A little more than asked for: its second may be longer than ours.
            ours.max(
                SignedDuration::from_secs(i64::try_from(*seconds).ok()?) + SignedDuration::from_millis(200),
            )
        }
        ModelError::Limited(None)
        | ModelError::Timeout(_)
        | ModelError::Unavailable(_)
        | ModelError::Unauthorised(_)
        | ModelError::NoSuchModel(_)
        | ModelError::TooLong(_)
        | ModelError::Unsupported(_)
        | ModelError::Rejected(_)
        | ModelError::Invalid(_) => ours,
    };
    (wait <= LONGEST_WAIT && spent + wait <= PATIENCE).then_some(wait)
}
