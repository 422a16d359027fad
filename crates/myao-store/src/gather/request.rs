//! What to gather for a prompt, and how much of it.

use std::collections::BTreeSet;

use jiff::{Timestamp, civil::Date, tz::TimeZone};
use myao_core::{
    chat::{ChannelId, Message, MessageTs, Place},
    memory::StepId,
};

use crate::{recall::QuestionVector, replies::ReplyRecord};

/// What to gather, and how much of it.
#[derive(Clone, Debug)]
pub struct GatherRequest {
    /// Where a reply would go.
    pub place: Place,
    /// How many versions of each channel are shown.
    pub versions: usize,
    /// The least number of messages of the conversation that are shown.
    pub messages: usize,
    /// The most messages of the channel that are shown beside those that are in no memory yet: the newest ones, of the
    /// place's thread earlier ones too. The thread's root is shown in any case.
    pub most_remembered: usize,
    /// The most messages that are read: what the prompt's budget could never hold need not be read.
    pub most_messages: usize,
    /// The most other channels that are read: more than the prompt's budget could hold.
    pub most_channels: usize,
    /// Tokens of the whole prompt. Once the long-term memories of channels take twice as many, the channels after them
    /// are not read, and only the newest version of each other channel is; so too where `most_channels` of them have a
    /// long-term memory.
    pub most_tokens: usize,
    /// For how many seconds before the newest talk that the place sees another channel must not have been silent.
    pub recent_seconds: i64,
    /// For how many seconds after its last message a thread's memory is shown.
    pub threads_seconds: i64,
    /// The current time. Channels are ranked by their last talk before its day (UTC), so that the choice holds for a
    /// day.
    pub now: Timestamp,
    /// The time zone in which days that people name are understood.
    pub zone: TimeZone,
    /// A text that is shown beside what is gathered: the names that it mentions are read as well.
    pub beside: Option<String>,
    /// The most messages and lines of memories that are looked up because they bear on the conversation.
    pub most_recalled: usize,
    /// The most lines in force of older versions of the own channel's short-term memory; the best ones are chosen.
    pub most_lines: usize,
    /// The most lines about each person who speaks in the conversation; the best ones are chosen.
    pub most_person_lines: usize,
    /// A message that is treated as if it had just been said in the place and waited for an answer.
    pub as_if_said: Option<Message>,
    /// As of this instant of talk, included: nothing is read of what was said or remembered later, and nothing waits for an
    /// answer. [`GatherRequest::now`] is this instant then, or when the reply of [`GatherRequest::record`] was made.
    pub as_of: Option<MessageTs>,
    /// What is recorded of a reply that was given, with its instant in [`GatherRequest::as_of`]: the messages that it answers
    /// wait once more, memories have the texts that it was shown if these still have their words, and nothing is read of
    /// channels of which it was shown nothing.
    pub record: Option<ReplyRecord>,
    /// Messages that are not read, unless they wait for an answer: they keep changing.
    pub left_out: BTreeSet<(ChannelId, MessageTs)>,
    /// Whether nothing is read but what belongs to the place's own channel.
    pub only_own: bool,
    /// Channels that whoever asks looks at: of what is found, what was said there bears more on it.
    pub in_view: BTreeSet<ChannelId>,
    /// The meaning of the words of [`crate::GatherHandle::words_to_recall`], if it is known. It only counts if the
    /// words are still the same.
    pub meaning: Option<QuestionVector>,
}

impl GatherRequest {
    /// Whether anything of a channel may be shown, as far as the record of a reply says.
    pub(super) fn may_show(&self, channel: &ChannelId) -> bool {
        self.record.as_ref().is_none_or(|record| record.saw(channel))
    }

    /// Whether the workspace's memory may be shown, as far as the record of a reply says.
    pub(super) fn may_show_workspace(&self) -> bool {
        self.record.as_ref().is_none_or(ReplyRecord::saw_workspace)
    }
}

/// A version of a channel's short-term memory as read.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct ChapterText {
    /// Its number.
    pub version: u32,
    /// Its text.
    pub content: String,
    /// The first and last message it was made from.
    pub period: Option<(MessageTs, MessageTs)>,
    /// Its lines that a later line has replaced, by line number from 0, and the day of each replacement.
    pub ends: Vec<(usize, Date)>,
    /// The journal entry that holds it.
    pub step: StepId,
}
