//! Keeps the memo log: who made, changed or removed which memo, and because of which messages (ADR 34).
//!
//! An entry is written in the transaction of the change. Its texts are wiped when the words they were made from are
//! removed (`removal`), and when the owner removes the memo. That something was changed, when and by whom stays for a
//! year.

use async_recursion::async_recursion as boxed;
use jiff::{SignedDuration, Timestamp};
use myao_core::{
    chat::{ChannelId, Message, MessageTs, Visibility},
    context::Memo,
};
use serde_json::{Map, Value};

use super::{audience::MemoAudience, write::MemoHand};
use crate::{
    MemosHandle, StoreError,
    archive::{
        message_columns,
        rows::{MessageRow, message_of_row},
    },
    db::{
        Tx, query_as,
        values::{instant_from_micros, parse_column, row, signed_count},
    },
    hearing::visible::visible,
    memory::memo_id::MemoId,
    replies::ReplyId,
};

/// How long an entry is kept: people ask who changed what within days, and about a habit within months.
const KEPT: SignedDuration = SignedDuration::from_hours(365 * 24);

/// The most entries of one channel: they are read as a whole when words are removed.
const MOST_ENTRIES: i64 = 1000;

/// The actor of what was taken over from the predecessor.
pub(crate) const PREDECESSOR: &str = "myao2";

/// How many letters of an id are enough to name it.
const SHORT_ID: i64 = 8;

/// What happened to a memo.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum MemoDeed {
    /// It was made.
    Added,
    /// It was changed.
    Changed,
    /// The owner gave it another audience.
    Placed,
    /// It was removed.
    Removed,
    /// It went with words that it was made from.
    Gone,
}

impl MemoDeed {
    /// The name in storage.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Added => "added",
            Self::Changed => "changed",
            Self::Placed => "placed",
            Self::Removed => "removed",
            Self::Gone => "gone",
        }
    }
}

impl std::str::FromStr for MemoDeed {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        [Self::Added, Self::Changed, Self::Placed, Self::Removed, Self::Gone]
            .into_iter()
            .find(|deed| deed.as_str() == text)
            .ok_or_else(|| format!("`{text}` happens to no memo"))
    }
}

/// Who did it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum MemoActor {
    /// A person at the terminal, by name; `myao2` for what was taken over.
    Person(String),
    /// A reply, on behalf of those who asked.
    Reply {
        /// Which reply.
        reply: ReplyId,
        /// The messages it answered, as they stand now, oldest first.
        asked: Vec<Message>,
        /// Its first post; `None` before it is posted.
        posted_ts: Option<MessageTs>,
    },
    /// The program itself, to keep a promise.
    Program,
}

/// An entry of the memo log.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct MemoEntry {
    /// Its number; later entries have higher numbers.
    pub id: i64,
    /// Which memo.
    pub memo: MemoId,
    /// When it happened.
    pub at: Timestamp,
    /// What happened.
    pub deed: MemoDeed,
    /// Who did it.
    pub by: MemoActor,
    /// The memo's channel, after it was placed the new one; `None` if it belongs to none.
    pub channel: Option<ChannelId>,
    /// The memo's name at the time; `None` once it is wiped.
    pub name: Option<String>,
    /// Which fields differ: `name`, `content`, `priority`, `tags`, `detail`; `audience` where it was placed.
    pub fields: Vec<String>,
    /// Their values before, without fields that the memo did not have; empty once it is wiped.
    pub before: Map<String, Value>,
    /// Their values afterwards, in the same way.
    pub after: Map<String, Value>,
    /// When its texts were wiped.
    pub wiped_at: Option<Timestamp>,
}

/// An entry to be written.
pub(crate) struct MemoLogDraft<'a> {
    pub(crate) memo: &'a MemoId,
    pub(crate) deed: MemoDeed,
    /// Who did it; `None` for the program.
    pub(crate) hand: Option<&'a MemoHand>,
    pub(crate) channel: Option<&'a ChannelId>,
    pub(crate) before: Option<&'a Memo>,
    pub(crate) after: Option<&'a Memo>,
    /// Who saw it before, and who sees it now, if that is what was changed. Channels are not told apart: the entries
    /// before and after have them.
    pub(crate) placed: Option<(&'a MemoAudience, &'a MemoAudience)>,
}

/// Writes an entry. The memo's row and sources must still exist.
#[boxed]
pub(crate) async fn write_log_entry(
    tx: &mut Tx,
    what: &MemoLogDraft<'_>,
    now: Timestamp,
) -> Result<(), StoreError> {
    let channel = what.channel.map_or("", ChannelId::as_str);
    let (by_hand, reply, read) = match what.hand {
        Some(MemoHand::Owner { name, .. }) => (name.as_str(), None, None),
        Some(MemoHand::FromMessage { name, .. }) => (name.as_str(), None, Some(0)),
        Some(MemoHand::Reply(grounds)) => ("", Some(grounds.reply.0), Some(grounds.read_revision)),
        None => ("", None, None),
    };
    let mut old = fields_of(what.before);
    let mut new = fields_of(what.after);
    if let Some((before, after)) = what.placed {
        old.insert(AUDIENCE.to_owned(), before.as_str().into());
        new.insert(AUDIENCE.to_owned(), after.as_str().into());
    }
    let is_different =
        |field: &&str| old.get(*field) != new.get(*field) || (*field == AUDIENCE && what.placed.is_some());
    let fields: Vec<&str> = FIELDS.iter().filter(|field| is_different(field)).copied().collect();
    let text = |all: Map<String, Value>| {
        let of = all.into_iter().filter(|(field, _)| fields.contains(&field.as_str()));
        Value::Object(of.collect()).to_string()
    };
    let name = what.after.or(what.before).map(|memo| memo.name.as_str());
    let (entry,): (i64,) = on!(&mut *tx, c => query_as(
        "INSERT INTO memo_log (memo_id, at, deed, channel_id, by_hand, reply_id, read_revision, fields, name,
                               old_text, new_text)
         VALUES ($1, $2, $3, $4, $5, $6, coalesce($7, (SELECT m.read_revision FROM memos m WHERE m.id = $1)), $8,
                 $9, $10, $11) RETURNING id")
        .bind(&what.memo.0).bind(now.as_microsecond()).bind(what.deed.as_str()).bind(channel).bind(by_hand)
        .bind(reply).bind(read).bind(Value::from(fields.clone()).to_string()).bind(name)
        .bind(text(old)).bind(text(new)).fetch_one(c).await)?;
    on!(&mut *tx, c => sqlx::query(
        "INSERT INTO memo_log_sources (entry_id, ts, asked) SELECT $2, ts, 0 FROM memo_sources WHERE memo_id = $1")
        .bind(&what.memo.0).bind(entry).execute(c).await.map(drop))?;
    if let Some(MemoHand::Reply(grounds)) = what.hand {
        for ts in &grounds.triggers {
            on!(&mut *tx, c => sqlx::query(
                "INSERT INTO memo_log_sources (entry_id, ts, asked) VALUES ($1, $2, 1)
                 ON CONFLICT (entry_id, ts) DO UPDATE SET asked = 1")
                .bind(entry).bind(ts.as_micros()).execute(c).await.map(drop))?;
        }
    }
    forget_beyond(tx, channel).await
}

/// Records that a memo of the predecessor was taken over as the owner's own.
pub(crate) async fn note_adopted_memo(
    tx: &mut Tx,
    id: &str,
    memo: &Memo,
    now: Timestamp,
) -> Result<(), StoreError> {
    let hand = MemoHand::Owner { name: PREDECESSOR.to_owned(), audience: MemoAudience::Undecided };
    let added = MemoLogDraft {
        memo: &MemoId(id.to_owned()),
        deed: MemoDeed::Added,
        hand: Some(&hand),
        channel: None,
        before: None,
        after: Some(memo),
        placed: None,
    };
    write_log_entry(tx, &added, now).await
}

/// The field of an entry that says who sees the memo.
const AUDIENCE: &str = "audience";

/// The fields of a memo, and this one.
const FIELDS: [&str; 6] = ["name", "content", "priority", "tags", "detail", AUDIENCE];

/// The fields that a memo has, with their values.
fn fields_of(memo: Option<&Memo>) -> Map<String, Value> {
    let Some(memo) = memo else { return Map::new() };
    let tags = Some(&memo.tags).filter(|tags| !tags.is_empty());
    let all = [
        ("name", Some(Value::from(memo.name.as_str()))),
        ("content", Some(Value::from(memo.content.as_str()))),
        ("priority", Some(Value::from(memo.priority))),
        ("tags", tags.map(|tags| Value::from(tags.as_slice()))),
        ("detail", memo.detail.as_deref().map(Value::from)),
    ];
    all.into_iter().filter_map(|(field, value)| Some((field.to_owned(), value?))).collect()
}

/// Wipes the texts of all entries about a memo.
pub(crate) async fn wipe_entries_about(tx: &mut Tx, memo: &MemoId, now: Timestamp) -> Result<(), StoreError> {
    on!(tx, c => sqlx::query(
        "UPDATE memo_log SET name = NULL, old_text = NULL, new_text = NULL, wiped_at = $2
         WHERE memo_id = $1 AND wiped_at IS NULL")
        .bind(&memo.0).bind(now.as_microsecond()).execute(c).await.map(drop))?;
    Ok(())
}

/// Wipes one entry.
pub(crate) async fn wipe_entry(tx: &mut Tx, entry: i64, now: Timestamp) -> Result<(), StoreError> {
    on!(tx, c => sqlx::query(
        "UPDATE memo_log SET name = NULL, old_text = NULL, new_text = NULL, wiped_at = $2 WHERE id = $1")
        .bind(entry).bind(now.as_microsecond()).execute(c).await.map(drop))?;
    Ok(())
}

/// Drops a channel's oldest entries beyond [`MOST_ENTRIES`].
async fn forget_beyond(tx: &mut Tx, channel: &str) -> Result<(), StoreError> {
    let last: Option<(i64,)> = on!(&mut *tx, c => query_as(
        "SELECT id FROM memo_log WHERE channel_id = $1 ORDER BY id DESC LIMIT 1 OFFSET $2")
        .bind(channel).bind(MOST_ENTRIES).fetch_optional(c).await)?;
    let Some((last,)) = last else { return Ok(()) };
    on!(&mut *tx, c => sqlx::query(
        "DELETE FROM memo_log_sources WHERE entry_id IN (
            SELECT id FROM memo_log WHERE channel_id = $1 AND id <= $2)")
        .bind(channel).bind(last).execute(c).await.map(drop))?;
    on!(tx, c => sqlx::query("DELETE FROM memo_log WHERE channel_id = $1 AND id <= $2")
        .bind(channel).bind(last).execute(c).await.map(drop))?;
    Ok(())
}

row! {
    /// An entry of the memo log, and when the first post of its reply was made.
    struct MemoLogRow {
        id: i64,
        memo_id: String,
        at: i64,
        deed: String,
        channel_id: String,
        by_hand: String,
        reply_id: Option<i64>,
        fields: String,
        name: Option<String>,
        old_text: Option<String>,
        new_text: Option<String>,
        wiped_at: Option<i64>,
        posted: Option<i64>,
    }
}

row! {
    /// A message that asked for what an entry tells.
    struct AskedRow {
        entry_id: i64,
    } with message: MessageRow
}

impl MemosHandle<'_> {
    /// The newest `limit` entries, newest first: about all memos, or about those that had this name or have this id, of
    /// which the first eight letters are enough. Entries of channels that may not be seen are left out, and for all but
    /// the owner those of memos without a channel.
    #[boxed]
    pub async fn newest_entries(
        &self,
        visibility: &Visibility,
        memo: Option<&str>,
        limit: u64,
    ) -> Result<Vec<MemoEntry>, StoreError> {
        let seen = self.store.hearing().visibility_binds(visibility);
        let mut tx = self.store.db.snapshot().await?;
        let rows: Vec<MemoLogRow> = on!(&mut tx, c => query_as(concat!(
            "SELECT l.id, l.memo_id, l.at, l.deed, l.channel_id, l.by_hand, l.reply_id, l.fields, l.name, l.old_text,
                    l.new_text, l.wiped_at,
                    (SELECT min(p.ts) FROM reply_parts p WHERE p.reply_id = l.reply_id AND p.state = 'posted') AS posted
             FROM memo_log l
             WHERE ($3 = 1 OR EXISTS (SELECT 1 FROM channels c WHERE c.id = l.channel_id AND ", visible!(), "))
               AND ($4 = '' OR l.memo_id IN (SELECT o.memo_id FROM memo_log o WHERE o.name = $4 OR o.memo_id = $4
                OR (length($4) >= $5 AND substr(o.memo_id, 1, length($4)) = $4)))
             ORDER BY l.id DESC LIMIT $6"))
            .bind(&seen.own).bind(seen.open).bind(seen.all)
            .bind(memo.unwrap_or_default()).bind(SHORT_ID).bind(signed_count(limit)).fetch_all(c).await)?;
        let first = rows.last().map_or(0, |row| row.id);
        let last = rows.first().map_or(0, |row| row.id);
        let asked: Vec<AskedRow> = on!(&mut tx, c => query_as(concat!("SELECT s.entry_id, ", message_columns!(),
            " FROM memo_log_sources s JOIN memo_log l ON l.id = s.entry_id
              JOIN messages m ON m.channel_id = l.channel_id AND m.ts = s.ts
              WHERE s.asked = 1 AND s.entry_id >= $1 AND s.entry_id <= $2 ORDER BY s.entry_id, s.ts"))
            .bind(first).bind(last).fetch_all(c).await)?;
        let mut entries = rows.into_iter().map(entry_of_row).collect::<Result<Vec<_>, _>>()?;
        for AskedRow { entry_id, message } in asked {
            let message = message_of_row(message)?;
            let of = entries.iter_mut().find(|entry| entry.id == entry_id).map(|entry| &mut entry.by);
            if let Some(MemoActor::Reply { asked, .. }) = of {
                asked.push(message);
            }
        }
        let mut shown = self.store.hearing().shown_channels(visibility);
        let mut seen = Vec::new();
        for entry in entries {
            let is_shown = match &entry.channel {
                Some(channel) => shown.shows_talk_of(&mut tx, channel).await?,
                None => *visibility == Visibility::Owner,
            };
            if is_shown {
                seen.push(entry);
            }
        }
        Ok(seen)
    }

    /// Drops the entries that are older than a year and returns how many there were.
    #[boxed]
    pub async fn drop_expired_entries(&self, now: Timestamp) -> Result<u64, StoreError> {
        let before = now.saturating_sub(KEPT).unwrap_or(Timestamp::MIN).as_microsecond();
        let mut tx = self.store.db.snapshot().await?;
        // Looked up first, so that a round in which nothing expires writes nothing.
        let (due,): (i64,) = on!(&mut tx, c => query_as("SELECT count(*) FROM memo_log WHERE at < $1")
            .bind(before).fetch_one(c).await)?;
        drop(tx);
        if due == 0 {
            return Ok(0);
        }
        let store = self.store.clone();
        to_the_end!({
            let mut tx = store.db.begin().await?;
            on!(&mut tx, c => sqlx::query(
                "DELETE FROM memo_log_sources WHERE entry_id IN (SELECT id FROM memo_log WHERE at < $1)")
                .bind(before).execute(c).await.map(drop))?;
            let forgotten = on!(&mut tx, c => sqlx::query("DELETE FROM memo_log WHERE at < $1")
                .bind(before).execute(c).await.map(|done| done.rows_affected()))?;
            tx.commit().await?;
            Ok(forgotten)
        })
        .await
    }
}

fn entry_of_row(row: MemoLogRow) -> Result<MemoEntry, StoreError> {
    let id = row.id;
    let by = match row.reply_id {
        Some(reply) => MemoActor::Reply {
            reply: ReplyId(reply),
            asked: Vec::new(),
            posted_ts: row.posted.map(MessageTs::from_micros),
        },
        None if row.by_hand.is_empty() => MemoActor::Program,
        None => MemoActor::Person(row.by_hand),
    };
    Ok(MemoEntry {
        id,
        memo: MemoId(row.memo_id),
        at: instant_from_micros(row.at),
        deed: parse_column(&row.deed, "memo_log.deed", id)?,
        by,
        channel: Some(row.channel_id).filter(|id| !id.is_empty()).map(ChannelId::new),
        name: row.name,
        fields: serde_json::from_str(&row.fields).map_err(|e| unreadable_entry(id, &e))?,
        before: fields_of_text(id, row.old_text.as_deref())?,
        after: fields_of_text(id, row.new_text.as_deref())?,
        wiped_at: row.wiped_at.map(instant_from_micros),
    })
}

/// The fields of an entry's text; empty once it is wiped.
pub(super) fn fields_of_text(entry: i64, text: Option<&str>) -> Result<Map<String, Value>, StoreError> {
    text.map_or_else(|| Ok(Map::new()), serde_json::from_str).map_err(|e| unreadable_entry(entry, &e))
}

fn unreadable_entry(entry: i64, error: &serde_json::Error) -> StoreError {
    StoreError::Content(format!("entry {entry} of the memo log: {error}"))
}
