//! The channels that wait to be caught up, with what is known of each: a fixed number of statements for all of them.

use std::collections::{BTreeMap, BTreeSet};

use jiff::{SignedDuration, Timestamp};
use myao_core::{
    chat::{ChannelId, MessageTs},
    judgment::{ChannelBehind, WhoWaits},
};
use myao_store::{ChannelTalkCount, Gap, Store, StoreError};

use super::course::SweepCourse;
use crate::live::slack::{SlackRun, waiting::LiveSign};

/// How far before the gaps talk is counted: what was lively in the last week is so now.
const TALK_WITHIN: SignedDuration = SignedDuration::from_hours(7 * 24);

/// What is known of the channels that have a gap.
#[derive(Debug, Default)]
pub(super) struct SweepLine {
    /// How lively each was before its gap.
    talk: BTreeMap<ChannelId, ChannelTalkCount>,
    /// Where a reply waits.
    replies: BTreeSet<ChannelId>,
    /// How many turns were given.
    pub(super) turn: u64,
}

impl SweepLine {
    /// Reads what the order goes by. Talk is counted once for a gap: what comes later is known from its events.
    pub(super) async fn learn(&mut self, store: &Store, gaps: &[Gap]) -> Result<(), StoreError> {
        if gaps.is_empty() {
            *self = Self::default();
            return Ok(());
        }
        self.replies = store.hearing().channels_with_waiting_replies().await?;
        if gaps.iter().any(|gap| !self.talk.contains_key(&gap.channel)) {
            let youngest = gaps.iter().map(|gap| gap.from).max().unwrap_or(MessageTs::MAX);
            let since = youngest.plus_seconds(-TALK_WITHIN.as_secs());
            self.talk = store.hearing().talk_in_gapped_channels(since).await?;
        }
        Ok(())
    }

    /// What is known of a channel with a gap.
    pub(super) fn channel_behind(
        &self,
        slack: &SlackRun,
        gap: &Gap,
        course: Option<&SweepCourse>,
        now: Timestamp,
    ) -> ChannelBehind {
        let planned;
        let course = if let Some(course) = course.filter(|course| course.is_of(gap)) {
            course
        } else {
            planned = SweepCourse::plan(gap.clone(), slack.recheck_from(gap));
            &planned
        };
        let talk = self.talk.get(&gap.channel);
        ChannelBehind {
            id: gap.channel.clone(),
            is_direct: talk.is_some_and(|talk| talk.is_direct),
            who_waits: self.who_waits(slack, &gap.channel),
            next: course.next_page(now),
            gap_from: gap.from,
            week_of_talk: talk.map_or(0, |talk| talk.messages),
            last_talk: talk.map_or(MessageTs::MIN, |talk| talk.last_talk),
            rest: course.rest(now),
        }
    }

    fn who_waits(&self, slack: &SlackRun, channel: &ChannelId) -> WhoWaits {
        match slack.waiting.sign_of_life(channel) {
            Some(LiveSign::Asked) => WhoWaits::Asker,
            _ if self.replies.contains(channel) => WhoWaits::Reply,
            Some(LiveSign::Spoke) => WhoWaits::Speaker,
            None => WhoWaits::Nobody,
        }
    }
}
