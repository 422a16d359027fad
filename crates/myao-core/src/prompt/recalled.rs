//! Chooses what a prompt shows of what bears on what is to be answered: messages and lines of memories that a search
//! found, each with a mark by which an answer can name it (SPEC §3, §5).

use std::{cell::OnceCell, collections::BTreeSet};

use jiff::civil::Date;

use super::{
    Language, TalkFormat, channel_label, estimate_tokens,
    found_line::found_line,
    label, moment,
    selection::{Item, Selection},
};
use crate::{
    chat::{ChannelId, FileRef, Message, MessageTs},
    memory::{MemoryType, end_mark},
    ports::{FoundIn, TalkLine},
    recall::{FoldedText, Highlighter, terms_in_order},
};

/// How many columns are shown of a text: of the passage that holds most of what was asked. A full-width letter takes
/// two columns.
const COLUMNS: usize = 320;
/// Tokens of the line break behind each line.
pub(super) const LINE_BREAK: usize = 2;
/// What was found may take at most one part in this many of a prompt.
const MOST_SHARE: usize = 4;

/// Something that was found.
#[derive(Clone, Debug, PartialEq)]
pub struct RecalledItem {
    /// Where it was said, or whose memory it stands in.
    pub channel: ChannelId,
    /// What it is.
    pub text: RecalledWords,
    /// The words of the question that it holds, folded.
    pub terms: Vec<String>,
    /// How well it fits, compared with the others.
    pub score: f64,
}

/// The words of something that was found.
#[derive(Clone, Debug, PartialEq)]
pub enum RecalledWords {
    /// A message.
    Message(Box<Message>),
    /// A line of a memory of the channel.
    Line {
        /// Long-term, or a chapter.
        memory_type: MemoryType,
        /// The version of the short-term memory that it stands in.
        version: u32,
        /// The words.
        text: String,
        /// The last message that the memory was made from.
        until: Option<MessageTs>,
        /// The day on which a later line replaced it; `None` while it is in force.
        ended: Option<Date>,
    },
}

/// Something that was found, as a prompt shows it.
#[derive(Clone, Debug, PartialEq)]
pub struct ShownRecall {
    /// Its mark in the prompt, without brackets: `r1`.
    pub mark: String,
    /// What it is.
    pub item: RecalledItem,
}

/// What was found, for a prompt to choose from.
#[derive(Clone, Copy, Debug, Default)]
pub struct Recollections<'a> {
    /// What was looked for.
    pub words: &'a str,
    /// What was found, best first.
    pub items: &'a [RecalledItem],
    /// The most estimated tokens that it may take (`prompt.recall_tokens`). It also takes at most a quarter of the
    /// prompt.
    pub tokens: usize,
}

/// What was found, as far as a prompt has room for it.
#[derive(Default)]
pub(super) struct ChosenRecalls {
    lines: Vec<String>,
    shown: Vec<ShownRecall>,
    /// Tokens of the lines.
    tokens: usize,
}

impl Recollections<'_> {
    /// The most tokens that its lines may take in a prompt of `budget` tokens.
    pub(super) fn most(&self, budget: usize) -> usize {
        if self.items.is_empty() { 0 } else { self.tokens.min(budget / MOST_SHARE) }
    }

    /// The most tokens that it may take together with its heading.
    pub(super) fn price(&self, budget: usize, heading: usize) -> usize {
        match self.most(budget) {
            0 => 0,
            most => most + heading,
        }
    }
}

/// What was found, each written down once: several choices are made from it.
pub(super) struct RecallOffers<'a> {
    pub(super) found: Recollections<'a>,
    format: TalkFormat<'a>,
    highlighter: Highlighter,
    /// What stands behind the mark of each, with its tokens, as far as it was asked for.
    written: Vec<OnceCell<(String, usize)>>,
}

impl<'a> RecallOffers<'a> {
    pub(super) fn new(found: Recollections<'a>, format: TalkFormat<'a>) -> Self {
        let written = found.items.iter().map(|_| OnceCell::new()).collect();
        Self { found, format, highlighter: Highlighter::new(found.words, &[]), written }
    }

    fn items(&self) -> impl Iterator<Item = (&'a RecalledItem, &OnceCell<(String, usize)>)> {
        self.found.items.iter().zip(&self.written)
    }

    fn written(&self, item: &RecalledItem) -> (String, usize) {
        let text = behind_mark(item, &self.format, &self.highlighter);
        let tokens = estimate_tokens(&text);
        (text, tokens)
    }
}

impl ChosenRecalls {
    /// Chooses from what was found, best first, what fits into `room` and is not shown already. `is_in_talk` tells
    /// whether the conversation or a line in force says it, `chosen` which memories are shown.
    pub(super) fn take(
        offers: &RecallOffers<'_>,
        chosen: &Selection,
        is_in_talk: impl Fn(&RecalledItem) -> bool,
        room: &mut usize,
    ) -> Self {
        let mut taken = Self::default();
        for (item, written) in offers.items() {
            if item.is_remembered(chosen) || is_in_talk(item) || says(&taken.shown, item) {
                continue;
            }
            let (text, tokens) = written.get_or_init(|| offers.written(item));
            let mark = format!("r{}", taken.shown.len() + 1);
            let tokens = estimate_tokens(&marked(&mark, "")) + tokens + LINE_BREAK;
            if tokens <= *room {
                *room -= tokens;
                taken.tokens += tokens;
                taken.lines.push(marked(&mark, text));
                taken.shown.push(ShownRecall { mark, item: item.clone() });
            }
        }
        taken
    }

    /// The tokens of all of it below a heading of so many.
    pub(super) fn cost(&self, heading: usize) -> usize {
        if self.lines.is_empty() { 0 } else { self.tokens + heading }
    }

    pub(super) fn items(&self) -> impl Iterator<Item = &RecalledItem> {
        self.shown.iter().map(|shown| &shown.item)
    }

    /// The lines of the section.
    pub(super) fn lines(&self) -> Vec<String> {
        self.lines.clone()
    }

    /// Whether the words of `item` are among them.
    pub(super) fn says(&self, item: &RecalledItem) -> bool {
        says(&self.shown, item)
    }

    /// Gives up the last one; `false` if none was left.
    pub(super) fn put_back(&mut self) -> bool {
        self.shown.pop();
        self.lines.pop().is_some()
    }

    pub(super) fn into_shown(self) -> Vec<ShownRecall> {
        self.shown
    }
}

impl RecalledItem {
    /// Whether the memory that it stands in is shown.
    pub(super) fn is_remembered(&self, chosen: &Selection) -> bool {
        match &self.text {
            RecalledWords::Message(_) => false,
            RecalledWords::Line { memory_type: MemoryType::LongTerm, .. } => {
                chosen.has(&Item::LongTerm(self.channel.clone()))
            }
            RecalledWords::Line { version, .. } => {
                chosen.has(&Item::ShortTerm(self.channel.clone(), Some(*version)))
            }
        }
    }
}

impl RecalledWords {
    /// The words themselves.
    pub fn words(&self) -> &str {
        match self {
            Self::Message(message) => &message.text,
            Self::Line { text, .. } => text,
        }
    }
}

/// Whether the words of `item` are in `shown` already. A memory's line counts as the same when it contains the other
/// words or stands in them, since it may quote a message, and when a message holds every word that it says. Of two
/// messages both say something of their own, unless all of their words are equal.
pub(super) fn says(shown: &[ShownRecall], item: &RecalledItem) -> bool {
    let words = item.text.words().trim();
    shown.iter().map(|shown| &shown.item.text).any(|shown| {
        let others = shown.words().trim();
        match (shown, &item.text) {
            _ if words.is_empty() || others.is_empty() => false,
            (RecalledWords::Message(_), RecalledWords::Message(_)) => words == others,
            (RecalledWords::Message(_), RecalledWords::Line { ended: None, .. })
                if holds_all(others, words) =>
            {
                true
            }
            (RecalledWords::Line { .. }, _) | (_, RecalledWords::Line { .. }) => {
                words.contains(others) || others.contains(words)
            }
        }
    })
}

/// Whether a message holds every word of a memory's line, but for who is named in front of it.
fn holds_all(message: &str, line: &str) -> bool {
    let said = line.split_once(": ").map_or(line, |(_, said)| said);
    let terms = |text: &str| -> BTreeSet<String> {
        terms_in_order(&FoldedText::new(text)).into_iter().map(|term| term.text).collect()
    };
    let said = terms(said);
    !said.is_empty() && said.is_subset(&terms(message))
}

/// What is shown, as structured lines with their marks.
pub(super) fn found_lines(shown: &[ShownRecall], format: &TalkFormat<'_>) -> Vec<TalkLine> {
    let line = |(shown, exchange): (&ShownRecall, usize)| {
        let found = FoundIn { exchange, is_hit: true };
        found_line(&shown.item, format).map(|line| TalkLine {
            mark: Some(shown.mark.clone()),
            found: Some(found),
            ..line
        })
    };
    shown.iter().zip(1..).filter_map(line).collect()
}

/// `[r1] #general [2026-03-02 14:03] Noor: words`
pub(super) fn line(
    mark: &str,
    item: &RecalledItem,
    format: &TalkFormat<'_>,
    highlighter: &Highlighter,
) -> String {
    marked(mark, &behind_mark(item, format, highlighter))
}

fn marked(mark: &str, text: &str) -> String {
    format!("[{mark}] {text}")
}

/// `#general [2026-03-02 14:03] Noor: words`
fn behind_mark(item: &RecalledItem, format: &TalkFormat<'_>, highlighter: &Highlighter) -> String {
    let place = channel_label(format.names.channel(&item.channel));
    match &item.text {
        RecalledWords::Message(message) => {
            let files = message.files.iter().map(FileRef::words);
            let words = std::iter::once(format.names.resolve(&message.text)).chain(files);
            let words = highlighter.snippet(&words.collect::<Vec<_>>().join(" "), COLUMNS).text;
            let (when, name) = (moment(message.ts, format.zone), label(format.names.user(&message.user)));
            format!("#{place} [{when}] {name}: {words}")
        }
        RecalledWords::Line { text, until, memory_type, ended, .. } => {
            let until = until.map(|until| moment(until, format.zone));
            let words = highlighter.snippet(&format.names.show(text), COLUMNS).text;
            let of = source(format.language, &place, *memory_type, until.as_deref());
            let end = ended.map(|day| end_mark(day, format.language)).unwrap_or_default();
            format!("{of}: {words}{end}")
        }
    }
}

/// Says in words in which memory a line stands.
fn source(language: Language, place: &str, memory_type: MemoryType, until: Option<&str>) -> String {
    let is_long_term = memory_type == MemoryType::LongTerm;
    match (language, is_long_term, until) {
        (Language::Ja, true, _) => format!("#{place} の長期記憶"),
        (Language::Ja, false, Some(until)) => format!("#{place} の記憶（{until} まで）"),
        (Language::Ja, false, None) => format!("#{place} の記憶"),
        (Language::En, true, _) => format!("long-term memory of #{place}"),
        (Language::En, false, Some(until)) => format!("memory of #{place}, up to {until}"),
        (Language::En, false, None) => format!("memory of #{place}"),
    }
}
