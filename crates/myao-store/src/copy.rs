//! Moves an installation from one database to another: SQLite to PostgreSQL and back (ADR 62).
//!
//! `tables` lists what there is to copy, from the schema itself; `rows` reads, writes and digests rows; `numbers`
//! carries on the counters of numbered ids; `refusals` says when nothing is copied; `aside` is the file that becomes
//! the new database only once everything is in it. `backup` makes a copy beside a run, `backup_folder` names and lists
//! backups, and `older_backups` finds and removes those of one database.
//!
//! A copy is complete or absent. One that was stopped at any point leaves no database where there was none, and an
//! empty one where it was empty. The database that is copied is only read.

mod aside;
mod backup;
mod backup_file;
mod backup_folder;
mod numbers;
mod older_backups;
mod outcome;
mod refusals;
mod rows;
mod tables;
mod term_index;

use jiff::Timestamp;

use self::{aside::Aside, tables::CopiedTable};
use crate::{
    Store, StoreError,
    db::{Tx, query_as, target::Target, values::unsigned_count},
    recall::{self, IndexPass, MemoryLines},
};
pub use backup::Backup;
pub use backup_folder::BackupFolder;
pub use outcome::{BackupError, CopiedDatabase, CopyError, CopyProgress};
pub use rows::TableDigest;

/// Rows written to a file in one transaction: the file's log must not grow as large as the file.
const ROWS_A_TRANSACTION: u64 = 50_000;

/// Index rows that one step of making the index writes at most.
const INDEXED_AT_ONCE: u64 = 500;

impl Store {
    /// Copies the database at `from` to `to`, which must not exist yet or be empty, and verifies the copy.
    ///
    /// # Errors
    /// If one of them cannot be used, another process works on one of them, or `to` is not empty; see [`CopyError`].
    pub async fn copy_whole_database(
        from: &Target,
        to: &Target,
        now: Timestamp,
        tell: &mut dyn FnMut(CopyProgress),
    ) -> Result<CopiedDatabase, CopyError> {
        let source = Self::open_to_read(from).await.map_err(CopyError::From)?;
        let copied = copy_between_databases(&source, from, to, now, tell).await;
        source.close().await;
        let tables = copied?;
        tell(CopyProgress::Verifying);
        // Opened normally, which makes the files that lie beside a database.
        let copy = Self::open(to).await.map_err(CopyError::To)?;
        let verified = copy.verify().await;
        copy.close().await;
        let faults = verified.map_err(CopyError::To)?.faults;
        Ok(CopiedDatabase { tables, left_out: tables::LEFT_OUT.to_vec(), faults })
    }
}

async fn copy_between_databases(
    source: &Store,
    from: &Target,
    to: &Target,
    now: Timestamp,
    tell: &mut dyn FnMut(CopyProgress),
) -> Result<Vec<(String, TableDigest)>, CopyError> {
    let name = from.public_name();
    refusals::at_work(source, &name, now).await?;
    if source.forget().has_more().await.map_err(CopyError::From)? {
        return Err(CopyError::Unforgotten(name));
    }
    let aside = Aside::prepare(to, now).await?;
    let store = aside.open().await.map_err(CopyError::To)?;
    let filled = fill_database(source, &store, &to.public_name(), tell).await;
    store.close().await;
    match filled {
        Ok(tables) => aside.give_final_name().map(|()| tables).map_err(CopyError::To),
        Err(error) => {
            aside.discard();
            Err(error)
        }
    }
}

/// Copies every table, reads it back, and makes the index for recall.
async fn fill_database(
    source: &Store,
    store: &Store,
    name: &str,
    tell: &mut dyn FnMut(CopyProgress),
) -> Result<Vec<(String, TableDigest)>, CopyError> {
    let tables = tables::all_copied_tables().await.map_err(CopyError::To)?;
    let mut from = source.db.snapshot().await.map_err(CopyError::From)?;
    let mut of = 0;
    for table in &tables {
        of += rows::count_copied_rows(&mut from, table).await.map_err(CopyError::From)?;
    }
    let mut to = Filling { store, tx: Some(store.db.begin().await.map_err(CopyError::To)?), since: 0 };
    refusals::not_empty(to.tx()?, &tables, name).await?;
    let mut digests = Vec::new();
    let mut done = 0;
    for table in &tables {
        let mut digest = TableDigest::default();
        let copied = rows::read_in_batches(&mut from, table, CopyError::From, async |batch| {
            digest.add_all(&batch);
            done += batch.len() as u64;
            to.write_batch(table, batch).await.map_err(CopyError::To)?;
            tell(CopyProgress::Copying { table: table.name.clone(), rows: done, of });
            Ok(())
        });
        copied.await?;
        numbers::continue_counter(&mut from, to.tx()?, table).await.map_err(CopyError::To)?;
        digests.push((table.name.clone(), digest));
    }
    compare_digests(to.tx()?, &tables, &digests, of, tell).await?;
    let are_written = recall::lines_are_written(&mut from).await.map_err(CopyError::From)?;
    let lines = if are_written { MemoryLines::There } else { MemoryLines::Derived };
    make_recall_index(&mut to, lines, tell).await.map_err(CopyError::To)?;
    to.commit().await.map_err(CopyError::To)?;
    Ok(digests)
}

/// A database that is being filled.
struct Filling<'a> {
    store: &'a Store,
    /// `None` between two transactions.
    tx: Option<Tx>,
    /// Rows written since the transaction began.
    since: u64,
}

impl Filling<'_> {
    fn tx(&mut self) -> Result<&mut Tx, CopyError> {
        self.open().map_err(CopyError::To)
    }

    fn open(&mut self) -> Result<&mut Tx, StoreError> {
        self.tx.as_mut().ok_or_else(|| StoreError::Interrupted("the copy has no transaction".to_owned()))
    }

    async fn write_batch(&mut self, table: &CopiedTable, batch: Vec<rows::Row>) -> Result<(), StoreError> {
        let written = batch.len() as u64;
        rows::insert_in_bulk(self.open()?, table, batch).await?;
        self.commit_so_far(written).await
    }

    /// Commits what was written to a file so far: nobody uses that file yet. On a server everything is one transaction.
    async fn commit_so_far(&mut self, written: u64) -> Result<(), StoreError> {
        self.since += written;
        if self.since < ROWS_A_TRANSACTION || matches!(self.tx, Some(Tx::Postgres(_))) {
            return Ok(());
        }
        self.since = 0;
        self.commit().await?;
        self.tx = Some(self.store.db.begin().await?);
        Ok(())
    }

    async fn commit(&mut self) -> Result<(), StoreError> {
        match self.tx.take() {
            Some(tx) => tx.commit().await,
            None => Ok(()),
        }
    }
}

/// Reads back what was written and compares it with `digests`.
async fn compare_digests(
    tx: &mut Tx,
    tables: &[CopiedTable],
    digests: &[(String, TableDigest)],
    of: u64,
    tell: &mut dyn FnMut(CopyProgress),
) -> Result<(), CopyError> {
    let mut done = 0;
    for (table, (_, written)) in tables.iter().zip(digests) {
        let mut found = TableDigest::default();
        let read = rows::read_in_batches(tx, table, CopyError::To, async |batch| {
            found.add_all(&batch);
            done += batch.len() as u64;
            tell(CopyProgress::Comparing { rows: done, of });
            Ok(())
        });
        read.await?;
        if found != *written {
            return Err(CopyError::Differs { table: table.name.clone() });
        }
    }
    Ok(())
}

/// Makes the index for recall, which differs between the two kinds of database.
async fn make_recall_index(
    to: &mut Filling<'_>,
    lines: MemoryLines,
    tell: &mut dyn FnMut(CopyProgress),
) -> Result<(), StoreError> {
    // Lines that still have to be derived are looked up by their terms, so the term index is kept for them.
    let by_term = if lines == MemoryLines::There { term_index::drop_index(to.open()?).await? } else { None };
    let of = channels_to_index(to.open()?).await?;
    let mut pass = IndexPass::new(lines);
    while pass.step(to.open()?).await? {
        tell(CopyProgress::Indexing { channels: pass.channels_done(), of });
        to.commit_so_far(INDEXED_AT_ONCE).await?;
    }
    pass.finish(to.open()?).await?;
    match by_term {
        Some(definition) => term_index::make_index(to.open()?, definition).await,
        None => Ok(()),
    }
}

async fn channels_to_index(tx: &mut Tx) -> Result<u64, StoreError> {
    let (channels,): (i64,) = on!(tx, c => query_as("SELECT count(*) FROM channels").fetch_one(c).await)?;
    Ok(unsigned_count(channels))
}
