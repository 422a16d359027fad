//! Creates and opens a database. `reading` opens one for reading only; `server` opens one on a server.

use std::{fs, path::Path, pin::Pin, sync::Arc, time::Duration};

use async_recursion::async_recursion as boxed;
use sqlx::{
    Connection as _, SqliteConnection, SqlitePool,
    pool::PoolConnectionMetadata,
    sqlite::{SqliteAutoVacuum, SqliteJournalMode, SqliteSynchronous},
};
use tokio::time::Instant;

use super::{
    adopt::{
        self,
        adoption::{Adopter, Adoption},
    },
    contents::{OldContents, look_into_file},
    file_mark::mark_as_ours,
    migrations, server,
};
use crate::{
    Store, StoreError,
    db::{
        BUSY_TIMEOUT, Db, OpenedFile,
        owner::Owner,
        pools::{SQLITE_READERS, file_pool},
        sqlite_options,
        target::Target,
    },
    forget,
    recall::VectorCache,
};

/// SQLite's value of `auto_vacuum` for a file that never shrinks.
const AUTO_VACUUM_NONE: i64 = 0;

/// The most that the connection for writing keeps of the file, in KiB below 0: the counts of words of sixteen channels,
/// which an import changes over and over (ADR 113). What does not fit is written before its transaction ends, and read
/// again.
const WRITER_CACHE: &str = "-8192";

/// The pause between two attempts to change a locked file to write-ahead logging.
const LOCK_PAUSE: Duration = Duration::from_millis(20);

impl Store {
    /// Opens the database and brings it to this program's form. An SQLite file that needs migrations is copied first.
    ///
    /// # Errors
    /// If the file is not a database of ours, cannot be read or written, or is damaged; if the server cannot be
    /// reached; if a newer program changed the database's form.
    #[boxed]
    pub async fn open(target: &Target) -> Result<Self, StoreError> {
        Self::open_and_adopt(target, None).await
    }

    /// Does the same, and takes over an SQLite file of the predecessor in place (specification §7). [`Store::adoption`]
    /// tells what was taken over.
    ///
    /// # Errors
    /// The same as [`Store::open`]. A file of the predecessor that cannot be taken over stays as it was.
    #[boxed]
    pub async fn open_or_adopt(target: &Target, adopter: Adopter) -> Result<Self, StoreError> {
        Self::open_and_adopt(target, Some(adopter)).await
    }

    async fn open_and_adopt(target: &Target, adopter: Option<Adopter>) -> Result<Self, StoreError> {
        let (db, owner, adoption) = match target {
            Target::Sqlite(path) => {
                let (db, adoption) = open_sqlite_file(path, adopter).await?;
                (db, Owner::beside(path), adoption)
            }
            Target::Postgres(url) => (server::open_for_writing(url).await?, Owner::remote(), None),
        };
        let db = Arc::new(db);
        let owner = Arc::new(owner);
        let adoption = adoption.map(Arc::new);
        let hearing = Arc::default();
        let vectors = VectorCache::default();
        let opt_outs = Arc::default();
        let time = Arc::default();
        let store = Self {
            db,
            owner,
            adoption,
            hearing,
            time,
            masks_archive: false,
            vectors,
            opt_outs,
            uses_noted: Arc::default(),
        };
        if let Err(error) = store.release_the_dead().await {
            store.db.close().await;
            return Err(error);
        }
        Ok(store)
    }

    /// The file that holds the database; `None` for a database on a server.
    pub fn database(&self) -> Option<&Path> {
        self.owner.database()
    }

    /// Whether the database is still where it was opened. A file that was deleted or replaced meanwhile is neither read
    /// nor written.
    ///
    /// # Errors
    /// [`StoreError::Deleted`], [`StoreError::Replaced`].
    pub fn is_in_place(&self) -> Result<(), StoreError> {
        match &*self.db {
            Db::Sqlite { file, .. } => file.check_same_file(),
            Db::SqliteToRead { .. } | Db::Postgres(_) | Db::PostgresToRead(_) => Ok(()),
        }
    }

    /// Whether the database is on a server, where several processes may share the work of one run.
    pub fn is_on_server(&self) -> bool {
        self.database().is_none()
    }

    /// The same store, with secrets masked when they are stored from now on (`privacy.mask_archive`).
    #[must_use]
    pub fn masking_archive(self, masks_archive: bool) -> Self {
        Self { masks_archive, ..self }
    }

    /// What was taken over from the predecessor when this store was opened; `None` if nothing was.
    pub fn adoption(&self) -> Option<&Adoption> {
        self.adoption.as_deref()
    }

    /// Gives this process's claims back and closes every connection; on SQLite this also folds the write-ahead log back
    /// into the file.
    #[boxed]
    pub async fn close(&self) {
        if self.db.is_writable() {
            self.uses_noted.finish().await;
            match self.release_own().await {
                Ok(()) => self.owner.remove_mark(),
                // On SQLite the mark that stays lets the next process release them; on a server they expire.
                Err(error) => tracing::warn!(%error, "claims were not given back"),
            }
        }
        self.db.close().await;
    }
}

/// Whether a connection may be used again. On a full disk SQLite rolls a transaction back by itself; the driver's own
/// rollback then fails, and the driver counts the transaction as open for ever. Such a connection is closed, as
/// otherwise nothing could be written after space was made.
fn is_clean(
    connection: &mut SqliteConnection,
    _: PoolConnectionMetadata,
) -> Pin<Box<dyn Future<Output = Result<bool, sqlx::Error>> + Send + '_>> {
    let clean = !connection.is_in_transaction();
    Box::pin(async move { Ok(clean) })
}

async fn open_sqlite_file(
    path: &Path,
    adopter: Option<Adopter>,
) -> Result<(Db, Option<Adoption>), StoreError> {
    make_file(path)?;
    let found = look_into_file(path).await?;
    let adoption = match (found, adopter) {
        (OldContents::Predecessor, Some(adopter)) => adopt::take_over_database(path, adopter).await?,
        (OldContents::Predecessor, None) => return Err(StoreError::Predecessor(path.to_owned())),
        (OldContents::Ours | OldContents::Nothing, _) => None,
    };
    let mut options = sqlite_options(path)
        .journal_mode(SqliteJournalMode::Wal)
        // An acknowledged event must outlive a power cut, not only a kill.
        .synchronous(SqliteSynchronous::Full)
        .foreign_keys(true)
        .pragma("secure_delete", "ON");
    if found == OldContents::Nothing {
        // On a file that has this setting already, setting it takes the write lock: a command that reads would wait for
        // a writer.
        options = options.auto_vacuum(SqliteAutoVacuum::Incremental);
    }
    let pool = |most| file_pool(most).before_acquire(is_clean);
    let writing = options.clone().pragma("cache_size", WRITER_CACHE);
    let writer = until_free(|| pool(1).connect_with(writing.clone())).await?;
    let ready = async {
        make_ready(path, found, &writer).await?;
        forget::compare_with_list(path, &writer).await?;
        let reader = pool(SQLITE_READERS).connect_with(options).await?;
        Ok((reader, OpenedFile::at(path)?))
    };
    match ready.await {
        Ok((reader, file)) => Ok((Db::Sqlite { reader, writer, file }, adoption)),
        // Closing removes what SQLite keeps beside a file; otherwise the last connection would do so at some later
        // time.
        Err(error) => {
            writer.close().await;
            Err(error)
        }
    }
}

/// Connects, and tries again while the file is locked. The busy timeout does not cover the change to write-ahead
/// logging: the change begins by reading, and SQLite does not wait for a writer once a transaction holds its first
/// lock. Without this, two processes that start at once on a file that is new or was just taken over would make each
/// other fail.
async fn until_free<F>(connect: impl Fn() -> F) -> Result<SqlitePool, StoreError>
where
    F: Future<Output = Result<SqlitePool, sqlx::Error>>,
{
    let since = Instant::now();
    loop {
        match connect().await.map_err(StoreError::from) {
            Err(StoreError::Locked) if since.elapsed() < BUSY_TIMEOUT => tokio::time::sleep(LOCK_PAUSE).await,
            connected => return connected,
        }
    }
}

/// Brings a file to this program's form.
async fn make_ready(path: &Path, found: OldContents, writer: &SqlitePool) -> Result<(), StoreError> {
    if found == OldContents::Nothing {
        mark_as_ours(&mut *writer.acquire().await?).await?;
    }
    migrations::migrate_sqlite_file(path, writer).await?;
    make_file_shrinkable(writer).await
}

fn make_file(path: &Path) -> Result<(), StoreError> {
    let io = |source| StoreError::of_path(path, source);
    if let Some(folder) = path.parent().filter(|folder| !folder.as_os_str().is_empty()) {
        let mut make = fs::DirBuilder::new();
        make.recursive(true);
        #[cfg(unix)]
        std::os::unix::fs::DirBuilderExt::mode(&mut make, 0o700);
        make.create(folder).map_err(io)?;
    }
    // The archive holds private talk: nobody else on the machine may read it, from its first byte on.
    let mut create = fs::OpenOptions::new();
    create.create(true).append(true);
    #[cfg(unix)]
    std::os::unix::fs::OpenOptionsExt::mode(&mut create, 0o600);
    create.open(path).map(drop).map_err(io)
}

/// Makes a file that we did not create able to give back the room of deleted data, which needs the file to be written
/// anew. That also drops deleted text from its free pages.
async fn make_file_shrinkable(writer: &SqlitePool) -> Result<(), StoreError> {
    let mut c = writer.acquire().await?;
    let mode: i64 = sqlx::query_scalar("PRAGMA auto_vacuum").fetch_one(&mut *c).await?;
    if mode != AUTO_VACUUM_NONE {
        return Ok(());
    }
    sqlx::query("PRAGMA auto_vacuum = INCREMENTAL").execute(&mut *c).await?;
    if let Err(error) = sqlx::query("VACUUM").execute(&mut *c).await {
        // Tried again at the next start.
        tracing::warn!(%error, "the database file was not written anew");
    }
    Ok(())
}
