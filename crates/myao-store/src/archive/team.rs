//! Ties a database to one workspace, so that another workspace's is refused (design §6), and stores who we are in it.

use async_recursion::async_recursion as boxed;
use myao_core::chat::{Own, UserId};

use crate::{
    ArchiveHandle, StoreError,
    db::{Tx, query_as},
};

impl ArchiveHandle<'_> {
    /// Ties the database to the platform's workspace the first time; afterwards checks that it is the same one.
    ///
    /// # Errors
    /// [`StoreError::OtherTeam`] if the database belongs to another workspace.
    #[boxed]
    pub async fn bind_to_team(&self, team: &str) -> Result<(), StoreError> {
        let store = self.store.clone();
        let given = team.to_owned();
        to_the_end!({
            let mut tx = store.db.begin().await?;
            let (bound,): (String,) = on!(&mut tx, c => query_as(
                "INSERT INTO settings (key, value) VALUES ('team', $1)
                 ON CONFLICT (key) DO UPDATE SET value = settings.value RETURNING value")
                .bind(&given).fetch_one(c).await)?;
            tx.commit().await?;
            if bound == given { Ok(()) } else { Err(StoreError::OtherTeam { bound, given: given.clone() }) }
        })
        .await
    }

    /// The workspace that this database is tied to; `None` if it is not tied yet. Ties nothing.
    #[boxed]
    pub async fn team(&self) -> Result<Option<String>, StoreError> {
        let mut tx = self.store.db.snapshot().await?;
        let row: Option<(String,)> = on!(&mut tx, c => query_as("SELECT value FROM settings WHERE key = 'team'")
                .fetch_optional(c).await)?;
        Ok(row.map(|(team,)| team))
    }

    /// Stores the address of the platform's workspace, from which links to messages are made. Does nothing for an empty
    /// address.
    #[boxed]
    pub async fn note_team_url(&self, url: &str) -> Result<(), StoreError> {
        if url.is_empty() {
            return Ok(());
        }
        let store = self.store.clone();
        let url = url.to_owned();
        to_the_end!({
            let mut tx = store.db.begin().await?;
            on!(&mut tx, c => sqlx::query(
                "INSERT INTO settings (key, value) VALUES ('team_url', $1)
                 ON CONFLICT (key) DO UPDATE SET value = excluded.value WHERE settings.value <> excluded.value")
                .bind(&url).execute(c).await.map(drop))?;
            tx.commit().await
        })
        .await
    }

    /// The address of the platform's workspace; `None` before we were first connected to it.
    #[boxed]
    pub async fn team_url(&self) -> Result<Option<String>, StoreError> {
        let mut tx = self.store.db.snapshot().await?;
        let row: Option<(String,)> = on!(&mut tx, c => query_as("SELECT value FROM settings WHERE key = 'team_url'")
                .fetch_optional(c).await)?;
        Ok(row.map(|(url,)| url))
    }
}

/// Who we are on the platform; `None` before we were first connected to it.
pub(crate) async fn own_identity(tx: &mut Tx) -> Result<Option<Own>, StoreError> {
    let row: Option<(String,)> = on!(tx, c => query_as("SELECT value FROM settings WHERE key = 'own'")
            .fetch_optional(c).await)?;
    Ok(row.and_then(|(ids,)| own_from_setting(&ids)))
}

/// Who we are, as the setting `own` tells.
pub(crate) fn own_from_setting(ids: &str) -> Option<Own> {
    let mut ids = ids.split(' ').map(UserId::new);
    ids.next().map(|user| Own { user, bot: ids.next() })
}
