//! Gives memos another audience, on the owner's word (ADR 77), and finds those of the predecessor that wait for it.

use async_recursion::async_recursion as boxed;
use jiff::Timestamp;
use myao_core::chat::{ChannelId, Visibility};

use super::{
    audience::MemoAudience,
    log::{self, MemoDeed, MemoLogDraft, PREDECESSOR},
    stored::{MemoRow, StoredMemo, find_by_name, memo_columns, memo_of_row},
    write::{MemoError, MemoHand, must_have_room, read_existing_memo},
};
use crate::{
    MemosHandle, StoreError,
    db::{Tx, query_as, values::unsigned_count},
    hearing::visible::VisibilityBinds,
    memory::memo_id::MemoId,
    replies,
};

/// The most memos of the predecessor that are listed: far more than anybody made, and few enough to be read as a whole.
const MOST_TAKEN_OVER: i64 = 10_000;

/// A memo that is to get another audience.
#[derive(Clone, Debug)]
pub struct MemoPlacement {
    /// Which memo.
    pub memo: MemoId,
    /// Who is to see it.
    pub audience: MemoAudience,
    /// The name of the owner who says so.
    pub by: String,
}

impl MemosHandle<'_> {
    /// Gives a memo another audience. Nothing is written if it has that audience already; when it was last changed
    /// stays, since what it says does.
    ///
    /// # Errors
    /// [`MemoError::Unknown`]; [`MemoError::MadeFromTalk`] if a reply wrote in it; [`MemoError::Taken`] if another memo
    /// there has its name; [`MemoError::Full`]; [`MemoError::Moved`] if it was placed elsewhere meanwhile.
    #[boxed]
    pub async fn change_audience(
        &self,
        placement: &MemoPlacement,
        now: Timestamp,
    ) -> Result<StoredMemo, MemoError> {
        let store = self.store.clone();
        let placement = placement.clone();
        to_the_end!({
            let mut tx = store.db.begin().await?;
            match placement.apply(&mut tx, store.hearing.since(), now).await {
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

    /// How many memos of the predecessor are seen by the owner alone because nobody has said yet who else is to see
    /// them.
    #[boxed]
    pub async fn count_undecided(&self) -> Result<u64, StoreError> {
        let mut tx = self.store.db.snapshot().await?;
        let (undecided,): (i64,) = on!(&mut tx, c => query_as(
            "SELECT count(*) FROM memos WHERE audience = 'undecided'").fetch_one(c).await)?;
        Ok(unsigned_count(undecided))
    }

    /// The memos of the predecessor, whoever sees them now, most important first.
    #[boxed]
    pub async fn taken_over(&self) -> Result<Vec<StoredMemo>, StoreError> {
        let mut tx = self.store.db.snapshot().await?;
        let rows: Vec<MemoRow> = on!(&mut tx, c => query_as(concat!("SELECT ", memo_columns!(),
            " FROM memos m WHERE m.made_by = $1 OR m.audience = 'undecided'
              ORDER BY m.priority DESC, m.updated_at DESC, m.name, m.id LIMIT $2"))
            .bind(PREDECESSOR).bind(MOST_TAKEN_OVER).fetch_all(c).await)?;
        rows.into_iter().map(memo_of_row).collect()
    }
}

impl MemoPlacement {
    async fn apply(&self, tx: &mut Tx, since: i64, now: Timestamp) -> Result<StoredMemo, MemoError> {
        let Some(found) = read_stored_memo(tx, &self.memo).await? else {
            return Err(MemoError::Unknown(self.memo.as_str().to_owned()));
        };
        // Both channels are locked, in the order in which everybody locks several, before anything is decided.
        let mut channels: Vec<&ChannelId> =
            [found.channel(), self.audience.channel()].into_iter().flatten().collect();
        channels.sort_unstable();
        channels.dedup();
        for channel in channels {
            replies::lock_channel_row(tx, channel).await?;
        }
        let before = read_stored_memo(tx, &self.memo).await?.filter(|memo| memo.audience == found.audience);
        let before = before.ok_or(MemoError::Moved)?;
        if before.audience == self.audience {
            return Ok(before);
        }
        let name = &before.memo.name;
        if is_made_from_talk(tx, &self.memo).await? {
            return Err(MemoError::MadeFromTalk(name.clone()));
        }
        if before.channel() != self.audience.channel() {
            self.must_have_place(tx, name, since).await?;
        }
        on!(&mut *tx, c => sqlx::query("UPDATE memos SET channel_id = $2, audience = $3 WHERE id = $1")
            .bind(&self.memo.0).bind(self.audience.channel().map(ChannelId::as_str))
            .bind(self.audience.as_str()).execute(c).await.map(drop))?;
        self.log_change(tx, &before, now).await?;
        read_existing_memo(tx, &self.memo).await
    }

    /// Checks that the name is free where the memo is to be, and that there is room for it.
    async fn must_have_place(&self, tx: &mut Tx, name: &str, since: i64) -> Result<(), MemoError> {
        let alike = find_by_name(tx, &VisibilityBinds::new(&Visibility::Owner, since), name).await?;
        if alike.iter().any(|memo| memo.channel() == self.audience.channel()) {
            return Err(MemoError::Taken(name.to_owned()));
        }
        must_have_room(tx, &self.audience).await
    }

    async fn log_change(&self, tx: &mut Tx, before: &StoredMemo, now: Timestamp) -> Result<(), StoreError> {
        let hand = MemoHand::Owner { name: self.by.clone(), audience: self.audience.clone() };
        let placed = MemoLogDraft {
            memo: &self.memo,
            deed: MemoDeed::Placed,
            hand: Some(&hand),
            channel: self.audience.channel(),
            before: Some(&before.memo),
            after: Some(&before.memo),
            placed: Some((&before.audience, &self.audience)),
        };
        log::write_log_entry(tx, &placed, now).await
    }
}

async fn read_stored_memo(tx: &mut Tx, id: &MemoId) -> Result<Option<StoredMemo>, StoreError> {
    let row: Option<MemoRow> = on!(tx, c => query_as(concat!("SELECT ", memo_columns!(),
        " FROM memos m WHERE m.id = $1")).bind(&id.0).fetch_optional(c).await)?;
    row.map(memo_of_row).transpose()
}

/// Whether a reply wrote in a memo: its words are then those of its channel, and go with them.
async fn is_made_from_talk(tx: &mut Tx, id: &MemoId) -> Result<bool, StoreError> {
    let (made,): (i64,) = on!(tx, c => query_as(
        "SELECT count(*) FROM memos m WHERE m.id = $1
            AND (m.read_revision IS NOT NULL OR EXISTS (SELECT 1 FROM memo_sources s WHERE s.memo_id = m.id))")
        .bind(&id.0).fetch_one(c).await)?;
    Ok(made > 0)
}
