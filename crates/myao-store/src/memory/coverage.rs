//! Counts which messages stand in which memory: the sums behind promise 1 (specification §0, §10 `status`).

use async_recursion::async_recursion as boxed;
use myao_core::chat::{ChannelId, ChannelKind};

use crate::{
    MemoryHandle, StoreError,
    db::{
        query_as,
        values::{parse_column, row, unsigned_count},
    },
};

/// A channel's messages, counted by where they stand: `messages = covered + pending + before_start + uncovered`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Coverage {
    /// Which channel.
    pub channel: ChannelId,
    /// Its name.
    pub name: String,
    /// Its kind, as it is stored.
    pub kind: ChannelKind,
    /// Talk that is not deleted.
    pub messages: u64,
    /// Messages in a memory that was written after their last change.
    pub covered: u64,
    /// Messages that wait for a memory: after the last chapter, or in a chapter that is still to be written.
    pub pending: u64,
    /// Messages older than the beginning of the channel's memory.
    pub before_start: u64,
    /// Messages in none of these: a fault, which `verify` reports.
    pub uncovered: u64,
    /// Talk whose words have expired (`privacy.archive_days`), counted apart. If it stands in a chapter, the chapter's
    /// memory stays.
    pub expired: u64,
    /// The platform's own remarks. They are not talk and are counted apart.
    pub notices: u64,
}

/// How many memories there are.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct MemoryTotals {
    /// Chapters that have been cut.
    pub chapters: u64,
    /// Short-term versions of channels.
    pub versions: u64,
    /// How many of these are kept word for word.
    pub verbatim: u64,
    /// Long-term memories of channels.
    pub long_term: u64,
    /// Thread memories.
    pub threads: u64,
    /// Whether the workspace has a memory.
    pub workspace: bool,
}

row! {
    /// A channel's messages by where they stand.
    struct CoverageRow {
        id: String,
        name: String,
        kind: String,
        messages: i64,
        before_start: i64,
        expired: i64,
        notices: i64,
        covered: i64,
        uncovered: i64,
    }
}

row! {
    /// How many memories there are.
    struct TotalsRow {
        chapters: i64,
        versions: i64,
        verbatim: i64,
        long_term: i64,
        threads: i64,
        workspace: i64,
    }
}

/// Counts each channel's messages by where they stand. `covered` is talk in chapters whose text was written after the
/// talk's last change. `uncovered` is talk between two chapters, or between the beginning of the channel's memory and
/// the first chapter. Both come from one pass over the chapters, since finding the chapters takes as long as counting
/// their messages. Unless something is broken each chapter begins where the one before ends, so `uncovered` only reads
/// messages if something is broken.
const COVERAGE: &str = "
    SELECT c.id, c.name, c.kind,
        (SELECT count(*) FROM messages m WHERE m.channel_id = c.id AND m.kind = 'talk' AND m.deleted = 0) AS messages,
        (SELECT count(*) FROM messages m WHERE m.channel_id = c.id AND m.ts <= c.memory_from
            AND m.kind = 'talk' AND m.deleted = 0) AS before_start,
        (SELECT count(*) FROM messages m WHERE m.channel_id = c.id AND m.kind = 'talk' AND m.deleted = 2) AS expired,
        (SELECT count(*) FROM messages m WHERE m.channel_id = c.id AND m.kind <> 'talk' AND m.deleted = 0) AS notices,
        coalesce(p.covered, 0) AS covered, coalesce(p.uncovered, 0) AS uncovered
    FROM channels c
    LEFT JOIN (SELECT channel_id, CAST(sum(covered) AS BIGINT) AS covered,
            CAST(sum(uncovered) AS BIGINT) AS uncovered FROM (
        SELECT k.channel_id,
            CASE WHEN s.id IS NULL THEN 0 ELSE (SELECT count(*) FROM messages m WHERE m.channel_id = k.channel_id
                AND m.ts > k.begins AND m.ts <= k.to_ts AND m.kind = 'talk' AND m.deleted = 0
                AND m.revision <= s.read_revision) END AS covered,
            CASE WHEN k.after >= k.from_ts THEN 0 ELSE (SELECT count(*) FROM messages m
                WHERE m.channel_id = k.channel_id AND m.ts > k.after AND m.ts <= k.from_ts
                AND m.kind = 'talk' AND m.deleted = 0) END AS uncovered
        FROM (SELECT n.channel_id, n.version, n.from_ts, n.to_ts,
                CASE WHEN n.from_ts > o.memory_from THEN n.from_ts ELSE o.memory_from END AS begins,
                coalesce(lag(n.to_ts) OVER (PARTITION BY n.channel_id ORDER BY n.from_ts), o.memory_from) AS after
              FROM chapters n JOIN channels o ON o.id = n.channel_id
              WHERE o.memory_from IS NOT NULL) AS k
        LEFT JOIN memories h ON h.scope = 'channel' AND h.scope_id = k.channel_id
            AND h.memory_type = 'short_term' AND h.version = k.version
        LEFT JOIN memory_steps s ON s.id = h.step_id AND s.to_ts = k.to_ts) AS written
        GROUP BY channel_id) AS p ON p.channel_id = c.id
    ORDER BY c.name, c.id";

const TOTALS: &str = "
    SELECT (SELECT count(*) FROM chapters) AS chapters,
        (SELECT count(*) FROM memories WHERE scope = 'channel' AND memory_type = 'short_term') AS versions,
        (SELECT count(*) FROM memories h JOIN memory_steps s ON s.id = h.step_id
         WHERE h.scope = 'channel' AND h.memory_type = 'short_term' AND s.kind = 'verbatim') AS verbatim,
        (SELECT count(*) FROM memories WHERE scope = 'channel' AND memory_type = 'long_term') AS long_term,
        (SELECT count(*) FROM memories WHERE scope = 'thread') AS threads,
        (SELECT count(*) FROM memories WHERE scope = 'workspace' AND memory_type = 'long_term') AS workspace";

impl MemoryHandle<'_> {
    /// Where every channel's messages stand, ordered by channel name.
    #[boxed]
    pub async fn coverage_by_channel(&self) -> Result<Vec<Coverage>, StoreError> {
        let mut tx = self.store.db.snapshot().await?;
        let rows: Vec<CoverageRow> = on!(&mut tx, c => query_as(COVERAGE).fetch_all(c).await)?;
        let coverage = |row: CoverageRow| {
            Ok(Coverage {
                kind: parse_column(&row.kind, "channels.kind", &row.name)?,
                messages: unsigned_count(row.messages),
                covered: unsigned_count(row.covered),
                pending: unsigned_count(row.messages - row.before_start - row.covered - row.uncovered),
                before_start: unsigned_count(row.before_start),
                uncovered: unsigned_count(row.uncovered),
                expired: unsigned_count(row.expired),
                notices: unsigned_count(row.notices),
                channel: ChannelId::new(row.id),
                name: row.name,
            })
        };
        rows.into_iter().map(coverage).collect()
    }

    /// How many memories there are.
    #[boxed]
    pub async fn totals(&self) -> Result<MemoryTotals, StoreError> {
        let mut tx = self.store.db.snapshot().await?;
        let row: TotalsRow = on!(&mut tx, c => query_as(TOTALS).fetch_one(c).await)?;
        Ok(MemoryTotals {
            chapters: unsigned_count(row.chapters),
            versions: unsigned_count(row.versions),
            verbatim: unsigned_count(row.verbatim),
            long_term: unsigned_count(row.long_term),
            threads: unsigned_count(row.threads),
            workspace: row.workspace > 0,
        })
    }
}
