//! Which channels a prompt has room for, so that what is read of them does not grow with the workspace.

use std::collections::{BTreeMap, BTreeSet};

use myao_core::{
    chat::{Channel, ChannelId},
    prompt::estimate_tokens,
};

/// Memories of other channels are read for so many times what a prompt holds: what is too long for the room that is left
/// makes way for something shorter behind it.
const ROOM: usize = 2;
/// A memory that has no room is cut to this share of a prompt.
const CUT_SHARE: usize = 4;

/// Leaves out the channels that a prompt of so many tokens has no room for, behind those that take [`ROOM`] times as
/// much; the place's `own` stays. False when there are any.
pub(super) fn narrow(
    own: &str,
    ranking: &mut Vec<Channel>,
    long_term: &mut BTreeMap<ChannelId, String>,
    tokens: usize,
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
    is_whole
}
