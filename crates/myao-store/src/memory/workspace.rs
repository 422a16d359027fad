//! Reads what the workspace's memory is made from, and marks the keeper's rounds.

use std::collections::BTreeMap;

use async_recursion::async_recursion as boxed;
use jiff::Timestamp;
use myao_core::chat::{Channel, ChannelId, MessageTs};
use myao_core::memory::StepId;

use crate::{
    MemoryHandle, StoreError, archive,
    db::{
        query_as,
        values::{instant_from_micros, opt_ts, row, unsigned_count},
    },
};

/// An open channel's long-term memory, as an input of the workspace's memory.
#[derive(Clone, Debug)]
pub struct WorkspaceInput {
    /// Which channel.
    pub channel: Channel,
    /// The step of its long-term memory.
    pub step: StepId,
    /// The text.
    pub content: String,
    /// How many messages it was made from.
    pub source_message_count: u64,
    /// The newest of them.
    pub source_latest_message_ts: Option<MessageTs>,
    /// When it was last written.
    pub updated_at: Timestamp,
    /// Whether this very text is in the workspace's memory already.
    pub integrated: bool,
    /// Whether this or an earlier text of the channel is in the workspace's memory.
    pub contained: bool,
}

/// Whether the workspace's memory may be shown. One that was taken over from the predecessor was made from every
/// channel there was, so it is shown only once all of them are open (specification §6). Our own are made only from open
/// channels.
macro_rules! workspace_is_open {
    () => {
        "(NOT EXISTS (SELECT 1 FROM memories w JOIN memory_steps s ON s.id = w.step_id
                WHERE w.scope = 'workspace' AND w.memory_type = 'long_term' AND s.kind = 'adopted')
            OR NOT EXISTS (SELECT 1 FROM memory_steps s JOIN channels c ON c.id = s.scope_id
                WHERE s.scope = 'channel' AND s.kind = 'adopted'
                  AND (c.kind <> 'public' OR c.external <> 0)))"
    };
}
pub(crate) use workspace_is_open;

row! {
    /// A channel's long-term memory, and whether the workspace's holds it.
    struct WorkspaceInputRow {
        scope_id: String,
        step_id: i64,
        content: String,
        source_message_count: i64,
        source_latest_message_ts: Option<i64>,
        integrated: i64,
        contained: i64,
        updated_at: i64,
    }
}

impl MemoryHandle<'_> {
    /// Whether the workspace's memory may be shown, and built upon. `false` only for one that was taken over from the
    /// predecessor, while one of the channels it was made from is not known to be open.
    #[boxed]
    pub async fn workspace_is_open(&self) -> Result<bool, StoreError> {
        let mut tx = self.store.db.snapshot().await?;
        let (open,): (i64,) = on!(&mut tx, c => query_as(concat!(
            "SELECT cast(CASE WHEN ", workspace_is_open!(), " THEN 1 ELSE 0 END AS BIGINT)"))
            .fetch_one(c).await)?;
        Ok(open == 1)
    }

    /// The long-term memories of open channels, archived and left ones included, by channel id.
    ///
    /// The workspace's memory holds what the chain of steps up to its present text was made from: if it moved back,
    /// what came later has to be integrated again.
    #[boxed]
    pub async fn for_workspace(&self) -> Result<Vec<WorkspaceInput>, StoreError> {
        let mut tx = self.store.db.snapshot().await?;
        let channels = archive::all_channel_rows(&mut tx).await?;
        let rows: Vec<WorkspaceInputRow> = on!(&mut tx, c => query_as(
            "WITH RECURSIVE chain (id, parent_id) AS (
                SELECT s.id, s.parent_id FROM memories w JOIN memory_steps s ON s.id = w.step_id
                WHERE w.scope = 'workspace' AND w.memory_type = 'long_term'
                UNION ALL
                SELECT s.id, s.parent_id FROM memory_steps s JOIN chain ON s.id = chain.parent_id),
             held (id, scope_id) AS (
                SELECT l.id, l.scope_id FROM chain JOIN step_inputs i ON i.step_id = chain.id
                JOIN memory_steps l ON l.id = i.input_id
                WHERE l.scope = 'channel' AND l.memory_type = 'long_term')
             SELECT h.scope_id, h.step_id, h.content, h.source_message_count, h.source_latest_message_ts,
                cast(CASE WHEN h.step_id IN (SELECT id FROM held) THEN 1 ELSE 0 END AS BIGINT) AS integrated,
                cast(CASE WHEN h.scope_id IN (SELECT scope_id FROM held) THEN 1 ELSE 0 END AS BIGINT) AS contained,
                h.updated_at
             FROM memories h
             WHERE h.scope = 'channel' AND h.memory_type = 'long_term' ORDER BY h.scope_id")
            .fetch_all(c).await)?;
        let channels: BTreeMap<ChannelId, Channel> = channels
            .into_iter()
            .filter(|row| !row.opted_out)
            .map(|row| (row.channel.id.clone(), row.channel))
            .collect();
        let input = |row: WorkspaceInputRow| {
            let channel = channels.get(&ChannelId::new(row.scope_id))?.clone();
            channel.is_open().then_some(WorkspaceInput {
                channel,
                step: StepId(row.step_id),
                content: row.content,
                source_message_count: unsigned_count(row.source_message_count),
                source_latest_message_ts: row.source_latest_message_ts.and_then(opt_ts),
                updated_at: instant_from_micros(row.updated_at),
                integrated: row.integrated > 0,
                contained: row.contained > 0,
            })
        };
        Ok(rows.into_iter().filter_map(input).collect())
    }

    /// Begins a round, or continues the one that was not ended. Returns when it began (specification §2).
    #[boxed]
    pub async fn begin_round(&self, now: Timestamp) -> Result<Timestamp, StoreError> {
        let store = self.store.clone();
        to_the_end!({
            let mut tx = store.db.begin().await?;
            let (began,): (String,) = on!(&mut tx, c => query_as(
                "INSERT INTO settings (key, value) VALUES ('round', $1)
                 ON CONFLICT (key) DO UPDATE SET value = settings.value RETURNING value")
                .bind(now.as_microsecond().to_string()).fetch_one(c).await)?;
            tx.commit().await?;
            Ok(began.parse().ok().and_then(|micros| Timestamp::from_microsecond(micros).ok()).unwrap_or(now))
        })
        .await
    }

    /// Ends the round.
    #[boxed]
    pub async fn end_round(&self) -> Result<(), StoreError> {
        let store = self.store.clone();
        to_the_end!({
            let mut tx = store.db.begin().await?;
            on!(&mut tx, c => sqlx::query("DELETE FROM settings WHERE key = 'round'")
                .execute(c).await.map(drop))?;
            tx.commit().await
        })
        .await
    }
}
