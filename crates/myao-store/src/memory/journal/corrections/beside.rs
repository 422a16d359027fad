//! Puts right at once what other texts of the channel say, when a person put it right in one of them.

use jiff::Timestamp;
use myao_core::{
    chat::ChannelId,
    memory::{Correction, Origin, ScopeId, StepId, StepKind, text_put_right},
};

use super::{
    super::{
        StepDraft,
        by_hand::{ByHandError, draft_from_standing, lock_current_memory},
        insert_with_inputs,
        read::MemoryKey,
    },
    found,
};
use crate::{
    StoreError,
    db::{
        Tx, query_as,
        values::{parse_column, version_number},
    },
    memory::memories,
    recall::UnindexedVersions,
};

/// Puts the same right in the other texts of the channel as they stand, with these entries of [`note_replaced`](super::note_replaced).
pub(crate) async fn put_right_elsewhere(
    tx: &mut Tx,
    key: &MemoryKey,
    noted: &[StepId],
    now: Timestamp,
) -> Result<(), StoreError> {
    match key.channel() {
        Some(channel) if !noted.is_empty() => put_right_in_channel(tx, &channel, Some(key), noted, now).await,
        Some(_) | None => Ok(()),
    }
}

/// Puts the texts of a channel right as they stand, but for the one of `key`, with these corrections.
pub(super) async fn put_right_in_channel(
    tx: &mut Tx,
    channel: &ChannelId,
    key: Option<&MemoryKey>,
    noted: &[StepId],
    now: Timestamp,
) -> Result<(), StoreError> {
    let mut standing = Vec::new();
    for entry in noted {
        standing.extend(found::standing_one(tx, channel, *entry).await?);
    }
    let corrections: Vec<Correction> = standing.iter().map(|standing| standing.correction.clone()).collect();
    let Some(actor) = corrections.first().map(|correction| correction.actor.clone()) else { return Ok(()) };
    let rows: Vec<(String, String, String, i64, String)> = on!(&mut *tx, c => query_as(
        "SELECT scope, scope_id, memory_type, version, content FROM memories
         WHERE scope = 'channel' AND scope_id = $1 AND content <> ''
         UNION ALL
         SELECT scope, scope_id, memory_type, version, content FROM memories
         WHERE scope = 'thread' AND channel_id = $1 AND content <> ''")
        .bind(channel.as_str()).fetch_all(c).await)?;
    for (scope, scope_id, memory_type, version, content) in rows {
        let other = MemoryKey {
            scope: parse_column(&scope, "memories.scope", &scope_id)?,
            memory_type: parse_column(&memory_type, "memories.memory_type", &scope_id)?,
            version: version_number(version),
            scope_id: ScopeId::new(scope_id),
        };
        let right = text_put_right(&content, &corrections, |_| false);
        if Some(&other) == key || right.text == content {
            continue;
        }
        let used: Vec<StepId> =
            right.used.iter().filter_map(|at| Some(StepId(standing.get(*at)?.row.step_id))).collect();
        write_beside(tx, (&other, right.text), &used, &actor, now).await?;
    }
    Ok(())
}

/// Gives a memory a text in which something was put right elsewhere. It stands for what the text before stood for, and
/// nothing is folded anew: where that is due, the memory that was changed sees to it.
async fn write_beside(
    tx: &mut Tx,
    (key, text): (&MemoryKey, String),
    used: &[StepId],
    actor: &str,
    now: Timestamp,
) -> Result<(), StoreError> {
    let standing = match lock_current_memory(tx, key).await {
        Ok(standing) => standing,
        Err(ByHandError::Store(error)) => return Err(error),
        // A version without a chapter stands for nothing and is not changed by hand either.
        Err(_) => return Ok(()),
    };
    let with = used.iter().map(ToString::to_string).collect::<Vec<_>>().join(", ");
    let reason = format!("put right with entry {with}");
    let step = StepDraft {
        memory: draft_from_standing(key, text, &standing).map_err(|e| StoreError::Content(e.to_string()))?,
        version: key.version,
        origin: Origin { kind: StepKind::Edit, actor: actor.to_owned(), reason },
        parent: Some(standing.step),
        hard: used.iter().copied().chain([standing.step]).collect(),
        soft: Vec::new(),
        range: standing.range,
        read_revision: standing.read_revision,
        mark: standing.mark,
        calls: Vec::new(),
    };
    let id = insert_with_inputs(tx, &step, None, now).await?;
    let mut unindexed = UnindexedVersions::default();
    memories::put_head(tx, &step.memory, step.version, StepId(id), now, &mut unindexed).await?;
    unindexed.write(tx).await
}
