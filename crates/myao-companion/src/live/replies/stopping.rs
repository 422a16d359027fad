//! Waits until somebody stops a reply that is being written (ADR 121). The stop is a row, which any process may have
//! written; a bell says that it is worth looking.

use std::time::Duration;

use myao_core::chat::instant_after;
use myao_store::WantedReply;

use super::{Answering, looks_every};

impl Answering {
    /// Returns once somebody has stopped the reply.
    pub(super) async fn wait_until_stopped(&self, reply: &WantedReply) {
        let mut bell = self.stops.clone();
        bell.mark_unchanged();
        let interval = Duration::from_secs(self.config.response.check_interval_seconds);
        loop {
            match self.store.replies().is_stopped(reply).await {
                Ok(true) => return,
                Ok(false) => {}
                // The answer goes on: when it is written, the row is read again.
                Err(error) => tracing::debug!(%error, "it could not be read whether a reply was stopped"),
            }
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
        }
    }
}
