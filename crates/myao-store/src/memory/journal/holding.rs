//! Holds channels still on PostgreSQL while a text is written from what was said there, or texts are wiped.

use myao_core::{chat::ChannelId, memory::StepId};

use crate::{StoreError, db::Tx};

/// Lets nothing be said, removed or closed in `channel`, or in any channel if it is `None`, until the transaction ends:
/// each of these locks the channel first, and then wipes what was already written from it. An SQLite transaction that
/// writes is alone anyway.
pub(crate) async fn hold_still(tx: &mut Tx, channel: Option<&ChannelId>) -> Result<(), StoreError> {
    let Tx::Postgres(tx) = tx else { return Ok(()) };
    sqlx::query("SELECT id FROM channels WHERE id = $1 OR $1 IS NULL ORDER BY id FOR UPDATE")
        .bind(channel.map(ChannelId::as_str))
        .fetch_all(&mut *tx)
        .await?;
    Ok(())
}

/// The same for the channels of these steps, while others may do so, too: for the workspace's memory, which is made from
/// many channels, and nothing that is said in them meanwhile changes it.
pub(super) async fn hold_inputs_still(tx: &mut Tx, inputs: &[StepId]) -> Result<(), StoreError> {
    let Tx::Postgres(tx) = tx else { return Ok(()) };
    let inputs: Vec<i64> = inputs.iter().map(|input| input.0).collect();
    sqlx::query(
        "SELECT c.id FROM channels c
         WHERE c.id IN (SELECT s.scope_id FROM memory_steps s WHERE s.id = ANY($1) AND s.scope = 'channel')
         ORDER BY c.id FOR SHARE",
    )
    .bind(inputs)
    .fetch_all(&mut *tx)
    .await?;
    Ok(())
}
