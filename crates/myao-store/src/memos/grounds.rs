//! Checks whether what a reply that writes a memo was made from still stands.

use std::{
    collections::BTreeSet,
    sync::{Arc, Mutex, MutexGuard, PoisonError},
};

use myao_core::chat::MessageTs;

use super::stored::StoredMemo;
use crate::{
    StoreError,
    archive::{self, ChannelRow},
    db::{Tx, claims::Claim, query_as},
    hearing::sight::Sight,
    memory::memo_id::MemoId,
    replies::{
        self, ReplyId,
        inputs::{self, InputSource, ReplyInput, ReplyInputs, SightRule},
    },
};

/// What a reply that writes a memo was made from, and what must still hold when it writes.
#[derive(Clone, Debug)]
pub struct Grounds {
    /// The claim on the reply's place; the memo belongs to that place's channel.
    pub claim: Claim,
    /// The reply, which must still be wanted.
    pub reply: ReplyId,
    /// The messages it answers: each must still be one of its triggers, with the words the prompt held. They are the
    /// memo's sources. There is at least one: nothing is noted if nobody asked.
    pub triggers: Vec<MessageTs>,
    /// The channel's revision when the prompt was read: no trigger may have changed its words since.
    pub read_revision: i64,
    /// The highest priority that it may give a memo: what whoever asks wants always remembered may have any.
    pub highest_priority: u8,
    /// What the place saw when the prompt was read.
    pub sight: Sight,
    /// Everything that was shown so far: all of it must still stand, and may still be seen there. Tools add to it.
    pub inputs: SharedInputs,
}

/// What a reply that is being made was shown so far: its prompt, and what its tools show.
#[derive(Clone, Debug, Default)]
pub struct SharedInputs(Arc<Mutex<ReplyInputs>>);

impl SharedInputs {
    /// The inputs of a prompt.
    pub fn new(inputs: ReplyInputs) -> Self {
        Self(Arc::new(Mutex::new(inputs)))
    }

    /// What was shown so far.
    pub fn so_far(&self) -> ReplyInputs {
        self.held().clone()
    }

    /// Adds what a tool shows.
    pub fn extend(&self, inputs: ReplyInputs) {
        self.held().extend(inputs);
    }

    /// Adds a memo as it is now.
    pub fn add_memo(&self, memo: &StoredMemo) {
        self.held().add_memo(memo);
    }

    /// Drops a memo that the reply removed.
    pub fn drop_memo(&self, memo: &MemoId) {
        self.held().drop_memo(memo);
    }

    fn held(&self) -> MutexGuard<'_, ReplyInputs> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Grounds {
    /// The channel in which the reply writes; `None` if something no longer stands. Locks the channel's row, so that
    /// nothing more arrives in it.
    pub(super) async fn standing_channel(
        &self,
        tx: &mut Tx,
        since: i64,
    ) -> Result<Option<ChannelRow>, StoreError> {
        let Some(place) = replies::claimed_place(tx, &self.claim, self.reply).await? else { return Ok(None) };
        if !is_asked_for(tx, self).await? {
            return Ok(None);
        }
        let inputs = self.inputs.so_far();
        let known = SightRule::Known { since };
        if !inputs::find_lost_inputs(tx, InputSource::Held(&inputs), &place.channel, known).await?.is_empty()
        {
            return Ok(None);
        }
        archive::find_channel_row(tx, &place.channel).await
    }
}

/// Whether the messages that the reply answers still ask for it, in the words that the prompt held.
async fn is_asked_for(tx: &mut Tx, grounds: &Grounds) -> Result<bool, StoreError> {
    let rows: Vec<(i64,)> = on!(tx, c => query_as(
        "SELECT t.ts FROM replies r JOIN reply_triggers t ON t.reply_id = r.id
         JOIN messages m ON m.channel_id = t.channel_id AND m.ts = t.ts
         WHERE r.id = $1 AND r.state = 'wanted' AND m.deleted = 0 AND m.revision <= $2")
        .bind(grounds.reply.0).bind(grounds.read_revision).fetch_all(c).await)?;
    let standing: BTreeSet<MessageTs> = rows.into_iter().map(|(ts,)| MessageTs::from_micros(ts)).collect();
    Ok(!grounds.triggers.is_empty() && grounds.triggers.iter().all(|ts| standing.contains(ts)))
}

impl ReplyInputs {
    /// Adds a memo that was shown. What it said when it was shown before no longer counts.
    pub fn add_memo(&mut self, memo: &StoredMemo) {
        self.drop_memo(&memo.id);
        let id = memo.id.clone();
        let channel = memo.channel().cloned();
        self.add(ReplyInput::Memo { id, channel, changed_at: memo.updated_at.as_microsecond() });
    }
}
