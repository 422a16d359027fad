//! Shows an answer while it is written (ADR 125): a message that grows, which becomes the first part in the end.
//!
//! Which message that is, is a row. It is finished by `delivery` once the answer is written; in every other case whoever
//! holds the place takes it away.

use std::collections::BTreeMap;

use jiff::{SignedDuration, Timestamp};
use myao_core::{
    chat::{MessageTs, Place, instant_after},
    judgment::Cause,
    ports::{Post, PostError, Request, ShowWords},
    prompt::with_citation_links,
    text::without_invisible_characters,
};
use myao_store::{AnswerStream, Claim, Grounds, ReplyDraft, SharedInputs, Sight, StoreError, WantedReply};
use tokio::sync::watch;
use tokio_util::sync::CancellationToken;

use super::{
    Answering,
    delivery::{
        CLOCKS_APART, Outgoing, PartOutcome, PostCheck, arrival_settled_at, asked_for, backoff_after_failures,
    },
};
use crate::{
    ask::{AskError, CallSubject, ToolAnswer, Toolbox},
    tools::AnswerTools,
};

/// The shortest time between two pieces: Slack takes a hundred a minute over the whole workspace.
const BETWEEN_PIECES: SignedDuration = SignedDuration::from_secs(1);
/// How long an answer waits for a call that still shows it. Its message is looked for later.
const SHOWN_WITHIN: SignedDuration = SignedDuration::from_secs(10);
/// When taking something away is first tried again that failed, and the longest wait after that.
const AGAIN_AFTER: SignedDuration = SignedDuration::from_secs(5);
const LONGEST_WAIT_TO_CLEAR: SignedDuration = SignedDuration::from_mins(1);
/// The same in a place that we are not let into: that may last for ever.
const LONGEST_WAIT_WHERE_BARRED: SignedDuration = SignedDuration::from_mins(10);

/// What a reply that is shown while it is written was made from.
pub(super) struct StreamedDraft<'a> {
    claim: Claim,
    reply: &'a WantedReply,
    triggers: Vec<MessageTs>,
    read_revision: i64,
    sight: Sight,
    /// What the model was shown so far: tools add to it.
    inputs: SharedInputs,
}

impl<'a> StreamedDraft<'a> {
    /// Of a reply that is made on these grounds.
    pub(super) fn of(reply: &'a WantedReply, grounds: &Grounds) -> Self {
        Self {
            claim: grounds.claim.clone(),
            reply,
            triggers: grounds.triggers.clone(),
            read_revision: grounds.read_revision,
            sight: grounds.sight,
            inputs: grounds.inputs.clone(),
        }
    }
}

/// How far showing an answer has come.
#[derive(Clone, Debug, PartialEq, Eq)]
enum StreamProgress {
    /// Nothing is shown yet.
    Nothing,
    /// A message says so much.
    Growing(MessageTs, String),
    /// Nothing more is shown before the answer is whole.
    Ended,
}

impl Answering {
    /// Whether a reply may be shown while it is written: an answer to a direct message, where the platform can. What
    /// people who opted out ask is answered at once.
    pub(super) fn may_stream(&self, reply: &WantedReply, is_passing: bool) -> bool {
        self.config.response.stream
            && reply.cause == Cause::Dm
            && !is_passing
            && self.chat.shows_beginnings(&reply.place)
    }

    /// What the model says to a request with its tools at hand, shown while it is written where it may be. `None` if what
    /// was shown may not be said any more.
    pub(super) async fn converse_and_show(
        &self,
        draft: &StreamedDraft<'_>,
        request: &Request,
        about: &CallSubject,
        tools: &AnswerTools,
    ) -> Result<Option<Result<ToolAnswer, AskError>>, StoreError> {
        let words = watch::Sender::new(String::new());
        let show = |text: &str| drop(words.send_replace(text.to_owned()));
        let toolbox = Toolbox {
            specs: tools.specs(),
            run: &|call| tools.run(call),
            must_answer: draft.reply.cause != Cause::Judgment,
            show: self.may_stream(draft.reply, about.is_passing).then_some(&show as &ShowWords<'_>),
        };
        let asking = self.asker.converse_with_tools(request, about, &toolbox);
        self.ask_while_streaming(draft, words.subscribe(), asking).await
    }

    /// Waits for what `asking` gives, and shows meanwhile what comes as `words`. `None` if that may not be said any more.
    async fn ask_while_streaming<T>(
        &self,
        draft: &StreamedDraft<'_>,
        words: watch::Receiver<String>,
        asking: impl Future<Output = T>,
    ) -> Result<Option<T>, StoreError> {
        let is_whole = CancellationToken::new();
        let mut showing = std::pin::pin!(self.show_words(draft, words, &is_whole));
        let asking = std::pin::pin!(asking);
        let asked = tokio::select! {
            biased;
            asked = asking => asked,
            shown = &mut showing => {
                shown?;
                return Ok(None);
            }
        };
        is_whole.cancel();
        let until = instant_after(self.clock.steady(), SHOWN_WITHIN);
        // Dropped under way, nobody would know what became of its message.
        tokio::select! {
            biased;
            shown = showing => shown?,
            () = self.clock.sleep_until_steady(until) => {}
        }
        Ok(Some(asked))
    }

    /// Shows words until the answer is whole. Returns before that only if what is shown may not be said any more.
    async fn show_words(
        &self,
        draft: &StreamedDraft<'_>,
        mut words: watch::Receiver<String>,
        is_whole: &CancellationToken,
    ) -> Result<(), StoreError> {
        let mut progress = StreamProgress::Nothing;
        while progress != StreamProgress::Ended {
            let changed = is_whole.run_until_cancelled(words.changed()).await;
            let Some(Ok(())) = changed else { break };
            let text = words.borrow_and_update().clone();
            // Marks become links once the answer is whole.
            let bare = with_citation_links(&without_invisible_characters(&text), &BTreeMap::new());
            let plain = self.chat.plain_beginning(&bare);
            let Some(next) = piece_after(&progress, plain) else { continue };
            if !self.may_be_shown_now(draft).await? {
                return Ok(());
            }
            let pause = self.show_piece(draft, &mut progress, next).await?;
            let until = instant_after(self.clock.steady(), pause);
            is_whole.run_until_cancelled(self.clock.sleep_until_steady(until)).await;
        }
        is_whole.cancelled().await;
        Ok(())
    }

    /// Whether what was written so far may be said; if so, it is noted that a message shows it from now on.
    async fn may_be_shown_now(&self, draft: &StreamedDraft<'_>) -> Result<bool, StoreError> {
        let seen = ReplyDraft {
            reply: draft.reply.id,
            triggers: draft.triggers.clone(),
            read_revision: draft.read_revision,
            sight: draft.sight,
            inputs: draft.inputs.so_far(),
            mixed: false,
            parts: Vec::new(),
            excuse: false,
            calls: Vec::new(),
        };
        self.store.replies().note_stream(&draft.claim, &seen, self.clock.now()).await
    }

    /// Shows one piece more, and returns how long to wait before the next.
    async fn show_piece(
        &self,
        draft: &StreamedDraft<'_>,
        progress: &mut StreamProgress,
        piece: String,
    ) -> Result<SignedDuration, StoreError> {
        let place = &draft.reply.place;
        let error = match progress {
            StreamProgress::Nothing => match self.chat.begin_stream(place, &piece).await {
                Ok(ts) => {
                    self.store.replies().note_stream_ts(&draft.claim, draft.reply.id, ts).await?;
                    *progress = StreamProgress::Growing(ts, piece);
                    return Ok(BETWEEN_PIECES);
                }
                Err(error) => error,
            },
            StreamProgress::Growing(ts, told) => {
                match self.chat.append_to_stream(&place.channel, *ts, &piece).await {
                    Ok(()) => {
                        told.push_str(&piece);
                        return Ok(BETWEEN_PIECES);
                    }
                    Err(error) => error,
                }
            }
            StreamProgress::Ended => return Ok(BETWEEN_PIECES),
        };
        tracing::info!(%error, reply = %draft.reply.id, "an answer is shown no further while it is written");
        if *progress == StreamProgress::Nothing && !matches!(error, PostError::Unknown(_)) {
            self.store.replies().note_stream_gone(&draft.claim, draft.reply.id).await?;
        }
        match error {
            // It did not come through, so that it may be shown later.
            PostError::Limited(seconds) => Ok(asked_for(seconds)),
            PostError::Unreachable(_) => Ok(AGAIN_AFTER),
            // Nobody knows what stands there, or nothing more is taken.
            PostError::Unknown(_)
            | PostError::Barred(_)
            | PostError::ThreadsOnly(_)
            | PostError::NoThreads(_)
            | PostError::TooLong(_)
            | PostError::Forbidden(_)
            | PostError::Refused(_) => {
                *progress = StreamProgress::Ended;
                Ok(BETWEEN_PIECES)
            }
        }
    }

    /// Has the message that showed a reply say what its first part says, whatever became of the message. It may have been
    /// done before.
    pub(super) async fn finish_stream(
        &self,
        outgoing: &Outgoing<'_, Post>,
        ts: MessageTs,
    ) -> Result<PartOutcome, StoreError> {
        let Outgoing { reply, part, attempts, .. } = *outgoing;
        if !self.mark_as_sending(outgoing, self.clock.now()).await? {
            return Ok(PartOutcome::Not);
        }
        let error = match self.at_work.away(self.chat.finish_stream(&outgoing.what, ts)).await {
            Ok(()) => return self.note_posted(outgoing, &outgoing.what.place, ts).await,
            Err(error) => error,
        };
        tracing::warn!(%error, %reply, part, "the message that showed a reply could not be finished");
        match &error {
            PostError::Limited(seconds) => self.put_off_stream(outgoing, asked_for(*seconds), &error).await?,
            PostError::Unreachable(_) | PostError::Unknown(_) => {
                self.put_off_stream(outgoing, backoff_after_failures(attempts), &error).await?;
            }
            PostError::Barred(_) => self.wait_to_speak(outgoing, &error).await?,
            PostError::ThreadsOnly(_)
            | PostError::NoThreads(_)
            | PostError::TooLong(_)
            | PostError::Forbidden(_)
            | PostError::Refused(_) => return self.replace_stream(outgoing, ts).await,
        }
        Ok(PartOutcome::Not)
    }

    /// Posts the first part anew, since somebody deleted the message that showed it, or that may not be changed any more.
    /// Not before the message is gone, unless it cannot be taken away at all and says less than the answer.
    async fn replace_stream(
        &self,
        outgoing: &Outgoing<'_, Post>,
        ts: MessageTs,
    ) -> Result<PartOutcome, StoreError> {
        let Outgoing { claim, reply, attempts, .. } = *outgoing;
        if let Err(error) = self.at_work.away(self.chat.take_stream_away(&outgoing.place.channel, ts)).await {
            tracing::warn!(%error, %reply, "the message that showed a reply could not be taken away");
            if let Some(wait) = wait_to_clear(&error, backoff_after_failures(attempts)) {
                self.put_off_stream(outgoing, wait, &error).await?;
                return Ok(PartOutcome::Not);
            }
            // An update whose outcome nobody knew may have made it whole.
            match self.look_for(outgoing, ts.to_timestamp()).await? {
                PostCheck::Found(ts) => return self.note_posted(outgoing, &outgoing.what.place, ts).await,
                PostCheck::Unclear => return Ok(PartOutcome::Not),
                PostCheck::Absent => {}
            }
        }
        self.store.replies().note_stream_gone(claim, reply).await?;
        self.send_part(outgoing).await
    }

    async fn put_off_stream(
        &self,
        outgoing: &Outgoing<'_, Post>,
        wait: SignedDuration,
        error: &PostError,
    ) -> Result<(), StoreError> {
        self.put_off(outgoing, instant_after(self.clock.now(), wait), error).await
    }

    /// Takes the messages away that showed replies in a place and that no written reply will finish. When to try again, if
    /// that could not be done.
    pub(super) async fn clear_streams(
        &self,
        claim: &Claim,
        place: &Place,
    ) -> Result<Option<Timestamp>, StoreError> {
        for stream in self.store.replies().streams_left_over(place).await? {
            if let Some(until) = self.when_to_clear(place, &stream).await {
                return Ok(Some(until));
            }
            tracing::info!(reply = %stream.reply, "what was shown of an answer is taken away");
            self.store.replies().note_stream_gone(claim, stream.reply).await?;
        }
        Ok(None)
    }

    /// Takes one of them away; when to try again if that could not be done.
    async fn when_to_clear(&self, place: &Place, stream: &AnswerStream) -> Option<Timestamp> {
        let now = self.clock.now();
        // The longer it stands, the longer the waits.
        let again = (now.duration_since(stream.since) / 2).max(AGAIN_AFTER);
        let ts = if let Some(ts) = stream.ts {
            ts
        } else {
            let settled = arrival_settled_at(stream.since);
            if now < settled {
                return Some(settled);
            }
            let since = MessageTs::from_timestamp(stream.since).plus_seconds(-CLOCKS_APART);
            match self.at_work.away(self.chat.find_stream(place, since)).await {
                Ok(found) => found?,
                Err(error) => {
                    tracing::warn!(%error, "a message that shows an answer cannot be looked for");
                    return Some(instant_after(now, again.min(LONGEST_WAIT_TO_CLEAR)));
                }
            }
        };
        let error = self.at_work.away(self.chat.take_stream_away(&place.channel, ts)).await.err()?;
        tracing::warn!(%error, "a message that shows an answer could not be taken away");
        wait_to_clear(&error, again).map(|wait| instant_after(now, wait))
    }
}

/// How long to wait until a message is taken away that could not be: as long as the platform says, else `again` within
/// bounds. `None` if it never will be.
fn wait_to_clear(error: &PostError, again: SignedDuration) -> Option<SignedDuration> {
    match error {
        PostError::Limited(seconds) => Some(asked_for(*seconds)),
        PostError::Unreachable(_) | PostError::Unknown(_) => Some(again.min(LONGEST_WAIT_TO_CLEAR)),
        PostError::Barred(_) => Some(again.min(LONGEST_WAIT_WHERE_BARRED)),
        PostError::ThreadsOnly(_)
        | PostError::NoThreads(_)
        | PostError::TooLong(_)
        | PostError::Forbidden(_)
        | PostError::Refused(_) => None,
    }
}

/// What is to be added so that a message says these words; `None` if it says so much, or says something else.
fn piece_after(progress: &StreamProgress, words: &str) -> Option<String> {
    let piece = match progress {
        StreamProgress::Nothing => words,
        StreamProgress::Growing(_, told) => words.strip_prefix(told.as_str())?,
        StreamProgress::Ended => return None,
    };
    (!piece.trim().is_empty()).then(|| piece.to_owned())
}
