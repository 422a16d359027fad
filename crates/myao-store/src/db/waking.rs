//! Wakes other processes with a hint that the rows should be read again, if the server supports it (LISTEN and NOTIFY).
//!
//! Nothing depends on it: behind a pooler that hands a connection from transaction to transaction no hint arrives, and
//! every process looks again after a few seconds anyway.

use std::time::Duration;

use async_recursion::async_recursion as boxed;
use sqlx::postgres::PgListener;

use super::pools::{Db, Tx};
use crate::{Store, StoreError};

/// The name of the channel on which hints are sent.
const CHANNEL: &str = "myao_wake";

/// The hint that is sent to find out whether hints arrive.
const PROBE: &str = "?";

/// How long a hint may take to arrive.
const ARRIVES_WITHIN: Duration = Duration::from_secs(5);

/// Receives the hints of other processes.
pub struct Waking {
    listener: PgListener,
    /// The prefix of our own hints, which come back to us.
    own: String,
}

impl Store {
    /// Tells the other processes that something happened; they interpret `what`.
    #[boxed]
    pub async fn wake_others(&self, what: &str) -> Result<(), StoreError> {
        if !self.is_on_server() || !self.is_writable() {
            return Ok(());
        }
        let mut tx = self.db.begin().await?;
        if let Tx::Postgres(tx) = &mut tx {
            let payload = format!("{} {what}", self.owner.name());
            sqlx::query("SELECT cast(pg_notify($1, $2) AS TEXT)")
                .bind(CHANNEL)
                .bind(payload)
                .execute(&mut *tx)
                .await?;
        }
        tx.commit().await
    }

    /// Begins to receive the hints of others; `None` if no hint arrives.
    #[boxed]
    pub async fn listen_for_hints(&self) -> Result<Option<Waking>, StoreError> {
        let Db::Postgres(server) = &*self.db else { return Ok(None) };
        if server.is_pooled() {
            return Ok(None);
        }
        let mut listener = PgListener::connect_with(server.pool()).await?;
        listener.listen(CHANNEL).await?;
        let mut waking = Waking { listener, own: format!("{} ", self.owner.name()) };
        self.wake_others(PROBE).await?;
        let arrives = tokio::time::timeout(ARRIVES_WITHIN, waking.hears_probe()).await;
        Ok(matches!(arrives, Ok(Ok(()))).then_some(waking))
    }
}

impl Waking {
    /// The next hint of another process.
    #[boxed]
    pub async fn next_hint(&mut self) -> Result<String, StoreError> {
        loop {
            let said = self.listener.recv().await?;
            match said.payload().split_once(' ') {
                Some((_, what)) if !said.payload().starts_with(&self.own) && what != PROBE => {
                    return Ok(what.to_owned());
                }
                _ => {}
            }
        }
    }

    async fn hears_probe(&mut self) -> Result<(), StoreError> {
        let probe = format!("{}{PROBE}", self.own);
        while self.listener.recv().await?.payload() != probe {}
        Ok(())
    }
}

impl std::fmt::Debug for Waking {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Waking").finish_non_exhaustive()
    }
}
