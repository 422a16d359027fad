//! Limits how often something may be done, for all processes of a workspace together (ADR 61): a platform or a provider
//! counts what all of them do.
//!
//! One instant is kept for each limit: when it would be fully unused again (the "generic cell rate algorithm").

use async_recursion::async_recursion as boxed;
use jiff::Timestamp;

use super::{pools::Tx, query::query_as};
use crate::{Store, StoreError};

/// How often something may be done.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct SharedLimit {
    /// What is limited, for example `slack:chat.postMessage`.
    pub subject: String,
    /// Microseconds between two turns; 0 if only a pause limits it.
    pub spacing: i64,
    /// How many turns may follow one another at once; at least 1.
    pub burst: i64,
}

impl SharedLimit {
    fn tolerance(&self) -> i64 {
        self.spacing.saturating_mul(self.burst.saturating_sub(1))
    }
}

impl Store {
    /// Takes one turn of all these limits. If one of them is used up, takes none and returns when to ask again.
    #[boxed]
    pub async fn take_turn(
        &self,
        mut limits: Vec<SharedLimit>,
        now: Timestamp,
    ) -> Result<Option<Timestamp>, StoreError> {
        // All processes lock the rows in the same order, so that no two wait for each other.
        limits.sort();
        let store = self.clone();
        to_the_end!({
            let mut tx = store.db.begin().await?;
            let now = store.time.shared(now);
            let mut free = now;
            let mut used = Vec::with_capacity(limits.len());
            for limit in limits.clone() {
                let (unused_at, paused_until) = lock_limit_row(&mut tx, &limit.subject).await?;
                free = free.max(unused_at.saturating_sub(limit.tolerance())).max(paused_until);
                used.push((unused_at.max(now).saturating_add(limit.spacing), limit.subject));
            }
            if free > now {
                return Ok(Some(store.time.own(free)));
            }
            for (unused_at, subject) in used {
                on!(&mut tx, c => sqlx::query("UPDATE limits SET unused_at = $2 WHERE subject = $1")
                    .bind(&subject).bind(unused_at).execute(c).await.map(drop))?;
            }
            tx.commit().await?;
            Ok(None)
        })
        .await
    }

    /// Lets nobody take a turn before `until`; those who waited then come one by one.
    #[boxed]
    pub async fn pause_until(&self, limit: SharedLimit, until: Timestamp) -> Result<(), StoreError> {
        let store = self.clone();
        to_the_end!({
            let mut tx = store.db.begin().await?;
            let (unused_at, paused_until) = lock_limit_row(&mut tx, &limit.subject).await?;
            let until = store.time.shared(until);
            on!(&mut tx, c => sqlx::query("UPDATE limits SET unused_at = $2, paused_until = $3 WHERE subject = $1")
                .bind(&limit.subject).bind(unused_at.max(until.saturating_add(limit.tolerance())))
                .bind(paused_until.max(until)).execute(c).await.map(drop))?;
            tx.commit().await
        })
        .await
    }

    /// The later of the instants until which these two are paused; `None` if neither is paused at `now`.
    #[boxed]
    pub async fn paused_until(
        &self,
        subjects: [&str; 2],
        now: Timestamp,
    ) -> Result<Option<Timestamp>, StoreError> {
        let mut tx = self.db.snapshot().await?;
        let [one, other] = subjects;
        let (until,): (Option<i64>,) = on!(&mut tx, c => query_as(
            "SELECT max(paused_until) FROM limits WHERE subject = $1 OR subject = $2")
            .bind(one).bind(other).fetch_one(c).await)?;
        let now = self.time.shared(now);
        Ok(until.filter(|until| *until > now).map(|until| self.time.own(until)))
    }
}

/// When a limit is fully unused again, and until when it is paused. Locks the limit, so that nobody else takes a turn.
async fn lock_limit_row(tx: &mut Tx, subject: &str) -> Result<(i64, i64), StoreError> {
    Ok(on!(tx, c => query_as(
        "INSERT INTO limits (subject, unused_at, paused_until) VALUES ($1, 0, 0)
         ON CONFLICT (subject) DO UPDATE SET unused_at = limits.unused_at RETURNING unused_at, paused_until")
        .bind(subject).fetch_one(c).await)?)
}
