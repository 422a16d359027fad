//! Computes up to when a channel's messages are known to be complete (specification §2.1).

use jiff::Timestamp;

use crate::chat::MessageTs;

/// For how many seconds after it was posted a message may still be on its way to us.
pub const SETTLING_SECONDS: i64 = 30;

/// What is known of a channel's completeness.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Completeness {
    /// The bot is in the channel and hears everything as it is said.
    pub member: bool,
    /// From when on we did not hear the channel; `None` if there is no gap, or once it is filled.
    pub gap_from: Option<MessageTs>,
    /// Up to when an import or the last visit read the channel. It counts only where we are no member.
    pub until: MessageTs,
}

/// The moment up to which everything said is in the archive: the catch-up cursor, never later than 30 s
/// before `now`. Chapters are cut only up to it, so that a delayed event cannot fall behind a cut.
pub fn horizon_of_channel(heard: Completeness, now: Timestamp) -> MessageTs {
    let settled = MessageTs::from_timestamp(now).plus_seconds(-SETTLING_SECONDS);
    // The first instant of a gap belongs to the gap (design §2).
    let gap = heard.gap_from.map_or(MessageTs::MAX, MessageTs::just_before);
    let known = if heard.member { gap } else { heard.until };
    known.min(settled)
}
