//! The prompt of a task in a place (SPEC §3): stable things first, the living end last, within a budget.

use std::collections::BTreeSet;

use jiff::{Timestamp, tz::TimeZone};

use super::{
    Fragments, Item, Language, LeftOut, MESSAGE_LIMIT, PromptTask, RecalledItem, ShownRecall, TalkFormat,
    TemplateError, Templates,
    conversation::{Conversation, TalkExcerpt},
    estimate_tokens,
    fragments::ChosenFragments,
    held_lines::{ChosenLines, ShownBeside},
    images::images,
    label, moment,
    people::ChosenPeople,
    recalled::ChosenRecalls,
    selection::{Prices, Selection},
    task::span,
    templates::Filled,
    view::{ChannelView, PeriodView, PromptView, ShortView, ThreadView},
};
use crate::{
    chat::{ChannelId, FileRef, MessageTs, Names},
    context::Context,
    judgment::{VERDICT, verdict_schema},
    ports::{DataMode, Material, Request, ResponseFormat, Role, TalkLine, Turn},
};

/// The length of a verdict: one sentence in an object of four keys.
const VERDICT_TOKENS: u32 = 200;
/// The share of a prompt, without instructions, up to which memories of other channels are added.
const FILLED: usize = 7;
const FILLED_OF: usize = 16;
/// No silence takes more words.
const LONGEST_SILENCE: i64 = i64::MAX;

/// Composes prompts of one workspace.
#[derive(Clone, Copy, Debug)]
pub struct Composer<'a> {
    /// Our words.
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
    /// The stable part: persona and memory.
    pub system: String,
    /// The living part: the conversation, and what to do.
    pub user: String,
    /// Estimated tokens of both; at most the budget.
    pub tokens: usize,
    /// Memories and notes in it, most important first.
    pub shown: Vec<Item>,
    /// Memories and notes there was no room for, most important first.
    pub left_out: Vec<LeftOut>,
    /// Messages of the conversation there was no room for, or that were too many to be read.
    pub earlier_messages: usize,
    /// Characters that nobody sees, in what others said in the messages shown ([`super::without_hidden`]): they are
    /// left out.
    pub hidden_characters: usize,
    /// What is to be answered or judged, in structure: the target thread, or the conversation when there is
    /// none.
    pub talk: Vec<TalkLine>,
    /// All messages of the place's channel that it shows word for word.
    pub conversation: BTreeSet<MessageTs>,
    /// The messages that wait for an answer and are in it, marked as such; oldest first. What had no room is
    /// not answered by it.
    pub answers: Vec<MessageTs>,
    /// Images that belong to what is to be answered, the most important first: what can be sent with it to a model
    /// that sees ([`Fragments::images`]).
    pub images: Vec<FileRef>,
    /// Images that are sent with it.
    pub sent_images: Vec<FileRef>,
    /// How many linked pages it shows.
    pub pages: usize,
    /// What a search found that bears on what is to be answered, and is in it; best first.
    pub recalled: Vec<ShownRecall>,
    /// Lines about those who speak in the conversation, the most important first.
    pub people: Vec<RecalledItem>,
    /// The language it is written in.
    pub language: Language,
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

    /// The prompt for `task` in the place `context` was gathered for, at the instant `now`.
    ///
    /// Room is given to persona and instructions; the newest message, the target thread's root and the
    /// messages that wait for an answer; `fragments`; the own channel's memory, up to half of what is left; the
    /// conversation, newest first; threads and notes. Then, as long as the prompt takes no more than half of the budget:
    /// more of what was found, the workspace's memory, and the other channels by `ranking` (most recent talk first); what
    /// these say is left out of the workspace's. Half of what is left then is for lines of older memories that hold, and of
    /// what is left then half for lines about those who speak.
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
        let format = TalkFormat {
            names: self.names,
            zone: self.zone,
            language: self.templates.language(),
            limit: MESSAGE_LIMIT,
        };
        let budget = fragments.budget(self.max_tokens);
        let draft = PromptDraft { composer: self, context, now, task, budget };
        let mut room = budget.saturating_sub(draft.frame()?);
        let whole = room;
        let nothing = BTreeSet::new();
        let waiting = match task {
            PromptTask::Reply { .. } => context.conversation_history.waiting(),
            // Whether to speak is asked about the whole of it.
            PromptTask::Judgment => &nothing,
        };
        let mut conversation = Conversation::new(context, waiting, format, room);
        let mut chosen = self.selection();
        let own = &context.conversation_history.channel().id;
        let prices = Prices { context, zone: self.zone };

        conversation.take_essentials(&mut room);
        let found = fragments.recalled;
        let reserved = found.reserved(budget).min(room);
        room -= reserved;
        let taken = ChosenFragments::take(fragments, self.templates.language(), budget, &mut room);
        let mut half = room / 2;
        room -= half;
        chosen.take(prices.own(own), &mut half);
        room += half;
        conversation.take_rest(&mut room);
        let own_again = chosen.retry();
        chosen.take(own_again, &mut room);
        chosen.take(prices.notes(), &mut room);
        // From here on the prompt is filled up to about half only: what is longer costs more than it tells. Instructions
        // are not counted, so that a judgment holds the same memory as a reply.
        let filled = whole - room;
        let mut half = room.min((self.max_tokens / FILLED_OF * FILLED).saturating_sub(filled));
        let recall_room = reserved + half.min(found.most(budget) - found.reserved(budget));
        let more = recall_room - reserved;
        (room, half) = (room - more, half - more);
        room -= half;
        chosen.take(prices.workspace(), &mut half);
        chosen.take(prices.others(own, ranking), &mut half);
        // What the channels say is not said of the workspace too: there may be room for more of them.
        half += chosen.settle_workspace(context);
        let others_again = chosen.retry();
        chosen.take(others_again, &mut half);
        half += chosen.settle_workspace(context);
        room += half;
        let memory = context.channel_memories.get(own);
        let beside = ShownBeside { memory, chosen: &chosen, conversation: &conversation };
        let held = ChosenLines::take(&beside, fragments.lines_tokens, &mut room);
        let is_said = |item: &RecalledItem| {
            item.channel == *own && (conversation.says(&item.text) || held.says(item.text.words()))
        };
        let recalled = ChosenRecalls::take(found, &chosen, is_said, &format, recall_room);
        let is_shown = |item: &RecalledItem| is_said(item) || recalled.says(item);
        let people = ChosenPeople::take(fragments.people, (context, &chosen), is_shown, &format, &mut room);
        draft.fit(chosen, conversation, ChosenExtras { fragments: taken, held, recalled, people })
    }

    fn selection(&self) -> Selection {
        Selection::new(self.max_tokens, self.templates.language())
    }
}

/// What a prompt shows besides memories as a whole and talk.
struct ChosenExtras<'a> {
    fragments: ChosenFragments<'a>,
    held: ChosenLines,
    recalled: ChosenRecalls,
    people: ChosenPeople,
}

impl ChosenExtras<'_> {
    /// Gives up the least important; whether there was anything.
    fn put_back(&mut self) -> bool {
        self.people.put_back()
            || self.recalled.put_back()
            || self.held.put_back()
            || self.fragments.put_back()
    }
}

/// A prompt before its choices are made.
struct PromptDraft<'a> {
    composer: &'a Composer<'a>,
    context: &'a Context,
    now: Timestamp,
    task: &'a PromptTask<'a>,
    /// What its text and images may cost, in estimated tokens.
    budget: usize,
}

impl PromptDraft<'_> {
    /// Fills the template in. Ours keep to the prices; should an owner's be wordier, the least important
    /// things make way for its words.
    fn fit(
        &self,
        mut chosen: Selection,
        mut conversation: Conversation,
        mut extras: ChosenExtras<'_>,
    ) -> Result<Prompt, ComposeError> {
        loop {
            let excerpt = conversation.excerpt();
            let (earlier_messages, talk) = (excerpt.earlier, excerpt.lines.clone());
            let hidden_characters = excerpt.hidden;
            let (answers, silence) = (excerpt.waiting.clone(), excerpt.newest.map(|ts| self.since(ts)));
            let shown_ts = talk.iter().map(|line| line.ts).collect();
            let conversation_ts = excerpt.shown.clone();
            let mut view = self.view(&chosen, excerpt, &extras.held.lines());
            view.pages = extras.fragments.pages_section();
            view.images = extras.fragments.image_names();
            view.recalled = extras.recalled.lines();
            view.people = extras.people.lines();
            let filled = self.fill(view, silence)?;
            let tokens = estimate_tokens(&filled.system) + estimate_tokens(&filled.user);
            let needs = tokens + extras.fragments.tokens_beside();
            if needs <= self.budget {
                let (shown, left_out) = chosen.into_parts();
                let Filled { system, user } = filled;
                let language = self.composer.templates.language();
                return Ok(Prompt {
                    system,
                    user,
                    tokens,
                    shown,
                    left_out,
                    earlier_messages,
                    hidden_characters,
                    talk,
                    conversation: conversation_ts,
                    images: images(self.context, &shown_ts, &answers),
                    sent_images: extras.fragments.sent_images().to_vec(),
                    pages: extras.fragments.pages,
                    recalled: extras.recalled.into_shown(),
                    people: extras.people.into_shown(),
                    answers,
                    language,
                });
            }
            let makes_room = chosen.put_back() || extras.put_back();
            if !makes_room && !conversation.put_back() {
                return Err(ComposeError::NoRoom { needs, max_tokens: self.budget });
            }
        }
    }

    /// What everything costs that is no item and no message: every section with next to nothing in it.
    fn frame(&self) -> Result<usize, TemplateError> {
        let mark = || "x".to_owned();
        let nothing = TalkExcerpt {
            root: Some(mark()),
            earlier: usize::MAX,
            talk: mark(),
            lines: Vec::new(),
            shown: BTreeSet::new(),
            waiting: vec![MessageTs::MIN],
            newest: None,
            hidden: 0,
        };
        let mut view = self.view(&self.composer.selection(), nothing, &[]);
        let moment = || moment(MessageTs::MIN, self.composer.zone);
        let short = ShortView {
            version: Some(1),
            number: Some(1),
            period: Some(PeriodView { from: moment(), to: moment() }),
            text: mark(),
        };
        view.workspace = Some(mark());
        view.channels = vec![ChannelView {
            name: mark(),
            long_term: Some(mark()),
            lines: Vec::new(),
            memories: vec![short],
        }];
        view.threads = vec![ThreadView { since: moment(), text: mark() }];
        view.memos = vec![mark()];
        view.recalled = vec![mark()];
        let filled = self.fill(view, Some(LONGEST_SILENCE))?;
        Ok(estimate_tokens(&filled.system) + estimate_tokens(&filled.user))
    }

    fn view(&self, chosen: &Selection, talk: TalkExcerpt, lines: &[String]) -> PromptView {
        PromptView::new(self.context, (chosen, lines), talk, self.composer.zone, self.task)
    }

    fn fill(&self, mut view: PromptView, silence: Option<i64>) -> Result<Filled, TemplateError> {
        let Composer { templates, names, zone, .. } = self.composer;
        view.own_name = names.own_name().map_or_else(|| view.persona.name.clone(), label);
        templates.instructions(self.task.role()).clone_into(&mut view.instructions);
        view.silence = silence.map(|seconds| span(templates.language(), seconds));
        view.now = moment(MessageTs::from_timestamp(self.now), zone);
        templates.fill(self.task.file(), &view)
    }

    /// Seconds since `ts`.
    fn since(&self, ts: MessageTs) -> i64 {
        self.now.duration_since(ts.to_timestamp()).as_secs()
    }
}

impl Prompt {
    /// The request for a reply of about `target_tokens`, of a prompt composed for [`PromptTask::Reply`].
    pub fn into_request(self, target_tokens: u32) -> Request {
        Request {
            role: Role::Response,
            purpose: "reply",
            system: self.system,
            turns: vec![Turn::User(self.user)],
            images: Vec::new(),
            material: Material::Conversation(self.talk),
            language: self.language,
            target_tokens,
            extra_tokens: 0,
            afresh: false,
            tools: Vec::new(),
            form: ResponseFormat::Text,
        }
    }

    /// The request for a verdict, of a prompt composed for [`PromptTask::Judgment`].
    pub fn into_judgment(self) -> Request {
        Request {
            role: Role::Judgment,
            purpose: "judgment",
            form: ResponseFormat::Data { name: VERDICT, schema: verdict_schema(), means: DataMode::Schema },
            ..self.into_request(VERDICT_TOKENS)
        }
    }
}
