//! Reads the corrections of a channel: the newest, those that bear on a text, or one.

use std::collections::BTreeMap;

use async_recursion::async_recursion as boxed;
use myao_core::{
    chat::{ChannelId, Visibility},
    memory::{StatementKey, StepId, keys_of_text},
};

use super::{super::StepDraft, CorrectionRow, Standing, StoredCorrection};
use crate::{
    MemoryHandle, StoreError,
    db::{
        Tx, query_as,
        values::{instant_from_micros, signed_size},
    },
};

/// The newest corrections of a channel that are looked at wherever one of its texts is written, and the most of a chapter's
/// own time. Older ones are found by the statements of the text, each by an index.
const MOST_LOOKED_AT: usize = 200;

macro_rules! corrections {
    () => {
        "SELECT k.step_id, k.scope_id, k.memory_type, k.until_ts, k.replaced, k.replaced_terms,
            k.message_ts, k.mark, s.content, s.actor, s.at, s.read_revision
         FROM corrections k JOIN memory_steps s ON s.id = k.step_id
         WHERE k.channel_id = $1 AND s.content IS NOT NULL "
    };
}

impl MemoryHandle<'_> {
    /// The newest `most` of what people put right in a channel's memories and nobody took back, oldest first; nothing if the
    /// channel may not be seen.
    #[boxed]
    pub async fn corrections(
        &self,
        visibility: &Visibility,
        channel: &ChannelId,
        most: usize,
    ) -> Result<Vec<StoredCorrection>, StoreError> {
        let mut tx = self.store.db.snapshot().await?;
        if !self.store.hearing().shown_channels(visibility).shows_talk_of(&mut tx, channel).await? {
            return Ok(Vec::new());
        }
        let newest = newest_in(&mut tx, channel, most).await?;
        Ok(newest.into_iter().map(|standing| standing.into_stored(channel)).collect())
    }

    /// What somebody put right in a channel's memories, by its journal entry; `None` if it does not stand there, or the
    /// channel may not be seen.
    #[boxed]
    pub async fn correction(
        &self,
        visibility: &Visibility,
        channel: &ChannelId,
        entry: StepId,
    ) -> Result<Option<StoredCorrection>, StoreError> {
        let mut tx = self.store.db.snapshot().await?;
        if !self.store.hearing().shown_channels(visibility).shows_talk_of(&mut tx, channel).await? {
            return Ok(None);
        }
        let standing = standing_one(&mut tx, channel, entry).await?;
        Ok(standing.map(|standing| standing.into_stored(channel)))
    }
}

impl Standing {
    fn into_stored(self, channel: &ChannelId) -> StoredCorrection {
        StoredCorrection {
            step: StepId(self.row.step_id),
            channel: channel.clone(),
            words: self.row.content,
            actor: self.row.actor,
            at: instant_from_micros(self.row.at),
        }
    }
}

/// The newest corrections of a channel that stand, oldest first.
async fn newest_in(tx: &mut Tx, channel: &ChannelId, most: usize) -> Result<Vec<Standing>, StoreError> {
    let rows: Vec<CorrectionRow> = on!(tx, c => query_as(concat!(corrections!(),
         "AND k.undone_at IS NULL ORDER BY k.step_id DESC LIMIT $2"))
        .bind(channel.as_str()).bind(signed_size(most)).fetch_all(c).await)?;
    rows.into_iter().rev().map(Standing::of_row).collect()
}

/// A correction of a channel, if it stands.
pub(super) async fn standing_one(
    tx: &mut Tx,
    channel: &ChannelId,
    entry: StepId,
) -> Result<Option<Standing>, StoreError> {
    let row: Option<CorrectionRow> = on!(tx, c => query_as(concat!(corrections!(), "AND k.undone_at IS NULL AND k.step_id = $2"))
        .bind(channel.as_str()).bind(entry.0).fetch_optional(c).await)?;
    row.map(Standing::of_row).transpose()
}

/// All corrections of a channel that still have their words, also those that were taken back: what is removed has to be
/// looked for in each of them.
pub(super) async fn kept_in(tx: &mut Tx, channel: &ChannelId) -> Result<Vec<Standing>, StoreError> {
    let rows: Vec<CorrectionRow> = on!(tx, c => query_as(concat!(corrections!(), "ORDER BY k.step_id"))
        .bind(channel.as_str()).fetch_all(c).await)?;
    rows.into_iter().map(Standing::of_row).collect()
}

/// The corrections of a channel that stand and bear on the text of a step, oldest first: the newest, those of its own time,
/// and those that replaced one of its statements.
pub(super) async fn bearing_on_step(
    tx: &mut Tx,
    channel: &ChannelId,
    step: &StepDraft,
) -> Result<Vec<Standing>, StoreError> {
    let (mut found, is_all) = bearing_on_text(tx, channel, step.memory.content()).await?;
    if let Some(range) = step.range.as_ref().filter(|_| !is_all) {
        let rows: Vec<CorrectionRow> = on!(&mut *tx, c => query_as(concat!(corrections!(),
             "AND k.undone_at IS NULL AND k.until_ts > $2 AND k.until_ts <= $3 ORDER BY k.until_ts DESC LIMIT $4"))
            .bind(channel.as_str()).bind(range.from.as_micros()).bind(range.to.as_micros())
            .bind(signed_size(MOST_LOOKED_AT)).fetch_all(c).await)?;
        for row in rows {
            found.insert(row.step_id, Standing::of_row(row)?);
        }
    }
    Ok(found.into_values().collect())
}

/// The newest corrections of a channel that stand, and all that replaced a statement of a text.
pub(super) async fn bearing_on(
    tx: &mut Tx,
    channel: &ChannelId,
    text: &str,
) -> Result<Vec<Standing>, StoreError> {
    Ok(bearing_on_text(tx, channel, text).await?.0.into_values().collect())
}

/// The same by their entries, and whether these are all that there are.
async fn bearing_on_text(
    tx: &mut Tx,
    channel: &ChannelId,
    text: &str,
) -> Result<(BTreeMap<i64, Standing>, bool), StoreError> {
    let newest = newest_in(tx, channel, MOST_LOOKED_AT).await?;
    let is_all = newest.len() < MOST_LOOKED_AT;
    let mut found: BTreeMap<i64, Standing> =
        newest.into_iter().map(|standing| (standing.row.step_id, standing)).collect();
    if is_all {
        return Ok((found, true));
    }
    for StatementKey(key) in keys_of_text(text) {
        let rows: Vec<CorrectionRow> = on!(&mut *tx, c => query_as(concat!(corrections!(), "AND k.undone_at IS NULL AND k.replaced = $2"))
            .bind(channel.as_str()).bind(key).fetch_all(c).await)?;
        for row in rows {
            found.insert(row.step_id, Standing::of_row(row)?);
        }
    }
    Ok((found, false))
}
