//! Does T2: gives a reply its words if it is still wanted as the prompt saw it; or puts it off, skips it or gives it
//! up.

use std::collections::BTreeSet;

use async_recursion::async_recursion as boxed;
use jiff::Timestamp;
use myao_core::{
    chat::{ChannelId, MessageTs, Place},
    judgment::{Cause, ReplyState},
};

use super::{
    inputs::{self, InputSource, LostInput, ReplyInputs, SightRule},
    opening, passing,
    reply::{PartBody, claimed_place},
    reply_id::{ReplyId, latest_put_off},
    streams,
};
use crate::{
    RepliesHandle, StoreError,
    db::{Tx, claims::Claim, query_as, values::parse_column},
    hearing::sight::Sight,
    memory::journal::{self, CallRecord},
    replies::judgments::speakers,
};

/// The reason when something is not said unasked after all.
pub const TALK_WENT_ON: &str = "the talk went on";

/// The words of a reply, and what must still hold for them to be said.
#[derive(Clone, Debug)]
pub struct ReplyDraft {
    /// Which reply.
    pub reply: ReplyId,
    /// The triggers that the prompt held ([`crate::Gathered::unanswered`]): each must still be one. Messages that
    /// arrived meanwhile are answered by a reply of their own.
    pub triggers: Vec<MessageTs>,
    /// The channel's revision when the prompt was read ([`crate::Gathered::channel`]): no trigger may have changed its
    /// words since.
    pub read_revision: i64,
    /// What the place saw when the prompt was read ([`crate::Gathered::sight`]), for the record.
    pub sight: Sight,
    /// Everything that the model was shown: all of it must still stand, and may still be seen there.
    pub inputs: ReplyInputs,
    /// Whether the model was shown words that no person of the place said (ADR 34): then our posts may hold them.
    pub mixed: bool,
    /// The posts it is made of, or its reaction. If empty, there was nothing to say and the reply is skipped.
    pub parts: Vec<PartBody>,
    /// Whether it says, in a short sentence, that there will be no answer: once it is posted, the reply counts as
    /// failed. As a reply is written only once, this is said at most once for it.
    pub excuse: bool,
    /// The model calls behind it.
    pub calls: Vec<CallRecord>,
}

impl RepliesHandle<'_> {
    /// Writes a reply with its parts (T2). `false` if it is no longer wanted, or not as the prompt saw it: a trigger
    /// was taken back or says something else, so did something that the model was shown, or it may not be seen there any
    /// more, or, for an unasked reply, the talk went on. Then nothing is written but the calls' cost and that it has to be
    /// made anew, and the caller looks at the place again ([`RepliesHandle::lost_inputs`] tells what was lost).
    ///
    /// # Errors
    /// [`StoreError::ClaimLost`] if another process works on the place now; then nothing is written.
    #[boxed]
    pub async fn write_parts(
        &self,
        claim: &Claim,
        draft: ReplyDraft,
        now: Timestamp,
    ) -> Result<bool, StoreError> {
        let store = self.store.clone();
        let claim = claim.clone();
        to_the_end!({
            let mut tx = store.db.begin().await?;
            let Some(place) = claimed_place(&mut tx, &claim, draft.reply).await? else { return Ok(false) };
            let call = journal::record_calls(&mut tx, &draft.calls).await?;
            let known = SightRule::Known { since: store.hearing.since() };
            let held = InputSource::Held(&draft.inputs);
            let holds = draft.inputs.iter().next().is_none()
                || inputs::find_lost_inputs(&mut tx, held, &place.channel, known).await?.is_empty();
            let wanted = still_wanted(&mut tx, &place, &draft, now).await?.filter(|_| holds);
            let written = wanted.is_some();
            if let Some(StillWanted { cause, standing, had_inputs }) = wanted {
                write_in_transaction(&mut tx, &draft, call, now).await?;
                inputs::keep_for_reply(&mut tx, draft.reply, &draft.inputs, had_inputs).await?;
                leave_unseen(&mut tx, &place, &draft, cause, standing, now).await?;
                passing::wipe_if_answered(&mut tx, draft.reply).await?;
            } else {
                on!(&mut tx, c => sqlx::query(
                    "UPDATE replies SET made_anew = made_anew + 1 WHERE id = $1 AND state = 'wanted'")
                    .bind(draft.reply.0).execute(c).await.map(drop))?;
            }
            tx.commit().await?;
            Ok(written)
        })
        .await
    }

    /// Notes that a message shows a reply that is being written from now on, or goes on to do so, if what is shown may be
    /// said: the reply is wanted as its prompt saw it, and everything that the model was shown so far still stands and may
    /// be seen there. `false` if not; then nothing is written.
    #[boxed]
    pub async fn note_stream(
        &self,
        claim: &Claim,
        draft: &ReplyDraft,
        now: Timestamp,
    ) -> Result<bool, StoreError> {
        let store = self.store.clone();
        let claim = claim.clone();
        let draft = draft.clone();
        to_the_end!({
            let mut tx = store.db.begin().await?;
            let Some(place) = claimed_place(&mut tx, &claim, draft.reply).await? else { return Ok(false) };
            let known = SightRule::Known { since: store.hearing.since() };
            let held = InputSource::Held(&draft.inputs);
            let holds = inputs::find_lost_inputs(&mut tx, held, &place.channel, known).await?.is_empty();
            let may_be_said = holds && still_wanted(&mut tx, &place, &draft, now).await?.is_some();
            if may_be_said {
                streams::begin_stream(&mut tx, draft.reply, now).await?;
            }
            tx.commit().await?;
            Ok(may_be_said)
        })
        .await
    }

    /// What of the inputs of a reply that goes to a channel no longer stands, or may not be seen there any more.
    #[boxed]
    pub async fn lost_inputs(
        &self,
        inputs: &ReplyInputs,
        channel: &ChannelId,
    ) -> Result<Vec<LostInput>, StoreError> {
        let known = SightRule::Known { since: self.store.hearing.since() };
        inputs::find_lost_inputs(
            &mut self.store.db.snapshot().await?,
            InputSource::Held(inputs),
            channel,
            known,
        )
        .await
    }

    /// Has a reply tried again later, or, if it is written, its sending; `reason` is in our own words. The delay is at
    /// most a day.
    #[boxed]
    pub async fn put_off(
        &self,
        claim: &Claim,
        reply: ReplyId,
        until: Timestamp,
        reason: &str,
        now: Timestamp,
    ) -> Result<(), StoreError> {
        let store = self.store.clone();
        let claim = claim.clone();
        let reason = reason.to_owned();
        let until = until.min(latest_put_off(now));
        to_the_end!({
            let mut tx = store.db.begin().await?;
            if claimed_place(&mut tx, &claim, reply).await?.is_some() {
                on!(&mut tx, c => sqlx::query(
                    "UPDATE replies SET not_before = $2, attempts = attempts + 1, reason = $3, changed_at = $4
                     WHERE id = $1 AND (state IN ('wanted', 'written') OR EXISTS (
                        SELECT 1 FROM reply_parts p WHERE p.reply_id = $1 AND p.state = 'withdrawing'))")
                    .bind(reply.0).bind(until.as_microsecond()).bind(&reason).bind(now.as_microsecond())
                    .execute(c).await.map(drop))?;
            }
            tx.commit().await
        })
        .await
    }

    /// Ends a reply that is not given, for a reason in our own words; what is posted of it stays.
    #[boxed]
    pub async fn skip(
        &self,
        claim: &Claim,
        reply: ReplyId,
        reason: &str,
        now: Timestamp,
    ) -> Result<(), StoreError> {
        self.end_reply(claim, reply, "skipped", reason, now).await
    }

    /// Ends a reply that could not be given, for a reason in our own words; what is posted of it stays.
    #[boxed]
    pub async fn fail(
        &self,
        claim: &Claim,
        reply: ReplyId,
        reason: &str,
        now: Timestamp,
    ) -> Result<(), StoreError> {
        self.end_reply(claim, reply, "failed", reason, now).await
    }

    async fn end_reply(
        &self,
        claim: &Claim,
        reply: ReplyId,
        state: &'static str,
        reason: &str,
        now: Timestamp,
    ) -> Result<(), StoreError> {
        let store = self.store.clone();
        let claim = claim.clone();
        let reason = reason.to_owned();
        to_the_end!({
            let mut tx = store.db.begin().await?;
            if claimed_place(&mut tx, &claim, reply).await?.is_some() {
                on!(&mut tx, c => sqlx::query(
                    "UPDATE replies SET state = $2, reason = $3, changed_at = $4
                     WHERE id = $1 AND state IN ('wanted', 'written')")
                    .bind(reply.0).bind(state).bind(&reason).bind(now.as_microsecond())
                    .execute(c).await.map(drop))?;
                on!(&mut tx, c => sqlx::query(
                    "UPDATE reply_parts SET state = 'dropped', text = NULL
                     WHERE reply_id = $1 AND state NOT IN ('posted', 'withdrawing', 'withdrawn')").bind(reply.0).execute(c).await.map(drop))?;
                passing::wipe_if_answered(&mut tx, reply).await?;
            }
            tx.commit().await
        })
        .await
    }
}

/// A reply that is still wanted as its prompt saw it.
struct StillWanted {
    cause: Cause,
    /// The messages that it is to answer.
    standing: BTreeSet<MessageTs>,
    /// Whether inputs of it may be stored already: those of its reason, or of words that were taken back.
    had_inputs: bool,
}

/// What is known of the reply, if it still is wanted as the prompt saw it.
async fn still_wanted(
    tx: &mut Tx,
    place: &Place,
    draft: &ReplyDraft,
    now: Timestamp,
) -> Result<Option<StillWanted>, StoreError> {
    let rows: Vec<(String, i64, Option<i64>, i64)> = on!(tx, c => query_as(
        "SELECT r.cause, r.latest_ts, t.ts, r.made_anew FROM replies r LEFT JOIN reply_triggers t ON t.reply_id = r.id
         WHERE r.id = $1 AND r.state = 'wanted'")
        .bind(draft.reply.0).fetch_all(c).await)?;
    let Some((cause, latest, _, anew)) = rows.first() else { return Ok(None) };
    let cause = parse_column(cause, "replies.cause", draft.reply.0)?;
    let standing: BTreeSet<MessageTs> =
        rows.iter().filter_map(|(_, _, ts, _)| ts.map(MessageTs::from_micros)).collect();
    let had_inputs = cause == Cause::Judgment || *anew > 0;
    if cause == Cause::Judgment {
        let is_alone = is_still_alone(tx, place, draft, MessageTs::from_micros(*latest), now).await?;
        return Ok(is_alone.then_some(StillWanted { cause, standing, had_inputs }));
    }
    let seen: BTreeSet<MessageTs> = draft.triggers.iter().copied().collect();
    let is_as_seen = seen.is_subset(&standing) && seen.is_disjoint(&changed_since(tx, draft).await?);
    Ok((!seen.is_empty() && is_as_seen).then_some(StillWanted { cause, standing, had_inputs }))
}

/// Whether nobody has spoken since it was decided to speak up, and the message it is about says the same.
async fn is_still_alone(
    tx: &mut Tx,
    place: &Place,
    draft: &ReplyDraft,
    latest: MessageTs,
    now: Timestamp,
) -> Result<bool, StoreError> {
    if !speakers::still_open(tx, place, latest).await? {
        on!(tx, c => sqlx::query("UPDATE replies SET state = 'skipped', reason = $2, changed_at = $3 WHERE id = $1")
            .bind(draft.reply.0).bind(TALK_WENT_ON).bind(now.as_microsecond()).execute(c).await.map(drop))?;
        return Ok(false);
    }
    let (edited,): (i64,) = on!(tx, c => query_as(
        "SELECT count(*) FROM messages WHERE channel_id = $1 AND ts = $2 AND revision > $3")
        .bind(place.channel.as_str()).bind(latest.as_micros()).bind(draft.read_revision).fetch_one(c).await)?;
    Ok(edited == 0)
}

/// The triggers whose current words the prompt cannot have held.
async fn changed_since(tx: &mut Tx, draft: &ReplyDraft) -> Result<BTreeSet<MessageTs>, StoreError> {
    let rows: Vec<(i64,)> = on!(tx, c => query_as(
        "SELECT t.ts FROM reply_triggers t JOIN messages m ON m.channel_id = t.channel_id AND m.ts = t.ts
         WHERE t.reply_id = $1 AND m.revision > $2
         UNION ALL
         SELECT t.ts FROM reply_triggers t JOIN passing_messages m ON m.channel_id = t.channel_id AND m.ts = t.ts
         WHERE t.reply_id = $1 AND m.revision > $2")
        .bind(draft.reply.0).bind(draft.read_revision).fetch_all(c).await)?;
    Ok(rows.into_iter().map(|(ts,)| MessageTs::from_micros(ts)).collect())
}

async fn write_in_transaction(
    tx: &mut Tx,
    draft: &ReplyDraft,
    call: Option<i64>,
    now: Timestamp,
) -> Result<(), StoreError> {
    let (state, reason) = if draft.parts.is_empty() {
        (ReplyState::Skipped, "there was nothing to say")
    } else {
        (ReplyState::Written, "")
    };
    // For an excuse, the reason it was given for is kept.
    on!(tx, c => sqlx::query(
        "UPDATE replies SET state = $2, not_before = 0, attempts = 0, excuse = $3, call_id = $4, changed_at = $6, sight = $7,
                mixed = $8,
                reason = CASE WHEN CAST($3 AS BIGINT) = 1 THEN reason ELSE $5 END WHERE id = $1")
        .bind(draft.reply.0).bind(state.as_str()).bind(i64::from(draft.excuse)).bind(call).bind(reason)
        .bind(now.as_microsecond()).bind(draft.sight.as_str()).bind(i64::from(draft.mixed))
        .execute(c).await.map(drop))?;
    for (number, body) in (1_i64..).zip(&draft.parts) {
        let (text, to) = match body {
            PartBody::Post(text) => (text, None),
            PartBody::Reaction { emoji, to } => (emoji, Some(to.as_micros())),
        };
        on!(tx, c => sqlx::query(
            "INSERT INTO reply_parts (reply_id, part, text, state, reacts_to) VALUES ($1, $2, $3, 'ready', $4)")
            .bind(draft.reply.0).bind(number).bind(text).bind(to).execute(c).await.map(drop))?;
    }
    Ok(())
}

/// Moves the triggers that the prompt did not hold to a new reply.
async fn leave_unseen(
    tx: &mut Tx,
    place: &Place,
    draft: &ReplyDraft,
    cause: Cause,
    standing: BTreeSet<MessageTs>,
    now: Timestamp,
) -> Result<(), StoreError> {
    let mut unseen = standing;
    unseen.retain(|ts| !draft.triggers.contains(ts));
    if unseen.is_empty() {
        return Ok(());
    }
    let next = opening::open_in_place(tx, place, cause, now).await?;
    for ts in unseen {
        on!(tx, c => sqlx::query("UPDATE reply_triggers SET reply_id = $3 WHERE channel_id = $1 AND ts = $2")
            .bind(place.channel.as_str()).bind(ts.as_micros()).bind(next).execute(c).await.map(drop))?;
    }
    Ok(())
}
