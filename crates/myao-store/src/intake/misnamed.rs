//! Has memories written anew that call somebody by a name that was never theirs (ADR 78).
//!
//! A post through an app tells the app's name beside its author. Older versions took that for the author's name, and a
//! user of whom nothing else is known is still called so until the directory answers.

use std::collections::{BTreeMap, BTreeSet};

use async_recursion::async_recursion as boxed;
use jiff::Timestamp;
use myao_core::{
    chat::{ChannelId, UserId},
    memory::possible_names,
    text::name_as_label,
};

use crate::{
    IntakeHandle, StoreError,
    db::{Tx, query_as},
    memory::restart,
};

/// Which texts may hold a wrong name.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Written {
    /// All that are there by now.
    AtAnyTime,
    /// Those of a version that took apps for people.
    ByOlderVersion,
}

/// Notes that `user` was called by a name that is not theirs. Nothing is noted if no text can hold it.
pub(super) async fn note_wrong_name(
    tx: &mut Tx,
    user: &UserId,
    name: &str,
    written: Written,
) -> Result<(), StoreError> {
    let newest: Option<(i64,)> = match written {
        Written::AtAnyTime => {
            on!(&mut *tx, c => query_as("SELECT max(id) FROM memory_steps HAVING max(id) IS NOT NULL")
                .fetch_optional(c).await)?
        }
        Written::ByOlderVersion => {
            on!(&mut *tx, c => query_as("SELECT CAST(value AS BIGINT) FROM settings WHERE key = 'older_names'")
                .fetch_optional(c).await)?
        }
    };
    let Some((up_to,)) = newest.filter(|_| !name.is_empty() && name != user.as_str()) else { return Ok(()) };
    on!(tx, c => sqlx::query(
        "INSERT INTO misnamings (user_id, name, up_to, is_mended) VALUES ($1, $2, $3, 0)
         ON CONFLICT (user_id, name) DO UPDATE SET up_to = excluded.up_to, is_mended = 0
         WHERE misnamings.up_to < excluded.up_to")
        .bind(user.as_str()).bind(name).bind(up_to).execute(c).await.map(drop))?;
    Ok(())
}

/// A name that is still to be looked for.
struct Misnaming {
    user: String,
    name: String,
    up_to: i64,
}

impl Misnaming {
    /// Whether a memory calls anybody by the name: as the speaker of a line, or within it.
    fn stands_in(&self, text: &str) -> bool {
        let written = name_as_label(&self.name);
        text.lines().any(|line| {
            line.contains(&format!("] {written}: ")) || {
                let names = possible_names(line);
                names.contains(self.name.as_str()) || names.contains(written.as_str())
            }
        })
    }
}

impl IntakeHandle<'_> {
    /// Looks for the memories that one misnamed person stands in, and marks them to be written anew; they are shown until
    /// then. `true` if nobody misnamed is left.
    #[boxed]
    pub async fn mend_names(&self, now: Timestamp) -> Result<bool, StoreError> {
        let store = self.store.clone();
        to_the_end!({
            let mut tx = store.db.begin().await?;
            let row: Option<(String, String, i64)> = on!(&mut tx, c => query_as(
                "SELECT user_id, name, up_to FROM misnamings WHERE is_mended = 0 ORDER BY user_id, name LIMIT 1")
                .fetch_optional(c).await)?;
            let Some((user, name, up_to)) = row else { return Ok(true) };
            let misnaming = Misnaming { user, name, up_to };
            let channels = mark_memories(&mut tx, &misnaming).await?;
            for channel in &channels {
                restart::workspace_back(&mut tx, channel, now).await?;
            }
            on!(&mut tx, c => sqlx::query("UPDATE misnamings SET is_mended = 1 WHERE user_id = $1 AND name = $2")
                .bind(&misnaming.user).bind(&misnaming.name).execute(c).await.map(drop))?;
            tx.commit().await?;
            Ok(false)
        })
        .await
    }
}

/// Marks the memories that hold the name. Returns the channels of those that are part of what everybody sees.
async fn mark_memories(tx: &mut Tx, misnaming: &Misnaming) -> Result<BTreeSet<ChannelId>, StoreError> {
    let mut late: BTreeMap<String, i64> = BTreeMap::new();
    let chapters: Vec<(String, i64, String)> = on!(&mut *tx, c => query_as(
        "SELECT k.channel_id, k.version, h.content FROM chapters k
         JOIN memories h ON h.scope = 'channel' AND h.scope_id = k.channel_id AND h.memory_type = 'short_term'
              AND h.version = k.version
         WHERE h.step_id <= $2 AND k.expired = 0 AND EXISTS (SELECT 1 FROM messages m
             WHERE m.channel_id = k.channel_id AND m.ts > k.from_ts AND m.ts <= k.to_ts AND m.user_id = $1
               AND m.deleted = 0)
         ORDER BY k.channel_id, k.version")
        .bind(&misnaming.user).bind(misnaming.up_to).fetch_all(c).await)?;
    for (channel, version, _) in chapters.iter().filter(|(.., content)| misnaming.stands_in(content)) {
        let revision = revision_of(tx, &mut late, channel).await?;
        on!(&mut *tx, c => sqlx::query(
            "UPDATE chapters SET late_revision = $3 WHERE channel_id = $1 AND version = $2")
            .bind(channel).bind(version).bind(revision).execute(c).await.map(drop))?;
    }
    let open = late.keys().map(ChannelId::new).collect();
    let threads: Vec<(String, String, String)> = on!(&mut *tx, c => query_as(
        "SELECT h.channel_id, h.scope_id, h.content FROM memories h
         WHERE h.scope = 'thread' AND h.step_id <= $2 AND EXISTS (SELECT 1 FROM messages m
             WHERE m.channel_id = h.channel_id AND m.user_id = $1 AND m.deleted = 0
               AND m.thread_ts <> 0)
         ORDER BY h.scope_id")
        .bind(&misnaming.user).bind(misnaming.up_to).fetch_all(c).await)?;
    for (channel, thread, _) in threads.iter().filter(|(.., content)| misnaming.stands_in(content)) {
        let revision = revision_of(tx, &mut late, channel).await?;
        on!(&mut *tx, c => sqlx::query(
            "UPDATE memories SET late_revision = $2 WHERE scope = 'thread' AND scope_id = $1")
            .bind(thread).bind(revision).execute(c).await.map(drop))?;
    }
    Ok(open)
}

/// The revision that marks what is late in a channel: a new one, the same for everything that is marked together.
async fn revision_of(
    tx: &mut Tx,
    late: &mut BTreeMap<String, i64>,
    channel: &str,
) -> Result<i64, StoreError> {
    if let Some(revision) = late.get(channel) {
        return Ok(*revision);
    }
    let (revision,): (i64,) = on!(tx, c => query_as(
        "UPDATE channels SET revision = revision + 1, look_at = 0 WHERE id = $1 RETURNING revision")
        .bind(channel).fetch_one(c).await)?;
    late.insert(channel.to_owned(), revision);
    Ok(revision)
}
