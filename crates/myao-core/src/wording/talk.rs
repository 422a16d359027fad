//! Writes talk down as a model reads it: `[YYYY-MM-DD HH:MM] name: text` (specification §2.4, §12.3).
//!
//! What people write and call themselves is data, and only we may begin a line. So each further line of a message
//! begins with two spaces, and a name can neither break a line nor look like a time stamp.

use std::borrow::Borrow;

use jiff::tz::TimeZone;
use serde_json::{Value, json};

use crate::{
    chat::{FileRef, Message, MessageTs, Names},
    ports::TalkLine,
    text::{
        Language, breaks_line, in_line, missing_mark, name_as_label, phrase_with, text_behind_mark,
        without_hidden_letters,
    },
};

/// How many characters of one message are shown; the rest is cut off with a visible mark. A page of text is enough to
/// know what a message is about, and a pasted log of 40,000 characters must not leave others without room.
pub const MESSAGE_LIMIT: usize = 2000;
/// How many characters are shown of the description of an image: a sentence or two.
const ALT_LIMIT: usize = 200;
/// How many characters are shown of what a file says: the beginning of an e-mail.
const EXCERPT_LIMIT: usize = 1_000;
/// How many files of one message are named; the others are counted.
const FILE_LIMIT: usize = 10;

/// How talk is written down.
#[derive(Clone, Copy, Debug)]
pub struct TalkFormat<'a> {
    /// What people and channels are called.
    pub names: &'a Names,
    /// The zone of the times (`locale.timezone`).
    pub zone: &'a TimeZone,
    /// The language of our own marks.
    pub language: Language,
    /// How many characters of one message are shown: [`MESSAGE_LIMIT`] or fewer.
    pub limit: usize,
}

/// Messages as lines of talk, in the order given; notices and deleted messages are left out.
pub fn messages_as_lines(
    messages: impl IntoIterator<Item = impl Borrow<Message>>,
    format: &TalkFormat<'_>,
) -> Vec<TalkLine> {
    messages.into_iter().filter(|m| m.borrow().is_talk()).map(|m| format.line(m.borrow())).collect()
}

/// Talk as text, one message after the other.
pub fn lines_as_text(lines: &[TalkLine]) -> String {
    lines.iter().map(line_text).collect::<Vec<_>>().join("\n")
}

/// One message as text. Blank lines inside it are dropped, continuation lines indented.
pub fn line_text(line: &TalkLine) -> String {
    let text = text_behind_mark(&line.text);
    format!("[{}] {}: {text}", line.when, line.name).trim_end().to_owned()
}

/// An instant in the prompt's form.
pub fn moment_in_prompt(ts: MessageTs, zone: &TimeZone) -> String {
    ts.to_timestamp().to_zoned(zone.clone()).strftime("%Y-%m-%d %H:%M").to_string()
}

impl TalkFormat<'_> {
    pub(crate) fn line(&self, message: &Message) -> TalkLine {
        // Invisible characters are dropped before the text is cut, so that they do not use up the limit.
        let mut text =
            self.cut(without_hidden_letters(&self.names.resolve(message.text.trim())).into_owned());
        for mark in self.file_lines(&message.files) {
            if !text.is_empty() {
                text.push(' ');
            }
            text.push_str(&mark);
        }
        for excerpt in message.files.iter().take(FILE_LIMIT).filter_map(|file| file.excerpt.as_deref()) {
            let shown: String = without_hidden_letters(excerpt).chars().take(EXCERPT_LIMIT).collect();
            text.push_str("\n> ");
            text.push_str(&shown.trim().split(breaks_line).collect::<Vec<_>>().join("\n> "));
        }
        TalkLine {
            channel: None,
            ts: message.ts,
            when: moment_in_prompt(message.ts, self.zone),
            thread: message.thread_ts,
            name: name_as_label(self.names.user(&message.user)),
            speaker: self.names.speaker(&message.user),
            text,
            mark: None,
            found: None,
            explains: Vec::new(),
        }
    }

    /// The text up to the limit, with a mark that says how much is missing.
    fn cut(&self, text: String) -> String {
        let Some((end, _)) = text.char_indices().nth(self.limit) else { return text };
        let (shown, rest) = text.split_at(end);
        let shown = shown.trim_end();
        format!("{shown}{}", missing_mark(self.language, rest.chars().count()))
    }

    fn file_lines(&self, files: &[FileRef]) -> Vec<String> {
        let fill = |key, values: &Value| phrase_with(self.language, key, values);
        let named = files.iter().take(FILE_LIMIT).map(|file| {
            let name = name_as_label(&file.name);
            if let Some(site) = &file.site {
                return fill("talk-linked-page", &json!({ "name": name, "site": name_as_label(site) }));
            }
            let alt = in_line(file.alt.as_deref().unwrap_or_default(), ALT_LIMIT);
            if alt.is_empty() {
                fill("talk-file", &json!({ "name": name }))
            } else {
                fill("talk-file-described", &json!({ "name": name, "alt": alt }))
            }
        });
        let others = files.len().saturating_sub(FILE_LIMIT);
        let counted = (others > 0).then(|| fill("talk-more-files", &json!({ "others": others })));
        named.chain(counted).collect()
    }
}

/// A channel's name as it stands behind our `#`.
pub(crate) fn channel_label(name: &str) -> String {
    name_as_label(name.trim_start_matches('#'))
}
