//! Addresses in the local workspace, for its own pages and for the pages about memory.

use myao_core::chat::{ChannelId, MessageTs};

use crate::visit::escape_path_part;

/// How much talk after a message is shown where a link leads to the message: an hour, in microseconds.
const SHOWN_AFTER: i64 = 3_600_000_000;

/// The address of a channel.
pub(crate) fn channel_address(channel: &ChannelId) -> String {
    format!("/talk/at/{}", escape_path_part(channel.as_str()))
}

/// The address of a message in the talk, which is shown with what was said up to an hour later.
pub(crate) fn message_address(channel: &ChannelId, ts: MessageTs) -> String {
    let before = MessageTs::from_micros(ts.as_micros().saturating_add(SHOWN_AFTER));
    format!("{}?before={before}#{}", channel_address(channel), message_anchor(ts))
}

/// The id of a message within a page of the local workspace.
pub(crate) fn message_anchor(ts: MessageTs) -> String {
    format!("m{}", ts.to_string().replace('.', "-"))
}
