//! Bounds how many wrong tokens are looked up for one network.
//!
//! A token has 256 random bits, so nobody guesses one; but each look-up takes the database's time. Agents of one network
//! share an address, often this machine's own, so tokens that were right before are looked up whatever others try there.

use std::{
    collections::{BTreeMap, BTreeSet},
    net::IpAddr,
    sync::{Mutex, MutexGuard, PoisonError},
};

use jiff::{SignedDuration, Timestamp};
use sha2::{Digest as _, Sha256};

/// The most wrong tokens of one network that are looked up within [`WINDOW`].
const MOST_TRIES: u32 = 20;
/// The time over which tries are counted.
pub(super) const WINDOW: SignedDuration = SignedDuration::from_mins(1);
/// The most networks that are counted separately; all others share one count. This bounds the memory that a flood of
/// tries from everywhere can take.
const MOST_COUNTS: usize = 10_000;
/// The most tokens that are known to have been right. There are some dozens.
const MOST_KNOWN: usize = 1_000;

/// How often one network tried, and since when that is counted.
#[derive(Clone, Copy)]
struct TokenTries {
    count: u32,
    since: Timestamp,
}

#[derive(Default)]
struct Counts {
    tries: BTreeMap<IpAddr, TokenTries>,
    /// Digests of tokens that were right when they were last looked up.
    known: BTreeSet<[u8; 32]>,
}

/// Counts wrong tokens.
#[derive(Default)]
pub(super) struct TokenThrottle(Mutex<Counts>);

impl TokenThrottle {
    /// Whether a token may be looked up. A try is counted before that, so that many tries at once get no more than others.
    pub(super) fn lets_try(&self, from: IpAddr, secret: &str, now: Timestamp) -> bool {
        let mut counts = self.counts();
        if counts.known.contains(&digest(secret)) {
            return true;
        }
        let is_over = |tries: &TokenTries| now.duration_since(tries.since) >= WINDOW;
        if counts.tries.len() >= MOST_COUNTS {
            counts.tries.retain(|_, tries| !is_over(tries));
        }
        let mut network = counted_network(from);
        if counts.tries.len() >= MOST_COUNTS && !counts.tries.contains_key(&network) {
            network = IpAddr::from([0, 0, 0, 0]);
        }
        let counted = counts.tries.entry(network).or_insert(TokenTries { count: 0, since: now });
        if is_over(counted) {
            *counted = TokenTries { count: 0, since: now };
        }
        counted.count = counted.count.saturating_add(1);
        counted.count <= MOST_TRIES
    }

    /// Notes that a token was right: it was no try.
    pub(super) fn was_right(&self, from: IpAddr, secret: &str) {
        let mut counts = self.counts();
        let is_new = !counts.known.contains(&digest(secret));
        if let Some(tries) = counts.tries.get_mut(&counted_network(from)).filter(|_| is_new) {
            tries.count = tries.count.saturating_sub(1);
        }
        if counts.known.len() < MOST_KNOWN {
            counts.known.insert(digest(secret));
        }
    }

    /// Notes that a token was wrong, though it may have been right before.
    pub(super) fn was_wrong(&self, secret: &str) {
        self.counts().known.remove(&digest(secret));
    }

    fn counts(&self) -> MutexGuard<'_, Counts> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

fn digest(secret: &str) -> [u8; 32] {
    Sha256::digest(secret.as_bytes()).into()
}

/// The network that an address is counted under: an IPv6 address counts by its first 64 bits, because one household or
/// server has 2^64 addresses.
fn counted_network(address: IpAddr) -> IpAddr {
    match address {
        IpAddr::V4(_) => address,
        IpAddr::V6(six) => match six.to_ipv4_mapped() {
            Some(four) => IpAddr::V4(four),
            None => IpAddr::from((u128::from(six) & !u128::from(u64::MAX)).to_be_bytes()),
        },
    }
}
