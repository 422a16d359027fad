//! Ends what is being answered in a place because somebody there pressed stop (ADR 121). What was asked later goes on.

use std::collections::BTreeSet;

use jiff::Timestamp;
use myao_core::{
    chat::{AnswerStop, MessageTs, UserId},
    judgment::Cause,
};

use super::batch::Batch;
use crate::{
    StoreError,
    db::{
        Tx, query_as,
        values::{parse_column, row, ts_or_zero},
    },
    replies::{ReplyId, STOPPED, opening, passing},
};

row! {
    /// A reply that has not ended.
    struct OpenRow {
        id: i64,
        state: String,
        cause: String,
        made_at: i64,
        shown_since: i64,
        given: i64,
    }
}

/// What a stop does to one reply.
#[derive(Clone, Debug, PartialEq, Eq)]
enum StopEffect {
    /// It is not about this reply.
    None,
    /// The reply ends.
    Ends,
    /// These of its messages are not answered any more; it is made anew for those that were written later.
    Parts(BTreeSet<MessageTs>),
}

impl Batch<'_> {
    /// Ends the replies of a place to what was said before the stop.
    ///
    /// A stop that is told again finds nothing left to end. Where nothing is being answered it does nothing.
    pub(super) async fn stop_answers(&mut self, tx: &mut Tx, stop: AnswerStop) -> Result<(), StoreError> {
        let place = &stop.place;
        let rows: Vec<OpenRow> = on!(&mut *tx, c => query_as(
            "SELECT r.id, r.state, r.cause, r.made_at, r.shown_since, (SELECT count(*) FROM reply_parts p
                WHERE p.reply_id = r.id AND p.state IN ('sending', 'posted')) AS given
             FROM (SELECT * FROM replies WHERE state = 'wanted' AND channel_id = $1 AND thread_ts = $2
                   UNION ALL
                   SELECT * FROM replies WHERE state = 'written' AND channel_id = $1 AND thread_ts = $2) AS r
             ORDER BY r.id")
            .bind(place.channel.as_str()).bind(ts_or_zero(place.thread)).fetch_all(c).await)?;
        let by = match &stop.by {
            Some(user) if !self.left_out.may_be_named(tx, user, &place.channel, self.now).await? => None,
            by => by.as_ref(),
        };
        for row in rows {
            match effect_on(tx, &row, &stop).await? {
                StopEffect::None => continue,
                StopEffect::Ends => end_stopped(tx, row.id, &stop, by, self.now).await?,
                StopEffect::Parts(asked) => {
                    split_off(tx, &row, &stop, &asked, by, self.now).await?;
                }
            }
            self.arrived.stopped.insert(place.clone());
        }
        Ok(())
    }
}

async fn effect_on(tx: &mut Tx, row: &OpenRow, stop: &AnswerStop) -> Result<StopEffect, StoreError> {
    let cause: Cause = parse_column(&row.cause, "replies.cause", row.id)?;
    if cause == Cause::Judgment {
        // One that nobody sees being written was not meant.
        let is_seen = row.state == "written" || row.shown_since > 0;
        let is_earlier = row.made_at <= stop.at.as_micros();
        return Ok(if is_seen && is_earlier { StopEffect::Ends } else { StopEffect::None });
    }
    let triggers: Vec<(i64,)> = on!(tx, c => query_as("SELECT ts FROM reply_triggers WHERE reply_id = $1")
        .bind(row.id).fetch_all(c).await)?;
    let triggers: BTreeSet<MessageTs> =
        triggers.into_iter().map(|(ts,)| MessageTs::from_micros(ts)).collect();
    let asked: BTreeSet<MessageTs> = triggers.iter().copied().filter(|ts| *ts <= stop.at).collect();
    Ok(if asked.is_empty() {
        StopEffect::None
    } else if asked.len() == triggers.len() {
        StopEffect::Ends
    } else if row.given == 0 {
        StopEffect::Parts(asked)
    } else {
        // It answers both, and stands there in part.
        StopEffect::None
    })
}

/// Ends a reply; what is posted of it stays.
async fn end_stopped(
    tx: &mut Tx,
    reply: i64,
    stop: &AnswerStop,
    by: Option<&UserId>,
    now: Timestamp,
) -> Result<(), StoreError> {
    note_stop(tx, reply, stop, by).await?;
    opening::end_reply_with_parts(tx, reply, STOPPED, now).await
}

async fn note_stop(
    tx: &mut Tx,
    reply: i64,
    stop: &AnswerStop,
    by: Option<&UserId>,
) -> Result<(), StoreError> {
    on!(tx, c => sqlx::query("UPDATE replies SET stopped_ts = $2, stopped_by = $3 WHERE id = $1")
        .bind(reply).bind(stop.at.as_micros()).bind(by.map_or("", UserId::as_str))
        .execute(c).await.map(drop))?;
    Ok(())
}

/// Moves messages that are not answered any more to a reply of their own, which has ended, and has the rest answered.
async fn split_off(
    tx: &mut Tx,
    row: &OpenRow,
    stop: &AnswerStop,
    asked: &BTreeSet<MessageTs>,
    by: Option<&UserId>,
    now: Timestamp,
) -> Result<(), StoreError> {
    let (ended,): (i64,) = on!(&mut *tx, c => query_as(
        "INSERT INTO replies (channel_id, thread_ts, cause, state, not_before, attempts, latest_ts, excuse,
                              reason, made_at, changed_at)
         VALUES ($1, $2, $3, 'skipped', 0, 0, 0, 0, $4, $5, $6) RETURNING id")
        .bind(stop.place.channel.as_str()).bind(ts_or_zero(stop.place.thread)).bind(&row.cause).bind(STOPPED)
        .bind(row.made_at).bind(now.as_microsecond()).fetch_one(c).await)?;
    note_stop(tx, ended, stop, by).await?;
    for ts in asked {
        on!(&mut *tx, c => sqlx::query("UPDATE reply_triggers SET reply_id = $3 WHERE channel_id = $1 AND ts = $2")
            .bind(stop.place.channel.as_str()).bind(ts.as_micros()).bind(ended).execute(c).await.map(drop))?;
    }
    passing::wipe_if_answered(tx, ReplyId(ended)).await?;
    if row.state == "written" { opening::write_anew(tx, row.id, now).await } else { Ok(()) }
}
