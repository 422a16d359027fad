//! Keeps what is known of channels that we are not in, imported or left: no event tells of them, so the platform is asked
//! from time to time, and what it was not asked about for long is in doubt (ADR 92).

use async_recursion::async_recursion as boxed;
use jiff::{SignedDuration, Timestamp};
use myao_core::chat::ChannelId;

use crate::{
    HearingHandle, StoreError,
    db::{query_as, values::signed_size},
};

/// How long an open channel that we are not in counts as what the platform last called it.
const KNOWN_FOR: SignedDuration = SignedDuration::from_hours(24);

/// How long after an answer the platform is asked again about an open one.
const ASKED_EVERY: SignedDuration = SignedDuration::from_hours(6);

/// The same for one that the platform did not show to us.
const ASKED_AGAIN_AFTER: SignedDuration = SignedDuration::from_hours(24);

impl HearingHandle<'_> {
    /// Casts doubt on the open channels that we are not in and about which the platform was not asked for long, or never:
    /// until it is, no other place sees them. Called by a process that asks, before anybody reads and from time to time.
    #[boxed]
    pub async fn doubt_unseen_channels(&self, now: Timestamp) -> Result<(), StoreError> {
        let store = self.store.clone();
        to_the_end!({
            let mut tx = store.db.begin().await?;
            on!(&mut tx, c => sqlx::query(
                "UPDATE channels SET doubted_at = $1
                 WHERE member = 0 AND kind = 'public' AND external = 0 AND known_at < $2 AND known_at >= doubted_at")
                .bind(store.time.shared(now)).bind(store.time.shared(instant_before(now, KNOWN_FOR)))
                .execute(c).await.map(drop))?;
            tx.commit().await
        })
        .await
    }

    /// Channels that we are not in and about which the platform is to be asked again, those first that wait longest; at
    /// most so many.
    #[boxed]
    pub async fn outside_to_ask(&self, most: usize, now: Timestamp) -> Result<Vec<ChannelId>, StoreError> {
        let mut tx = self.store.db.snapshot().await?;
        let rows: Vec<(String,)> = on!(&mut tx, c => query_as(
            "SELECT id FROM channels
             WHERE member = 0 AND ((kind = 'public' AND (known_at < $1 OR known_at < doubted_at))
                OR (kind = 'unknown' AND known_at < $2))
             ORDER BY known_at, id LIMIT $3")
            .bind(self.store.time.shared(instant_before(now, ASKED_EVERY)))
            .bind(self.store.time.shared(instant_before(now, ASKED_AGAIN_AFTER)))
            .bind(signed_size(most)).fetch_all(c).await)?;
        Ok(rows.into_iter().map(|(id,)| ChannelId::new(id)).collect())
    }
}

fn instant_before(now: Timestamp, span: SignedDuration) -> Timestamp {
    now.saturating_sub(span).unwrap_or(Timestamp::MIN)
}
