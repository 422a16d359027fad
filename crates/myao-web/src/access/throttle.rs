//! Slows down the guessing of passwords.

use std::net::IpAddr;

use jiff::{SignedDuration, Timestamp};
use myao_companion::connections::tries::{TryCounts, TryLimits};
use myao_store::WebRole;
use tokio::sync::Semaphore;

use super::passwords::Password;

/// How many wrong passwords one network may try on one account.
const LIMITS: TryLimits =
    TryLimits { most_tries: 10, window: SignedDuration::from_mins(15), most_counts: 20_000 };
/// How many passwords are checked at a time: each check takes 19 MiB and a processor.
const AT_A_TIME: usize = 2;

pub(super) struct SignInThrottle {
    tries: TryCounts<WebRole>,
    room: Semaphore,
}

impl Default for SignInThrottle {
    fn default() -> Self {
        Self { tries: TryCounts::new(LIMITS), room: Semaphore::new(AT_A_TIME) }
    }
}

impl SignInThrottle {
    /// Whether somebody may try a password on an account.
    pub(super) fn lets_try(&self, from: IpAddr, account: WebRole, now: Timestamp) -> bool {
        self.tries.lets_try(from, account, now)
    }

    /// Drops the count of a network whose visitor knew the password of an account: that account's alone, or whoever knows
    /// one password could guess the other for ever.
    pub(super) fn forgive(&self, from: IpAddr, account: WebRole) {
        self.tries.forgive(from, account);
    }

    /// Takes back one try: what was tried is another account's password, and no guess at this one.
    pub(super) fn take_back(&self, from: IpAddr, account: WebRole) {
        self.tries.take_back(from, account);
    }

    /// Checks a password on a thread that may block, after the checks that wait already.
    pub(super) async fn check_in_turn(&self, password: Password, tried: String) -> bool {
        let Ok(_room) = self.room.acquire().await else { return false };
        tokio::task::spawn_blocking(move || password.is(&tried)).await.unwrap_or(false)
    }
}
