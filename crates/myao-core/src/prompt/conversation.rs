//! The part of a conversation that a prompt has room for: the target thread's root, the newest messages, and
//! how many are left out between and before them.

use super::{MESSAGE_LIMIT, TalkFormat, estimate_tokens, line_text, talk_lines};
use crate::{context::Context, ports::TalkLine};

/// In front of every message of the thread that is to be answered.
const MARK: &str = "→ ";
/// No character costs more, with the indentation a line break brings along (see `tokens.rs`).
const TOKENS_PER_CHARACTER: usize = 3;
/// Tokens of the line break behind a message.
const LINE_BREAK: usize = 2;

/// A conversation, and how much of it is taken so far.
pub(crate) struct Conversation {
    /// Oldest first.
    messages: Vec<Priced>,
    /// Where the target thread's root stands.
    root: Option<usize>,
    root_taken: bool,
    /// The first of the unbroken run that is taken; it reaches to the end.
    first: usize,
}

struct Priced {
    line: TalkLine,
    in_target: bool,
    text: String,
    tokens: usize,
}

/// What of it goes into the prompt.
pub(crate) struct Excerpt {
    /// The root, where it stands apart from the rest.
    pub(crate) root: Option<String>,
    /// Messages left out.
    pub(crate) earlier: usize,
    /// The newest messages, oldest first.
    pub(crate) talk: String,
    /// What is to be answered, in structure: the target thread, or all of it when there is none.
    pub(crate) lines: Vec<TalkLine>,
}

impl Conversation {
    /// Nothing is taken yet. Should `room` (tokens) not hold the root and the newest message, messages are
    /// cut shorter than usual.
    pub(crate) fn new(context: &Context, format: TalkFormat<'_>, room: usize) -> Self {
        let usual = Self::cut_at(context, format, MESSAGE_LIMIT);
        if usual.essential_tokens() <= room {
            return usual;
        }
        Self::cut_at(context, format, MESSAGE_LIMIT.min(room / 2 / TOKENS_PER_CHARACTER))
    }

    fn cut_at(context: &Context, format: TalkFormat<'_>, limit: usize) -> Self {
        let target = context.target_thread_ts;
        let history = context.conversation_history.get_all_messages();
        let lines = talk_lines(history, &TalkFormat { limit, ..format });
        let priced = history.iter().zip(lines).map(|(message, line)| {
            let in_target = Some(message.thread()) == target;
            let text = format!("{}{}", if in_target { MARK } else { "" }, line_text(&line));
            Priced { tokens: estimate_tokens(&text) + LINE_BREAK, line, in_target, text }
        });
        let root = history.iter().position(|m| Some(m.ts) == target);
        Self { messages: priced.collect(), root, root_taken: false, first: history.len() }
    }

    fn essential_tokens(&self) -> usize {
        let root = self.root.and_then(|i| self.messages.get(i));
        self.messages.last().into_iter().chain(root).map(|m| m.tokens).sum()
    }

    /// Takes the newest message and the target's root out of `room`: nothing but the instructions is more
    /// important.
    pub(crate) fn take_essentials(&mut self, room: &mut usize) {
        self.take_next(room);
        if let Some(root) = self.root.and_then(|i| self.messages.get(i))
            && !self.run_has_root()
            && root.tokens <= *room
        {
            *room -= root.tokens;
            self.root_taken = true;
        }
    }

    /// Takes as many more as fit, newest first, without a gap.
    pub(crate) fn take_rest(&mut self, room: &mut usize) {
        while self.take_next(room) {}
    }

    fn take_next(&mut self, room: &mut usize) -> bool {
        let Some(index) = self.first.checked_sub(1) else { return false };
        let paid = self.root_taken && self.root == Some(index);
        let tokens = self.messages.get(index).map_or(0, |m| if paid { 0 } else { m.tokens });
        let fits = tokens <= *room;
        if fits {
            *room -= tokens;
            self.first = index;
        }
        fits
    }

    /// Puts the oldest message of the run back, at last the root; whether there was one.
    pub(crate) fn put_back(&mut self) -> bool {
        if self.first < self.messages.len() {
            self.first += 1;
            return true;
        }
        std::mem::take(&mut self.root_taken)
    }

    fn run_has_root(&self) -> bool {
        self.root.is_some_and(|root| root >= self.first)
    }

    pub(crate) fn excerpt(&self) -> Excerpt {
        let apart = self.root.filter(|_| self.root_taken && !self.run_has_root());
        let root = apart.and_then(|i| self.messages.get(i));
        let run = || self.messages.iter().skip(self.first);
        let shown: Vec<&Priced> = root.into_iter().chain(run()).collect();
        let any_target = shown.iter().any(|m| m.in_target);
        let asked = shown.iter().filter(|m| m.in_target || !any_target);
        Excerpt {
            root: root.map(|m| m.text.clone()),
            earlier: self.messages.len() - shown.len(),
            talk: run().map(|m| m.text.as_str()).collect::<Vec<_>>().join("\n"),
            lines: asked.map(|m| m.line.clone()).collect(),
        }
    }
}
