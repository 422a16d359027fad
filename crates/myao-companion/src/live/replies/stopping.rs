//! Waits until somebody stops a reply that is being written (ADR 121). The stop is a row, which any process may have
//! written; a bell says that it is worth looking.

use std::time::Duration;

use myao_core::chat::instant_after;
use myao_store::WantedReply;
use tokio::sync::watch;

use super::{Answering, looks_every};

impl Answering {
    /// Returns once somebody has stopped the reply. `bell` has rung if that may have been since the reply was read.
    pub(super) async fn wait_until_stopped(&self, reply: &WantedReply, mut bell: watch::Receiver<()>) {
        let interval = Duration::from_secs(self.config.response.check_interval_seconds);
        loop {
            let again = instant_after(self.clock.steady(), looks_every(&self.store, interval));
            let rung = async {
                if bell.changed().await.is_err() {
                    // Nobody rings any more.
                    std::future::pending::<()>().await;
                }
            };
            tokio::select! {
                () = rung => {}
                () = self.clock.sleep_until_steady(again) => {}
            }
            match self.store.replies().is_stopped(reply).await {
                Ok(true) => return,
                Ok(false) => {}
                // The answer goes on: when it is written, the row is read again.
                Err(error) => tracing::debug!(%error, "it could not be read whether a reply was stopped"),
            }
        }
    }
}
