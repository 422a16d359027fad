//! Reads once more what a post of ours was made from in its own channel: the talk, and the texts of memories.

use async_recursion::async_recursion as boxed;
use myao_core::chat::{ChannelId, Message, MessageTs, Visibility};

use super::{
    inputs::{self, ReplyInput},
    origin::reply_of_post,
};
use crate::{
    RepliesHandle, StoreError,
    archive::{
        message_columns,
        rows::{MessageRow, message_of_row},
    },
    db::query_as,
};

/// The most messages of one stretch of talk that are read, the newest.
const MOST_OF_TALK: i64 = 200;

/// What a post was made from in its own channel, as it stands now.
#[derive(Clone, Debug, Default)]
pub struct ShownWords {
    /// What people and we said, oldest first of each stretch.
    pub messages: Vec<Message>,
    /// The texts of memories that were shown and still have their words.
    pub texts: Vec<String>,
}

impl RepliesHandle<'_> {
    /// What the post at an address was made from in its own channel; `None` if no reply of ours is known there, or the
    /// channel may not be seen.
    #[boxed]
    pub async fn words_shown_for(
        &self,
        visibility: &Visibility,
        channel: &ChannelId,
        ts: MessageTs,
    ) -> Result<Option<ShownWords>, StoreError> {
        let mut tx = self.store.db.snapshot().await?;
        if !self.store.hearing().shown_channels(visibility).shows_talk_of(&mut tx, channel).await? {
            return Ok(None);
        }
        let Some(reply) = reply_of_post(&mut tx, channel, ts).await? else { return Ok(None) };
        let mut shown = ShownWords::default();
        for input in inputs::stored_for_reply(&mut tx, reply).await?.iter() {
            match input {
                ReplyInput::Talk { channel: of, from, to, thread, .. } if of == channel => {
                    let rows: Vec<MessageRow> = on!(&mut tx, c => query_as(concat!("SELECT ", message_columns!(),
                        " FROM messages m WHERE m.channel_id = $1 AND m.ts >= $2 AND m.ts <= $3 AND m.kind = 'talk'
                            AND m.deleted = 0 ORDER BY m.ts DESC LIMIT $4"))
                        .bind(channel.as_str()).bind(from.as_micros()).bind(to.as_micros()).bind(MOST_OF_TALK)
                        .fetch_all(c).await)?;
                    let messages: Result<Vec<Message>, StoreError> =
                        rows.into_iter().rev().map(message_of_row).collect();
                    let of_thread = |message: &Message| thread.is_none_or(|root| message.thread() == root);
                    shown.messages.extend(messages?.into_iter().filter(of_thread));
                }
                ReplyInput::Memory { channel: Some(of), step } if of == channel => {
                    let text: Option<(String,)> = on!(&mut tx, c => query_as(
                        "SELECT content FROM memory_steps WHERE id = $1 AND content IS NOT NULL")
                        .bind(step.0).fetch_optional(c).await)?;
                    shown.texts.extend(text.map(|(text,)| text));
                }
                ReplyInput::Talk { .. }
                | ReplyInput::Memory { .. }
                | ReplyInput::Memo { .. }
                | ReplyInput::Reason(_)
                | ReplyInput::Channel(_)
                | ReplyInput::OptOuts(_) => {}
            }
        }
        Ok(Some(shown))
    }
}
