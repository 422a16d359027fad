//! Channels in which there is nothing to do, so that a program that looks every minute writes nothing for
//! hundreds of quiet ones.

use std::{
    collections::BTreeMap,
    sync::{Mutex, PoisonError},
};

use jiff::{SignedDuration, Timestamp};
use myao_core::chat::ChannelId;
use myao_store::ChannelRow;

/// A channel at rest is looked at again this often all the same: some work becomes due by time alone (small
/// chapters are merged after a day), or was made by a command that ran beside.
const LOOKED_AT_EVERY: SignedDuration = SignedDuration::from_mins(10);

/// Which channels rest, and until when. It only saves looking: lost with the process, nothing is missed.
#[derive(Debug, Default)]
pub(crate) struct Rested(Mutex<BTreeMap<ChannelId, Rest>>);

#[derive(Clone, Copy, Debug)]
struct Rest {
    /// Every event in the channel moves it.
    revision: i64,
    until: Timestamp,
}

impl Rested {
    /// Whether nothing happened in a channel since it was brought up to date.
    pub(super) fn contains(&self, row: &ChannelRow, now: Timestamp) -> bool {
        let rested = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        rested.get(&row.channel.id).is_some_and(|rest| rest.revision == row.revision && now < rest.until)
    }

    /// A channel was brought up to date, as it stood in `row`, and no talk of it waits to be cut.
    pub(super) fn insert(&self, row: &ChannelRow, now: Timestamp) {
        let until = now.saturating_add(LOOKED_AT_EVERY).unwrap_or(Timestamp::MAX);
        let rest = Rest { revision: row.revision, until };
        self.0.lock().unwrap_or_else(PoisonError::into_inner).insert(row.channel.id.clone(), rest);
    }
}
