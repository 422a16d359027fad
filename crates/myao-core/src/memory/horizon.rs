//! Up to when a channel is known to be complete (SPEC §2.1).

use jiff::Timestamp;

use crate::chat::MessageTs;

/// A message may still be on its way for so long after it was posted.
pub const SETTLING_SECONDS: i64 = 30;

/// What is known of a channel's completeness.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Completeness {
    /// The bot is in the channel and hears everything as it is said.
    pub member: bool,
    /// Where hearing was interrupted, until the gap is filled.
    pub gap_from: Option<MessageTs>,
    /// Without live hearing: the moment an import or the last visit reached.
    pub until: MessageTs,
}

/// The moment up to which everything said is in the archive: the catch-up cursor, never later than 30 s
/// before `now`, never the bare clock. Nothing after it is looked at, so that a delayed event cannot fall
/// behind a cut.
pub fn horizon(heard: Completeness, now: Timestamp) -> MessageTs {
    let settled = MessageTs::from_timestamp(now).plus_seconds(-SETTLING_SECONDS);
    // Nothing is looked at that lies in a gap, its first instant included (DESIGN A).
    let gap = heard.gap_from.map_or(MessageTs::MAX, MessageTs::just_before);
    let known = if heard.member { gap } else { heard.until };
    known.min(settled)
}
