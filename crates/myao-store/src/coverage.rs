//! Which message stands in which memory: the sums behind promise 1 (SPEC, SPEC §10 `status`).

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

type Row = (String, String, i64, i64, i64, i64, i64);

/// Where each message of talk stands, as a word.
const PLACED: &str = "
    SELECT c.id, c.name,
        cast(coalesce(sum(CASE WHEN p.place = 'covered' THEN 1 ELSE 0 END), 0) AS BIGINT),
        cast(coalesce(sum(CASE WHEN p.place = 'pending' THEN 1 ELSE 0 END), 0) AS BIGINT),
        cast(coalesce(sum(CASE WHEN p.place = 'before_start' THEN 1 ELSE 0 END), 0) AS BIGINT),
        cast(coalesce(sum(CASE WHEN p.place = 'uncovered' THEN 1 ELSE 0 END), 0) AS BIGINT),
        cast(coalesce(sum(CASE WHEN p.place = 'notice' THEN 1 ELSE 0 END), 0) AS BIGINT)
    FROM channels c LEFT JOIN (
        SELECT m.channel_id, CASE
            WHEN m.kind <> 'talk' THEN 'notice'
            WHEN o.memory_from IS NULL THEN 'pending'
            WHEN m.ts <= o.memory_from THEN 'before_start'
            WHEN e.last_to IS NULL OR m.ts > e.last_to THEN 'pending'
            WHEN k.version IS NULL OR m.ts > k.to_ts THEN 'uncovered'
            WHEN s.id IS NULL OR s.to_ts <> k.to_ts OR s.read_revision < m.revision THEN 'pending'
            ELSE 'covered' END AS place
        FROM messages m JOIN channels o ON o.id = m.channel_id
        LEFT JOIN (SELECT channel_id, max(to_ts) AS last_to FROM chapters GROUP BY channel_id) e
            ON e.channel_id = m.channel_id
        LEFT JOIN chapters k ON k.channel_id = m.channel_id AND k.from_ts = (
            SELECT max(x.from_ts) FROM chapters x WHERE x.channel_id = m.channel_id AND x.from_ts < m.ts)
        LEFT JOIN memories h ON h.scope = 'channel' AND h.scope_id = m.channel_id
            AND h.memory_type = 'short_term' AND h.version = k.version
        LEFT JOIN memory_steps s ON s.id = h.step_id
        WHERE m.deleted = 0) p ON p.channel_id = c.id
    GROUP BY c.id, c.name ORDER BY c.name, c.id";

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
        let mut tx: Tx = self.db.snapshot().await?;
        let rows: Vec<Row> = on!(&mut tx, c => sqlx::query_as(PLACED).fetch_all(c).await)?;
        let coverage = |(id, name, covered, pending, before_start, uncovered, notices): Row| Coverage {
            channel: ChannelId::new(id),
            name,
            messages: count(covered + pending + before_start + uncovered),
            covered: count(covered),
            pending: count(pending),
            before_start: count(before_start),
            uncovered: count(uncovered),
            notices: count(notices),
        };
        Ok(rows.into_iter().map(coverage).collect())
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
