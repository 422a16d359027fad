//! Memos go with the words they were made from, in the transaction that removes those (SPEC §6, promise 3).
//!
//! A memo that a reply wrote goes when a message is deleted that was answered by writing it, or edited so that it
//! loses a term which the memo holds. Beside those the reply had read the talk of the channel and the memories
//! that its place sees: when words of these are gone, the memo goes if it holds a term of them that nothing holds
//! which was said around it. What a person wrote at the terminal stays until they remove it.

use std::collections::{BTreeMap, BTreeSet};

use jiff::Timestamp;
use myao_core::{chat::ChannelId, memory::gives_away};

use super::{MemoId, write::drop_memo};
use crate::{StoreError, archive::Removed, db::Tx};

/// Messages of a channel up to the newest source of a memo that are taken for what it was made from, and so
/// explain its words: about as many as a prompt shows.
const TALK_AROUND: i64 = 200;

/// Takes the memos away that were made from what is removed. Memories have moved back already: what was wiped of
/// them bears `now`. `words` are the terms of all that is removed.
pub(crate) async fn forget(
    tx: &mut Tx,
    removed: &[Removed],
    words: &BTreeSet<String>,
    now: Timestamp,
) -> Result<(), StoreError> {
    let mut by_channel: BTreeMap<&ChannelId, Vec<&Removed>> = BTreeMap::new();
    for one in removed {
        by_channel.entry(&one.channel).or_default().push(one);
    }
    let mut gone = Vec::new();
    for (channel, removed) in by_channel {
        for memo in written_in(tx, channel).await? {
            if memo.is_made_from(tx, &removed, words).await? {
                gone.push(memo);
            }
        }
    }
    let mut beside = beside_wiped_memories(tx, now).await?;
    beside.retain(|memo| gone.iter().all(|other| other.id != memo.id));
    gone.extend(giving_away(tx, beside, words).await?);
    while !gone.is_empty() {
        for memo in &gone {
            tracing::info!(channel = memo.channel, "a memo goes with the words it was made from");
            drop_memo(tx, &memo.id).await?;
        }
        let beside = beside_memos(tx, &gone).await?;
        gone = giving_away(tx, beside, words).await?;
    }
    Ok(())
}

/// A memo that a reply wrote.
struct Written {
    id: MemoId,
    channel: String,
    /// Everything it says.
    text: String,
    created_at: i64,
    read_revision: i64,
}

/// Id, channel, name, content, tags, detail, created at, read revision.
type WrittenRow = (String, String, String, String, String, Option<String>, i64, i64);

/// The columns of [`WrittenRow`].
macro_rules! written_columns {
    () => {
        "m.id, m.channel_id, m.name, m.content, m.tags, m.detail, m.created_at, m.read_revision"
    };
}

fn written(row: WrittenRow) -> Written {
    let (id, channel, name, content, tags, detail, created_at, read_revision) = row;
    let text = [name, content, tags, detail.unwrap_or_default()].join("\n");
    Written { id: MemoId(id), channel, text, created_at, read_revision }
}

impl Written {
    /// Whether it was made from words of its own channel that are removed.
    async fn is_made_from(
        &self,
        tx: &mut Tx,
        removed: &[&Removed],
        words: &BTreeSet<String>,
    ) -> Result<bool, StoreError> {
        let sources: Vec<(i64,)> = on!(&mut *tx, c => sqlx::query_as(
            "SELECT ts FROM memo_sources WHERE memo_id = $1").bind(&self.id.0).fetch_all(c).await)?;
        let sources: BTreeSet<i64> = sources.into_iter().map(|(ts,)| ts).collect();
        let held = self.held(words);
        let mut read = BTreeSet::new();
        for one in removed {
            let is_source = sources.contains(&one.ts.as_micros());
            if is_source && (one.is_gone || !one.terms.is_disjoint(&held)) {
                return Ok(true);
            }
            if one.revision <= self.read_revision {
                read.extend(one.terms.intersection(&held).cloned());
            }
        }
        self.gives_away(tx, &read).await
    }

    /// Which of these terms it holds.
    fn held(&self, words: &BTreeSet<String>) -> BTreeSet<String> {
        let text = self.text.to_lowercase();
        words.iter().filter(|word| text.contains(word.as_str())).cloned().collect()
    }

    /// Whether it holds one of these terms that nothing holds which people said around it.
    async fn gives_away(&self, tx: &mut Tx, words: &BTreeSet<String>) -> Result<bool, StoreError> {
        if self.held(words).is_empty() {
            return Ok(false);
        }
        let around: Vec<(String,)> = on!(&mut *tx, c => sqlx::query_as(
            "SELECT m.text FROM memo_sources s JOIN messages m ON m.channel_id = $2 AND m.ts = s.ts
             WHERE s.memo_id = $1
             UNION ALL
             SELECT t.text FROM (SELECT m.text FROM messages m
                WHERE m.channel_id = $2 AND m.kind = 'talk' AND m.deleted = 0
                  AND m.ts <= (SELECT coalesce(max(s.ts), 0) FROM memo_sources s WHERE s.memo_id = $1)
                  AND NOT EXISTS (SELECT 1 FROM users u WHERE u.id = m.user_id AND u.is_bot = 1)
                ORDER BY m.ts DESC LIMIT $3) AS t")
            .bind(&self.id.0).bind(&self.channel).bind(TALK_AROUND).fetch_all(c).await)?;
        let around: Vec<String> = around.into_iter().map(|(text,)| text).collect();
        Ok(gives_away(&self.text, words, &around))
    }
}

async fn giving_away(
    tx: &mut Tx,
    memos: Vec<Written>,
    words: &BTreeSet<String>,
) -> Result<Vec<Written>, StoreError> {
    let mut found = Vec::new();
    for memo in memos {
        if memo.gives_away(tx, words).await? {
            found.push(memo);
        }
    }
    Ok(found)
}

async fn written_in(tx: &mut Tx, channel: &ChannelId) -> Result<Vec<Written>, StoreError> {
    let rows: Vec<WrittenRow> = on!(tx, c => sqlx::query_as(concat!("SELECT ", written_columns!(),
        " FROM memos m WHERE m.channel_id = $1 AND m.read_revision IS NOT NULL"))
        .bind(channel.as_str()).fetch_all(c).await)?;
    Ok(rows.into_iter().map(written).collect())
}

/// Memos in whose making a memory may have been read that is wiped now: those of open channels, and the
/// workspace's, are read everywhere but where outsiders take part.
async fn beside_wiped_memories(tx: &mut Tx, now: Timestamp) -> Result<Vec<Written>, StoreError> {
    let rows: Vec<WrittenRow> = on!(tx, c => sqlx::query_as(concat!("SELECT ", written_columns!(),
        " FROM memos m JOIN channels d ON d.id = m.channel_id
          WHERE m.read_revision IS NOT NULL AND d.external = 0 AND EXISTS (
            SELECT 1 FROM memory_steps s WHERE s.wiped_at = $1 AND s.at <= m.updated_at
              AND (s.scope = 'workspace' OR EXISTS (SELECT 1 FROM channels o
                    WHERE s.scope = 'channel' AND o.id = s.scope_id AND o.kind = 'public' AND o.external = 0)))"))
        .bind(now.as_microsecond()).fetch_all(c).await)?;
    Ok(rows.into_iter().map(written).collect())
}

/// Memos in whose making one of these may have been read.
async fn beside_memos(tx: &mut Tx, gone: &[Written]) -> Result<Vec<Written>, StoreError> {
    let mut beside = BTreeMap::new();
    for memo in gone {
        let rows: Vec<WrittenRow> = on!(&mut *tx, c => sqlx::query_as(concat!("SELECT ", written_columns!(),
            " FROM memos m JOIN channels d ON d.id = m.channel_id
              WHERE m.read_revision IS NOT NULL AND m.updated_at >= $2 AND (m.channel_id = $1
                OR (d.external = 0 AND EXISTS (SELECT 1 FROM channels o
                    WHERE o.id = $1 AND o.kind = 'public' AND o.external = 0)))"))
            .bind(&memo.channel).bind(memo.created_at).fetch_all(c).await)?;
        beside.extend(rows.into_iter().map(written).map(|memo| (memo.id.clone(), memo)));
    }
    Ok(beside.into_values().collect())
}
