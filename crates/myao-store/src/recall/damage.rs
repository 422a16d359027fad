//! Keeps a damaged index from holding anything up: what it would index is archived all the same, and the index is made
//! anew in the background.
//!
//! This concerns SQLite, which keeps such an index in tables of its own. Each change of the index can be rolled back
//! alone. On PostgreSQL the server has to find a damaged index, and an administrator to repair it (`REINDEX`).

use crate::{RecallHandle, StoreError, db::Tx};

/// Begins a change of the index.
pub(super) async fn begin_index_change(tx: &mut Tx) -> Result<(), StoreError> {
    if let Tx::Sqlite(tx) = tx {
        sqlx::query("SAVEPOINT recall_change").execute(&mut **tx).await?;
    }
    Ok(())
}

/// Ends the change. If damage was found, the change is rolled back, and the index will be made anew.
pub(super) async fn end_index_change(tx: &mut Tx, changed: Result<(), StoreError>) -> Result<(), StoreError> {
    let Tx::Sqlite(connection) = tx else { return changed };
    let written = match changed {
        // Without this it would be written with the transaction, which would fail as a whole.
        Ok(()) => {
            let flush = sqlx::query("INSERT INTO recall (recall) VALUES ('flush')");
            flush.execute(&mut **connection).await.map(drop).map_err(StoreError::from)
        }
        Err(error) => Err(error),
    };
    match written {
        Ok(()) => {
            sqlx::query("RELEASE recall_change").execute(&mut **connection).await?;
            Ok(())
        }
        Err(error) => undo_change_if_damaged(tx, error).await,
    }
}

/// Replaces rows of the index of a file, as a change of its own: all of it on one way to the connection's thread, since
/// the way costs more than such a statement.
pub(super) async fn replace_rows_at_once(tx: &mut Tx, rows: &[(i64, String)]) -> Result<(), StoreError> {
    let Tx::Sqlite(connection) = tx else { return Ok(()) };
    let rows = serde_json::to_string(rows)?;
    let replaced = sqlx::query(
        "SAVEPOINT recall_change;
         INSERT OR REPLACE INTO recall (rowid, terms) SELECT value ->> 0, value ->> 1 FROM json_each($1);
         INSERT INTO recall (recall) VALUES ('flush');
         RELEASE recall_change",
    )
    .bind(rows)
    .execute(&mut **connection)
    .await;
    match replaced {
        Ok(_) => Ok(()),
        Err(error) => undo_change_if_damaged(tx, error.into()).await,
    }
}

/// Rolls a change of the index back that found damage. Any other error is returned.
async fn undo_change_if_damaged(tx: &mut Tx, error: StoreError) -> Result<(), StoreError> {
    // Garbage may cause any error, such as an entry that exists twice. A full disk is no sign of damage.
    if !matches!(error, StoreError::Damaged(_) | StoreError::Database { .. }) {
        return Err(error);
    }
    let Tx::Sqlite(connection) = tx else { return Err(error) };
    sqlx::query("ROLLBACK TO recall_change").execute(&mut **connection).await?;
    sqlx::query("RELEASE recall_change").execute(&mut **connection).await?;
    set_stale(tx, &error.to_string()).await
}

pub(super) async fn set_stale(tx: &mut Tx, damage: &str) -> Result<(), StoreError> {
    tracing::error!(
        damage,
        "the index for recall is damaged; it is made anew from the archive, in the background"
    );
    on!(tx, c => sqlx::query("DELETE FROM settings WHERE key = 'recall'").execute(c).await.map(drop))?;
    Ok(())
}

impl RecallHandle<'_> {
    /// Marks the index to be built anew after a query found damage. A store that was opened to be read cannot do so:
    /// the damage is its error, as for everything else that it reads.
    pub(crate) async fn index_is_damaged(&self, damage: String) -> Result<(), StoreError> {
        if !self.store.db.is_writable() {
            return Err(StoreError::Damaged(damage));
        }
        let store = self.store.clone();
        to_the_end!({
            let mut tx = store.db.begin().await?;
            set_stale(&mut tx, &damage).await?;
            tx.commit().await
        })
        .await
    }
}
