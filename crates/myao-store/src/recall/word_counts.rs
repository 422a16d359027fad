//! Counts how often each term is said, and where: that tells a word of one place from a word used everywhere
//! (specification §6).
//!
//! The words of talk that stands are counted, in the transaction that changes them. Counts lie together for every sixteen
//! channels, by the channels' numbers: an import, which goes through channel by channel, then writes to neighbouring pages,
//! and a term is looked up once for every sixteen channels. What was archived before there were
//! counts is counted in the background, some messages at a time ([`RecallHandle::count_older_messages`]).

pub(crate) mod counted;
mod rows;
mod rule;

use std::collections::{BTreeMap, BTreeSet};

use async_recursion::async_recursion as boxed;
use myao_core::{
    chat::{ChannelId, Message, MessageTs, Own, UserId},
    memory::Frequency,
    text::{MASK_BEGINS, key_of_term, terms_of_text, with_secrets_masked},
};

use self::counted::{CountedWord, WordSource, words_of_message};
use self::rows::{add_changes, drop_unsaid};
pub(super) use self::rows::{blocks_of_postgres, blocks_of_sqlite};
use self::rule::{NEW, counting_rule, known_rule};
use super::index::{self, RecallChanges};
use crate::{
    RecallHandle, StoreError,
    archive::{
        message_columns,
        rows::{MessageRow, message_as_stored},
        secrets, team,
    },
    db::{
        Tx, query_as,
        values::{signed_count, unsigned_count},
    },
};

/// Messages counted in one transaction: other writers get their turn in between.
const COUNTED_AT_ONCE: i64 = 1000;

/// How many messages of a channel that is not counted yet are read instead: enough for what is said every day.
const READ_INSTEAD: i64 = 500;

/// Changes of counts, to be written together.
#[derive(Debug, Default)]
pub(crate) struct WordChanges {
    /// Who we are: our words explain nobody else's, and are not counted.
    own: Option<Own>,
    /// By channel, in the order in which they were noted.
    by: BTreeMap<ChannelId, Vec<WordChange>>,
}

/// How many messages more say a term.
#[derive(Debug)]
struct WordChange {
    term: i64,
    by: i64,
    /// The term itself, if a dictionary holds it.
    word: Option<String>,
}

/// What has changed in a channel, in the order of the terms.
struct ChannelWords {
    channel: ChannelId,
    words: Vec<WordChange>,
}

/// One change for each term whose count is another one then, in the order of the terms.
fn summed_by_term(mut words: Vec<WordChange>) -> Vec<WordChange> {
    words.sort_unstable_by_key(|change| change.term);
    words.dedup_by(|again, first| {
        let is_same = again.term == first.term;
        if is_same {
            first.by += again.by;
            first.word = first.word.take().or_else(|| again.word.take());
        }
        is_same
    });
    words.retain(|change| change.by != 0);
    words
}

impl WordChanges {
    /// No changes yet; `own` is who we are in the workspace.
    pub(crate) fn beside(own: Option<Own>) -> Self {
        Self { own, by: BTreeMap::new() }
    }

    /// Whether we are who said something.
    pub(crate) fn are_ours(&self, user: &UserId) -> bool {
        self.own.as_ref().is_some_and(|own| own.is(user))
    }

    /// Notes what a message of `channel` held before and what it holds now.
    pub(crate) fn note(
        &mut self,
        channel: &ChannelId,
        before: Option<WordSource<'_>>,
        after: Option<WordSource<'_>>,
    ) {
        let counted = |words: Option<WordSource<'_>>| {
            let others = words.filter(|source| !self.are_ours(source.user));
            others.map(|source| words_of_message(&source)).unwrap_or_default()
        };
        let before = counted(before);
        let after = counted(after);
        let (fewer, more) = without_common_words(before, after);
        if fewer.is_empty() && more.is_empty() {
            return;
        }
        if !self.by.contains_key(channel) {
            self.by.insert(channel.clone(), Vec::new());
        }
        if let Some(changes) = self.by.get_mut(channel) {
            let change = |by: i64| move |CountedWord { key, word }| WordChange { term: key, by, word };
            changes.extend(fewer.into_iter().map(change(-1)));
            changes.extend(more.into_iter().map(change(1)));
        }
    }

    /// Writes the changes, and drops terms that nobody says any more.
    pub(crate) async fn write(&mut self, tx: &mut Tx) -> Result<(), StoreError> {
        let mut changes = Vec::new();
        for (channel, words) in std::mem::take(&mut self.by) {
            let words = summed_by_term(words);
            if !words.is_empty() {
                changes.push(ChannelWords { channel, words });
            }
        }
        if changes.is_empty() {
            return Ok(());
        }
        let words = changes.iter().flat_map(|of| &of.words);
        let fewer: BTreeSet<i64> = words.filter(|change| change.by < 0).map(|change| change.term).collect();
        add_changes(tx, &changes).await?;
        if !fewer.is_empty() {
            drop_unsaid(tx, &fewer).await?;
        }
        Ok(())
    }
}

/// The words of a message that it no longer says, and those that are new; both come in the order of their keys.
fn without_common_words(
    before: Vec<CountedWord>,
    after: Vec<CountedWord>,
) -> (Vec<CountedWord>, Vec<CountedWord>) {
    if before.is_empty() {
        return (before, after);
    }
    let keys = |words: &[CountedWord]| words.iter().map(|word| word.key).collect::<BTreeSet<i64>>();
    let said_before = keys(&before);
    let said_now = keys(&after);
    let fewer = before.into_iter().filter(|word| !said_now.contains(&word.key)).collect();
    let more = after.into_iter().filter(|word| !said_before.contains(&word.key)).collect();
    (fewer, more)
}

/// The numbers as a JSON array.
fn numbers_as_json(terms: &BTreeSet<i64>) -> String {
    terms.iter().copied().collect::<serde_json::Value>().to_string()
}

/// Term, messages, channels, whether it is said in the channel in question.
type FrequencyRow = (i64, i64, i64, i64);

async fn read_frequencies(
    tx: &mut Tx,
    here: &str,
    terms: &BTreeSet<i64>,
) -> Result<Vec<FrequencyRow>, StoreError> {
    Ok(match tx {
        Tx::Sqlite(tx) => {
            query_as(concat!(
                "SELECT term, sum(messages), count(*), max(CASE WHEN channel_id = $2 THEN 1 ELSE 0 END)
                     FROM words WHERE block IN ",
                blocks_of_sqlite!(),
                " AND term IN (SELECT value FROM json_each($1)) GROUP BY term"
            ))
            .bind(numbers_as_json(terms))
            .bind(here)
            .fetch_all(&mut **tx)
            .await?
        }
        Tx::Postgres(tx) => {
            query_as(concat!(
                "SELECT term, cast(sum(messages) AS BIGINT), count(*),
                            cast(max(CASE WHEN channel_id = $2 THEN 1 ELSE 0 END) AS BIGINT)
                     FROM words WHERE block = ANY(",
                blocks_of_postgres!(),
                ") AND term = ANY($1) GROUP BY term"
            ))
            .bind(terms.iter().copied().collect::<Vec<_>>())
            .bind(here)
            .fetch_all(&mut *tx)
            .await?
        }
    })
}

/// How often some terms are said.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct WordCounts {
    /// The frequency of each term asked for. Only the caller knows which are names ([`Frequency::is_name`]).
    pub frequencies: BTreeMap<String, Frequency>,
    /// In how many channels anything was said, counted only as far as it matters to [`Frequency::tells`] of these
    /// terms.
    pub channels: u64,
    /// Whether every message is counted. Until then, no term may be taken for one that nobody says.
    pub is_complete: bool,
}

impl RecallHandle<'_> {
    /// Notes terms that a model wrote without having been shown them.
    #[boxed]
    pub async fn note_model_words(&self, terms: &BTreeSet<String>) -> Result<(), StoreError> {
        if terms.is_empty() {
            return Ok(());
        }
        let store = self.store.clone();
        let keys = terms.iter().map(|term| key_of_term(term)).collect::<BTreeSet<i64>>();
        to_the_end!({
            let mut tx = store.db.begin().await?;
            match &mut tx {
                Tx::Sqlite(tx) => {
                    sqlx::query(
                        "INSERT INTO model_words (term) SELECT value FROM json_each($1) WHERE true
                         ON CONFLICT (term) DO NOTHING",
                    )
                    .bind(numbers_as_json(&keys))
                    .execute(&mut **tx)
                    .await?;
                }
                Tx::Postgres(tx) => {
                    sqlx::query(
                        "INSERT INTO model_words (term) SELECT * FROM unnest($1::bigint[])
                         ON CONFLICT (term) DO NOTHING",
                    )
                    .bind(keys.iter().copied().collect::<Vec<_>>())
                    .execute(&mut *tx)
                    .await?;
                }
            }
            tx.commit().await
        })
        .await
    }

    /// How often each of these terms is said, and whether it is said in `here`.
    #[boxed]
    pub async fn frequencies_of_terms(
        &self,
        here: Option<&ChannelId>,
        terms: &BTreeSet<String>,
    ) -> Result<WordCounts, StoreError> {
        term_frequencies(&mut self.store.db.snapshot().await?, here, terms).await
    }

    /// Counts some of the messages that were archived before words were counted, or were counted by another rule.
    /// `true` if none is left.
    #[boxed]
    pub async fn count_older_messages(&self) -> Result<bool, StoreError> {
        // Looked up first, so that nothing is written once everything is counted.
        let mut tx = self.store.db.snapshot().await?;
        let is_new = known_rule(&mut tx).await?.as_deref() == Some(NEW);
        if !is_new && !has_uncounted(&mut tx).await? {
            return Ok(true);
        }
        drop(tx);
        let store = self.store.clone();
        to_the_end!({
            let mut tx = store.db.begin().await?;
            on!(&mut tx, c => sqlx::query("UPDATE settings SET value = $1 WHERE key = 'terms' AND value = $2")
                .bind(counting_rule()).bind(NEW).execute(c).await.map(drop))?;
            let changed = on!(&mut tx, c => sqlx::query(
                "INSERT INTO settings (key, value) VALUES ('terms', $1)
                 ON CONFLICT (key) DO UPDATE SET value = excluded.value WHERE settings.value <> excluded.value")
                .bind(counting_rule()).execute(c).await.map(|done| done.rows_affected()))?;
            if changed > 0 {
                restart_counting(&mut tx).await?;
            }
            let done = count_some_messages(&mut tx).await?;
            tx.commit().await?;
            Ok(done)
        })
        .await
    }
}

#[boxed]
pub(crate) async fn term_frequencies(
    tx: &mut Tx,
    here: Option<&ChannelId>,
    terms: &BTreeSet<String>,
) -> Result<WordCounts, StoreError> {
    let keys: BTreeMap<i64, &String> = terms.iter().map(|term| (key_of_term(term), term)).collect();
    let here = here.map_or("", ChannelId::as_str);
    let asked: BTreeSet<i64> = keys.keys().copied().collect();
    let rows = read_frequencies(tx, here, &asked).await?;
    let of_models = terms_of_models(tx, &asked).await?;
    let is_complete = !has_uncounted(&mut *tx).await?;
    let mut frequencies: BTreeMap<String, Frequency> =
        terms.iter().map(|term| (term.clone(), Frequency::default())).collect();
    for (key, messages, channels, is_said_here) in rows {
        if let Some(frequency) = keys.get(&key).and_then(|term| frequencies.get_mut(*term)) {
            frequency.messages = unsigned_count(messages);
            frequency.channels = unsigned_count(channels);
            frequency.is_said_here = is_said_here == 1;
        }
    }
    for (key,) in of_models {
        if let Some(frequency) = keys.get(&key).and_then(|term| frequencies.get_mut(*term)) {
            frequency.is_models_own = true;
        }
    }
    let most = frequencies.values().map(Frequency::channels_that_matter).max().unwrap_or(0);
    let (channels,): (i64,) = on!(tx, c => query_as(
        "SELECT count(*) FROM (SELECT id FROM channels WHERE revision > 0 LIMIT $1) AS spoken_in")
        .bind(signed_count(most)).fetch_one(c).await)?;
    Ok(WordCounts { frequencies, channels: unsigned_count(channels), is_complete })
}

pub(crate) async fn terms_of_models(tx: &mut Tx, terms: &BTreeSet<i64>) -> Result<Vec<(i64,)>, StoreError> {
    Ok(match tx {
        Tx::Sqlite(tx) => {
            query_as("SELECT term FROM model_words WHERE term IN (SELECT value FROM json_each($1))")
                .bind(numbers_as_json(terms))
                .fetch_all(&mut **tx)
                .await?
        }
        Tx::Postgres(tx) => {
            query_as("SELECT term FROM model_words WHERE term = ANY($1)")
                .bind(terms.iter().copied().collect::<Vec<_>>())
                .fetch_all(&mut *tx)
                .await?
        }
    })
}

/// How many counted messages hold each of these terms, in a channel or anywhere.
pub(crate) async fn messages_with(
    tx: &mut Tx,
    channel: Option<&ChannelId>,
    terms: &BTreeSet<i64>,
) -> Result<BTreeMap<i64, i64>, StoreError> {
    let here = channel.map_or("", ChannelId::as_str);
    let rows: Vec<(i64, i64)> = match tx {
        Tx::Sqlite(tx) => query_as(concat!(
            "SELECT term, sum(messages) FROM words WHERE block IN ",
            blocks_of_sqlite!(),
            " AND term IN (SELECT value FROM json_each($1)) AND ($2 = '' OR channel_id = $2) GROUP BY term"
        ))
        .bind(numbers_as_json(terms))
        .bind(here)
        .fetch_all(&mut **tx)
        .await?,
        Tx::Postgres(tx) => {
            query_as(concat!(
                "SELECT term, cast(sum(messages) AS BIGINT) FROM words WHERE block = ANY(",
                blocks_of_postgres!(),
                ") AND term = ANY($1) AND ($2 = '' OR channel_id = $2) GROUP BY term"
            ))
            .bind(terms.iter().copied().collect::<Vec<_>>())
            .bind(here)
            .fetch_all(&mut *tx)
            .await?
        }
    };
    Ok(rows.into_iter().collect())
}

/// Has every word counted anew, in the background.
pub(crate) async fn restart_counting(tx: &mut Tx) -> Result<(), StoreError> {
    on!(&mut *tx, c => sqlx::query("DELETE FROM words").execute(c).await.map(drop))?;
    on!(tx, c => sqlx::query("UPDATE channels SET words_to = 0").execute(c).await.map(drop))?;
    Ok(())
}

/// Those of `terms` that nobody says in `channel` (any more).
pub(crate) async fn terms_no_longer_said(
    tx: &mut Tx,
    channel: &ChannelId,
    terms: &BTreeSet<String>,
) -> Result<BTreeSet<String>, StoreError> {
    let counted: Option<(i64,)> = on!(&mut *tx, c => query_as("SELECT words_to FROM channels WHERE id = $1")
        .bind(channel.as_str()).fetch_optional(c).await)?;
    if counted.is_some_and(|(to,)| to < MessageTs::MAX.as_micros()) {
        return terms_unsaid_in_newest(tx, channel, terms).await;
    }
    let counts = term_frequencies(tx, Some(channel), terms).await?;
    Ok(counts.frequencies.into_iter().filter(|(_, f)| !f.is_said_here).map(|(term, _)| term).collect())
}

/// Those of `terms` that no person says anywhere (any more), and that no model writes by itself. None while it is not known
/// of every message what it says.
pub(crate) async fn said_by_nobody(
    tx: &mut Tx,
    terms: &BTreeSet<String>,
) -> Result<BTreeSet<String>, StoreError> {
    if terms.is_empty() {
        return Ok(BTreeSet::new());
    }
    let counts = term_frequencies(tx, None, terms).await?;
    if !counts.is_complete {
        return Ok(BTreeSet::new());
    }
    let unsaid = counts.frequencies.into_iter().filter(|(_, f)| f.messages == 0 && !f.is_models_own);
    Ok(unsaid.map(|(term, _)| term).collect())
}

/// Does the same as [`terms_no_longer_said`] for a channel that is not counted yet, from its newest messages.
async fn terms_unsaid_in_newest(
    tx: &mut Tx,
    channel: &ChannelId,
    terms: &BTreeSet<String>,
) -> Result<BTreeSet<String>, StoreError> {
    let talk: Vec<(String,)> = on!(tx, c => query_as(
        "SELECT text FROM messages WHERE channel_id = $1 AND kind = 'talk' AND deleted = 0
         ORDER BY ts DESC LIMIT $2").bind(channel.as_str()).bind(READ_INSTEAD).fetch_all(c).await)?;
    let said: BTreeSet<String> =
        talk.iter().flat_map(|(text,)| terms_of_text(&with_secrets_masked(text))).collect();
    Ok(terms.difference(&said).cloned().collect())
}

/// Whether a channel has words that are not counted yet, or that were counted by another rule.
pub(crate) async fn has_uncounted(tx: &mut Tx) -> Result<bool, StoreError> {
    if known_rule(tx).await?.is_none_or(|known| known != counting_rule() && known != NEW) {
        return Ok(true);
    }
    let channel: Option<(String,)> = on!(tx, c => query_as(
        "SELECT id FROM channels WHERE words_to < 9223372036854775807 LIMIT 1").fetch_optional(c).await)?;
    Ok(channel.is_some())
}

/// Notes the secrets of a message that was archived by other rules. Such a message is then found by other words and has
/// another meaning.
async fn look_for_secrets(tx: &mut Tx, message: &Message) -> Result<(), StoreError> {
    let kinds = secrets::kinds_in_message(message);
    // If secrets are masked when they are stored, only the mask tells of them.
    if kinds.is_empty() && message.text.contains(MASK_BEGINS) {
        return Ok(());
    }
    if secrets::note_secret_kinds(tx, &message.channel, message.ts, &kinds).await? {
        let number = index::number_of(tx, message.channel.as_str()).await?.filter(|number| *number > 0);
        let mut changes = RecallChanges::default();
        if let Some(number) = number {
            changes.note_message(&message.channel, number, message.ts);
        }
        changes.write(tx).await?;
    }
    Ok(())
}

async fn count_some_messages(tx: &mut Tx) -> Result<bool, StoreError> {
    // The row's lock keeps out writers that would change the channel's messages meanwhile.
    let next: Option<(String, i64)> = on!(&mut *tx, c => query_as(
        "UPDATE channels SET words_to = words_to
         WHERE id = (SELECT id FROM channels WHERE words_to < 9223372036854775807 ORDER BY id LIMIT 1)
         RETURNING id, words_to").fetch_optional(c).await)?;
    let Some((channel, to)) = next else { return Ok(true) };
    // Counts lie where the channel's number says. One of an older archive may have none yet.
    index::number_channel(tx, &ChannelId::new(channel.clone())).await?;
    let rows: Vec<MessageRow> = on!(&mut *tx, c => query_as(concat!("SELECT ", message_columns!(),
        " FROM messages m WHERE m.channel_id = $1 AND m.ts > $2 ORDER BY m.ts LIMIT $3"))
        .bind(&channel).bind(to).bind(COUNTED_AT_ONCE).fetch_all(c).await)?;
    let mut changes = WordChanges::beside(team::own_identity(tx).await?);
    let mut last = None;
    for row in rows {
        let message: Message = message_as_stored(row)?;
        last = Some(message.ts);
        look_for_secrets(tx, &message).await?;
        if message.is_talk() {
            changes.note(
                &message.channel,
                None,
                Some(WordSource::of(&message.user, &message.text, &message.files)),
            );
        }
    }
    changes.write(tx).await?;
    on!(&mut *tx, c => sqlx::query("UPDATE channels SET words_to = $2 WHERE id = $1")
        .bind(&channel).bind(last.unwrap_or(MessageTs::MAX).as_micros()).execute(c).await.map(drop))?;
    Ok(false)
}
