//! Creating and opening a database.

use std::{
    fs,
    path::{Path, PathBuf},
    str::FromStr,
    sync::Arc,
    time::Duration,
};

use sqlx::{
    PgPool, SqlitePool,
    postgres::{PgConnectOptions, PgPoolOptions},
    sqlite::{
        SqliteAutoVacuum, SqliteConnectOptions, SqliteJournalMode, SqlitePoolOptions, SqliteSynchronous,
    },
};

use crate::{Store, StoreError, db::Db, owner::Owner};

/// `MYAO` in ASCII: marks the file as ours in its header.
const APPLICATION_ID: i64 = 0x4d59_414f;
/// Reading commands and pages share these; SQLite readers never wait for the writer.
const SQLITE_READERS: u32 = 4;
const POSTGRES_CONNECTIONS: u32 = 10;
/// Longer than any write transaction of ours, which stay under about 500 rows.
const BUSY_TIMEOUT: Duration = Duration::from_secs(20);

/// Which database to open.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Target {
    /// `memory.database_path`: one SQLite file, made when missing.
    Sqlite(PathBuf),
    /// `memory.database_url`: a PostgreSQL server's database.
    Postgres(String),
}

impl Store {
    /// Opens the database and brings it to this program's form.
    ///
    /// # Errors
    /// When the file is no database of ours, cannot be read or written, or is damaged; when the server
    /// cannot be reached.
    pub async fn open(target: &Target) -> Result<Self, StoreError> {
        let (db, owner) = match target {
            Target::Sqlite(path) => (open_sqlite(path).await?, Owner::beside(path)?),
            Target::Postgres(url) => (open_postgres(url).await?, Owner::remote()),
        };
        let store = Self { db: Arc::new(db), owner: Arc::new(owner) };
        store.release_the_dead().await?;
        Ok(store)
    }

    /// Gives this process's claims back and closes every connection; on SQLite this also folds the
    /// write-ahead log back into the file.
    pub async fn close(&self) {
        if let Err(error) = self.release_own().await {
            // They expire by themselves.
            tracing::warn!(%error, "claims were not given back");
        }
        match &*self.db {
            Db::Sqlite { reader, writer } => {
                reader.close().await;
                writer.close().await;
            }
            Db::Postgres(pool) => pool.close().await,
        }
    }
}

async fn open_sqlite(path: &Path) -> Result<Db, StoreError> {
    let io = |source| StoreError::Path { path: path.to_owned(), source };
    if let Some(folder) = path.parent().filter(|folder| !folder.as_os_str().is_empty()) {
        fs::create_dir_all(folder).map_err(io)?;
    }
    // The archive holds private talk: nobody else on the machine may read it, from its first byte on.
    let mut create = fs::OpenOptions::new();
    create.create(true).append(true);
    #[cfg(unix)]
    std::os::unix::fs::OpenOptionsExt::mode(&mut create, 0o600);
    match create.open(path) {
        Ok(_) => {}
        Err(e) if e.kind() == std::io::ErrorKind::ReadOnlyFilesystem => {
            return Err(StoreError::ReadOnly(path.display().to_string()));
        }
        Err(e) => return Err(io(e)),
    }
    let options = SqliteConnectOptions::new()
        .filename(path)
        .auto_vacuum(SqliteAutoVacuum::Incremental)
        .journal_mode(SqliteJournalMode::Wal)
        .synchronous(SqliteSynchronous::Normal)
        .busy_timeout(BUSY_TIMEOUT)
        .foreign_keys(true)
        .pragma("secure_delete", "ON");
    let pool = |most| SqlitePoolOptions::new().max_connections(most);
    let writer = pool(1).connect_with(options.clone()).await.map_err(|e| unfit(path, e))?;
    mark_as_ours(path, &writer).await?;
    sqlx::migrate!("../../migrations/sqlite").run(&writer).await?;
    let reader = pool(SQLITE_READERS).connect_with(options).await?;
    Ok(Db::Sqlite { reader, writer })
}

/// A file that SQLite cannot even open is told apart from one that is damaged inside.
fn unfit(path: &Path, error: sqlx::Error) -> StoreError {
    let error = StoreError::from(error);
    if matches!(error, StoreError::Damaged(_)) { StoreError::NotADatabase(path.to_owned()) } else { error }
}

async fn mark_as_ours(path: &Path, writer: &SqlitePool) -> Result<(), StoreError> {
    let id: i64 =
        sqlx::query_scalar("PRAGMA application_id").fetch_one(writer).await.map_err(|e| unfit(path, e))?;
    if id == APPLICATION_ID {
        return Ok(());
    }
    let table: Option<String> =
        sqlx::query_scalar("SELECT name FROM sqlite_schema WHERE type = 'table' ORDER BY name LIMIT 1")
            .fetch_optional(writer)
            .await
            .map_err(|e| unfit(path, e))?;
    if let Some(table) = table {
        return Err(StoreError::Foreign { path: path.to_owned(), table });
    }
    // 0x4d59414f, spelled out since a pragma takes no parameters.
    sqlx::query("PRAGMA application_id = 1297695055").execute(writer).await?;
    Ok(())
}

async fn open_postgres(url: &str) -> Result<Db, StoreError> {
    // The url may hold a password: no error repeats it, nor what the parser says of it.
    let Ok(options) = PgConnectOptions::from_str(url) else {
        return Err(StoreError::Database("memory.database_url is no PostgreSQL address".to_owned()));
    };
    let pool: PgPool =
        PgPoolOptions::new().max_connections(POSTGRES_CONNECTIONS).connect_with(options).await?;
    sqlx::migrate!("../../migrations/postgres").run(&pool).await?;
    Ok(Db::Postgres(pool))
}
