//! Decides when memories are written anew, so that somebody who goes on changing old messages does not have a channel
//! folded over and over (ADR 96). What was taken back is gone at once, whenever the rest is written.
//!
//! Each call that writes something anew puts the next rewriting in its channel off. Chapters of new talk are written
//! meanwhile.

use jiff::{SignedDuration, Timestamp};
use myao_core::{
    chat::{ChannelId, instant_after},
    ports::BUILTIN,
};
use myao_store::{ChapterWork, RewritingCall};

use super::{Keeper, KeeperError, round::Round};

/// For how long one call puts off the next rewriting: some thirty calls an hour.
const PER_CALL: SignedDuration = SignedDuration::from_mins(2);
/// The same for `builtin`, which costs nothing but the machine's time.
const PER_OWN_CALL: SignedDuration = SignedDuration::from_secs(2);
/// The longest wait, however much was written anew: a memory with a hole is brought up to date a few times a day.
const LONGEST_WAIT: SignedDuration = SignedDuration::from_hours(6);

/// When memories of a channel are written anew.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum RewritingTime {
    /// In this round.
    Now,
    /// Not before this time.
    From(Timestamp),
}

impl Keeper {
    /// The chapters without a text, or whose text is out of date, that may be written now.
    pub(super) async fn chapters_for_now(
        &self,
        round: &Round<'_>,
        channel: &ChannelId,
    ) -> Result<Vec<ChapterWork>, KeeperError> {
        let mut work = self.store.memory().chapters_to_write(channel).await?;
        if work.iter().any(|chapter| chapter.was_written) && self.must_rewriting_wait(round, channel).await? {
            work.retain(|chapter| !chapter.was_written);
        }
        Ok(work)
    }

    /// Whether nothing is to be written anew in the channel yet. The round then does not take it for up to date.
    pub(super) async fn must_rewriting_wait(
        &self,
        round: &Round<'_>,
        channel: &ChannelId,
    ) -> Result<bool, KeeperError> {
        if round.policy.retry_now {
            return Ok(false);
        }
        if let Some(time) = round.rewriting_of(channel) {
            return Ok(time != RewritingTime::Now);
        }
        let now = self.clock.now();
        let calls =
            self.store.memory().calls_while_rewriting(channel, instant_after(now, -LONGEST_WAIT)).await?;
        let from = paid_off(&calls).min(instant_after(now, LONGEST_WAIT));
        let waits = from > now;
        if waits {
            tracing::info!(%channel, calls = calls.len(), %from, "what changed is written anew later");
        }
        round.note_rewriting(channel, if waits { RewritingTime::From(from) } else { RewritingTime::Now });
        Ok(waits)
    }
}

/// When the calls of the last hours are paid off: they are paid for one after the other.
fn paid_off(calls: &[RewritingCall]) -> Timestamp {
    let mut paid = Timestamp::MIN;
    for call in calls {
        let price = if call.model == BUILTIN { PER_OWN_CALL } else { PER_CALL };
        paid = instant_after(paid.max(call.at), price);
    }
    paid
}
