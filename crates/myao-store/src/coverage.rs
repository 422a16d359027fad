//! Which message stands in which memory: the sums behind promise 1 (SPEC, SPEC §10 `status`).

use std::collections::BTreeMap;

use async_recursion::async_recursion as boxed;
use myao_core::chat::ChannelId;

use crate::{Store, StoreError, db::Tx, rows::count};

/// A channel's messages by where they stand. `messages = covered + pending + before_start + uncovered`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Coverage {
    /// Which channel.
    pub channel: ChannelId,
    /// Its name.
    pub name: String,
    /// Talk that is not deleted.
    pub messages: u64,
    /// In a memory that was written after their last change.
    pub covered: u64,
    /// Waiting for a memory: after the last chapter, or in one that is to be written.
    pub pending: u64,
    /// Older than where the channel's memory begins.
    pub before_start: u64,
    /// In none of these: a fault, which `verify` reports.
    pub uncovered: u64,
    /// Talk whose words have expired (`privacy.archive_days`). It is counted apart: where it stands in a chapter, its
    /// memory stays.
    pub expired: u64,
    /// The platform's own remarks; they are no talk and count apart.
    pub notices: u64,
}

/// How many memories there are.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct MemoryTotals {
    /// Chapters cut.
    pub chapters: u64,
    /// Short-term versions of channels.
    pub versions: u64,
    /// Of these, kept word for word.
    pub verbatim: u64,
    /// Long-term memories of channels.
    pub long_term: u64,
    /// Thread memories.
    pub threads: u64,
    /// Whether the workspace has a memory.
    pub workspace: bool,
}

/// A channel: id, name, talk, talk up to where its memory begins, what has expired, notices.
type CoverageRow = (String, String, i64, i64, i64, i64);

/// How much was said in each channel.
const SAID: &str = "
    SELECT c.id, c.name,
        (SELECT count(*) FROM messages m WHERE m.channel_id = c.id AND m.kind = 'talk' AND m.deleted = 0),
        (SELECT count(*) FROM messages m WHERE m.channel_id = c.id AND m.ts <= c.memory_from
            AND m.kind = 'talk' AND m.deleted = 0),
        (SELECT count(*) FROM messages m WHERE m.channel_id = c.id AND m.kind = 'talk' AND m.deleted = 2),
        (SELECT count(*) FROM messages m WHERE m.channel_id = c.id AND m.kind <> 'talk' AND m.deleted = 0)
    FROM channels c ORDER BY c.name, c.id";

/// How much of it stands in chapters whose text was written after its last change.
const COVERED: &str = "
    SELECT channel_id, CAST(sum(messages) AS BIGINT) FROM (
        SELECT k.channel_id, (SELECT count(*) FROM messages m WHERE m.channel_id = k.channel_id
            AND m.ts > k.from_ts AND m.ts <= k.to_ts AND m.ts > c.memory_from
            AND m.kind = 'talk' AND m.deleted = 0 AND m.revision <= s.read_revision) AS messages
        FROM chapters k JOIN channels c ON c.id = k.channel_id
        JOIN memories h ON h.scope = 'channel' AND h.scope_id = k.channel_id AND h.memory_type = 'short_term'
            AND h.version = k.version
        JOIN memory_steps s ON s.id = h.step_id AND s.to_ts = k.to_ts
        WHERE c.memory_from IS NOT NULL) AS written
    GROUP BY channel_id";

/// How much stands between two chapters, or between where a channel's memory begins and the first.
const BETWEEN: &str = "
    SELECT channel_id, CAST(sum(messages) AS BIGINT) FROM (
        SELECT k.channel_id, (SELECT count(*) FROM messages m WHERE m.channel_id = k.channel_id
            AND m.ts > k.after AND m.ts <= k.from_ts AND m.kind = 'talk' AND m.deleted = 0) AS messages
        FROM (SELECT n.channel_id, n.from_ts,
                coalesce(lag(n.to_ts) OVER (PARTITION BY n.channel_id ORDER BY n.from_ts), c.memory_from) AS after
              FROM chapters n JOIN channels c ON c.id = n.channel_id
              WHERE c.memory_from IS NOT NULL) AS k
        WHERE k.after < k.from_ts) AS holes
    GROUP BY channel_id";

const TOTALS: &str = "
    SELECT (SELECT count(*) FROM chapters),
        (SELECT count(*) FROM memories WHERE scope = 'channel' AND memory_type = 'short_term'),
        (SELECT count(*) FROM memories h JOIN memory_steps s ON s.id = h.step_id
         WHERE h.scope = 'channel' AND h.memory_type = 'short_term' AND s.kind = 'verbatim'),
        (SELECT count(*) FROM memories WHERE scope = 'channel' AND memory_type = 'long_term'),
        (SELECT count(*) FROM memories WHERE scope = 'thread'),
        (SELECT count(*) FROM memories WHERE scope = 'workspace' AND memory_type = 'long_term')";

impl Store {
    /// Where every channel's messages stand, by channel name.
    #[boxed]
    pub async fn coverage(&self) -> Result<Vec<Coverage>, StoreError> {
        let mut tx = self.db.snapshot().await?;
        let rows: Vec<CoverageRow> = on!(&mut tx, c => sqlx::query_as(SAID).fetch_all(c).await)?;
        let covered = by_channel(&mut tx, COVERED).await?;
        let between = by_channel(&mut tx, BETWEEN).await?;
        let coverage = |(id, name, messages, before_start, expired, notices): CoverageRow| {
            let of = |sums: &BTreeMap<String, i64>| sums.get(&id).copied().unwrap_or_default();
            let (covered, uncovered) = (of(&covered), of(&between));
            Coverage {
                messages: count(messages),
                covered: count(covered),
                pending: count(messages - before_start - covered - uncovered),
                before_start: count(before_start),
                uncovered: count(uncovered),
                expired: count(expired),
                notices: count(notices),
                channel: ChannelId::new(id),
                name,
            }
        };
        Ok(rows.into_iter().map(coverage).collect())
    }

    /// How many memories there are.
    #[boxed]
    pub async fn memory_totals(&self) -> Result<MemoryTotals, StoreError> {
        let mut tx = self.db.snapshot().await?;
        let (chapters, versions, verbatim, long_term, threads, workspace): (i64, i64, i64, i64, i64, i64) =
            on!(&mut tx, c => sqlx::query_as(TOTALS).fetch_one(c).await)?;
        Ok(MemoryTotals {
            chapters: count(chapters),
            versions: count(versions),
            verbatim: count(verbatim),
            long_term: count(long_term),
            threads: count(threads),
            workspace: workspace > 0,
        })
    }
}

async fn by_channel(tx: &mut Tx, sql: &'static str) -> Result<BTreeMap<String, i64>, StoreError> {
    let rows: Vec<(String, i64)> = on!(tx, c => sqlx::query_as(sql).fetch_all(c).await)?;
    Ok(rows.into_iter().collect())
}
