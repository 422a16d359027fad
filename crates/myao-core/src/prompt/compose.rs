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
/// What the own channel's versions may take of it before the conversation takes its room: one part in so many.
const VERSIONS_PART: usize = 6;
/// The share of what the conversation leaves of it that is kept for lines that hold.
const LINES: usize = 2;
const LINES_OF: usize = 3;
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
    /// It aims at about half of the budget, beyond which only the conversation, notes, pages and images go. Room is given to
    /// persona and instructions; the newest message, the target thread's root and the messages that wait for an answer;
    /// `fragments`; what was found, up to half of its most; the own channel's long-term memory and its newest versions;
    /// the conversation, newest first; notes and threads. Two thirds of what is left of the aim are kept for lines of older
    /// memories that hold. In the rest stand older versions, more of what was found, the workspace's memory, and the other
    /// channels by `ranking` (most recent talk first); what these say is left out of the workspace's. At last, lines about
    /// those who speak.
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
        let whole = budget.saturating_sub(draft.frame()?);
        let mut room = PromptRoom { left: whole, aimed: whole.min(self.max_tokens / FILLED_OF * FILLED) };
        let nothing = BTreeSet::new();
        let waiting = match task {
            PromptTask::Reply { .. } => context.conversation_history.waiting(),
            // Whether to speak is asked about the whole of it.
            PromptTask::Judgment => &nothing,
        };
        let mut conversation = Conversation::new(context, waiting, format, whole);
        let mut chosen = self.selection();
        let own = &context.conversation_history.channel().id;
        let prices = Prices { context, zone: self.zone };

        room.spend(|left| conversation.take_essentials(left));
        let found = fragments.recalled;
        let language = self.templates.language();
        let taken = ChosenFragments::take(fragments, language, budget, &mut room.left);
        let reserved = found.reserved(budget).min(room.aimed());
        room.spend(|left| *left -= reserved);
        room.spend_part(2, |part| chosen.take(prices.own_long_term(own), part));
        room.spend_part(VERSIONS_PART, |part| chosen.take(prices.own_versions(own), part));
        room.spend(|left| conversation.take_rest(left));
        room.spend(|left| chosen.take(prices.memos(), left));
        room.spend_part(1, |part| chosen.take(prices.threads(), part));
        let memory = context.channel_memories.get(own);
        let has_lines = memory.is_some_and(|memory| !memory.lines_in_force.is_empty());
        let for_lines =
            if has_lines { fragments.lines_tokens.min(room.aimed() / LINES_OF * LINES) } else { 0 };
        let mut recall_room = reserved;
        room.spend_part(1, |part| {
            *part -= for_lines;
            let own_again = chosen.retry();
            chosen.take(own_again, part);
            let more = (*part).min(found.most(budget) - found.reserved(budget));
            (*part, recall_room) = (*part - more, recall_room + more);
            chosen.take(prices.workspace(), part);
            chosen.take(prices.others(own, ranking), part);
            // What the channels say is not said of the workspace too: there may be room for more of them.
            *part += chosen.settle_workspace(context);
            let others_again = chosen.retry();
            chosen.take(others_again, part);
            *part += chosen.settle_workspace(context) + for_lines;
        });
        let beside = ShownBeside { memory, chosen: &chosen, conversation: &conversation };
        let held = room.spend_part(1, |part| ChosenLines::take(&beside, fragments.lines_tokens, part));
        let is_said = |item: &RecalledItem| {
            item.channel == *own && (conversation.says(&item.text) || held.says(item.text.words()))
        };
        let recalled = ChosenRecalls::take(found, &chosen, is_said, &format, recall_room);
        let is_shown = |item: &RecalledItem| is_said(item) || recalled.says(item);
        let people = fragments.people;
        let people = room
            .spend_part(1, |part| ChosenPeople::take(people, (context, &chosen), is_shown, &format, part));
        draft.fit(chosen, conversation, ChosenExtras { fragments: taken, held, recalled, people })
    }

    fn selection(&self) -> Selection {
        Selection::new(self.max_tokens, self.templates.language())
    }
}

/// What is left of a prompt, in estimated tokens.
struct PromptRoom {
    /// Up to the budget.
    left: usize,
    /// Up to what a prompt aims at: what is longer costs more than it tells.
    aimed: usize,
}

impl PromptRoom {
    fn aimed(&self) -> usize {
        self.aimed.min(self.left)
    }

    /// For what goes beyond the aim where it has to.
    fn spend<T>(&mut self, take: impl FnOnce(&mut usize) -> T) -> T {
        let before = self.left;
        let taken = take(&mut self.left);
        self.aimed = self.aimed.saturating_sub(before - self.left);
        taken
    }

    /// For what makes do with one part in `parts` of what is aimed at.
    fn spend_part<T>(&mut self, parts: usize, take: impl FnOnce(&mut usize) -> T) -> T {
        let mut part = self.aimed() / parts;
        self.spend(|left| {
            let before = part;
            let taken = take(&mut part);
            *left = (*left + part).saturating_sub(before);
            taken
        })
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
