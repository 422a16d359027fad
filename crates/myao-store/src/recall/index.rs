//! Maintains the index: rows follow the messages and memories that they index, in the same transaction.

use std::collections::{BTreeMap, BTreeSet};

use async_recursion::async_recursion as boxed;
use myao_core::{
    chat::{ChannelId, FileRef, Message, MessageTs},
    memory::StepId,
    recall::{IndexTerm, terms_to_index},
};

use super::{
    address::{self, IndexedRow},
    apart, damage, embeddings,
    lines::{self, LookedAtMemories},
    samples::Samples,
    texts,
};
use crate::{
    StoreError,
    db::{Tx, query_as},
};

/// Messages whose rows have to be written.
#[derive(Debug, Default)]
pub(crate) struct RecallChanges {
    numbers: BTreeMap<ChannelId, i64>,
    changed: BTreeSet<(i64, ChannelId)>,
    /// Whether channels are open, by number, as this transaction read it when it locked their rows.
    open: OpenByNumber,
}

/// Whether channels are open, by number; of others it has to be looked up.
pub(super) type OpenByNumber = BTreeMap<i64, bool>;

impl RecallChanges {
    /// Notes that a message changed, in the channel that has `number`.
    pub(crate) fn note_message(&mut self, channel: &ChannelId, number: i64, ts: MessageTs) {
        self.changed.insert((address::of_message(number, ts), channel.clone()));
        self.numbers.entry(channel.clone()).or_insert(number);
    }

    /// Notes whether a channel is open; its row is locked, so only this transaction can change that.
    pub(crate) fn note_openness(&mut self, number: i64, is_open: bool) {
        self.open.insert(number, is_open);
    }

    /// Forgets which channels are open, since this transaction may just have changed it.
    pub(crate) fn forget_openness(&mut self) {
        self.open.clear();
    }

    /// Writes the rows of the noted messages as they stand now, and makes them wait for new vectors.
    pub(crate) async fn write(&mut self, tx: &mut Tx) -> Result<(), StoreError> {
        if self.changed.is_empty() {
            return Ok(());
        }
        let addresses = self.changed.iter().map(|(address, _)| *address).collect();
        embeddings::make_wait(tx, &addresses).await?;
        let mut samples = Samples::default();
        self.index(tx, &mut samples).await?;
        samples.write(tx).await
    }

    /// Writes the rows of the noted messages, whose meaning has not changed. The caller writes their samples.
    pub(super) async fn index(&mut self, tx: &mut Tx, samples: &mut Samples) -> Result<(), StoreError> {
        let changed = std::mem::take(&mut self.changed);
        if changed.is_empty() {
            return Ok(());
        }
        let mut documents: BTreeMap<i64, BTreeSet<IndexTerm>> =
            changed.iter().map(|(address, _)| (*address, BTreeSet::new())).collect();
        for message in standing_messages(tx, &changed).await? {
            let number = self.numbers.get(&message.channel).copied().unwrap_or_default();
            let document = documents.entry(address::of_message(number, message.ts)).or_default();
            document.extend(message_terms(&message));
        }
        write_document_rows(tx, documents, samples, &self.open).await
    }
}

/// The terms a message is found by: its words, its files' words, and its author.
fn message_terms(message: &Message) -> BTreeSet<IndexTerm> {
    let files = message.files.iter().map(FileRef::words);
    let texts = std::iter::once(message.text.clone()).chain(files);
    let mut terms: BTreeSet<IndexTerm> = texts.flat_map(|text| terms_to_index(&text)).collect();
    terms.insert(IndexTerm::said_by(&message.user));
    terms
}

/// The standing talk at these addresses.
async fn standing_messages(
    tx: &mut Tx,
    changed: &BTreeSet<(i64, ChannelId)>,
) -> Result<Vec<Message>, StoreError> {
    let stretches = changed.iter().filter_map(|(address, channel)| match address::indexed_row(*address) {
        IndexedRow::Messages { from, to } => Some((channel.as_str(), from, to)),
        IndexedRow::Memory(_) => None,
    });
    texts::messages_of_stretches(tx, &stretches.collect::<Vec<_>>()).await
}

/// Writes rows; a row without terms is removed.
#[boxed]
async fn write_document_rows(
    tx: &mut Tx,
    mut documents: BTreeMap<i64, BTreeSet<IndexTerm>>,
    samples: &mut Samples,
    open: &OpenByNumber,
) -> Result<(), StoreError> {
    samples.drop_rows(tx, &documents.keys().copied().collect::<Vec<_>>()).await?;
    let numbers: BTreeSet<i64> = documents.keys().map(|address| address::channel_number(*address)).collect();
    let (known, unknown): (BTreeSet<i64>, BTreeSet<i64>) =
        numbers.into_iter().partition(|number| open.contains_key(number));
    let mut closed = apart::closed_channels(tx, &unknown).await?;
    closed.extend(known.into_iter().filter(|number| open.get(number) == Some(&false)));
    for (address, terms) in documents.iter_mut().filter(|(_, terms)| !terms.is_empty()) {
        let number = address::channel_number(*address);
        let apart = closed.contains(&number).then_some(number);
        samples.count(*address, terms, apart);
        if let Some(number) = apart {
            *terms = terms.iter().map(|term| term.apart(number)).collect();
        }
    }
    if let Tx::Sqlite(_) = tx
        && documents.values().all(|terms| !terms.is_empty())
    {
        return damage::replace_rows_at_once(tx, &rows_of_documents(documents)).await;
    }
    damage::begin_index_change(tx).await?;
    let done = put_rows(tx, documents).await;
    damage::end_index_change(tx, done).await
}

fn rows_of_documents(documents: BTreeMap<i64, BTreeSet<IndexTerm>>) -> Vec<(i64, String)> {
    documents.into_iter().map(|(address, terms)| (address, terms_as_text(&terms))).collect()
}

async fn put_rows(tx: &mut Tx, documents: BTreeMap<i64, BTreeSet<IndexTerm>>) -> Result<(), StoreError> {
    let (standing, gone): (BTreeMap<_, _>, BTreeMap<_, _>) =
        documents.into_iter().partition(|(_, terms)| !terms.is_empty());
    let rows = rows_of_documents(standing);
    if !rows.is_empty() {
        replace_rows(tx, rows).await?;
    }
    let gone: Vec<i64> = gone.into_keys().collect();
    if gone.is_empty() { Ok(()) } else { remove_rows(tx, &gone).await }
}

/// Terms in the form that both databases take: separated by blanks.
fn terms_as_text(terms: &BTreeSet<IndexTerm>) -> String {
    terms.iter().map(IndexTerm::as_str).collect::<Vec<_>>().join(" ")
}

async fn replace_rows(tx: &mut Tx, rows: Vec<(i64, String)>) -> Result<(), StoreError> {
    match tx {
        Tx::Sqlite(tx) => {
            let rows = serde_json::to_string(&rows)?;
            sqlx::query(
                "INSERT OR REPLACE INTO recall (rowid, terms) SELECT value ->> 0, value ->> 1 FROM json_each($1)",
            )
            .bind(rows)
            .execute(&mut **tx)
            .await?;
        }
        Tx::Postgres(tx) => {
            let (addresses, terms): (Vec<i64>, Vec<String>) = rows.into_iter().unzip();
            sqlx::query(
                "INSERT INTO recall (id, terms)
                 SELECT r.id, cast(r.terms AS tsvector) FROM unnest($1::bigint[], $2::text[]) AS r (id, terms)
                 ON CONFLICT (id) DO UPDATE SET terms = excluded.terms",
            )
            .bind(addresses)
            .bind(terms)
            .execute(&mut *tx)
            .await?;
        }
    }
    Ok(())
}

async fn remove_rows(tx: &mut Tx, addresses: &[i64]) -> Result<(), StoreError> {
    match tx {
        Tx::Sqlite(tx) => {
            let addresses = addresses.iter().copied().collect::<serde_json::Value>().to_string();
            sqlx::query("DELETE FROM recall WHERE rowid IN (SELECT value FROM json_each($1))")
                .bind(addresses)
                .execute(&mut **tx)
                .await?;
        }
        Tx::Postgres(tx) => {
            sqlx::query("DELETE FROM recall WHERE id = ANY($1)")
                .bind(addresses.to_vec())
                .execute(&mut *tx)
                .await?;
        }
    }
    Ok(())
}

/// Indexes a text of a channel's memory, which came with a step. For a short-term memory, `short_term` gives its
/// version and its last message, and its lines are written too.
#[boxed]
pub(crate) async fn put_memory(
    tx: &mut Tx,
    channel: &str,
    step: StepId,
    text: &str,
    short_term: Option<(i64, Option<MessageTs>)>,
) -> Result<(), StoreError> {
    let mut samples = Samples::default();
    index_memory_text(tx, channel, (step, text), short_term, &mut samples).await?;
    samples.write(tx).await
}

/// New versions of short-term memories of channels, in the order in which they were written, that are not indexed yet.
#[derive(Debug, Default)]
pub(crate) struct UnindexedVersions(Vec<NewVersion>);

#[derive(Debug)]
struct NewVersion {
    channel: ChannelId,
    step: StepId,
    version: i64,
    until: Option<MessageTs>,
    text: String,
}

impl UnindexedVersions {
    /// Adds the text of a version that had none. Its step is later than those before.
    pub(crate) fn add(&mut self, channel: &str, step: StepId, version: (i64, Option<MessageTs>), text: &str) {
        let (version, until) = version;
        let channel = ChannelId::new(channel);
        self.0.push(NewVersion { channel, step, version, until, text: text.to_owned() });
    }

    /// Indexes them: all rows in one change of the index, each of which writes its file, and then the lines of one after the
    /// other, which sees the memories up to its own as if those behind it were not there yet.
    #[boxed]
    pub(crate) async fn write(&mut self, tx: &mut Tx) -> Result<(), StoreError> {
        let versions = std::mem::take(&mut self.0);
        if versions.is_empty() {
            return Ok(());
        }
        let mut numbers: BTreeMap<ChannelId, i64> = BTreeMap::new();
        for NewVersion { channel, .. } in &versions {
            if !numbers.contains_key(channel) && number_of(tx, channel.as_str()).await?.is_some() {
                numbers.insert(channel.clone(), number_channel(tx, channel).await?);
            }
        }
        let numbered = || versions.iter().filter_map(|new| Some((*numbers.get(&new.channel)?, new)));
        let document = |(number, new): (i64, &NewVersion)| {
            (address::of_memory(number, new.step), terms_to_index(&new.text))
        };
        let mut samples = Samples::default();
        write_document_rows(tx, numbered().map(document).collect(), &mut samples, &OpenByNumber::new())
            .await?;
        for (number, new) in numbered() {
            let memories = LookedAtMemories::UpTo(new.step);
            let version = (new.version, new.until);
            lines::put_version_lines(tx, number, version, new.step, &new.text, memories).await?;
        }
        samples.write(tx).await
    }
}

/// Does the same, and leaves the samples to the caller.
pub(super) async fn index_memory_text(
    tx: &mut Tx,
    channel: &str,
    (step, text): (StepId, &str),
    short_term: Option<(i64, Option<MessageTs>)>,
    samples: &mut Samples,
) -> Result<(), StoreError> {
    let number = match number_of(tx, channel).await? {
        None => return Ok(()),
        Some(number) if number > 0 => number,
        Some(_) => number_channel(tx, &ChannelId::new(channel)).await?,
    };
    let document = BTreeMap::from([(address::of_memory(number, step), terms_to_index(text))]);
    write_document_rows(tx, document, samples, &OpenByNumber::new()).await?;
    match short_term {
        Some(version) => {
            lines::put_version_lines(tx, number, version, step, text, LookedAtMemories::All).await
        }
        None => Ok(()),
    }
}

/// Writes the rows of these texts of a moved channel's memory, each given with its step.
pub(super) async fn move_memories(
    tx: &mut Tx,
    number: i64,
    texts: &[(i64, String)],
    samples: &mut Samples,
) -> Result<(), StoreError> {
    let document =
        |(step, text): &(i64, String)| (address::of_memory(number, StepId(*step)), terms_to_index(text));
    write_document_rows(tx, texts.iter().map(document).collect(), samples, &OpenByNumber::new()).await
}

/// Drops from the index the texts of these steps, each given with the id of its scope, since no memory has them any
/// more. Only texts of channels are indexed.
pub(crate) async fn drop_memories(tx: &mut Tx, entries: &[(String, i64)]) -> Result<(), StoreError> {
    let mut addresses = Vec::new();
    for (scope, step) in entries {
        let number = number_of(tx, scope).await?.filter(|number| *number > 0);
        addresses.extend(number.map(|number| address::of_memory(number, StepId(*step))));
    }
    if addresses.is_empty() {
        return Ok(());
    }
    let mut samples = Samples::default();
    samples.drop_rows(tx, &addresses).await?;
    samples.write(tx).await?;
    damage::begin_index_change(tx).await?;
    let done = remove_rows(tx, &addresses).await;
    damage::end_index_change(tx, done).await?;
    lines::drop_lines_of_steps(tx, &entries.iter().map(|(_, step)| *step).collect::<Vec<_>>()).await
}

/// The number of a channel; 0 if it has none yet; `None` if the channel is unknown.
pub(crate) async fn number_of(tx: &mut Tx, channel: &str) -> Result<Option<i64>, StoreError> {
    let row: Option<(i64,)> = on!(tx, c => query_as("SELECT number FROM channels WHERE id = $1")
        .bind(channel).fetch_optional(c).await)?;
    Ok(row.map(|(number,)| number))
}

/// Drops all rows of a channel.
pub(crate) async fn drop_channel(tx: &mut Tx, channel: &ChannelId) -> Result<(), StoreError> {
    let number = number_of(tx, channel.as_str()).await?.filter(|number| *number > 0);
    let Some(number) = number else { return Ok(()) };
    embeddings::drop_between(tx, address::of_channel(number)).await?;
    lines::drop_channel(tx, number).await?;
    let mut samples = Samples::default();
    samples.drop_between(tx, address::of_channel(number)).await?;
    samples.write(tx).await?;
    damage::begin_index_change(tx).await?;
    let done = remove_between(tx, address::of_channel(number)).await;
    damage::end_index_change(tx, done).await
}

/// Drops the rows from the first address to the second, exclusive.
async fn remove_between(tx: &mut Tx, (from, to): (i64, i64)) -> Result<(), StoreError> {
    match tx {
        Tx::Sqlite(tx) => {
            sqlx::query("DELETE FROM recall WHERE rowid >= $1 AND rowid < $2")
                .bind(from)
                .bind(to)
                .execute(&mut **tx)
                .await?;
        }
        Tx::Postgres(tx) => {
            sqlx::query("DELETE FROM recall WHERE id >= $1 AND id < $2")
                .bind(from)
                .bind(to)
                .execute(&mut *tx)
                .await?;
        }
    }
    Ok(())
}

/// The number of a channel. One without a number gets one; a number never changes, as that would cut off what is
/// indexed.
pub(crate) async fn number_channel(tx: &mut Tx, channel: &ChannelId) -> Result<i64, StoreError> {
    if let Some(number) = number_of(tx, channel.as_str()).await?.filter(|number| *number > 0) {
        return Ok(number);
    }
    // The row of the last number is locked until the transaction ends: no number is given twice, and a channel for
    // which two transactions ask at once does not get two.
    let (number,): (i64,) = on!(&mut *tx, c => query_as(
        "INSERT INTO settings (key, value) VALUES ('last_channel_number', '1')
         ON CONFLICT (key) DO UPDATE SET value = cast(cast(settings.value AS BIGINT) + 1 AS TEXT)
         RETURNING cast(value AS BIGINT)")
        .fetch_one(c).await)?;
    on!(&mut *tx, c => sqlx::query("UPDATE channels SET number = $2 WHERE id = $1 AND number = 0")
        .bind(channel.as_str()).bind(number).execute(c).await.map(drop))?;
    Ok(number_of(tx, channel.as_str()).await?.unwrap_or(number))
}
