//! Queues the lookups of channels, people and files.

use std::{
    collections::BTreeSet,
    sync::{Mutex, MutexGuard, PoisonError},
};

use jiff::{SignedDuration, Timestamp};
use myao_core::chat::{ChannelId, MessageTs, UserId, instant_after};
use tokio::sync::{Notify, watch};

/// The shortest time between two lookups of everything, however often the connection is lost. Until everything is looked
/// up, places see little of one another.
const OVERVIEW_EVERY: SignedDuration = SignedDuration::from_mins(2);
/// The most files that wait for a lookup. Others are looked up when their message is read again.
const MOST_FILES: usize = 1_000;

/// Something to be looked up.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Lookup {
    /// Every channel we are in, and everybody.
    Everything,
    /// A channel as it is now.
    Channel(ChannelId),
    /// A person or bot as they are now.
    Person(UserId),
    /// A file of a message that tells only its id.
    File {
        /// The message's channel.
        channel: ChannelId,
        /// Its time stamp.
        ts: MessageTs,
        /// The file's id.
        id: String,
    },
}

/// The queue of lookups. It is kept in memory only: after a restart everything is looked up anyway.
#[derive(Debug, Default)]
pub struct Lookups {
    pending: Mutex<PendingLookups>,
    overview: Notify,
    channel: Notify,
    person: Notify,
    file: Notify,
    /// Whether the overview has ended once, with or without success.
    tried: watch::Sender<bool>,
    /// Counts the lookups of channels and of everything that have ended, with or without success.
    ended: watch::Sender<u64>,
}

#[derive(Debug, Default)]
struct PendingLookups {
    /// When everything is to be looked up, in steady time; `None` while nobody wants that.
    overview: Option<Timestamp>,
    /// When everything was last looked up, in steady time.
    overview_at: Option<Timestamp>,
    /// Channels that were queued since the overview began: its answer for them may be outdated.
    changed: BTreeSet<ChannelId>,
    channels: BTreeSet<ChannelId>,
    /// Those of `channels` that a reply waits for.
    first: BTreeSet<ChannelId>,
    /// Channels that a reply waits for and whose lookups have not ended.
    awaited: BTreeSet<ChannelId>,
    /// Channels whose last lookup failed.
    failed: BTreeSet<ChannelId>,
    people: BTreeSet<UserId>,
    /// People who ask us something.
    askers: BTreeSet<UserId>,
    files: BTreeSet<(ChannelId, MessageTs, String)>,
    /// The people whom the last overview listed.
    listed: BTreeSet<UserId>,
}

impl PendingLookups {
    fn next_channel(&mut self) -> Option<ChannelId> {
        let first = self.first.pop_first();
        let next = first.or_else(|| self.channels.pop_first())?;
        self.channels.remove(&next);
        Some(next)
    }
}

impl Lookups {
    /// Queues a lookup, unless it is queued already.
    pub fn want(&self, lookup: Lookup) {
        let mut pending = self.pending();
        match lookup {
            Lookup::Everything => {
                pending.overview = Some(Timestamp::MIN);
                self.overview.notify_one();
            }
            Lookup::Channel(id) => {
                pending.changed.insert(id.clone());
                pending.channels.insert(id);
                self.channel.notify_one();
            }
            Lookup::Person(id) => {
                pending.people.insert(id);
                self.person.notify_one();
            }
            Lookup::File { channel, ts, id } => {
                if pending.files.len() < MOST_FILES {
                    pending.files.insert((channel, ts, id));
                    self.file.notify_one();
                }
            }
        }
    }

    /// Queues a channel before all others, because a reply waits for it.
    pub fn want_first(&self, id: &ChannelId) {
        let mut pending = self.pending();
        pending.failed.remove(id);
        pending.first.insert(id.clone());
        pending.awaited.insert(id.clone());
        drop(pending);
        self.want(Lookup::Channel(id.clone()));
    }

    /// Queues a person before all others, since they ask us something: their name is to be known without waiting until
    /// everybody is listed.
    pub fn want_asker(&self, id: &UserId) {
        self.pending().askers.insert(id.clone());
        self.person.notify_one();
    }

    /// Returns once no reply waits for the lookup of its channel: whoever looks everything up lets it go first.
    pub(super) async fn nobody_waits(&self) {
        let mut ended = self.ended.subscribe();
        while !self.pending().awaited.is_empty() {
            // The sender lives as long as `self`.
            drop(ended.changed().await);
        }
    }

    /// Changes whenever a lookup of a channel or of everything ends, with or without success.
    pub fn ended(&self) -> watch::Receiver<u64> {
        self.ended.subscribe()
    }

    /// Whether a channel's lookup failed since [`Lookups::want_first`].
    pub fn has_failed(&self, id: &ChannelId) -> bool {
        self.pending().failed.contains(id)
    }

    /// Notes that a channel's lookup ended; `failed`: without success.
    pub(super) fn channel_ends(&self, id: &ChannelId, failed: bool) {
        let mut pending = self.pending();
        pending.awaited.remove(id);
        if failed {
            pending.failed.insert(id.clone());
        } else {
            pending.failed.remove(id);
        }
        drop(pending);
        self.ended.send_modify(|ended| *ended = ended.wrapping_add(1));
    }

    /// Queues a lookup of everything, at least `OVERVIEW_EVERY` after the last one.
    pub fn refresh(&self) {
        let mut pending = self.pending();
        let due = pending.overview_at.map_or(Timestamp::MIN, |at| instant_after(at, OVERVIEW_EVERY));
        pending.overview = Some(pending.overview.map_or(due, |before| before.min(due)));
        self.overview.notify_one();
    }

    /// Waits until a lookup of everything is queued, and returns when it is due, in steady time.
    pub(super) async fn overview_due(&self) -> Timestamp {
        loop {
            if let Some(due) = self.pending().overview {
                return due;
            }
            self.overview.notified().await;
        }
    }

    /// Notes that a lookup of everything begins.
    pub(super) fn overview_begins(&self) {
        let mut pending = self.pending();
        pending.overview = None;
        pending.changed.clear();
    }

    /// Notes that a lookup of everything ended. `Some`: who was listed, and when, in steady time; `None`: it failed.
    pub(super) fn overview_ends(&self, found: Option<(BTreeSet<UserId>, Timestamp)>) {
        let mut pending = self.pending();
        if let Some((listed, at)) = found {
            (pending.listed, pending.overview_at) = (listed, Some(at));
        }
        self.tried.send_replace(true);
        self.ended.send_modify(|ended| *ended = ended.wrapping_add(1));
    }

    /// Returns once a lookup of everything has ended, with or without success.
    pub(in crate::live) async fn overview_tried(&self) {
        // The sender lives as long as `self`.
        drop(self.tried.subscribe().wait_for(|tried| *tried).await);
    }

    /// Whether this channel was queued since the lookup of everything began.
    pub(super) fn has_changed(&self, id: &ChannelId) -> bool {
        self.pending().changed.contains(id)
    }

    /// When everything was last looked up, in steady time, if this person was listed.
    pub(super) fn listed_at(&self, id: &UserId) -> Option<Timestamp> {
        let pending = self.pending();
        pending.overview_at.filter(|_| pending.listed.contains(id))
    }

    /// Waits for the next channel and takes it from the queue.
    pub(super) async fn next_channel(&self) -> ChannelId {
        loop {
            if let Some(id) = self.pending().next_channel() {
                return id;
            }
            self.channel.notified().await;
        }
    }

    /// Whether this channel is queued.
    pub(super) fn wants_channel(&self, id: &ChannelId) -> bool {
        self.pending().channels.contains(id)
    }

    /// Waits for the next person and takes them from the queue. Until everybody was listed, only those who ask us
    /// something are taken: listing takes a few calls, looking up each person one call.
    pub(super) async fn next_person(&self) -> UserId {
        let mut tried = self.tried.subscribe();
        loop {
            let is_listed = *tried.borrow_and_update();
            let next = {
                let mut pending = self.pending();
                let asker = pending.askers.pop_first();
                asker.or_else(|| is_listed.then(|| pending.people.pop_first()).flatten())
            };
            if let Some(id) = next {
                return id;
            }
            tokio::select! {
                () = self.person.notified() => {}
                // The sender lives as long as `self`.
                _ = tried.changed() => {}
            }
        }
    }

    /// Waits for the next file and takes it from the queue, the newest first of a channel.
    pub(super) async fn next_file(&self) -> (ChannelId, MessageTs, String) {
        loop {
            if let Some(file) = self.pending().files.pop_last() {
                return file;
            }
            self.file.notified().await;
        }
    }

    fn pending(&self) -> MutexGuard<'_, PendingLookups> {
        self.pending.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
