//! Reads the ledger: every verdict, with what came of it.

use std::{fmt, str::FromStr};

use async_recursion::async_recursion as boxed;
use jiff::{SignedDuration, Timestamp};
use myao_core::{
    chat::{ChannelId, MessageTs, Place, UserId, Visibility},
    judgment::ReplyState,
};

use crate::{
    RepliesHandle, StoreError,
    db::{
        query_as,
        values::{instant_from_micros, opt_ts, parse_column, row, signed_count, unsigned_count},
    },
    replies::{
        inputs::{self, InputSource, ReplyInput, ReplyInputs, SightRule},
        reply_id::ReplyId,
        stopped::user_of_column,
        votes::{VoteCount, vote_columns},
    },
};

/// A verdict's number.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct VerdictId(pub i64);

impl fmt::Display for VerdictId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", self.0)
    }
}

/// What a verdict says.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum VerdictKind {
    /// To speak.
    Speak,
    /// To stay quiet.
    Quiet,
    /// Nothing: the judgment failed.
    Failed,
}

impl VerdictKind {
    /// The name in storage.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Speak => "speak",
            Self::Quiet => "quiet",
            Self::Failed => "failed",
        }
    }
}

impl FromStr for VerdictKind {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        [Self::Speak, Self::Quiet, Self::Failed]
            .into_iter()
            .find(|kind| kind.as_str() == text)
            .ok_or_else(|| format!("`{text}` is no verdict"))
    }
}

/// A verdict as it stands in the ledger.
#[derive(Clone, Debug, PartialEq)]
pub struct VerdictRecord {
    /// Its number.
    pub id: VerdictId,
    /// When it was given.
    pub at: Timestamp,
    /// The place it is about.
    pub place: Place,
    /// The message it is about: the newest that nobody had answered.
    pub latest_ts: MessageTs,
    /// What it says.
    pub kind: VerdictKind,
    /// How sure it was, from 0 to 1; `None` if the judgment failed.
    pub confidence: Option<f64>,
    /// Why; empty if the reason held words that were removed since.
    pub reason: String,
    /// Whether its reason was wiped.
    pub wiped: bool,
    /// How long we waited before judging; `None` for a verdict of the predecessor.
    pub wait: Option<SignedDuration>,
    /// Until when it holds while nothing new is said.
    pub hold_until: Option<Timestamp>,
    /// The model that gave it; `None` for a verdict of the predecessor.
    pub model: Option<String>,
    /// The number of the model call behind it.
    pub call: Option<i64>,
    /// The oldest message of the conversation that was shown.
    pub shown_from: Option<MessageTs>,
    /// The channel's revision at which the conversation was read.
    pub read_revision: Option<i64>,
    /// What came of it, if it was to speak.
    pub reply: Option<VerdictReply>,
}

/// What came of a verdict to speak.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct VerdictReply {
    /// The reply.
    pub id: ReplyId,
    /// When it was due.
    pub due: Option<Timestamp>,
    /// How far it has come.
    pub state: ReplyState,
    /// Why it was put off, skipped or failed.
    pub reason: String,
    /// When it last changed.
    pub changed_at: Timestamp,
    /// The time stamp of its first post.
    pub posted_ts: Option<MessageTs>,
    /// Whether somebody stopped it while it was written.
    pub was_stopped: bool,
    /// Who stopped it, if that is known and may be kept.
    pub stopped_by: Option<UserId>,
    /// What people think of it.
    pub votes: VoteCount,
}

/// Which verdicts to read.
#[derive(Clone, Debug)]
pub struct LedgerQuery {
    /// Only those about this channel; `None` for all.
    pub channel: Option<ChannelId>,
    /// Only those given at or after this instant.
    pub since: Timestamp,
    /// At most this many, the newest ones.
    pub limit: u64,
}

row! {
    /// A row of the ledger as it is read.
    pub(super) struct LedgerRow {
        id: i64,
        at: i64,
        channel_id: String,
        thread_ts: i64,
        latest_ts: i64,
        verdict: String,
        confidence: Option<i64>,
        reason: String,
        wait: Option<i64>,
        hold_until: Option<i64>,
        speak_at: Option<i64>,
        model: Option<String>,
        call_id: Option<i64>,
        shown_from: Option<i64>,
        read_revision: Option<i64>,
        wiped_at: Option<i64>,
        reply_id: Option<i64>,
        state: Option<String>,
        reply_reason: Option<String>,
        changed_at: Option<i64>,
        posted_ts: Option<i64>,
        stopped_ts: Option<i64>,
        stopped_by: Option<String>,
        judged: i64,
        good: i64,
        bad: i64,
    }
}

impl RepliesHandle<'_> {
    /// Verdicts, newest first, without those about channels that may not be seen.
    #[boxed]
    pub async fn list_verdicts(
        &self,
        visibility: &Visibility,
        query: &LedgerQuery,
    ) -> Result<Vec<VerdictRecord>, StoreError> {
        let mut tx = self.store.db.snapshot().await?;
        let channel = query.channel.as_ref().map_or("", ChannelId::as_str);
        let rows: Vec<LedgerRow> = on!(&mut tx, c => query_as(concat!(
            "SELECT v.id, v.at, v.channel_id, v.thread_ts, v.latest_ts, v.verdict, v.confidence, v.reason, v.wait,
                v.hold_until, v.speak_at, v.model, v.call_id, v.shown_from, v.read_revision, v.wiped_at,
                v.reply_id, r.state, r.reason AS reply_reason, r.changed_at, r.stopped_ts, r.stopped_by,
                (SELECT min(p.ts) FROM reply_parts p WHERE p.reply_id = v.reply_id) AS posted_ts,
                CAST(1 AS BIGINT) AS judged,", vote_columns!("v.reply_id", "v.channel_id"), "
             FROM verdicts v LEFT JOIN replies r ON r.id = v.reply_id
             WHERE v.at >= $1 AND ($2 = '' OR v.channel_id = $2) ORDER BY v.at DESC, v.id DESC LIMIT $3"))
            .bind(query.since.as_microsecond()).bind(channel).bind(signed_count(query.limit)).fetch_all(c).await)?;
        let mut shown = self.store.hearing().shown_channels(visibility);
        let mut seen = Vec::new();
        for row in rows {
            let record = row.into_record()?;
            if shown.shows_talk_of(&mut tx, &record.place.channel).await? {
                seen.push(record);
            }
        }
        Ok(seen)
    }

    /// The reason of the verdict that opened a reply, for the prompt of that reply in a channel, and what the judging model
    /// was shown for it. No reason if any of that no longer stands, or may not be seen there any more.
    #[boxed]
    pub async fn reason_to_speak(
        &self,
        reply: ReplyId,
        channel: &ChannelId,
    ) -> Result<Option<(String, ReplyInputs)>, StoreError> {
        let mut tx = self.store.db.snapshot().await?;
        let row: Option<(String,)> = on!(&mut tx, c => query_as(
            "SELECT reason FROM verdicts WHERE reply_id = $1 ORDER BY id DESC LIMIT 1")
            .bind(reply.0).fetch_optional(c).await)?;
        let Some((reason,)) = row.filter(|(reason,)| !reason.is_empty()) else { return Ok(None) };
        let known = SightRule::Known { since: self.store.hearing.since() };
        if !inputs::find_lost_inputs(&mut tx, InputSource::Stored(reply), channel, known).await?.is_empty() {
            return Ok(None);
        }
        let mut shown = inputs::stored_for_reply(&mut tx, reply).await?;
        shown.add(ReplyInput::Reason(reply));
        Ok(Some((reason, shown)))
    }

    /// How many verdicts of each kind were given since an instant.
    #[boxed]
    pub async fn verdict_counts(&self, since: Timestamp) -> Result<Vec<(VerdictKind, u64)>, StoreError> {
        let mut tx = self.store.db.snapshot().await?;
        let rows: Vec<(String, i64)> = on!(&mut tx, c => query_as(
            "SELECT verdict, count(*) FROM verdicts WHERE at >= $1 GROUP BY verdict ORDER BY verdict")
            .bind(since.as_microsecond()).fetch_all(c).await)?;
        rows.into_iter()
            .map(|(kind, n)| Ok((parse_column(&kind, "verdicts.verdict", "any")?, unsigned_count(n))))
            .collect()
    }
}

impl LedgerRow {
    /// How many times the statement was judged that the verdict is about.
    pub(super) fn times_judged(&self) -> u64 {
        unsigned_count(self.judged)
    }

    pub(super) fn into_record(self) -> Result<VerdictRecord, StoreError> {
        let reply = self.reply()?;
        Ok(VerdictRecord {
            id: VerdictId(self.id),
            at: instant_from_micros(self.at),
            place: Place { channel: ChannelId::new(self.channel_id), thread: opt_ts(self.thread_ts) },
            latest_ts: MessageTs::from_micros(self.latest_ts),
            kind: parse_column(&self.verdict, "verdicts.verdict", self.id)?,
            confidence: self.confidence.map(|n| f64::from(i32::try_from(n).unwrap_or(0)) / 1000.0),
            reason: self.reason,
            wiped: self.wiped_at.is_some(),
            wait: self.wait.map(SignedDuration::from_micros),
            hold_until: self.hold_until.map(instant_from_micros),
            model: self.model,
            call: self.call_id,
            shown_from: self.shown_from.map(MessageTs::from_micros),
            read_revision: self.read_revision,
            reply,
        })
    }

    fn reply(&self) -> Result<Option<VerdictReply>, StoreError> {
        let Some((id, state)) = self.reply_id.zip(self.state.as_deref()) else { return Ok(None) };
        Ok(Some(VerdictReply {
            id: ReplyId(id),
            due: self.speak_at.map(instant_from_micros),
            state: parse_column(state, "replies.state", id)?,
            reason: self.reply_reason.clone().unwrap_or_default(),
            changed_at: instant_from_micros(self.changed_at.unwrap_or(self.at)),
            posted_ts: self.posted_ts.map(MessageTs::from_micros),
            was_stopped: self.stopped_ts.is_some_and(|ts| ts > 0),
            stopped_by: user_of_column(self.stopped_by.clone().unwrap_or_default()),
            votes: VoteCount { good: unsigned_count(self.good), bad: unsigned_count(self.bad) },
        }))
    }
}
