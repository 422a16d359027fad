//! Which message stands in which memory: the sums behind promise 1 (SPEC, SPEC §10 `status`).

use std::collections::BTreeMap;

use myao_core::chat::{ChannelId, ChannelKind};

use crate::{
    Store, StoreError,
    rows::{count, parse},
};

/// A channel's messages by where they stand. `messages = covered + pending + before_start + uncovered`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Coverage {
    /// Which channel.
    pub channel: ChannelId,
    /// Its name.
    pub name: String,
    /// What kind of channel it is.
    pub kind: ChannelKind,
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

/// A channel: id, name, kind, talk, talk up to where its memory begins, talk after its last chapter, notices.
type CoverageRow = (String, String, String, i64, i64, i64, i64);

/// How much was said in each channel.
const SAID: &str = "
    SELECT c.id, c.name, c.kind,
        (SELECT count(*) FROM messages m WHERE m.channel_id = c.id AND m.kind = 'talk' AND m.deleted = 0),
        (SELECT count(*) FROM messages m WHERE m.channel_id = c.id AND m.ts <= c.memory_from
            AND m.kind = 'talk' AND m.deleted = 0),
        (SELECT count(*) FROM messages m WHERE m.channel_id = c.id AND m.kind = 'talk' AND m.deleted = 0
            AND m.ts > coalesce((SELECT k.to_ts FROM chapters k WHERE k.channel_id = c.id
                ORDER BY k.from_ts DESC LIMIT 1), c.memory_from, 0)),
        (SELECT count(*) FROM messages m WHERE m.channel_id = c.id AND m.kind <> 'talk' AND m.deleted = 0)
    FROM channels c ORDER BY c.name, c.id";

/// How much of it stands in chapters, and how much of that in texts that were written after its last change. A text of
/// the keeper's knows how many messages it was made from: where nothing in its chapter came late, none is counted. (What
/// is edited or deleted there takes the text with it.)
const WRITTEN: &str = "
    SELECT channel_id, CAST(sum(CASE WHEN known >= 0 THEN known ELSE
            (SELECT count(*) FROM messages m WHERE m.channel_id = w.channel_id AND m.ts > w.from_ts
                AND m.ts <= w.to_ts AND m.kind = 'talk' AND m.deleted = 0) END) AS BIGINT),
        CAST(sum(CASE WHEN known >= 0 THEN known ELSE
            (SELECT count(*) FROM messages m WHERE m.channel_id = w.channel_id AND m.ts > w.from_ts
                AND m.ts <= w.to_ts AND m.kind = 'talk' AND m.deleted = 0 AND m.revision <= w.read_revision) END)
            AS BIGINT)
    FROM (SELECT k.channel_id, k.from_ts, k.to_ts, s.read_revision,
            CASE WHEN s.kind IN ('summary', 'verbatim') AND s.read_revision >= k.late_revision
                AND s.from_ts = k.from_ts AND k.closed_by <> 'window' THEN s.source_message_count ELSE -1 END AS known
        FROM chapters k
        LEFT JOIN memories h ON h.scope = 'channel' AND h.scope_id = k.channel_id
            AND h.memory_type = 'short_term' AND h.version = k.version
        LEFT JOIN memory_steps s ON s.id = h.step_id AND s.to_ts = k.to_ts) AS w
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
    pub async fn coverage(&self) -> Result<Vec<Coverage>, StoreError> {
        let mut tx = self.db.snapshot().await?;
        let rows: Vec<CoverageRow> = on!(&mut tx, c => sqlx::query_as(SAID).fetch_all(c).await)?;
        let written: Vec<(String, i64, i64)> = on!(&mut tx, c => sqlx::query_as(WRITTEN).fetch_all(c).await)?;
        let written: BTreeMap<String, (i64, i64)> =
            written.into_iter().map(|(id, cut, covered)| (id, (cut, covered))).collect();
        let coverage = |(id, name, kind, messages, before_start, after, notices): CoverageRow| {
            let (cut, covered) = written.get(&id).copied().unwrap_or_default();
            Ok(Coverage {
                kind: parse(&kind, "channels.kind")?,
                messages: count(messages),
                covered: count(covered),
                pending: count(after + cut - covered),
                before_start: count(before_start),
                uncovered: count(messages - before_start - cut - after),
                notices: count(notices),
                channel: ChannelId::new(id),
                name,
            })
        };
        rows.into_iter().map(coverage).collect()
    }

    /// How many memories there are.
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
