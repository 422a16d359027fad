//! Bringing a database of ours to this program's form (SPEC §7).

use std::{path::Path, sync::LazyLock};

use include_dir::{Dir, File, include_dir};
use sqlx::{
    PgConnection, PgPool, SqlStr, Sqlite, SqliteConnection, SqlitePool, Transaction,
    migrate::{MigrateError, Migration, MigrationType, Migrator},
};

use crate::{StoreError, backup};

static SQLITE: LazyLock<Migrator> = LazyLock::new(|| migrator(&SQLITE_FILES));
static POSTGRES: LazyLock<Migrator> = LazyLock::new(|| migrator(&POSTGRES_FILES));
static SQLITE_FILES: Dir<'_> = include_dir!("$CARGO_MANIFEST_DIR/../../migrations/sqlite");
static POSTGRES_FILES: Dir<'_> = include_dir!("$CARGO_MANIFEST_DIR/../../migrations/postgres");

/// Backup copies made before migrations that are kept: enough to go back over a few versions of the program.
const COPIES_KEPT: usize = 3;

/// The migrations of a folder, each in a file `0001_what_it_does.sql`. What sqlx's macro does, without the compile time of
/// sqlx's macros, which build both database drivers a second time. A file of another name is no migration; a test
/// compares the list with sqlx's own reading of the folder.
fn migrator(folder: &'static Dir<'_>) -> Migrator {
    let migration = |file: &'static File<'_>| {
        let name = file.path().file_stem()?.to_str()?;
        let (version, description) = name.split_once('_')?;
        let (version, sql) = (version.parse().ok()?, SqlStr::from_static(file.contents_utf8()?));
        let description = description.replace('_', " ").into();
        Some(Migration::new(version, description, MigrationType::Simple, sql, false))
    };
    Migrator::with_migrations(folder.files().filter_map(migration).collect())
}

/// Applies what is missing, all of it or nothing, after a copy of a file that holds something already.
pub(crate) async fn sqlite(path: &Path, writer: &SqlitePool) -> Result<(), StoreError> {
    let known = newest(&SQLITE);
    let mut connection = writer.acquire().await?;
    let form = form_of_file(&mut connection).await?;
    if form == Some(known) {
        // Nothing is missing; this compares what was applied with what is compiled in.
        return Ok(SQLITE.run_direct(None, &mut *connection, false).await?);
    }
    drop(connection);
    let mut tx = writer.begin_with("BEGIN IMMEDIATE").await?;
    // Another process may have been quicker.
    if let Some(form) = form_of(&mut tx).await?.filter(|form| *form < known) {
        let copy = backup::copy(path, &backup::before_migration(form)).await?;
        tracing::info!(copy = %copy.path.display(), "the database was copied before it is migrated");
        backup::prune(path, COPIES_KEPT);
    }
    within(&mut tx).await?;
    tx.commit().await?;
    Ok(())
}

/// Applies what is missing within a transaction that does more.
pub(crate) async fn within(tx: &mut Transaction<'static, Sqlite>) -> Result<(), StoreError> {
    Ok(SQLITE.run_direct(None, &mut **tx, false).await?)
}

/// Applies what is missing up to a form, in a database of nobody's.
pub(crate) async fn sqlite_to(form: i64, connection: &mut SqliteConnection) -> Result<(), StoreError> {
    Ok(SQLITE.run_direct(Some(form), connection, false).await?)
}

/// Applies what is missing on a server, all of it or nothing.
pub(crate) async fn postgres(pool: &PgPool) -> Result<(), StoreError> {
    let mut tx = pool.begin().await?;
    POSTGRES.run_direct(None, &mut *tx, false).await?;
    Ok(tx.commit().await?)
}

/// The form of a database on a server; `None` before its first migration.
///
/// # Errors
/// When a newer program brought it to its form.
pub(crate) async fn form_on_server(c: &mut PgConnection) -> Result<Option<i64>, StoreError> {
    let table: Option<String> =
        sqlx::query_scalar("SELECT to_regclass('_sqlx_migrations')::text").fetch_one(&mut *c).await?;
    if table.is_none() {
        return Ok(None);
    }
    let form = sqlx::query_scalar("SELECT max(version) FROM _sqlx_migrations").fetch_one(&mut *c).await?;
    refuse_newer(form, newest_on_server())?;
    Ok(form)
}

/// The newest form of a database on a server.
pub(crate) fn newest_on_server() -> i64 {
    newest(&POSTGRES)
}

/// The newest form of a file.
pub(crate) fn newest_of_file() -> i64 {
    newest(&SQLITE)
}

/// The form of a file; `None` before its first migration.
///
/// # Errors
/// When a newer program brought it to its form, or one whose migrations are not these.
pub(crate) async fn form_of_file(c: &mut SqliteConnection) -> Result<Option<i64>, StoreError> {
    let form = form_of(c).await?;
    refuse_newer(form, newest_of_file())?;
    if form.is_some() {
        refuse_modified(c).await?;
    }
    Ok(form)
}

/// Refuses a file to which other migrations of the same numbers were applied. sqlx would, too, but only once the file is
/// opened for writing.
async fn refuse_modified(c: &mut SqliteConnection) -> Result<(), StoreError> {
    let applied: Vec<(i64, Vec<u8>)> =
        sqlx::query_as("SELECT version, checksum FROM _sqlx_migrations").fetch_all(c).await?;
    for (version, checksum) in applied {
        let ours = SQLITE.iter().find(|migration| migration.version == version);
        let ours = ours.ok_or(MigrateError::VersionMissing(version))?;
        if *ours.checksum != *checksum {
            return Err(MigrateError::VersionMismatch(version).into());
        }
    }
    Ok(())
}

fn newest(migrator: &Migrator) -> i64 {
    migrator.iter().map(|migration| migration.version).max().unwrap_or_default()
}

fn refuse_newer(form: Option<i64>, known: i64) -> Result<(), StoreError> {
    match form {
        Some(found) if found > known => Err(StoreError::Newer { found, known }),
        Some(_) | None => Ok(()),
    }
}

/// The last migration that was applied; none to an empty file.
async fn form_of(connection: &mut SqliteConnection) -> Result<Option<i64>, StoreError> {
    let tables: i64 =
        sqlx::query_scalar("SELECT count(*) FROM sqlite_schema WHERE name = '_sqlx_migrations'")
            .fetch_one(&mut *connection)
            .await?;
    if tables == 0 {
        return Ok(None);
    }
    Ok(sqlx::query_scalar("SELECT max(version) FROM _sqlx_migrations").fetch_one(connection).await?)
}
