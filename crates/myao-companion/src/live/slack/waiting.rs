//! In which channels somebody asked or spoke since we are connected: these are caught up before others.

use std::{
    collections::{BTreeMap, BTreeSet},
    sync::{Mutex, MutexGuard, PoisonError},
};

use myao_core::chat::ChannelId;
use tokio::sync::{Notify, watch};

/// What was heard of a channel.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum LiveSign {
    /// Somebody spoke.
    Spoke,
    /// Somebody asked us something.
    Asked,
}

/// What was heard of channels that may have a gap. Kept in memory only: replies that wait stand in the database.
#[derive(Debug, Default)]
pub(super) struct WaitingChannels {
    signs: Mutex<BTreeMap<ChannelId, LiveSign>>,
    /// The channels that had a gap when the database was last asked; `None` before that.
    gaps: Mutex<Option<BTreeSet<ChannelId>>>,
    /// Somebody asks in a channel with a gap of which nothing was heard, or in which people only spoke.
    asked: Notify,
    /// How many channels where somebody asked are being read.
    askers_read: watch::Sender<usize>,
}

/// While it is held, other sweeps make way.
#[derive(Debug)]
pub(super) struct AskerTurn<'a>(&'a WaitingChannels);

impl Drop for AskerTurn<'_> {
    fn drop(&mut self) {
        self.0.askers_read.send_modify(|count| *count = count.saturating_sub(1));
    }
}

impl WaitingChannels {
    /// Notes what was heard of a channel.
    pub(super) fn note(&self, channel: &ChannelId, sign: LiveSign) {
        let mut signs = self.signs();
        let before = signs.get(channel).copied();
        if before.is_some_and(|before| before >= sign) {
            return;
        }
        signs.insert(channel.clone(), sign);
        drop(signs);
        // Where there is no gap, nothing has to be read for the sake of whoever asks. One that opens is told of by a bell.
        if sign == LiveSign::Asked && self.gaps().as_ref().is_none_or(|gaps| gaps.contains(channel)) {
            self.asked.notify_one();
        }
    }

    /// What was heard of a channel.
    pub(super) fn sign_of_life(&self, channel: &ChannelId) -> Option<LiveSign> {
        self.signs().get(channel).copied()
    }

    /// Forgets the channels that have no gap.
    pub(super) fn keep_only(&self, gaps: &BTreeSet<&ChannelId>) {
        self.signs().retain(|channel, _| gaps.contains(channel));
        *self.gaps() = Some(gaps.iter().map(|channel| (*channel).clone()).collect());
    }

    /// Returns once somebody asks.
    pub(super) async fn somebody_asks(&self) {
        self.asked.notified().await;
    }

    /// A channel where somebody asked is being read.
    pub(super) fn asker_begins(&self) -> AskerTurn<'_> {
        self.askers_read.send_modify(|count| *count = count.saturating_add(1));
        AskerTurn(self)
    }

    /// Returns once no channel where somebody asked is being read.
    pub(super) async fn let_askers_pass(&self) {
        // The sender lives as long as `self`.
        drop(self.askers_read.subscribe().wait_for(|count| *count == 0).await);
    }

    fn gaps(&self) -> MutexGuard<'_, Option<BTreeSet<ChannelId>>> {
        self.gaps.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn signs(&self) -> MutexGuard<'_, BTreeMap<ChannelId, LiveSign>> {
        self.signs.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
