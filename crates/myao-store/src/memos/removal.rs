//! Memos go with the words they were made from, in the transaction that removes those (SPEC §6, promise 3).
//!
//! A memo that a reply wrote goes when a message is deleted that was answered by writing it, or edited so that it
//! loses a term which the memo holds. Beside those the reply had read the talk of the channel: when words of that are
//! gone, the memo goes if it holds a term of them that nobody says there any more. Words of other places it does not
//! hold: that was checked when it was written. What a person wrote at the terminal stays until they remove it.

use std::collections::{BTreeMap, BTreeSet};

use myao_core::{chat::ChannelId, memory::terms};

use super::{MemoId, write::drop_memo};
use crate::{StoreError, archive::Removed, db::Tx, words};

/// Takes the memos away that were made from what is removed.
pub(crate) async fn forget(tx: &mut Tx, removed: &[Removed]) -> Result<(), StoreError> {
    let mut by_channel: BTreeMap<&ChannelId, Vec<&Removed>> = BTreeMap::new();
    for one in removed {
        by_channel.entry(&one.channel).or_default().push(one);
    }
    for (channel, removed) in by_channel {
        for memo in written_in(tx, channel).await? {
            if memo.is_made_from(tx, channel, &removed).await? {
                tracing::info!(%channel, "a memo goes with the words it was made from");
                drop_memo(tx, &memo.id).await?;
            }
        }
    }
    Ok(())
}

/// A memo that a reply wrote.
pub(crate) struct Written {
    pub(crate) id: MemoId,
    /// Everything it says.
    pub(crate) text: String,
    read_revision: i64,
}

/// Id, name, content, tags, detail, read revision.
type WrittenRow = (String, String, String, String, Option<String>, i64);

fn written((id, name, content, tags, detail, read_revision): WrittenRow) -> Written {
    let text = [name, content, tags, detail.unwrap_or_default()].join("\n");
    Written { id: MemoId(id), text, read_revision }
}

impl Written {
    async fn is_made_from(
        &self,
        tx: &mut Tx,
        channel: &ChannelId,
        removed: &[&Removed],
    ) -> Result<bool, StoreError> {
        let sources: Vec<(i64,)> = on!(&mut *tx, c => sqlx::query_as(
            "SELECT ts FROM memo_sources WHERE memo_id = $1").bind(&self.id.0).fetch_all(c).await)?;
        let sources: BTreeSet<i64> = sources.into_iter().map(|(ts,)| ts).collect();
        let held = terms(&self.text);
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
        Ok(!read.is_empty() && !words::unsaid(tx, channel, &read).await?.is_empty())
    }
}

/// The memos of a channel that replies wrote.
pub(crate) async fn written_in(tx: &mut Tx, channel: &ChannelId) -> Result<Vec<Written>, StoreError> {
    let rows: Vec<WrittenRow> = on!(tx, c => sqlx::query_as(
        "SELECT id, name, content, tags, detail, read_revision FROM memos
         WHERE channel_id = $1 AND read_revision IS NOT NULL")
        .bind(channel.as_str()).fetch_all(c).await)?;
    Ok(rows.into_iter().map(written).collect())
}
