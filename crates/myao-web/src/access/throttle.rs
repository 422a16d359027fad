//! Slows guessing down.

use std::{
    collections::BTreeMap,
    net::IpAddr,
    sync::{Mutex, MutexGuard, PoisonError},
};

use jiff::{SignedDuration, Timestamp};
use tokio::sync::Semaphore;

use super::passwords::Password;

/// Wrong passwords that one network may try in [`WINDOW`].
const MOST_TRIES: u32 = 10;
/// How long tries are counted.
const WINDOW: SignedDuration = SignedDuration::from_mins(15);
/// Networks that are counted apart; all others share one count. It bounds what a flood from everywhere takes.
const MOST_NETWORKS: usize = 10_000;
/// Passwords looked at at a time: each takes 19 MiB and a processor.
const AT_A_TIME: usize = 2;

/// Tries of one network, and since when they are counted.
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
    /// Whether somebody may try a password; counted before it is looked at, so that many at once do not get more.
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

    /// Somebody knew the password.
    pub(super) fn forgive(&self, from: IpAddr) {
        self.tries().remove(&network(from));
    }

    /// Looks at a password, on a thread that may take long, after those that wait already.
    pub(super) async fn alone(&self, password: Password, tried: String) -> bool {
        let Ok(_room) = self.room.acquire().await else { return false };
        tokio::task::spawn_blocking(move || password.is(&tried)).await.unwrap_or(false)
    }

    fn tries(&self) -> MutexGuard<'_, BTreeMap<IpAddr, Tries>> {
        self.tries.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// What one household or server has of addresses: IPv6 gives everybody 2^64 of them.
fn network(address: IpAddr) -> IpAddr {
    match address {
        IpAddr::V4(_) => address,
        IpAddr::V6(six) => match six.to_ipv4_mapped() {
            Some(four) => IpAddr::V4(four),
            None => IpAddr::from((u128::from(six) & !u128::from(u64::MAX)).to_be_bytes()),
        },
    }
}
