//! Reads replies as their rows tell them, and locks the place in which one is worked on.

use std::collections::{BTreeMap, BTreeSet};

use async_recursion::async_recursion as boxed;
use jiff::Timestamp;
use myao_core::{
    chat::{ChannelId, Message, MessageTs, Place, UserId},
    judgment::Cause,
};

use super::{
    answer_count::ANSWERED_ENOUGH,
    reply_id::{ReplyId, latest_put_off},
};
use crate::{
    RepliesHandle, StoreError,
    archive::{
        message_columns,
        rows::{MessageRow, message_of_row},
    },
    db::{
        Tx,
        claims::{self, Claim},
        query_as,
        values::{
            instant_from_micros, opt_ts, parse_column, row, ts_or_zero, unsigned_count, version_number,
        },
    },
    replies::judgments::speakers,
};

/// A reply that waits for its words. A place has at most one: messages that arrive meanwhile join it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct WantedReply {
    /// Its number.
    pub id: ReplyId,
    /// Where it goes.
    pub place: Place,
    /// Why it is wanted.
    pub cause: Cause,
    /// The messages it answers, oldest first; empty if nobody asked.
    pub triggers: Vec<MessageTs>,
    /// Who said them, without people who opted out: their messages are not in the archive.
    pub askers: BTreeSet<UserId>,
    /// If nobody asked, the message it is about: the newest of the place when the reply was decided.
    pub about: Option<MessageTs>,
    /// Since when it is wanted.
    pub since: Timestamp,
    /// It is not written before this instant.
    pub not_before: Timestamp,
    /// How often it was tried without success.
    pub attempts: u64,
    /// How often it was made anew because what it was made from no longer stood.
    pub made_anew: u64,
    /// Whether the last reply in this place was an excuse: another excuse would say nothing new.
    pub after_excuse: bool,
    /// Whether a message shows an earlier reply in this place, or an earlier attempt at this one
    /// ([`RepliesHandle::streams_left_over`]).
    pub has_streams: bool,
}

/// A reply that has its words, but not all of whose parts are posted; or one that is being taken back.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct WrittenReply {
    /// Its number.
    pub id: ReplyId,
    /// Where it goes.
    pub place: Place,
    /// Why it is given.
    pub cause: Cause,
    /// It is not sent before this instant.
    pub not_before: Timestamp,
    /// How often sending it was put off.
    pub attempts: u64,
    /// The newest message it answers; `None` if nobody asked.
    pub asked_at: Option<MessageTs>,
    /// The message about which it was decided to speak up; `None` if somebody asked.
    pub about: Option<MessageTs>,
    /// Whether it says that there will be no answer.
    pub excuse: bool,
    /// The message that showed it while it was written, and becomes its first part.
    pub stream: Option<MessageTs>,
    /// Whether it has ended, and only has to be taken back from the platform.
    pub has_ended: bool,
    /// Its parts, in order.
    pub parts: Vec<ReplyPart>,
}

impl WrittenReply {
    /// Whether it is due.
    pub fn is_due(&self, now: Timestamp) -> bool {
        self.not_before <= now || self.not_before > latest_put_off(now)
    }
}

/// One post of a reply, or its reaction.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ReplyPart {
    /// Its number, from 1.
    pub part: u32,
    /// How far it has come.
    pub state: PartState,
}

/// What a part of a reply is.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum PartBody {
    /// A post with this text, in the platform's notation.
    Post(String),
    /// A reaction.
    Reaction {
        /// The platform's text of one emoji; posted as text, it would say the same.
        emoji: String,
        /// The message it is added to, in the place's channel.
        to: MessageTs,
    },
}

/// How far a part of a reply has come.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum PartState {
    /// Not given to the platform yet.
    Ready {
        /// What it is.
        body: PartBody,
    },
    /// Given to the platform; whether it was accepted is not known yet.
    Sending {
        /// What it is.
        body: PartBody,
        /// When it was given.
        sent_at: Timestamp,
    },
    /// Posted; its words are in the archive.
    Posted {
        /// The time stamp it got.
        ts: MessageTs,
    },
    /// Posted, and to be deleted on the platform.
    Withdrawing {
        /// The time stamp it got.
        ts: MessageTs,
    },
    /// Added as a reaction, which the archive does not hold.
    Reacted {
        /// The message it was added to.
        to: MessageTs,
    },
}

/// The subject of the claim under which replies in a place are worked on.
pub fn place_subject(place: &Place) -> String {
    match place.thread {
        Some(thread) => format!("place:{}:{thread}", place.channel),
        None => format!("place:{}", place.channel),
    }
}

/// A reply whose rows cannot be read, and why.
type UnreadableReply = (ReplyId, StoreError);

row! {
    /// A reply that waits for its words.
    struct WantedRow {
        id: i64,
        channel_id: String,
        thread_ts: i64,
        cause: String,
        made_at: i64,
        not_before: i64,
        attempts: i64,
        latest_ts: i64,
        after_excuse: i64,
        made_anew: i64,
        has_streams: i64,
    }
}

row! {
    /// A reply that has its words; when the newest message that it answers was posted.
    struct WrittenReplyRow {
        id: i64,
        channel_id: String,
        thread_ts: i64,
        cause: String,
        not_before: i64,
        attempts: i64,
        excuse: i64,
        asked_at: Option<i64>,
        state: String,
        stream_ts: i64,
        latest_ts: i64,
    }
}

row! {
    /// A part of a reply.
    struct PartRow {
        reply_id: i64,
        part: i64,
        text: Option<String>,
        state: String,
        sent_at: Option<i64>,
        ts: Option<i64>,
        reacts_to: Option<i64>,
    }
}

impl RepliesHandle<'_> {
    /// The replies that are due, oldest first. If an earlier reply in the same place is not posted yet, a reply waits
    /// for it.
    #[boxed]
    pub async fn list_wanted(&self, now: Timestamp) -> Result<Vec<WantedReply>, StoreError> {
        let wanted = wanted_in_place(&mut self.store.db.snapshot().await?, None, now).await?;
        Ok(wanted.into_iter().filter_map(Result::ok).collect())
    }

    /// The reply wanted in a place, if it is due; as in [`RepliesHandle::list_wanted`].
    #[boxed]
    pub async fn find_wanted(
        &self,
        place: &Place,
        now: Timestamp,
    ) -> Result<Option<WantedReply>, StoreError> {
        let wanted = wanted_in_place(&mut self.store.db.snapshot().await?, Some(place), now).await?;
        Ok(wanted.into_iter().find_map(Result::ok))
    }

    /// The replies that have their words but are not fully posted, oldest first: what a crash or the platform left
    /// undone. Replies that cannot be read are left out ([`RepliesHandle::set_aside_unreadable`]).
    #[boxed]
    pub async fn list_unfinished(&self) -> Result<Vec<WrittenReply>, StoreError> {
        let unfinished = unfinished_in_place(&mut self.store.db.snapshot().await?, None).await?;
        Ok(unfinished.into_iter().filter_map(Result::ok).collect())
    }

    /// Whether nobody has spoken in a place since it was decided to speak up about the message `about`.
    #[boxed]
    pub async fn is_left_alone(&self, place: &Place, about: MessageTs) -> Result<bool, StoreError> {
        speakers::still_open(&mut self.store.db.snapshot().await?, place, about).await
    }
}

/// The ids of replies with which something is to be done on the platform: they are to be posted, or to be deleted there.
macro_rules! unfinished_ids {
    () => {
        "(SELECT w.id FROM replies w WHERE w.state = 'written'
          UNION SELECT g.reply_id FROM reply_parts g WHERE g.state = 'withdrawing')"
    };
}

/// The replies that have their words but are not fully posted, and those that are being taken back, in one place or in all,
/// oldest first; an error for each that cannot be read.
pub(super) async fn unfinished_in_place(
    tx: &mut Tx,
    one: Option<&Place>,
) -> Result<Vec<Result<WrittenReply, UnreadableReply>>, StoreError> {
    let channel = one.map_or("", |place| place.channel.as_str());
    let thread = one.map_or(0, |place| ts_or_zero(place.thread));
    let rows: Vec<WrittenReplyRow> = on!(tx, c => query_as(
        concat!("SELECT id, channel_id, thread_ts, cause, not_before, attempts, excuse,
            (SELECT max(t.ts) FROM reply_triggers t WHERE t.reply_id = replies.id) AS asked_at, state, stream_ts, latest_ts FROM replies
         WHERE id IN ", unfinished_ids!(), " AND ($1 = '' OR (channel_id = $1 AND thread_ts = $2))
         ORDER BY made_at, id")).bind(channel).bind(thread).fetch_all(c).await)?;
    if rows.is_empty() {
        return Ok(Vec::new());
    }
    let parts: Vec<PartRow> = on!(tx, c => query_as(
        concat!("SELECT p.reply_id, p.part, p.text, p.state, p.sent_at, p.ts, p.reacts_to
         FROM replies r JOIN reply_parts p ON p.reply_id = r.id
         WHERE r.id IN ", unfinished_ids!(), " AND p.state NOT IN ('dropped', 'withdrawn')
           AND ($1 = '' OR (r.channel_id = $1 AND r.thread_ts = $2)) ORDER BY r.made_at, r.id, p.part"))
        .bind(channel).bind(thread).fetch_all(c).await)?;
    let mut by_reply: BTreeMap<i64, Vec<PartRow>> = BTreeMap::new();
    for row in parts {
        by_reply.entry(row.reply_id).or_default().push(row);
    }
    let read = |row: WrittenReplyRow| -> Result<WrittenReply, UnreadableReply> {
        let parts = by_reply.remove(&row.id).unwrap_or_default().into_iter().map(part_of_row);
        Ok(WrittenReply {
            id: ReplyId(row.id),
            place: place_of_columns(row.channel_id, row.thread_ts),
            cause: parse_column(&row.cause, "replies.cause", row.id)
                .map_err(|error| (ReplyId(row.id), error))?,
            not_before: instant_from_micros(row.not_before),
            attempts: unsigned_count(row.attempts),
            excuse: row.excuse != 0,
            has_ended: row.state != "written",
            stream: opt_ts(row.stream_ts),
            asked_at: row.asked_at.map(MessageTs::from_micros),
            about: opt_ts(row.latest_ts),
            parts: parts.collect::<Result<_, _>>().map_err(|error| (ReplyId(row.id), error))?,
        })
    };
    Ok(rows.into_iter().map(read).collect())
}

/// The replies that wait for their words, in one place or in all; an error for each that cannot be read.
pub(super) async fn wanted_in_place(
    tx: &mut Tx,
    one: Option<&Place>,
    now: Timestamp,
) -> Result<Vec<Result<WantedReply, UnreadableReply>>, StoreError> {
    let channel = one.map_or("", |place| place.channel.as_str());
    let thread = one.map_or(0, |place| ts_or_zero(place.thread));
    let latest = latest_put_off(now).as_microsecond();
    let rows: Vec<WantedRow> = on!(tx, c => query_as(
        "SELECT r.id, r.channel_id, r.thread_ts, r.cause, r.made_at, r.not_before, r.attempts, r.latest_ts,
            coalesce((SELECT e.excuse FROM replies e
                WHERE e.channel_id = r.channel_id AND e.thread_ts = r.thread_ts
                  AND (e.state = 'done' OR (e.state = 'failed' AND e.excuse = 1 AND e.reason <> $5))
                ORDER BY e.id DESC LIMIT 1), 0) AS after_excuse, r.made_anew,
            (SELECT count(*) FROM replies s WHERE s.stream_since > 0
                AND s.channel_id = r.channel_id AND s.thread_ts = r.thread_ts) AS has_streams
         FROM replies r
         WHERE r.state = 'wanted' AND (r.not_before <= $1 OR r.not_before > $4)
           AND ($2 = '' OR (r.channel_id = $2 AND r.thread_ts = $3))
           AND NOT EXISTS (SELECT 1 FROM replies w WHERE w.state = 'written'
                AND w.channel_id = r.channel_id AND w.thread_ts = r.thread_ts)
         ORDER BY r.made_at, r.id")
        .bind(now.as_microsecond()).bind(channel).bind(thread).bind(latest).bind(ANSWERED_ENOUGH)
        .fetch_all(c).await)?;
    if rows.is_empty() {
        return Ok(Vec::new());
    }
    let asked: Vec<(i64, i64, Option<String>)> = on!(tx, c => query_as(
        "SELECT t.reply_id, t.ts, m.user_id FROM reply_triggers t JOIN replies r ON r.id = t.reply_id
         LEFT JOIN messages m ON m.channel_id = t.channel_id AND m.ts = t.ts
         WHERE r.state = 'wanted' AND (r.not_before <= $1 OR r.not_before > $4)
           AND ($2 = '' OR (r.channel_id = $2 AND r.thread_ts = $3)) ORDER BY t.ts")
        .bind(now.as_microsecond()).bind(channel).bind(thread).bind(latest).fetch_all(c).await)?;
    let mut triggers: BTreeMap<i64, (Vec<MessageTs>, BTreeSet<UserId>)> = BTreeMap::new();
    for (reply, ts, asker) in asked {
        let (stamps, askers) = triggers.entry(reply).or_default();
        stamps.push(MessageTs::from_micros(ts));
        askers.extend(asker.map(UserId::new));
    }
    let read = |row: WantedRow| -> Result<WantedReply, UnreadableReply> {
        let (triggers, askers) = triggers.remove(&row.id).unwrap_or_default();
        Ok(WantedReply {
            about: opt_ts(row.latest_ts),
            id: ReplyId(row.id),
            place: place_of_columns(row.channel_id, row.thread_ts),
            cause: parse_column(&row.cause, "replies.cause", row.id)
                .map_err(|error| (ReplyId(row.id), error))?,
            triggers,
            askers,
            since: instant_from_micros(row.made_at),
            not_before: instant_from_micros(row.not_before),
            attempts: unsigned_count(row.attempts),
            made_anew: unsigned_count(row.made_anew),
            after_excuse: row.after_excuse != 0,
            has_streams: row.has_streams != 0,
        })
    };
    Ok(rows.into_iter().map(read).collect())
}

fn part_of_row(row: PartRow) -> Result<ReplyPart, StoreError> {
    let PartRow { reply_id: reply, part: number, .. } = row;
    let odd = || StoreError::Content(format!("part {number} of reply {reply}"));
    let ts = row.ts.and_then(opt_ts);
    let to = row.reacts_to.and_then(opt_ts);
    let body = row.text.map(|text| match to {
        Some(to) => PartBody::Reaction { emoji: text, to },
        None => PartBody::Post(text),
    });
    let state = match (row.state.as_str(), body, row.sent_at, ts, to) {
        ("ready", Some(body), ..) => PartState::Ready { body },
        ("sending", Some(body), Some(at), ..) => {
            PartState::Sending { body, sent_at: instant_from_micros(at) }
        }
        ("posted", _, _, Some(ts), None) => PartState::Posted { ts },
        ("withdrawing", _, _, Some(ts), None) => PartState::Withdrawing { ts },
        ("posted", _, _, None, Some(to)) => PartState::Reacted { to },
        _ => return Err(odd()),
    };
    Ok(ReplyPart { part: version_number(number), state })
}

pub(crate) fn place_of_columns(channel: String, thread: i64) -> Place {
    Place { channel: ChannelId::new(channel), thread: opt_ts(thread) }
}

/// The triggers of the reply wanted in a place, oldest first: the messages that have no answer yet.
pub(crate) async fn unanswered_triggers(tx: &mut Tx, place: &Place) -> Result<Vec<Message>, StoreError> {
    let rows: Vec<MessageRow> = on!(tx, c => query_as(concat!("SELECT ", message_columns!(),
        " FROM replies r JOIN reply_triggers t ON t.reply_id = r.id
          JOIN messages m ON m.channel_id = t.channel_id AND m.ts = t.ts
          WHERE r.channel_id = $1 AND r.thread_ts = $2 AND r.state = 'wanted' ORDER BY t.ts"))
        .bind(place.channel.as_str()).bind(ts_or_zero(place.thread)).fetch_all(c).await)?;
    rows.into_iter().map(message_of_row).collect()
}

/// Where a reply goes. First checks the claim on that place and locks its channel: nothing arrives there until this
/// transaction ends. `None` if the reply does not exist.
pub(crate) async fn claimed_place(
    tx: &mut Tx,
    claim: &Claim,
    reply: ReplyId,
) -> Result<Option<Place>, StoreError> {
    claims::check_still_held(tx, claim).await?;
    let row: Option<(String, i64)> = on!(tx, c => query_as(
        "UPDATE channels SET revision = revision WHERE id = (SELECT r.channel_id FROM replies r WHERE r.id = $1)
         RETURNING id, (SELECT r.thread_ts FROM replies r WHERE r.id = $1)")
        .bind(reply.0).fetch_optional(c).await)?;
    let Some(place) = row.map(|(channel, thread)| place_of_columns(channel, thread)) else { return Ok(None) };
    if place_subject(&place) != claim.subject {
        return Err(StoreError::ClaimLost(place_subject(&place)));
    }
    Ok(Some(place))
}
