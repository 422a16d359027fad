//! Checks whether what a reply that writes a memo was made from still stands.

use std::collections::BTreeSet;

use jiff::Timestamp;
use myao_core::chat::MessageTs;

use crate::{
    ChannelRow, Claim, ReplyId, Sight, StoreError, archive,
    db::{Tx, query_as},
    replies, sight,
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
    /// The channel's revision when the prompt was read: nothing in the channel may have been taken back or edited
    /// since.
    pub read_revision: i64,
    /// When the prompt was read: no memory that it may have held may have been wiped since.
    pub read_at: Timestamp,
    /// The highest priority that it may give a memo: what whoever asks wants always remembered may have any.
    pub highest_priority: u8,
    /// What the prompt may have held: if it held what is said elsewhere, nothing is written once people from outside
    /// may take part.
    pub sight: Sight,
}

impl Grounds {
    /// The channel in which the reply writes; `None` if something no longer stands. Locks the channel's row, so that
    /// nothing more arrives in it.
    pub(super) async fn stand(&self, tx: &mut Tx, since: i64) -> Result<Option<ChannelRow>, StoreError> {
        let Some(place) = replies::take(tx, &self.claim, self.reply).await? else { return Ok(None) };
        if !is_asked_for(tx, self).await?
            || archive::was_taken_back(tx, &place.channel, self.read_revision, self.read_at).await?
        {
            return Ok(None);
        }
        if !sight::holds(tx, &place.channel, (self.sight, since)).await? {
            return Ok(None);
        }
        archive::channel(tx, &place.channel).await
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
