//! Reads one message object of Slack's JSON into what the archive takes.
//!
//! The same object comes in exports, in histories and in events; only its channel is not in it. Reading is lenient about
//! details (a strange file or attachment is skipped) and strict about what makes a message: its time stamp, its author,
//! its kind. If one of these is not understood, it is a [`Misread`], and the caller keeps the object in its raw form
//! ([`unread_key`]).

mod attachments;
mod author;
mod blocks;
mod files;
mod once;
mod rich_text;
mod subtype;
mod visible_text;

use myao_core::chat::{
    ChannelId, Event, Message, MessageKind, MessageTs, Sighting, Telling, TsError, WritingProgress,
};
use serde_json::Value;

use self::{author::MessageAuthor, subtype::Subtype, visible_text::ShownMessage};
use crate::json;

pub use author::NameTold;
pub(crate) use author::name_in_profile;
pub(crate) use files::{MOST_IMAGE_BYTES, file_of_object, is_taken_by_models};

/// The most people whose names are taken from the mentions of one message.
const MOST_LABELS: usize = 20;

/// What one message object says.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Reading {
    /// A message as it stands.
    Said(Box<SaidMessage>),
    /// A message was deleted.
    Deleted {
        /// The channel it was said in.
        channel: ChannelId,
        /// Its time stamp.
        ts: MessageTs,
    },
}

/// A message that was said, with what its object tells beside it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SaidMessage {
    /// The message.
    pub message: Message,
    /// What it says of its author and of those it mentions: the author first.
    pub people: Vec<NameTold>,
    /// The app that posted it, if it says so.
    pub app: Option<String>,
    /// How it is told: as it was posted, or as it was changed.
    pub telling: Telling,
    /// All texts of its object, if a reader sees only some of them ([`Sighting::unshown`]).
    pub unshown: String,
    /// Whether it is still being written.
    pub progress: WritingProgress,
    /// The ids of files of which Slack tells only that they are there.
    pub stubs: Vec<String>,
    /// Kinds of blocks that are not known, of which only the texts were read.
    pub unknown_blocks: Vec<String>,
}

impl SaidMessage {
    /// The message, with what else is told of it.
    pub fn into_sighting(self) -> Sighting {
        let Self { message, telling, unshown, progress, stubs, .. } = self;
        Sighting { message, telling, unshown, progress, stubs }
    }
}

/// Why an object could not be read as a message.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Misread {
    /// It is no JSON object.
    #[error("not a message: expected an object, found {0}")]
    NotAnObject(&'static str),
    /// Its `type` says that it is something else.
    #[error("`{0}` is not a type of message")]
    Type(String),
    /// Its subtype is unknown, so that nobody can tell whether it is talk.
    #[error("unknown subtype `{0}`")]
    Subtype(String),
    /// A time stamp is missing.
    #[error("no `{0}`")]
    NoTs(&'static str),
    /// A time stamp is a number or something else: it may have lost digits on its way.
    #[error("`{field}` is {found} instead of a text")]
    TsNotText {
        /// The field.
        field: &'static str,
        /// The type of its value.
        found: &'static str,
    },
    /// A time stamp has the wrong shape.
    #[error("`{field}`: {source}")]
    Ts {
        /// The field.
        field: &'static str,
        /// What is wrong with it.
        source: TsError,
    },
    /// Neither user nor bot nor name is given.
    #[error("nobody is named as its author")]
    NoAuthor,
}

impl Reading {
    /// The time stamp of the message it is about.
    pub fn ts(&self) -> MessageTs {
        match self {
            Self::Said(said) => said.message.ts,
            Self::Deleted { ts, .. } => *ts,
        }
    }

    /// As events: first what the message says of people.
    pub fn into_events(self) -> Vec<Event> {
        match self {
            Self::Said(said) => {
                let mut said = *said;
                let said_at = said.message.ts;
                let people = std::mem::take(&mut said.people).into_iter();
                let people = people.map(|told| told.into_event(said_at));
                people.chain([Event::of_sighting(said.into_sighting())]).collect()
            }
            Self::Deleted { channel, ts } => vec![Event::Deleted { channel, ts }],
        }
    }
}

/// Reads one message object that belongs to `channel`.
///
/// Talk and notices are told apart by the subtype (specification §1); a message with neither words nor files is no
/// talk either. A `tombstone` and a `message_deleted` are deletions; `message_changed` and
/// `message_replied` are read as the message they carry, as it now stands.
///
/// # Errors
/// When it is no message, its subtype is unknown, its time stamp or that of its thread is missing or has
/// the wrong shape, or nobody is named as its author. A wrong `edited.ts` is no error: the message is read
/// as one that was never edited, so that any edit that does tell its time wins over it.
pub fn read_message_object(channel: &ChannelId, raw: &Value) -> Result<Reading, Misread> {
    if !raw.is_object() {
        return Err(Misread::NotAnObject(json::kind_of_value(raw)));
    }
    match json::text_of_field(raw, "type") {
        None | Some("message") => {}
        Some(other) => return Err(Misread::Type(excerpt_of_name(other))),
    }
    let name = json::text_of_field(raw, "subtype");
    match Subtype::of(name).ok_or_else(|| Misread::Subtype(excerpt_of_name(name.unwrap_or_default())))? {
        Subtype::Talk => read_said_message(channel, raw, MessageKind::Talk),
        Subtype::Notice => read_said_message(channel, raw, MessageKind::Notice),
        Subtype::Tombstone => read_deletion(channel, raw, "ts"),
        Subtype::Changed => match raw.get("message").filter(|inner| inner.is_object()) {
            Some(inner) => Ok(mark_if_changed(read_message_object(channel, inner)?, raw)),
            // Exports with edit logs write the new state into the object itself.
            None => read_said_message(channel, raw, MessageKind::Talk),
        },
        Subtype::Deleted => {
            let before = ["previous_message", "original"].iter().find_map(|key| raw.get(key));
            match (raw.get("deleted_ts"), before) {
                (None, Some(before)) => read_deletion(channel, before, "ts"),
                _ => read_deletion(channel, raw, "deleted_ts"),
            }
        }
    }
}

/// The key of an [`Event::Unread`] for an object that could not be read: `channel/ts`. `None` when it has no usable time
/// stamp; then the caller names the place where it was found.
pub fn unread_key(channel: &ChannelId, raw: &Value) -> Option<String> {
    let ts = optional_time_stamp(raw, "ts").ok().flatten()?;
    Some(format!("{channel}/{ts}"))
}

fn read_said_message(channel: &ChannelId, raw: &Value, kind: MessageKind) -> Result<Reading, Misread> {
    let ts = required_time_stamp(raw, "ts")?;
    let thread_ts = optional_time_stamp(raw, "thread_ts")?.filter(|thread| *thread != ts);
    let MessageAuthor { id: user, name, app } = author::author_of_message(raw).ok_or(Misread::NoAuthor)?;
    let ShownMessage { text, files, stubs, labels, unshown, unknown } = visible_text::read_what_is_seen(raw);
    let labelled = labels.iter().filter_map(|(id, label)| author::name_in_label(id, label));
    let people = name.into_iter().chain(labelled.take(MOST_LABELS)).collect();
    let silent = text.trim().is_empty() && files.is_empty();
    let message = Message {
        channel: channel.clone(),
        ts,
        thread_ts,
        user,
        kind: if silent { MessageKind::Notice } else { kind },
        text,
        files,
        edited_at: raw.get("edited").and_then(|edited| optional_time_stamp(edited, "ts").ok().flatten()),
        deleted: false,
    };
    let unknown_blocks: Vec<String> = unknown.into_iter().collect();
    if !unknown_blocks.is_empty() {
        tracing::debug!(kinds = ?unknown_blocks, %ts, "of blocks of an unknown kind only the texts are read");
    }
    let progress = match json::text_of_field(raw, "streaming_state") {
        Some("in_progress") => WritingProgress::Unfinished,
        Some(_) => WritingProgress::Finished,
        None => WritingProgress::Unknown,
    };
    let telling = Telling::Posted;
    let said = SaidMessage { message, people, app, telling, unshown, progress, stubs, unknown_blocks };
    Ok(Reading::Said(Box::new(said)))
}

/// A message that was changed when the object around it says so. Not every change is an edit: programs change their
/// messages without a trace in the message itself.
fn mark_if_changed(reading: Reading, event: &Value) -> Reading {
    let at = ["event_ts", "ts"].iter().find_map(|field| optional_time_stamp(event, field).ok().flatten());
    match (reading, at) {
        (Reading::Said(mut said), Some(at)) => {
            said.telling = Telling::Changed(at);
            Reading::Said(said)
        }
        (reading, _) => reading,
    }
}

fn read_deletion(channel: &ChannelId, raw: &Value, field: &'static str) -> Result<Reading, Misread> {
    Ok(Reading::Deleted { channel: channel.clone(), ts: required_time_stamp(raw, field)? })
}

fn required_time_stamp(raw: &Value, field: &'static str) -> Result<MessageTs, Misread> {
    optional_time_stamp(raw, field)?.ok_or(Misread::NoTs(field))
}

/// A time stamp; `None` when it is absent, null or empty.
fn optional_time_stamp(raw: &Value, field: &'static str) -> Result<Option<MessageTs>, Misread> {
    match raw.get(field) {
        None | Some(Value::Null) => Ok(None),
        Some(Value::String(text)) if text.is_empty() => Ok(None),
        Some(Value::String(text)) => text.parse().map(Some).map_err(|source| Misread::Ts { field, source }),
        Some(other) => Err(Misread::TsNotText { field, found: json::kind_of_value(other) }),
    }
}

/// A foreign name short enough for an error message.
pub(crate) fn excerpt_of_name(name: &str) -> String {
    const MOST_CHARS: usize = 40;
    name.chars().filter(|c| !c.is_control()).take(MOST_CHARS).collect()
}
