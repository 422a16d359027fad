//! Brings a database of ours to this program's form (specification §7).

use std::{path::Path, sync::LazyLock};

use include_dir::{Dir, File, include_dir};
use sqlx::{
    AssertSqlSafe, SqlStr, Sqlite, SqliteConnection, SqlitePool, Transaction,
    migrate::{MigrateError, Migration, MigrationType, Migrator},
};

use super::backup;
use crate::{
    StoreError,
    db::{DbServer, ServerTx, query_as, retry::WriteAttempts},
};

static SQLITE: LazyLock<Migrator> = LazyLock::new(|| migrator_of_folder(&SQLITE_FILES));

static POSTGRES: LazyLock<Migrator> = LazyLock::new(|| migrator_of_folder(&POSTGRES_FILES));

static SQLITE_FILES: Dir<'_> = include_dir!("$CARGO_MANIFEST_DIR/../../migrations/sqlite");

static POSTGRES_FILES: Dir<'_> = include_dir!("$CARGO_MANIFEST_DIR/../../migrations/postgres");

/// How many backup copies made before migrations are kept: enough to go back over a few versions of the program.
const COPIES_KEPT: usize = 3;

/// The migrations of a folder, each in a file named after its number and what it does. This does what sqlx's macro does
/// without its compile time: sqlx's macros build both database drivers a second time. A file with another kind of name
/// is no migration; a test compares the list with sqlx's own reading of the folder.
fn migrator_of_folder(folder: &'static Dir<'_>) -> Migrator {
    let migration = |file: &'static File<'_>| {
        let name = file.path().file_stem()?.to_str()?;
        let (version, description) = name.split_once('_')?;
        let version = version.parse().ok()?;
        let sql = SqlStr::from_static(file.contents_utf8()?);
        let description = description.replace('_', " ").into();
        Some(Migration::new(version, description, MigrationType::Simple, sql, false))
    };
    Migrator::with_migrations(folder.files().filter_map(migration).collect())
}

/// Applies all missing migrations or none. A file that already has a form is copied first.
pub(crate) async fn migrate_sqlite_file(path: &Path, writer: &SqlitePool) -> Result<(), StoreError> {
    let known = newest_form(&SQLITE);
    let mut connection = writer.acquire().await?;
    let form = form_of_file(&mut connection).await?;
    if form == Some(known) {
        // Nothing is missing; this compares what was applied with what is compiled in.
        return Ok(SQLITE.run_direct(None, &mut *connection, false).await?);
    }
    drop(connection);
    let mut tx = writer.begin_with("BEGIN IMMEDIATE").await?;
    // Another process may have migrated it first.
    if let Some(form) = form_of(&mut tx).await?.filter(|form| *form < known) {
        let copy = backup::copy_database(path, &backup::before_migration(form)).await?;
        tracing::info!(copy = %copy.path.display(), "the database was copied before it is migrated");
        backup::prune_copies(path, COPIES_KEPT);
    }
    migrate_within_transaction(&mut tx).await?;
    tx.commit().await?;
    Ok(())
}

/// Applies the missing migrations within a transaction that does more.
pub(crate) async fn migrate_within_transaction(
    tx: &mut Transaction<'static, Sqlite>,
) -> Result<(), StoreError> {
    Ok(SQLITE.run_direct(None, &mut **tx, false).await?)
}

/// Applies the missing migrations up to `form`, in a database that is not in use.
pub(crate) async fn sqlite_to(form: i64, connection: &mut SqliteConnection) -> Result<(), StoreError> {
    Ok(SQLITE.run_direct(Some(form), connection, false).await?)
}

/// The table of applied migrations on a server, as sqlx keeps it in a file.
const LIST: &str = "CREATE TABLE IF NOT EXISTS _sqlx_migrations (
    version BIGINT PRIMARY KEY,
    description TEXT NOT NULL,
    installed_on TIMESTAMPTZ NOT NULL DEFAULT now(),
    success BOOLEAN NOT NULL,
    checksum BYTEA NOT NULL,
    execution_time BIGINT NOT NULL
)";

/// Error codes of a server when two processes make the same thing at once.
const MADE_TWICE: [&str; 3] = ["23505", "42P07", "42710"];

/// Applies all missing migrations on a server or none. No lock is needed: in one transaction, the row that lists a
/// migration is inserted before the migration is carried out. Another process that begins meanwhile waits at that row,
/// and then finds it there.
pub(crate) async fn migrate_server(server: &DbServer) -> Result<(), StoreError> {
    let mut tries = WriteAttempts::new();
    loop {
        match apply_to_server(server).await {
            // If the migrations were committed after all, the list shows them.
            Err(StoreError::UnknownCommit(_)) => {}
            Err(error) if was_made_twice(&error) || tries.may_try_again(&error).await => {}
            done => return done,
        }
    }
}

/// Whether another process made the same thing first: it exists now, and the next attempt finds it.
fn was_made_twice(error: &StoreError) -> bool {
    let StoreError::Database { source, .. } = error else { return false };
    let Some(told) = source.as_database_error() else { return false };
    told.code().is_some_and(|code| MADE_TWICE.contains(&&*code))
}

async fn apply_to_server(server: &DbServer) -> Result<(), StoreError> {
    let mut tx = server.begin().await?;
    if form_on_server(&mut tx).await?.is_none() {
        sqlx::raw_sql(LIST).execute(tx.connection()).await?;
    }
    let applied: Vec<(i64, Vec<u8>)> =
        query_as("SELECT version, checksum FROM _sqlx_migrations").fetch_all(&mut tx).await?;
    refuse_other(&POSTGRES, &applied)?;
    let is_applied = |version: i64| applied.iter().any(|(applied, _)| *applied == version);
    let mut is_changed = false;
    for migration in POSTGRES.iter().filter(|migration| !is_applied(migration.version)) {
        let listed = sqlx::query(
            "INSERT INTO _sqlx_migrations (version, description, success, checksum, execution_time)
             VALUES ($1, $2, true, $3, 0) ON CONFLICT (version) DO NOTHING",
        )
        .bind(migration.version)
        .bind(&*migration.description)
        .bind(&*migration.checksum)
        .execute(&mut tx)
        .await?;
        if listed.rows_affected() > 0 {
            let sql = AssertSqlSafe(migration.sql.as_str().to_owned());
            let done = sqlx::raw_sql(sql).execute(tx.connection()).await;
            done.map_err(|error| MigrateError::ExecuteMigration(error, migration.version))?;
            is_changed = true;
        }
    }
    if is_changed { tx.commit().await } else { Ok(()) }
}

/// The form of a database on a server; `None` before its first migration.
///
/// # Errors
/// If a newer program brought the database to its form.
pub(crate) async fn form_on_server(tx: &mut ServerTx) -> Result<Option<i64>, StoreError> {
    let table: Option<String> =
        sqlx::query_scalar("SELECT to_regclass('_sqlx_migrations')::text").fetch_one(&mut *tx).await?;
    if table.is_none() {
        return Ok(None);
    }
    let form: Option<i64> =
        sqlx::query_scalar("SELECT max(version) FROM _sqlx_migrations").fetch_one(&mut *tx).await?;
    refuse_newer(form, newest_on_server())?;
    Ok(form)
}

/// The newest form of a database on a server.
pub(crate) fn newest_on_server() -> i64 {
    newest_form(&POSTGRES)
}

/// The newest form of a file.
pub(crate) fn newest_of_file() -> i64 {
    newest_form(&SQLITE)
}

/// The form of a file; `None` before its first migration.
///
/// # Errors
/// If a newer program brought the file to its form, or its migrations differ from ours.
pub(crate) async fn form_of_file(c: &mut SqliteConnection) -> Result<Option<i64>, StoreError> {
    let form = form_of(c).await?;
    refuse_newer(form, newest_of_file())?;
    if form.is_some() {
        refuse_modified(c).await?;
    }
    Ok(form)
}

/// Refuses a file to which other migrations of the same numbers were applied. sqlx would refuse it too, but only once
/// the file is opened for writing.
async fn refuse_modified(c: &mut SqliteConnection) -> Result<(), StoreError> {
    let applied: Vec<(i64, Vec<u8>)> =
        query_as("SELECT version, checksum FROM _sqlx_migrations").fetch_all(c).await?;
    refuse_other(&SQLITE, &applied)
}

/// Refuses applied migrations that differ from this program's.
fn refuse_other(ours: &Migrator, applied: &[(i64, Vec<u8>)]) -> Result<(), StoreError> {
    for (version, checksum) in applied {
        let ours = ours.iter().find(|migration| migration.version == *version);
        let ours = ours.ok_or(MigrateError::VersionMissing(*version))?;
        if *ours.checksum != **checksum {
            return Err(MigrateError::VersionMismatch(*version).into());
        }
    }
    Ok(())
}

fn newest_form(migrator: &Migrator) -> i64 {
    migrator.iter().map(|migration| migration.version).max().unwrap_or_default()
}

fn refuse_newer(form: Option<i64>, known: i64) -> Result<(), StoreError> {
    match form {
        Some(found) if found > known => Err(StoreError::Newer { found, known }),
        Some(_) | None => Ok(()),
    }
}

/// The last migration that was applied; `None` for an empty file.
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

/// Refuses an older form; a newer one was refused when the form was read.
pub(super) fn in_form(database: &str, form: Option<i64>, known: i64) -> Result<(), StoreError> {
    match form {
        None => Err(StoreError::Missing(database.to_owned())),
        Some(found) if found < known => {
            Err(StoreError::Older { database: database.to_owned(), found, known })
        }
        Some(_) => Ok(()),
    }
}
