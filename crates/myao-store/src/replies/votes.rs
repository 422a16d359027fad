//! Tells what people think of what we said (ADR 129). Their votes come in by `intake::vote`.

use async_recursion::async_recursion as boxed;
use jiff::Timestamp;
use myao_core::{
    chat::{ChannelId, MessageTs, Place, UserId, Visibility, Vote},
    judgment::Cause,
};

use super::{reply::place_of_columns, reply_id::ReplyId};
use crate::{
    LedgerQuery, RepliesHandle, StoreError,
    db::{
        Tx, query_as,
        values::{instant_from_micros, parse_column, row, signed_count, unsigned_count},
    },
};

/// How many people found a reply good, and how many bad.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct VoteCount {
    /// Who found it good.
    pub good: u64,
    /// Who found it bad.
    pub bad: u64,
}

impl VoteCount {
    /// Whether anybody said anything.
    pub const fn is_empty(self) -> bool {
        self.good == 0 && self.bad == 0
    }

    /// What most of them think; `None` if nobody said anything, or as many one as the other.
    pub fn majority(self) -> Option<Vote> {
        match self.good.cmp(&self.bad) {
            std::cmp::Ordering::Greater => Some(Vote::Good),
            std::cmp::Ordering::Less => Some(Vote::Bad),
            std::cmp::Ordering::Equal => None,
        }
    }
}

/// A reply of which somebody said what they think.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct VotedReply {
    /// Its number.
    pub id: ReplyId,
    /// Where it was said.
    pub place: Place,
    /// Why it was given.
    pub cause: Cause,
    /// When somebody last voted.
    pub at: Timestamp,
    /// The time stamp of its first post.
    pub posted_ts: MessageTs,
    /// What people think of it.
    pub votes: VoteCount,
}

row! {
    /// A reply with votes.
    struct VotedRow {
        id: i64,
        channel_id: String,
        thread_ts: i64,
        cause: String,
        at: i64,
        posted_ts: i64,
        good: i64,
        bad: i64,
    }
}

/// Columns that count who found a reply good and who found it bad, without people who opted out since. They are given the
/// columns of the reply's number and channel.
macro_rules! vote_columns {
    ($reply:literal, $channel:literal) => {
        concat!(
            " (SELECT count(DISTINCT w.user_id) FROM reply_parts p
                JOIN reply_votes w ON w.channel_id = ",
            $channel,
            " AND w.ts = p.ts AND w.vote = 'good'
                LEFT JOIN users u ON u.id = w.user_id
                WHERE p.reply_id = ",
            $reply,
            " AND coalesce(u.opted_out, 0) = 0) AS good,
             (SELECT count(DISTINCT w.user_id) FROM reply_parts p
                JOIN reply_votes w ON w.channel_id = ",
            $channel,
            " AND w.ts = p.ts AND w.vote = 'bad'
                LEFT JOIN users u ON u.id = w.user_id
                WHERE p.reply_id = ",
            $reply,
            " AND coalesce(u.opted_out, 0) = 0) AS bad "
        )
    };
}
pub(super) use vote_columns;

impl RepliesHandle<'_> {
    /// Replies of which people said what they think, those that were voted on last first, without those in channels that
    /// may not be seen.
    #[boxed]
    pub async fn list_voted(
        &self,
        visibility: &Visibility,
        query: &LedgerQuery,
    ) -> Result<Vec<VotedReply>, StoreError> {
        let mut tx = self.store.db.snapshot().await?;
        let channel = query.channel.as_ref().map_or("", ChannelId::as_str);
        let rows: Vec<VotedRow> = on!(&mut tx, c => query_as(concat!(
            "SELECT r.id, r.channel_id, r.thread_ts, r.cause, v.at, v.posted_ts,", vote_columns!("r.id", "r.channel_id"),
            "FROM (SELECT p.reply_id, max(w.at) AS at, min(p.ts) AS posted_ts
                   FROM reply_votes w JOIN reply_parts p ON p.ts = w.ts AND p.ts IS NOT NULL
                   JOIN replies o ON o.id = p.reply_id AND o.channel_id = w.channel_id
                   LEFT JOIN users u ON u.id = w.user_id
                   WHERE w.vote <> '' AND w.at >= $1 AND ($2 = '' OR w.channel_id = $2)
                     AND coalesce(u.opted_out, 0) = 0
                   GROUP BY p.reply_id ORDER BY max(w.at) DESC, p.reply_id DESC LIMIT $3) AS v
             JOIN replies r ON r.id = v.reply_id ORDER BY v.at DESC, r.id DESC"))
            .bind(query.since.as_microsecond()).bind(channel).bind(signed_count(query.limit))
            .fetch_all(c).await)?;
        let mut shown = self.store.hearing().shown_channels(visibility);
        let mut seen = Vec::new();
        for row in rows {
            let place = place_of_columns(row.channel_id, row.thread_ts);
            if shown.shows_talk_of(&mut tx, &place.channel).await? {
                seen.push(VotedReply {
                    id: ReplyId(row.id),
                    place,
                    cause: parse_column(&row.cause, "replies.cause", row.id)?,
                    at: instant_from_micros(row.at),
                    posted_ts: MessageTs::from_micros(row.posted_ts),
                    votes: VoteCount { good: unsigned_count(row.good), bad: unsigned_count(row.bad) },
                });
            }
        }
        Ok(seen)
    }
}

/// Forgets what a person thought of our messages, of what they said of it in a span.
pub(crate) async fn forget_person(
    tx: &mut Tx,
    person: &UserId,
    channel: Option<&ChannelId>,
    from: MessageTs,
    to: MessageTs,
) -> Result<(), StoreError> {
    on!(tx, c => sqlx::query(
        "DELETE FROM reply_votes WHERE user_id = $1 AND ($2 = '' OR channel_id = $2) AND at >= $3 AND at <= $4")
        .bind(person.as_str()).bind(channel.map_or("", ChannelId::as_str)).bind(from.as_micros())
        .bind(to.as_micros()).execute(c).await.map(drop))?;
    Ok(())
}
