//! Tells where a post of ours comes from: who asked for it or why it was said unasked, and what the model was shown.

use std::collections::BTreeSet;

use async_recursion::async_recursion as boxed;
use jiff::Timestamp;
use myao_core::chat::{ChannelId, MessageTs, Visibility};

use super::{
    inputs::{self, ReplyInput},
    reply_id::ReplyId,
};
use crate::{
    RepliesHandle, StoreError,
    db::{
        Tx, query_as,
        values::{instant_from_micros, row, unsigned_count},
    },
};

/// Where a post of ours comes from. Its reason may be shown where the post may be seen; of the addresses that it holds, what
/// stands there has to be read through a visibility.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct PostOrigin {
    /// The messages that it answers, oldest first; none if nobody asked.
    pub answers: Vec<MessageTs>,
    /// Why it was said unasked.
    pub unasked: Option<UnaskedReason>,
    /// The model that wrote it, and its call; `None` if that is not known any more.
    pub model: Option<ModelOfPost>,
    /// The talk that was shown: a channel with the first and the last message.
    pub talk: BTreeSet<ShownTalk>,
    /// The channels whose memories were shown; `None` for the workspace's.
    pub memories: BTreeSet<Option<ChannelId>>,
    /// The ids of the memos that were shown.
    pub memos: BTreeSet<String>,
}

/// Why something was said unasked.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct UnaskedReason {
    /// When that was decided.
    pub at: Timestamp,
    /// Why; empty if the reason held words that were removed since.
    pub reason: String,
}

/// The call of a model that wrote a post.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ModelOfPost {
    /// The model.
    pub model: String,
    /// Tokens that it read.
    pub tokens_in: u64,
    /// Tokens that it wrote.
    pub tokens_out: u64,
}

/// Talk that was shown.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct ShownTalk {
    /// The channel.
    pub channel: ChannelId,
    /// The first message.
    pub from: MessageTs,
    /// The last one.
    pub to: MessageTs,
}

row! {
    /// The call behind a reply.
    struct CallRow {
        model: String,
        tokens_in: i64,
        tokens_out: i64,
    }
}

impl RepliesHandle<'_> {
    /// Where the post at an address comes from; `None` if no reply of ours is known there, or the channel may not be seen.
    #[boxed]
    pub async fn origin_of_post(
        &self,
        visibility: &Visibility,
        channel: &ChannelId,
        ts: MessageTs,
    ) -> Result<Option<PostOrigin>, StoreError> {
        let mut tx = self.store.db.snapshot().await?;
        if !self.store.hearing().shown_channels(visibility).shows_talk_of(&mut tx, channel).await? {
            return Ok(None);
        }
        let Some(reply) = reply_of_post(&mut tx, channel, ts).await? else { return Ok(None) };
        let mut origin = PostOrigin {
            answers: answered_by(&mut tx, reply.0).await?,
            unasked: reason_of(&mut tx, reply.0).await?,
            model: call_of(&mut tx, reply.0).await?,
            ..PostOrigin::default()
        };
        for input in inputs::stored_for_reply(&mut tx, reply).await?.iter() {
            match input.clone() {
                ReplyInput::Talk { channel, from, to, .. } => {
                    origin.talk.insert(ShownTalk { channel, from, to });
                }
                ReplyInput::Memory { channel, .. } => {
                    origin.memories.insert(channel);
                }
                ReplyInput::Memo { id, .. } => {
                    origin.memos.insert(id.0);
                }
                ReplyInput::Reason(_) | ReplyInput::Channel(_) | ReplyInput::OptOuts(_) => {}
            }
        }
        Ok(Some(origin))
    }
}

/// The reply that was posted at an address.
pub(super) async fn reply_of_post(
    tx: &mut Tx,
    channel: &ChannelId,
    ts: MessageTs,
) -> Result<Option<ReplyId>, StoreError> {
    let reply: Option<(i64,)> = on!(tx, c => query_as(
        "SELECT r.id FROM reply_parts p JOIN replies r ON r.id = p.reply_id
         WHERE p.ts = $1 AND p.ts IS NOT NULL AND r.channel_id = $2 LIMIT 1")
        .bind(ts.as_micros()).bind(channel.as_str()).fetch_optional(c).await)?;
    Ok(reply.map(|(reply,)| ReplyId(reply)))
}

async fn answered_by(tx: &mut Tx, reply: i64) -> Result<Vec<MessageTs>, StoreError> {
    let rows: Vec<(i64,)> = on!(tx, c => query_as("SELECT ts FROM reply_triggers WHERE reply_id = $1 ORDER BY ts")
        .bind(reply).fetch_all(c).await)?;
    Ok(rows.into_iter().map(|(ts,)| MessageTs::from_micros(ts)).collect())
}

async fn reason_of(tx: &mut Tx, reply: i64) -> Result<Option<UnaskedReason>, StoreError> {
    let row: Option<(i64, String)> = on!(tx, c => query_as(
        "SELECT at, reason FROM verdicts WHERE reply_id = $1 ORDER BY id DESC LIMIT 1")
        .bind(reply).fetch_optional(c).await)?;
    Ok(row.map(|(at, reason)| UnaskedReason { at: instant_from_micros(at), reason }))
}

async fn call_of(tx: &mut Tx, reply: i64) -> Result<Option<ModelOfPost>, StoreError> {
    let row: Option<CallRow> = on!(tx, c => query_as(
        "SELECT m.model, m.tokens_in, m.tokens_out FROM replies r JOIN model_calls m ON m.id = r.call_id
         WHERE r.id = $1").bind(reply).fetch_optional(c).await)?;
    Ok(row.map(|row| ModelOfPost {
        model: row.model,
        tokens_in: unsigned_count(row.tokens_in),
        tokens_out: unsigned_count(row.tokens_out),
    }))
}
