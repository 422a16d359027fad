//! Says what is to be done about replies, as one moment of the database has it.

use std::collections::BTreeSet;

use async_recursion::async_recursion as boxed;
use jiff::Timestamp;
use myao_core::{chat::Place, judgment::Cause};

use super::{
    reply::{WantedReply, WrittenReply, place_of_columns, unfinished_in_place, wanted_in_place},
    reply_id::latest_put_off,
};
use crate::{
    RepliesHandle, StoreError, archive,
    db::{
        query_as,
        values::{instant_from_micros, parse_column, row},
    },
    hearing::sight::Sight,
};

/// What a row tells of what is left over: a status, or a message that shows a reply.
const STATUS: &str = "status";
const STREAM: &str = "stream";

/// What is to be done about the replies of a workspace.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct RepliesAtHand {
    /// The places where something is due: first where posting goes on, then where words are to be found, each oldest
    /// first. A place may stand here twice.
    pub due: Vec<Place>,
    /// Those of them where the platform may still show that something is being written.
    pub left_on: BTreeSet<Place>,
    /// Those of them where a message may show a reply that will not finish it.
    pub with_streams: BTreeSet<Place>,
    /// When the next reply that was put off is due; `None` if no reply was put off.
    pub next: Option<Timestamp>,
    /// Whether there are replies that cannot be read ([`RepliesHandle::set_aside_unreadable`]).
    pub any_unreadable: bool,
}

/// The next thing to do in a place.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ReplyStep {
    /// The reply has its words: its parts are to be posted, if it is due. With it comes what a reply in its channel may
    /// be made from now, as from [`crate::HearingHandle::sight_of_channel`].
    Deliver(WrittenReply, Sight),
    /// The reply is due and waits for its words.
    FindWords(WantedReply),
}

row! {
    /// A reply that is not at its end.
    struct OpenReplyRow {
        channel_id: String,
        thread_ts: i64,
        state: String,
        cause: String,
        not_before: i64,
        id: i64,
        left_over: String,
    }
}

impl RepliesHandle<'_> {
    /// What is to be done about replies at `now`.
    #[boxed]
    pub async fn to_act_on(&self, now: Timestamp) -> Result<RepliesAtHand, StoreError> {
        let mut tx = self.store.db.snapshot().await?;
        // Those that are put off as well, to know when they are due.
        let rows: Vec<OpenReplyRow> = on!(&mut tx, c => query_as(
            "SELECT channel_id, thread_ts, state, cause, not_before, made_at, id, '' AS left_over
             FROM replies WHERE state = 'written'
             UNION ALL
             SELECT channel_id, thread_ts, state, cause, not_before, made_at, id, '' FROM replies r
             WHERE r.state = 'wanted' AND NOT EXISTS (SELECT 1 FROM replies w
                WHERE w.state = 'written' AND w.channel_id = r.channel_id AND w.thread_ts = r.thread_ts)
             UNION ALL
             SELECT channel_id, thread_ts, state, cause, 0, made_at, id, 'status' FROM replies WHERE shown_since > 0
             UNION ALL
             SELECT channel_id, thread_ts, state, cause, 0, made_at, id, 'stream' FROM replies
             WHERE stream_since > 0 AND state <> 'written'
             UNION ALL
             SELECT channel_id, thread_ts, state, cause, not_before, made_at, id, '' FROM replies
             WHERE state <> 'written' AND id IN (SELECT p.reply_id FROM reply_parts p WHERE p.state = 'withdrawing')
             ORDER BY state DESC, made_at, id").fetch_all(c).await)?;
        let mut at_hand = RepliesAtHand::default();
        if rows.iter().any(|row| row.state == "written") {
            at_hand.any_unreadable = unfinished_in_place(&mut tx, None).await?.iter().any(Result::is_err);
        }
        for row in rows {
            let not_before = instant_from_micros(row.not_before);
            at_hand.any_unreadable |= parse_column::<Cause>(&row.cause, "replies.cause", row.id).is_err();
            let place = place_of_columns(row.channel_id, row.thread_ts);
            match row.left_over.as_str() {
                STATUS => drop(at_hand.left_on.insert(place.clone())),
                STREAM => drop(at_hand.with_streams.insert(place.clone())),
                _ => {}
            }
            if not_before <= now || not_before > latest_put_off(now) {
                at_hand.due.push(place);
            } else {
                at_hand.next = Some(at_hand.next.map_or(not_before, |next| next.min(not_before)));
            }
        }
        Ok(at_hand)
    }

    /// The next thing to do in a place at `now`; `None` if nothing is. A reply that has its words goes first, even if it
    /// is not due yet: answers of a place stay in order.
    #[boxed]
    pub async fn step(&self, place: &Place, now: Timestamp) -> Result<Option<ReplyStep>, StoreError> {
        let mut tx = self.store.db.snapshot().await?;
        let written = unfinished_in_place(&mut tx, Some(place)).await?.into_iter().filter_map(Result::ok);
        // What is only to be deleted holds up nothing while it waits.
        if let Some(reply) = written.into_iter().find(|reply| !reply.has_ended || reply.is_due(now)) {
            let channel = archive::find_channel_row(&mut tx, &place.channel).await?;
            let sight = channel.map_or(Sight::Unknown, |channel| channel.sight(self.store.hearing.since()));
            return Ok(Some(ReplyStep::Deliver(reply, sight)));
        }
        let wanted = wanted_in_place(&mut tx, Some(place), now).await?.into_iter().find_map(Result::ok);
        Ok(wanted.map(ReplyStep::FindWords))
    }
}
