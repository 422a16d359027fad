//! What a query asks for besides words.

use super::{fold::FoldedText, phrase::comparable_form};
use crate::chat::{ChannelId, Message, MessageTs, UserId};

/// The limits of a search. Empty lists and `None` limit nothing.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct RecallFilter {
    /// Said by one of these.
    pub users: Vec<UserId>,
    /// Said in one of these.
    pub channels: Vec<ChannelId>,
    /// Said at this time or later.
    pub since: Option<MessageTs>,
    /// Said before this time.
    pub before: Option<MessageTs>,
    /// With an address in it.
    pub with_link: bool,
    /// With a file.
    pub with_file: bool,
    /// Holding each of these letter by letter; width, case and kana make no difference, and neither do marks, line breaks
    /// and links inside.
    pub phrases: Vec<String>,
    /// As of this time: nothing that was said later, only memories of chapters that had ended by then, and lines as they
    /// held then. Set by [`RecallFilter::with_as_of`], with `before`.
    pub as_of: Option<MessageTs>,
}

impl RecallFilter {
    /// The same limits as of `instant`, which is included. A bound that lies before it stays.
    #[must_use]
    pub fn with_as_of(self, instant: MessageTs) -> Self {
        let after = MessageTs::from_micros(instant.as_micros().saturating_add(1));
        let before = self.before.map_or(after, |before| before.min(after));
        let as_of = self.as_of.map_or(instant, |as_of| as_of.min(instant));
        Self { before: Some(before), as_of: Some(as_of), ..self }
    }

    /// Whether only a message can meet it, because it asks for an author, a link or a file. A memory is made from what
    /// many people said.
    pub fn wants_messages(&self) -> bool {
        !self.users.is_empty() || self.with_link || self.with_file
    }

    /// The earliest and the latest time that `spans`; `before` itself is given as if it were one of these.
    pub fn span(&self) -> (MessageTs, MessageTs) {
        (self.since.unwrap_or(MessageTs::MIN), self.before.unwrap_or(MessageTs::MAX))
    }

    /// Whether a time lies between `since` and `before`.
    pub fn spans(&self, ts: MessageTs) -> bool {
        self.since.is_none_or(|since| ts >= since) && self.before.is_none_or(|before| ts < before)
    }

    /// Whether a message has the author, the link and the file that it asks for.
    pub fn is_met_by(&self, message: &Message) -> bool {
        let is_said_by = self.users.is_empty() || self.users.contains(&message.user);
        let has_link =
            !self.with_link || ["http://", "https://"].iter().any(|scheme| message.text.contains(scheme));
        is_said_by && has_link && (!self.with_file || message.files.iter().any(|file| file.site.is_none()))
    }

    /// Whether a text holds each phrase.
    pub fn holds_phrases(&self, text: &str) -> bool {
        if self.phrases.is_empty() {
            return true;
        }
        let folded = |text: &str| FoldedText::new(&comparable_form(text)).chars().iter().collect::<String>();
        let whole = folded(text);
        self.phrases.iter().all(|phrase| whole.contains(&folded(phrase)))
    }
}
