//! Slows down the guessing of passwords.

use std::{
    collections::BTreeMap,
    net::IpAddr,
    sync::{Mutex, MutexGuard, PoisonError},
};

use jiff::{SignedDuration, Timestamp};
use tokio::sync::Semaphore;

use super::passwords::Password;

/// The most wrong passwords that one network may try within [`WINDOW`].
const MOST_TRIES: u32 = 10;
/// The time over which tries are counted.
const WINDOW: SignedDuration = SignedDuration::from_mins(15);
/// The most networks that are counted separately; all others share one count. This bounds the memory that a flood of
/// tries from everywhere can take.
const MOST_NETWORKS: usize = 10_000;
/// How many passwords are checked at a time: each check takes 19 MiB and a processor.
const AT_A_TIME: usize = 2;

/// How often one network tried a password, and since when that is counted.
#[derive(Clone, Copy)]
struct Tries {
    count: u32,
    since: Timestamp,
}

pub(super) struct SignInThrottle {
    tries: Mutex<BTreeMap<IpAddr, Tries>>,
    room: Semaphore,
}

impl Default for SignInThrottle {
    fn default() -> Self {
        Self { tries: Mutex::default(), room: Semaphore::new(AT_A_TIME) }
    }
}

impl SignInThrottle {
    /// Whether somebody may try a password. A try is counted before the password is checked, so that many tries at once
    /// get no more than others.
    pub(super) fn lets_try(&self, from: IpAddr, now: Timestamp) -> bool {
        let mut tries = self.tries();
        let is_over = |tries: &Tries| now.duration_since(tries.since) >= WINDOW;
        if tries.len() >= MOST_NETWORKS {
            tries.retain(|_, tries| !is_over(tries));
        }
        let mut network = network(from);
        if tries.len() >= MOST_NETWORKS && !tries.contains_key(&network) {
            network = IpAddr::from([0, 0, 0, 0]);
        }
        let of_network = tries.entry(network).or_insert(Tries { count: 0, since: now });
        if is_over(of_network) {
            *of_network = Tries { count: 0, since: now };
        }
        of_network.count = of_network.count.saturating_add(1);
        of_network.count <= MOST_TRIES
    }

    /// Drops the count of a network from which somebody knew the password.
    pub(super) fn forgive(&self, from: IpAddr) {
        self.tries().remove(&network(from));
    }

    /// Checks a password on a thread that may block, after the checks that wait already.
    pub(super) async fn alone(&self, password: Password, tried: String) -> bool {
        let Ok(_room) = self.room.acquire().await else { return false };
        tokio::task::spawn_blocking(move || password.is(&tried)).await.unwrap_or(false)
    }

    fn tries(&self) -> MutexGuard<'_, BTreeMap<IpAddr, Tries>> {
        self.tries.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// The network that an address is counted under: an IPv6 address counts by its first 64 bits, because one household or
/// server has 2^64 addresses.
fn network(address: IpAddr) -> IpAddr {
    match address {
        IpAddr::V4(_) => address,
        IpAddr::V6(six) => match six.to_ipv4_mapped() {
            Some(four) => IpAddr::V4(four),
            None => IpAddr::from((u128::from(six) & !u128::from(u64::MAX)).to_be_bytes()),
        },
    }
}
