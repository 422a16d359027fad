//! Maintains the index: rows follow the messages and memories that they index, in the same transaction.

use std::collections::{BTreeMap, BTreeSet};

use async_recursion::async_recursion as boxed;
use myao_core::{
    chat::{ChannelId, Message, MessageTs},
    memory::StepId,
    recall::{IndexTerm, WordStems, index_terms_of_house_words},
};

use super::{
    address::{self, IndexedRow},
    apart, damage, embeddings, house_word_ends,
    lines::{self, LookedAtMemories},
    samples::Samples,
    texts,
};
use crate::{
    StoreError,
    archive::secrets,
    db::{Tx, query_as},
};

/// Messages whose rows have to be written.
#[derive(Debug, Default)]
pub(crate) struct RecallChanges {
    numbers: BTreeMap<ChannelId, i64>,
    changed: BTreeSet<(i64, ChannelId)>,
    /// What new messages are found by, at addresses at which nothing stood before this transaction.
    new: Documents,
    stems: WordStems,
    /// The last address at which anything may have stood before this transaction, by the channel's number.
    last_known: BTreeMap<i64, i64>,
    /// Whether channels are open, by number, as this transaction read it when it locked their rows.
    open: OpenByNumber,
}

/// What rows of the index are found by, in no order and perhaps more than once, by address.
type Documents = BTreeMap<i64, Vec<IndexTerm>>;

/// Whether channels are open, by number; of others it has to be looked up.
pub(super) type OpenByNumber = BTreeMap<i64, bool>;

impl RecallChanges {
    /// Notes that a message changed, in the channel that has `number`.
    pub(crate) fn note_message(&mut self, channel: &ChannelId, number: i64, ts: MessageTs) {
        let address = address::of_message(number, ts);
        self.new.remove(&address);
        self.changed.insert((address, channel.clone()));
        self.numbers.entry(channel.clone()).or_insert(number);
    }

    /// Notes the newest message of the channel with `number`, as this transaction read it when it locked the channel's
    /// row.
    pub(crate) fn note_newest_known(&mut self, number: i64, newest: MessageTs) {
        self.last_known.insert(number, address::of_message(number, newest));
    }

    /// Notes a message whose row was just inserted. If it is later than everything that was known of its channel, its
    /// row of the index follows from its words alone, and nothing has to be read.
    pub(crate) fn note_new_message(&mut self, message: &Message, number: i64, has_secrets: bool) {
        let address = address::of_message(number, message.ts);
        let is_later = self.last_known.get(&number).is_some_and(|last| *last < address);
        if !is_later || !message.is_talk() || self.is_noted(address, &message.channel) {
            return self.note_message(&message.channel, number, message.ts);
        }
        let terms = self.new.entry(address).or_default();
        if has_secrets {
            add_message_terms(&secrets::mask_message(message.clone()), &mut self.stems, terms);
        } else {
            add_message_terms(message, &mut self.stems, terms);
        }
    }

    fn is_noted(&self, address: i64, channel: &ChannelId) -> bool {
        !self.changed.is_empty() && self.changed.contains(&(address, channel.clone()))
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
        let changed = self.changed.iter().map(|(address, _)| address);
        let addresses: BTreeSet<i64> = changed.chain(self.new.keys()).copied().collect();
        if addresses.is_empty() {
            return Ok(());
        }
        embeddings::make_wait(tx, &addresses).await?;
        let mut samples = Samples::default();
        self.index(tx, &mut samples).await?;
        samples.write(tx).await
    }

    /// Writes the rows of the noted messages, whose meaning has not changed. The caller writes their samples.
    pub(super) async fn index(&mut self, tx: &mut Tx, samples: &mut Samples) -> Result<(), StoreError> {
        let changed = std::mem::take(&mut self.changed);
        let mut documents = std::mem::take(&mut self.new);
        if changed.is_empty() && documents.is_empty() {
            return Ok(());
        }
        documents.extend(changed.iter().map(|(address, _)| (*address, Vec::new())));
        let standing = standing_messages(tx, &changed).await?;
        house_word_ends::follow_messages(tx, &stretches_of(&changed), &standing).await?;
        for message in standing {
            let number = self.numbers.get(&message.channel).copied().unwrap_or_default();
            let document = documents.entry(address::of_message(number, message.ts)).or_default();
            add_message_terms(&message, &mut self.stems, document);
        }
        write_document_rows(tx, documents, samples, &self.open).await
    }
}

/// Adds the terms a message is found by: its words, its files' words, the words of the house that it explains, and its
/// author.
fn add_message_terms(message: &Message, stems: &mut WordStems, terms: &mut Vec<IndexTerm>) {
    stems.collect_index_terms(&message.text, terms);
    for file in &message.files {
        stems.collect_index_terms(&file.words(), terms);
    }
    terms.extend(index_terms_of_house_words(&message.text));
    terms.push(IndexTerm::said_by(&message.user));
}

fn terms_of_memory(text: &str) -> Vec<IndexTerm> {
    let mut terms = Vec::new();
    WordStems::default().collect_index_terms(text, &mut terms);
    terms
}

/// The standing talk at these addresses.
async fn standing_messages(
    tx: &mut Tx,
    changed: &BTreeSet<(i64, ChannelId)>,
) -> Result<Vec<Message>, StoreError> {
    if changed.is_empty() {
        return Ok(Vec::new());
    }
    texts::messages_of_stretches(tx, &stretches_of(changed)).await
}

/// The channel and the times of what stands at these addresses: from the first to the second, exclusive.
fn stretches_of(changed: &BTreeSet<(i64, ChannelId)>) -> Vec<(&str, i64, i64)> {
    let stretches = changed.iter().filter_map(|(address, channel)| match address::indexed_row(*address) {
        IndexedRow::Messages { from, to } => Some((channel.as_str(), from, to)),
        IndexedRow::Memory(_) => None,
    });
    stretches.collect()
}

/// Writes rows; a row without terms is removed.
#[boxed]
async fn write_document_rows(
    tx: &mut Tx,
    mut documents: Documents,
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
        terms.sort_unstable();
        terms.dedup();
        let number = address::channel_number(*address);
        let apart = closed.contains(&number).then_some(number);
        samples.count(*address, terms, apart);
        if let Some(number) = apart {
            for term in terms.iter_mut() {
                *term = term.apart(number);
            }
        }
    }
    let rows = IndexRows::of(documents);
    if let Tx::Sqlite(_) = tx
        && rows.gone.is_empty()
    {
        return damage::replace_rows_at_once(tx, &rows.standing).await;
    }
    damage::begin_index_change(tx).await?;
    let done = put_rows(tx, rows).await;
    damage::end_index_change(tx, done).await
}

/// Rows of the index that change.
struct IndexRows {
    /// Rows with their terms.
    standing: Vec<(i64, String)>,
    /// Rows without terms: they are removed.
    gone: Vec<i64>,
}

impl IndexRows {
    fn of(documents: Documents) -> Self {
        let mut rows = Self { standing: Vec::with_capacity(documents.len()), gone: Vec::new() };
        for (address, terms) in documents {
            if terms.is_empty() {
                rows.gone.push(address);
            } else {
                rows.standing.push((address, terms_as_text(&terms)));
            }
        }
        rows
    }
}

async fn put_rows(tx: &mut Tx, rows: IndexRows) -> Result<(), StoreError> {
    if !rows.standing.is_empty() {
        replace_rows(tx, rows.standing).await?;
    }
    if rows.gone.is_empty() { Ok(()) } else { remove_rows(tx, &rows.gone).await }
}

/// Terms in the form that both databases take: separated by blanks.
fn terms_as_text(terms: &[IndexTerm]) -> String {
    let mut text = String::with_capacity(terms.iter().map(|term| term.as_str().len() + 1).sum());
    for term in terms {
        text.push_str(if text.is_empty() { "" } else { " " });
        text.push_str(term.as_str());
    }
    text
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
            (address::of_memory(number, new.step), terms_of_memory(&new.text))
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
    let document = BTreeMap::from([(address::of_memory(number, step), terms_of_memory(text))]);
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
        |(step, text): &(i64, String)| (address::of_memory(number, StepId(*step)), terms_of_memory(text));
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
