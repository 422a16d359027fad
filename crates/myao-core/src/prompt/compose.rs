//! The prompt a reply is made from (SPEC §3): stable things first, the living end last, within a budget.

use jiff::{Timestamp, tz::TimeZone};

use super::{
    Item, Language, LeftOut, MESSAGE_LIMIT, TalkFormat, TemplateError, Templates,
    conversation::{Conversation, Excerpt},
    estimate_tokens, moment,
    selection::{Prices, Selection},
    templates::Filled,
    view::{ChannelView, PeriodView, ShortView, ThreadView, View},
};
use crate::{
    chat::{ChannelId, MessageTs, Names},
    context::Context,
    ports::{Form, Material, Request, Role, TalkLine, Turn},
};

/// The template of a reply.
const REPLY: &str = "reply.md";

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
#[derive(Clone, Debug, PartialEq, Eq)]
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
    /// What is to be answered, in structure: the target thread, or the conversation when there is none.
    pub talk: Vec<TalkLine>,
    /// The messages that wait for an answer and are in it, marked as such; oldest first. What had no room is
    /// not answered by it.
    pub answers: Vec<MessageTs>,
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
    /// The prompt for a reply in the place `context` was gathered for, at the instant `now`.
    ///
    /// Room is given to persona and instructions; the newest message, the target thread's root and the
    /// messages that wait for an answer; the own
    /// channel's memory, up to half of what is left; the conversation, newest first; then the workspace's
    /// memory, threads, notes, and the other channels by `ranking` (most recent talk first).
    ///
    /// # Errors
    /// When the persona alone exceeds the budget, or an owner's template fails.
    pub fn reply(
        &self,
        context: &Context,
        ranking: &[ChannelId],
        now: Timestamp,
    ) -> Result<Prompt, ComposeError> {
        let format = TalkFormat {
            names: self.names,
            zone: self.zone,
            language: self.templates.language(),
            limit: MESSAGE_LIMIT,
        };
        let mut room = self.max_tokens.saturating_sub(self.frame(context, now)?);
        let mut conversation = Conversation::new(context, format, room);
        let mut chosen = Selection::default();
        let own = &context.conversation_history.channel().id;
        let prices = Prices { context, zone: self.zone };

        conversation.take_essentials(&mut room);
        let mut half = room / 2;
        room -= half;
        chosen.take(prices.own(own), &mut half);
        room += half;
        conversation.take_rest(&mut room);
        let own_again = chosen.retry();
        chosen.take(own_again, &mut room);
        chosen.take(prices.shared(), &mut room);
        chosen.take(prices.others(own, ranking), &mut room);
        self.fit(context, chosen, conversation, now)
    }

    /// Fills the template in. Ours keep to the prices; should an owner's be wordier, the least important
    /// things make way for its words.
    fn fit(
        &self,
        context: &Context,
        mut chosen: Selection,
        mut conversation: Conversation,
        now: Timestamp,
    ) -> Result<Prompt, ComposeError> {
        loop {
            let excerpt = conversation.excerpt();
            let (earlier_messages, talk) = (excerpt.earlier, excerpt.lines.clone());
            let answers = excerpt.waiting.clone();
            let filled = self.fill(View::new(context, &chosen, excerpt, self.zone), now)?;
            let tokens = estimate_tokens(&filled.system) + estimate_tokens(&filled.user);
            if tokens <= self.max_tokens {
                let (shown, left_out) = chosen.into_parts();
                let Filled { system, user } = filled;
                let language = self.templates.language();
                return Ok(Prompt {
                    system,
                    user,
                    tokens,
                    shown,
                    left_out,
                    earlier_messages,
                    talk,
                    answers,
                    language,
                });
            }
            if !chosen.put_back() && !conversation.put_back() {
                return Err(ComposeError::NoRoom { needs: tokens, max_tokens: self.max_tokens });
            }
        }
    }

    /// What everything costs that is no item and no message: every section with next to nothing in it.
    fn frame(&self, context: &Context, now: Timestamp) -> Result<usize, TemplateError> {
        let mark = || "x".to_owned();
        let nothing = Excerpt {
            root: Some(mark()),
            earlier: usize::MAX,
            talk: mark(),
            lines: Vec::new(),
            waiting: vec![MessageTs::MIN],
        };
        let mut view = View::new(context, &Selection::default(), nothing, self.zone);
        let moment = || moment(MessageTs::MIN, self.zone);
        let short = ShortView {
            version: Some(1),
            number: Some(1),
            period: Some(PeriodView { from: moment(), to: moment() }),
            text: mark(),
        };
        view.workspace = Some(mark());
        view.channels = vec![ChannelView { name: mark(), long_term: Some(mark()), memories: vec![short] }];
        view.threads = vec![ThreadView { since: moment(), text: mark() }];
        view.memos = vec![mark()];
        let filled = self.fill(view, now)?;
        Ok(estimate_tokens(&filled.system) + estimate_tokens(&filled.user))
    }

    fn fill(&self, mut view: View, now: Timestamp) -> Result<Filled, TemplateError> {
        view.now = moment(MessageTs::from_timestamp(now), self.zone);
        self.templates.fill(REPLY, &view)
    }
}

impl Prompt {
    /// The request for a reply of about `target_tokens`.
    pub fn into_request(self, target_tokens: u32) -> Request {
        Request {
            role: Role::Response,
            purpose: "reply",
            system: self.system,
            turns: vec![Turn::User(self.user)],
            material: Material::Conversation(self.talk),
            language: self.language,
            target_tokens,
            tools: Vec::new(),
            form: Form::Text,
        }
    }
}
