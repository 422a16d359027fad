//! What is to be looked up.

use std::{
    collections::BTreeSet,
    sync::{Mutex, MutexGuard, PoisonError},
};

use jiff::{SignedDuration, Timestamp};
use myao_core::chat::{ChannelId, UserId, later};
use tokio::sync::{Notify, watch};

/// However often the connection is lost, everything is looked up again no more often. Until it is, places see
/// little of one another.
const OVERVIEW_EVERY: SignedDuration = SignedDuration::from_mins(2);

/// Something to be looked up.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Lookup {
    /// Every channel we are in, and everybody.
    Everything,
    /// A channel as it is now.
    Channel(ChannelId),
    /// A person or bot as they are now.
    Person(UserId),
}

/// What is to be looked up. Kept in memory only: after a restart everything is looked up anyway.
#[derive(Debug)]
pub struct Lookups {
    wishes: Mutex<PendingLookups>,
    overview: Notify,
    channel: Notify,
    person: Notify,
    tried: watch::Sender<bool>,
    /// Moves whenever something was looked up, or that was tried in vain.
    ended: watch::Sender<u64>,
}

#[derive(Debug, Default)]
struct PendingLookups {
    /// From when on everything is to be looked up; none while nobody wants it.
    overview: Option<Timestamp>,
    /// When that was last done.
    overview_at: Option<Timestamp>,
    /// Channels wanted while everything was being looked up: what it says of them may be older.
    changed: BTreeSet<ChannelId>,
    channels: BTreeSet<ChannelId>,
    /// Those of them that a reply waits for.
    first: BTreeSet<ChannelId>,
    /// Channels that were last looked up in vain.
    in_vain: BTreeSet<ChannelId>,
    people: BTreeSet<UserId>,
    /// Whom the last overview met.
    met: BTreeSet<UserId>,
}

impl PendingLookups {
    fn next_channel(&mut self) -> Option<ChannelId> {
        let first = self.first.pop_first();
        let next = first.or_else(|| self.channels.pop_first())?;
        self.channels.remove(&next);
        Some(next)
    }
}

impl Default for Lookups {
    fn default() -> Self {
        Self {
            wishes: Mutex::default(),
            overview: Notify::new(),
            channel: Notify::new(),
            person: Notify::new(),
            tried: watch::Sender::new(false),
            ended: watch::Sender::new(0),
        }
    }
}

impl Lookups {
    /// Wants this looked up; wanting it twice is wanting it once.
    pub fn want(&self, lookup: Lookup) {
        let mut wishes = self.wishes();
        match lookup {
            Lookup::Everything => {
                wishes.overview = Some(Timestamp::MIN);
                self.overview.notify_one();
            }
            Lookup::Channel(id) => {
                wishes.changed.insert(id.clone());
                wishes.channels.insert(id);
                self.channel.notify_one();
            }
            Lookup::Person(id) => {
                wishes.people.insert(id);
                self.person.notify_one();
            }
        }
    }

    /// Wants a channel looked up before all others: somebody waits for it.
    pub fn want_first(&self, id: &ChannelId) {
        let mut wishes = self.wishes();
        wishes.in_vain.remove(id);
        wishes.first.insert(id.clone());
        drop(wishes);
        self.want(Lookup::Channel(id.clone()));
    }

    /// Changes whenever something was looked up, or that was tried in vain.
    pub fn ended(&self) -> watch::Receiver<u64> {
        self.ended.subscribe()
    }

    /// Whether a channel was looked up in vain since somebody began to wait for it.
    pub fn was_in_vain(&self, id: &ChannelId) -> bool {
        self.wishes().in_vain.contains(id)
    }

    /// A channel was looked up, or that was tried in vain.
    pub(super) fn channel_ends(&self, id: &ChannelId, in_vain: bool) {
        let mut wishes = self.wishes();
        if in_vain {
            wishes.in_vain.insert(id.clone());
        } else {
            wishes.in_vain.remove(id);
        }
        drop(wishes);
        self.ended.send_modify(|ended| *ended = ended.wrapping_add(1));
    }

    /// Wants everything looked up again, but not if that was done just now: then a little later.
    pub fn refresh(&self) {
        let mut wishes = self.wishes();
        let due = wishes.overview_at.map_or(Timestamp::MIN, |at| later(at, OVERVIEW_EVERY));
        wishes.overview = Some(wishes.overview.map_or(due, |before| before.min(due)));
        self.overview.notify_one();
    }

    /// When everything is to be looked up, once somebody wants that.
    pub(super) async fn overview_due(&self) -> Timestamp {
        loop {
            if let Some(due) = self.wishes().overview {
                return due;
            }
            self.overview.notified().await;
        }
    }

    /// Everything begins to be looked up.
    pub(super) fn overview_begins(&self) {
        let mut wishes = self.wishes();
        wishes.overview = None;
        wishes.changed.clear();
    }

    /// It was looked up, and these were met; or it was not.
    pub(super) fn overview_ends(&self, met: Option<(BTreeSet<UserId>, Timestamp)>) {
        let mut wishes = self.wishes();
        if let Some((met, at)) = met {
            (wishes.met, wishes.overview_at) = (met, Some(at));
        }
        self.tried.send_replace(true);
        self.ended.send_modify(|ended| *ended = ended.wrapping_add(1));
    }

    /// Returns once everything was looked up, or that was tried in vain.
    pub(super) async fn overview_tried(&self) {
        // The sender lives as long as `self`.
        drop(self.tried.subscribe().wait_for(|tried| *tried).await);
    }

    /// Whether somebody wanted this channel since everything began to be looked up.
    pub(super) fn has_changed(&self, id: &ChannelId) -> bool {
        self.wishes().changed.contains(id)
    }

    /// When the last overview met this person.
    pub(super) fn met_at(&self, id: &UserId) -> Option<Timestamp> {
        let wishes = self.wishes();
        wishes.overview_at.filter(|_| wishes.met.contains(id))
    }

    /// The next channel, once there is one; it is no longer wanted.
    pub(super) async fn next_channel(&self) -> ChannelId {
        loop {
            if let Some(id) = self.wishes().next_channel() {
                return id;
            }
            self.channel.notified().await;
        }
    }

    /// Whether this channel is wanted.
    pub(super) fn wants_channel(&self, id: &ChannelId) -> bool {
        self.wishes().channels.contains(id)
    }

    /// The next person, once there is one; they are no longer wanted.
    pub(super) async fn next_person(&self) -> UserId {
        loop {
            if let Some(id) = self.wishes().people.pop_first() {
                return id;
            }
            self.person.notified().await;
        }
    }

    fn wishes(&self) -> MutexGuard<'_, PendingLookups> {
        self.wishes.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
