//! Addresses in the local workspace: its own pages lead there, and those of the memory.

use myao_core::chat::{ChannelId, MessageTs};

use crate::visit::escaped;

/// How much of the talk after a message is shown where a link leads to it: an hour, in microseconds.
const SHOWN_AFTER: i64 = 3_600_000_000;

/// The address of a channel.
pub(crate) fn place(channel: &ChannelId) -> String {
    format!("/talk/at/{}", escaped(channel.as_str()))
}

/// Where a message stands in the talk, with what was said up to an hour after it.
pub(crate) fn message(channel: &ChannelId, ts: MessageTs) -> String {
    let before = MessageTs::from_micros(ts.as_micros().saturating_add(SHOWN_AFTER));
    format!("{}?before={before}#{}", place(channel), anchor(ts))
}

/// What a message is called within the page.
pub(crate) fn anchor(ts: MessageTs) -> String {
    format!("m{}", ts.to_string().replace('.', "-"))
}
