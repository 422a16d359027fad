//! Holds a claim for as long as the work takes, by renewing it.

use std::sync::Arc;

use jiff::SignedDuration;
use myao_core::{chat::later, ports::Clock};
use myao_store::{Claim, Store, StoreError};
use tokio::task::JoinHandle;

/// How long a claim lasts without a renewal: on a database server, where nobody sees a process die, its work stands
/// still for that long.
const HELD_FOR: SignedDuration = SignedDuration::from_secs(30);
/// How often a lease is renewed; two renewals may fail before it is lost.
const RENEWED_EVERY: SignedDuration = SignedDuration::from_secs(10);

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
    pub async fn take(
        store: &Store,
        clock: &Arc<dyn Clock>,
        subject: &str,
    ) -> Result<Option<Self>, StoreError> {
        let now = clock.now();
        let Some(claim) = store.claim(subject, now, later(now, HELD_FOR)).await? else { return Ok(None) };
        let renewal = tokio::spawn(renew(store.clone(), Arc::clone(clock), claim.clone()));
        Ok(Some(Self { claim, store: store.clone(), renewal }))
    }

    /// Gives the claim back.
    ///
    /// # Errors
    /// When the database fails; the claim then expires.
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

async fn renew(store: Store, clock: Arc<dyn Clock>, claim: Claim) {
    loop {
        let now = clock.now();
        clock.sleep_until(later(now, RENEWED_EVERY)).await;
        // A renewal that fails is tried again. If the claim is lost, the next commit under it fails.
        if matches!(store.renew(&claim, later(clock.now(), HELD_FOR)).await, Ok(false)) {
            return;
        }
    }
}
