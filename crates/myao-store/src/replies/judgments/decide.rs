//! Writes a verdict, and the reply it opens, if what it is about still stands.

use std::collections::BTreeMap;

use async_recursion::async_recursion as boxed;
use jiff::{SignedDuration, Timestamp};
use myao_core::{
    chat::{ChannelId, MessageTs, Place, instant_after},
    judgment::{Manners, apart_from_taken},
};

use super::{
    ledger::{VerdictId, VerdictKind},
    speakers,
};
use crate::{
    RepliesHandle, StoreError,
    db::{
        Tx,
        claims::{self, Claim},
        query_as,
        values::{instant_from_micros, ts_or_zero},
    },
    memory::journal::{self, CallRecord},
    replies::{
        inputs::{self, InputSource, ReplyInputs, SightRule},
        opening,
        reply_id::{self, ReplyId},
    },
};

/// The result of a judgment, to be written.
#[derive(Clone, Debug)]
pub struct VerdictDraft {
    /// The place it is about.
    pub place: Place,
    /// The message it is about: the newest that nobody answered.
    pub latest_ts: MessageTs,
    /// How long we waited before judging.
    pub wait: SignedDuration,
    /// What was decided.
    pub outcome: VerdictOutcome,
    /// The id of the model that decided.
    pub model: String,
    /// The model calls behind it.
    pub calls: Vec<CallRecord>,
    /// The oldest message of the conversation that was shown.
    pub shown_from: Option<MessageTs>,
    /// The channel's revision when the conversation was read; `None` if nothing was read.
    pub read_revision: Option<i64>,
    /// Everything that was shown: the reason is kept only if all of it still stands and may still be seen there.
    pub inputs: ReplyInputs,
}

/// What was decided.
#[derive(Clone, Debug, PartialEq)]
pub enum VerdictOutcome {
    /// To speak.
    Speak {
        /// Why, in the model's words.
        reason: String,
        /// How sure the model was, from 0 to 1.
        confidence: f64,
        /// The reply is not due before this instant.
        earliest: Timestamp,
        /// The least time between this and other unasked replies.
        interval: SignedDuration,
    },
    /// To stay quiet.
    Quiet {
        /// Why, in the model's words.
        reason: String,
        /// How sure the model was, from 0 to 1.
        confidence: f64,
        /// Until when the verdict holds while nothing new is said.
        until: Timestamp,
    },
    /// There was no verdict.
    Failed {
        /// Why, in our words.
        reason: String,
    },
}

impl VerdictOutcome {
    /// The reason in the model's words, if there is one.
    pub fn reason_mut(&mut self) -> Option<&mut String> {
        match self {
            Self::Speak { reason, .. } | Self::Quiet { reason, .. } => Some(reason),
            Self::Failed { .. } => None,
        }
    }

    fn drop_reason(&mut self) {
        if let Some(reason) = self.reason_mut() {
            reason.clear();
        }
    }
}

/// What became of a verdict.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Decided {
    /// It is in the ledger, and opened this reply, which is due at this instant.
    Speaks(ReplyId, Timestamp),
    /// It is in the ledger; nothing more is decided until this instant.
    Holds(Timestamp),
    /// Somebody has spoken meanwhile, or a reply is under way: it is dropped.
    Moved,
}

/// A verdict's row, without what it is about.
struct VerdictRow<'a> {
    kind: VerdictKind,
    confidence: Option<f64>,
    reason: &'a str,
    hold_until: Option<Timestamp>,
    speaks: Option<(ReplyId, Timestamp)>,
}

impl RepliesHandle<'_> {
    /// When the unasked replies of each channel last changed their state, oldest first: those that did since an instant
    /// and were not skipped.
    #[boxed]
    pub async fn unasked_since(
        &self,
        since: Timestamp,
    ) -> Result<BTreeMap<ChannelId, Vec<Timestamp>>, StoreError> {
        let mut tx = self.store.db.snapshot().await?;
        let rows: Vec<(String, i64)> = on!(&mut tx, c => query_as(
            "SELECT channel_id, changed_at FROM replies
             WHERE cause = 'judgment' AND changed_at >= $1 AND state IN ('wanted', 'written', 'done')
             ORDER BY changed_at").bind(since.as_microsecond()).fetch_all(c).await)?;
        let mut by_channel: BTreeMap<ChannelId, Vec<Timestamp>> = BTreeMap::new();
        for (id, changed_at) in rows {
            by_channel.entry(ChannelId::new(id)).or_default().push(instant_from_micros(changed_at));
        }
        Ok(by_channel)
    }

    /// Writes a verdict. A verdict to speak opens a reply in the same transaction.
    ///
    /// # Errors
    /// [`StoreError::ClaimLost`] if another process judges now; then nothing is written.
    #[boxed]
    pub async fn write_verdict(
        &self,
        claim: &Claim,
        mut draft: VerdictDraft,
        now: Timestamp,
    ) -> Result<Decided, StoreError> {
        let store = self.store.clone();
        let claim = claim.clone();
        to_the_end!({
            let mut tx = store.db.begin().await?;
            claims::check_still_held(&mut tx, &claim).await?;
            reply_id::lock_channel_row(&mut tx, &draft.place.channel).await?;
            let call = journal::record_calls(&mut tx, &draft.calls).await?;
            let stands = speakers::still_open(&mut tx, &draft.place, draft.latest_ts).await?
                && !opening::is_under_way(&mut tx, &draft.place).await?;
            let known = SightRule::Known { since: store.hearing.since() };
            let shown = InputSource::Held(&draft.inputs);
            if stands
                && !inputs::find_lost_inputs(&mut tx, shown, &draft.place.channel, known).await?.is_empty()
            {
                // The decision stands, but its reason may hold words that were removed.
                draft.outcome.drop_reason();
            }
            let decided =
                if stands { write_in_transaction(&mut tx, &draft, call, now).await? } else { Decided::Moved };
            tx.commit().await?;
            Ok(decided)
        })
        .await
    }
}

async fn write_in_transaction(
    tx: &mut Tx,
    draft: &VerdictDraft,
    call: Option<i64>,
    now: Timestamp,
) -> Result<Decided, StoreError> {
    let plain = |kind, reason| VerdictRow { kind, confidence: None, reason, hold_until: None, speaks: None };
    let (row, decided) = match &draft.outcome {
        VerdictOutcome::Speak { reason, confidence, earliest, interval } => {
            let at = apart_from_taken(
                (*earliest).max(now),
                &unasked_reply_times(tx, now, *interval).await?,
                *interval,
            );
            let reply = opening::open_unasked(tx, &draft.place, draft.latest_ts, at, now).await?;
            if !reason.is_empty() {
                inputs::keep_for_reply(tx, reply, &draft.inputs, false).await?;
            }
            let row = plain(VerdictKind::Speak, reason);
            (
                VerdictRow { confidence: Some(*confidence), speaks: Some((reply, at)), ..row },
                Decided::Speaks(reply, at),
            )
        }
        VerdictOutcome::Quiet { reason, confidence, until } => {
            let row = plain(VerdictKind::Quiet, reason);
            (
                VerdictRow { confidence: Some(*confidence), hold_until: Some(*until), ..row },
                Decided::Holds(*until),
            )
        }
        VerdictOutcome::Failed { reason } => {
            let wait = Manners::retry(failures_in_a_row(tx, draft).await?.saturating_add(1));
            let until = instant_after(now, wait);
            let row = plain(VerdictKind::Failed, reason);
            (VerdictRow { hold_until: Some(until), ..row }, Decided::Holds(until))
        }
    };
    insert_verdict(tx, draft, &row, call, now).await?;
    Ok(decided)
}

async fn insert_verdict(
    tx: &mut Tx,
    draft: &VerdictDraft,
    row: &VerdictRow<'_>,
    call: Option<i64>,
    now: Timestamp,
) -> Result<VerdictId, StoreError> {
    let micros = |instant: Timestamp| instant.as_microsecond();
    #[expect(clippy::cast_possible_truncation, reason = "between 0 and 1000")]
    let thousandths = |share: f64| (share.clamp(0.0, 1.0) * 1000.0).round() as i64;
    let (id,): (i64,) = on!(tx, c => query_as(
        "INSERT INTO verdicts (channel_id, thread_ts, latest_ts, verdict, confidence, reason, wait, hold_until,
                               speak_at, call_id, at, model, shown_from, read_revision, reply_id)
         VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15) RETURNING id")
        .bind(draft.place.channel.as_str()).bind(ts_or_zero(draft.place.thread))
        .bind(draft.latest_ts.as_micros()).bind(row.kind.as_str()).bind(row.confidence.map(thousandths))
        .bind(row.reason).bind(i64::try_from(draft.wait.as_micros()).unwrap_or(i64::MAX))
        .bind(row.hold_until.map(micros)).bind(row.speaks.map(|(_, at)| micros(at))).bind(call)
        .bind(micros(now)).bind(draft.model.as_str()).bind(draft.shown_from.map(MessageTs::as_micros))
        .bind(draft.read_revision).bind(row.speaks.map(|(reply, _)| reply.0))
        .fetch_one(c).await)?;
    Ok(VerdictId(id))
}

/// How many times in a row the same judgment failed.
async fn failures_in_a_row(tx: &mut Tx, draft: &VerdictDraft) -> Result<u32, StoreError> {
    let (n,): (i64,) = on!(tx, c => query_as(
        "SELECT count(*) FROM verdicts v
         WHERE v.channel_id = $1 AND v.thread_ts = $2 AND v.latest_ts = $3 AND v.verdict = 'failed'
           AND NOT EXISTS (SELECT 1 FROM verdicts o
                WHERE o.channel_id = $1 AND o.thread_ts = $2 AND o.latest_ts = $3
                  AND o.verdict <> 'failed' AND o.id > v.id)")
        .bind(draft.place.channel.as_str()).bind(ts_or_zero(draft.place.thread))
        .bind(draft.latest_ts.as_micros()).fetch_one(c).await)?;
    Ok(u32::try_from(n).unwrap_or(u32::MAX))
}

/// When unasked replies are due, or were given within `interval`.
async fn unasked_reply_times(
    tx: &mut Tx,
    now: Timestamp,
    interval: SignedDuration,
) -> Result<Vec<Timestamp>, StoreError> {
    let since = now.saturating_sub(interval).unwrap_or(Timestamp::MIN);
    let rows: Vec<(i64,)> = on!(tx, c => query_as(
        "SELECT not_before FROM replies WHERE cause = 'judgment' AND state = 'wanted'
         UNION ALL SELECT changed_at FROM replies
            WHERE cause = 'judgment' AND state IN ('written', 'done') AND changed_at >= $1")
        .bind(since.as_microsecond()).fetch_all(c).await)?;
    Ok(rows.into_iter().map(|(at,)| instant_from_micros(at)).collect())
}
