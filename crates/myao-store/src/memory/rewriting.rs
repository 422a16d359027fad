//! Tells what was written anew lately in a channel, so that rewriting costs no more than is meant for it (ADR 96).

use std::collections::BTreeMap;

use async_recursion::async_recursion as boxed;
use jiff::Timestamp;
use myao_core::{
    chat::{ChannelId, MessageTs},
    memory::make_thread_scope_id,
};

use crate::{
    MemoryHandle, StoreError,
    db::{
        Tx, query_as,
        values::{instant_from_micros, unsigned_count},
    },
};

/// Whether a chapter `k` is still to be written, where `s` is the step of its current text, if it has one: it has none, or
/// one of another range, or one that does not know what came late.
macro_rules! unwritten {
    () => {
        "(s.id IS NULL OR s.to_ts IS NULL OR s.to_ts <> k.to_ts OR s.read_revision < k.late_revision)"
    };
}
pub(crate) use unwritten;

/// The most calls that are read, the newest: as many take days to be paid off.
const MOST_READ: i64 = 2_000;

/// A model's call for the memories of a channel in which something was written anew.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RewritingCall {
    /// When it was made.
    pub at: Timestamp,
    /// The model that was asked.
    pub model: String,
}

impl MemoryHandle<'_> {
    /// The calls for a channel's memories, oldest first, from the first on with which something was written anew after
    /// `since`: a chapter or thread of the same range as before, or a fold of what was folded before. A text may take
    /// several calls, so all are counted.
    #[boxed]
    pub async fn calls_while_rewriting(
        &self,
        channel: &ChannelId,
        since: Timestamp,
    ) -> Result<Vec<RewritingCall>, StoreError> {
        let mut tx = self.store.db.snapshot().await?;
        let restarted = last_restart_step(&mut tx, channel).await?;
        let rows: Vec<(i64, String)> = on!(&mut tx, c => query_as(
            "SELECT m.at, m.model FROM model_calls m
             WHERE m.channel_id = $1 AND m.role = 'memory' AND m.id >= (SELECT min(s.call_id) FROM memory_steps s
                 WHERE s.at > $2
                   AND (s.scope = 'channel' AND s.scope_id = $1
                        OR s.scope = 'thread' AND substr(s.scope_id, 1, length($1) + 1) = $1 || ':')
                   AND EXISTS (SELECT 1 FROM memory_steps o
                       WHERE o.scope = s.scope AND o.scope_id = s.scope_id AND o.memory_type = s.memory_type
                         AND o.version = s.version AND o.id < s.id AND o.id > $4
                         AND (s.memory_type = 'short_term' AND o.to_ts = s.to_ts
                              OR s.memory_type = 'long_term' AND o.through_version >= s.through_version)))
             ORDER BY m.id DESC LIMIT $3")
            .bind(channel.as_str()).bind(since.as_microsecond()).bind(MOST_READ).bind(restarted)
            .fetch_all(c).await)?;
        Ok(rows
            .into_iter()
            .rev()
            .map(|(at, model)| RewritingCall { at: instant_from_micros(at), model })
            .collect())
    }

    /// How many chapters of each channel are to be written anew, since messages in them changed; by channel.
    #[boxed]
    pub async fn chapters_to_rewrite(&self) -> Result<BTreeMap<ChannelId, u64>, StoreError> {
        let mut tx = self.store.db.snapshot().await?;
        let rows: Vec<(String, i64)> = on!(&mut tx, c => query_as(
            concat!("SELECT k.channel_id, count(*) FROM chapters k
             LEFT JOIN memories h ON h.scope = 'channel' AND h.scope_id = k.channel_id
                  AND h.memory_type = 'short_term' AND h.version = k.version
             LEFT JOIN memory_steps s ON s.id = h.step_id
             WHERE ", unwritten!(), "
               AND EXISTS (SELECT 1 FROM memory_steps o
                   WHERE o.scope = 'channel' AND o.scope_id = k.channel_id AND o.memory_type = 'short_term'
                     AND o.version = k.version AND o.to_ts = k.to_ts)
             GROUP BY k.channel_id")).fetch_all(c).await)?;
        Ok(rows.into_iter().map(|(id, chapters)| (ChannelId::new(id), unsigned_count(chapters))).collect())
    }

    /// Whether the memory of a thread was written before from its messages up to `latest`.
    #[boxed]
    pub async fn thread_was_written(
        &self,
        channel: &ChannelId,
        root: MessageTs,
        latest: MessageTs,
    ) -> Result<bool, StoreError> {
        let thread = make_thread_scope_id(channel, root);
        let mut tx = self.store.db.snapshot().await?;
        let (written,): (i64,) = on!(&mut tx, c => query_as(
            "SELECT count(*) FROM memory_steps WHERE scope = 'thread' AND scope_id = $1 AND memory_type = 'short_term'
               AND to_ts = $2").bind(thread.as_str()).bind(latest.as_micros()).fetch_one(c).await)?;
        Ok(written > 0)
    }
}

/// The step at which the channel's memories were last dropped, to be written anew as a person wanted; 0 if never. What is
/// written again after that is no rewriting.
pub(crate) async fn last_restart_step(tx: &mut Tx, channel: &ChannelId) -> Result<i64, StoreError> {
    let (restarted,): (i64,) = on!(tx, c => query_as(
        "SELECT coalesce(max(id), 0) FROM memory_steps
         WHERE scope = 'channel' AND scope_id = $1 AND memory_type = 'long_term' AND kind = 'dropped'")
        .bind(channel.as_str()).fetch_one(c).await)?;
    Ok(restarted)
}
