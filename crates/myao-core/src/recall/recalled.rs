//! Something that a search found: a message, or a line of a memory.

use jiff::civil::Date;

use super::exchange::{ExchangeMessage, is_of_one_exchange};
use crate::{
    chat::{ChannelId, Message, MessageTs},
    memory::MemoryType,
};

/// The most messages below the floor that are shown around one above it.
const MOST_BESIDE: usize = 2;

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
    /// Of a message, the day on which a later one that was found replaced what it says.
    pub replaced_on: Option<Date>,
    /// Of a message, what stands around it: what it answers, and what answered it, in the order in which it was said.
    pub around: Vec<ExchangeMessage>,
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

impl RecalledItem {
    /// A message that stands around a hit.
    pub fn beside(message: &Message) -> Self {
        Self {
            channel: message.channel.clone(),
            text: RecalledWords::Message(Box::new(message.clone())),
            terms: Vec::new(),
            score: 0.0,
            replaced_on: None,
            around: Vec::new(),
        }
    }

    /// The same, with the nearest of the messages that were found below the floor and belong to its exchange around it:
    /// "he has unplugged it" says little without what was said of him. Lines of memories stand alone.
    #[must_use]
    pub fn with_exchange_below_floor(mut self, below_floor: &[Self]) -> Self {
        let RecalledWords::Message(hit) = &self.text else { return self };
        let is_known = |message: &Message| self.around.iter().any(|near| near.message.ts == message.ts);
        let messages = below_floor.iter().filter_map(|item| item.text.as_message());
        let mut near: Vec<&Message> =
            messages.filter(|message| is_of_one_exchange(hit, message) && !is_known(message)).collect();
        near.sort_by_key(|message| message.ts.micros_since(hit.ts).unsigned_abs());
        let beside = |message: &Message| ExchangeMessage { message: message.clone(), is_needed: false };
        let near: Vec<ExchangeMessage> = near.into_iter().take(MOST_BESIDE).map(beside).collect();
        self.around.extend(near);
        self.around.sort_by_key(|near| near.message.ts);
        self
    }

    /// When it was said, if it is a message.
    pub fn said_at(&self) -> Option<MessageTs> {
        self.text.as_message().map(|message| message.ts)
    }

    /// Whether it is the same message, or the same line of a memory.
    pub fn is_same(&self, other: &Self) -> bool {
        let is_same_text = match (self.said_at(), other.said_at()) {
            (None, None) => self.text == other.text,
            (said, of_other) => said == of_other,
        };
        self.channel == other.channel && is_same_text
    }
}

impl RecalledWords {
    /// The message, if it is one.
    pub fn as_message(&self) -> Option<&Message> {
        match self {
            Self::Message(message) => Some(message),
            Self::Line { .. } => None,
        }
    }

    /// The words themselves.
    pub fn words(&self) -> &str {
        match self {
            Self::Message(message) => &message.text,
            Self::Line { text, .. } => text,
        }
    }
}
