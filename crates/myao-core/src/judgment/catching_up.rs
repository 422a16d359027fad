//! In which order channels are caught up of which something was missed (specification §4 catch-up).
//!
//! A platform allows so many calls a minute; in a workspace of a thousand channels a pass over all of them takes twenty
//! minutes and more. Whoever asks is not to wait for the channels in which nobody does.

use std::cmp::Reverse;

use jiff::SignedDuration;

use crate::chat::{ChannelId, MessageTs};

/// Every turn with a number that this divides goes to the channel that has waited longest, if one has waited too long.
const TURNS_PER_OVERDUE: u64 = 5;
/// How much older than the youngest gap a gap is that has waited too long: longer than a pass over a thousand channels.
/// Without it, channels at the end of the order would never have their turn where connections are lost often.
const OVERDUE_SECONDS: i64 = 1_800;
/// What a message in a direct message counts for: each is for us, in other channels hardly one of so many.
const DIRECT_WEIGHT: u64 = 10;
/// The span over which talk is counted, in seconds.
const WEEK_SECONDS: i64 = 7 * 24 * 3600;

/// Who waits in a channel, the most urgent first.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum WhoWaits {
    /// Somebody asked us something since we are connected.
    Asker,
    /// A reply that is wanted or written is not posted yet.
    Reply,
    /// Somebody spoke since we are connected.
    Speaker,
    /// Nobody, as far as is known.
    Nobody,
}

/// What is to be read next of a channel, the newest page first.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum NextPage {
    /// The newest page: it tells of missed messages, if there are any.
    Newest,
    /// A further page of what was missed in the last day.
    Recent,
    /// A page of what was missed long ago, or of what was read before: for old threads, edits and deletions.
    Older,
}

/// A channel of which something was missed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ChannelBehind {
    /// Which channel.
    pub id: ChannelId,
    /// Whether it is a direct message.
    pub is_direct: bool,
    /// Who waits there.
    pub who_waits: WhoWaits,
    /// What is to be read next.
    pub next: NextPage,
    /// Where its gap begins.
    pub gap_from: MessageTs,
    /// How many messages the week before had.
    pub week_of_talk: u64,
    /// The newest message that is known.
    pub last_talk: MessageTs,
    /// The span that is still to be read.
    pub rest: SignedDuration,
}

impl ChannelBehind {
    /// How likely the next page tells of something that somebody waits for: by the week before, and half as likely if
    /// it is not the newest page.
    fn liveliness(&self) -> u64 {
        let talk = self.week_of_talk.saturating_mul(if self.is_direct { DIRECT_WEIGHT } else { 1 });
        match self.next {
            NextPage::Newest => talk.saturating_mul(2),
            NextPage::Recent | NextPage::Older => talk,
        }
    }

    /// 0 is caught up first.
    fn urgency(&self) -> u8 {
        match (self.next, self.who_waits) {
            (NextPage::Newest | NextPage::Recent, WhoWaits::Asker) => 0,
            (NextPage::Newest | NextPage::Recent, WhoWaits::Reply) => 1,
            (NextPage::Newest, WhoWaits::Speaker) => 2,
            (NextPage::Newest | NextPage::Recent, WhoWaits::Speaker | WhoWaits::Nobody) => 3,
            (NextPage::Older, _) => 4,
        }
    }

    /// How many calls its rest takes, at `per_page` messages a page, if it goes on as in the week before.
    fn calls_left(&self, per_page: u64) -> u64 {
        let seconds = u64::try_from(self.rest.as_secs()).unwrap_or_default();
        let week = WEEK_SECONDS.unsigned_abs();
        let messages = u128::from(self.week_of_talk) * u128::from(seconds) / u128::from(week);
        u64::try_from(messages).unwrap_or(u64::MAX).div_ceil(per_page.max(1)).max(1)
    }
}

/// The channel of which a page is read at the turn with this number; `None` if there is none.
///
/// First where somebody asked, then where a reply waits, then where somebody speaks; then the liveliest by the week
/// before, a channel's next page half as likely as its newest. Pages of what is long past come last.
pub fn next_to_catch_up(channels: &[ChannelBehind], turn: u64) -> Option<&ChannelBehind> {
    let first = channels.iter().min_by_key(|channel| {
        (
            channel.urgency(),
            channel.who_waits,
            Reverse((channel.liveliness(), channel.last_talk)),
            channel.next,
            &channel.id,
        )
    })?;
    if first.urgency() == 0 || !turn.is_multiple_of(TURNS_PER_OVERDUE) {
        return Some(first);
    }
    Some(longest_overdue(channels).unwrap_or(first))
}

/// The channel whose newest page has waited longest, if that is longer than a pass over all channels takes.
fn longest_overdue(channels: &[ChannelBehind]) -> Option<&ChannelBehind> {
    let youngest = channels.iter().map(|channel| channel.gap_from).max()?;
    let overdue = youngest.plus_seconds(-OVERDUE_SECONDS);
    channels
        .iter()
        .filter(|channel| channel.next == NextPage::Newest && channel.gap_from < overdue)
        .min_by_key(|channel| (channel.gap_from, &channel.id))
}

/// How many calls it takes about until all of these channels are caught up, at `per_page` messages a page.
pub fn calls_to_catch_up(channels: &[ChannelBehind], per_page: u64) -> u64 {
    channels.iter().map(|channel| channel.calls_left(per_page)).fold(0, u64::saturating_add)
}
