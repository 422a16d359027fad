//! Which of the messages that a search found hold no more, since a later one among them says what changed (ADR 143).

use jiff::{civil::Date, tz::TimeZone};

use crate::{
    chat::{Message, MessageTs},
    memory::{AnnouncedChanges, EarlierLine},
};

/// For each of `messages`, the day in `zone` on which a later one of the same channel replaced what it says; `None` where
/// none did. It takes a message that says that something changes, speaks of the same thing and gives another value.
pub fn ends_of_messages(messages: &[&Message], zone: &TimeZone) -> Vec<Option<Date>> {
    let changes: Vec<(&Message, AnnouncedChanges)> = messages
        .iter()
        .map(|message| (*message, AnnouncedChanges::of(&as_line(message))))
        .filter(|(_, changes)| !changes.is_empty())
        .collect();
    let end = |message: &&Message| {
        let later = changes.iter().filter(|(by, _)| by.channel == message.channel && by.ts > message.ts);
        let mut later = later.peekable();
        later.peek()?;
        let said = EarlierLine::of(&as_line(message));
        let replaces = later.filter(|(_, changes)| changes.subjects_if_replacing(&said).is_some());
        replaces.map(|(by, _)| by.ts).min()
    };
    let day = |ts: MessageTs| ts.to_timestamp().to_zoned(zone.clone()).date();
    messages.iter().map(|message| end(message).map(day)).collect()
}

/// A message as lines of memories are written: whoever spoke in front.
fn as_line(message: &Message) -> String {
    format!("{}: {}", message.user, message.text)
}
