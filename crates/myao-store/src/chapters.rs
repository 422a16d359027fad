//! Stores chapters. They are written before any model is asked, so that their numbers and boundaries never depend on
//! the clock or the configuration again (DESIGN B).

use async_recursion::async_recursion as boxed;
use myao_core::chat::{ChannelId, MessageTs};
use myao_core::memory::{ChapterPolicy, ClosedBy, Cut, StepId};

use crate::{
    Claim, Range, Store, StoreError, claims,
    db::{Tx, query_as},
    due,
    rows::version,
};

/// Where a channel's chapters stand.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Chapters {
    /// The number of the last chapter; 0 if there is none.
    pub last_version: u32,
    /// Where the next chapter begins, exclusive; `None` before the first.
    pub end: Option<MessageTs>,
}

/// Chapters to be added after the existing ones.
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
    /// Whether it is the window of overwrite mode rather than a cut.
    pub is_window: bool,
}

/// Version, from, to, why it was closed; the step and the end of its current text.
type WorkRow = (i64, i64, i64, String, Option<i64>, Option<i64>);

impl Store {
    /// Where a channel's chapters stand.
    #[boxed]
    pub async fn chapters(&self, channel: &ChannelId) -> Result<Chapters, StoreError> {
        chapters(&mut self.db.snapshot().await?, channel).await
    }

    /// Adds chapters. `false` if the channel changed since it was read; then nothing is added.
    ///
    /// The first chapter also fixes where the channel's memory begins.
    #[boxed]
    pub async fn add_chapters(&self, claim: &Claim, new: NewChapters) -> Result<bool, StoreError> {
        let (store, claim) = (self.clone(), claim.clone());
        to_the_end!({
            let mut tx = store.db.begin().await?;
            claims::check(&mut tx, &claim).await?;
            let unmoved = on!(&mut tx, c => sqlx::query(
                "UPDATE channels SET revision = revision WHERE id = $1 AND revision = $2")
                .bind(new.channel.as_str()).bind(new.read_revision)
                .execute(c).await.map(|done| done.rows_affected()))?;
            if unmoved == 0 || chapters(&mut tx, &new.channel).await? != new.after {
                return Ok(false);
            }
            if let (None, Some(first)) = (new.after.end, new.cuts.first()) {
                on!(&mut tx, c => sqlx::query("UPDATE channels SET memory_from = $2 WHERE id = $1")
                    .bind(new.channel.as_str()).bind(first.cut.from.as_micros())
                    .execute(c).await.map(drop))?;
            }
            for (number, chapter) in (new.after.last_version + 1..).zip(&new.cuts) {
                insert(&mut tx, &new.channel, number, chapter).await?;
            }
            due::look_at(&mut tx, &new.channel).await?;
            tx.commit().await?;
            Ok(true)
        })
        .await
    }

    /// Overwrite mode: extends the last chapter to the end of `window`, and makes chapter 1 if there is none
    /// (SPEC §2.1). `false` if the channel's chapters changed since they were read.
    #[boxed]
    pub async fn extend_last_chapter(
        &self,
        claim: &Claim,
        channel: &ChannelId,
        after: Chapters,
        window: NewChapter,
    ) -> Result<bool, StoreError> {
        if after.last_version == 0 {
            let Some((row, _)) = self.talk_after(channel, window.cut.to).await? else { return Ok(false) };
            let new = NewChapters {
                channel: channel.clone(),
                read_revision: row.revision,
                after,
                cuts: vec![window],
            };
            return self.add_chapters(claim, new).await;
        }
        let (store, claim, channel) = (self.clone(), claim.clone(), channel.clone());
        to_the_end!({
            let mut tx = store.db.begin().await?;
            claims::check(&mut tx, &claim).await?;
            let moved = on!(&mut tx, c => sqlx::query(
                "UPDATE chapters SET to_ts = $3, closed_by = $4
                 WHERE channel_id = $1 AND version = $2 AND to_ts <= $3")
                .bind(channel.as_str()).bind(i64::from(after.last_version))
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
        let mut tx = self.db.snapshot().await?;
        let rows: Vec<WorkRow> = on!(&mut tx, c => query_as(
            "SELECT k.version, k.from_ts, k.to_ts, k.closed_by, h.step_id, s.to_ts
             FROM chapters k
             LEFT JOIN memories h ON h.scope = 'channel' AND h.scope_id = k.channel_id
                  AND h.memory_type = 'short_term' AND h.version = k.version
             LEFT JOIN memory_steps s ON s.id = h.step_id
             WHERE k.channel_id = $1
               AND (s.id IS NULL OR s.to_ts IS NULL OR s.to_ts <> k.to_ts OR s.read_revision < k.late_revision)
             ORDER BY k.version")
            .bind(channel.as_str()).fetch_all(c).await)?;
        let work = rows.into_iter().map(|(number, from, to, closed_by, head, head_to)| ChapterWork {
            version: version(number),
            range: Range {
                channel: channel.clone(),
                from: MessageTs::from_micros(from),
                to: MessageTs::from_micros(to),
            },
            head: head.map(StepId),
            head_to: head_to.map(MessageTs::from_micros),
            is_window: closed_by == ClosedBy::Window.as_str(),
        });
        Ok(work.collect())
    }
}

pub(crate) async fn chapters(tx: &mut Tx, channel: &ChannelId) -> Result<Chapters, StoreError> {
    // Versions written without a chapter (`save_as_new_version`) take numbers as well.
    let (last, end): (i64, Option<i64>) = on!(tx, c => query_as(
        "SELECT coalesce(max(version), 0), max(to_ts) FROM (
            SELECT version, to_ts FROM chapters WHERE channel_id = $1
            UNION ALL
            SELECT version, NULL FROM memories
            WHERE scope = 'channel' AND scope_id = $1 AND memory_type = 'short_term') AS numbered")
        .bind(channel.as_str()).fetch_one(c).await)?;
    Ok(Chapters { last_version: version(last), end: end.map(MessageTs::from_micros) })
}

pub(crate) async fn insert(
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
