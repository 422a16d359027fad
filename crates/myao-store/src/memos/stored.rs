//! Reads memos.

use async_recursion::async_recursion as boxed;
use jiff::Timestamp;
use myao_core::{
    chat::{ChannelId, Message, Visibility},
    context::{Memo, memo::HIGH_PRIORITY},
};

use super::audience::MemoAudience;
use crate::{
    MemosHandle, StoreError,
    archive::{
        message_columns,
        rows::{MessageRow, message_of_row},
    },
    db::{
        Tx, query_as,
        values::{instant_from_micros, row, signed_count, unsigned_count},
    },
    hearing::visible::{VisibilityBinds, visible},
    memory::memo_id::MemoId,
};

/// The most memos that are listed at once.
pub const MOST_LISTED: u64 = 50;

/// The most memos of high priority that a prompt holds (specification §4).
const MOST_IMPORTANT: i64 = 20;

/// The most other memos that it holds, those last changed (specification §4).
const MOST_RECENT: i64 = 5;

/// Who wrote a memo.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum MemoMaker {
    /// A person at the terminal, by name; `myao2` for a memo that was taken over.
    Person(String),
    /// A reply, on behalf of those who asked: [`MemosHandle::messages_behind`] are the messages it answered.
    Reply,
}

/// A memo as it stands.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct StoredMemo {
    /// Its id.
    pub id: MemoId,
    /// What it says.
    pub memo: Memo,
    /// Who sees it.
    pub audience: MemoAudience,
    /// Who made it.
    pub maker: MemoMaker,
    /// Who last changed it at the terminal; `None` if nobody did.
    pub changed_by: Option<String>,
    /// When it was made.
    pub created_at: Timestamp,
    /// When it was last changed.
    pub updated_at: Timestamp,
}

/// Which memos to list.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct MemoQuery {
    /// Only memos with this tag.
    pub tag: Option<String>,
    /// How many are skipped.
    pub offset: u64,
    /// How many are listed, at most [`MOST_LISTED`].
    pub limit: u64,
}

/// One page of the memos that a query finds.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct MemoPage {
    /// Most important first; among equals the last changed first, then by name.
    pub memos: Vec<StoredMemo>,
    /// How many the query finds in all.
    pub total: u64,
}

impl StoredMemo {
    /// The channel that it belongs to; `None` if it belongs to none.
    pub fn channel(&self) -> Option<&ChannelId> {
        self.audience.channel()
    }

    /// Whether a person made or changed it at the terminal: then no reply changes it.
    pub fn is_by_hand(&self) -> bool {
        self.changed_by.is_some() || matches!(self.maker, MemoMaker::Person(_))
    }
}

/// The columns of [`MemoRow`].
macro_rules! memo_columns {
    () => {
        "m.id, m.name, m.content, m.priority, m.tags, m.detail, m.channel_id, m.audience, m.made_by, m.created_at,
         m.updated_at, m.changed_by"
    };
}
pub(super) use memo_columns;

/// The memos `m` that may be seen, with the binds of `visible!`. The owner and agents see all; places see
/// one of each name.
macro_rules! seen_memos {
    () => {
        concat!(
            "(SELECT s.* FROM (
                SELECT m.*, row_number() OVER (
                    PARTITION BY CASE WHEN $3 > 0 THEN m.id ELSE m.name END
                    ORDER BY CASE WHEN m.channel_id = $1 THEN 0 ELSE 1 END, m.created_at, m.id) AS of_name
                FROM memos m LEFT JOIN channels c ON c.id = m.channel_id
                WHERE (m.audience = 'everybody' AND $2 < 9223372036854775807) OR ",
            visible!(),
            ") AS s WHERE s.of_name = 1) AS m"
        )
    };
}

row! {
    /// A memo as it is stored.
    pub(super) struct MemoRow {
        id: String,
        name: String,
        content: String,
        priority: i64,
        tags: String,
        detail: Option<String>,
        channel_id: Option<String>,
        audience: String,
        made_by: String,
        created_at: i64,
        updated_at: i64,
        changed_by: String,
    }
}

pub(super) fn memo_of_row(row: MemoRow) -> Result<StoredMemo, StoreError> {
    let maker = if row.made_by.is_empty() { MemoMaker::Reply } else { MemoMaker::Person(row.made_by) };
    Ok(StoredMemo {
        memo: Memo {
            tags: tags_of(&row.id, &row.tags)?,
            name: row.name,
            content: row.content,
            priority: small_priority(row.priority),
            detail: row.detail,
        },
        audience: MemoAudience::read(row.channel_id, &row.audience)
            .ok_or_else(|| unknown_audience(&row.id))?,
        id: MemoId(row.id),
        maker,
        changed_by: Some(row.changed_by).filter(|name| !name.is_empty()),
        created_at: instant_from_micros(row.created_at),
        updated_at: instant_from_micros(row.updated_at),
    })
}

fn unknown_audience(id: &str) -> StoreError {
    StoreError::Content(format!("audience of memo {id}"))
}

fn tags_of(id: &str, tags: &str) -> Result<Vec<String>, StoreError> {
    serde_json::from_str(tags).map_err(|e| StoreError::Content(format!("tags of memo {id}: {e}")))
}

fn small_priority(priority: i64) -> u8 {
    u8::try_from(priority).unwrap_or(u8::MAX)
}

/// A tag as it stands in the column.
fn quoted_tag(tag: &str) -> String {
    serde_json::Value::from(tag).to_string()
}

impl MemosHandle<'_> {
    /// One page of the memos that may be seen.
    #[boxed]
    pub async fn page(&self, visibility: &Visibility, query: &MemoQuery) -> Result<MemoPage, StoreError> {
        let seen = self.store.hearing().visibility_binds(visibility);
        let tag = query.tag.as_deref().map(quoted_tag).unwrap_or_default();
        let mut tx = self.store.db.snapshot().await?;
        let (total,): (i64,) = on!(&mut tx, c => query_as(concat!(
            "SELECT count(*) FROM ", seen_memos!(), " WHERE $4 = '' OR replace(m.tags, $4, '') <> m.tags"))
            .bind(&seen.own).bind(seen.open).bind(seen.all).bind(&tag).fetch_one(c).await)?;
        let rows: Vec<MemoRow> = on!(&mut tx, c => query_as(concat!(
            "SELECT ", memo_columns!(), " FROM ", seen_memos!(),
            " WHERE $4 = '' OR replace(m.tags, $4, '') <> m.tags
              ORDER BY m.priority DESC, m.updated_at DESC, m.name, m.id LIMIT $5 OFFSET $6"))
            .bind(&seen.own).bind(seen.open).bind(seen.all).bind(&tag)
            .bind(signed_count(query.limit.min(MOST_LISTED))).bind(signed_count(query.offset)).fetch_all(c).await)?;
        let memos = rows.into_iter().map(memo_of_row).collect::<Result<_, _>>()?;
        Ok(MemoPage { memos, total: unsigned_count(total) })
    }

    /// The memos of this name that may be seen: for the owner one of each channel, for a place at most one.
    #[boxed]
    pub async fn find_by_name(
        &self,
        visibility: &Visibility,
        name: &str,
    ) -> Result<Vec<StoredMemo>, StoreError> {
        find_by_name(
            &mut self.store.db.snapshot().await?,
            &self.store.hearing().visibility_binds(visibility),
            name,
        )
        .await
    }

    /// The memo with this id; `None` if there is none that may be seen.
    #[boxed]
    pub async fn find_by_id(
        &self,
        visibility: &Visibility,
        id: &str,
    ) -> Result<Option<StoredMemo>, StoreError> {
        let seen = self.store.hearing().visibility_binds(visibility);
        let row: Option<MemoRow> = on!(&mut self.store.db.snapshot().await?, c => query_as(concat!(
            "SELECT ", memo_columns!(), " FROM ", seen_memos!(), " WHERE m.id = $4"))
            .bind(&seen.own).bind(seen.open).bind(seen.all).bind(id).fetch_optional(c).await)?;
        row.map(memo_of_row).transpose()
    }

    /// The tags of the memos that may be seen, with how many memos bear each; most used first, then by name.
    #[boxed]
    pub async fn tags_with_counts(&self, visibility: &Visibility) -> Result<Vec<(String, u64)>, StoreError> {
        let seen = self.store.hearing().visibility_binds(visibility);
        let mut tx = self.store.db.snapshot().await?;
        let rows: Vec<(String, String)> = on!(&mut tx, c => query_as(concat!(
            "SELECT m.id, m.tags FROM ", seen_memos!(), " WHERE m.tags <> '[]'"))
            .bind(&seen.own).bind(seen.open).bind(seen.all).fetch_all(c).await)?;
        let mut counts = std::collections::BTreeMap::<String, u64>::new();
        for (id, tags) in rows {
            for tag in tags_of(&id, &tags)? {
                *counts.entry(tag).or_default() += 1;
            }
        }
        let mut counts: Vec<(String, u64)> = counts.into_iter().collect();
        counts.sort_by(|a, b| b.1.cmp(&a.1).then_with(|| a.0.cmp(&b.0)));
        Ok(counts)
    }

    /// The messages that were answered by writing a memo, oldest first: the reason why it exists. Empty if its channel
    /// may not be seen.
    #[boxed]
    pub async fn messages_behind(
        &self,
        visibility: &Visibility,
        id: &MemoId,
    ) -> Result<Vec<Message>, StoreError> {
        let mut tx = self.store.db.snapshot().await?;
        let rows: Vec<MessageRow> = on!(&mut tx, c => query_as(concat!("SELECT ", message_columns!(),
            " FROM memo_sources s JOIN memos o ON o.id = s.memo_id
              JOIN messages m ON m.channel_id = o.channel_id AND m.ts = s.ts
              WHERE s.memo_id = $1 ORDER BY s.ts"))
            .bind(&id.0).fetch_all(c).await)?;
        let mut shown = self.store.hearing().shown_channels(visibility);
        let mut sources = Vec::new();
        for message in rows.into_iter().map(message_of_row) {
            let message = message?;
            if shown.shows_talk_of(&mut tx, &message.channel).await? {
                sources.push(message);
            }
        }
        Ok(sources)
    }
}

pub(super) async fn find_by_name(
    tx: &mut Tx,
    seen: &VisibilityBinds,
    name: &str,
) -> Result<Vec<StoredMemo>, StoreError> {
    let rows: Vec<MemoRow> = on!(tx, c => query_as(concat!(
        "SELECT ", memo_columns!(), " FROM ", seen_memos!(), " WHERE m.name = $4 ORDER BY m.created_at, m.id"))
        .bind(&seen.own).bind(seen.open).bind(seen.all).bind(name).fetch_all(c).await)?;
    rows.into_iter().map(memo_of_row).collect()
}

/// The memos that a prompt holds: the important ones, and the last changed of the others.
pub(crate) async fn for_prompt(tx: &mut Tx, seen: &VisibilityBinds) -> Result<Vec<StoredMemo>, StoreError> {
    let rows: Vec<MemoRow> = on!(tx, c => query_as(concat!(
        "SELECT ", memo_columns!(), " FROM (
            SELECT n.*, row_number() OVER (PARTITION BY n.important
                    ORDER BY n.updated_at DESC, n.name, n.id) AS recent
            FROM (SELECT m.*, CASE WHEN m.priority >= $4 AND row_number() OVER (
                        ORDER BY m.priority DESC, m.updated_at DESC, m.name, m.id) <= $5
                    THEN 1 ELSE 0 END AS important
                  FROM ", seen_memos!(), ") AS n) AS m
         WHERE m.important = 1 OR m.recent <= $6
         ORDER BY m.priority DESC, m.updated_at DESC, m.name, m.id"))
        .bind(&seen.own).bind(seen.open).bind(seen.all).bind(i64::from(HIGH_PRIORITY)).bind(MOST_IMPORTANT)
        .bind(MOST_RECENT).fetch_all(c).await)?;
    rows.into_iter().map(memo_of_row).collect()
}
