//! Something that a search found, as a structured line: a message, or a line of a memory as if whoever it names had said it.

use jiff::civil::Date;

use crate::{
    chat::{MessageTs, Speaker},
    memory::{Line, lines_of_text, mark_of_day},
    ports::TalkLine,
    recall::{RecalledItem, RecalledWords},
    text::name_as_label,
    wording::{TalkFormat, channel_label, moment_in_prompt},
};

/// The most characters of the name of whoever said what a line of a memory tells.
const LONGEST_NAME: usize = 40;

/// The line, without a mark. `None` for a line of a memory of which nobody knows when it was said.
pub fn line_without_mark(item: &RecalledItem, format: &TalkFormat<'_>) -> Option<TalkLine> {
    let channel = Some(channel_label(format.names.channel(&item.channel)));
    match &item.text {
        RecalledWords::Message(message) => Some(TalkLine { channel, ..format.line(message) }),
        RecalledWords::Line { text, until, ended, .. } => {
            let end = ended.map(|day| mark_of_day(day, format.language)).unwrap_or_default();
            let text = format!("{}{end}", format.names.show(text));
            let Line { day, words, .. } = lines_of_text(&text).into_iter().next()?;
            let until = until.filter(|until| *until > MessageTs::MIN);
            let when = match (day, until) {
                (Some(day), _) => middle_of_day(day),
                (None, Some(until)) => moment_in_prompt(until, format.zone),
                (None, None) => return None,
            };
            let is_name = |name: &&str| name.chars().nth(LONGEST_NAME).is_none();
            let said = words.split_once(": ").filter(|(name, _)| is_name(name));
            let (name, text) = said.map_or(("", words.as_str()), |(name, said)| (name, said));
            let name = if name.is_empty() { String::new() } else { name_as_label(name) };
            let ts = until.unwrap_or(MessageTs::MIN);
            let text = text.to_owned();
            let speaker = Speaker::Person;
            let thread = None;
            let mark = None;
            let found = None;
            let explains = Vec::new();
            Some(TalkLine { channel, ts, when, thread, name, speaker, text, mark, found, explains })
        }
    }
}

/// The middle of a day, in the prompt's form: of a line of a memory only the day is known.
fn middle_of_day(day: Date) -> String {
    format!("{day} 12:00")
}
