//! A server's index of terms, which is made once all rows are there.

use sqlx::AssertSqlSafe;

use crate::{StoreError, db::Tx};

/// Drops a server's index of terms, which is built in a fraction of the time once all rows exist. Returns the statement
/// that builds it again; `None` for a file, which has no such index, since there the rows are the index.
pub(super) async fn drop_index(tx: &mut Tx) -> Result<Option<String>, StoreError> {
    let Tx::Postgres(tx) = tx else { return Ok(None) };
    // By the same search path as DROP INDEX: what is dropped is what can be made again.
    let definition: Option<String> =
        sqlx::query_scalar("SELECT pg_get_indexdef(to_regclass('recall_by_term'))")
            .fetch_one(&mut *tx)
            .await?;
    if definition.is_some() {
        sqlx::query("DROP INDEX recall_by_term").execute(&mut *tx).await?;
    }
    Ok(definition)
}

/// Builds the index of terms again as it was.
pub(super) async fn make_index(tx: &mut Tx, definition: String) -> Result<(), StoreError> {
    let Tx::Postgres(tx) = tx else { return Ok(()) };
    sqlx::query(AssertSqlSafe(definition)).execute(&mut *tx).await?;
    Ok(())
}
