//! Composes the prompt of a task in a place, within a budget (specification §3). What rarely changes stands first, what
//! changes with every message stands last.

use std::collections::BTreeSet;

use jiff::{Timestamp, tz::TimeZone};

use super::{
    allocation::Allocation,
    asked::lines_to_answer,
    conversation::TalkExcerpt,
    fragments::Fragments,
    images::most_important_images,
    recall_lines::lines_with_marks,
    recalled::ShownRecall,
    selection::{Item, LeftOut, Selection},
    view::PromptView,
};
use crate::{
    chat::{Channel, ChannelId, FileRef, MessageTs, Names},
    context::Context,
    judgment::{VERDICT, verdict_json_schema},
    ports::{DataMode, Material, Request, ResponseFormat, Role, TalkLine, Turn},
    recall::RecalledItem,
    text::{Language, estimate_tokens, name_as_label},
    wording::{
        Filled, MESSAGE_LIMIT, PromptTask, TalkFormat, TemplateError, Templates, moment_in_prompt,
        span_in_words,
    },
    worth::is_question,
};

/// The length that an answer is asked to keep to, in tokens: more than most answers take, and about as much as people
/// read in a chat. The model may write twice as much.
pub const REPLY_TOKENS: u32 = 800;
/// The target length of a verdict in tokens: one sentence in an object of four keys.
pub const VERDICT_TOKENS: u32 = 200;
/// The silence, in seconds, whose text is the longest.
const LONGEST_SILENCE: i64 = i64::MAX;

/// Composes the prompts of one workspace.
#[derive(Clone, Copy, Debug)]
pub struct Composer<'a> {
    /// Our words around talk and memories.
    pub templates: &'a Templates,
    /// What people and channels are called.
    pub names: &'a Names,
    /// The zone of the times (`locale.timezone`).
    pub zone: &'a TimeZone,
    /// What a prompt may cost, in estimated tokens (`prompt.max_tokens`).
    pub max_tokens: usize,
}

/// A prompt, and what became of everything that could have been in it.
#[derive(Clone, Debug, PartialEq)]
pub struct Prompt {
    /// The part that changes rarely: persona and memory.
    pub system: String,
    /// The part that changes with every message: the conversation, and what to do.
    pub user: String,
    /// Estimated tokens of both parts; at most the budget.
    pub tokens: usize,
    /// The memories and notes that it shows, most important first.
    pub shown: Vec<Item>,
    /// The memories and notes that it had no room for, most important first.
    pub left_out: Vec<LeftOut>,
    /// How many messages of the conversation it does not show, for lack of room or because they were not read.
    pub earlier_messages: usize,
    /// How many invisible characters were dropped from the messages of others that it shows
    /// ([`crate::text::without_invisible_characters`]).
    pub hidden_characters: usize,
    /// What is to be answered or judged, as structured lines: the target thread, or the conversation when there is
    /// none.
    pub talk: Vec<TalkLine>,
    /// All messages of the place's channel that it shows word for word.
    pub conversation: BTreeSet<MessageTs>,
    /// The messages in it that are marked as waiting for an answer, oldest first. A message that had no room is not
    /// answered by this prompt.
    pub answers: Vec<MessageTs>,
    /// Images that belong to what is to be answered, the most important first: these can be sent with it to a model
    /// that sees ([`Fragments::images`]).
    pub images: Vec<FileRef>,
    /// Images that are sent with it.
    pub sent_images: Vec<FileRef>,
    /// How many linked pages it shows.
    pub pages: usize,
    /// What it shows of what a search found that bears on what is to be answered; best first.
    pub recalled: Vec<ShownRecall>,
    /// The messages among them, as structured lines with their marks.
    pub found: Vec<TalkLine>,
    /// The lines that it shows about those who speak in the conversation, the most important first.
    pub people: Vec<RecalledItem>,
    /// The language it is written in.
    pub language: Language,
    /// What we are called: in the talk, and by the persona.
    pub own_names: Vec<String>,
}

/// Why there is no prompt.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum ComposeError {
    /// A template failed.
    #[error(transparent)]
    Template(#[from] TemplateError),
    /// Not even the persona fits.
    #[error(
        "persona and instructions alone take {needs} tokens, more than the {max_tokens} of `prompt.max_tokens`"
    )]
    NoRoom {
        /// What they take.
        needs: usize,
        /// What there is.
        max_tokens: usize,
    },
}

impl Composer<'_> {
    /// The prompt for a reply that somebody asked for: [`Composer::compose`] for [`PromptTask::REPLY`].
    ///
    /// # Errors
    /// As [`Composer::compose`].
    pub fn reply(
        &self,
        context: &Context,
        ranking: &[ChannelId],
        now: Timestamp,
    ) -> Result<Prompt, ComposeError> {
        self.compose(context, ranking, now, &PromptTask::REPLY, Fragments::default())
    }

    /// The prompt for `task` in the place that `context` was gathered for, at the instant `now`.
    ///
    /// `max_tokens` is its bound. The order in which room is given is told in `allocation.rs` (`Allocation::of`, ADR 72).
    /// `ranking` are the other channels, the most recent talk first.
    ///
    /// # Errors
    /// When the persona alone exceeds the budget, or an owner's template fails.
    pub fn compose(
        &self,
        context: &Context,
        ranking: &[ChannelId],
        now: Timestamp,
        task: &PromptTask<'_>,
        fragments: Fragments<'_>,
    ) -> Result<Prompt, ComposeError> {
        let budget = fragments.budget(self.max_tokens);
        let draft = PromptDraft { composer: self, context, now, task, budget };
        draft.fit(Allocation::of(&draft, ranking, fragments)?)
    }

    pub(super) fn format(&self) -> TalkFormat<'_> {
        TalkFormat {
            names: self.names,
            zone: self.zone,
            language: self.templates.language(),
            limit: MESSAGE_LIMIT,
        }
    }
}

/// A prompt before its choices are made.
pub(super) struct PromptDraft<'a> {
    pub(super) composer: &'a Composer<'a>,
    pub(super) context: &'a Context,
    now: Timestamp,
    task: &'a PromptTask<'a>,
    /// What its text and images may cost, in estimated tokens.
    pub(super) budget: usize,
}

/// A prompt that is written down.
pub(super) struct WrittenPrompt {
    filled: Filled,
    excerpt: TalkExcerpt,
    tokens: usize,
    /// Its tokens together with those of its images.
    pub(super) needs: usize,
}

impl PromptDraft<'_> {
    /// The place's channel.
    pub(super) fn own(&self) -> &Channel {
        self.context.conversation_history.channel()
    }

    /// The messages that wait for an answer. A judgment is about the conversation as a whole: none is marked as
    /// waiting.
    pub(super) fn waiting(&self) -> BTreeSet<MessageTs> {
        match self.task {
            PromptTask::Reply { .. } => self.context.conversation_history.waiting().clone(),
            PromptTask::Judgment => BTreeSet::new(),
        }
    }

    /// Whether somebody asks something and waits for an answer.
    pub(super) fn is_asked(&self) -> bool {
        let waiting = self.waiting();
        let messages = self.context.conversation_history.get_all_messages().iter();
        messages.filter(|message| waiting.contains(&message.ts)).any(|message| is_question(&message.text))
    }

    /// Fills in the template. With our templates the result costs no more than was estimated. An owner's template may
    /// have more words: then the least important things are given up until the result fits.
    fn fit(&self, mut allocation: Allocation<'_>) -> Result<Prompt, ComposeError> {
        loop {
            let written = self.write(&allocation)?;
            if written.needs <= self.budget {
                return Ok(self.finish(written, allocation));
            }
            if !allocation.give_up() {
                return Err(ComposeError::NoRoom { needs: written.needs, max_tokens: self.budget });
            }
        }
    }

    /// The prompt with what `allocation` shows so far.
    pub(super) fn write(&self, allocation: &Allocation<'_>) -> Result<WrittenPrompt, TemplateError> {
        let excerpt = allocation.conversation.excerpt();
        let mut view = self.view(&allocation.chosen, &allocation.held.lines(), &excerpt);
        view.asked = self.lines_to_answer(&excerpt.waiting.iter().copied().collect());
        view.pages = allocation.beside.pages_section();
        view.images = allocation.beside.image_names();
        view.recalled = allocation.recalled.lines();
        view.people = allocation.people.lines();
        let filled = self.fill_view(view, excerpt.newest.map(|ts| self.seconds_since(ts)))?;
        let tokens = estimate_tokens(&filled.system) + estimate_tokens(&filled.user);
        let needs = tokens + allocation.beside.tokens_beside();
        Ok(WrittenPrompt { filled, excerpt, tokens, needs })
    }

    fn finish(&self, written: WrittenPrompt, allocation: Allocation<'_>) -> Prompt {
        let WrittenPrompt { filled: Filled { system, user }, excerpt, tokens, .. } = written;
        let shown_ts = excerpt.lines.iter().map(|line| line.ts).collect();
        let images = most_important_images(self.context, &shown_ts, &excerpt.waiting);
        let (shown, left_out) = allocation.chosen.into_parts();
        let recalled = allocation.recalled.into_shown();
        Prompt {
            system,
            user,
            tokens,
            shown,
            left_out,
            earlier_messages: excerpt.earlier,
            hidden_characters: excerpt.hidden,
            talk: excerpt.lines,
            conversation: excerpt.shown,
            images,
            sent_images: allocation.beside.sent_images().to_vec(),
            pages: allocation.beside.pages,
            found: lines_with_marks(&recalled, &self.own().id, &self.composer.format()),
            recalled,
            people: allocation.people.into_shown(),
            answers: excerpt.waiting,
            language: self.composer.templates.language(),
            own_names: self.own_names(),
        }
    }

    /// The tokens of everything that is no message and no memory: a prompt in which the conversation holds almost
    /// nothing.
    pub(super) fn tokens_of_frame(&self) -> Result<usize, TemplateError> {
        let mark = || "x".to_owned();
        let history = &self.context.conversation_history;
        let unread = usize::try_from(history.unread()).unwrap_or(usize::MAX);
        let nothing = TalkExcerpt {
            root: Some(mark()),
            earlier: history.get_all_messages().len().saturating_add(unread),
            talk: mark(),
            lines: Vec::new(),
            shown: BTreeSet::new(),
            waiting: self.waiting().into_iter().collect(),
            newest: None,
            hidden: 0,
        };
        let chosen = Selection::new(0, self.composer.templates.language());
        let mut view = self.view(&chosen, &[], &nothing);
        view.asked = self.lines_to_answer(&self.waiting());
        let filled = self.fill_view(view, Some(LONGEST_SILENCE))?;
        Ok(estimate_tokens(&filled.system) + estimate_tokens(&filled.user))
    }

    fn view(&self, chosen: &Selection, lines: &[String], talk: &TalkExcerpt) -> PromptView {
        PromptView::new(self.context, chosen, lines, talk, self.composer.zone, self.task)
    }

    fn fill_view(&self, mut view: PromptView, silence: Option<i64>) -> Result<Filled, TemplateError> {
        let Composer { templates, zone, .. } = self.composer;
        view.own_name = self.own_name();
        templates.instructions(self.task.role()).clone_into(&mut view.instructions);
        view.silence = silence.map(|seconds| span_in_words(templates.language(), seconds));
        view.now = moment_in_prompt(MessageTs::from_timestamp(self.now), zone);
        templates.fill(self.task.file(), &view)
    }

    /// What is to be answered, once more.
    fn lines_to_answer(&self, waiting: &BTreeSet<MessageTs>) -> Vec<String> {
        lines_to_answer(&self.context.conversation_history, waiting, &self.composer.format())
    }

    /// What we are called in the talk.
    fn own_name(&self) -> String {
        name_as_label(self.composer.names.own_name().unwrap_or(&self.context.persona.name))
    }

    /// What we are called: in the talk, and by the persona.
    fn own_names(&self) -> Vec<String> {
        let mut names = vec![self.own_name(), name_as_label(&self.context.persona.name)];
        names.dedup();
        names
    }

    /// Seconds since `ts`.
    fn seconds_since(&self, ts: MessageTs) -> i64 {
        self.now.duration_since(ts.to_timestamp()).as_secs()
    }
}

impl Prompt {
    /// The request for a reply of about `target_tokens`, of a prompt composed for [`PromptTask::Reply`].
    pub fn into_request(self, target_tokens: u32) -> Request {
        Request {
            system: self.system,
            turns: vec![Turn::User(self.user)],
            material: Material::Conversation([self.found, self.talk].concat()),
            target_tokens,
            own_names: self.own_names,
            ..Request::new(Role::Response, "reply", self.language)
        }
    }

    /// The request for a verdict, of a prompt composed for [`PromptTask::Judgment`].
    pub fn into_judgment(self) -> Request {
        Request {
            role: Role::Judgment,
            purpose: "judgment",
            form: ResponseFormat::Data {
                name: VERDICT,
                schema: verdict_json_schema(),
                means: DataMode::Schema,
            },
            ..self.into_request(VERDICT_TOKENS)
        }
    }
}
