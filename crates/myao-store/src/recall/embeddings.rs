//! Stores what messages mean, as vectors: which messages wait for one, and which have one (ADR 43).
//!
//! A row stands for an address of the index, as a row of `recall` does. It waits while it has no vector. Once a model
//! is named, every change of a message makes its row wait again, in the same transaction; what was said before is
//! queued in the background. If no model was ever named, there are no rows.

use std::collections::{BTreeMap, BTreeSet};

use async_recursion::async_recursion as boxed;
use myao_core::{
    chat::{ChannelId, Message},
    recall::{TextVector, words_of_message},
};

use super::{
    address::{self, IndexedRow},
    texts,
};
use crate::{
    RecallHandle, StoreError,
    db::{
        Tx, query_as,
        values::{signed_size, unsigned_count},
    },
};

/// Rows queued or dropped in one transaction.
const ROWS_AT_ONCE: i64 = 2_000;

/// Stands behind the model that vectors are of: the form in which it was given words. Vectors of another form are made
/// anew.
const FORM: &str = " (who and when)";

/// Separates the channel from the time in the mark that says how far messages are queued.
const MARK: char = ' ';

/// How far messages have vectors.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct EmbeddingProgress {
    /// How many messages have a vector, roughly: messages of one quarter of a millisecond count as one.
    pub embedded: u64,
    /// How many messages wait for a vector.
    pub waiting: u64,
    /// Whether all messages that can have a vector of the given model are queued.
    pub is_lined_up: bool,
}

/// A message that waits for its vector. Only the store makes one.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct UnembeddedText {
    address: i64,
    /// The words for the model; `None` if there is nothing that could have a meaning.
    pub words: Option<String>,
}

impl RecallHandle<'_> {
    /// How far messages have vectors of this model.
    #[boxed]
    pub async fn progress_with_model(&self, model: &str) -> Result<EmbeddingProgress, StoreError> {
        let mut tx = self.store.db.snapshot().await?;
        let is_lined_up = model_of_vectors(&mut tx).await?.as_deref() == Some(model)
            && queue_mark(&mut tx).await?.is_none();
        let (embedded, waiting): (i64, i64) = on!(&mut tx, c => query_as(
            "SELECT (SELECT count(*) FROM embeddings WHERE batch > 0),
                    (SELECT count(*) FROM embeddings WHERE batch = 0)").fetch_one(c).await)?;
        Ok(EmbeddingProgress {
            embedded: unsigned_count(embedded),
            waiting: unsigned_count(waiting),
            is_lined_up,
        })
    }

    /// Queues some of what was said before `model` was named; vectors of another model are dropped first. `true` if
    /// nothing is left to do.
    #[boxed]
    pub async fn line_up_some(&self, model: &str) -> Result<bool, StoreError> {
        // Looked up first, so that nothing is written once everything is queued.
        let mut tx = self.store.db.snapshot().await?;
        if model_of_vectors(&mut tx).await?.as_deref() == Some(model) && queue_mark(&mut tx).await?.is_none()
        {
            return Ok(true);
        }
        drop(tx);
        let store = self.store.clone();
        let model = model.to_owned();
        to_the_end!({
            let mut tx = store.db.begin().await?;
            if model_of_vectors(&mut tx).await?.as_deref() == Some(&model) {
                line_up(&mut tx).await?;
            } else {
                begin_anew(&mut tx, &model).await?;
            }
            tx.commit().await?;
            Ok(false)
        })
        .await
    }

    /// Messages that wait for a vector, newest first, for at most `most` addresses of the index.
    #[boxed]
    pub async fn texts_to_embed(&self, most: usize) -> Result<Vec<UnembeddedText>, StoreError> {
        let mut tx = self.store.db.snapshot().await?;
        let rows: Vec<(i64,)> = on!(&mut tx, c => query_as(
            "SELECT id FROM embeddings WHERE batch = 0 ORDER BY id % 35184372088832 DESC LIMIT $1")
            .bind(signed_size(most)).fetch_all(c).await)?;
        let addresses: Vec<i64> = rows.into_iter().map(|(address,)| address).collect();
        let mut words = words_at(&mut tx, &addresses).await?;
        let text = |address| UnembeddedText { address, words: words.remove(&address) };
        Ok(addresses.into_iter().map(text).collect())
    }

    /// Stores vectors of texts that still say the same, and returns how many. A text without a vector is not asked
    /// about again until it changes. If the vectors have another number of dimensions than the stored ones, everything
    /// is queued again.
    #[boxed]
    pub async fn put_vectors(
        &self,
        model: &str,
        vectors: Vec<(UnembeddedText, Option<TextVector>)>,
    ) -> Result<u64, StoreError> {
        let store = self.store.clone();
        let model = model.to_owned();
        to_the_end!({
            let mut tx = store.db.begin().await?;
            if model_of_vectors(&mut tx).await?.as_deref() != Some(&model) {
                return Ok(0);
            }
            let mut addresses: Vec<i64> = vectors.iter().map(|(text, _)| text.address).collect();
            addresses.sort_unstable();
            let waiting = lock_waiting_rows(&mut tx, addresses).await?;
            // Read while the rows are locked: a change of a message makes its row wait once more after this.
            let words = words_at(&mut tx, &waiting.iter().copied().collect::<Vec<_>>()).await?;
            let stands = |text: &UnembeddedText| {
                waiting.contains(&text.address) && words.get(&text.address) == text.words.as_ref()
            };
            let (with, without): (Vec<_>, Vec<_>) = vectors
                .clone()
                .into_iter()
                .filter(|(text, _)| stands(text))
                .partition(|(_, vector)| vector.is_some());
            let gone: Vec<i64> = without.into_iter().map(|(text, _)| text.address).collect();
            drop_rows(&mut tx, &gone).await?;
            let with: Vec<(i64, TextVector)> =
                with.into_iter().filter_map(|(text, vector)| Some((text.address, vector?))).collect();
            if is_of_other_size(&mut tx, &with).await? {
                begin_anew(&mut tx, "").await?;
            } else {
                write_vectors(&mut tx, &with).await?;
            }
            tx.commit().await?;
            Ok(u64::try_from(with.len()).unwrap_or(u64::MAX))
        })
        .await
    }
}

/// The model that the vectors are of, or will be of, if they are of words in the form of today. `None` if no model was
/// named; empty while the vectors of another model, or of another form, are dropped.
pub(super) async fn model_of_vectors(tx: &mut Tx) -> Result<Option<String>, StoreError> {
    let row: Option<(String,)> = on!(tx, c => query_as(
        "SELECT value FROM settings WHERE key = 'embeddings'").fetch_optional(c).await)?;
    Ok(row.map(|(model,)| model.strip_suffix(FORM).map(str::to_owned).unwrap_or_default()))
}

/// Up to where messages are queued; `None` if all are.
async fn queue_mark(tx: &mut Tx) -> Result<Option<String>, StoreError> {
    let row: Option<(String,)> = on!(tx, c => query_as(
        "SELECT value FROM settings WHERE key = 'embeddings_to'").fetch_optional(c).await)?;
    Ok(row.map(|(mark,)| mark))
}

/// Drops some of the earlier rows; once none is left, names the model.
async fn begin_anew(tx: &mut Tx, model: &str) -> Result<(), StoreError> {
    let dropped = on!(&mut *tx, c => sqlx::query(
        "DELETE FROM embeddings WHERE id IN (SELECT id FROM embeddings LIMIT $1)")
        .bind(ROWS_AT_ONCE).execute(c).await.map(|done| done.rows_affected()))?;
    let model = if dropped == 0 { format!("{model}{FORM}") } else { String::new() };
    on!(tx, c => sqlx::query(
        "INSERT INTO settings (key, value) VALUES ('embeddings', $1), ('embeddings_to', '')
         ON CONFLICT (key) DO UPDATE SET value = excluded.value").bind(model).execute(c).await.map(drop))?;
    Ok(())
}

/// Queues some messages after the mark.
async fn line_up(tx: &mut Tx) -> Result<(), StoreError> {
    let Some(mark) = queue_mark(tx).await? else { return Ok(()) };
    let (channel, to) = mark.split_once(MARK).unwrap_or(("", "0"));
    let to: i64 = to.parse().map_err(|_e| StoreError::Content(format!("settings.embeddings_to: {mark}")))?;
    let rows: Vec<(String, i64, i64)> = on!(&mut *tx, c => query_as(
        "SELECT m.channel_id, m.ts, c.number FROM messages m JOIN channels c ON c.id = m.channel_id
         WHERE (m.channel_id, m.ts) > ($1, $2) AND m.kind = 'talk' AND m.deleted = 0 AND c.number > 0
         ORDER BY m.channel_id, m.ts LIMIT $3")
        .bind(channel).bind(to).bind(ROWS_AT_ONCE).fetch_all(c).await)?;
    let place = |(_, ts, number): &(String, i64, i64)| {
        address::of_message(*number, myao_core::chat::MessageTs::from_micros(*ts))
    };
    let addresses: BTreeSet<i64> = rows.iter().map(place).collect();
    match &mut *tx {
        Tx::Sqlite(tx) => {
            let addresses = addresses.into_iter().collect::<serde_json::Value>().to_string();
            sqlx::query(
                "INSERT INTO embeddings (id, batch) SELECT value, 0 FROM json_each($1) WHERE true
                 ON CONFLICT (id) DO NOTHING",
            )
            .bind(addresses)
            .execute(&mut **tx)
            .await?;
        }
        Tx::Postgres(tx) => {
            sqlx::query(
                "INSERT INTO embeddings (id, batch) SELECT a, 0 FROM unnest($1::bigint[]) AS a
                 ON CONFLICT (id) DO NOTHING",
            )
            .bind(addresses.into_iter().collect::<Vec<i64>>())
            .execute(&mut *tx)
            .await?;
        }
    }
    let Some((channel, ts, _)) = rows.last() else {
        on!(tx, c => sqlx::query("DELETE FROM settings WHERE key = 'embeddings_to'").execute(c).await.map(drop))?;
        return Ok(());
    };
    on!(tx, c => sqlx::query("UPDATE settings SET value = $1 WHERE key = 'embeddings_to'")
        .bind(format!("{channel}{MARK}{ts}")).execute(c).await.map(drop))?;
    Ok(())
}

/// Makes changed messages wait for a vector and drops their earlier vectors. Does nothing if no model is named.
pub(super) async fn make_wait(tx: &mut Tx, addresses: &BTreeSet<i64>) -> Result<(), StoreError> {
    match tx {
        Tx::Sqlite(tx) => {
            let addresses = addresses.iter().copied().collect::<serde_json::Value>().to_string();
            sqlx::query(
                "INSERT INTO embeddings (id, batch) SELECT value, 0 FROM json_each($1)
                 WHERE EXISTS (SELECT 1 FROM settings WHERE key = 'embeddings')
                 ON CONFLICT (id) DO UPDATE SET batch = 0, vector = NULL",
            )
            .bind(addresses)
            .execute(&mut **tx)
            .await?;
        }
        Tx::Postgres(tx) => {
            sqlx::query(
                "INSERT INTO embeddings (id, batch) SELECT a, 0 FROM unnest($1::bigint[]) AS a
                 WHERE EXISTS (SELECT 1 FROM settings WHERE key = 'embeddings')
                 ON CONFLICT (id) DO UPDATE SET batch = 0, vector = NULL",
            )
            .bind(addresses.iter().copied().collect::<Vec<i64>>())
            .execute(&mut *tx)
            .await?;
        }
    }
    Ok(())
}

/// Drops the rows from the first address to the second, exclusive.
pub(super) async fn drop_between(tx: &mut Tx, (from, to): (i64, i64)) -> Result<(), StoreError> {
    on!(tx, c => sqlx::query("DELETE FROM embeddings WHERE id >= $1 AND id < $2")
        .bind(from).bind(to).execute(c).await.map(drop))?;
    Ok(())
}

async fn drop_rows(tx: &mut Tx, addresses: &[i64]) -> Result<(), StoreError> {
    for address in addresses {
        on!(&mut *tx, c => sqlx::query("DELETE FROM embeddings WHERE id = $1")
            .bind(address).execute(c).await.map(drop))?;
    }
    Ok(())
}

/// The waiting ones of these rows, locked until the transaction ends.
async fn lock_waiting_rows(tx: &mut Tx, addresses: Vec<i64>) -> Result<BTreeSet<i64>, StoreError> {
    let rows: Vec<(i64,)> = match tx {
        Tx::Sqlite(tx) => {
            let addresses = addresses.into_iter().collect::<serde_json::Value>().to_string();
            query_as("SELECT id FROM embeddings WHERE batch = 0 AND id IN (SELECT value FROM json_each($1))")
                .bind(addresses)
                .fetch_all(&mut **tx)
                .await?
        }
        Tx::Postgres(tx) => {
            query_as("SELECT id FROM embeddings WHERE batch = 0 AND id = ANY($1) ORDER BY id FOR UPDATE")
                .bind(addresses)
                .fetch_all(&mut *tx)
                .await?
        }
    };
    Ok(rows.into_iter().map(|(address,)| address).collect())
}

/// The words that people said at these addresses. Programs are left out: they repeat themselves, and are found by
/// words.
async fn words_at(tx: &mut Tx, addresses: &[i64]) -> Result<BTreeMap<i64, String>, StoreError> {
    let channels = channels_by_number(tx, addresses).await?;
    let stretches: Vec<(&str, i64, i64)> = addresses
        .iter()
        .filter_map(|address| match address::indexed_row(*address) {
            IndexedRow::Messages { from, to } => {
                Some((channels.get(&address::channel_number(*address))?.as_str(), from, to))
            }
            IndexedRow::Memory(_) => None,
        })
        .collect();
    let messages = texts::messages_of_stretches(tx, &stretches).await?;
    let names = names_of_people(tx, &messages).await?;
    let numbers: BTreeMap<&ChannelId, i64> = channels.iter().map(|(number, id)| (id, *number)).collect();
    let mut words: BTreeMap<i64, String> = BTreeMap::new();
    for message in &messages {
        let Some(name) = names.get(message.user.as_str()) else { continue };
        let (Some(number), Some(text)) = (numbers.get(&message.channel), words_of_message(message, name))
        else {
            continue;
        };
        let all = words.entry(address::of_message(*number, message.ts)).or_default();
        all.push_str(if all.is_empty() { "" } else { "\n" });
        all.push_str(&text);
    }
    Ok(words)
}

/// The channels of these addresses, by their numbers.
async fn channels_by_number(tx: &mut Tx, addresses: &[i64]) -> Result<BTreeMap<i64, ChannelId>, StoreError> {
    let numbers: BTreeSet<i64> = addresses.iter().map(|address| address::channel_number(*address)).collect();
    let mut channels = BTreeMap::new();
    for number in numbers {
        let row: Option<(String,)> = on!(&mut *tx, c => query_as(
            "SELECT id FROM channels WHERE number = $1 AND number > 0").bind(number).fetch_optional(c).await)?;
        channels.extend(row.map(|(id,)| (number, ChannelId::new(id))));
    }
    Ok(channels)
}

/// The names of the authors of these messages, by id, without programs.
async fn names_of_people(tx: &mut Tx, messages: &[Message]) -> Result<BTreeMap<String, String>, StoreError> {
    let users: BTreeSet<&str> = messages.iter().map(|message| message.user.as_str()).collect();
    let mut names = BTreeMap::new();
    for user in users {
        let row: Option<(String, i64)> = on!(&mut *tx, c => query_as(
            "SELECT name, is_bot FROM users WHERE id = $1").bind(user).fetch_optional(c).await)?;
        let name = match row {
            Some((_, is_bot)) if is_bot != 0 => continue,
            Some((name, _)) if !name.trim().is_empty() => name,
            Some(_) | None => user.to_owned(),
        };
        names.insert(user.to_owned(), name);
    }
    Ok(names)
}

/// Whether these vectors have another number of dimensions than the stored ones.
async fn is_of_other_size(tx: &mut Tx, vectors: &[(i64, TextVector)]) -> Result<bool, StoreError> {
    let Some((_, first)) = vectors.first() else { return Ok(false) };
    let row: Option<(i64,)> = on!(tx, c => query_as(
        "SELECT cast(length(vector) AS BIGINT) FROM embeddings WHERE batch > 0 ORDER BY batch DESC LIMIT 1")
        .fetch_optional(c).await)?;
    Ok(row.is_some_and(|(length,)| length != signed_size(first.to_bytes().len())))
}

async fn write_vectors(tx: &mut Tx, vectors: &[(i64, TextVector)]) -> Result<(), StoreError> {
    if vectors.is_empty() {
        return Ok(());
    }
    // The row is locked until the transaction ends, so batches become visible in the order of their numbers.
    let (batch,): (i64,) = on!(&mut *tx, c => query_as(
        "INSERT INTO settings (key, value) VALUES ('last_embeddings', '1')
         ON CONFLICT (key) DO UPDATE SET value = cast(cast(settings.value AS BIGINT) + 1 AS TEXT)
         RETURNING cast(value AS BIGINT)").fetch_one(c).await)?;
    for (address, vector) in vectors {
        on!(&mut *tx, c => sqlx::query("UPDATE embeddings SET batch = $2, vector = $3 WHERE id = $1")
            .bind(address).bind(batch).bind(vector.to_bytes()).execute(c).await.map(drop))?;
    }
    Ok(())
}
