//! Composes the prompt of a task in a place, within a budget (SPEC §3). What rarely changes stands first, what changes
//! with every message stands last.

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
    recalled::{ChosenRecalls, found_lines},
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

/// The target length of a verdict in tokens: one sentence in an object of four keys.
const VERDICT_TOKENS: u32 = 200;
/// The length that a prompt aims at, without its frame (persona, instructions and headings): `FILLED` parts of
/// `FILLED_OF` of `prompt.max_tokens`.
const FILLED: usize = 7;
const FILLED_OF: usize = 16;
/// Before the conversation takes its room, the own channel's versions may take one part in this many of what is left of
/// that length.
const VERSIONS_PART: usize = 6;
/// Of what conversation, notes and threads leave of that length, `LINES` parts of `LINES_OF` are kept for lines in
/// force.
const LINES: usize = 2;
const LINES_OF: usize = 3;
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
    /// ([`super::without_hidden`]).
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
    /// It aims at about half of the budget; only the conversation, notes, pages and images may go beyond. Room is given
    /// in this order:
    /// 1. persona and instructions;
    /// 2. the newest message, the target thread's root and the messages that wait for an answer;
    /// 3. pages and images of `fragments`;
    /// 4. what a search found, up to half of the most that it may take;
    /// 5. the own channel's long-term memory and its newest versions;
    /// 6. the conversation, newest first;
    /// 7. notes, then threads, then, where a message waits for an answer, more of what was found;
    /// 8. older versions, more of what was found, the workspace's memory, and the other channels by `ranking` (most
    ///    recent talk first);
    /// 9. lines in force of the own channel's older versions;
    /// 10. lines about those who speak.
    ///
    /// Step 8 leaves up to two thirds of the room that it finds to step 9. What the channels' memories say is left out
    /// of the workspace's memory, and the room that this frees is given to more channels.
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
        let format = self.format();
        let budget = fragments.budget(self.max_tokens);
        let draft = PromptDraft { composer: self, context, now, task, budget };
        let whole = budget.saturating_sub(draft.frame()?);
        let mut room = PromptRoom { left: whole, aimed: whole.min(self.max_tokens / FILLED_OF * FILLED) };
        let nothing = BTreeSet::new();
        let waiting = match task {
            PromptTask::Reply { .. } => context.conversation_history.waiting(),
            // A judgment is about the conversation as a whole: no message is marked as waiting.
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
        let mut recall_room = reserved;
        if !waiting.is_empty() {
            // What waits is looked up by its own words: what was found for it is worth more than what is always shown.
            let more = (found.most(budget) - found.reserved(budget)).min(room.aimed());
            room.spend(|left| *left -= more);
            recall_room += more;
        }
        let memory = context.channel_memories.get(own);
        let has_lines = memory.is_some_and(|memory| !memory.lines_in_force.is_empty());
        let for_lines =
            if has_lines { fragments.lines_tokens.min(room.aimed() / LINES_OF * LINES) } else { 0 };
        room.spend_part(1, |part| {
            *part -= for_lines;
            let own_again = chosen.retry();
            chosen.take(own_again, part);
            let more = (*part).min(found.most(budget).saturating_sub(recall_room));
            (*part, recall_room) = (*part - more, recall_room + more);
            chosen.take(prices.workspace(), part);
            chosen.take(prices.others(own, ranking), part);
            // What the channels' memories say is left out of the workspace's: there may be room for more channels now.
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

    fn format(&self) -> TalkFormat<'_> {
        TalkFormat {
            names: self.names,
            zone: self.zone,
            language: self.templates.language(),
            limit: MESSAGE_LIMIT,
        }
    }

    fn selection(&self) -> Selection {
        Selection::new(self.max_tokens, self.templates.language())
    }
}

/// The room that is left in a prompt, in estimated tokens.
struct PromptRoom {
    /// The room that is left up to the budget.
    left: usize,
    /// The room that is left up to the length that a prompt aims at: a longer one costs more than it tells.
    aimed: usize,
}

impl PromptRoom {
    fn aimed(&self) -> usize {
        self.aimed.min(self.left)
    }

    /// Takes from all the room that is left: for what may go beyond the aim.
    fn spend<T>(&mut self, take: impl FnOnce(&mut usize) -> T) -> T {
        let before = self.left;
        let taken = take(&mut self.left);
        self.aimed = self.aimed.saturating_sub(before - self.left);
        taken
    }

    /// Takes from one part in `parts` of what is left up to the aim.
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

/// What a prompt shows besides whole memories and talk.
struct ChosenExtras<'a> {
    fragments: ChosenFragments<'a>,
    held: ChosenLines,
    recalled: ChosenRecalls,
    people: ChosenPeople,
}

impl ChosenExtras<'_> {
    /// Gives up the least important thing; `false` if nothing was left.
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
    /// Fills in the template. With our templates the result costs no more than was estimated. An owner's template may
    /// have more words: then the least important things are given up until the result fits.
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
                let recalled = extras.recalled.into_shown();
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
                    found: found_lines(&recalled, &self.composer.format()),
                    recalled,
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

    /// The tokens of everything that is no item and no message: a prompt in which every section holds almost nothing.
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
            material: Material::Conversation([self.found, self.talk].concat()),
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
            material: Material::Conversation(self.talk.clone()),
            ..self.into_request(VERDICT_TOKENS)
        }
    }
}
