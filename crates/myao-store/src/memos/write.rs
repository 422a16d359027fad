//! Changes memos, on behalf of the owner, or by a reply for those who asked. A reply changes memos only in the channel
//! where they were made, only while everything it was made from still stands, and never what a person wrote by hand.

use async_recursion::async_recursion as boxed;
use jiff::Timestamp;
use myao_core::{
    chat::{ChannelId, MessageTs, Visibility},
    context::{Memo, MemoChange, MemoDraft, memo::LOWEST_PRIORITY},
};

use super::{
    audience::MemoAudience,
    grounds::Grounds,
    log::{self, MemoDeed, MemoLogDraft},
    stored::{MemoRow, StoredMemo, find_by_name, memo_columns, memo_of_row},
};
use crate::{
    MemosHandle, StoreError, archive,
    db::{Tx, query_as, values::unsigned_count},
    hearing::visible::VisibilityBinds,
    memory::memo_id::MemoId,
    replies,
};

/// The most memos of one channel: far more than people look after, and few enough to be read as a whole.
pub const MOST_MEMOS: u64 = 500;

/// Who changes a memo.
#[derive(Clone, Debug)]
pub enum MemoHand {
    /// The owner, at the terminal. What they write stays until they remove it.
    Owner {
        /// The owner's name.
        name: String,
        /// Who sees the memo. Of memos that belong to no channel, each name is used once, whoever sees them.
        audience: MemoAudience,
    },
    /// A reply.
    Reply(Grounds),
    /// A person in a channel, from one message there that they chose: the memo goes with it.
    FromMessage {
        /// The person's name.
        name: String,
        /// The channel.
        channel: ChannelId,
        /// The message.
        ts: MessageTs,
    },
}

/// Why a memo was not changed. Nothing was written.
#[derive(Debug, thiserror::Error)]
pub enum MemoError {
    /// The database failed.
    #[error(transparent)]
    Store(#[from] StoreError),
    /// What the reply was made from has changed; the reply will be made anew.
    #[error("what was said changed in the meantime; nothing was noted")]
    Moved,
    /// There is no such memo that may be seen.
    #[error("there is no memo `{0}`")]
    Unknown(String),
    /// The memo was made in another channel.
    #[error("memo `{name}` was made in #{channel} and can only be changed there")]
    Elsewhere {
        /// The memo.
        name: String,
        /// The channel's name.
        channel: String,
    },
    /// A person wrote the memo at the terminal, and a reply would change it.
    #[error(
        "memo `{0}` was written by hand: it can be read here, and only a person at the terminal changes it \
         (`myao memo`)"
    )]
    ByHand(String),
    /// The memo was made from talk and goes with it, so that it cannot become another place's.
    #[error(
        "memo `{0}` was made from what was said in its channel, and goes when that goes: write one of your own instead \
         (`myao memo add`)"
    )]
    MadeFromTalk(String),
    /// The name is in use.
    #[error("there is a memo `{0}` already; edit it, or choose another name")]
    Taken(String),
    /// The channel already has [`MOST_MEMOS`] memos.
    #[error("there are {MOST_MEMOS} memos here already; remove one that nobody needs first")]
    Full,
}

impl From<sqlx::Error> for MemoError {
    fn from(error: sqlx::Error) -> Self {
        Self::Store(error.into())
    }
}

/// What to do with a memo.
enum MemoAction {
    Add(Memo),
    Edit { name: String, change: MemoChange },
    Remove { name: String },
}

/// Who changes a memo, after their grounds were checked.
struct MemoWriter<'a> {
    hand: &'a MemoHand,
    /// Who sees the memos that they may change.
    audience: MemoAudience,
    /// What they see.
    seen: VisibilityBinds,
}

impl MemosHandle<'_> {
    /// Makes a memo. A reply gives no higher priority than its grounds allow: the returned memo has the actual one.
    ///
    /// # Errors
    /// [`MemoError::Taken`] if a reply's place already sees a memo of that name, or the owner has one there;
    /// [`MemoError::Full`], [`MemoError::Moved`].
    #[boxed]
    pub async fn add(
        &self,
        hand: &MemoHand,
        draft: &MemoDraft,
        now: Timestamp,
    ) -> Result<StoredMemo, MemoError> {
        self.do_to_memo(hand, MemoAction::Add(draft.memo().clone()), now).await
    }

    /// Changes a memo. If a reply changes it, the messages that the reply answered become sources of the memo too. A
    /// reply raises no priority above what its grounds allow.
    ///
    /// # Errors
    /// [`MemoError::Unknown`], [`MemoError::Elsewhere`], [`MemoError::ByHand`]; [`MemoError::Taken`] for its new name;
    /// [`MemoError::Moved`].
    #[boxed]
    pub async fn edit(
        &self,
        hand: &MemoHand,
        name: &str,
        change: &MemoChange,
        now: Timestamp,
    ) -> Result<StoredMemo, MemoError> {
        self.do_to_memo(hand, MemoAction::Edit { name: name.to_owned(), change: change.clone() }, now).await
    }

    /// Removes a memo and returns it.
    ///
    /// # Errors
    /// [`MemoError::Unknown`], [`MemoError::Elsewhere`], [`MemoError::ByHand`], [`MemoError::Moved`].
    #[boxed]
    pub async fn remove(&self, hand: &MemoHand, name: &str, now: Timestamp) -> Result<StoredMemo, MemoError> {
        self.do_to_memo(hand, MemoAction::Remove { name: name.to_owned() }, now).await
    }

    async fn do_to_memo(
        &self,
        hand: &MemoHand,
        deed: MemoAction,
        now: Timestamp,
    ) -> Result<StoredMemo, MemoError> {
        let store = self.store.clone();
        let hand = hand.clone();
        to_the_end!({
            let mut tx = store.db.begin().await?;
            let Some(writer) = MemoWriter::of(&mut tx, &hand, store.hearing.since()).await? else {
                return Ok(Err(MemoError::Moved));
            };
            let done = match &deed {
                MemoAction::Add(memo) => writer.add(&mut tx, memo, now).await,
                MemoAction::Edit { name, change } => writer.edit(&mut tx, name, change, now).await,
                MemoAction::Remove { name } => writer.remove(&mut tx, name, now).await,
            };
            match done {
                Ok(memo) => {
                    tx.commit().await?;
                    Ok(Ok(memo))
                }
                // An error of the database is returned as such, so that the write may be tried again.
                Err(MemoError::Store(error)) => Err(error),
                Err(refused) => Ok(Err(refused)),
            }
        })
        .await?
    }
}

impl<'a> MemoWriter<'a> {
    /// `None` if what a reply was made from no longer stands.
    async fn of(tx: &mut Tx, hand: &'a MemoHand, since: i64) -> Result<Option<Self>, StoreError> {
        match hand {
            MemoHand::Owner { audience, .. } => {
                if let Some(channel) = audience.channel() {
                    replies::lock_channel_row(tx, channel).await?;
                }
                let seen = VisibilityBinds::new(&Visibility::Owner, since);
                Ok(Some(Self { hand, audience: audience.clone(), seen }))
            }
            MemoHand::Reply(grounds) => {
                let Some(row) = grounds.standing_channel(tx, since).await? else { return Ok(None) };
                let seen = VisibilityBinds::new(&row.visibility(since), since);
                Ok(Some(Self { hand, audience: MemoAudience::Channel(row.channel.id), seen }))
            }
            MemoHand::FromMessage { channel, ts, .. } => {
                replies::lock_channel_row(tx, channel).await?;
                let (standing,): (i64,) = on!(&mut *tx, c => query_as(
                    "SELECT count(*) FROM messages WHERE channel_id = $1 AND ts = $2 AND deleted = 0")
                    .bind(channel.as_str()).bind(ts.as_micros()).fetch_one(c).await)?;
                let Some(row) = archive::find_channel_row(tx, channel).await?.filter(|_| standing > 0) else {
                    return Ok(None);
                };
                let seen = VisibilityBinds::new(&row.visibility(since), since);
                Ok(Some(Self { hand, audience: MemoAudience::Channel(row.channel.id), seen }))
            }
        }
    }

    async fn add(&self, tx: &mut Tx, memo: &Memo, now: Timestamp) -> Result<StoredMemo, MemoError> {
        self.must_be_free(tx, &memo.name).await?;
        let memo = &self.with_limited_priority(memo.clone(), LOWEST_PRIORITY);
        let channel = self.audience.channel().map(ChannelId::as_str);
        must_have_room(tx, &self.audience).await?;
        let id = fresh_id(tx).await?;
        // The owner's own memos have no channel whose lock would let only one writer in.
        let added = on!(&mut *tx, c => sqlx::query(
            "INSERT INTO memos (id, name, content, priority, tags, detail, channel_id, audience, created_at,
                                updated_at, made_by)
             VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $9, $10) ON CONFLICT DO NOTHING")
            .bind(&id.0).bind(&memo.name).bind(&memo.content).bind(i64::from(memo.priority))
            .bind(column_of(&memo.tags)).bind(&memo.detail).bind(channel).bind(self.audience.as_str())
            .bind(now.as_microsecond()).bind(self.by_hand()).execute(c).await.map(|done| done.rows_affected()))?;
        if added == 0 {
            return Err(MemoError::Taken(memo.name.clone()));
        }
        self.note_sources(tx, &id).await?;
        self.log_change(tx, &id, None, Some(memo), now).await?;
        read_existing_memo(tx, &id).await
    }

    async fn edit(
        &self,
        tx: &mut Tx,
        name: &str,
        change: &MemoChange,
        now: Timestamp,
    ) -> Result<StoredMemo, MemoError> {
        let before = self.find_changeable(tx, name).await?;
        let after = self.with_limited_priority(change.apply(before.memo.clone()), before.memo.priority);
        if after == before.memo {
            return Ok(before);
        }
        if after.name != name {
            self.must_be_free(tx, &after.name).await?;
        }
        on!(&mut *tx, c => sqlx::query(
            "UPDATE memos SET name = $2, content = $3, priority = $4, tags = $5, detail = $6, updated_at = $7,
                    changed_by = $8
             WHERE id = $1")
            .bind(&before.id.0).bind(&after.name).bind(&after.content).bind(i64::from(after.priority))
            .bind(column_of(&after.tags)).bind(&after.detail).bind(now.as_microsecond()).bind(self.by_hand())
            .execute(c).await.map(drop))?;
        self.note_sources(tx, &before.id).await?;
        self.log_change(tx, &before.id, Some(&before.memo), Some(&after), now).await?;
        read_existing_memo(tx, &before.id).await
    }

    async fn remove(&self, tx: &mut Tx, name: &str, now: Timestamp) -> Result<StoredMemo, MemoError> {
        let memo = self.find_changeable(tx, name).await?;
        self.log_change(tx, &memo.id, Some(&memo.memo), None, now).await?;
        drop_with_sources(tx, &memo.id).await?;
        if let MemoHand::Owner { .. } = self.hand {
            // What a person removes is kept nowhere.
            log::wipe_entries_about(tx, &memo.id, now).await?;
        }
        Ok(memo)
    }

    /// The memo with its priority limited to what a reply may give, or to the one it `had` if that was higher.
    fn with_limited_priority(&self, memo: Memo, had: u8) -> Memo {
        match self.hand {
            MemoHand::Owner { .. } | MemoHand::FromMessage { .. } => memo,
            MemoHand::Reply(grounds) => {
                Memo { priority: memo.priority.min(grounds.highest_priority.max(had)), ..memo }
            }
        }
    }

    /// The name of whoever wrote it by hand; empty for what was made from talk.
    fn by_hand(&self) -> &str {
        match self.hand {
            MemoHand::Owner { name, .. } => name,
            MemoHand::Reply(_) | MemoHand::FromMessage { .. } => "",
        }
    }

    async fn log_change(
        &self,
        tx: &mut Tx,
        memo: &MemoId,
        before: Option<&Memo>,
        after: Option<&Memo>,
        now: Timestamp,
    ) -> Result<(), StoreError> {
        let deed = match (before, after) {
            (None, _) => MemoDeed::Added,
            (Some(_), Some(_)) => MemoDeed::Changed,
            (Some(_), None) => MemoDeed::Removed,
        };
        let hand = Some(self.hand);
        let channel = self.audience.channel();
        log::write_log_entry(
            tx,
            &MemoLogDraft { memo, deed, hand, channel, before, after, placed: None },
            now,
        )
        .await
    }

    /// The memo of this name that may be changed.
    async fn find_changeable(&self, tx: &mut Tx, name: &str) -> Result<StoredMemo, MemoError> {
        let row: Option<MemoRow> = on!(&mut *tx, c => query_as(concat!("SELECT ", memo_columns!(),
            " FROM memos m WHERE m.name = $1 AND coalesce(m.channel_id, '') = $2"))
            .bind(name).bind(self.audience.channel().map_or("", ChannelId::as_str)).fetch_optional(c).await)?;
        if let Some(row) = row {
            let memo = memo_of_row(row)?;
            let is_forbidden = memo.is_by_hand() && !matches!(self.hand, MemoHand::Owner { .. });
            return if is_forbidden { Err(MemoError::ByHand(memo.memo.name)) } else { Ok(memo) };
        }
        let elsewhere = find_by_name(tx, &self.seen, name).await?.pop();
        let Some(memo) = elsewhere.filter(|_| !matches!(self.hand, MemoHand::Owner { .. })) else {
            return Err(MemoError::Unknown(name.to_owned()));
        };
        // What belongs to no channel was made by the owner.
        let MemoAudience::Channel(channel) = memo.audience else {
            return Err(MemoError::ByHand(memo.memo.name));
        };
        let row = archive::find_channel_row(tx, &channel).await?;
        let channel = row.map_or_else(|| channel.to_string(), |row| row.channel.name);
        Err(MemoError::Elsewhere { name: name.to_owned(), channel })
    }

    /// Checks that a name is free. A reply may not use a name that its place sees; the owner may use it in another
    /// channel.
    async fn must_be_free(&self, tx: &mut Tx, name: &str) -> Result<(), MemoError> {
        let seen = find_by_name(tx, &self.seen, name).await?;
        let is_taken = match self.hand {
            MemoHand::Owner { .. } => seen.iter().any(|memo| memo.channel() == self.audience.channel()),
            MemoHand::Reply(_) | MemoHand::FromMessage { .. } => !seen.is_empty(),
        };
        if is_taken { Err(MemoError::Taken(name.to_owned())) } else { Ok(()) }
    }

    /// Records what the memo was made from: it is removed with these words (`removal`). Of a message that was chosen nothing
    /// else was read.
    async fn note_sources(&self, tx: &mut Tx, id: &MemoId) -> Result<(), StoreError> {
        let (sources, read_revision) = match self.hand {
            MemoHand::Owner { .. } => return Ok(()),
            MemoHand::Reply(grounds) => (grounds.triggers.as_slice(), grounds.read_revision),
            MemoHand::FromMessage { ts, .. } => (std::slice::from_ref(ts), 0),
        };
        for ts in sources {
            on!(&mut *tx, c => sqlx::query(
                "INSERT INTO memo_sources (memo_id, ts) VALUES ($1, $2) ON CONFLICT (memo_id, ts) DO NOTHING")
                .bind(&id.0).bind(ts.as_micros()).execute(c).await.map(drop))?;
        }
        on!(tx, c => sqlx::query(
            "UPDATE memos SET read_revision = CASE WHEN read_revision > $2 THEN read_revision ELSE $2 END
             WHERE id = $1")
            .bind(&id.0).bind(read_revision).execute(c).await.map(drop))?;
        Ok(())
    }
}

/// Checks that one more memo fits among those of an audience's channel, or among those without a channel.
pub(super) async fn must_have_room(tx: &mut Tx, audience: &MemoAudience) -> Result<(), MemoError> {
    let (there,): (i64,) = on!(tx, c => query_as("SELECT count(*) FROM memos WHERE coalesce(channel_id, '') = $1")
        .bind(audience.channel().map_or("", ChannelId::as_str)).fetch_one(c).await)?;
    if unsigned_count(there) >= MOST_MEMOS { Err(MemoError::Full) } else { Ok(()) }
}

pub(super) async fn read_existing_memo(tx: &mut Tx, id: &MemoId) -> Result<StoredMemo, MemoError> {
    let row: MemoRow = on!(tx, c => query_as(concat!(
        "SELECT ", memo_columns!(), " FROM memos m WHERE m.id = $1")).bind(&id.0).fetch_one(c).await)?;
    Ok(memo_of_row(row)?)
}

/// Deletes a memo and the record of its sources.
pub(super) async fn drop_with_sources(tx: &mut Tx, id: &MemoId) -> Result<(), StoreError> {
    on!(&mut *tx, c => sqlx::query("DELETE FROM memo_sources WHERE memo_id = $1")
        .bind(&id.0).execute(c).await.map(drop))?;
    on!(tx, c => sqlx::query("DELETE FROM memos WHERE id = $1").bind(&id.0).execute(c).await.map(drop))?;
    Ok(())
}

/// A random id from the database, which no memo ever had.
async fn fresh_id(tx: &mut Tx) -> Result<MemoId, StoreError> {
    let (id,): (String,) = match tx {
        Tx::Sqlite(tx) => query_as("SELECT lower(hex(randomblob(16)))").fetch_one(&mut **tx).await?,
        Tx::Postgres(tx) => {
            query_as("SELECT replace(gen_random_uuid()::text, '-', '')").fetch_one(&mut *tx).await?
        }
    };
    Ok(MemoId(id))
}

fn column_of(tags: &[String]) -> String {
    serde_json::Value::from(tags).to_string()
}

/// Renames memos that were made under a channel's new id if a memo under the old id has the same name.
pub(crate) async fn rename_taken(
    tx: &mut Tx,
    old: &ChannelId,
    new: &ChannelId,
    now: Timestamp,
) -> Result<(), StoreError> {
    let rows: Vec<MemoRow> = on!(&mut *tx, c => query_as(concat!("SELECT ", memo_columns!(),
        " FROM memos m WHERE m.channel_id = $2 AND EXISTS (
            SELECT 1 FROM memos o WHERE o.channel_id = $1 AND o.name = m.name)"))
        .bind(old.as_str()).bind(new.as_str()).fetch_all(c).await)?;
    for row in rows {
        let StoredMemo { id, memo: before, .. } = memo_of_row(row)?;
        let begin: String = before.name.chars().take(23).collect();
        let mark: String = id.0.chars().take(8).collect();
        let after = Memo { name: format!("{begin}-{mark}"), ..before.clone() };
        on!(&mut *tx, c => sqlx::query("UPDATE memos SET name = $2 WHERE id = $1")
            .bind(&id.0).bind(&after.name).execute(c).await.map(drop))?;
        let changed = MemoLogDraft {
            memo: &id,
            deed: MemoDeed::Changed,
            hand: None,
            channel: Some(new),
            before: Some(&before),
            after: Some(&after),
            placed: None,
        };
        log::write_log_entry(tx, &changed, now).await?;
    }
    Ok(())
}
