//! Stores chapters: each is a version of its channel's short-term memory, whose text follows. They are written before
//! any model is asked, so that their numbers and boundaries never depend on the clock or the configuration again. Only
//! a provisional one moves, until its chapter is cut (ADR 75).

use async_recursion::async_recursion as boxed;
use myao_core::chat::{ChannelId, MessageTs};
use myao_core::memory::{ChapterPolicy, ClosedBy, Cut, StepId};

use super::{
    due,
    rewriting::{last_restart_step, unwritten},
};
use crate::{
    MemoryHandle, StoreError,
    archive::Range,
    db::{
        Tx,
        claims::{self, Claim},
        query_as,
        values::{parse_column, row, version_number},
    },
};

/// Where a channel's chapters stand.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Chapters {
    /// The number of the last chapter, which is the channel's newest version; 0 if there is none.
    pub latest_version: u32,
    /// Where the last chapter ends; `None` before the first.
    pub end: Option<MessageTs>,
    /// Where the last chapter begins, exclusive, if it is provisional.
    pub provisional_from: Option<MessageTs>,
}

impl Chapters {
    /// No chapter at all.
    pub const NONE: Self = Self { latest_version: 0, end: None, provisional_from: None };

    /// Where the next cut begins, exclusive: after the last chapter, or where a provisional one begins, which the first
    /// chapter that is cut replaces. `None` before the first.
    pub fn uncut_from(&self) -> Option<MessageTs> {
        self.provisional_from.or(self.end)
    }

    /// The number that the chapter under way will have.
    pub fn next_version(&self) -> u32 {
        self.latest_version.saturating_add(u32::from(self.provisional_from.is_none()))
    }
}

/// Chapters to be added after the existing ones. If the last of these is provisional, the first takes its place.
#[derive(Clone, Debug)]
pub struct NewChapters {
    /// Which channel.
    pub channel: ChannelId,
    /// The channel's revision when its talk was read; if it has changed since, nothing is added.
    pub read_revision: i64,
    /// The state they continue from: [`Chapters`] as they were read.
    pub after: Chapters,
    /// Oldest first; each continues the one before.
    pub cuts: Vec<NewChapter>,
}

/// A cut and the policy it was made by.
#[derive(Clone, Copy, Debug)]
pub struct NewChapter {
    /// Where the chapter lies.
    pub cut: Cut,
    /// The policy it was cut by.
    pub policy: ChapterPolicy,
}

/// A chapter that has no text yet, or whose text covers another range.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ChapterWork {
    /// Its number.
    pub version: u32,
    /// Where it lies.
    pub range: Range,
    /// The step of its current text; `None` if it has no text.
    pub head: Option<StepId>,
    /// The last message that this text covers.
    pub head_to: Option<MessageTs>,
    /// Why it ends there.
    pub closed_by: ClosedBy,
    /// Whether it had a text of the same range before, since its memories were last dropped.
    pub was_written: bool,
}

row! {
    /// A chapter to write: the step and the end of its current text, and how many texts it had.
    struct WorkRow {
        version: i64,
        from_ts: i64,
        to_ts: i64,
        closed_by: String,
        head: Option<i64>,
        head_to: Option<i64>,
        texts: i64,
    }
}

impl MemoryHandle<'_> {
    /// Where a channel's chapters stand.
    #[boxed]
    pub async fn chapters_in_channel(&self, channel: &ChannelId) -> Result<Chapters, StoreError> {
        read_channel_chapters(&mut self.store.db.snapshot().await?, channel).await
    }

    /// Saves chapters as the channel's next versions: max(version) + 1 and on. `false` if the channel changed since it was
    /// read; then nothing is saved. Two writers never collide or leave a hole. The texts follow, by
    /// [`MemoryHandle::save_steps`].
    ///
    /// The first chapter also fixes where the channel's memory begins. A provisional chapter is replaced, under its
    /// number.
    #[boxed]
    pub async fn save_as_new_version(&self, claim: &Claim, new: NewChapters) -> Result<bool, StoreError> {
        let store = self.store.clone();
        let claim = claim.clone();
        to_the_end!({
            let mut tx = store.db.begin().await?;
            claims::check_still_held(&mut tx, &claim).await?;
            let unmoved = on!(&mut tx, c => sqlx::query(
                "UPDATE channels SET revision = revision WHERE id = $1 AND revision = $2")
                .bind(new.channel.as_str()).bind(new.read_revision)
                .execute(c).await.map(|done| done.rows_affected()))?;
            if unmoved == 0 || read_channel_chapters(&mut tx, &new.channel).await? != new.after {
                return Ok(false);
            }
            let mut cuts = new.cuts.iter();
            if new.after.provisional_from.is_some()
                && let Some(first) = cuts.next()
            {
                replace_provisional_chapter(&mut tx, &new.channel, new.after.latest_version, first).await?;
            } else if let (None, Some(first)) = (new.after.end, new.cuts.first()) {
                on!(&mut tx, c => sqlx::query("UPDATE channels SET memory_from = $2 WHERE id = $1")
                    .bind(new.channel.as_str()).bind(first.cut.from.as_micros())
                    .execute(c).await.map(drop))?;
            }
            for (number, chapter) in (new.after.latest_version + 1..).zip(cuts) {
                insert_new_chapter(&mut tx, &new.channel, number, chapter).await?;
            }
            due::look_at(&mut tx, &new.channel).await?;
            tx.commit().await?;
            Ok(true)
        })
        .await
    }

    /// Overwrite mode: extends the last chapter to the end of `window`, and makes chapter 1 if there is none
    /// (specification §2.1). `false` if the channel's chapters changed since they were read.
    #[boxed]
    pub async fn extend_last_chapter(
        &self,
        claim: &Claim,
        channel: &ChannelId,
        after: Chapters,
        window: NewChapter,
    ) -> Result<bool, StoreError> {
        if after.latest_version == 0 {
            let Some((row, _)) = self.store.archive().talk_after(channel, window.cut.to).await? else {
                return Ok(false);
            };
            let new = NewChapters {
                channel: channel.clone(),
                read_revision: row.revision,
                after,
                cuts: vec![window],
            };
            return self.save_as_new_version(claim, new).await;
        }
        let store = self.store.clone();
        let claim = claim.clone();
        let channel = channel.clone();
        to_the_end!({
            let mut tx = store.db.begin().await?;
            claims::check_still_held(&mut tx, &claim).await?;
            let moved = on!(&mut tx, c => sqlx::query(
                "UPDATE chapters SET to_ts = $3, closed_by = $4
                 WHERE channel_id = $1 AND version = $2 AND to_ts <= $3")
                .bind(channel.as_str()).bind(i64::from(after.latest_version))
                .bind(window.cut.to.as_micros()).bind(window.cut.closed_by.as_str())
                .execute(c).await.map(|done| done.rows_affected()))?;
            due::look_at(&mut tx, &channel).await?;
            tx.commit().await?;
            Ok(moved == 1)
        })
        .await
    }

    /// The channel's chapters that are still to be written, oldest first.
    #[boxed]
    pub async fn chapters_to_write(&self, channel: &ChannelId) -> Result<Vec<ChapterWork>, StoreError> {
        let mut tx = self.store.db.snapshot().await?;
        let restarted = last_restart_step(&mut tx, channel).await?;
        let rows: Vec<WorkRow> = on!(&mut tx, c => query_as(
            concat!("SELECT k.version, k.from_ts, k.to_ts, k.closed_by, h.step_id AS head, s.to_ts AS head_to,
                (SELECT count(*) FROM memory_steps o
                 WHERE o.scope = 'channel' AND o.scope_id = k.channel_id AND o.memory_type = 'short_term'
                   AND o.version = k.version AND o.to_ts = k.to_ts AND o.id > $2) AS texts
             FROM chapters k
             LEFT JOIN memories h ON h.scope = 'channel' AND h.scope_id = k.channel_id
                  AND h.memory_type = 'short_term' AND h.version = k.version
             LEFT JOIN memory_steps s ON s.id = h.step_id
             WHERE k.channel_id = $1
               AND ", unwritten!(), "
             ORDER BY k.version"))
            .bind(channel.as_str()).bind(restarted).fetch_all(c).await)?;
        let work = |row: WorkRow| {
            Ok(ChapterWork {
                version: version_number(row.version),
                range: Range {
                    channel: channel.clone(),
                    from: MessageTs::from_micros(row.from_ts),
                    to: MessageTs::from_micros(row.to_ts),
                },
                head: row.head.map(StepId),
                head_to: row.head_to.map(MessageTs::from_micros),
                closed_by: parse_column(
                    &row.closed_by,
                    "chapters.closed_by",
                    format_args!("{channel}, version {}", row.version),
                )?,
                was_written: row.texts > 0,
            })
        };
        rows.into_iter().map(work).collect()
    }

    /// The channels whose only chapter is provisional, by name.
    #[boxed]
    pub async fn provisional_channels(&self) -> Result<Vec<ChannelId>, StoreError> {
        let mut tx = self.store.db.snapshot().await?;
        let rows: Vec<(String,)> = on!(&mut tx, c => query_as(
            "SELECT c.id FROM chapters k JOIN channels c ON c.id = k.channel_id
             WHERE k.closed_by = 'provisional' ORDER BY c.name, c.id").fetch_all(c).await)?;
        Ok(rows.into_iter().map(|(id,)| ChannelId::new(id)).collect())
    }
}

pub(crate) async fn read_channel_chapters(tx: &mut Tx, channel: &ChannelId) -> Result<Chapters, StoreError> {
    // Versions that were taken over without a chapter have numbers as well.
    let (latest, end, provisional_from): (i64, Option<i64>, Option<i64>) = on!(tx, c => query_as(
        "SELECT coalesce(max(version), 0), max(to_ts),
            (SELECT CASE WHEN k.closed_by = 'provisional' THEN k.from_ts END FROM chapters k
             WHERE k.channel_id = $1 ORDER BY k.version DESC LIMIT 1) FROM (
            SELECT version, to_ts FROM chapters WHERE channel_id = $1
            UNION ALL
            SELECT version, NULL FROM memories
            WHERE scope = 'channel' AND scope_id = $1 AND memory_type = 'short_term') AS numbered")
        .bind(channel.as_str()).fetch_one(c).await)?;
    Ok(Chapters {
        latest_version: version_number(latest),
        end: end.map(MessageTs::from_micros),
        provisional_from: provisional_from.map(MessageTs::from_micros),
    })
}

/// Gives the provisional chapter `number` another end, and another reason to end there.
async fn replace_provisional_chapter(
    tx: &mut Tx,
    channel: &ChannelId,
    number: u32,
    chapter: &NewChapter,
) -> Result<(), StoreError> {
    let NewChapter { cut, policy } = chapter;
    on!(tx, c => sqlx::query(
        "UPDATE chapters SET to_ts = $4, closed_by = $5, message_threshold = $6, conversation_idle_seconds = $7
         WHERE channel_id = $1 AND version = $2 AND from_ts = $3 AND closed_by = 'provisional'")
        .bind(channel.as_str()).bind(i64::from(number))
        .bind(cut.from.as_micros()).bind(cut.to.as_micros()).bind(cut.closed_by.as_str())
        .bind(i64::from(policy.message_threshold))
        .bind(i64::try_from(policy.conversation_idle_seconds).unwrap_or(i64::MAX))
        .execute(c).await.map(drop))?;
    Ok(())
}

pub(crate) async fn insert_new_chapter(
    tx: &mut Tx,
    channel: &ChannelId,
    number: u32,
    chapter: &NewChapter,
) -> Result<(), StoreError> {
    let NewChapter { cut, policy } = chapter;
    on!(tx, c => sqlx::query(
        "INSERT INTO chapters (channel_id, version, from_ts, to_ts, closed_by, message_threshold,
                               conversation_idle_seconds)
         VALUES ($1, $2, $3, $4, $5, $6, $7)")
        .bind(channel.as_str()).bind(i64::from(number))
        .bind(cut.from.as_micros()).bind(cut.to.as_micros()).bind(cut.closed_by.as_str())
        .bind(i64::from(policy.message_threshold))
        .bind(i64::try_from(policy.conversation_idle_seconds).unwrap_or(i64::MAX))
        .execute(c).await.map(drop))?;
    Ok(())
}
