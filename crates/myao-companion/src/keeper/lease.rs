//! Holds a claim for as long as the work takes, by renewing it.

use std::sync::Arc;

use async_recursion::async_recursion as boxed;
use jiff::SignedDuration;
use myao_core::{chat::instant_after, ports::Clock};
use myao_store::{Claim, Store, StoreError};
use tokio::task::JoinHandle;

/// How long a claim lasts without a renewal, and how often it is renewed: two renewals may fail before it is lost.
#[derive(Clone, Copy)]
struct LeaseTimes {
    held_for: SignedDuration,
    renewed_every: SignedDuration,
}

/// For a database in a file: the next process sees at once that the last one died (ADR 6), and each renewal is a write.
const IN_A_FILE: LeaseTimes =
    LeaseTimes { held_for: SignedDuration::from_secs(30), renewed_every: SignedDuration::from_secs(10) };
/// For a database on a server: nobody sees a process die. Its work stands still until its claim expires, and is to be
/// taken over within 15 s.
const ON_A_SERVER: LeaseTimes =
    LeaseTimes { held_for: SignedDuration::from_secs(8), renewed_every: SignedDuration::from_millis(2_500) };

impl LeaseTimes {
    fn of(store: &Store) -> Self {
        if store.is_on_server() { ON_A_SERVER } else { IN_A_FILE }
    }
}

/// A claim that renews itself until it is released or dropped.
pub struct Lease {
    pub(crate) claim: Claim,
    store: Store,
    renewal: JoinHandle<()>,
}

impl Lease {
    /// Takes the claim on `subject`; `None` while another process holds it.
    ///
    /// # Errors
    /// When the database fails.
    #[boxed]
    pub async fn take(
        store: &Store,
        clock: &Arc<dyn Clock>,
        subject: &str,
    ) -> Result<Option<Self>, StoreError> {
        let now = clock.now();
        let times = LeaseTimes::of(store);
        let Some(claim) = store.claim(subject, now, instant_after(now, times.held_for)).await? else {
            return Ok(None);
        };
        let renewal = tokio::spawn(keep_renewing(store.clone(), Arc::clone(clock), claim.clone(), times));
        Ok(Some(Self { claim, store: store.clone(), renewal }))
    }

    /// Gives the claim back.
    ///
    /// # Errors
    /// When the database fails; the claim then expires.
    #[boxed]
    pub async fn release(self) -> Result<(), StoreError> {
        self.renewal.abort();
        self.store.release(&self.claim).await
    }
}

impl Drop for Lease {
    fn drop(&mut self) {
        self.renewal.abort();
    }
}

async fn keep_renewing(store: Store, clock: Arc<dyn Clock>, claim: Claim, times: LeaseTimes) {
    loop {
        let now = clock.now();
        clock.sleep_until(instant_after(now, times.renewed_every)).await;
        // Our clock may have been set meanwhile. If it cannot be compared, what is known of it holds.
        drop(store.measure_clock_offset(clock.now()).await);
        // A renewal that fails is tried again. If the claim is lost, the next commit under it fails.
        if matches!(store.renew(&claim, instant_after(clock.now(), times.held_for)).await, Ok(false)) {
            return;
        }
    }
}
