//! Chooses the channels that a prompt has room for, so that what is read of them does not grow with the workspace.

use std::collections::{BTreeMap, BTreeSet};

use myao_core::{
    chat::{Channel, ChannelId},
    text::estimate_tokens,
};

/// How many times the size of a prompt is read of other channels' memories: one that is too long for the remaining room
/// makes way for a shorter one after it.
const ROOM: usize = 2;

/// A memory for which there is no room is cut to one part in `CUT_SHARE` of a prompt.
const CUT_SHARE: usize = 4;

/// Drops the channels that a prompt of `tokens` tokens has no room for: those after the ones that take [`ROOM`] times
/// as much. The place's `own` channel stays. `false` if there is no room for older versions of other channels: if any
/// channel was dropped, or if `most` others have a long-term memory, which is as many as a prompt may hold.
pub(super) fn drop_channels_without_room(
    own: &str,
    ranking: &mut Vec<Channel>,
    long_term: &mut BTreeMap<ChannelId, String>,
    tokens: usize,
    most: usize,
) -> bool {
    let mut room = tokens.saturating_mul(ROOM);
    let mut kept = BTreeSet::new();
    for channel in ranking.iter() {
        if channel.id.as_str() == own {
            kept.insert(channel.id.clone());
        } else if room > 0 {
            let text = long_term.get(&channel.id);
            let taken = text.map_or(0, |text| estimate_tokens(text).min(tokens / CUT_SHARE));
            room = room.saturating_sub(taken);
            kept.insert(channel.id.clone());
        }
    }
    let is_whole = kept.len() == ranking.len();
    ranking.retain(|channel| kept.contains(&channel.id));
    long_term.retain(|id, _| kept.contains(id));
    is_whole && long_term.keys().filter(|id| id.as_str() != own).count() < most
}
