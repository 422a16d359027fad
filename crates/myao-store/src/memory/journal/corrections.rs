//! Keeps what people put right in a channel's memories, so that texts that are written later say it as well (ADR 136).
//!
//! A correction is a journal entry of its own, of which no memory is the head. Every text that says it is made from it, so it
//! goes with it, as any text goes with what it was made from. This file keeps corrections and makes texts with them; `beside`
//! puts other texts right at once, `undone` takes corrections back, `removed` removes them. `found` reads them: of a channel
//! that has many, only those that bear on a text.

pub(crate) mod beside;
mod found;
pub(crate) mod removed;
pub(crate) mod told;
pub(crate) mod undone;

use std::collections::BTreeSet;

use jiff::{Timestamp, tz::TimeZone};
use myao_core::{
    chat::{ChannelId, MessageTs, UserId},
    memory::{
        Correction, FoldMark, MemoryScope, MemoryType, Origin, ReplacedStatement, ScopeId, StatementKey,
        StepId, StepKind, create_memory, replaced_statements, text_put_right,
    },
};

use super::{
    StepDraft,
    by_hand::{ByHand, CurrentMemory},
    insert_step,
    read::{MemoryKey, channel_of},
};
use crate::{
    StoreError, archive,
    db::{
        Tx, query_as,
        values::{instant_from_micros, parse_column, row},
    },
};

/// The version of the key under which corrections stand in the journal: no memory has it.
const NO_VERSION: u32 = 0;
/// The most corrections of a long-term memory, the newest, whose words stand in it wherever it takes them from: merges leave
/// out what is worth least, and would leave out a correction too.
const MOST_STAYING: usize = 50;

/// Something that a person put right in the memories of a channel.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct StoredCorrection {
    /// Its journal entry.
    pub step: StepId,
    /// The channel.
    pub channel: ChannelId,
    /// What holds, one statement a line; empty if the statement was struck out.
    pub words: String,
    /// The person's name.
    pub actor: String,
    /// When they put it right.
    pub at: Timestamp,
}

row! {
    struct CorrectionRow {
        step_id: i64,
        scope_id: String,
        memory_type: String,
        until_ts: i64,
        replaced: i64,
        replaced_terms: String,
        message_ts: Option<i64>,
        mark: Option<String>,
        content: String,
        actor: String,
        at: i64,
        read_revision: i64,
    }
}

/// A correction, and in which memory it was made.
struct Standing {
    row: CorrectionRow,
    memory_type: MemoryType,
    correction: Correction,
}

impl Standing {
    fn of_row(row: CorrectionRow) -> Result<Self, StoreError> {
        let day = instant_from_micros(row.at).to_zoned(TimeZone::UTC).date();
        let correction = Correction {
            replaced: (row.replaced != 0).then_some(StatementKey(row.replaced)),
            replaced_terms: serde_json::from_str(&row.replaced_terms)?,
            words: row.content.clone(),
            actor: row.actor.clone(),
            day,
            mark: row.mark.clone(),
        };
        let memory_type = parse_column(&row.memory_type, "corrections.memory_type", row.step_id)?;
        Ok(Self { row, memory_type, correction })
    }

    /// Whether its words are to stand in the text of this step even where nothing that it replaces does.
    fn stays_in(&self, step: &StepDraft) -> bool {
        let memory = &step.memory;
        match (memory.scope(), memory.memory_type()) {
            (MemoryScope::Workspace, _) => false,
            (MemoryScope::Thread, _) => memory.scope_id().as_str() == self.row.scope_id,
            (MemoryScope::Channel, MemoryType::LongTerm) => {
                let latest = memory.source_latest_message_ts().map_or(0, MessageTs::as_micros);
                self.is_of_channel(memory.scope_id(), MemoryType::LongTerm) && latest >= self.row.until_ts
            }
            (MemoryScope::Channel, MemoryType::ShortTerm) => {
                let until = MessageTs::from_micros(self.row.until_ts);
                let holds = step.range.as_ref().is_some_and(|range| range.from < until && until <= range.to);
                self.is_of_channel(memory.scope_id(), MemoryType::ShortTerm) && holds
            }
        }
    }

    fn is_of_channel(&self, scope: &ScopeId, memory_type: MemoryType) -> bool {
        self.row.scope_id == scope.as_str() && self.memory_type == memory_type
    }

    /// Whether something in this step's talk was said before it was put right.
    fn may_be_about(&self, step: &StepDraft) -> bool {
        step.range.as_ref().is_none_or(|range| range.from.as_micros() < self.row.at)
    }
}

/// What is stored of a correction.
struct NewCorrection<'a> {
    channel: &'a ChannelId,
    /// The memory in which it was made: its scope id, its type and the last message that it was made from.
    scope_id: &'a str,
    memory_type: MemoryType,
    until: MessageTs,
    statement: ReplacedStatement,
    by: ByHand,
    /// The message that says it, and the mark behind what was wrong.
    message: Option<(MessageTs, &'a str)>,
}

/// Notes what a person put right by giving a memory of a channel another text. Returns the entries.
pub(super) async fn note_replaced(
    tx: &mut Tx,
    (key, before): (&MemoryKey, &CurrentMemory),
    after: &str,
    by: &ByHand,
    now: Timestamp,
) -> Result<Vec<StepId>, StoreError> {
    let Some(channel) = key.channel() else { return Ok(Vec::new()) };
    let mut noted = Vec::new();
    for statement in replaced_statements(&before.content, after) {
        let new = NewCorrection {
            channel: &channel,
            scope_id: key.scope_id.as_str(),
            memory_type: key.memory_type,
            until: before.range.as_ref().map(|range| range.to).or(before.latest).unwrap_or(MessageTs::MIN),
            statement,
            by: by.clone(),
            message: None,
        };
        noted.push(note_correction(tx, new, now).await?);
    }
    Ok(noted)
}

async fn note_correction(tx: &mut Tx, new: NewCorrection<'_>, now: Timestamp) -> Result<StepId, StoreError> {
    let revision = archive::channel_revision(tx, new.channel).await?;
    let scope = ScopeId::channel(new.channel);
    let words = new.statement.words;
    let memory = create_memory(MemoryScope::Channel, scope, MemoryType::LongTerm, words, 0, None)
        .map_err(|e| StoreError::Content(e.to_string()))?;
    let reason = if new.by.reason.is_empty() { "put right by hand".to_owned() } else { new.by.reason };
    let draft = StepDraft {
        memory,
        version: NO_VERSION,
        origin: Origin { kind: StepKind::Correction, actor: new.by.actor, reason },
        parent: None,
        hard: Vec::new(),
        soft: Vec::new(),
        range: None,
        read_revision: revision,
        mark: FoldMark::default(),
        calls: Vec::new(),
    };
    let id = insert_step(tx, &draft, Some(draft.memory.content()), None, now).await?;
    on!(&mut *tx, c => sqlx::query(
        "INSERT INTO corrections (step_id, channel_id, scope_id, memory_type, until_ts, replaced, replaced_terms,
            user_id, message_ts, mark)
         VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10)")
        .bind(id).bind(new.channel.as_str()).bind(new.scope_id).bind(new.memory_type.as_str())
        .bind(new.until.as_micros()).bind(new.statement.replaced.0)
        .bind(serde_json::to_string(&new.statement.terms)?)
        .bind(new.by.user.as_ref().map(UserId::as_str)).bind(new.message.map(|(ts, _)| ts.as_micros()))
        .bind(new.message.map(|(_, mark)| mark)).execute(c).await.map(drop))?;
    Ok(StepId(id))
}

/// The step as it is to be written: with everything in its text put right, and made from those corrections. `None` if it is
/// written as it is: nothing of it was put right, or a person says what it is to be.
pub(super) async fn put_right(tx: &mut Tx, step: &StepDraft) -> Result<Option<StepDraft>, StoreError> {
    let memory = &step.memory;
    if matches!(step.origin.kind, StepKind::Edit | StepKind::Revert) || memory.content().is_empty() {
        return Ok(None);
    }
    let mut standing = Vec::new();
    for channel in channels_of_step(tx, step).await? {
        standing.extend(found::bearing_on_step(tx, &channel, step).await?);
    }
    standing.retain(|standing| standing.may_be_about(step));
    if standing.is_empty() {
        return Ok(None);
    }
    let corrections: Vec<Correction> = standing.iter().map(|standing| standing.correction.clone()).collect();
    let staying: Vec<usize> =
        standing.iter().enumerate().filter(|(_, one)| one.stays_in(step)).map(|(at, _)| at).collect();
    let newest: BTreeSet<usize> = staying.into_iter().rev().take(MOST_STAYING).collect();
    let right = text_put_right(memory.content(), &corrections, |at| newest.contains(&at));
    if right.used.is_empty() {
        return Ok(None);
    }
    let used = right.used.iter().filter_map(|at| Some(StepId(standing.get(*at)?.row.step_id)));
    let hard = step.hard.iter().copied().chain(used).collect();
    let memory = create_memory(
        memory.scope(),
        memory.scope_id().clone(),
        memory.memory_type(),
        right.text,
        memory.source_message_count(),
        memory.source_latest_message_ts(),
    )
    .map_err(|e| StoreError::Content(e.to_string()))?;
    Ok(Some(StepDraft { memory, hard, ..step.clone() }))
}

/// The channels whose corrections a text may say: its own, and of the workspace's memory those that it is made from.
async fn channels_of_step(tx: &mut Tx, step: &StepDraft) -> Result<BTreeSet<ChannelId>, StoreError> {
    if let Some(channel) = channel_of(step.memory.scope(), step.memory.scope_id()) {
        return Ok(BTreeSet::from([channel]));
    }
    let mut channels = BTreeSet::new();
    for input in &step.hard {
        let row: Option<(String,)> = on!(&mut *tx, c => query_as(
            "SELECT scope_id FROM memory_steps WHERE id = $1 AND scope = 'channel'")
            .bind(input.0).fetch_optional(c).await)?;
        channels.extend(row.map(|(channel,)| ChannelId::new(channel)));
    }
    Ok(channels)
}
