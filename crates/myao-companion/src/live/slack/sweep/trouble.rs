//! Classifies why a sweep failed, decides when it is retried, and notes that we are no longer in its channel.

use jiff::{SignedDuration, Timestamp};
use myao_core::chat::ChannelId;
use myao_slack::api::ApiError;
use myao_store::StoreError;

use crate::live::{Lookup, slack::SlackRun};

/// The wait after the first failure that may pass; each further one is twice as long.
const FIRST_WAIT: SignedDuration = SignedDuration::from_secs(15);
/// The longest of these waits.
const LONGEST_WAIT: SignedDuration = SignedDuration::from_mins(10);
/// The most that is added to a wait at random, as a share of it.
const MOST_SPREAD: f64 = 0.25;
/// The wait after a failure that only a person can fix.
const UNTIL_SET_RIGHT: SignedDuration = SignedDuration::from_hours(1);
/// How long a channel or thread waits while another process reads it.
pub(super) const TAKEN: SignedDuration = SignedDuration::from_secs(5);
/// Slack's errors for a channel that we cannot read because we are not in it or it is gone.
const NOT_OURS: [&str; 3] = ["channel_not_found", "not_in_channel", "no_permission"];

/// Why a gap is not filled.
#[derive(Debug, thiserror::Error)]
pub(super) enum SweepTrouble {
    #[error(transparent)]
    Store(#[from] StoreError),
    #[error(transparent)]
    Slack(#[from] ApiError),
}

impl SweepTrouble {
    /// Whether the gap cannot be filled because we are not in the channel.
    pub(super) fn is_no_longer_ours(&self) -> bool {
        match self {
            Self::Store(_) => false,
            Self::Slack(error) => error.refusal().is_some_and(|word| NOT_OURS.contains(&word)),
        }
    }
}

/// When what failed is tried again.
#[derive(Clone, Copy, Default)]
pub(super) struct Wait {
    pub(super) attempts: u32,
    pub(super) until: Timestamp,
}

/// How long a channel waits after `attempts` failures in a row. `share`, a random number from 0 to 1, makes it a little
/// longer, so that channels that failed together are not retried together.
pub(super) fn wait_after(trouble: &SweepTrouble, attempts: u32, share: f64) -> SignedDuration {
    let may_pass = match trouble {
        SweepTrouble::Store(_) => true,
        SweepTrouble::Slack(error) => error.may_pass(),
    };
    let doublings = attempts.saturating_sub(1).min(16);
    let wait = FIRST_WAIT.saturating_mul(1_i32 << doublings).min(LONGEST_WAIT);
    let wait = if may_pass { wait } else { UNTIL_SET_RIGHT };
    wait.mul_f64(1.0 + share * MOST_SPREAD)
}

/// Notes that we are no longer in the channel; its archive stays.
pub(super) async fn note_channel_left(
    slack: &SlackRun,
    channel: &ChannelId,
    why: &SweepTrouble,
) -> Result<(), StoreError> {
    tracing::info!(%channel, %why, "we are no longer in the channel");
    let left = slack.shared.store.hearing().leave_channel(channel, slack.shared.clock.now()).await;
    slack.lookups.want(Lookup::Channel(channel.clone()));
    left
}
