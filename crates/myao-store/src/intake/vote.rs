//! Takes in what somebody thinks of a message of ours (ADR 129).
//!
//! It is kept of people, not of bots or ourselves, who did not opt out, and of messages that stand and are posts of replies.
//! Whatever is told again or out of turn, the latest counts.

use myao_core::chat::{AnswerVote, ChannelId, MessageTs};

use super::batch::{Batch, is_bot};
use crate::{
    StoreError,
    db::{Tx, query_as},
};

impl Batch<'_> {
    /// Notes a vote, or that it was taken back, if it may be kept.
    pub(super) async fn take_vote(&mut self, tx: &mut Tx, vote: AnswerVote) -> Result<(), StoreError> {
        let is_of_person = !self.words.are_ours(&vote.by) && !is_bot(tx, &vote.by).await?;
        if !is_of_person
            || !stands_as_post(tx, &vote.channel, vote.ts).await?
            || !self.left_out.may_be_named(tx, &vote.by, &vote.channel, self.now).await?
        {
            return Ok(());
        }
        if vote.is_taken_back { take_vote_back(tx, &vote).await } else { put_vote(tx, &vote).await }
    }
}

/// Whether a message is a post of a reply, and was not deleted.
async fn stands_as_post(tx: &mut Tx, channel: &ChannelId, ts: MessageTs) -> Result<bool, StoreError> {
    let (found,): (i64,) = on!(tx, c => query_as(
        "SELECT count(*) FROM reply_parts p JOIN replies r ON r.id = p.reply_id
         JOIN messages m ON m.channel_id = r.channel_id AND m.ts = p.ts
         WHERE p.ts = $2 AND p.ts IS NOT NULL AND p.reacts_to IS NULL AND r.channel_id = $1 AND m.deleted <> 1")
        .bind(channel.as_str()).bind(ts.as_micros()).fetch_one(c).await)?;
    Ok(found > 0)
}

async fn put_vote(tx: &mut Tx, vote: &AnswerVote) -> Result<(), StoreError> {
    on!(tx, c => sqlx::query(
        "INSERT INTO reply_votes (channel_id, ts, user_id, vote, source, at) VALUES ($1, $2, $3, $4, $5, $6)
         ON CONFLICT (channel_id, ts, user_id) DO UPDATE
         SET vote = excluded.vote, source = excluded.source, at = excluded.at
         WHERE reply_votes.at < excluded.at")
        .bind(vote.channel.as_str()).bind(vote.ts.as_micros()).bind(vote.by.as_str()).bind(vote.vote.as_str())
        .bind(vote.source.as_str()).bind(vote.at.as_micros()).execute(c).await.map(drop))?;
    Ok(())
}

/// Takes a vote back that stands, or that was not told of yet. What else its person said since then stays.
async fn take_vote_back(tx: &mut Tx, vote: &AnswerVote) -> Result<(), StoreError> {
    on!(tx, c => sqlx::query(
        "INSERT INTO reply_votes (channel_id, ts, user_id, vote, source, at) VALUES ($1, $2, $3, '', $5, $6)
         ON CONFLICT (channel_id, ts, user_id) DO UPDATE SET vote = '', at = excluded.at
         WHERE reply_votes.at < excluded.at AND reply_votes.source = excluded.source
           AND reply_votes.vote IN ('', $4)")
        .bind(vote.channel.as_str()).bind(vote.ts.as_micros()).bind(vote.by.as_str()).bind(vote.vote.as_str())
        .bind(vote.source.as_str()).bind(vote.at.as_micros()).execute(c).await.map(drop))?;
    Ok(())
}
