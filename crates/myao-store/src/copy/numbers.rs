//! Copies the counters of ids that a database counts up: the copy continues after the last id that was ever given, even
//! if its row is gone, so that no id is used twice.

use sqlx::AssertSqlSafe;

use super::tables::CopiedTable;
use crate::{StoreError, db::Tx};

/// Makes the copy's counter continue where the original's stands.
pub(super) async fn continue_counter(
    from: &mut Tx,
    to: &mut Tx,
    table: &CopiedTable,
) -> Result<(), StoreError> {
    let Some(column) = &table.counted else { return Ok(()) };
    match last_given_number(from, table, column).await? {
        Some(last) => set_last(to, table, column, last).await,
        None => Ok(()),
    }
}

/// The last number that was given; `None` before the first.
async fn last_given_number(
    tx: &mut Tx,
    table: &CopiedTable,
    column: &str,
) -> Result<Option<i64>, StoreError> {
    match tx {
        Tx::Sqlite(tx) => Ok(sqlx::query_scalar("SELECT seq FROM sqlite_sequence WHERE name = $1")
            .bind(&table.name)
            .fetch_optional(&mut **tx)
            .await?),
        Tx::Postgres(tx) => {
            let sequence: String = sqlx::query_scalar("SELECT pg_get_serial_sequence($1, $2)")
                .bind(&table.name)
                .bind(column)
                .fetch_one(&mut *tx)
                .await?;
            let sql = AssertSqlSafe(format!("SELECT last_value FROM {sequence} WHERE is_called"));
            Ok(sqlx::query_scalar(sql).fetch_optional(&mut *tx).await?)
        }
    }
}

async fn set_last(tx: &mut Tx, table: &CopiedTable, column: &str, last: i64) -> Result<(), StoreError> {
    match tx {
        Tx::Sqlite(tx) => {
            // `sqlite_sequence` has no key, so the row is replaced.
            for sql in [
                "DELETE FROM sqlite_sequence WHERE name = $1 AND $2 = $2",
                "INSERT INTO sqlite_sequence (name, seq) VALUES ($1, $2)",
            ] {
                sqlx::query(sql).bind(&table.name).bind(last).execute(&mut **tx).await?;
            }
        }
        Tx::Postgres(tx) => {
            sqlx::query("SELECT setval(pg_get_serial_sequence($1, $2), $3)")
                .bind(&table.name)
                .bind(column)
                .bind(last)
                .execute(&mut *tx)
                .await?;
        }
    }
    Ok(())
}
