//! Takes back what a person put right: memories that were made with it go back to where they were not, and are written anew.

use std::collections::BTreeSet;

use async_recursion::async_recursion as boxed;
use jiff::Timestamp;
use myao_core::{
    chat::ChannelId,
    memory::{StepId, text_put_right},
};

use super::{
    super::{hold_still, read::MemoryKey},
    found,
};
use crate::{
    MemoryHandle, StoreError,
    db::{Tx, query_as},
    memory::{due, memories, refold},
    recall,
};

impl MemoryHandle<'_> {
    /// Takes back what somebody put right in a channel's memories: what was made with it is written anew without it. `false`
    /// if it does not stand.
    #[boxed]
    pub async fn undo_correction(
        &self,
        channel: &ChannelId,
        correction: StepId,
        now: Timestamp,
    ) -> Result<bool, StoreError> {
        let store = self.store.clone();
        let channel = channel.clone();
        to_the_end!({
            let mut tx = store.db.begin().await?;
            hold_still(&mut tx, Some(&channel)).await?;
            let is_standing = found::standing_one(&mut tx, &channel, correction).await?.is_some();
            if is_standing {
                undo(&mut tx, correction.0, now).await?;
                due::look_at(&mut tx, &channel).await?;
            }
            tx.commit().await?;
            Ok(is_standing)
        })
        .await
    }
}

/// Everything that was made from an entry, itself included, as `made`.
macro_rules! made_with {
    () => {
        "WITH RECURSIVE made (id) AS (
             SELECT id FROM memory_steps WHERE id = $1
             UNION
             SELECT i.step_id FROM step_inputs i JOIN made m ON i.input_id = m.id WHERE i.hard = 1) "
    };
}

/// Follows a person who went back to an earlier text (`to`): what was put right in it stands again, and what it says again
/// although somebody had put it right is taken back.
pub(crate) async fn follow_back(
    tx: &mut Tx,
    (key, to): (&MemoryKey, StepId),
    text: &str,
    now: Timestamp,
) -> Result<(), StoreError> {
    let Some(channel) = key.channel() else { return Ok(()) };
    let made_of: Vec<(i64,)> = on!(&mut *tx, c => query_as(
        "WITH RECURSIVE made_of (id) AS (
             SELECT id FROM memory_steps WHERE id = $1
             UNION
             SELECT i.input_id FROM step_inputs i JOIN made_of m ON m.id = i.step_id WHERE i.hard = 1)
         SELECT k.step_id FROM made_of m JOIN corrections k ON k.step_id = m.id")
        .bind(to.0).fetch_all(c).await)?;
    let made_of: BTreeSet<i64> = made_of.into_iter().map(|(id,)| id).collect();
    for again in &made_of {
        on!(&mut *tx, c => sqlx::query("UPDATE corrections SET undone_at = NULL WHERE step_id = $1")
            .bind(*again).execute(c).await.map(drop))?;
    }
    for standing in found::bearing_on(tx, &channel, text).await? {
        let id = standing.row.step_id;
        let said = text_put_right(text, std::slice::from_ref(&standing.correction), |_| false);
        if said.text != text && !made_of.contains(&id) {
            undo(tx, id, now).await?;
        }
    }
    Ok(())
}

/// Takes a correction back: no text is made with it any more, and the memories that were go back to where they were not, to
/// be written anew. The journal keeps them.
async fn undo(tx: &mut Tx, correction: i64, now: Timestamp) -> Result<(), StoreError> {
    on!(&mut *tx, c => sqlx::query("UPDATE corrections SET undone_at = $2 WHERE step_id = $1")
        .bind(correction).bind(now.as_microsecond()).execute(c).await.map(drop))?;
    let folds: Vec<(String,)> = on!(&mut *tx, c => query_as(concat!(made_with!(),
        "SELECT r.channel_id FROM refolds r JOIN made m ON m.id = r.step_id"))
        .bind(correction).fetch_all(c).await)?;
    for (channel,) in folds {
        refold::end_in_channel(tx, &channel).await?;
    }
    let gone: Vec<(String, i64)> = on!(&mut *tx, c => query_as(concat!(made_with!(),
        "DELETE FROM memories WHERE memory_type = 'short_term' AND step_id IN (SELECT id FROM made)
         RETURNING scope_id, step_id"))
        .bind(correction).fetch_all(c).await)?;
    recall::drop_memories(tx, &gone).await?;
    let heads: Vec<(i64,)> = on!(&mut *tx, c => query_as(concat!(made_with!(),
        "SELECT h.step_id FROM memories h JOIN made m ON m.id = h.step_id WHERE h.memory_type = 'long_term'"))
        .bind(correction).fetch_all(c).await)?;
    for (head,) in heads {
        let (first,): (Option<i64>,) = on!(&mut *tx, c => query_as(concat!(made_with!(),
            ", chain (id, parent_id) AS (
                SELECT id, parent_id FROM memory_steps WHERE id = $2
                UNION ALL
                SELECT s.id, s.parent_id FROM memory_steps s JOIN chain ON s.id = chain.parent_id)
             SELECT min(chain.id) FROM chain JOIN made m ON m.id = chain.id"))
            .bind(correction).bind(head).fetch_one(c).await)?;
        memories::move_back(tx, StepId(head), first.map(StepId), now).await?;
    }
    Ok(())
}
