//! Asks from time to time about channels that we are not in: Slack shows public ones without membership, and no event tells
//! what becomes of them (ADR 92).

use jiff::SignedDuration;
use myao_core::chat::ChannelId;
use myao_store::{StoreError, lookup_subject};

use super::{AGAIN, LookupError, learn_channel, note_outcome, overview::UNTIL_SET_RIGHT};
use crate::live::slack::SlackRun;

/// How often it is looked which channels are to be asked about.
const LOOK_EVERY: SignedDuration = SignedDuration::from_mins(10);
/// The wait between two of them. With it a minute holds 30, of the 50 that Slack allows: the others are for channels
/// that people wait for.
const BETWEEN: SignedDuration = SignedDuration::from_secs(2);
/// The most channels of one look.
const MOST_AT_ONCE: usize = 500;

/// Asks until the run is to end.
pub(super) async fn ask_until_end(slack: &SlackRun) {
    // What we are in comes first.
    slack.lookups.overview_tried().await;
    loop {
        let wait = match to_ask(slack).await {
            Ok(channels) => ask_about_channels(slack, &channels).await,
            Err(error) => {
                tracing::warn!(%error, "it cannot be read which channels are to be asked about");
                AGAIN
            }
        };
        if !slack.shared.pause(wait).await {
            return;
        }
    }
}

async fn to_ask(slack: &SlackRun) -> Result<Vec<ChannelId>, StoreError> {
    let now = slack.shared.clock.now();
    slack.shared.store.hearing().doubt_unseen_channels(now).await?;
    slack.shared.store.hearing().outside_to_ask(MOST_AT_ONCE, now).await
}

/// Asks about these channels, and returns how long to wait before the next look.
async fn ask_about_channels(slack: &SlackRun, channels: &[ChannelId]) -> SignedDuration {
    for id in channels {
        let learnt = learn_channel(slack, id).await;
        note_outcome(slack, &lookup_subject(id), learnt.as_ref().err()).await;
        match learnt {
            Ok(()) | Err(LookupError::NotShown) => {}
            Err(error) if error.may_pass() => {
                tracing::debug!(channel = %id, %error, "a channel's lookup failed; trying again later");
            }
            // It is in doubt after a day at the latest, and every other one would fail in the same way.
            Err(error) => {
                tracing::warn!(%error, "channels that we are not in cannot be looked up");
                return UNTIL_SET_RIGHT;
            }
        }
        if !slack.shared.pause(BETWEEN).await {
            break;
        }
    }
    if channels.len() < MOST_AT_ONCE { LOOK_EVERY } else { SignedDuration::ZERO }
}
