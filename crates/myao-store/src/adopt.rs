//! Takes over a database of the predecessor, myao2, in place (specification §7).
//!
//! First the file is copied. Then one transaction does everything: it renames the old tables, makes our schema, carries
//! the rows over and marks the file as ours. If the process is killed at any point, the next start finds either the old
//! database unchanged or ours, complete.
//!
//! Read in this order: `tables` (what is recognised, and how its rows are read), `messages` (maps the predecessor's
//! message ids to post times: its own posts bear no time stamp of the platform), `talk`, `memories`, `memos`.

mod memories;
mod memos;
mod messages;
mod tables;
mod talk;

use std::{
    fmt, fs,
    path::{Path, PathBuf},
};

use jiff::Timestamp;
use sqlx::{Sqlite, Transaction};

use crate::{
    StoreError, backup,
    db::{Tx, sqlite_options},
    foreign, migrations, open,
};

pub(crate) use tables::{KEPT_AS, OldContents, contents};

/// The label of the copy of the unchanged file: it is named `{database}.myao2-backup`.
const BACKUP_LABEL: &str = "myao2-backup";

/// What taking over needs from outside.
#[derive(Clone, Copy, Debug)]
pub struct Adopter {
    /// Turns the platform's markup, as the predecessor stored it, into the core's notation.
    pub normalise: fn(&str) -> String,
    /// The current time.
    pub now: Timestamp,
}

/// What was taken over from a database of the predecessor.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Adoption {
    /// The copy of the unchanged file.
    pub backup: PathBuf,
    /// Messages.
    pub messages: u64,
    /// Of these, the predecessor's own posts. Their ids were of its own making; each now bears the time of its post.
    pub own_posts: u64,
    /// Own posts left out because the same post, as the platform sent it back, is in the database too.
    pub dropped_echoes: u64,
    /// Replies whose parent message is missing; they stand at top level now.
    pub loose_replies: u64,
    /// People and bots.
    pub users: u64,
    /// Channels, all of them of kind `unknown`: private until the platform says otherwise.
    pub channels: u64,
    /// Memories.
    pub memories: u64,
    /// Memories left in the old table: the workspace's short-term one, empty ones, and those of scopes we do not know.
    pub memories_left: u64,
    /// Memos. Where they were made is unknown, so only the owner sees them.
    pub memos: u64,
    /// Of these, memos that were renamed because their name was too long, missing or taken.
    pub memos_renamed: u64,
    /// Judgment caches, kept as verdicts.
    pub judgments: u64,
    /// Rows that could not be read, kept raw as unread events.
    pub unread: u64,
}

impl fmt::Display for Adoption {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { messages, users, channels, memories, memos, judgments, .. } = self;
        write!(
            f,
            "took over a database of myao2: {messages} messages ({} of its own posts under their time), \
             {users} people, {channels} channels, {memories} memories, {memos} memos, {judgments} judgments",
            self.own_posts
        )?;
        let asides = [
            (self.dropped_echoes, "posts that stood twice and are one message now"),
            (self.loose_replies, "replies at top level, what they answered not being there"),
            (self.memories_left, "memories left in the old table, retired or empty"),
            (self.memos_renamed, "memos with another name (unique, 32 characters at most)"),
            (self.unread, "rows that made no sense, kept in their raw form"),
        ];
        for (count, what) in asides.iter().filter(|(count, _)| *count > 0) {
            write!(f, "; {what}: {count}")?;
        }
        write!(
            f,
            "\nits tables stay in the file as {}*; the file as it was: {}\nevery channel counts as private \
             until the platform says that it is public",
            KEPT_AS,
            self.backup.display()
        )
    }
}

/// Takes over the database at `path`. `None` if another process has done so meanwhile.
///
/// # Errors
/// If the file is damaged or locked, or the disk is full; then the file stays as it was.
pub(crate) async fn adopt(path: &Path, adopter: Adopter) -> Result<Option<Adoption>, StoreError> {
    let path = path.to_owned();
    to_the_end!({
        // Opened in its own journal mode, so that the file stays unchanged if it cannot be taken over.
        let options = sqlite_options(&path).foreign_keys(true).pragma("secure_delete", "ON");
        let pool = open::file_pool(1).connect_with(options).await?;
        let tx = pool.begin_with("BEGIN IMMEDIATE").await?;
        let adoption = within(&path, tx, adopter).await;
        pool.close().await;
        if adoption.is_err() {
            undo(&path).await;
        }
        let adoption = adoption?;
        if adoption.is_some() {
            hide(&path);
        }
        Ok(adoption)
    })
    .await
}

async fn within(
    path: &Path,
    mut tx: Transaction<'static, Sqlite>,
    adopter: Adopter,
) -> Result<Option<Adoption>, StoreError> {
    if contents(path, &mut tx).await? != OldContents::Predecessor {
        return Ok(None);
    }
    let backup = backup::copy(path, BACKUP_LABEL).await?;
    match convert(path, Tx::Sqlite(tx), adopter, &backup.path).await {
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

async fn convert(
    path: &Path,
    mut tx: Tx,
    adopter: Adopter,
    backup: &Path,
) -> Result<(Tx, Adoption), StoreError> {
    let Tx::Sqlite(sqlite) = &mut tx else {
        return Err(StoreError::Content("only an SQLite file is taken over".to_owned()));
    };
    tables::put_aside(sqlite).await?;
    migrations::within(sqlite).await?;
    let mut adoption = Adoption { backup: backup.to_owned(), ..Adoption::default() };
    let known = talk::take_over(&mut tx, adopter, &mut adoption).await?;
    memories::take_over(&mut tx, adopter, &known, &mut adoption).await?;
    memos::memos(&mut tx, adopter, &mut adoption).await?;
    memos::judgments(&mut tx, adopter, &known, &mut adoption).await?;
    if let Tx::Sqlite(sqlite) = &mut tx {
        tables::drop_indexes(sqlite).await?;
        // Checked here, so that we do not produce a database that the next start would refuse.
        let form = migrations::form_of_file(sqlite).await?;
        foreign::check_sqlite(path, sqlite, form).await?;
        // The mark is part of the transaction, like any other page of the file.
        open::mark(sqlite).await?;
    }
    Ok((tx, adoption))
}

/// Has SQLite roll the file back now. After a full disk it would leave that to the next reader, and until then the file
/// would be useless without its journal.
async fn undo(path: &Path) {
    if let Err(error) = open::look(path).await {
        tracing::warn!(path = %path.display(), %error, "keep the file's journal with it");
    }
}

/// Lets nobody else on the machine read the file, as with a file that we make ourselves.
fn hide(path: &Path) {
    #[cfg(unix)]
    if let Err(error) = fs::set_permissions(path, std::os::unix::fs::PermissionsExt::from_mode(0o600)) {
        tracing::warn!(path = %path.display(), %error, "others may read the database");
    }
}
