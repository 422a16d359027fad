//! What else is stored of a message follows a change of its row: raw copies of it, and memories that were made without it.

use myao_core::{
    chat::{Message, Sighting},
    memory::{MemoryScope, MemoryType, make_thread_scope_id},
};

use super::{batch::Arrival, row_change::RowChange};
use crate::{StoreError, archive::deletions::changed_at, db::Tx, hearing::unread_events, memory::memories};

/// Drops the raw copy of a message that is known now in a later form.
pub(super) async fn raw_copies_follow(
    tx: &mut Tx,
    sighting: &Sighting,
    change: &RowChange,
) -> Result<(), StoreError> {
    let message = &sighting.message;
    let is_later = match change {
        RowChange::Inserted => message.edited_at.is_some() || changed_at(sighting.telling).is_some(),
        RowChange::Edited { .. } => true,
        RowChange::BroughtBack | RowChange::Unchanged => false,
    };
    if is_later {
        unread_events::drop_superseded_copy(tx, &message.channel, message.ts).await?;
    }
    Ok(())
}

/// Marks memories that lack what a message says now. A link that unfolds, or a parent whose replies are counted, arrives
/// as an edit too; only different words make memories stale, and those move back with the words that are gone.
pub(super) async fn memories_follow(
    tx: &mut Tx,
    message: &Message,
    arrival: Arrival,
    change: &RowChange,
) -> Result<(), StoreError> {
    match change {
        RowChange::Inserted | RowChange::BroughtBack if message.is_talk() => {
            comes_late(tx, message, arrival).await
        }
        RowChange::Edited { before, .. } if !before.is_talk() && message.is_talk() => {
            comes_late(tx, message, arrival).await
        }
        RowChange::Edited { before, is_read_better: true } if before.is_talk() => {
            reads_better(tx, message, arrival).await
        }
        RowChange::Inserted | RowChange::BroughtBack | RowChange::Edited { .. } | RowChange::Unchanged => {
            Ok(())
        }
    }
}

/// Talk that arrives inside a chapter that is already cut makes the chapter outdated: it is shown until it is rebuilt
/// (specification §6). The memory of the talk's thread is written anew.
async fn comes_late(tx: &mut Tx, message: &Message, arrival: Arrival) -> Result<(), StoreError> {
    if message.ts.as_micros() > arrival.chapters_end {
        return Ok(());
    }
    on!(tx, c => sqlx::query(
        "UPDATE chapters SET late_revision = $3 WHERE channel_id = $1 AND from_ts < $2 AND to_ts >= $2")
        .bind(message.channel.as_str()).bind(message.ts.as_micros()).bind(arrival.revision)
        .execute(c).await.map(drop))?;
    let thread = make_thread_scope_id(&message.channel, message.thread());
    memories::delete_versions(tx, MemoryScope::Thread, &thread, MemoryType::ShortTerm, 1).await
}

/// A message that is read better than before makes its chapter outdated, and the memory of its thread: both are shown
/// until they are written anew, since nothing of what they say was taken back.
async fn reads_better(tx: &mut Tx, message: &Message, arrival: Arrival) -> Result<(), StoreError> {
    on!(&mut *tx, c => sqlx::query(
        "UPDATE chapters SET late_revision = $3
         WHERE channel_id = $1 AND from_ts < $2 AND to_ts >= $2 AND expired = 0")
        .bind(message.channel.as_str()).bind(message.ts.as_micros()).bind(arrival.revision)
        .execute(c).await.map(drop))?;
    let thread = make_thread_scope_id(&message.channel, message.thread());
    on!(tx, c => sqlx::query(
        "UPDATE memories SET late_revision = $2
         WHERE scope = 'thread' AND scope_id = $1 AND source_latest_message_ts >= $3")
        .bind(thread.as_str()).bind(arrival.revision).bind(message.ts.as_micros()).execute(c).await.map(drop))?;
    Ok(())
}
