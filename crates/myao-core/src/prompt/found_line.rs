//! Something that a search found, as a structured line: a message, or a line of a memory as if whoever it names had said it.

use jiff::civil::Date;

use crate::{
    chat::{MessageTs, Speaker},
    memory::{Line, end_mark, lines},
    ports::TalkLine,
    recall::{RecalledItem, RecalledWords},
    text::label,
    wording::{TalkFormat, channel_label, moment},
};

/// The most characters of the name of whoever said what a line of a memory tells.
const LONGEST_NAME: usize = 40;

/// The line, without a mark. `None` for a line of a memory of which nobody knows when it was said.
pub fn found_line(item: &RecalledItem, format: &TalkFormat<'_>) -> Option<TalkLine> {
    let channel = Some(channel_label(format.names.channel(&item.channel)));
    match &item.text {
        RecalledWords::Message(message) => Some(TalkLine { channel, ..format.line(message) }),
        RecalledWords::Line { text, until, ended, .. } => {
            let end = ended.map(|day| end_mark(day, format.language)).unwrap_or_default();
            let text = format!("{}{end}", format.names.show(text));
            let Line { day, words, .. } = lines(&text).into_iter().next()?;
            let until = until.filter(|until| *until > MessageTs::MIN);
            let when = match (day, until) {
                (Some(day), _) => midday(day),
                (None, Some(until)) => moment(until, format.zone),
                (None, None) => return None,
            };
            let is_name = |name: &&str| name.chars().nth(LONGEST_NAME).is_none();
            let said = words.split_once(": ").filter(|(name, _)| is_name(name));
            let (name, text) = said.map_or(("", words.as_str()), |(name, said)| (name, said));
            let name = if name.is_empty() { String::new() } else { label(name) };
            let ts = until.unwrap_or(MessageTs::MIN);
            let text = text.to_owned();
            let speaker = Speaker::Person;
            let thread = None;
            let mark = None;
            let found = None;
            Some(TalkLine { channel, ts, when, thread, name, speaker, text, mark, found })
        }
    }
}

/// The middle of a day, in the prompt's form: of a line of a memory only the day is known.
fn midday(day: Date) -> String {
    format!("{day} 12:00")
}
