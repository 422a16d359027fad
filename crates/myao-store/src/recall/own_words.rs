//! Stores who we are on the platform: our own words are counted apart from everybody else's.

use async_recursion::async_recursion as boxed;
use myao_core::chat::{Own, UserId};

use super::word_counts;
use crate::{RecallHandle, StoreError};

impl RecallHandle<'_> {
    /// Stores who we are on the platform, so that our own words are known as ours even without a connection to it.
    #[boxed]
    pub async fn note_own(&self, own: &Own) -> Result<(), StoreError> {
        let ids: Vec<&str> =
            [Some(&own.user), own.bot.as_ref()].into_iter().flatten().map(UserId::as_str).collect();
        let store = self.store.clone();
        let ids = ids.join(" ");
        to_the_end!({
            let mut tx = store.db.begin().await?;
            let changed = on!(&mut tx, c => sqlx::query(
                "INSERT INTO settings (key, value) VALUES ('own', $1)
                 ON CONFLICT (key) DO UPDATE SET value = excluded.value WHERE settings.value <> excluded.value")
                .bind(&ids).execute(c).await.map(|done| done.rows_affected()))?;
            if changed == 1 {
                word_counts::restart_counting(&mut tx).await?;
            }
            tx.commit().await
        })
        .await
    }
}
