//! Indexes in the background what was archived before there was an index, or under an older rule, some rows at a time.

use std::collections::BTreeMap;

use async_recursion::async_recursion as boxed;
use myao_core::{
    chat::{ChannelId, MessageTs, Own},
    memory::{MemoryScope, MemoryType, StepId},
};

use super::{
    index::{self, RecallChanges},
    moving, named,
    samples::{self, Samples},
};
use crate::{
    RecallHandle, StoreError,
    archive::team,
    db::{
        Tx, query_as,
        values::{opt_ts, row, signed_size, unsigned_count},
    },
};

/// Messages indexed in one transaction: other writers get their turn in between.
const MESSAGES_AT_ONCE: i64 = 500;

/// Memories indexed in one transaction.
const MEMORIES_AT_ONCE: i64 = 50;

/// The most terms whose samples are kept in memory before they are written.
const MOST_SAMPLES: usize = 100_000;

/// The rule by which texts become terms. An index by another rule is worthless, and is made anew.
const RULE: &str = "pairs and stems 2";

/// The rule by which words of the house are found. Rows by another rule are written again, one after the other, and go on
/// to be found by their other terms meanwhile.
const HOUSE_WORD_RULE: &str = "house words 1";

/// The rule by which lines of memories are told apart and weighed, and by which the people they name are found.
const LINE_RULE: &str = "lines 4";

row! {
    /// A memory that is not indexed yet.
    struct UnindexedRow {
        step_id: i64,
        scope: String,
        scope_id: String,
        memory_type: String,
        version: i64,
        source_latest_message_ts: Option<i64>,
        content: String,
    }
}

/// How far the index has come.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct IndexProgress {
    /// Channels that are completely indexed.
    pub channels_done: u64,
    /// All channels.
    pub channels: u64,
    /// Whether everything that was said and is remembered can be found, and all lines of memories are written.
    pub finds_all: bool,
    /// Whether, beyond that, every row stands where it is found best: nothing is left to do.
    pub is_complete: bool,
}

impl RecallHandle<'_> {
    /// How far the index has come.
    #[boxed]
    pub async fn index_progress(&self) -> Result<IndexProgress, StoreError> {
        read_progress(&mut self.store.db.snapshot().await?).await
    }

    /// Indexes some of what is not indexed yet, and returns how far the index has come then.
    #[boxed]
    pub async fn index_some(&self) -> Result<IndexProgress, StoreError> {
        // Looked up first, so that nothing is written once everything is indexed.
        let before = self.index_progress().await?;
        if before.is_complete {
            return Ok(before);
        }
        let store = self.store.clone();
        to_the_end!({
            let mut tx = store.db.begin().await?;
            let mut pass = IndexPass::new(MemoryLines::Derived);
            pass.step(&mut tx).await?;
            pass.finish(&mut tx).await?;
            let progress = read_progress(&mut tx).await?;
            tx.commit().await?;
            Ok(progress)
        })
        .await
    }
}

/// What to do with the lines of memories while memories are indexed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum MemoryLines {
    /// The lines are written from the texts.
    Derived,
    /// All lines exist: for a large archive it takes long to find out which of them a later line replaces.
    There,
}

/// One pass over everything that has to be indexed. It may all be in one transaction, so no row is written once per
/// step: PostgreSQL walks over every earlier version of a row that its own transaction wrote.
#[derive(Debug)]
pub(crate) struct IndexPass {
    lines: MemoryLines,
    /// The channel that is being indexed; those before it are done.
    from: String,
    channels: u64,
    samples: Samples,
}

impl IndexPass {
    pub(crate) fn new(lines: MemoryLines) -> Self {
        Self { lines, from: String::new(), channels: 0, samples: Samples::default() }
    }

    /// How many channels are completely indexed.
    pub(crate) fn channels_done(&self) -> u64 {
        self.channels
    }

    /// Does the next step in a transaction of the caller. `false` if nothing is left to do.
    pub(crate) async fn step(&mut self, tx: &mut Tx) -> Result<bool, StoreError> {
        let rules = IndexRules::read(tx).await?;
        if !rules.is("recall", RULE) {
            begin_anew(tx).await?;
            *self = Self::new(self.lines);
            return Ok(true);
        }
        if !rules.is("house_words", HOUSE_WORD_RULE) {
            begin_house_words_anew(tx).await?;
            *self = Self::new(self.lines);
            return Ok(true);
        }
        if !rules.are_names_cut() {
            named::cut_some(tx).await?;
            return Ok(true);
        }
        if !rules.is("lines", LINE_RULE) {
            begin_lines_anew(tx).await?;
            return Ok(true);
        }
        if self.samples.len() > MOST_SAMPLES {
            self.samples.write(tx).await?;
        }
        Ok(self.index_some_messages(tx).await?
            || self.index_some_memories(tx).await?
            || moving::move_some(tx, &mut self.samples).await?)
    }

    /// Writes what the steps left to be written at the end.
    pub(crate) async fn finish(mut self, tx: &mut Tx) -> Result<(), StoreError> {
        self.samples.write(tx).await
    }

    /// Indexes some messages. `false` if every message is indexed.
    async fn index_some_messages(&mut self, tx: &mut Tx) -> Result<bool, StoreError> {
        // The row's lock keeps out writers that would change the channel's messages meanwhile.
        let next: Option<(String, i64)> = on!(&mut *tx, c => query_as(
            "UPDATE channels SET recall_to = recall_to
             WHERE id = (SELECT id FROM channels WHERE recall_to < 9223372036854775807 AND id >= $1
                         ORDER BY id LIMIT 1)
             RETURNING id, recall_to").bind(&self.from).fetch_optional(c).await)?;
        let Some((id, to)) = next else { return Ok(false) };
        self.from.clone_from(&id);
        let channel = ChannelId::new(id);
        let number = index::number_channel(tx, &channel).await?;
        let rows: Vec<(i64,)> = on!(&mut *tx, c => query_as(
            "SELECT ts FROM messages WHERE channel_id = $1 AND ts > $2 ORDER BY ts LIMIT $3")
            .bind(channel.as_str()).bind(to).bind(MESSAGES_AT_ONCE).fetch_all(c).await)?;
        let mut changes = RecallChanges::default();
        for (ts,) in &rows {
            changes.note_message(&channel, number, MessageTs::from_micros(*ts));
        }
        changes.index(tx, &mut self.samples).await?;
        let last = rows.last().filter(|_| signed_size(rows.len()) == MESSAGES_AT_ONCE);
        self.channels += u64::from(last.is_none());
        let to = last.map_or(MessageTs::MAX.as_micros(), |(ts,)| *ts);
        on!(tx, c => sqlx::query("UPDATE channels SET recall_to = $2 WHERE id = $1")
            .bind(channel.as_str()).bind(to).execute(c).await.map(drop))?;
        Ok(true)
    }

    /// Indexes some memories. `false` if every memory is indexed.
    async fn index_some_memories(&mut self, tx: &mut Tx) -> Result<bool, StoreError> {
        let Some(mark) = memory_mark(tx).await? else { return Ok(false) };
        // Of all scopes: asked for those of channels alone, SQLite reads every one of them and sorts, for each step anew.
        let rows: Vec<UnindexedRow> = on!(&mut *tx, c => query_as(
            "SELECT step_id, scope, scope_id, memory_type, version, source_latest_message_ts, content FROM memories
             WHERE step_id > $1 ORDER BY step_id LIMIT $2")
            .bind(mark).bind(MEMORIES_AT_ONCE).fetch_all(c).await)?;
        for row in &rows {
            if row.scope != MemoryScope::Channel.as_str() {
                continue;
            }
            let has_lines =
                row.memory_type == MemoryType::ShortTerm.as_str() && self.lines == MemoryLines::Derived;
            let version = has_lines.then(|| (row.version, row.source_latest_message_ts.and_then(opt_ts)));
            let text = (StepId(row.step_id), row.content.as_str());
            index::index_memory_text(tx, &row.scope_id, text, version, &mut self.samples).await?;
        }
        let Some(last) = rows.last() else {
            on!(tx, c => sqlx::query("DELETE FROM settings WHERE key = 'recall_steps'").execute(c).await.map(drop))?;
            return Ok(true);
        };
        on!(tx, c => sqlx::query("UPDATE settings SET value = $1 WHERE key = 'recall_steps'")
            .bind(last.step_id.to_string()).execute(c).await.map(drop))?;
        Ok(true)
    }
}

async fn read_progress(tx: &mut Tx) -> Result<IndexProgress, StoreError> {
    let (unfinished, channels): (i64, i64) = on!(&mut *tx, c => query_as(
        "SELECT (SELECT count(*) FROM channels WHERE recall_to < 9223372036854775807),
            (SELECT count(*) FROM channels)").fetch_one(c).await)?;
    let rules = IndexRules::read(tx).await?;
    let finds_all = rules.are_all_followed() && unfinished == 0 && !rules.has("recall_steps");
    Ok(IndexProgress {
        channels_done: if rules.is("recall", RULE) { unsigned_count(channels - unfinished) } else { 0 },
        channels: unsigned_count(channels),
        finds_all,
        is_complete: finds_all && moving::is_through(tx).await?,
    })
}

/// What settings say that is told with what was found.
pub(super) struct SettingsToShow {
    /// Whether everything that was said and is remembered can be found, and all lines of memories are written.
    pub(super) finds_all: bool,
    /// Who we are.
    pub(super) own: Option<Own>,
    /// The address of the workspace.
    pub(super) team_url: Option<String>,
}

impl SettingsToShow {
    /// Reads them with one statement.
    pub(super) async fn read(tx: &mut Tx) -> Result<Self, StoreError> {
        let rows: Vec<(String, String)> = on!(tx, c => query_as(
            "SELECT key, value FROM settings WHERE key IN ('recall', 'recall_steps', 'lines', 'names', 'names_after',
                'house_words', 'own', 'team_url')
             UNION ALL SELECT 'unfinished', id FROM (
                SELECT id FROM channels WHERE recall_to < 9223372036854775807 LIMIT 1) AS c").fetch_all(c).await)?;
        let mut rules = IndexRules(rows.into_iter().collect());
        let is_undone = rules.has("unfinished") || rules.has("recall_steps");
        Ok(Self {
            finds_all: rules.are_all_followed() && !is_undone,
            own: rules.0.remove("own").and_then(|ids| team::own_from_setting(&ids)),
            team_url: rules.0.remove("team_url"),
        })
    }
}

/// What the settings say of the rules by which everything was indexed.
struct IndexRules(BTreeMap<String, String>);

impl IndexRules {
    async fn read(tx: &mut Tx) -> Result<Self, StoreError> {
        let rows: Vec<(String, String)> = on!(tx, c => query_as(
            "SELECT key, value FROM settings
             WHERE key IN ('recall', 'recall_steps', 'lines', 'names', 'names_after', 'house_words')")
            .fetch_all(c).await)?;
        Ok(Self(rows.into_iter().collect()))
    }

    fn has(&self, key: &str) -> bool {
        self.0.contains_key(key)
    }

    fn is(&self, key: &str, rule: &str) -> bool {
        self.0.get(key).is_some_and(|stored| stored == rule)
    }

    /// Whether the parts of everybody's name are stored.
    fn are_names_cut(&self) -> bool {
        self.is("names", named::NAME_RULE) && !self.has("names_after")
    }

    fn are_all_followed(&self) -> bool {
        self.is("recall", RULE)
            && self.is("lines", LINE_RULE)
            && self.are_names_cut()
            && self.is("house_words", HOUSE_WORD_RULE)
    }
}

/// Has every message indexed once more, so that it is found by the words that it explains.
async fn begin_house_words_anew(tx: &mut Tx) -> Result<(), StoreError> {
    on!(&mut *tx, c => sqlx::query("UPDATE channels SET recall_to = 0").execute(c).await.map(drop))?;
    on!(tx, c => sqlx::query(
        "INSERT INTO settings (key, value) VALUES ('house_words', $1)
         ON CONFLICT (key) DO UPDATE SET value = excluded.value").bind(HOUSE_WORD_RULE).execute(c).await.map(drop))?;
    Ok(())
}

/// Whether the lines of all memories that have lines are written.
pub(crate) async fn lines_are_written(tx: &mut Tx) -> Result<bool, StoreError> {
    let rules = IndexRules::read(tx).await?;
    Ok(rules.is("lines", LINE_RULE) && !rules.has("recall_steps"))
}

/// Drops the lines of all memories, so that they are written anew by the current rule.
async fn begin_lines_anew(tx: &mut Tx) -> Result<(), StoreError> {
    on!(&mut *tx, c => sqlx::query("DELETE FROM memory_lines").execute(c).await.map(drop))?;
    on!(tx, c => sqlx::query(
        "INSERT INTO settings (key, value) VALUES ('lines', $1), ('recall_steps', '0')
         ON CONFLICT (key) DO UPDATE SET value = excluded.value").bind(LINE_RULE).execute(c).await.map(drop))?;
    Ok(())
}

/// The step up to which memories are indexed; `None` if all are.
async fn memory_mark(tx: &mut Tx) -> Result<Option<i64>, StoreError> {
    let mark: Option<(i64,)> = on!(tx, c => query_as(
        "SELECT cast(value AS BIGINT) FROM settings WHERE key = 'recall_steps'").fetch_optional(c).await)?;
    Ok(mark.map(|(mark,)| mark))
}

/// Empties the index, so that everything is indexed anew by the current rule.
async fn begin_anew(tx: &mut Tx) -> Result<(), StoreError> {
    match &mut *tx {
        Tx::Sqlite(tx) => {
            sqlx::query("INSERT INTO recall (recall) VALUES ('delete-all')").execute(&mut **tx).await?;
        }
        Tx::Postgres(tx) => {
            sqlx::query("DELETE FROM recall").execute(&mut *tx).await?;
        }
    }
    samples::begin_anew(tx).await?;
    on!(&mut *tx, c => sqlx::query("UPDATE channels SET recall_to = 0").execute(c).await.map(drop))?;
    moving::forget_all_moves(tx).await?;
    on!(tx, c => sqlx::query(
        "INSERT INTO settings (key, value) VALUES ('recall', $1), ('recall_steps', '0'), ('house_words', $2)
         ON CONFLICT (key) DO UPDATE SET value = excluded.value")
        .bind(RULE).bind(HOUSE_WORD_RULE).execute(c).await.map(drop))?;
    Ok(())
}
