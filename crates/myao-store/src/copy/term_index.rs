//! A server's index of terms, which is made once all rows are there.

use sqlx::AssertSqlSafe;

use crate::{StoreError, db::Tx};

/// Drops a server's index of terms, which is built in a fraction of the time once all rows exist. Returns the statement
/// that builds it again; `None` for a file, which has no such index, since there the rows are the index.
pub(super) async fn drop_index(tx: &mut Tx) -> Result<Option<String>, StoreError> {
    let Tx::Postgres(tx) = tx else { return Ok(None) };
    let definition = sqlx::query_scalar(
        "SELECT indexdef FROM pg_indexes WHERE schemaname = current_schema() AND indexname = 'recall_by_term'",
    )
    .fetch_optional(&mut *tx)
    .await?;
    sqlx::query("DROP INDEX IF EXISTS recall_by_term").execute(&mut *tx).await?;
    Ok(definition)
}

/// Builds the index of terms again as it was.
pub(super) async fn make_index(tx: &mut Tx, definition: String) -> Result<(), StoreError> {
    let Tx::Postgres(tx) = tx else { return Ok(()) };
    sqlx::query(AssertSqlSafe(definition)).execute(&mut *tx).await?;
    Ok(())
}
