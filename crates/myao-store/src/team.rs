//! Which workspace a database is of: one of another is refused (DESIGN E).

use crate::{Store, StoreError, db::to_the_end};

impl Store {
    /// Ties the database to the platform's workspace, the first time; afterwards makes sure that it is that one.
    ///
    /// # Errors
    /// [`StoreError::OtherTeam`] when the database belongs to another workspace.
    pub async fn bind_team(&self, team: &str) -> Result<(), StoreError> {
        let (store, given) = (self.clone(), team.to_owned());
        to_the_end(async move {
            let mut tx = store.db.begin().await?;
            let (bound,): (String,) = on!(&mut tx, c => sqlx::query_as(
                "INSERT INTO settings (key, value) VALUES ('team', $1)
                 ON CONFLICT (key) DO UPDATE SET value = settings.value RETURNING value")
                .bind(&given).fetch_one(c).await)?;
            tx.commit().await?;
            if bound == given { Ok(()) } else { Err(StoreError::OtherTeam { bound, given }) }
        })
        .await
    }

    /// The workspace that this database is tied to; none before the first time. Ties nothing.
    pub async fn team(&self) -> Result<Option<String>, StoreError> {
        let mut tx = self.db.snapshot().await?;
        let row: Option<(String,)> = on!(&mut tx, c => sqlx::query_as("SELECT value FROM settings WHERE key = 'team'")
                .fetch_optional(c).await)?;
        Ok(row.map(|(team,)| team))
    }
}
