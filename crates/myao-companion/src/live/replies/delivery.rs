//! Posting, each part once: T3, the post, T4; and after a crash or a lost answer a look at what is there. What is
//! not a post is in `reaction`.

use jiff::{SignedDuration, Timestamp};
use myao_core::{
    chat::{Message, MessageKind, MessageTs, later},
    context::Place,
    ports::{Post, PostError, PostMark, Reaction},
};
use myao_store::{Claim, PartBody, PartState, ReplyId, ReplyPart, StoreError, WrittenReply};

use super::Answering;
use crate::live::CALL_TIMEOUT;

/// A post whose answer never came may still arrive within a call's time, and a little: only then it is looked
/// for.
const SETTLED_AFTER: SignedDuration = SignedDuration::from_secs(CALL_TIMEOUT.as_secs().cast_signed() + 5);
/// The platform's clock and ours may differ by so much; older posts are not looked at.
const CLOCKS_APART: i64 = 60;
/// Between two looks: what the platform shows of itself may lag behind what it took.
const BETWEEN_LOOKS: SignedDuration = SignedDuration::from_secs(5);
/// So many looks in a row have to find nothing before a part is posted again.
const LOOKS: u32 = 2;
/// The first wait for a platform that is not reached; each further one is twice as long,
const FIRST_WAIT: SignedDuration = SignedDuration::from_secs(5);
/// up to this one.
const LONGEST_WAIT: SignedDuration = SignedDuration::from_mins(5);
/// The longest wait that the platform is believed to mean: after that it is tried again, whatever it said.
const LONGEST_ASKED: SignedDuration = SignedDuration::from_hours(1);

/// What became of a part.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum PartOutcome {
    /// It is posted, or stands there as a reaction.
    Posted,
    /// Its reply waits, or is over.
    Not,
}

/// What a part that may have been posted turned out to be.
enum PostCheck {
    /// There, under this time stamp.
    Found(MessageTs),
    /// Not there.
    Absent,
    /// Nobody can say yet; the reply is put off.
    Unclear,
}

/// A part on its way: a [`Post`], or a [`Reaction`].
pub(super) struct Outgoing<'a, T> {
    pub(super) claim: &'a Claim,
    pub(super) reply: ReplyId,
    pub(super) part: u32,
    /// Where the reply goes.
    pub(super) place: &'a Place,
    /// How often sending was put off before.
    pub(super) attempts: u64,
    /// The newest message that it answers; none where nobody asked.
    pub(super) asked_at: Option<MessageTs>,
    pub(super) what: T,
}

impl<'a, T> Outgoing<'a, T> {
    fn with<U>(&self, what: U) -> Outgoing<'a, U> {
        let Self { claim, reply, part, place, attempts, asked_at, .. } = *self;
        Outgoing { claim, reply, part, place, attempts, asked_at, what }
    }

    fn post(&self, text: String) -> Outgoing<'a, Post> {
        let mark = PostMark { reply: self.reply.0, part: self.part };
        self.with(Post { place: self.place.clone(), text, mark })
    }
}

impl<'a> Outgoing<'a, Reaction> {
    /// The same emoji as a post.
    pub(super) fn as_post(&self) -> Outgoing<'a, Post> {
        self.post(self.what.emoji.clone())
    }
}

impl Answering {
    /// Posts what is left of a reply, in order. Ends early where a part has to wait.
    pub(super) async fn deliver(&self, claim: &Claim, reply: WrittenReply) -> Result<(), StoreError> {
        let WrittenReply { id, place, attempts, asked_at, parts, .. } = reply;
        // Whether its words may still be said: after a restart that is looked up first.
        self.know(&place.channel).await?;
        for ReplyPart { part, state } in parts {
            let (body, sent_at) = match state {
                PartState::Posted { .. } | PartState::Reacted { .. } => continue,
                PartState::Ready { body } => (body, None),
                PartState::Sending { body, sent_at } => (body, Some(sent_at)),
            };
            let outgoing = Outgoing { claim, reply: id, part, place: &place, attempts, asked_at, what: () };
            let sent = match (body, sent_at) {
                (PartBody::Reaction { emoji, to }, _) => {
                    let channel = place.channel.clone();
                    self.react(outgoing.with(Reaction { channel, to, emoji })).await?
                }
                (PartBody::Post(text), Some(sent_at)) => {
                    self.settle_part(&outgoing.post(text), sent_at).await?
                }
                (PartBody::Post(text), None) => self.send(&outgoing.post(text)).await?,
            };
            if sent == PartOutcome::Not {
                return Ok(());
            }
        }
        Ok(())
    }

    /// Notes that a part is given to the platform, right before it is (T3). False when it is not to be.
    pub(super) async fn begin<T>(
        &self,
        outgoing: &Outgoing<'_, T>,
        now: Timestamp,
    ) -> Result<bool, StoreError> {
        let Outgoing { claim, reply, part, .. } = *outgoing;
        Ok(!self.stop.is_cancelled() && self.store.sending(claim, reply, part, now).await?)
    }

    /// Gives a part to the platform, which surely does not have it.
    pub(super) async fn send(&self, outgoing: &Outgoing<'_, Post>) -> Result<PartOutcome, StoreError> {
        let Outgoing { claim, reply, part, attempts, .. } = *outgoing;
        let sent_at = self.clock.now();
        if !self.begin(outgoing, sent_at).await? {
            return Ok(PartOutcome::Not);
        }
        let error = match self.chat.post(&outgoing.what).await {
            Ok(ts) => return self.note_posted(outgoing, ts).await,
            Err(error) => error,
        };
        tracing::warn!(%error, %reply, part, "a reply is not posted");
        match &error {
            PostError::Limited(seconds) => self.give_later(outgoing, asked_for(*seconds), &error).await?,
            PostError::Unreachable(_) => self.give_later(outgoing, backoff(attempts), &error).await?,
            PostError::Unknown(_) => self.put_off(outgoing, settled(sent_at), &error).await?,
            PostError::Barred(_) => self.wait_to_speak(outgoing, &error).await?,
            PostError::Refused(_) => {
                self.store.fail_reply(claim, reply, &error.to_string(), self.clock.now()).await?;
            }
        }
        Ok(PartOutcome::Not)
    }

    /// A part that the platform surely did not take is given to it later.
    pub(super) async fn give_later<T>(
        &self,
        outgoing: &Outgoing<'_, T>,
        wait: SignedDuration,
        error: &PostError,
    ) -> Result<(), StoreError> {
        self.store.not_sent(outgoing.claim, outgoing.reply, outgoing.part).await?;
        self.put_off(outgoing, later(self.clock.now(), wait), error).await
    }

    /// We may not speak in the place as things stand. Whoever asked is answered once we may, unless what they asked is
    /// too old by then; what nobody asked for is not said at all.
    pub(super) async fn wait_to_speak<T>(
        &self,
        outgoing: &Outgoing<'_, T>,
        error: &PostError,
    ) -> Result<(), StoreError> {
        let now = self.clock.now();
        if outgoing.asked_at.is_some_and(|asked_at| asked_at >= self.attention.oldest(now)) {
            return self.give_later(outgoing, backoff(outgoing.attempts), error).await;
        }
        self.store.fail_reply(outgoing.claim, outgoing.reply, &error.to_string(), now).await
    }

    /// A part that was given to the platform at `sent_at`, by this process or a dead one, and nobody knows
    /// whether it was taken: it is looked for, and posted again if it is surely not there.
    async fn settle_part(
        &self,
        outgoing: &Outgoing<'_, Post>,
        sent_at: Timestamp,
    ) -> Result<PartOutcome, StoreError> {
        match self.look_for(outgoing, sent_at).await? {
            PostCheck::Found(ts) => self.note_posted(outgoing, ts).await,
            PostCheck::Absent => self.send(outgoing).await,
            PostCheck::Unclear => Ok(PartOutcome::Not),
        }
    }

    async fn look_for(
        &self,
        outgoing: &Outgoing<'_, Post>,
        sent_at: Timestamp,
    ) -> Result<PostCheck, StoreError> {
        let settled = settled(sent_at);
        if self.clock.now() < settled {
            let reason = "nobody knows whether the platform took it";
            self.put_off(outgoing, settled, &reason).await?;
            return Ok(PostCheck::Unclear);
        }
        let since = MessageTs::from_timestamp(sent_at).plus_seconds(-CLOCKS_APART);
        let Post { place, mark, .. } = &outgoing.what;
        for look in 1..=LOOKS {
            match self.chat.find(place, mark, since).await {
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
                        | PostError::Refused(_) => backoff(outgoing.attempts),
                    };
                    self.put_off(outgoing, later(self.clock.now(), wait), &reason).await?;
                    return Ok(PostCheck::Unclear);
                }
            }
            let pause = self.clock.sleep_until(later(self.clock.now(), BETWEEN_LOOKS));
            if look < LOOKS && self.stop.run_until_cancelled(pause).await.is_none() {
                return Ok(PostCheck::Unclear);
            }
        }
        Ok(PostCheck::Absent)
    }

    /// T4, with our message as the archive keeps it: in the core's notation, like everybody's.
    async fn note_posted(
        &self,
        outgoing: &Outgoing<'_, Post>,
        ts: MessageTs,
    ) -> Result<PartOutcome, StoreError> {
        let Outgoing { claim, reply, part, place, .. } = *outgoing;
        let message = self.own_message(place, ts, &outgoing.what.text);
        self.store.posted(claim, reply, part, message, self.clock.now()).await?;
        Ok(PartOutcome::Posted)
    }

    fn own_message(&self, place: &Place, ts: MessageTs, text: &str) -> Message {
        Message {
            channel: place.channel.clone(),
            ts,
            thread_ts: place.thread,
            user: self.attention.own.user.clone(),
            kind: MessageKind::Talk,
            text: myao_slack::text::normalise(text),
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
        self.store.put_off_reply(outgoing.claim, outgoing.reply, until, &reason, self.clock.now()).await
    }
}

/// When a post given at `sent_at` is either there or never will be.
fn settled(sent_at: Timestamp) -> Timestamp {
    later(sent_at, SETTLED_AFTER)
}

/// The wait that the platform asked for, within reason.
pub(super) fn asked_for(seconds: u64) -> SignedDuration {
    SignedDuration::from_secs(i64::try_from(seconds.max(1)).unwrap_or(i64::MAX)).min(LONGEST_ASKED)
}

pub(super) fn backoff(attempts: u64) -> SignedDuration {
    let doubled = 1_i32.checked_shl(u32::try_from(attempts).unwrap_or(u32::MAX)).filter(|factor| *factor > 0);
    doubled
        .and_then(|factor| FIRST_WAIT.checked_mul(factor))
        .map_or(LONGEST_WAIT, |wait| wait.min(LONGEST_WAIT))
}
