//! Finds the words of a wanted reply: composes the prompt, asks the model and writes the answer (design §5, T2), or
//! records why there is none.

use std::{collections::BTreeSet, sync::Arc};

use myao_core::{
    chat::{ChannelId, FileRef, MessageTs, Place},
    judgment::Cause,
    mandate::Outside,
    ports::{BUILTIN, Image, ModelError, Request, Role, UNASKED},
    prompt::{Excuse, Fragments, LinkedPage, Prompt, REPLY_TOKENS},
    wording::PromptTask,
};
use myao_store::{Claim, Grounds, ReplyDraft, ReplyInputs, SharedInputs, Sight, StoreError, WantedReply};
use tokio::sync::watch;
use tracing::{Instrument as _, Span};

use super::{
    Answering, AttemptOutcome,
    streaming::StreamedDraft,
    unasked::Declined,
    worded::{WordedReply, worded_reply},
};
use crate::{
    ask::{AskError, CallSubject},
    companion::{AnswerFocus, Companion, CompanionError, ComposedPrompt, PlaceSnapshot},
    spans,
    tools::web::WebSession,
};

const NO_ROOM: &str = "the message to be answered has no room in the prompt: raise prompt.max_tokens";
const KEEPS_CHANGING: &str = "what it would have been made from kept changing";
const FAILED: &str = "the model failed";
const TOO_OLD: &str = "it was older than response.max_message_age_seconds when its turn came";

/// How often a reply is made anew because what it was made from no longer stands, before it is given up.
const MOST_MADE_ANEW: u64 = 8;
/// From so many times on, messages that changed meanwhile are left out, unless they are what is answered.
const LEAVES_OUT_FROM: u64 = 2;
/// From so many times on, only what is said in the channel itself is read.
const OWN_ONLY_FROM: u64 = 4;

/// What a prompt was made from, and what the model made of it.
pub(super) struct Drafted {
    /// The messages that the prompt asked to be answered.
    pub(super) answers: Vec<MessageTs>,
    /// The channel's revision at which the prompt was read.
    pub(super) revision: i64,
    /// What the place saw when the prompt was read.
    pub(super) sight: Sight,
    /// Whether the model was shown words that no person of the place said.
    pub(super) mixed: bool,
    /// Everything that the model was shown.
    pub(super) inputs: ReplyInputs,
    pub(super) words: WordedReply,
}

/// How the search for words ended.
enum DraftingEnd {
    /// The model was asked, or nothing waits for an answer any more (`None`).
    Asked(Option<Drafted>),
    /// Somebody stopped the answer.
    StoppedByPerson,
}

/// What a model made of a prompt, and what it was shown.
struct Told {
    words: WordedReply,
    mixed: bool,
    inputs: ReplyInputs,
    /// Whether the prompt was too long for the model.
    is_too_long: bool,
}

impl Answering {
    /// Finds words for a wanted reply and writes them (T2), or ends it. `lost` are messages that changed while it was made
    /// before; `stops` rings when an answer was stopped since the reply was read.
    pub(super) async fn find_and_write_words(
        &self,
        claim: &Claim,
        reply: &WantedReply,
        lost: &BTreeSet<(ChannelId, MessageTs)>,
        stops: watch::Receiver<()>,
    ) -> Result<AttemptOutcome, StoreError> {
        if let Some(not) = self.why_not(reply).await? {
            let now = self.clock.now();
            let (Declined::Ever(reason) | Declined::Before(_, reason) | Declined::Told(_, reason)) = not;
            tracing::info!(reply = %reply.id, channel = %reply.place.channel, reason, "not answered");
            match not {
                Declined::Ever(reason) => self.store.replies().skip(claim, reply.id, reason, now).await?,
                Declined::Before(until, reason) => {
                    self.store.replies().put_off(claim, reply.id, until, reason, now).await?;
                }
                Declined::Told(excuse, reason) => {
                    return self.answer_with_excuse(claim, reply, excuse, reason).await;
                }
            }
            return Ok(AttemptOutcome::Made);
        }
        if reply.made_anew >= MOST_MADE_ANEW {
            return self.end_made_anew(claim, reply).await;
        }
        let asked = match self.ask_while_shown(claim, reply, lost, stops).await? {
            DraftingEnd::Asked(asked) => asked,
            DraftingEnd::StoppedByPerson => return Ok(AttemptOutcome::Made),
        };
        let Some(Drafted { answers, revision, sight, mixed, inputs, words }) = asked else {
            return Ok(AttemptOutcome::Missed(Vec::new()));
        };
        let draft = |parts, excuse, calls| ReplyDraft {
            reply: reply.id,
            triggers: answers.clone(),
            read_revision: revision,
            // An excuse is a sentence of ours and tells nothing of other places.
            sight: if excuse { Sight::Own } else { sight },
            parts,
            excuse,
            inputs: if excuse { ReplyInputs::default() } else { inputs.clone() },
            mixed: !excuse && mixed,
            calls,
        };
        let draft = match words {
            WordedReply::Stopped => return Ok(AttemptOutcome::Stopped),
            WordedReply::Lost => return self.note_missed(reply, &inputs).await,
            WordedReply::Text { text, calls } => {
                let to = answers.last().copied().or(reply.about);
                draft(self.parts_of_answer(&text, to), false, calls)
            }
            WordedReply::None { excuse, reason } => {
                tracing::warn!(reply = %reply.id, reason, "there is no answer");
                let now = self.clock.now();
                if reply.after_excuse || answers.is_empty() {
                    self.store.replies().fail(claim, reply.id, &reason, now).await?;
                    return Ok(AttemptOutcome::Made);
                }
                return self.write_excuse(claim, draft(Vec::new(), true, Vec::new()), excuse, &reason).await;
            }
        };
        let (replies, now) = (self.store.replies(), self.clock.now());
        if replies.write_parts(claim, draft, now).instrument(spans::store()).await? {
            return Ok(AttemptOutcome::Made);
        }
        self.note_missed(reply, &inputs).await
    }

    /// Notes that an answer is made anew, since what it was made from changed.
    async fn note_missed(
        &self,
        reply: &WantedReply,
        inputs: &ReplyInputs,
    ) -> Result<AttemptOutcome, StoreError> {
        let lost = self.store.replies().lost_inputs(inputs, &reply.place.channel).await?;
        tracing::info!(reply = %reply.id, lost = lost.len(), "what an answer was made from changed: it is made anew");
        Ok(AttemptOutcome::Missed(lost))
    }

    /// Asks the model while people see that an answer is being written, until somebody stops it.
    async fn ask_while_shown(
        &self,
        claim: &Claim,
        reply: &WantedReply,
        lost: &BTreeSet<(ChannelId, MessageTs)>,
        stops: watch::Receiver<()>,
    ) -> Result<DraftingEnd, StoreError> {
        let here = self.with_model_of(&reply.place.channel).await?;
        let span = spans::invoke_agent(here.asker.model_id(Role::Response));
        let mut asking = std::pin::pin!(async {
            tokio::select! {
                asked = here.ask_for_draft(claim, reply, lost).instrument(span) => asked.map(DraftingEnd::Asked),
                // The call ends with this, and is settled as one that was cancelled.
                () = self.wait_until_stopped(reply, stops) => Ok(DraftingEnd::StoppedByPerson),
            }
        });
        let soon = tokio::select! {
            biased;
            end = &mut asking => Some(end?),
            () = self.shown_from_now() => None,
        };
        let end = if let Some(end) = soon {
            end
        } else {
            let typing = self.show_typing(claim, reply);
            let end = asking.await?;
            self.hide_typing(claim, typing).await?;
            end
        };
        if let DraftingEnd::StoppedByPerson = end {
            tracing::info!(reply = %reply.id, channel = %reply.place.channel, "somebody stopped an answer");
        }
        Ok(end)
    }

    /// Ends a reply that was made anew too often: whoever asked is told that there is no answer.
    async fn end_made_anew(&self, claim: &Claim, reply: &WantedReply) -> Result<AttemptOutcome, StoreError> {
        if reply.after_excuse || reply.triggers.is_empty() {
            self.store.replies().fail(claim, reply.id, KEEPS_CHANGING, self.clock.now()).await?;
            return Ok(AttemptOutcome::Made);
        }
        self.answer_with_excuse(claim, reply, Excuse::Failed, KEEPS_CHANGING).await
    }

    /// Says in place of an answer, without asking a model, why there is none.
    async fn answer_with_excuse(
        &self,
        claim: &Claim,
        reply: &WantedReply,
        excuse: Excuse,
        reason: &str,
    ) -> Result<AttemptOutcome, StoreError> {
        let draft = ReplyDraft {
            reply: reply.id,
            triggers: reply.triggers.clone(),
            // Nothing was read: no words of theirs can be out of date.
            read_revision: i64::MAX,
            sight: Sight::Own,
            parts: Vec::new(),
            excuse: true,
            inputs: ReplyInputs::default(),
            mixed: false,
            calls: Vec::new(),
        };
        self.write_excuse(claim, draft, excuse, reason).await
    }

    /// Writes an excuse: the reason stays in the record, the sentence is posted.
    async fn write_excuse(
        &self,
        claim: &Claim,
        draft: ReplyDraft,
        excuse: Excuse,
        reason: &str,
    ) -> Result<AttemptOutcome, StoreError> {
        let now = self.clock.now();
        self.store.replies().put_off(claim, draft.reply, now, reason, now).await?;
        let parts = self.split_into_posts(excuse.words(self.templates.language()));
        let written = self.store.replies().write_parts(claim, ReplyDraft { parts, ..draft }, now).await?;
        Ok(if written { AttemptOutcome::Made } else { AttemptOutcome::Missed(Vec::new()) })
    }

    /// Why a reply is not to be given, or not now; `None` if it is to be given. No model is asked.
    async fn why_not(&self, reply: &WantedReply) -> Result<Option<Declined>, StoreError> {
        if let Some(about) = reply.about.filter(|_| reply.cause == Cause::Judgment) {
            return self.why_not_unasked(reply, about, TOO_OLD).await;
        }
        let now = self.clock.now();
        let Some(newest) = reply.triggers.last() else { return Ok(None) };
        if *newest < self.attention.oldest(now) {
            return Ok(Some(Declined::Ever(TOO_OLD)));
        }
        self.why_enough(reply).await
    }

    /// Asks the model, and a second time, with half of the memories and of the conversation, if the prompt is
    /// too long for it. `None` when nothing waits for an answer any more.
    async fn ask_for_draft(
        &self,
        claim: &Claim,
        reply: &WantedReply,
        lost: &BTreeSet<(ChannelId, MessageTs)>,
    ) -> Result<Option<Drafted>, StoreError> {
        let max_tokens = usize::try_from(self.config.prompt.max_tokens).unwrap_or(usize::MAX);
        let (reason, of_reason) = self.reason_to_speak(reply).await?;
        let focus = self.focus_of(reply, lost);
        let place = match self.gather_known_place(&reply.place, max_tokens, reason.as_deref(), &focus).await {
            Ok(place) => place,
            Err(CompanionError::Store(error)) => return Err(error),
            Err(error @ (CompanionError::Unknown(_) | CompanionError::Compose(_))) => {
                return Ok(Some(Drafted::nothing(reply, &error)));
            }
        };
        // The judging model may have seen what the place does not see any more.
        let reason = reason.map(|reason| if place.sight == Sight::Open { reason } else { String::new() });
        let task = self.prompt_task(reason.as_deref(), place.is_passing);
        let tool_tokens = if place.is_passing { 0 } else { self.tool_tokens(reply) };
        let bare = match place.compose(task, Fragments { tool_tokens, ..Fragments::default() }, max_tokens) {
            Ok(composed) => composed,
            Err(error) => return Ok(Some(Drafted::nothing(reply, &error))),
        };
        if let Some(put_right) = self.put_right_as_told(reply, &place, &bare.inputs).await? {
            return Ok(Some(put_right));
        }
        if let Some(brief) = self.brief_as_asked(&place, reply, &bare.inputs).await? {
            return Ok(Some(brief));
        }
        if let Some(told) = self.tell_open_loops(reply, &place, &bare.inputs).await? {
            return Ok(Some(told));
        }
        let session = Arc::new(self.web.session_for(&bare.prompt, place.is_open));
        let (pages, images) = self.fetch_beside(reply, &place, &bare.prompt, &session).await;
        // Without pages and images, the prompt is the one that they were looked for in.
        let mut bare = (pages.is_empty() && images.is_empty()).then_some(bare);
        let files: Vec<FileRef> = images.iter().map(|(file, _)| file.clone()).collect();
        let fragments = Fragments { pages: &pages, images: &files, tool_tokens, ..Fragments::default() };
        let mut drafted = None;
        for max_tokens in [max_tokens, max_tokens / 2] {
            let composed = match bare.take().map_or_else(|| place.compose(task, fragments, max_tokens), Ok) {
                Ok(composed) => composed,
                Err(error) => return Ok(drafted.or_else(|| Some(Drafted::nothing(reply, &error)))),
            };
            let answers = composed.prompt.answers.clone();
            if answers.is_empty() && reply.cause != Cause::Judgment {
                return Ok(
                    drafted.or_else(|| place.is_waited_for().then(|| Drafted::nothing(reply, &NO_ROOM)))
                );
            }
            let sent = composed.prompt.sent_images.len();
            let images = images.iter().take(sent).map(|(_, image)| image.clone()).collect();
            let told = self.answer_to(claim, reply, &place, composed, images, Arc::clone(&session)).await?;
            let Told { words, mixed, mut inputs, is_too_long } = told;
            if reason.as_ref().is_some_and(|reason| !reason.is_empty()) {
                inputs.extend(of_reason.clone());
            }
            let revision = place.revision;
            let sight = place.sight;
            drafted = Some(Drafted { answers, revision, sight, mixed, inputs, words });
            if !is_too_long {
                break;
            }
        }
        Ok(drafted)
    }

    /// Why an unasked reply is given, as far as that may still be told, and what the judging model was shown for it.
    async fn reason_to_speak(
        &self,
        reply: &WantedReply,
    ) -> Result<(Option<String>, ReplyInputs), StoreError> {
        if reply.cause != Cause::Judgment {
            return Ok((None, ReplyInputs::default()));
        }
        let known = self.store.replies().reason_to_speak(reply.id, &reply.place.channel).await?;
        let (reason, shown) = known.unwrap_or_default();
        Ok((Some(reason), shown))
    }

    /// Reads what an answer in a place is made from, and once more if the place's channel had to be looked up first.
    async fn gather_known_place(
        &self,
        place: &Place,
        max_tokens: usize,
        reason: Option<&str>,
        focus: &AnswerFocus,
    ) -> Result<PlaceSnapshot<'_>, CompanionError> {
        let companion = Companion {
            store: &self.store,
            clock: &*self.clock,
            templates: &self.templates,
            config: &self.config,
            asker: Some(&self.asker),
        };
        let gathered = companion.gather_to_answer(place.clone(), max_tokens, reason, focus).await?;
        if !self.wait_for_sight(&place.channel, gathered.sight).await? {
            return Ok(gathered);
        }
        companion.gather_to_answer(place.clone(), max_tokens, reason, focus).await
    }

    /// The pages and images that belong to what is to be answered.
    async fn fetch_beside(
        &self,
        reply: &WantedReply,
        place: &PlaceSnapshot<'_>,
        prompt: &Prompt,
        session: &WebSession,
    ) -> (Vec<LinkedPage>, Vec<(FileRef, Image)>) {
        let pages = async {
            if place.is_passing { Vec::new() } else { self.linked_pages(reply, prompt, session).await }
        };
        let fetched = async { futures::join!(pages, self.fetch_in_time(&prompt.images)) };
        self.at_work.away(fetched).await
    }

    /// The pages that the messages to be answered link to. `builtin` does not read them.
    async fn linked_pages(
        &self,
        reply: &WantedReply,
        prompt: &Prompt,
        session: &WebSession,
    ) -> Vec<LinkedPage> {
        if self.asker.model_id(Role::Response) == BUILTIN {
            return Vec::new();
        }
        session.pages_of(prompt, reply.about).await
    }

    /// What a reply's prompt asks for. There are no tools if somebody who opted out asks: their words are looked up
    /// nowhere, and nothing is noted.
    fn prompt_task<'r>(&self, reason: Option<&'r str>, is_passing: bool) -> PromptTask<'r> {
        PromptTask::Reply {
            unasked: reason,
            tools: self.asker.model_takes_tools(Role::Response) && !is_passing,
            reactions: self.config.response.reactions,
        }
    }

    /// What the model says to a prompt with its tools at hand.
    async fn answer_to(
        &self,
        claim: &Claim,
        reply: &WantedReply,
        place: &PlaceSnapshot<'_>,
        mut composed: ComposedPrompt,
        images: Vec<Image>,
        session: Arc<WebSession>,
    ) -> Result<Told, StoreError> {
        if self.asker.model_id(Role::Response) == BUILTIN {
            place.show_all(&mut composed);
        }
        let ComposedPrompt { prompt, origins, mut mandate, inputs } = composed;
        let shown = SharedInputs::new(inputs);
        let grounds = Grounds {
            claim: claim.clone(),
            reply: reply.id,
            triggers: prompt.answers.clone(),
            read_revision: place.revision,
            highest_priority: mandate.highest_priority(),
            sight: place.sight,
            inputs: shown.clone(),
        };
        let view = StreamedDraft::of(reply, &grounds);
        let outside = [(Outside::Page, prompt.pages > 0), (Outside::Image, !images.is_empty())];
        outside.iter().filter(|(_, is_shown)| *is_shown).for_each(|(outside, _)| mandate.enter(*outside));
        let (mut tools, recall) = self.answer_tools(reply, &prompt, grounds, origins, mandate, session);
        if place.is_passing {
            tools.clear();
        }
        let is_asked = reply.cause != Cause::Judgment;
        let request = prompt.into_request(REPLY_TOKENS);
        let purpose = if reply.cause == Cause::Judgment { UNASKED } else { request.purpose };
        let request = Request { purpose, images, ..request };
        let channel = Some(reply.place.channel.clone());
        let thread = reply.place.thread;
        let about = CallSubject { channel, thread, is_passing: place.is_passing, answer_by: None };
        let asking = self.converse_and_show(&view, &request, &about, &tools);
        // `builtin` is no other machine.
        let asked = if self.asker.model_id(Role::Response) == BUILTIN {
            asking.await?
        } else {
            self.at_work.away(asking).await?
        };
        let Some(asked) = asked else {
            return Ok(Told { inputs: shown.so_far(), ..Told::nothing(WordedReply::Lost, false) });
        };
        let (excuse, error) = match asked {
            Ok(mut answer) => {
                answer.response.text = self.with_citation_links(&answer.response.text, &recall).await?;
                let words = worded_reply(answer, &request.own_names, is_asked);
                let mixed = tools.is_mixed();
                let inputs = shown.so_far();
                return Ok(Told { words, mixed, inputs, is_too_long: false });
            }
            Err(AskError::Stopped) => return Ok(Told::nothing(WordedReply::Stopped, false)),
            Err(AskError::Store(error)) => return Err(error),
            Err(error @ AskError::Budget { .. }) => (Excuse::Budget, error),
            Err(error @ AskError::Model { .. }) => (Excuse::Failed, error),
        };
        let is_too_long = matches!(error.model_error(), Some(ModelError::TooLong(_)));
        spans::note_failure(&Span::current(), "no_answer");
        // An error may repeat what the model was given.
        let reason = if place.is_passing { FAILED.to_owned() } else { error.to_string() };
        Ok(Told::nothing(WordedReply::None { excuse, reason }, is_too_long))
    }
}

impl Told {
    /// The model said nothing that could have been made from anything.
    fn nothing(words: WordedReply, is_too_long: bool) -> Self {
        Self { words, mixed: false, inputs: ReplyInputs::default(), is_too_long }
    }
}

impl Answering {
    /// What a reply is made without because it keeps changing, and what its asker looks at.
    fn focus_of(&self, reply: &WantedReply, lost: &BTreeSet<(ChannelId, MessageTs)>) -> AnswerFocus {
        AnswerFocus {
            left_out: if reply.made_anew >= LEAVES_OUT_FROM { lost.clone() } else { BTreeSet::new() },
            only_own: reply.made_anew >= OWN_ONLY_FROM,
            in_view: self.in_view.from(&reply.place.channel, self.clock.steady()),
        }
    }
}

impl Drafted {
    /// The draft where there is no prompt, so that no model was asked.
    fn nothing(reply: &WantedReply, why: &impl ToString) -> Self {
        Self {
            answers: reply.triggers.clone(),
            // Nothing was read: no words of theirs can be out of date.
            revision: i64::MAX,
            sight: Sight::Own,
            mixed: false,
            inputs: ReplyInputs::default(),
            words: WordedReply::None { excuse: Excuse::Failed, reason: why.to_string() },
        }
    }
}
