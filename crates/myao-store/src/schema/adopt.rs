//! Takes over a database of the predecessor, myao2, in place (specification §7).
//!
//! First the file is copied. Then one transaction does everything: it renames the old tables, makes our schema, carries
//! the rows over and marks the file as ours. If the process is killed at any point, the next start finds either the old
//! database unchanged or ours, complete.
//!
//! Read in this order: `tables` (what is recognised, and how its rows are read), `messages` (maps the predecessor's
//! message ids to post times: its own posts bear no time stamp of the platform), `talk`, `memories`, `memos`.

pub(crate) mod adoption;
mod memories;
mod memos;
mod messages;
pub(crate) mod tables;
mod talk;

use std::{fs, path::Path};

use sqlx::{Sqlite, Transaction};

use self::adoption::{Adopter, Adoption};
use super::{
    backup,
    contents::{self, OldContents, file_contents},
    file_mark, foreign, migrations,
};
use crate::{
    StoreError,
    db::{Tx, pools, sqlite_options},
};

/// The label of the copy of the unchanged file: it is named `{database}.myao2-backup`.
const BACKUP_LABEL: &str = "myao2-backup";

/// Takes over the database at `path`. `None` if another process has done so meanwhile.
///
/// # Errors
/// If the file is damaged or locked, or the disk is full; then the file stays as it was.
pub(crate) async fn take_over_database(
    path: &Path,
    adopter: Adopter,
) -> Result<Option<Adoption>, StoreError> {
    let path = path.to_owned();
    to_the_end!({
        // Opened in its own journal mode, so that the file stays unchanged if it cannot be taken over.
        let options = sqlite_options(&path).foreign_keys(true).pragma("secure_delete", "ON");
        let pool = pools::file_pool(1).connect_with(options).await?;
        let tx = pool.begin_with("BEGIN IMMEDIATE").await?;
        let adoption = adopt_in_transaction(&path, tx, adopter).await;
        pool.close().await;
        if adoption.is_err() {
            roll_file_back(&path).await;
        }
        let adoption = adoption?;
        if adoption.is_some() {
            make_file_private(&path);
        }
        Ok(adoption)
    })
    .await
}

async fn adopt_in_transaction(
    path: &Path,
    mut tx: Transaction<'static, Sqlite>,
    adopter: Adopter,
) -> Result<Option<Adoption>, StoreError> {
    if file_contents(path, &mut tx).await? != OldContents::Predecessor {
        return Ok(None);
    }
    let backup = backup::copy_database(path, BACKUP_LABEL).await?;
    match convert_old_tables(path, Tx::Sqlite(tx), adopter, &backup.path).await {
        Ok((tx, adoption)) => {
            // The outcome of a failed commit is unknown: the copy stays.
            tx.commit().await?;
            Ok(Some(adoption))
        }
        Err(error) => {
            // Nothing was changed, so the copy is not needed.
            if backup.is_new {
                drop(fs::remove_file(&backup.path));
            }
            Err(error)
        }
    }
}

async fn convert_old_tables(
    path: &Path,
    mut tx: Tx,
    adopter: Adopter,
    backup: &Path,
) -> Result<(Tx, Adoption), StoreError> {
    let Tx::Sqlite(sqlite) = &mut tx else {
        return Err(StoreError::Content("only an SQLite file is taken over".to_owned()));
    };
    tables::put_aside(sqlite).await?;
    migrations::migrate_within_transaction(sqlite).await?;
    let mut adoption = Adoption { backup: backup.to_owned(), ..Adoption::default() };
    let known = talk::take_over(&mut tx, adopter, &mut adoption).await?;
    memories::take_over(&mut tx, adopter, &known, &mut adoption).await?;
    memos::take_over_memos(&mut tx, adopter, &mut adoption).await?;
    memos::take_over_judgments(&mut tx, adopter, &known, &mut adoption).await?;
    if let Tx::Sqlite(sqlite) = &mut tx {
        tables::drop_indexes(sqlite).await?;
        // Checked here, so that we do not produce a database that the next start would refuse.
        let form = migrations::form_of_file(sqlite).await?;
        foreign::check_sqlite(path, sqlite, form).await?;
        // The mark is part of the transaction, like any other page of the file.
        file_mark::mark_as_ours(sqlite).await?;
    }
    Ok((tx, adoption))
}

/// Has SQLite roll the file back now. After a full disk it would leave that to the next reader, and until then the file
/// would be useless without its journal.
async fn roll_file_back(path: &Path) {
    if let Err(error) = contents::look_into_file(path).await {
        tracing::warn!(path = %path.display(), %error, "keep the file's journal with it");
    }
}

/// Lets nobody else on the machine read the file, as with a file that we make ourselves.
fn make_file_private(path: &Path) {
    #[cfg(unix)]
    if let Err(error) = fs::set_permissions(path, std::os::unix::fs::PermissionsExt::from_mode(0o600)) {
        tracing::warn!(path = %path.display(), %error, "others may read the database");
    }
}
