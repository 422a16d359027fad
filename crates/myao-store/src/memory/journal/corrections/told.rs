//! Keeps what somebody put right in talk: once for each message, whoever tries (specification §4).

use async_recursion::async_recursion as boxed;
use jiff::Timestamp;
use myao_core::{
    chat::{ChannelId, MessageTs, UserId},
    memory::{MemoryType, ReplacedStatement},
};

use super::{
    super::{by_hand::ByHand, hold_still},
    NewCorrection, beside, note_correction,
};
use crate::{
    MemoryHandle, StoreError,
    db::{Tx, query_as},
    memory::due,
};

/// What somebody put right in talk.
#[derive(Clone, Debug)]
pub struct ToldCorrection {
    /// Where they said it.
    pub channel: ChannelId,
    /// Their message that says what holds.
    pub ts: MessageTs,
    /// Their message that says which statement is wrong, where they were asked that.
    pub chosen_in: Option<MessageTs>,
    /// Who they are.
    pub user: UserId,
    /// What they are called.
    pub actor: String,
    /// The channel's revision at which their messages were read: they must not say anything else since.
    pub revision: i64,
    /// The statement that is wrong.
    pub wrong: String,
    /// The statement that holds.
    pub right: String,
    /// The mark behind what is wrong.
    pub mark: String,
}

impl MemoryHandle<'_> {
    /// What a message put right, as it was stored; `None` if nothing was.
    #[boxed]
    pub async fn correction_of_message(
        &self,
        channel: &ChannelId,
        ts: MessageTs,
    ) -> Result<Option<String>, StoreError> {
        let mut tx = self.store.db.snapshot().await?;
        let row: Option<(String,)> = on!(&mut tx, c => query_as(
            "SELECT s.content FROM corrections k JOIN memory_steps s ON s.id = k.step_id
             WHERE k.channel_id = $1 AND k.message_ts = $2 AND s.content IS NOT NULL")
            .bind(channel.as_str()).bind(ts.as_micros()).fetch_optional(c).await)?;
        Ok(row.map(|(words,)| words))
    }

    /// Stores what a message puts right, and puts the texts of its channel right with it. `false` if one of the messages
    /// is gone or says something else, or nothing was wrong.
    #[boxed]
    pub async fn put_right_as_told(&self, told: &ToldCorrection, now: Timestamp) -> Result<bool, StoreError> {
        let store = self.store.clone();
        let told = told.clone();
        to_the_end!({
            let mut tx = store.db.begin().await?;
            let stands = store_told(&mut tx, &told, now).await?;
            tx.commit().await?;
            Ok(stands)
        })
        .await
    }
}

async fn store_told(tx: &mut Tx, told: &ToldCorrection, now: Timestamp) -> Result<bool, StoreError> {
    hold_still(tx, Some(&told.channel)).await?;
    let chosen_in = told.chosen_in.unwrap_or(told.ts);
    let (stored, standing): (i64, i64) = on!(&mut *tx, c => query_as(
        "SELECT (SELECT count(*) FROM corrections k WHERE k.channel_id = $1 AND k.message_ts = $2),
                (SELECT count(*) FROM messages m
                 WHERE m.channel_id = $1 AND m.ts IN ($2, $3) AND m.deleted = 0 AND m.revision <= $4)")
        .bind(told.channel.as_str()).bind(told.ts.as_micros()).bind(chosen_in.as_micros())
        .bind(told.revision).fetch_one(c).await)?;
    let wanted = if chosen_in == told.ts { 1 } else { 2 };
    if stored > 0 || standing < wanted {
        return Ok(stored > 0);
    }
    let Some(statement) = ReplacedStatement::of(&told.wrong, told.right.clone()) else { return Ok(false) };
    let by = ByHand {
        actor: told.actor.clone(),
        user: Some(told.user.clone()),
        reason: "said in talk".to_owned(),
    };
    let new = NewCorrection {
        channel: &told.channel,
        // It stands in the chapter in which it was said.
        scope_id: told.channel.as_str(),
        memory_type: MemoryType::ShortTerm,
        until: told.ts,
        statement,
        by,
        message: Some((told.ts, &told.mark)),
    };
    let noted = note_correction(tx, new, now).await?;
    beside::put_right_in_channel(tx, &told.channel, None, &[noted], now).await?;
    due::look_at(tx, &told.channel).await?;
    Ok(true)
}
