//! Moves the rows of channels that were opened or closed to the terms where they belong, some at a time, in the
//! background (ADR 87).

use myao_core::chat::{ChannelId, MessageTs};

use super::{
    address::{self, IndexedRow},
    index::{self, RecallChanges},
    samples::Samples,
};
use crate::{
    StoreError,
    db::{Tx, query_as, values::signed_size},
};

/// Messages moved in one transaction: other writers get their turn in between.
const MESSAGES_AT_ONCE: i64 = 500;

/// Memories moved in one transaction.
const MEMORIES_AT_ONCE: i64 = 50;

/// Of a channel whose rows all stand where they belong.
const SETTLED: i64 = i64::MAX;

/// Whether all rows stand where they belong, and are counted there.
pub(super) async fn is_through(tx: &mut Tx) -> Result<bool, StoreError> {
    let row: Option<(String,)> = on!(tx, c => query_as(
        "SELECT * FROM (SELECT id FROM channels WHERE recall_moves_from < 9223372036854775807 LIMIT 1) AS c
         UNION ALL SELECT value FROM settings WHERE key = 'recall_moves'").fetch_optional(c).await)?;
    Ok(row.is_none())
}

/// Has nothing moved any more, since everything is indexed anew.
pub(super) async fn forget_all_moves(tx: &mut Tx) -> Result<(), StoreError> {
    on!(&mut *tx, c => sqlx::query(
        "UPDATE channels SET recall_moves_from = 9223372036854775807 WHERE recall_moves_from < 9223372036854775807")
        .execute(c).await.map(drop))?;
    on!(tx, c => sqlx::query("DELETE FROM settings WHERE key = 'recall_moves'").execute(c).await.map(drop))?;
    Ok(())
}

/// Moves some rows. `false` if all stand where they belong.
pub(super) async fn move_some(tx: &mut Tx, samples: &mut Samples) -> Result<bool, StoreError> {
    if is_through(tx).await? {
        return Ok(false);
    }
    // The row's lock keeps out writers that would change the channel's messages meanwhile.
    let next: Option<(String, i64, i64)> = on!(&mut *tx, c => query_as(
        "UPDATE channels SET recall_moves_from = recall_moves_from
         WHERE id = (SELECT id FROM channels WHERE recall_moves_from < 9223372036854775807
                     ORDER BY recall_moves_from, id LIMIT 1)
         RETURNING id, number, recall_moves_from").fetch_optional(c).await)?;
    let Some((channel, number, from)) = next else {
        forget_all_moves(tx).await?;
        return Ok(true);
    };
    let from = match address::from_within(from) {
        _ if number == 0 => SETTLED,
        IndexedRow::Messages { from, .. } => {
            move_messages(tx, &ChannelId::new(&*channel), number, from, samples).await?
        }
        IndexedRow::Memory(step) => move_memories(tx, (&channel, number), step.0, samples).await?,
    };
    on!(tx, c => sqlx::query("UPDATE channels SET recall_moves_from = $2 WHERE id = $1")
        .bind(&channel).bind(from).execute(c).await.map(drop))?;
    Ok(true)
}

/// Moves messages from a time on, and returns where to go on.
async fn move_messages(
    tx: &mut Tx,
    channel: &ChannelId,
    number: i64,
    from: i64,
    samples: &mut Samples,
) -> Result<i64, StoreError> {
    let rows: Vec<(i64,)> = on!(&mut *tx, c => query_as(
        "SELECT ts FROM messages WHERE channel_id = $1 AND ts >= $2 ORDER BY ts LIMIT $3")
        .bind(channel.as_str()).bind(from).bind(MESSAGES_AT_ONCE).fetch_all(c).await)?;
    let mut changes = RecallChanges::default();
    for (ts,) in &rows {
        changes.note_message(channel, number, MessageTs::from_micros(*ts));
    }
    changes.index(tx, samples).await?;
    let last = rows.last().filter(|_| signed_size(rows.len()) == MESSAGES_AT_ONCE);
    let after = |(ts,): &(i64,)| {
        address::part_within_channel(address::of_message(0, MessageTs::from_micros(*ts))) + 1
    };
    Ok(last.map_or(address::AFTER_MESSAGES, after))
}

/// Moves memories from a step on, and returns where to go on.
async fn move_memories(
    tx: &mut Tx,
    (channel, number): (&str, i64),
    from: i64,
    samples: &mut Samples,
) -> Result<i64, StoreError> {
    let rows: Vec<(i64, String)> = on!(&mut *tx, c => query_as(
        "SELECT step_id, content FROM memories WHERE scope = 'channel' AND scope_id = $1 AND step_id >= $2
         ORDER BY step_id LIMIT $3").bind(channel).bind(from).bind(MEMORIES_AT_ONCE).fetch_all(c).await)?;
    index::move_memories(tx, number, &rows, samples).await?;
    let last = rows.last().filter(|_| signed_size(rows.len()) == MEMORIES_AT_ONCE);
    Ok(last.map_or(SETTLED, |(step, _)| address::AFTER_MESSAGES.saturating_add(*step).saturating_add(1)))
}
