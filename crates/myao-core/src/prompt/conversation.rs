//! Chooses the part of a conversation that a prompt has room for: what is to be answered, the target thread's root,
//! the newest messages; and counts how many are left out between and before them.

use std::collections::BTreeSet;

use crate::{
    chat::{Message, MessageTs, Speaker},
    context::{Context, ShortTerm},
    memory::MemoryType,
    ports::TalkLine,
    recall::RecalledWords,
    text::{count_invisible_characters, estimate_tokens},
    wording::{MESSAGE_LIMIT, TalkFormat, line_text, messages_as_lines},
};

/// Stands in front of every message of the thread that is to be answered.
const MARK: &str = "→ ";
/// Stands in front of every message that waits for an answer, behind the thread's mark.
pub(super) const WAITS: &str = "● ";
/// How many messages are shown in any case: the newest one, the root and the first one that waits.
const MOST_ESSENTIAL: usize = 3;
/// The most tokens that a character costs, the indentation behind a line break included (see `tokens.rs`).
const TOKENS_PER_CHARACTER: usize = 3;
/// Tokens of the line break behind a message.
const LINE_BREAK: usize = 2;

/// A conversation, and how much of it is taken so far.
pub(crate) struct Conversation {
    /// All messages that were read, oldest first.
    messages: Vec<Priced>,
    /// The messages that are taken before their turn, by index: the target thread's root, those that wait for an
    /// answer, oldest first, and the newest message of the place.
    essential: Vec<usize>,
    /// Those of the essential messages that were taken before their turn.
    apart: BTreeSet<usize>,
    /// How many messages of the conversation were not read.
    unread: usize,
    /// The root of the thread that is the place; `None` when the place is the top level.
    target: Option<MessageTs>,
    /// The index of the first message of the run: from there on to the end, every message is taken.
    first: usize,
}

struct Priced {
    line: TalkLine,
    in_target: bool,
    /// Whether it was said in the place itself: in the target thread, or at top level when there is none.
    in_place: bool,
    waits: bool,
    text: String,
    tokens: usize,
    /// How many invisible characters of the message were dropped from the text.
    hidden: usize,
}

/// The part of a conversation that goes into the prompt.
pub(crate) struct TalkExcerpt {
    /// The thread's root, and older messages that wait for an answer, where they stand apart from the rest.
    pub(crate) root: Option<String>,
    /// How many messages are left out.
    pub(crate) earlier: usize,
    /// The newest messages, oldest first, except that what is to be answered and what follows it in the place stand
    /// last.
    pub(crate) talk: String,
    /// What is to be answered, as structured lines: the target thread, or everything when there is none. Where
    /// messages wait for an answer, it ends with the newest of them.
    pub(crate) lines: Vec<TalkLine>,
    /// All messages in it.
    pub(crate) shown: BTreeSet<MessageTs>,
    /// The messages in it that wait for an answer, oldest first.
    pub(crate) waiting: Vec<MessageTs>,
    /// The time stamp of the newest shown message of the place.
    pub(crate) newest: Option<MessageTs>,
    /// How many invisible characters were dropped from the messages that are shown.
    pub(crate) hidden: usize,
}

impl Conversation {
    /// A conversation of which nothing is taken yet; `waiting` are the messages that wait for an answer. If the root,
    /// the newest message and the first one that waits do not fit into `room` (tokens), messages are cut shorter than
    /// usual.
    pub(crate) fn new(
        context: &Context,
        waiting: &BTreeSet<MessageTs>,
        format: TalkFormat<'_>,
        room: usize,
    ) -> Self {
        let usual = Self::cut_at(context, waiting, format, MESSAGE_LIMIT);
        if usual.essential_tokens() <= room {
            return usual;
        }
        let shorter = MESSAGE_LIMIT.min(room / MOST_ESSENTIAL / TOKENS_PER_CHARACTER);
        Self::cut_at(context, waiting, format, shorter)
    }

    fn cut_at(
        context: &Context,
        waiting: &BTreeSet<MessageTs>,
        format: TalkFormat<'_>,
        limit: usize,
    ) -> Self {
        let target = context.target_thread_ts;
        let history = context.conversation_history.get_all_messages();
        let lines = messages_as_lines(history, &TalkFormat { limit, ..format });
        let priced = history.iter().zip(lines).map(|(message, line)| {
            let in_target = Some(message.thread()) == target;
            let in_place = if target.is_some() { in_target } else { message.thread_ts.is_none() };
            let waits = waiting.contains(&message.ts);
            let marks = [(in_target, MARK), (waits, WAITS)].map(|(is, mark)| if is { mark } else { "" });
            let text = format!("{}{}", marks.concat(), line_text(&line));
            let tokens = estimate_tokens(&text) + LINE_BREAK;
            let hidden = count_hidden_characters(message, &line);
            Priced { line, in_target, in_place, waits, text, tokens, hidden }
        });
        let root = history.iter().position(|m| Some(m.ts) == target);
        let unread = usize::try_from(context.conversation_history.unread()).unwrap_or(usize::MAX);
        let messages: Vec<Priced> = priced.collect();
        let waits = messages.iter().zip(0..).filter(|(m, _)| m.waits).map(|(_, i)| i);
        let newest = messages.iter().rposition(|m| m.in_place);
        let mut essential: Vec<usize> = root.into_iter().chain(waits.filter(|i| Some(*i) != root)).collect();
        essential.extend(newest.filter(|i| !essential.contains(i)));
        Self { first: messages.len(), messages, essential, apart: BTreeSet::new(), unread, target }
    }

    fn essential_tokens(&self) -> usize {
        let essential = self.essential.iter().take(MOST_ESSENTIAL - 1).filter_map(|i| self.messages.get(*i));
        self.messages.last().into_iter().chain(essential).map(|m| m.tokens).sum()
    }

    /// Takes the newest message, the target thread's root and what waits for an answer, as far as they fit into `room`.
    /// Only the instructions are more important.
    pub(crate) fn take_essentials(&mut self, room: &mut usize) {
        self.take_next(room);
        for index in &self.essential {
            let Some(message) = self.messages.get(*index).filter(|_| *index < self.first) else { continue };
            if message.tokens <= *room {
                *room -= message.tokens;
                self.apart.insert(*index);
            }
        }
    }

    /// Whether the messages that are taken include words of their channel that a search found: a message itself, or,
    /// for a line of a chapter, the chapter's last message.
    pub(crate) fn says(&self, words: &RecalledWords) -> bool {
        let last = match words {
            RecalledWords::Message(message) => Some(message.ts),
            RecalledWords::Line { memory_type: MemoryType::LongTerm, .. } => None,
            RecalledWords::Line { until, .. } => *until,
        };
        let is_taken = |at: usize| at >= self.first || self.apart.contains(&at);
        let mut taken = self.messages.iter().enumerate().filter(|(at, _)| is_taken(*at));
        last.is_some_and(|last| taken.any(|(_, message)| message.line.ts == last))
    }

    /// Whether all messages of a version are taken. It is one of those whose messages all stand in the conversation.
    pub(super) fn holds(&self, version: &ShortTerm) -> bool {
        let oldest = self.messages.get(self.first).map_or(MessageTs::MAX, |message| message.line.ts);
        version.period.is_none_or(|(from, _)| from >= oldest)
    }

    /// Whether every message that was read is taken.
    pub(super) fn is_whole(&self) -> bool {
        self.first == 0
    }

    /// The text of the messages in the run.
    pub(super) fn words(&self) -> String {
        let taken = self.messages.iter().skip(self.first).map(|message| message.line.text.as_str());
        taken.collect::<Vec<_>>().join("\n")
    }

    /// Takes as many more messages as fit into `room`, newest first, without a gap.
    pub(crate) fn take_rest(&mut self, room: &mut usize) {
        while self.take_next(room) {}
    }

    fn take_next(&mut self, room: &mut usize) -> bool {
        let Some(index) = self.first.checked_sub(1) else { return false };
        let paid = self.apart.contains(&index);
        let tokens = self.messages.get(index).map_or(0, |m| if paid { 0 } else { m.tokens });
        let fits = tokens <= *room;
        if fits {
            *room -= tokens;
            self.first = index;
        }
        fits
    }

    /// Puts back the oldest message of the run; once the run is empty, one of those that stand apart. `false` if
    /// nothing was left.
    pub(crate) fn put_back(&mut self) -> bool {
        if self.first < self.messages.len() {
            self.first += 1;
            return true;
        }
        self.apart.pop_last().is_some()
    }

    pub(crate) fn excerpt(&self) -> TalkExcerpt {
        let (front, talk) = self.ordered();
        let shown: Vec<&Priced> = front.iter().chain(&talk).copied().collect();
        let any_target = shown.iter().any(|m| m.in_target);
        let last = shown.iter().rposition(|m| m.waits).map_or(shown.len(), |last| last + 1);
        let asked = shown.iter().take(last).filter(|m| m.in_target || m.waits || !any_target);
        let text =
            |messages: &[&Priced]| messages.iter().map(|m| m.text.as_str()).collect::<Vec<_>>().join("\n");
        TalkExcerpt {
            root: Some(text(&front)).filter(|text| !text.is_empty()),
            earlier: (self.messages.len() - shown.len()).saturating_add(self.unread),
            talk: text(&talk),
            lines: asked.map(|m| m.line.clone()).collect(),
            shown: shown.iter().map(|m| m.line.ts).collect(),
            waiting: shown.iter().filter(|m| m.waits).map(|m| m.line.ts).collect(),
            newest: shown.iter().rfind(|m| m.in_place).map(|m| m.line.ts),
            hidden: shown.iter().map(|m| m.hidden).sum(),
        }
    }

    /// The messages that stand in front of the rest, and the rest. People in other threads may ask at the same time,
    /// and small models answer what they read last. So what was said elsewhere since the first message that waits (or,
    /// if none waits, since the newest message of the thread) is put before that message.
    fn ordered(&self) -> (Vec<&Priced>, Vec<&Priced>) {
        let is_own = |m: &&Priced| m.in_place || m.waits;
        let apart: Vec<&Priced> =
            self.apart.range(..self.first).filter_map(|i| self.messages.get(*i)).collect();
        let run: Vec<&Priced> = self.messages.iter().skip(self.first).collect();
        let is_asked = self.target.is_some() || apart.iter().chain(&run).any(|m| m.waits);
        if !is_asked || run.iter().all(is_own) {
            return (apart, run);
        }
        let (mut front, mut asked): (Vec<&Priced>, Vec<&Priced>) =
            apart.into_iter().partition(|m| Some(m.line.ts) == self.target && !m.waits);
        if asked.is_empty() && !run.iter().any(is_own) {
            // The root is all that is shown of the thread.
            std::mem::swap(&mut front, &mut asked);
        }
        let first = run.iter().position(|m| m.waits).or_else(|| run.iter().rposition(is_own));
        let first = if asked.is_empty() { first.unwrap_or(run.len()) } else { 0 };
        let since = || run.iter().skip(first).copied();
        let before = run.iter().take(first).copied();
        let talk = before.chain(since().filter(|m| !is_own(m))).chain(asked).chain(since().filter(is_own));
        (front, talk.collect())
    }
}

/// How many invisible characters somebody put into a message. Not counted are those that we put in ourselves, so that
/// words are not taken for markup or a reference: in our own posts, and right behind a `<` (ADR 3, ADR 19).
fn count_hidden_characters(message: &Message, line: &TalkLine) -> usize {
    if line.speaker == Speaker::Own {
        0
    } else {
        count_invisible_characters(&message.text.replace("<\u{200b}", "<"))
    }
}
