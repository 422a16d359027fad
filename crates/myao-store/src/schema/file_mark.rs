//! Tells by its first bytes what a file is, and marks one as ours.

use std::{fs, io::Read as _, path::Path};

use sqlx::{AssertSqlSafe, SqliteConnection};

use crate::StoreError;

/// `MYAO` in ASCII: the mark in the file's header that says the file is ours.
pub(crate) const APPLICATION_ID: i64 = 0x4d59_414f;

/// The first bytes of every SQLite file.
const SQLITE_MAGIC: [u8; 16] = *b"SQLite format 3\0";

/// Where the mark ends in an SQLite file's header, in bytes.
const MARK_END: usize = 72;

/// Whether a file begins as every SQLite database does.
pub(crate) fn begins_as_database(path: &Path) -> bool {
    let mut begin = [0; SQLITE_MAGIC.len()];
    fs::File::open(path).and_then(|mut file| file.read_exact(&mut begin)).is_ok() && begin == SQLITE_MAGIC
}

/// How a write-ahead log begins, by the order of bytes in its checksums, and how a rollback journal does.
const WAL_MAGICS: [[u8; 4]; 2] = [[0x37, 0x7f, 0x06, 0x82], [0x37, 0x7f, 0x06, 0x83]];

const JOURNAL_MAGIC: [u8; 8] = [0xd9, 0xd5, 0x05, 0xf9, 0x20, 0xa1, 0x63, 0xd7];

/// Whether a file begins as what SQLite keeps beside a database that is being written: its write-ahead log, or its
/// rollback journal. Both hold pages of the database.
pub(crate) fn begins_as_log(path: &Path) -> bool {
    let mut begin = [0; JOURNAL_MAGIC.len()];
    fs::File::open(path).and_then(|mut file| file.read_exact(&mut begin)).is_ok()
        && (begin == JOURNAL_MAGIC || WAL_MAGICS.iter().any(|magic| begin.starts_with(magic)))
}

/// Whether a file begins as an SQLite database that bears our mark. Reads nothing but the beginning.
pub(crate) fn is_marked(path: &Path) -> bool {
    let mut header = [0; MARK_END];
    let is_read = fs::File::open(path).and_then(|mut file| file.read_exact(&mut header)).is_ok();
    let mark = u32::try_from(APPLICATION_ID).unwrap_or_default().to_be_bytes();
    is_read && header.starts_with(&SQLITE_MAGIC) && header.ends_with(&mark)
}

/// Marks the file as ours.
pub(crate) async fn mark_as_ours(c: &mut SqliteConnection) -> Result<(), StoreError> {
    // A pragma takes no parameters.
    let mark = AssertSqlSafe(format!("PRAGMA application_id = {APPLICATION_ID}"));
    sqlx::query(mark).execute(c).await?;
    Ok(())
}
