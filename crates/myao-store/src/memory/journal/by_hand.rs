//! Lets a person change a memory: back to an earlier text, or to a text of their own. Both are steps like any other,
//! and both keep what the memory stands for: mark, range and count (specification §2.2). So they fold nothing in twice,
//! and the keeper does not overwrite them until something new is said.

use async_recursion::async_recursion as boxed;
use jiff::Timestamp;
use myao_core::chat::{MessageTs, UserId};
use myao_core::memory::{FoldMark, InvalidCombination, MemoryDraft, Origin, StepId, StepKind, create_memory};

use super::{
    corrections,
    read::{MemoryKey, entry_of_step},
};
use crate::{
    MemoryHandle, StoreError,
    archive::Range,
    db::{
        Tx,
        claims::{self, Claim},
        query_as,
        values::{opt_ts, unsigned_count, version_number},
    },
    memory::{
        due,
        journal::{StepDraft, hold_still, is_versioned, write_step},
    },
};

/// Who changes a memory by hand, and why.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ByHand {
    /// The person's name.
    pub actor: String,
    /// Who that is, if it is somebody in the chat.
    pub user: Option<UserId>,
    /// Why, in their words; empty if they gave no reason.
    pub reason: String,
}

/// Why a memory was not changed by hand. Nothing was written.
#[derive(Debug, thiserror::Error)]
pub enum ByHandError {
    /// The database failed.
    #[error(transparent)]
    Store(#[from] StoreError),
    /// There is no such step.
    #[error("there is no journal entry {0}; `myao memory log` lists them")]
    NoEntry(StepId),
    /// Something the step was made from was removed, and its text with it.
    #[error("the text of entry {0} was wiped, since something it was made from was removed")]
    Wiped(StepId),
    /// The text still exists, but something it was made from was removed.
    #[error(
        "entry {entry} was made from entry {source_entry}, whose text was wiped: going back would bring back what was removed"
    )]
    MadeFromWiped {
        /// The step to go back to.
        entry: StepId,
        /// The wiped step.
        source_entry: StepId,
    },
    /// The step holds no text: a refused answer, an emptied chapter, a note.
    #[error("entry {0} holds no text to go back to ({1})")]
    NoText(StepId, &'static str),
    /// The memory already has this text.
    #[error("entry {0} is what the memory says now")]
    Current(StepId),
    /// The new text is the same as the current one.
    #[error("nothing changed: the text is the one there is")]
    Unchanged,
    /// The new text is empty.
    #[error("the text is empty; `myao forget` removes what should not be remembered")]
    Empty,
    /// There is no memory to change.
    #[error("there is no such memory at the moment; `myao memory build` builds what is missing")]
    NoMemory,
    /// The version has no chapter.
    #[error("version {0} has no chapter, so its text would stand for nothing")]
    NoChapter(u32),
    /// All messages of the version are deleted.
    #[error("every message of version {0} was deleted: nothing of it may come back")]
    Emptied(u32),
    /// The workspace's memory would hold what not everybody may see.
    #[error("entry {entry} was made from #{channel}, which is not open to everybody any more")]
    Closed {
        /// The step to go back to.
        entry: StepId,
        /// The channel's name.
        channel: String,
    },
    /// The memory was changed by somebody else.
    #[error("the memory changed meanwhile (it is at entry {0} now); look at it and try again")]
    Moved(StepId),
}

/// A memory's current text and what it stands for.
pub(super) struct CurrentMemory {
    pub(super) step: StepId,
    pub(super) content: String,
    count: u64,
    pub(super) latest: Option<MessageTs>,
    pub(super) mark: FoldMark,
    pub(super) range: Option<Range>,
    pub(super) read_revision: i64,
}

/// What a person wants a memory to say.
#[derive(Clone)]
enum RequestedText {
    /// The text of this step.
    Back(StepId),
    /// The person's own text, written with the step `seen` in view.
    Text { key: MemoryKey, seen: StepId, content: String },
}

/// A requested text that passed the checks.
struct CheckedText {
    key: MemoryKey,
    standing: CurrentMemory,
    content: String,
    /// The step whose text it is, or which it was written from.
    from: StepId,
    origin: Origin,
}

impl MemoryHandle<'_> {
    /// Takes a memory back to the text of an earlier step of its own. The claim is on [`MemoryKey::subject`] of that
    /// step.
    ///
    /// # Errors
    /// See [`ByHandError`].
    #[boxed]
    pub async fn revert(
        &self,
        claim: &Claim,
        to: StepId,
        by: ByHand,
        now: Timestamp,
    ) -> Result<StepId, ByHandError> {
        self.write_requested_text(claim, RequestedText::Back(to), by, now).await
    }

    /// Gives a memory a person's own text. `seen` is the step they started from; the claim is on
    /// [`MemoryKey::subject`].
    ///
    /// # Errors
    /// See [`ByHandError`].
    #[boxed]
    pub async fn edit(
        &self,
        claim: &Claim,
        (key, seen): (MemoryKey, StepId),
        text: &str,
        by: ByHand,
        now: Timestamp,
    ) -> Result<StepId, ByHandError> {
        // PostgreSQL cannot store NUL in text.
        let content = text.replace('\0', "").trim().to_owned();
        self.write_requested_text(claim, RequestedText::Text { key, seen, content }, by, now).await
    }

    async fn write_requested_text(
        &self,
        claim: &Claim,
        wish: RequestedText,
        by: ByHand,
        now: Timestamp,
    ) -> Result<StepId, ByHandError> {
        let store = self.store.clone();
        let claim = claim.clone();
        to_the_end!({
            let mut tx = store.db.begin().await?;
            claims::check_still_held(&mut tx, &claim).await?;
            match change_memory(&mut tx, &claim, wish.clone(), by.clone(), now).await {
                Ok(step) => {
                    tx.commit().await?;
                    Ok(Ok(step))
                }
                Err(ByHandError::Store(error)) => Err(error),
                Err(refused) => Ok(Err(refused)),
            }
        })
        .await?
    }
}

async fn change_memory(
    tx: &mut Tx,
    claim: &Claim,
    wish: RequestedText,
    by: ByHand,
    now: Timestamp,
) -> Result<StepId, ByHandError> {
    let granted = match &wish {
        RequestedText::Back(to) => earlier_text(tx, *to, by.clone()).await?,
        RequestedText::Text { key, seen, content } => {
            own_text(tx, key.clone(), *seen, content.clone(), by.clone()).await?
        }
    };
    if claim.subject != granted.key.subject() {
        return Err(StoreError::ClaimLost(granted.key.subject()).into());
    }
    let CheckedText { key, standing, content, from, origin } = granted;
    let noted = match wish {
        RequestedText::Back(to) => {
            corrections::undone::follow_back(tx, (&key, to), &content, now).await?;
            Vec::new()
        }
        RequestedText::Text { .. } => {
            corrections::note_replaced(tx, (&key, &standing), &content, &by, now).await?
        }
    };
    let beside = entry_of_step(tx, from).await?.map(|entry| entry.soft).unwrap_or_default();
    let step = StepDraft {
        memory: draft_from_standing(&key, content, &standing)
            .map_err(|e| StoreError::Content(e.to_string()))?,
        version: key.version,
        origin,
        parent: Some(standing.step),
        hard: noted.iter().copied().chain([from]).collect(),
        soft: beside.into_iter().map(|input| input.step).collect(),
        range: standing.range,
        read_revision: standing.read_revision,
        mark: standing.mark,
        calls: Vec::new(),
    };
    if let Some(channel) = key.channel() {
        due::look_at(tx, &channel).await?;
    }
    let id = write_step(tx, &step, None, now).await?;
    corrections::beside::put_right_elsewhere(tx, &key, &noted, now).await?;
    Ok(id)
}

pub(super) fn draft_from_standing(
    key: &MemoryKey,
    content: String,
    standing: &CurrentMemory,
) -> Result<MemoryDraft, InvalidCombination> {
    let count = standing.count;
    let latest = standing.latest;
    create_memory(key.scope, key.scope_id.clone(), key.memory_type, content, count, latest)
}

async fn earlier_text(tx: &mut Tx, to: StepId, by: ByHand) -> Result<CheckedText, ByHandError> {
    let missing = || ByHandError::NoEntry(to);
    let key = entry_of_step(tx, to).await?.ok_or_else(missing)?.key;
    let standing = lock_current_memory(tx, &key).await;
    // Read once more, now under the locks.
    let target = entry_of_step(tx, to).await?.ok_or_else(missing)?;
    let content = match (target.kind, target.content) {
        // Steps of these kinds never had a text.
        (kind @ (StepKind::Refused | StepKind::Dropped | StepKind::Correction), _) => {
            return Err(ByHandError::NoText(to, kind.as_str()));
        }
        (_, None) => return Err(ByHandError::Wiped(to)),
        (kind, Some(content)) if content.is_empty() => return Err(ByHandError::NoText(to, kind.as_str())),
        (_, Some(content)) => content,
    };
    let standing = standing?;
    if standing.step == to || standing.content == content {
        return Err(ByHandError::Current(to));
    }
    nothing_removed(tx, to).await?;
    if target.key == MemoryKey::workspace() {
        open_to_all(tx, to).await?;
    }
    let reason = if by.reason.is_empty() { format!("back to entry {to}") } else { by.reason };
    let origin = Origin { kind: StepKind::Revert, actor: by.actor, reason };
    Ok(CheckedText { key: target.key, standing, content, from: to, origin })
}

async fn own_text(
    tx: &mut Tx,
    key: MemoryKey,
    seen: StepId,
    content: String,
    by: ByHand,
) -> Result<CheckedText, ByHandError> {
    if content.is_empty() {
        return Err(ByHandError::Empty);
    }
    let standing = lock_current_memory(tx, &key).await?;
    if standing.step != seen {
        return Err(ByHandError::Moved(standing.step));
    }
    if standing.content == content {
        return Err(ByHandError::Unchanged);
    }
    let reason = if by.reason.is_empty() { "written by hand".to_owned() } else { by.reason };
    let origin = Origin { kind: StepKind::Edit, actor: by.actor, reason };
    Ok(CheckedText { key, standing, content, from: seen, origin })
}

/// Reads a memory, and keeps it unchanged until the transaction ends.
#[boxed]
pub(super) async fn lock_current_memory(tx: &mut Tx, key: &MemoryKey) -> Result<CurrentMemory, ByHandError> {
    hold_still(tx, key.channel().as_ref()).await?;
    let row: Option<(i64, String, i64, Option<i64>)> = on!(&mut *tx, c => query_as(
        "UPDATE memories SET updated_at = updated_at
         WHERE scope = $1 AND scope_id = $2 AND memory_type = $3 AND version = $4
         RETURNING step_id, content, source_message_count, source_latest_message_ts")
        .bind(key.scope.as_str()).bind(key.scope_id.as_str()).bind(key.memory_type.as_str())
        .bind(i64::from(key.version)).fetch_optional(c).await)
    .map_err(StoreError::from)?;
    let Some((step, content, messages, latest)) = row else { return Err(ByHandError::NoMemory) };
    if is_versioned(key.scope, key.memory_type) {
        chapter_stands(tx, key, content.is_empty()).await?;
    }
    let (through, through_step, from, to, read_revision): (i64, Option<i64>, Option<i64>, Option<i64>, i64) =
        on!(&mut *tx, c => query_as(
            "SELECT through_version, through_step, from_ts, to_ts, read_revision
             FROM memory_steps WHERE id = $1").bind(step).fetch_one(c).await)
        .map_err(StoreError::from)?;
    let range = key.channel().zip(from.zip(to)).map(|(channel, (from, to))| Range {
        channel,
        from: MessageTs::from_micros(from),
        to: MessageTs::from_micros(to),
    });
    Ok(CurrentMemory {
        step: StepId(step),
        content,
        count: unsigned_count(messages),
        latest: latest.and_then(opt_ts),
        mark: FoldMark { version: version_number(through), step: through_step.map(StepId) },
        range,
        read_revision,
    })
}

async fn chapter_stands(tx: &mut Tx, key: &MemoryKey, is_emptied: bool) -> Result<(), ByHandError> {
    let (chapters,): (i64,) = on!(&mut *tx, c => query_as(
        "SELECT count(*) FROM chapters WHERE channel_id = $1 AND version = $2")
        .bind(key.scope_id.as_str()).bind(i64::from(key.version)).fetch_one(c).await)
    .map_err(StoreError::from)?;
    match (chapters, is_emptied) {
        (0, _) => Err(ByHandError::NoChapter(key.version)),
        (_, true) => Err(ByHandError::Emptied(key.version)),
        (_, false) => Ok(()),
    }
}

/// Everything a step was made from, itself included, as `made_of`.
macro_rules! made_of {
    () => {
        "WITH RECURSIVE made_of (id) AS (
             SELECT id FROM memory_steps WHERE id = $1
             UNION
             SELECT i.input_id FROM step_inputs i JOIN made_of m ON m.id = i.step_id WHERE i.hard = 1) "
    };
}

/// Checks that nothing the text rests on was wiped.
async fn nothing_removed(tx: &mut Tx, step: StepId) -> Result<(), ByHandError> {
    let wiped: Option<(i64,)> = on!(&mut *tx, c => query_as(concat!(made_of!(),
        "SELECT s.id FROM made_of m JOIN memory_steps s ON s.id = m.id
         WHERE s.content IS NULL ORDER BY s.id LIMIT 1"))
        .bind(step.0).fetch_optional(c).await)
    .map_err(StoreError::from)?;
    wiped.map_or(Ok(()), |(id,)| Err(ByHandError::MadeFromWiped { entry: step, source_entry: StepId(id) }))
}

/// Checks that everything the text rests on was said where everybody may listen now (specification §6).
async fn open_to_all(tx: &mut Tx, step: StepId) -> Result<(), ByHandError> {
    let closed: Option<(String,)> = on!(&mut *tx, c => query_as(concat!(made_of!(),
        "SELECT coalesce(c.name, s.scope_id) FROM made_of m JOIN memory_steps s ON s.id = m.id
         LEFT JOIN channels c ON c.id = s.scope_id
         WHERE s.scope = 'channel' AND (c.id IS NULL OR c.kind <> 'public' OR c.external <> 0)
         ORDER BY s.id LIMIT 1"))
        .bind(step.0).fetch_optional(c).await)
    .map_err(StoreError::from)?;
    closed.map_or(Ok(()), |(channel,)| Err(ByHandError::Closed { entry: step, channel }))
}
