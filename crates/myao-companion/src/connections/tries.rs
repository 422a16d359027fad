//! Counts how often networks try something secret, so that nobody can try without end.

use std::{
    collections::BTreeMap,
    net::IpAddr,
    sync::{Mutex, MutexGuard, PoisonError},
};

use jiff::{SignedDuration, Timestamp};

/// How often something may be tried.
#[derive(Clone, Copy, Debug)]
pub struct TryLimits {
    /// How often one network may try the same within [`Self::window`].
    pub most_tries: u32,
    /// The time over which tries are counted.
    pub window: SignedDuration,
    /// The most networks that are counted separately; all others share one count. This bounds the memory that a flood of
    /// tries from everywhere can take.
    pub most_counts: usize,
}

/// How often one network tried the same, and since when that is counted.
#[derive(Clone, Copy)]
struct Tries {
    count: u32,
    since: Timestamp,
}

/// Counts tries by network and by what is tried, such as an account.
pub struct TryCounts<On> {
    limits: TryLimits,
    tries: Mutex<BTreeMap<(IpAddr, On), Tries>>,
}

impl<On: Ord + Copy> TryCounts<On> {
    /// Nothing was tried yet.
    pub fn new(limits: TryLimits) -> Self {
        Self { limits, tries: Mutex::default() }
    }

    /// Whether somebody may try. A try is counted before it is made, so that many at once get no more than others.
    pub fn lets_try(&self, from: IpAddr, on: On, now: Timestamp) -> bool {
        let TryLimits { most_tries, window, most_counts } = self.limits;
        let mut tries = self.tries();
        let is_over = |tries: &Tries| now.duration_since(tries.since) >= window;
        if tries.len() >= most_counts {
            tries.retain(|_, tries| !is_over(tries));
        }
        let mut counted_as = (counted_network(from), on);
        if tries.len() >= most_counts && !tries.contains_key(&counted_as) {
            counted_as = (IpAddr::from([0, 0, 0, 0]), on);
        }
        let counted = tries.entry(counted_as).or_insert(Tries { count: 0, since: now });
        if is_over(counted) {
            *counted = Tries { count: 0, since: now };
        }
        counted.count = counted.count.saturating_add(1);
        counted.count <= most_tries
    }

    /// Drops the count of a network for what it tried: that alone.
    pub fn forgive(&self, from: IpAddr, on: On) {
        self.tries().remove(&(counted_network(from), on));
    }

    /// Takes back one try, which was none.
    pub fn take_back(&self, from: IpAddr, on: On) {
        if let Some(tries) = self.tries().get_mut(&(counted_network(from), on)) {
            tries.count = tries.count.saturating_sub(1);
        }
    }

    fn tries(&self) -> MutexGuard<'_, BTreeMap<(IpAddr, On), Tries>> {
        self.tries.lock().unwrap_or_else(PoisonError::into_inner)
    }
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
