//! Writes down what a search found. This is the one place that knows what its lines look like.
//!
//! ```text
//! [r1] #general [2026-03-02 14:03] Hana: When do we count?
//! * [r2] Noor: On Monday.
//! * [r3] long-term memory of #general: The bats are counted in spring.
//! ```
//! Each line has a mark; `* ` stands in front of what the search found, and what has none stands around it. The first
//! line of an exchange says where and when, the others do so where their day is another.

use jiff::civil::Date;
use serde_json::json;

use super::{found_line::line_without_mark, recalled::ShownRecall};
use crate::{
    chat::{ChannelId, FileRef, Message},
    memory::{MemoryType, mark_of_day},
    ports::{FoundIn, TalkLine},
    recall::{Highlighter, RecalledItem, RecalledWords},
    text::{Language, name_as_label, phrase_with},
    wording::{TalkFormat, channel_label, moment_in_prompt},
};

/// How many columns are shown of a text: of the passage that holds most of what was asked. A full-width letter takes
/// two columns.
const COLUMNS: usize = 320;
/// Tokens of the line break behind each line.
pub(super) const LINE_BREAK: usize = 2;
/// Stands in front of what the search found.
const HIT: &str = "* ";

/// A line of what was found, as a prompt shows it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct RecallLine<'t> {
    /// Its mark, without brackets.
    pub mark: &'t str,
    /// Whether the search found it.
    pub is_hit: bool,
    /// What stands behind the mark.
    pub words: &'t str,
}

impl<'t> RecallLine<'t> {
    /// Reads a line of a prompt; `None` if it is no such line.
    pub fn read(line: &'t str) -> Option<Self> {
        let bare = line.strip_prefix(HIT);
        let (mark, words) = bare.unwrap_or(line).strip_prefix('[')?.split_once("] ")?;
        let digits = mark.strip_prefix('r')?;
        let is_mark = !digits.is_empty() && digits.bytes().all(|byte| byte.is_ascii_digit());
        is_mark.then_some(Self { mark, is_hit: bare.is_some(), words })
    }
}

/// What a line says behind its mark.
pub(super) fn text_behind_mark(mark: &str, is_hit: bool, text: &str) -> String {
    format!("{}[{mark}] {text}", if is_hit { HIT } else { "" })
}

/// What is shown, as structured lines with their marks; `here` is the channel of the conversation.
pub(super) fn lines_with_marks(
    shown: &[ShownRecall],
    here: &ChannelId,
    format: &TalkFormat<'_>,
) -> Vec<TalkLine> {
    let line = |shown: &ShownRecall| {
        let is_memory = shown.item.said_at().is_none();
        let is_here = shown.item.channel == *here;
        let found = FoundIn { exchange: shown.exchange, is_hit: shown.is_hit, is_memory, is_here };
        let line = line_without_mark(&shown.item, format)?;
        Some(TalkLine { mark: Some(shown.mark.clone()), found: Some(found), ..line })
    };
    shown.iter().filter_map(line).collect()
}

/// `* [r1] #general [2026-03-02 14:03] Noor: words`
pub(super) fn write_hit_line(
    mark: &str,
    item: &RecalledItem,
    format: &TalkFormat<'_>,
    highlighter: &Highlighter,
) -> String {
    let text = match &item.text {
        RecalledWords::Message(message) => {
            let words = message_text(message, format, highlighter);
            let end = mark_of_replaced(item, format);
            format!("{}{words}{end}", RecallHead::new(message, format).text())
        }
        RecalledWords::Line { .. } => of_memory(item, format, highlighter),
    };
    text_behind_mark(mark, true, &text)
}

/// Where and when a message was said.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct RecallHead {
    place: String,
    day: Date,
    when: String,
}

impl RecallHead {
    pub(super) fn new(message: &Message, format: &TalkFormat<'_>) -> Self {
        Self {
            place: channel_label(format.names.channel(&message.channel)),
            day: message.ts.to_timestamp().to_zoned(format.zone.clone()).date(),
            when: moment_in_prompt(message.ts, format.zone),
        }
    }

    /// `#general [2026-03-02 14:03] `
    pub(super) fn text(&self) -> String {
        format!("#{} [{}] ", self.place, self.when)
    }

    /// What of it a line says behind one of the same exchange: nothing on the same day.
    pub(super) fn behind(&self, before: Option<&Self>) -> String {
        match before {
            None => self.text(),
            Some(before) if before.day == self.day => String::new(),
            Some(_) => format!("[{}] ", self.when),
        }
    }
}

/// `Noor: words`
pub(super) fn message_text(message: &Message, format: &TalkFormat<'_>, highlighter: &Highlighter) -> String {
    let files = message.files.iter().map(FileRef::words);
    let words = std::iter::once(format.names.resolve(&message.text)).chain(files);
    let words = highlighter.snippet(&words.collect::<Vec<_>>().join(" "), COLUMNS).text;
    format!("{}: {words}", name_as_label(format.names.user(&message.user)))
}

/// ` (until 2026-03-14)` behind a message that a later one replaced; nothing behind others.
pub(super) fn mark_of_replaced(item: &RecalledItem, format: &TalkFormat<'_>) -> String {
    item.replaced_on.map(|day| mark_of_day(day, format.language)).unwrap_or_default()
}

/// `memory of #general, up to 2026-03-02 14:03: words`; of a message, its words alone.
pub(super) fn of_memory(item: &RecalledItem, format: &TalkFormat<'_>, highlighter: &Highlighter) -> String {
    let words = highlighter.snippet(&format.names.show(item.text.words()), COLUMNS).text;
    let RecalledWords::Line { until, memory_type, ended, .. } = &item.text else { return words };
    let place = channel_label(format.names.channel(&item.channel));
    let until = until.map(|until| moment_in_prompt(until, format.zone));
    let of = describe_source(format.language, &place, *memory_type, until.as_deref());
    let end = ended.map(|day| mark_of_day(day, format.language)).unwrap_or_default();
    format!("{of}: {words}{end}")
}

/// Says in words in which memory a line stands.
fn describe_source(language: Language, place: &str, memory_type: MemoryType, until: Option<&str>) -> String {
    let is_long_term = memory_type == MemoryType::LongTerm;
    match until {
        _ if is_long_term => phrase_with(language, "memory-long-term", &json!({ "place": place })),
        Some(until) => phrase_with(language, "memory-up-to", &json!({ "place": place, "until": until })),
        None => phrase_with(language, "memory-of-place", &json!({ "place": place })),
    }
}
