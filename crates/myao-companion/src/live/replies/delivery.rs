//! Posts each part of a reply once: T3 (the part is marked as being sent), the post, T4 (it is posted). After a crash or
//! a lost answer it looks whether the post is there. `reaction` does the same for reactions.

use jiff::{SignedDuration, Timestamp};
use myao_config::Feedback;
use myao_core::{
    chat::{Message, MessageKind, MessageTs, Place, instant_after},
    judgment::Cause,
    ports::{Post, PostError, PostMark, Reaction},
};
use myao_store::{Claim, PartBody, PartState, ReplyId, ReplyPart, StoreError, WrittenReply};
use tracing::Instrument as _;

use super::Answering;
use crate::{live::CALL_TIMEOUT, spans};

/// How long after a call whose answer was lost we look for the post: until then it may still arrive.
const SETTLED_AFTER: SignedDuration = SignedDuration::from_secs(CALL_TIMEOUT.as_secs().cast_signed() + 5);
/// How far the platform's clock and ours may differ, in seconds. Posts that are older than the call by more than this
/// are not looked at.
pub(super) const CLOCKS_APART: i64 = 60;
/// The wait between two looks: what the platform shows may lag behind what it accepted.
const BETWEEN_LOOKS: SignedDuration = SignedDuration::from_secs(5);
/// How many looks in a row have to find nothing before a part is posted again.
const LOOKS: u32 = 2;
/// The wait after the first failure to reach the platform; each further one is twice as long.
const FIRST_WAIT: SignedDuration = SignedDuration::from_secs(5);
/// The longest of these waits.
const LONGEST_WAIT: SignedDuration = SignedDuration::from_mins(5);
/// The longest wait that the platform may ask for; after it the part is sent again, even if the platform asked for
/// more.
const LONGEST_ASKED: SignedDuration = SignedDuration::from_hours(1);

/// The part that a message becomes which showed the reply while it was written.
const FIRST: u32 = 1;

/// How often in a row deleting a post is tried: for about eight hours.
const MOST_WITHDRAWALS: u64 = 100;

/// The result of sending a part.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum PartOutcome {
    /// It is posted, or stands there as a reaction; or it is taken back as it was to be.
    Posted,
    /// It is not posted; its reply waits, or is over.
    Not,
}

/// The result of looking for a part that may have been posted.
pub(super) enum PostCheck {
    /// It is there, under this time stamp.
    Found(MessageTs),
    /// It is not there.
    Absent,
    /// That is not known yet; the reply is put off.
    Unclear,
}

/// A part that is being sent: a [`Post`], or a [`Reaction`].
pub(super) struct Outgoing<'a, T> {
    pub(super) claim: &'a Claim,
    pub(super) reply: ReplyId,
    pub(super) part: u32,
    /// Where the reply goes.
    pub(super) place: &'a Place,
    /// How often sending was put off before.
    pub(super) attempts: u64,
    /// The newest message that it answers; `None` if nobody asked.
    pub(super) asked_at: Option<MessageTs>,
    /// Whether people are asked below it what they think of the reply.
    pub(super) asks_for_vote: bool,
    pub(super) what: T,
}

impl<'a, T> Outgoing<'a, T> {
    fn with<U>(&self, what: U) -> Outgoing<'a, U> {
        let Self { claim, reply, part, place, attempts, asked_at, asks_for_vote, .. } = *self;
        Outgoing { claim, reply, part, place, attempts, asked_at, asks_for_vote, what }
    }

    fn post(&self, text: String) -> Outgoing<'a, Post> {
        let mark = PostMark { reply: self.reply.0, part: self.part };
        self.with(Post { place: self.place.clone(), text, mark, asks_for_vote: self.asks_for_vote })
    }
}

impl<'a> Outgoing<'a, Reaction> {
    /// A post of the reaction's emoji.
    pub(super) fn as_post(&self) -> Outgoing<'a, Post> {
        self.post(self.what.emoji.clone())
    }
}

impl Answering {
    /// Sends the remaining parts of a reply, in order. Stops at a part that has to wait.
    pub(super) async fn deliver_remaining_parts(
        &self,
        claim: &Claim,
        reply: WrittenReply,
    ) -> Result<(), StoreError> {
        let last = reply.parts.last().map(|last| last.part).filter(|_| self.asks_for_votes(&reply));
        let WrittenReply { id, place, attempts, asked_at, stream, parts, .. } = reply;
        for ReplyPart { part, state } in parts {
            let asks_for_vote = last == Some(part);
            let to_send = Outgoing {
                claim,
                reply: id,
                part,
                place: &place,
                attempts,
                asked_at,
                asks_for_vote,
                what: (),
            };
            let (body, sent_at) = match state {
                PartState::Posted { .. } | PartState::Reacted { .. } => continue,
                PartState::Withdrawing { ts } => {
                    let outgoing = to_send.with(ts);
                    if self.withdraw_part(&outgoing).await? == PartOutcome::Not {
                        return Ok(());
                    }
                    continue;
                }
                PartState::Ready { body } => (body, None),
                PartState::Sending { body, sent_at } => (body, Some(sent_at)),
            };
            let span = spans::post(part);
            let sending = self.send_body(to_send, body, sent_at, stream.filter(|_| part == FIRST));
            let sent = sending.instrument(span.clone()).await?;
            span.record("myao.post.done", sent == PartOutcome::Posted);
            if sent == PartOutcome::Not {
                return Ok(());
            }
        }
        Ok(())
    }

    /// Sends a part, or finds out what became of one that was sent at `sent_at`; `stream` is the message that showed it
    /// while it was written.
    async fn send_body(
        &self,
        to_send: Outgoing<'_, ()>,
        body: PartBody,
        sent_at: Option<Timestamp>,
        stream: Option<MessageTs>,
    ) -> Result<PartOutcome, StoreError> {
        match (body, sent_at) {
            (PartBody::Reaction { emoji, to }, _) => {
                let channel = to_send.place.channel.clone();
                self.react_to_message(to_send.with(Reaction { channel, to, emoji })).await
            }
            (PartBody::Post(text), _) if let Some(ts) = stream => {
                self.finish_stream(&to_send.post(text), ts).await
            }
            (PartBody::Post(text), Some(sent_at)) => self.settle_part(&to_send.post(text), sent_at).await,
            (PartBody::Post(text), None) => self.send_part(&to_send.post(text)).await,
        }
    }

    /// Whether people are asked what they think of a reply, below its last part.
    fn asks_for_votes(&self, reply: &WrittenReply) -> bool {
        let is_wanted = match self.config.response.feedback {
            Feedback::Never => false,
            Feedback::Dm => reply.cause == Cause::Dm,
            Feedback::Always => true,
        };
        is_wanted && !reply.excuse
    }

    /// Deletes a part that is posted and may no longer be said. It may be gone already; that changes nothing.
    async fn withdraw_part(&self, outgoing: &Outgoing<'_, MessageTs>) -> Result<PartOutcome, StoreError> {
        let Outgoing { claim, reply, part, place, attempts, what: ts, .. } = *outgoing;
        let error = match self.at_work.away(self.chat.take_back(&place.channel, ts)).await {
            Ok(()) => {
                self.store.replies().note_part_withdrawn(claim, reply, part, self.clock.now()).await?;
                return Ok(PartOutcome::Posted);
            }
            Err(error) => error,
        };
        tracing::warn!(%error, %reply, part, "a part of a reply could not be taken back");
        let wait = match &error {
            PostError::Limited(seconds) => asked_for(*seconds),
            PostError::Unreachable(_) | PostError::Unknown(_) | PostError::Barred(_) => {
                backoff_after_failures(attempts)
            }
            PostError::Refused(_)
            | PostError::Forbidden(_)
            | PostError::ThreadsOnly(_)
            | PostError::NoThreads(_)
            | PostError::TooLong(_) => SignedDuration::MAX,
        };
        if wait == SignedDuration::MAX || attempts >= MOST_WITHDRAWALS {
            let reason = format!("what was posted could not be taken back: {error}");
            self.store.replies().note_not_withdrawn(claim, reply, &reason, self.clock.now()).await?;
        } else {
            self.put_off(outgoing, instant_after(self.clock.now(), wait), &error).await?;
        }
        Ok(PartOutcome::Not)
    }

    /// Marks a part as being sent, right before it is (T3). False when it must not be sent.
    pub(super) async fn mark_as_sending<T>(
        &self,
        outgoing: &Outgoing<'_, T>,
        now: Timestamp,
    ) -> Result<bool, StoreError> {
        let Outgoing { claim, reply, part, .. } = *outgoing;
        Ok(!self.stop.is_cancelled()
            && self.store.intake().mark_part_sending(claim, reply, part, now).await?)
    }

    /// Posts a part that the platform certainly does not have.
    pub(super) async fn send_part(&self, outgoing: &Outgoing<'_, Post>) -> Result<PartOutcome, StoreError> {
        let Outgoing { reply, part, attempts, .. } = *outgoing;
        let sent_at = self.clock.now();
        if !self.mark_as_sending(outgoing, sent_at).await? {
            return Ok(PartOutcome::Not);
        }
        let error = match self.post_where_it_may_be(outgoing).await {
            Ok((ts, place)) => return self.note_posted(outgoing, &place, ts).await,
            Err(error) => error,
        };
        tracing::warn!(%error, %reply, part, "a part of a reply could not be posted");
        match &error {
            PostError::Limited(seconds) => self.send_later(outgoing, asked_for(*seconds), &error).await?,
            PostError::Unreachable(_) => {
                self.send_later(outgoing, backoff_after_failures(attempts), &error).await?;
            }
            PostError::Unknown(_) => self.put_off(outgoing, arrival_settled_at(sent_at), &error).await?,
            PostError::Barred(_) => self.wait_to_speak(outgoing, &error).await?,
            PostError::TooLong(_) => self.post_in_two(outgoing, &error).await?,
            PostError::ThreadsOnly(_)
            | PostError::NoThreads(_)
            | PostError::Forbidden(_)
            | PostError::Refused(_) => self.give_up(outgoing, &error).await?,
        }
        Ok(PartOutcome::Not)
    }

    /// Puts off a part that the platform certainly did not accept.
    pub(super) async fn send_later<T>(
        &self,
        outgoing: &Outgoing<'_, T>,
        wait: SignedDuration,
        error: &PostError,
    ) -> Result<(), StoreError> {
        let now = self.clock.now();
        self.store.replies().not_sent(outgoing.claim, outgoing.reply, outgoing.part, now).await?;
        self.put_off(outgoing, instant_after(self.clock.now(), wait), error).await
    }

    /// Handles that we may not post in the place for now. A person who asked is answered once we may, unless the
    /// question is too old by then; an unasked reply is given up.
    pub(super) async fn wait_to_speak<T>(
        &self,
        outgoing: &Outgoing<'_, T>,
        error: &PostError,
    ) -> Result<(), StoreError> {
        let now = self.clock.now();
        if outgoing.asked_at.is_some_and(|asked_at| asked_at >= self.attention.oldest(now)) {
            return self.send_later(outgoing, backoff_after_failures(outgoing.attempts), error).await;
        }
        self.give_up(outgoing, error).await
    }

    /// Looks for a part that was sent at `sent_at`, by this process or a dead one, with an unknown result. It is posted
    /// again if it is certainly not there.
    async fn settle_part(
        &self,
        outgoing: &Outgoing<'_, Post>,
        sent_at: Timestamp,
    ) -> Result<PartOutcome, StoreError> {
        match self.look_for(outgoing, sent_at).await? {
            PostCheck::Found(ts) => self.note_posted(outgoing, &outgoing.what.place, ts).await,
            PostCheck::Absent => self.send_part(outgoing).await,
            PostCheck::Unclear => Ok(PartOutcome::Not),
        }
    }

    pub(super) async fn look_for(
        &self,
        outgoing: &Outgoing<'_, Post>,
        sent_at: Timestamp,
    ) -> Result<PostCheck, StoreError> {
        let settled = arrival_settled_at(sent_at);
        if self.clock.now() < settled {
            let reason = "nobody knows whether the platform took it";
            self.put_off(outgoing, settled, &reason).await?;
            return Ok(PostCheck::Unclear);
        }
        let since = MessageTs::from_timestamp(sent_at).plus_seconds(-CLOCKS_APART);
        let Post { place, mark, .. } = &outgoing.what;
        for look in 1..=LOOKS {
            match self.at_work.away(self.chat.find(place, mark, since)).await {
                Ok(Some(ts)) => return Ok(PostCheck::Found(ts)),
                Ok(None) => {}
                Err(error) => {
                    tracing::warn!(%error, reply = %outgoing.reply, "a post cannot be looked for");
                    let reason = format!("whether it is posted cannot be looked up: {error}");
                    let wait = match error {
                        PostError::Limited(seconds) => asked_for(seconds),
                        PostError::Unreachable(_)
                        | PostError::Unknown(_)
                        | PostError::Barred(_)
                        | PostError::ThreadsOnly(_)
                        | PostError::NoThreads(_)
                        | PostError::TooLong(_)
                        | PostError::Forbidden(_)
                        | PostError::Refused(_) => backoff_after_failures(outgoing.attempts),
                    };
                    self.put_off(outgoing, instant_after(self.clock.now(), wait), &reason).await?;
                    return Ok(PostCheck::Unclear);
                }
            }
            let pause =
                self.at_work.away(self.clock.sleep_until(instant_after(self.clock.now(), BETWEEN_LOOKS)));
            if look < LOOKS && self.stop.run_until_cancelled(pause).await.is_none() {
                return Ok(PostCheck::Unclear);
            }
        }
        Ok(PostCheck::Absent)
    }

    /// Marks a part as posted (T4) in this place of the channel, and stores our message in the core's notation, like every message.
    pub(super) async fn note_posted(
        &self,
        outgoing: &Outgoing<'_, Post>,
        place: &Place,
        ts: MessageTs,
    ) -> Result<PartOutcome, StoreError> {
        let Outgoing { claim, reply, part, .. } = *outgoing;
        let message = self.own_message(place, ts, &outgoing.what.text);
        self.store.intake().note_part_posted(claim, reply, part, message, self.clock.now()).await?;
        Ok(PartOutcome::Posted)
    }

    fn own_message(&self, place: &Place, ts: MessageTs, text: &str) -> Message {
        Message {
            channel: place.channel.clone(),
            ts,
            thread_ts: place.thread,
            user: self.attention.own.user.clone(),
            kind: MessageKind::Talk,
            text: myao_slack::text::markup_as_notation(text),
            files: Vec::new(),
            edited_at: None,
            deleted: false,
        }
    }

    pub(super) async fn put_off<T>(
        &self,
        outgoing: &Outgoing<'_, T>,
        until: Timestamp,
        reason: &impl ToString,
    ) -> Result<(), StoreError> {
        let reason = reason.to_string();
        self.store.replies().put_off(outgoing.claim, outgoing.reply, until, &reason, self.clock.now()).await
    }
}

/// When a post that was sent at `sent_at` has either arrived or will not arrive any more.
pub(super) fn arrival_settled_at(sent_at: Timestamp) -> Timestamp {
    instant_after(sent_at, SETTLED_AFTER)
}

/// The wait that the platform asked for, from 1 s to [`LONGEST_ASKED`].
pub(super) fn asked_for(seconds: u64) -> SignedDuration {
    SignedDuration::from_secs(i64::try_from(seconds.max(1)).unwrap_or(i64::MAX)).min(LONGEST_ASKED)
}

/// The wait after `attempts` earlier failures, from [`FIRST_WAIT`] to [`LONGEST_WAIT`].
pub(super) fn backoff_after_failures(attempts: u64) -> SignedDuration {
    let doublings = u32::try_from(attempts).unwrap_or(u32::MAX).min(16);
    FIRST_WAIT.saturating_mul(1_i32 << doublings).min(LONGEST_WAIT)
}
