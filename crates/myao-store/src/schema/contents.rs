//! Tells what an SQLite file holds: a database of ours, the predecessor's, or nothing.

use std::path::Path;

use sqlx::SqliteConnection;

use super::{
    adopt::tables::{ALL, Table, column_names},
    file_mark::{APPLICATION_ID, begins_as_database},
    foreign, migrations,
};
use crate::{
    StoreError,
    db::{pools::file_pool, sqlite_options},
};

/// A file with at least this many of the tables counts as a damaged or unknown form of the predecessor's; a file with
/// fewer counts as another program's.
const RESEMBLING: usize = 3;

/// What a file holds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum OldContents {
    /// A database of ours.
    Ours,
    /// No table at all.
    Nothing,
    /// A database of the predecessor, with all we need.
    Predecessor,
}

/// Tells what the file holds.
///
/// # Errors
/// If it is another program's, or resembles the predecessor's without being complete; if something in it that is not
/// ours could act.
pub(crate) async fn file_contents(path: &Path, c: &mut SqliteConnection) -> Result<OldContents, StoreError> {
    let id: i64 = sqlx::query_scalar("PRAGMA application_id").fetch_one(&mut *c).await?;
    if id == APPLICATION_ID {
        let form = migrations::form_of_file(c).await?;
        foreign::check_sqlite(path, c, form).await?;
        return Ok(OldContents::Ours);
    }
    let tables: Vec<String> = sqlx::query_scalar(
        "SELECT name FROM sqlite_schema WHERE type = 'table' AND name NOT LIKE 'sqlite\\_%' ESCAPE '\\'
         ORDER BY name",
    )
    .fetch_all(&mut *c)
    .await?;
    let Some(first) = tables.first() else {
        foreign::check_passive(path, c).await?;
        return Ok(OldContents::Nothing);
    };
    let missing: Vec<&Table> =
        ALL.into_iter().filter(|t| !tables.iter().any(|name| name == t.name)).collect();
    if ALL.len() - missing.len() < RESEMBLING {
        return Err(StoreError::Foreign { path: path.to_owned(), table: first.clone() });
    }
    let part = |missing: String| StoreError::PartOfPredecessor { path: path.to_owned(), missing };
    if !missing.is_empty() {
        let names: Vec<String> = missing.iter().map(|table| format!("table `{}`", table.name)).collect();
        return Err(part(names.join(", ")));
    }
    for table in ALL {
        let columns = column_names(c, table.name).await?;
        if let Some(column) = table.required.iter().find(|column| !columns.contains(**column)) {
            return Err(part(format!("column `{column}` in its table `{}`", table.name)));
        }
    }
    foreign::check_passive(path, c).await?;
    Ok(OldContents::Predecessor)
}

/// What the file holds. Changes no setting, so that a file that is not ours stays as it is. Reads everything in one
/// transaction, as another process may just be creating the file.
pub(crate) async fn look_into_file(path: &Path) -> Result<OldContents, StoreError> {
    let pool = file_pool(1).connect_with(sqlite_options(path)).await;
    let pool = pool.map_err(|e| unfit_file_error(path, e.into()))?;
    let found = match pool.begin().await {
        Ok(mut moment) => file_contents(path, &mut moment).await,
        Err(error) => Err(error.into()),
    };
    pool.close().await;
    found.map_err(|error| unfit_file_error(path, error))
}

/// Tells a file that is no database from one that is damaged.
pub(super) fn unfit_file_error(path: &Path, error: StoreError) -> StoreError {
    if matches!(error, StoreError::Damaged(_)) && !begins_as_database(path) {
        return StoreError::NotADatabase(path.to_owned());
    }
    error
}
