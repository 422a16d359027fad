//! Says who works on what: a lease with a fencing token around each unit of work (design §6).

use async_recursion::async_recursion as boxed;
use jiff::Timestamp;

use super::{pools::Tx, query::query_as};
use crate::{Store, StoreError};

/// The right to work on a subject until it expires. Every commit checks its token, so that a process that lost the
/// claim writes nothing.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Claim {
    /// What is worked on, for example `channel:C123` or `workspace`.
    pub subject: String,
    token: i64,
}

impl Store {
    /// Takes the claim on `subject` until `until`. `None` if the claim is still held at `now`.
    #[boxed]
    pub async fn claim(
        &self,
        subject: &str,
        now: Timestamp,
        until: Timestamp,
    ) -> Result<Option<Claim>, StoreError> {
        self.owner.create_mark()?;
        let store = self.clone();
        let subject = subject.to_owned();
        to_the_end!({
            let mut tx = store.db.begin().await?;
            let token: Option<(i64,)> = on!(&mut tx, c => query_as(
                "INSERT INTO claims (subject, owner, token, until) VALUES ($1, $2, 1, $3)
                 ON CONFLICT (subject) DO UPDATE
                 SET owner = excluded.owner, token = claims.token + 1, until = excluded.until
                 WHERE claims.until <= $4
                 RETURNING token")
                .bind(&subject).bind(store.owner.name())
                .bind(store.time.shared(until)).bind(store.time.shared(now))
                .fetch_optional(c).await)?;
            tx.commit().await?;
            Ok(token.map(|(token,)| Claim { subject: subject.clone(), token }))
        })
        .await
    }

    /// Extends the claim. `false` if another owner holds it now.
    #[boxed]
    pub async fn renew(&self, claim: &Claim, until: Timestamp) -> Result<bool, StoreError> {
        self.set_until(claim, self.time.shared(until)).await
    }

    /// Gives the claim back. The row stays, so that no token is used twice.
    #[boxed]
    pub async fn release(&self, claim: &Claim) -> Result<(), StoreError> {
        self.set_until(claim, 0).await.map(drop)
    }

    async fn set_until(&self, claim: &Claim, until: i64) -> Result<bool, StoreError> {
        let store = self.clone();
        let claim = claim.clone();
        to_the_end!({
            let mut tx = store.db.begin().await?;
            let held = on!(&mut tx, c => sqlx::query(
                "UPDATE claims SET until = $1 WHERE subject = $2 AND token = $3")
                .bind(until).bind(&claim.subject).bind(claim.token).execute(c).await
                .map(|done| done.rows_affected()))?;
            tx.commit().await?;
            Ok(held == 1)
        })
        .await
    }

    /// Gives back all claims that this process still holds.
    pub(crate) async fn release_own(&self) -> Result<(), StoreError> {
        if !self.owner.may_hold() {
            return Ok(());
        }
        let store = self.clone();
        to_the_end!({
            let mut tx = store.db.begin().await?;
            on!(&mut tx, c => sqlx::query("UPDATE claims SET until = 0 WHERE owner = $1 AND until > 0")
                .bind(store.owner.name()).execute(c).await.map(drop))?;
            tx.commit().await
        })
        .await
    }

    /// Drops the claims of processes on this machine that have ended.
    pub(crate) async fn release_the_dead(&self) -> Result<(), StoreError> {
        let dead = self.owner.find_dead_owners();
        if dead.is_empty() {
            return Ok(());
        }
        let store = self.clone();
        to_the_end!({
            let mut tx = store.db.begin().await?;
            // With a server we cannot see that a process has ended: its claims expire.
            if let Tx::Sqlite(tx) = &mut tx {
                for (name, _) in &dead {
                    sqlx::query("UPDATE claims SET until = 0 WHERE owner = $1")
                        .bind(name)
                        .execute(&mut **tx)
                        .await?;
                }
            }
            tx.commit().await?;
            for (_, mark) in &dead {
                // Another process may have removed it first.
                drop(std::fs::remove_file(mark));
            }
            Ok(())
        })
        .await
    }
}

/// Fails unless `claim` is still held; called first in every transaction that commits work done under one.
pub(crate) async fn check_still_held(tx: &mut Tx, claim: &Claim) -> Result<(), StoreError> {
    // The update locks the row: a takeover waits until this transaction has ended.
    let held = on!(tx, c => sqlx::query(
        "UPDATE claims SET until = until WHERE subject = $1 AND token = $2 AND until > 0")
        .bind(&claim.subject).bind(claim.token).execute(c).await.map(|done| done.rows_affected()))?;
    if held == 1 { Ok(()) } else { Err(StoreError::ClaimLost(claim.subject.clone())) }
}
