//! Keeps a list of what was forgotten, beside an SQLite file: if the file is replaced by an older copy, which knows
//! nothing of it, the copy is made to forget it again. On a server there is no such place (docs/forgetting.md).
//!
//! It holds what the rows of `forgettings` hold; for forgettings by words it holds the messages' addresses.

use std::{
    fs,
    io::{self, Write as _},
    path::{Path, PathBuf},
};

use async_recursion::async_recursion as boxed;
use myao_core::chat::UserId;
use serde::{Deserialize, Serialize};
use sqlx::SqlitePool;

use crate::{
    ForgetHandle, Store, StoreError,
    db::{Tx, query_as, values::row},
    intake::fences::person_key,
};

/// The suffix of the list's name after the database's name.
const SUFFIX: &str = "-forgotten";

/// One forgetting, as a line of the list.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
struct ListedForgetting {
    at: i64,
    by: String,
    channel: Option<String>,
    person: Option<i64>,
    from: i64,
    to: i64,
    /// Whether everything of the person, or of the channel where none is named.
    is_person: bool,
    /// The messages; `None` if all between `from` and `to` were meant.
    messages: Option<Vec<(String, i64)>>,
}

impl ListedForgetting {
    /// Whether both are the same forgetting.
    fn is_same(&self, other: &Self) -> bool {
        (self.at, &self.channel, self.person, self.from, self.to)
            == (other.at, &other.channel, other.person, other.from, other.to)
    }
}

impl ForgetHandle<'_> {
    /// Whether something is still to be forgotten: a forgetting that was begun and interrupted, or one that an older
    /// copy of the database, opened for reading only, does not know.
    #[boxed]
    pub async fn has_more(&self) -> Result<bool, StoreError> {
        if !self.list_unfinished().await?.is_empty() {
            return Ok(true);
        }
        let Some(database) = self.store.database() else { return Ok(false) };
        let listed = read_list(database)?;
        let known_here = all_known(&mut self.store.db.snapshot().await?).await?;
        Ok(listed.iter().any(|listed| !known_here.iter().any(|known| known.is_same(listed))))
    }

    /// Notes a forgetting beside the database, so that it survives the restoring of an older copy.
    pub(super) async fn note_beside_database(&self, id: i64) -> Result<(), StoreError> {
        let Some(database) = self.store.database() else { return Ok(()) };
        let mut tx = self.store.db.snapshot().await?;
        let known = known_forgetting(&mut tx, id).await?;
        known.map_or(Ok(()), |forgetting| append_to_list(database, &[forgetting]))
    }
}

/// Compares a database with the list beside it. A forgetting that the database does not know is begun again; one that
/// the list does not know, since the process was killed between the two, is added to the list.
pub(crate) async fn compare_with_list(database: &Path, writer: &SqlitePool) -> Result<(), StoreError> {
    let listed = read_list(database)?;
    let mut tx = Tx::Sqlite(writer.begin().await?);
    let known_here = all_known(&mut tx).await?;
    let unlisted = those_not_listed(&mut tx, &known_here, &listed).await?;
    drop(tx);
    append_to_list(database, &unlisted)?;
    let unknown: Vec<&ListedForgetting> =
        listed.iter().filter(|listed| !known_here.iter().any(|known| known.is_same(listed))).collect();
    if unknown.is_empty() {
        return Ok(());
    }
    tracing::warn!(
        forgettings = unknown.len(),
        "an older copy of the database is here: it is to forget again"
    );
    let mut tx = Tx::Sqlite(writer.begin_with("BEGIN IMMEDIATE").await?);
    for forgetting in unknown {
        begin_again(&mut tx, forgetting).await?;
    }
    tx.commit().await
}

/// Adds to the list beside a copy of a database what the database forgot: that copy forgets it too when it takes the
/// database's place.
pub(crate) async fn complete_list_beside(store: &Store, copy: &Path) -> Result<(), StoreError> {
    let listed = read_list(copy)?;
    let mut tx = store.db.snapshot().await?;
    let known = all_known(&mut tx).await?;
    append_to_list(copy, &those_not_listed(&mut tx, &known, &listed).await?)
}

/// What the database knows and a list does not, as it is to be listed.
async fn those_not_listed(
    tx: &mut Tx,
    known: &[ListedForgetting],
    listed: &[ListedForgetting],
) -> Result<Vec<ListedForgetting>, StoreError> {
    let is_listed = |known: &ListedForgetting| listed.iter().any(|listed| listed.is_same(known));
    let mut unlisted: Vec<ListedForgetting> =
        known.iter().filter(|known| !is_listed(known)).cloned().collect();
    for forgetting in &mut unlisted {
        if let Some(messages) = &mut forgetting.messages {
            messages.extend(forgotten_messages(tx, forgetting.from, forgetting.to).await?);
        }
    }
    Ok(unlisted)
}

/// The messages of a time that were forgotten, by whichever forgetting: one by words no longer knows which were its own
/// once it is done, and each of these was forgotten for good.
async fn forgotten_messages(tx: &mut Tx, from: i64, to: i64) -> Result<Vec<(String, i64)>, StoreError> {
    Ok(on!(tx, c => query_as(
        "SELECT channel_id, ts FROM deletions WHERE grounds = 'forgotten' AND ts >= $1 AND ts <= $2
         ORDER BY channel_id, ts")
        .bind(from).bind(to).fetch_all(c).await)?)
}

async fn begin_again(tx: &mut Tx, forgetting: &ListedForgetting) -> Result<(), StoreError> {
    let (id,): (i64,) = on!(&mut *tx, c => query_as(
        "INSERT INTO forgettings (at, by_hand, channel_id, person, from_ts, to_ts, by_words, is_person, stage)
         VALUES ($1, $2, $3, $4, $5, $6, $7, $8, 'wiping') RETURNING id")
        .bind(forgetting.at).bind(&forgetting.by).bind(forgetting.channel.as_deref()).bind(forgetting.person)
        .bind(forgetting.from).bind(forgetting.to).bind(i64::from(forgetting.messages.is_some()))
        .bind(i64::from(forgetting.is_person)).fetch_one(c).await)?;
    for (channel, ts) in forgetting.messages.iter().flatten() {
        on!(&mut *tx, c => sqlx::query(
            "INSERT INTO forgetting_messages (forgetting_id, channel_id, ts) VALUES ($1, $2, $3)
             ON CONFLICT (forgetting_id, channel_id, ts) DO NOTHING")
            .bind(id).bind(channel).bind(ts).execute(c).await.map(drop))?;
    }
    Ok(())
}

async fn all_known(tx: &mut Tx) -> Result<Vec<ListedForgetting>, StoreError> {
    let ids: Vec<(i64,)> =
        on!(&mut *tx, c => query_as("SELECT id FROM forgettings ORDER BY id").fetch_all(c).await)?;
    let mut all = Vec::new();
    for (id,) in ids {
        all.extend(known_forgetting(tx, id).await?);
    }
    Ok(all)
}

row! {
    /// A forgetting as it is stored; `is_person` is whether it is everything so far.
    struct ListedRow {
        at: i64,
        by_hand: String,
        channel_id: Option<String>,
        person: Option<i64>,
        from_ts: i64,
        to_ts: i64,
        by_words: i64,
        is_person: i64,
    }
}

/// A forgetting as the database knows it.
async fn known_forgetting(tx: &mut Tx, id: i64) -> Result<Option<ListedForgetting>, StoreError> {
    let row: Option<ListedRow> = on!(&mut *tx, c => query_as(
            "SELECT at, by_hand, channel_id, person, from_ts, to_ts, by_words, is_person FROM forgettings WHERE id = $1")
            .bind(id).fetch_optional(c).await)?;
    let Some(row) = row else { return Ok(None) };
    let messages = if row.by_words == 1 {
        Some(on!(tx, c => query_as(
            "SELECT channel_id, ts FROM forgetting_messages WHERE forgetting_id = $1 ORDER BY channel_id, ts")
            .bind(id).fetch_all(c).await)?)
    } else {
        None
    };
    Ok(Some(ListedForgetting {
        at: row.at,
        by: row.by_hand,
        channel: row.channel_id,
        person: row.person,
        from: row.from_ts,
        to: row.to_ts,
        is_person: row.is_person == 1,
        messages,
    }))
}

/// The path of a database's list.
pub(crate) fn list_of(database: &Path) -> PathBuf {
    let mut name = database.as_os_str().to_owned();
    name.push(SUFFIX);
    PathBuf::from(name)
}

/// The entries of the list, without a line that a kill left half written.
fn read_list(database: &Path) -> Result<Vec<ListedForgetting>, StoreError> {
    let path = list_of(database);
    match fs::read_to_string(&path) {
        Ok(text) => Ok(text.lines().filter_map(|line| serde_json::from_str(line).ok()).collect()),
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(Vec::new()),
        Err(error) => Err(StoreError::of_path(&path, error)),
    }
}

fn append_to_list(database: &Path, forgettings: &[ListedForgetting]) -> Result<(), StoreError> {
    if forgettings.is_empty() {
        return Ok(());
    }
    let path = list_of(database);
    let io = |source| StoreError::of_path(&path, source);
    let mut options = fs::OpenOptions::new();
    options.create(true).append(true);
    #[cfg(unix)]
    std::os::unix::fs::OpenOptionsExt::mode(&mut options, 0o600);
    let mut file = options.open(&path).map_err(io)?;
    // Begins a new line, in case a kill left half a line behind.
    let mut lines = Vec::from(*b"\n");
    for forgetting in forgettings {
        serde_json::to_writer(&mut lines, forgetting)?;
        lines.push(b'\n');
    }
    file.write_all(&lines).and_then(|()| file.sync_all()).map_err(io)
}

/// The user with this number among those who said something or have a name, since the list does not say who it was.
pub(super) async fn user_of_number(tx: &mut Tx, person: i64) -> Result<Option<UserId>, StoreError> {
    let rows: Vec<(String,)> = on!(tx, c => query_as(
        "SELECT id FROM users UNION SELECT DISTINCT user_id FROM messages").fetch_all(c).await)?;
    Ok(rows.into_iter().map(|(id,)| UserId::new(id)).find(|user| person_key(user) == person))
}
