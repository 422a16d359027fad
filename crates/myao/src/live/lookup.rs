//! Names and kinds of people and channels, learnt beside the messages: a name may be late, a message never
//! (SPEC §4).

use std::{
    collections::BTreeSet,
    sync::{Arc, Mutex, PoisonError},
};

use myao_core::chat::{ChannelId, UserId};
use tokio::sync::Notify;

use super::{LiveError, Shared};

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
#[derive(Debug, Default)]
pub struct Lookups {
    wanted: Mutex<BTreeSet<Lookup>>,
    bell: Notify,
}

impl Lookups {
    /// Wants this looked up; wanting it twice is wanting it once.
    pub fn want(&self, lookup: Lookup) {
        self.wanted.lock().unwrap_or_else(PoisonError::into_inner).insert(lookup);
        self.bell.notify_one();
    }
}

/// Looks things up as they are wanted, within Slack's rates.
pub(super) async fn learn(shared: Arc<Shared>) -> Result<(), LiveError> {
    shared.stop.cancelled().await;
    Ok(())
}
