//! Slows down the guessing of passwords.

use std::{
    collections::BTreeMap,
    net::IpAddr,
    sync::{Mutex, MutexGuard, PoisonError},
};

use jiff::{SignedDuration, Timestamp};
use myao_store::WebRole;
use tokio::sync::Semaphore;

use super::passwords::Password;

/// The most wrong passwords that one network may try on one account within [`WINDOW`].
const MOST_TRIES: u32 = 10;
/// The time over which tries are counted.
const WINDOW: SignedDuration = SignedDuration::from_mins(15);
/// The most networks and accounts that are counted separately; all others share one count for each account. This bounds
/// the memory that a flood of tries from everywhere can take.
const MOST_COUNTS: usize = 20_000;
/// How many passwords are checked at a time: each check takes 19 MiB and a processor.
const AT_A_TIME: usize = 2;

/// How often one network tried the password of one account, and since when that is counted.
#[derive(Clone, Copy)]
struct Tries {
    count: u32,
    since: Timestamp,
}

/// Whose tries on what are counted together.
type TriedOn = (IpAddr, WebRole);

pub(super) struct SignInThrottle {
    tries: Mutex<BTreeMap<TriedOn, Tries>>,
    room: Semaphore,
}

impl Default for SignInThrottle {
    fn default() -> Self {
        Self { tries: Mutex::default(), room: Semaphore::new(AT_A_TIME) }
    }
}

impl SignInThrottle {
    /// Whether somebody may try a password on an account. A try is counted before the password is checked, so that many
    /// tries at once get no more than others.
    pub(super) fn lets_try(&self, from: IpAddr, account: WebRole, now: Timestamp) -> bool {
        let mut tries = self.tries();
        let is_over = |tries: &Tries| now.duration_since(tries.since) >= WINDOW;
        if tries.len() >= MOST_COUNTS {
            tries.retain(|_, tries| !is_over(tries));
        }
        let mut visitor = (counted_network(from), account);
        if tries.len() >= MOST_COUNTS && !tries.contains_key(&visitor) {
            visitor = (IpAddr::from([0, 0, 0, 0]), account);
        }
        let counted = tries.entry(visitor).or_insert(Tries { count: 0, since: now });
        if is_over(counted) {
            *counted = Tries { count: 0, since: now };
        }
        counted.count = counted.count.saturating_add(1);
        counted.count <= MOST_TRIES
    }

    /// Drops the count of a network whose visitor knew the password of an account: that account's alone, or whoever knows
    /// one password could guess the other for ever.
    pub(super) fn forgive(&self, from: IpAddr, account: WebRole) {
        self.tries().remove(&(counted_network(from), account));
    }

    /// Takes back one try: what was tried is another account's password, and no guess at this one.
    pub(super) fn take_back(&self, from: IpAddr, account: WebRole) {
        if let Some(tries) = self.tries().get_mut(&(counted_network(from), account)) {
            tries.count = tries.count.saturating_sub(1);
        }
    }

    /// Checks a password on a thread that may block, after the checks that wait already.
    pub(super) async fn check_in_turn(&self, password: Password, tried: String) -> bool {
        let Ok(_room) = self.room.acquire().await else { return false };
        tokio::task::spawn_blocking(move || password.is(&tried)).await.unwrap_or(false)
    }

    fn tries(&self) -> MutexGuard<'_, BTreeMap<TriedOn, Tries>> {
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
