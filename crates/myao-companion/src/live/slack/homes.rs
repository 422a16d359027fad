//! Which Home tabs people see, as far as this process showed them.

use std::{
    collections::BTreeMap,
    sync::{Mutex, MutexGuard, PoisonError},
};

use myao_core::chat::UserId;

/// Of how many people it is kept what they see. When there are more, all is forgotten, and Slack tells it again.
const MOST_KEPT: usize = 10_000;

/// The hashes of the tabs that were shown by this process.
#[derive(Debug, Default)]
pub(super) struct ShownHomes(Mutex<BTreeMap<UserId, String>>);

impl ShownHomes {
    fn hashes(&self) -> MutexGuard<'_, BTreeMap<UserId, String>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    pub(super) fn note(&self, user: &UserId, hash: String) {
        let mut hashes = self.hashes();
        if hashes.len() >= MOST_KEPT {
            hashes.clear();
        }
        hashes.insert(user.clone(), hash);
    }

    pub(super) fn of(&self, user: &UserId) -> Option<String> {
        self.hashes().get(user).cloned()
    }
}
