//! Bounds how many wrong tokens are looked up for one network.
//!
//! A token has 256 random bits, so nobody guesses one; but each look-up takes the database's time. Agents of one network
//! share an address, often this machine's own, so tokens that were right before are looked up whatever others try there.

use std::{
    collections::BTreeSet,
    net::IpAddr,
    sync::{Mutex, MutexGuard, PoisonError},
};

use jiff::{SignedDuration, Timestamp};
use myao_companion::connections::tries::{TryCounts, TryLimits};
use sha2::{Digest as _, Sha256};

/// The time over which tries are counted.
pub(super) const WINDOW: SignedDuration = SignedDuration::from_mins(1);
/// How many wrong tokens of one network are looked up.
const LIMITS: TryLimits = TryLimits { most_tries: 20, window: WINDOW, most_counts: 10_000 };
/// The most tokens that are known to have been right. There are some dozens.
const MOST_KNOWN: usize = 1_000;

/// Counts wrong tokens.
pub(super) struct TokenThrottle {
    tries: TryCounts<()>,
    /// Digests of tokens that were right when they were last looked up.
    known: Mutex<BTreeSet<[u8; 32]>>,
}

impl Default for TokenThrottle {
    fn default() -> Self {
        Self { tries: TryCounts::new(LIMITS), known: Mutex::default() }
    }
}

impl TokenThrottle {
    /// Whether a token may be looked up.
    pub(super) fn lets_try(&self, from: IpAddr, secret: &str, now: Timestamp) -> bool {
        self.known().contains(&digest(secret)) || self.tries.lets_try(from, (), now)
    }

    /// Notes that a token was right: it was no try.
    pub(super) fn was_right(&self, from: IpAddr, secret: &str) {
        let mut known = self.known();
        if !known.contains(&digest(secret)) {
            self.tries.take_back(from, ());
        }
        if known.len() < MOST_KNOWN {
            known.insert(digest(secret));
        }
    }

    /// Notes that a token was wrong, though it may have been right before.
    pub(super) fn was_wrong(&self, secret: &str) {
        self.known().remove(&digest(secret));
    }

    fn known(&self) -> MutexGuard<'_, BTreeSet<[u8; 32]>> {
        self.known.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

fn digest(secret: &str) -> [u8; 32] {
    Sha256::digest(secret.as_bytes()).into()
}
