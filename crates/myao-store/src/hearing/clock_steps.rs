//! Puts stored instants right after a clock was set back: what is to happen at an instant that was reckoned before would
//! wait for as long as the clock was set back, and longer (ADR 93).

use async_recursion::async_recursion as boxed;
use jiff::{SignedDuration, Timestamp};

use super::processes::{self, HEARD, HEARING};
use crate::{HearingHandle, StoreError, db::Tx};

/// The longest that a claim is held without a renewal.
const LONGEST_CLAIM: SignedDuration = SignedDuration::from_secs(30);

impl HearingHandle<'_> {
    /// The time that all processes write, as an instant: the machine's, or the server's (ADR 60).
    pub fn shared_now(&self, now: Timestamp) -> Timestamp {
        Timestamp::from_microsecond(self.store.time.shared(now)).unwrap_or(now)
    }

    /// Notes that it is `now`, though rows tell of later instants: everything that was put off by the clock that was wrong
    /// is due, and nothing is known, heard or held beyond now. Doing it once too often costs a look at what waits.
    #[boxed]
    pub async fn clock_was_set_back(&self, now: Timestamp) -> Result<(), StoreError> {
        let store = self.store.clone();
        to_the_end!({
            let mut tx = store.db.begin().await?;
            bound_waits(&mut tx, now.as_microsecond()).await?;
            let shared = store.time.shared(now);
            bound_knowledge(&mut tx, shared).await?;
            let longest = now.saturating_add(LONGEST_CLAIM).unwrap_or(now);
            bound_sharing(&mut tx, shared, store.time.shared(longest)).await?;
            tx.commit().await
        })
        .await?;
        self.store.hearing.bound(self.store.time.shared(now));
        Ok(())
    }

    /// Whether a process noted that it had heard everything until an instant that is later than `now`: while no process
    /// ran, the clock was set back.
    #[boxed]
    pub async fn was_heard_later_than(&self, now: Timestamp) -> Result<bool, StoreError> {
        Ok(self.last_heard().await?.is_some_and(|heard| heard > now))
    }
}

/// What is tried again at an instant, in the machine's time.
async fn bound_waits(tx: &mut Tx, now: i64) -> Result<(), StoreError> {
    // One that was put off before, by a right clock, waits as long as it was to.
    on!(&mut *tx, c => sqlx::query(
        "UPDATE replies SET not_before = $1
         WHERE state IN ('wanted', 'written') AND not_before > $1 AND changed_at > $1")
        .bind(now).execute(c).await.map(drop))?;
    on!(&mut *tx, c => sqlx::query("UPDATE reply_parts SET sent_at = $1 WHERE state = 'sending' AND sent_at > $1")
        .bind(now).execute(c).await.map(drop))?;
    on!(&mut *tx, c => sqlx::query("UPDATE setbacks SET retry_at = $1 WHERE retry_at > $1")
        .bind(now).execute(c).await.map(drop))?;
    on!(tx, c => sqlx::query("UPDATE channels SET look_at = 0 WHERE look_at > $1")
        .bind(now).execute(c).await.map(drop))?;
    Ok(())
}

/// What is known of channels and until when everything was heard, in the shared time.
async fn bound_knowledge(tx: &mut Tx, now: i64) -> Result<(), StoreError> {
    // What was in doubt stays in doubt, and what was known stays known.
    on!(&mut *tx, c => sqlx::query(
        "UPDATE channels SET doubted_at = CASE WHEN doubted_at > $1 THEN $1 ELSE doubted_at END,
            known_at = CASE WHEN known_at < doubted_at THEN
                    CASE WHEN known_at >= $1 THEN $1 - 1 ELSE known_at END
                WHEN known_at > $1 THEN $1 ELSE known_at END
         WHERE known_at > $1 OR doubted_at > $1")
        .bind(now).execute(c).await.map(drop))?;
    for key in [HEARD, HEARING] {
        if processes::read_setting(tx, key).await?.is_some_and(|instant| instant > now) {
            processes::write_setting(tx, key, now).await?;
        }
    }
    Ok(())
}

/// What processes show of themselves, hold, and leave alone, in the shared time.
async fn bound_sharing(tx: &mut Tx, now: i64, longest_claim: i64) -> Result<(), StoreError> {
    on!(&mut *tx, c => sqlx::query(
        "UPDATE processes SET seen_at = $1,
            hears_since = CASE WHEN hears_since > $1 THEN $1 ELSE hears_since END,
            heard_until = CASE WHEN heard_until > $1 THEN $1 ELSE heard_until END
         WHERE seen_at > $1")
        .bind(now).execute(c).await.map(drop))?;
    on!(&mut *tx, c => sqlx::query("UPDATE claims SET until = $1 WHERE until > $1")
        .bind(longest_claim).execute(c).await.map(drop))?;
    on!(tx, c => sqlx::query(
        "UPDATE limits SET unused_at = CASE WHEN unused_at > $1 THEN $1 ELSE unused_at END,
            paused_until = CASE WHEN paused_until > $1 THEN $1 ELSE paused_until END
         WHERE unused_at > $1 OR paused_until > $1")
        .bind(now).execute(c).await.map(drop))?;
    Ok(())
}
