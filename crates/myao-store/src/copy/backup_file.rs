//! Makes a filled copy a backup's file: one SQLite file, whatever was copied.

use std::path::Path;

use sqlx::sqlite::SqliteJournalMode;

use crate::{
    StoreError,
    db::{pools::file_pool, sqlite_options},
};

/// Takes out of a copy who is at work and who is signed in, so that none of it comes back, and makes it a file without
/// anything beside it.
pub(super) async fn make_a_file_of_its_own(file: &Path) -> Result<(), StoreError> {
    let options = sqlite_options(file).journal_mode(SqliteJournalMode::Delete);
    let pool = file_pool(1).connect_with(options).await?;
    let cleared = async {
        let mut c = pool.acquire().await?;
        sqlx::query("DELETE FROM claims").execute(&mut *c).await?;
        sqlx::query("DELETE FROM processes").execute(&mut *c).await?;
        sqlx::query("DELETE FROM limits").execute(&mut *c).await?;
        sqlx::query("DELETE FROM web_sessions").execute(&mut *c).await?;
        Ok::<(), StoreError>(())
    };
    let cleared = cleared.await;
    pool.close().await;
    cleared
}
