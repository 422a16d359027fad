//! A message as a source shows it at some moment, with what tells a better reading of it from an edit.

use super::{message::Message, ts::MessageTs};

/// How a source tells of a message: what decides which of two forms is the later one where no edit does (ADR 80).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Telling {
    /// As it was posted, or as it stood at some unknown time.
    Posted,
    /// Without what goes with it: the event of a mention has neither attachments nor files.
    Mentioned,
    /// It was changed at this instant.
    Changed(MessageTs),
    /// It stood like this at this instant, and was perhaps changed before.
    Listed(MessageTs),
}

impl Telling {
    /// The latest moment of which it tells. `None` if that is when the message was posted.
    pub fn at(self) -> Option<MessageTs> {
        match self {
            Self::Posted | Self::Mentioned => None,
            Self::Changed(at) | Self::Listed(at) => Some(at),
        }
    }
}

/// A message as a source shows it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Sighting {
    /// The message.
    pub message: Message,
    /// How it is told.
    pub telling: Telling,
    /// All texts that the source holds of it, if a reader sees only some of them. What another reading of the same source
    /// took for its words stands there: if the archive has that, the message was not edited, but is read better.
    pub unshown: String,
    /// Whether it is still being written, as far as the source says.
    pub progress: WritingProgress,
    /// The platform's ids of files of which only that is known.
    pub stubs: Vec<String>,
}

/// Whether a message is written piece by piece, as programs do.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum WritingProgress {
    /// The source does not say.
    #[default]
    Unknown,
    /// More of it will come.
    Unfinished,
    /// It is whole.
    Finished,
}

impl From<Message> for Sighting {
    fn from(message: Message) -> Self {
        Self {
            message,
            telling: Telling::Posted,
            unshown: String::new(),
            progress: WritingProgress::Unknown,
            stubs: Vec::new(),
        }
    }
}

impl Sighting {
    /// Whether it tells nothing beside the message.
    pub fn is_plain(&self) -> bool {
        self.telling == Telling::Posted
            && self.unshown.is_empty()
            && self.progress == WritingProgress::Unknown
            && self.stubs.is_empty()
    }
}
