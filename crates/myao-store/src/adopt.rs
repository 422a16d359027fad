//! Taking over a database of the predecessor, myao2, in place (SPEC §7).
//!
//! First the file is copied. Then one transaction does everything: the old tables get other names, our schema
//! is made, the rows are carried over, and the file is marked as ours. Killed anywhere, the next start finds
//! either the old database as it was or ours, complete.
//!
//! Read in this order: `tables` (what is recognised, and how its rows are read), `messages` (which message is which:
//! its own posts bear no time stamp of the platform), `talk`, `memories`, `memos`.

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
use sqlx::{Sqlite, Transaction, sqlite::SqlitePoolOptions};

use crate::{
    StoreError, backup,
    db::{Tx, sqlite_options},
    foreign, migrations, open,
};

pub(crate) use tables::{KEPT_AS, OldContents, contents};

/// The copy of the file as it was is named `{database}.myao2-backup`.
const BACKUP_LABEL: &str = "myao2-backup";

/// What taking over needs from outside.
#[derive(Clone, Copy, Debug)]
pub struct Adopter {
    /// Turns the platform's markup, as the predecessor stored it, into the core's notation.
    pub normalise: fn(&str) -> String,
    /// The instant it is.
    pub now: Timestamp,
}

/// What was taken over from a database of the predecessor.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Adoption {
    /// The file as it was.
    pub backup: PathBuf,
    /// Messages.
    pub messages: u64,
    /// Of these, the predecessor's own posts, which had an id of its own making; each bears its time now.
    pub own_posts: u64,
    /// Own posts left out since the same post, as the platform sent it back, is there too.
    pub dropped_echoes: u64,
    /// Replies to something that is not there, at top level now.
    pub loose_replies: u64,
    /// People and bots.
    pub users: u64,
    /// Channels, all of them of kind `unknown`: private until the platform says otherwise.
    pub channels: u64,
    /// Memories.
    pub memories: u64,
    /// Memories left in the old table: the workspace's short-term one, empty ones, those of nothing we know.
    pub memories_left: u64,
    /// Memos. Nobody knows where they were made, so that only the owner sees them.
    pub memos: u64,
    /// Of these, memos that got another name: too long, none, or taken.
    pub memos_renamed: u64,
    /// Judgment caches, as verdicts.
    pub judgments: u64,
    /// Rows that made no sense, kept raw as unread events.
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

/// Takes the database at `path` over; none when another process did so meanwhile.
///
/// # Errors
/// When it is damaged, locked or there is no room; then the file is as it was.
pub(crate) async fn adopt(path: &Path, adopter: Adopter) -> Result<Option<Adoption>, StoreError> {
    let path = path.to_owned();
    to_the_end!({
        // In its own journal mode, so that it is as it was if it cannot be taken over.
        let options = sqlite_options(&path).foreign_keys(true).pragma("secure_delete", "ON");
        let pool = SqlitePoolOptions::new().max_connections(1).connect_with(options).await?;
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
            // Nothing was changed, so nobody needs a copy.
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
        // What the next start would refuse is not begun.
        let form = migrations::form_of_file(sqlite).await?;
        foreign::check_sqlite(path, sqlite, form).await?;
        // Part of the transaction, like any other page of the file.
        open::mark(sqlite).await?;
    }
    Ok((tx, adoption))
}

/// After a full disk SQLite leaves it to the next reader to put back what was written; nobody should have to
/// know that the file is nothing without its journal until then.
async fn undo(path: &Path) {
    if let Err(error) = open::look(path).await {
        tracing::warn!(path = %path.display(), %error, "keep the file's journal with it");
    }
}

/// As for a file of our own making: nobody else on the machine reads it.
fn hide(path: &Path) {
    #[cfg(unix)]
    if let Err(error) = fs::set_permissions(path, std::os::unix::fs::PermissionsExt::from_mode(0o600)) {
        tracing::warn!(path = %path.display(), %error, "others may read the database");
    }
}
