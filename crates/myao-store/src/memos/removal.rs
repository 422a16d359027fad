//! Removes memos together with the words they were made from, in the transaction that removes those (specification §6,
//! promise 3), and wipes what the memo log holds of those words.
//!
//! A memo that a reply wrote is removed if a message that was answered by writing it is deleted, or edited so that it
//! loses a term which the memo holds. The reply had also read the talk of the channel: if words of that are removed,
//! the memo is removed if it holds a term of them that nobody says there any more. It holds no words of other places:
//! that was checked when it was written. What a person wrote at the terminal stays until they remove it.

use std::collections::{BTreeMap, BTreeSet};

use jiff::Timestamp;
use myao_core::{chat::ChannelId, text::terms_of_text};
use serde_json::Value;

use super::{
    log::{self, MemoDeed, MemoLogDraft},
    write::drop_with_sources,
};
use crate::{
    StoreError,
    db::{Tx, query_as, values::row},
    hearing::removals::Removed,
    memory::memo_id::MemoId,
    recall::word_counts,
};

/// Removes the memos that were made from what is removed, and wipes the log entries about them.
pub(crate) async fn remove_derived_memos(
    tx: &mut Tx,
    removed: &[Removed],
    now: Timestamp,
) -> Result<(), StoreError> {
    let mut by_channel: BTreeMap<&ChannelId, Vec<&Removed>> = BTreeMap::new();
    for one in removed {
        by_channel.entry(&one.channel).or_default().push(one);
    }
    for (channel, removed) in by_channel {
        for memo in written_in(tx, channel).await? {
            let sources = sources_of(tx, &memo.id).await?;
            if memo.is_made_from(tx, channel, &sources, &removed).await? {
                tracing::info!(%channel, "a memo goes with the words it was made from");
                remove_and_wipe_log(tx, &memo.id, Some(channel), now).await?;
            }
        }
        for memo in logged_in(tx, channel).await? {
            let sources = logged_sources_of(tx, &memo.id).await?;
            if memo.is_made_from(tx, channel, &sources, &removed).await? {
                log::wipe_entries_about(tx, &memo.id, now).await?;
            }
        }
    }
    Ok(())
}

/// Removes a memo and wipes its log entries; the log still says that it existed and is gone.
pub(crate) async fn remove_and_wipe_log(
    tx: &mut Tx,
    memo: &MemoId,
    channel: Option<&ChannelId>,
    now: Timestamp,
) -> Result<(), StoreError> {
    let deed = MemoDeed::Gone;
    let gone = MemoLogDraft { memo, deed, hand: None, channel, before: None, after: None, placed: None };
    log::write_log_entry(tx, &gone, now).await?;
    drop_with_sources(tx, memo).await?;
    log::wipe_entries_about(tx, memo, now).await
}

/// What a reply wrote: a memo, or the log entries about one.
pub(crate) struct WrittenByReply {
    pub(crate) id: MemoId,
    /// Everything it says.
    pub(crate) text: String,
    pub(crate) read_revision: i64,
}

row! {
    /// The texts of a memo that a reply wrote.
    struct MemoTextRow {
        id: String,
        name: String,
        content: String,
        tags: String,
        detail: Option<String>,
        read_revision: i64,
    }
}

fn written_by_reply(row: MemoTextRow) -> WrittenByReply {
    let text = [row.name, row.content, row.tags, row.detail.unwrap_or_default()].join("\n");
    WrittenByReply { id: MemoId(row.id), text, read_revision: row.read_revision }
}

impl WrittenByReply {
    async fn is_made_from(
        &self,
        tx: &mut Tx,
        channel: &ChannelId,
        sources: &BTreeSet<i64>,
        removed: &[&Removed],
    ) -> Result<bool, StoreError> {
        let held = terms_of_text(&self.text);
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
        Ok(!read.is_empty() && !word_counts::terms_no_longer_said(tx, channel, &read).await?.is_empty())
    }
}

async fn sources_of(tx: &mut Tx, memo: &MemoId) -> Result<BTreeSet<i64>, StoreError> {
    let sources: Vec<(i64,)> = on!(tx, c => query_as("SELECT ts FROM memo_sources WHERE memo_id = $1")
        .bind(&memo.0).fetch_all(c).await)?;
    Ok(sources.into_iter().map(|(ts,)| ts).collect())
}

async fn logged_sources_of(tx: &mut Tx, memo: &MemoId) -> Result<BTreeSet<i64>, StoreError> {
    let sources: Vec<(i64,)> = on!(tx, c => query_as(
        "SELECT s.ts FROM memo_log_sources s JOIN memo_log l ON l.id = s.entry_id WHERE l.memo_id = $1")
        .bind(&memo.0).fetch_all(c).await)?;
    Ok(sources.into_iter().map(|(ts,)| ts).collect())
}

row! {
    /// The texts of an entry of the memo log.
    struct LoggedRow {
        id: i64,
        memo_id: String,
        name: Option<String>,
        old_text: Option<String>,
        new_text: Option<String>,
        read_revision: Option<i64>,
    }
}

/// What the log holds about those memos of a channel in which a reply ever wrote, including memos that no longer exist.
/// All entries of a memo are joined, since an entry's texts come from those before it.
pub(crate) async fn logged_in(tx: &mut Tx, channel: &ChannelId) -> Result<Vec<WrittenByReply>, StoreError> {
    let rows: Vec<LoggedRow> = on!(tx, c => query_as(
        "SELECT id, memo_id, name, old_text, new_text, read_revision FROM memo_log
         WHERE channel_id = $1 AND wiped_at IS NULL ORDER BY id")
        .bind(channel.as_str()).fetch_all(c).await)?;
    let mut memos: BTreeMap<String, (String, Option<i64>)> = BTreeMap::new();
    for row in rows {
        let (text, read) = memos.entry(row.memo_id).or_default();
        add_words(&row.name.into(), text);
        for fields in [row.old_text, row.new_text] {
            add_words(&log::fields_of_text(row.id, fields.as_deref())?.into(), text);
        }
        *read = (*read).max(row.read_revision);
    }
    let written = |(id, (text, read)): (String, (String, Option<i64>))| {
        Some(WrittenByReply { id: MemoId(id), text, read_revision: read? })
    };
    Ok(memos.into_iter().filter_map(written).collect())
}

/// Appends every text in a value, each on lines of its own.
fn add_words(value: &Value, text: &mut String) {
    match value {
        Value::String(words) => {
            text.push('\n');
            text.push_str(words);
        }
        Value::Array(values) => values.iter().for_each(|value| add_words(value, text)),
        Value::Object(fields) => fields.values().for_each(|value| add_words(value, text)),
        Value::Null | Value::Bool(_) | Value::Number(_) => {}
    }
}

/// The memos of a channel that replies wrote.
pub(crate) async fn written_in(tx: &mut Tx, channel: &ChannelId) -> Result<Vec<WrittenByReply>, StoreError> {
    let rows: Vec<MemoTextRow> = on!(tx, c => query_as(
        "SELECT id, name, content, tags, detail, read_revision FROM memos
         WHERE channel_id = $1 AND read_revision IS NOT NULL")
        .bind(channel.as_str()).fetch_all(c).await)?;
    Ok(rows.into_iter().map(written_by_reply).collect())
}
