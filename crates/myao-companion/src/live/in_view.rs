//! What people look at beside their direct messages with us, as the platform tells it: what is found in those channels
//! bears a little more on what they ask. It is kept nowhere else, and shows nobody more than they see anyway.

use std::{
    collections::{BTreeSet, HashMap},
    sync::{Mutex, MutexGuard, PoisonError},
};

use jiff::{SignedDuration, Timestamp};
use myao_core::chat::{ChannelId, UserId, instant_after};

/// How long it is believed: the platform tells of changes, but an event may be missed.
const BELIEVED_FOR: SignedDuration = SignedDuration::from_hours(1);
/// Of how many people it is kept. When there are more, all is forgotten.
const MOST_KEPT: usize = 10_000;

/// The channels that people look at, as far as this process was told.
#[derive(Debug, Default)]
pub struct ChannelsInView(Mutex<KeptViews>);

#[derive(Debug, Default)]
struct KeptViews {
    /// By their direct messages with us; until when, in steady time.
    by_direct_messages: HashMap<ChannelId, (Timestamp, BTreeSet<ChannelId>)>,
    direct_messages: HashMap<UserId, ChannelId>,
}

impl ChannelsInView {
    fn kept(&self) -> MutexGuard<'_, KeptViews> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Notes which channel holds somebody's direct messages with us.
    pub fn note_direct_messages(&self, user: &UserId, channel: &ChannelId) {
        let known = &mut self.kept().direct_messages;
        if known.len() >= MOST_KEPT {
            known.clear();
        }
        known.insert(user.clone(), channel.clone());
    }

    /// Notes what somebody looks at from now on, told of them or of their direct messages with us. `now` is steady.
    pub fn note(
        &self,
        user: Option<&UserId>,
        direct_messages: Option<&ChannelId>,
        channels: BTreeSet<ChannelId>,
        now: Timestamp,
    ) {
        let mut kept = self.kept();
        // Nobody outside has seen whether the channel that is told is always that of the direct messages.
        let known = user.and_then(|user| kept.direct_messages.get(user));
        let Some(place) = known.or(direct_messages).cloned() else { return };
        let views = &mut kept.by_direct_messages;
        if channels.is_empty() {
            views.remove(&place);
            return;
        }
        if views.len() >= MOST_KEPT {
            views.clear();
        }
        views.insert(place, (instant_after(now, BELIEVED_FOR), channels));
    }

    /// What the person looks at whose direct messages with us these are. `now` is steady.
    pub fn from(&self, direct_messages: &ChannelId, now: Timestamp) -> BTreeSet<ChannelId> {
        let kept = self.kept();
        let view = kept.by_direct_messages.get(direct_messages).filter(|(until, _)| *until > now);
        view.map(|(_, channels)| channels.clone()).unwrap_or_default()
    }
}
