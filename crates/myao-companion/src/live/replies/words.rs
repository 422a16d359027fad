//! Finds the words of a wanted reply: composes the prompt, asks the model and writes the answer (DESIGN D, T2), or
//! records why there is none.

use std::sync::Arc;

use myao_core::{
    answer::without_own_name,
    chat::{FileRef, MessageTs},
    context::{Outside, Place},
    judgment::Cause,
    ports::{BUILTIN, Image, ModelError, Request, Role, StopReason, UNASKED, less_thought},
    prompt::{Excuse, Fragments, LinkedPage, Prompt, PromptTask, REPLY_TOKENS},
};
use myao_store::{CallRecord, Claim, Grounds, ReplyDraft, Sight, StoreError, WantedReply};

use super::{Answering, AttemptOutcome, typing::Typing, unasked::Declined};
use crate::{
    ask::{AskError, CallSubject, ToolAnswer, Toolbox},
    companion::{Companion, CompanionError, ComposedPrompt, PlaceSnapshot},
    tools::web::WebSession,
};

const EMPTY: &str = "the model answered with nothing";
const EMPTY_AT_LIMIT: &str = "the model's thoughts took all of its answer";
const NO_ROOM: &str = "the message to be answered has no room in the prompt: raise prompt.max_tokens";
const FAILED: &str = "the model failed";
const TOO_OLD: &str = "it was older than response.max_message_age_seconds when its turn came";

/// What a model made of a prompt.
enum WordedReply {
    /// The answer; empty when the model has nothing to say.
    Text { text: String, calls: Vec<CallRecord> },
    /// No answer, and another try would not give one.
    None { excuse: Excuse, reason: String },
    /// No answer yet, since the program is stopping.
    Stopped,
}

/// What a prompt was made from, and what the model made of it.
struct Drafted {
    /// The messages that the prompt asked to be answered.
    answers: Vec<MessageTs>,
    /// The channel's revision at which the prompt was read.
    revision: i64,
    /// What the place saw when the prompt was read.
    sight: Sight,
    /// Whether the model was shown words that no person of the place said.
    mixed: bool,
    words: WordedReply,
}

impl Answering {
    /// Finds words for a wanted reply and writes them (T2), or ends it.
    pub(super) async fn find_words(
        &self,
        claim: &Claim,
        reply: &WantedReply,
    ) -> Result<AttemptOutcome, StoreError> {
        if let Some(not) = self.why_not(reply).await? {
            let now = self.clock.now();
            let (Declined::Ever(reason) | Declined::Before(_, reason) | Declined::Told(_, reason)) = not;
            tracing::info!(reply = %reply.id, channel = %reply.place.channel, reason, "not answered");
            match not {
                Declined::Ever(reason) => self.store.skip_reply(claim, reply.id, reason, now).await?,
                Declined::Before(until, reason) => {
                    self.store.put_off_reply(claim, reply.id, until, reason, now).await?;
                }
                Declined::Told(excuse, reason) => return self.excuse(claim, reply, excuse, reason).await,
            }
            return Ok(AttemptOutcome::Made);
        }
        let typing = Typing::show(&self.chat, &reply.place);
        let asked = self.ask(claim, reply).await?;
        drop(typing);
        let Some(Drafted { answers, revision, sight, mixed, words }) = asked else {
            return Ok(AttemptOutcome::Missed);
        };
        let draft = |parts, excuse, calls| ReplyDraft {
            reply: reply.id,
            triggers: answers.clone(),
            read_revision: revision,
            // An excuse is a sentence of ours and tells nothing of other places.
            sight: if excuse { Sight::Own } else { sight },
            parts,
            excuse,
            mixed: !excuse && mixed,
            calls,
        };
        let draft = match words {
            WordedReply::Stopped => return Ok(AttemptOutcome::Stopped),
            WordedReply::Text { text, calls } => {
                let to = answers.last().copied().or(reply.about);
                draft(self.parts(&text, to), false, calls)
            }
            WordedReply::None { excuse, reason } => {
                tracing::warn!(reply = %reply.id, reason, "there is no answer");
                let now = self.clock.now();
                if reply.after_excuse || answers.is_empty() {
                    self.store.fail_reply(claim, reply.id, &reason, now).await?;
                    return Ok(AttemptOutcome::Made);
                }
                return self.write_excuse(claim, draft(Vec::new(), true, Vec::new()), excuse, &reason).await;
            }
        };
        let written = self.store.write_reply(claim, draft, self.clock.now()).await?;
        Ok(if written { AttemptOutcome::Made } else { AttemptOutcome::Missed })
    }

    /// Says in place of an answer, without asking a model, why there is none.
    async fn excuse(
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
        self.store.put_off_reply(claim, draft.reply, now, reason, now).await?;
        let parts = self.posts(excuse.words(self.templates.language()));
        let written = self.store.write_reply(claim, ReplyDraft { parts, ..draft }, now).await?;
        Ok(if written { AttemptOutcome::Made } else { AttemptOutcome::Missed })
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
    async fn ask(&self, claim: &Claim, reply: &WantedReply) -> Result<Option<Drafted>, StoreError> {
        let max_tokens = usize::try_from(self.config.prompt.max_tokens).unwrap_or(usize::MAX);
        let reason = match reply.cause {
            Cause::Judgment => Some(self.store.reason_to_speak(reply.id).await?.unwrap_or_default()),
            Cause::Mention | Cause::Dm => None,
        };
        let place = match self.gather(&reply.place, max_tokens, reason.as_deref()).await {
            Ok(place) => place,
            Err(CompanionError::Store(error)) => return Err(error),
            Err(error @ (CompanionError::Unknown(_) | CompanionError::Compose(_))) => {
                return Ok(Some(Drafted::nothing(reply, &error)));
            }
        };
        // The judging model may have seen what the place does not see any more.
        let reason = reason.map(|reason| if place.sight == Sight::Open { reason } else { String::new() });
        let task = self.task(reason.as_deref(), place.is_passing);
        let tool_tokens = if place.is_passing { 0 } else { self.tool_tokens(reply) };
        let bare = match place.compose(task, Fragments { tool_tokens, ..Fragments::default() }, max_tokens) {
            Ok(composed) => composed,
            Err(error) => return Ok(Some(Drafted::nothing(reply, &error))),
        };
        let session = Arc::new(self.web.session_for(&bare.prompt, place.is_open));
        let pages = async {
            if place.is_passing { Vec::new() } else { self.pages(reply, &bare.prompt, &session).await }
        };
        let (pages, images) = futures::join!(pages, self.images(&bare.prompt.images));
        // Without pages and images, the prompt is the one that they were looked for in.
        let mut bare = (pages.is_empty() && images.is_empty()).then_some(bare);
        let files: Vec<FileRef> = images.iter().map(|(file, _)| file.clone()).collect();
        let fragments = Fragments { pages: &pages, images: &files, tool_tokens, ..Fragments::default() };
        let mut last = None;
        for max_tokens in [max_tokens, max_tokens / 2] {
            let composed = match bare.take().map_or_else(|| place.compose(task, fragments, max_tokens), Ok) {
                Ok(composed) => composed,
                Err(error) => return Ok(last.or_else(|| Some(Drafted::nothing(reply, &error)))),
            };
            let answers = composed.prompt.answers.clone();
            if answers.is_empty() && reply.cause != Cause::Judgment {
                return Ok(last.or_else(|| place.is_waited_for().then(|| Drafted::nothing(reply, &NO_ROOM))));
            }
            let sent = composed.prompt.sent_images.len();
            let images = images.iter().take(sent).map(|(_, image)| image.clone()).collect();
            let beside = (images, Arc::clone(&session));
            let (words, mixed, is_too_long) = self.answer_to(claim, reply, &place, composed, beside).await?;
            let (revision, sight) = (place.revision, place.sight);
            last = Some(Drafted { answers, revision, sight, mixed, words });
            if !is_too_long {
                break;
            }
        }
        Ok(last)
    }

    /// Reads what an answer in a place is made from, and once more if the place's channel had to be looked up first.
    async fn gather(
        &self,
        place: &Place,
        max_tokens: usize,
        reason: Option<&str>,
    ) -> Result<PlaceSnapshot<'_>, CompanionError> {
        let companion = Companion {
            store: &self.store,
            clock: &*self.clock,
            templates: &self.templates,
            config: &self.config,
            asker: Some(&self.asker),
        };
        let gathered = companion.gather_to_answer(place.clone(), max_tokens, reason).await?;
        if !self.know(&place.channel, gathered.sight).await? {
            return Ok(gathered);
        }
        companion.gather_to_answer(place.clone(), max_tokens, reason).await
    }

    /// The pages that the messages to be answered link to. `builtin` does not read them.
    async fn pages(&self, reply: &WantedReply, prompt: &Prompt, session: &WebSession) -> Vec<LinkedPage> {
        if self.asker.model_id(Role::Response) == BUILTIN {
            return Vec::new();
        }
        session.pages_of(prompt, reply.about).await
    }

    /// What a reply's prompt asks for. There are no tools if somebody who opted out asks: their words are looked up
    /// nowhere, and nothing is noted.
    fn task<'r>(&self, reason: Option<&'r str>, is_passing: bool) -> PromptTask<'r> {
        PromptTask::Reply {
            unasked: reason,
            tools: self.asker.takes_tools(Role::Response) && !is_passing,
            reactions: self.config.response.reactions,
        }
    }

    /// What the model says to a prompt with its tools at hand; whether it was shown words that no person of the place
    /// said, and whether the prompt was too long for it.
    async fn answer_to(
        &self,
        claim: &Claim,
        reply: &WantedReply,
        place: &PlaceSnapshot<'_>,
        ComposedPrompt { prompt, origins, mut mandate }: ComposedPrompt,
        (images, session): (Vec<Image>, Arc<WebSession>),
    ) -> Result<(WordedReply, bool, bool), StoreError> {
        let grounds = Grounds {
            claim: claim.clone(),
            reply: reply.id,
            triggers: prompt.answers.clone(),
            read_revision: place.revision,
            read_at: place.read_at,
            highest_priority: mandate.highest_priority(),
            sight: place.sight,
        };
        let outside = [(Outside::Page, prompt.pages > 0), (Outside::Image, !images.is_empty())];
        outside.iter().filter(|(_, is_shown)| *is_shown).for_each(|(outside, _)| mandate.enter(*outside));
        let (mut tools, recall) = self.tools(reply, &prompt, (grounds, origins, mandate), session);
        if place.is_passing {
            tools.clear();
        }
        let is_asked = reply.cause != Cause::Judgment;
        let toolbox = Toolbox { specs: tools.specs(), run: &|call| tools.run(call), must_answer: is_asked };
        let request = prompt.into_request(REPLY_TOKENS);
        let purpose = if reply.cause == Cause::Judgment { UNASKED } else { request.purpose };
        let request = Request { purpose, images, ..request };
        let (channel, thread) = (Some(reply.place.channel.clone()), reply.place.thread);
        let about = CallSubject { channel, thread, is_passing: place.is_passing, answer_by: None };
        let (excuse, error) = match self.asker.converse(&request, &about, &toolbox).await {
            Ok(mut answer) => {
                answer.response.text = self.cite(&answer.response.text, &recall).await?;
                return Ok((words_of(answer, &request.own_names, is_asked), tools.is_mixed(), false));
            }
            Err(AskError::Stopped) => return Ok((WordedReply::Stopped, false, false)),
            Err(AskError::Store(error)) => return Err(error),
            Err(error @ AskError::Budget { .. }) => (Excuse::Budget, error),
            Err(error @ AskError::Model { .. }) => (Excuse::Failed, error),
        };
        let is_too_long = matches!(error.model_error(), Some(ModelError::TooLong(_)));
        // An error may repeat what the model was given.
        let reason = if place.is_passing { FAILED.to_owned() } else { error.to_string() };
        Ok((WordedReply::None { excuse, reason }, false, is_too_long))
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
            words: WordedReply::None { excuse: Excuse::Failed, reason: why.to_string() },
        }
    }
}

/// What an answer says. If somebody asked, an empty answer is a failure; in an unasked reply it is a silence.
fn words_of(
    ToolAnswer { response, records, .. }: ToolAnswer,
    names: &[String],
    is_asked: bool,
) -> WordedReply {
    let names: Vec<&str> = names.iter().map(String::as_str).collect();
    let text = without_own_name(&response.text, &names);
    if is_asked && response.stop != StopReason::Refused && text.is_empty() {
        let reason = match response.stop {
            StopReason::Length => format!("{EMPTY_AT_LIMIT}; {}", less_thought("agents.response")),
            StopReason::End | StopReason::Tools | StopReason::Refused => EMPTY.to_owned(),
        };
        return WordedReply::None { excuse: Excuse::Failed, reason };
    }
    let text = match response.stop {
        StopReason::Refused => {
            let reason = "the model, or a filter before it, refused".to_owned();
            return WordedReply::None { excuse: Excuse::Refused, reason };
        }
        // Better than nothing, and said to be cut.
        StopReason::Length if !text.is_empty() => format!("{text} …"),
        StopReason::Length | StopReason::End | StopReason::Tools => text.to_owned(),
    };
    WordedReply::Text { text, calls: records }
}
