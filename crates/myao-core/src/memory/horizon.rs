//! Computes up to when a channel's messages are known to be complete (SPEC §2.1).

use jiff::Timestamp;

use crate::chat::MessageTs;

/// Seconds after it was posted in which a message may still be on its way to us.
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
/// before `now`. Chapters are cut only up to it, so that a delayed event cannot fall behind a cut.
pub fn horizon(heard: Completeness, now: Timestamp) -> MessageTs {
    let settled = MessageTs::from_timestamp(now).plus_seconds(-SETTLING_SECONDS);
    // The first instant of a gap already belongs to it (DESIGN A).
    let gap = heard.gap_from.map_or(MessageTs::MAX, MessageTs::just_before);
    let known = if heard.member { gap } else { heard.until };
    known.min(settled)
}
