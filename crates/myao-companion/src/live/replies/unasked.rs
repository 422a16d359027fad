//! Checks whether an unasked reply is still to be given (specification §4).

use jiff::Timestamp;
use myao_core::{
    chat::{ChannelId, MessageTs},
    judgment::{Cause, QuietHours},
    prompt::Excuse,
};
use myao_store::{ASKED_FOR_QUIET, Claim, PartState, StoreError, TALK_WENT_ON, WantedReply, WrittenReply};

use super::Answering;
use crate::open_loops::{EVERYTHING_OPEN, OpenLoopsQuery, find_open_loops};

const QUIET: &str = "these are quiet hours";
const NEVER_UNASKED: &str = "by the rules for this place nothing is said there unasked";
/// Why nothing is said unasked where something that was open no longer is.
const SETTLED: &str = "what was open was settled meanwhile";

/// Why a reply is not given now: each with its reason.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Declined {
    /// It is skipped for good.
    Ever(&'static str),
    /// It is put off until this time.
    Before(Timestamp, &'static str),
    /// It is skipped for good, and the people who asked are told so.
    Told(Excuse, &'static str),
}

impl Answering {
    /// Declines an unasked reply to the message `about`, before any model is asked: somebody was quicker, the message is
    /// too old, somebody asked for quiet, or these are quiet hours. When the answer is written, T2 checks again whether somebody was quicker.
    pub(super) async fn why_not_unasked(
        &self,
        reply: &WantedReply,
        about: MessageTs,
        too_old: &'static str,
    ) -> Result<Option<Declined>, StoreError> {
        let now = self.clock.now();
        if !self.store.replies().is_left_alone(&reply.place, about).await? {
            return Ok(Some(Declined::Ever(TALK_WENT_ON)));
        }
        if about < self.attention.oldest(now) {
            return Ok(Some(Declined::Ever(too_old)));
        }
        if let Some(until) = self.store.replies().hushed_channels(now).await?.get(&reply.place.channel) {
            return Ok(Some(Declined::Before(*until, ASKED_FOR_QUIET)));
        }
        if self.is_settled_since(&reply.place.channel, about).await? {
            return Ok(Some(Declined::Ever(SETTLED)));
        }
        let quiet = match self.rule_for_unasked(&reply.place.channel).await? {
            UnaskedRule::Never => return Ok(Some(Declined::Ever(NEVER_UNASKED))),
            UnaskedRule::Outside(quiet) => quiet,
        };
        let open = quiet.map_or(now, |quiet| quiet.end(now, &self.config.locale.timezone));
        Ok((open > now).then_some(Declined::Before(open, QUIET)))
    }

    /// What rules for places, or the configuration else, say of a channel.
    async fn rule_for_unasked(&self, channel: &ChannelId) -> Result<UnaskedRule, StoreError> {
        let everywhere = UnaskedRule::Outside(self.config.quiet_hours);
        if !self.config.places.have_manners() {
            return Ok(everywhere);
        }
        let facts = self.store.hearing().place_facts(channel).await?;
        Ok(facts.map_or(everywhere, |facts| {
            let policy = self.config.policy_in(&facts);
            if policy.unasked.value {
                UnaskedRule::Outside(policy.quiet_hours.value)
            } else {
                UnaskedRule::Never
            }
        }))
    }

    /// Whether something that the place saw as open when the message `about` was said is not open any more, in the same
    /// words: then nothing is said of it. Only prompts with what is open (`response.open_loops`) can lead to such words.
    async fn is_settled_since(&self, channel: &ChannelId, about: MessageTs) -> Result<bool, StoreError> {
        if !self.config.response.open_loops {
            return Ok(false);
        }
        let visibility = self.store.hearing().seen_from(channel).await?;
        let as_of = |at: Timestamp| OpenLoopsQuery {
            visibility: &visibility,
            channel: None,
            asked: &EVERYTHING_OPEN,
            at,
            zone: &self.config.locale.timezone,
            language: self.templates.language(),
        };
        let then = find_open_loops(&self.store, &as_of(about.to_timestamp())).await?;
        let now = find_open_loops(&self.store, &as_of(self.clock.now())).await?;
        Ok(!then.open.iter().all(|one| now.open.contains(one)))
    }

    /// Gives up an unasked reply that has its words but is not posted yet, if what was open was settled meanwhile; whether
    /// it did.
    pub(super) async fn gives_up_settled(
        &self,
        claim: &Claim,
        reply: &WrittenReply,
    ) -> Result<bool, StoreError> {
        let is_begun = reply.parts.iter().any(|part| !matches!(part.state, PartState::Ready { .. }));
        let Some(about) = reply.about.filter(|_| reply.cause == Cause::Judgment && !is_begun) else {
            return Ok(false);
        };
        if reply.has_ended || !self.is_settled_since(&reply.place.channel, about).await? {
            return Ok(false);
        }
        tracing::info!(reply = %reply.id, channel = %reply.place.channel, reason = SETTLED, "not said");
        self.store.replies().skip(claim, reply.id, SETTLED, self.clock.now()).await?;
        Ok(true)
    }
}

/// Whether something may be said unasked in a channel.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum UnaskedRule {
    /// Nothing is.
    Never,
    /// Outside of these hours.
    Outside(Option<QuietHours>),
}
