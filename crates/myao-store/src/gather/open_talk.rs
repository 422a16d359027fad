//! Reads the newest talk of every channel that may be seen, for what is open in it: promises, questions, dates (ADR 138).
//!
//! Whoever asks for that has it read; prompts, and what is said unasked, only with `response.open_loops`.

use async_recursion::async_recursion as boxed;
use myao_core::chat::{ChannelId, Message, MessageTs, Visibility};

use crate::{
    GatherHandle, StoreError,
    archive::{
        message_columns,
        rows::{MessageRow, message_of_row},
    },
    db::{Tx, query_as, values::signed_count},
    hearing::{
        opt_outs,
        visible::{VisibilityBinds, visible},
    },
};

/// Which talk is read.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NewestTalkQuery {
    /// Only this channel.
    pub channel: Option<ChannelId>,
    /// After this.
    pub after: MessageTs,
    /// Up to this, inclusive.
    pub until: MessageTs,
    /// The most channels, those last spoken in; it does not bound `channel`.
    pub most_channels: u64,
    /// The most messages of a channel, the newest.
    pub most_messages: u64,
    /// Once so many messages are read, no further channel is.
    pub most_in_all: usize,
}

impl GatherHandle<'_> {
    /// The newest talk of the channels that `visibility` shows, in no particular order. Nothing of channels and people who
    /// opted out is among it, whoever asks.
    #[boxed]
    pub async fn newest_talk(
        &self,
        visibility: &Visibility,
        query: &NewestTalkQuery,
    ) -> Result<Vec<Message>, StoreError> {
        let mut tx = self.store.db.snapshot().await?;
        let seen = self.store.hearing().visibility_binds(visibility);
        let mut channels = channels_with_talk(&mut tx, &seen, query).await?;
        if let Some(only) = &query.channel {
            channels.retain(|channel| channel == only.as_str());
        }
        let mut talk = Vec::new();
        for channel in &channels {
            if talk.len() >= query.most_in_all {
                break;
            }
            let rows: Vec<MessageRow> = on!(&mut tx, c => query_as(concat!("SELECT ", message_columns!(),
                " FROM messages m
                  WHERE m.channel_id = $1 AND m.ts > $2 AND m.ts <= $3 AND m.kind = 'talk' AND m.deleted = 0
                  ORDER BY m.ts DESC LIMIT $4"))
                .bind(channel).bind(query.after.as_micros()).bind(query.until.as_micros())
                .bind(signed_count(query.most_messages)).fetch_all(c).await)?;
            for row in rows {
                talk.push(message_of_row(row)?);
            }
        }
        let hidden = opt_outs::hidden_people(&mut tx).await?;
        talk.retain(|message| !opt_outs::is_hidden(&hidden, message));
        Ok(talk)
    }
}

/// The channels that are seen and in which something was said after the query's beginning, those last spoken in first.
async fn channels_with_talk(
    tx: &mut Tx,
    seen: &VisibilityBinds,
    query: &NewestTalkQuery,
) -> Result<Vec<String>, StoreError> {
    let most = if query.channel.is_some() { u64::MAX } else { query.most_channels };
    let rows: Vec<(String,)> = on!(tx, c => query_as(concat!(
        "SELECT c.id FROM channels c WHERE c.last_talk > $4 AND c.opted_out = 0 AND ", visible!(),
        " ORDER BY c.last_talk DESC, c.id LIMIT $5"))
        .bind(&seen.own).bind(seen.open).bind(seen.all).bind(query.after.as_micros())
        .bind(signed_count(most)).fetch_all(c).await)?;
    Ok(rows.into_iter().map(|(id,)| id).collect())
}
