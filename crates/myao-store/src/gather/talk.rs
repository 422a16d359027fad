//! Adds to the conversation what waits for an answer, however long ago it was said, and leaves out what is not shown.

use myao_core::chat::{ChannelId, MessageTs};

use super::{conversation::ConversationRows, left_out::LeftOutMessages, passing, request::GatherRequest};
use crate::{StoreError, db::Tx, recall::RecalledText, replies};

/// The talk that a prompt shows.
pub(super) struct TalkToAnswer {
    /// The conversation, and the messages that wait for an answer; oldest first.
    pub(super) conversation: ConversationRows,
    /// The messages that wait for an answer, oldest first.
    pub(super) unanswered: Vec<MessageTs>,
    /// Whether one of these is by a person who opted out.
    pub(super) is_passing: bool,
}

impl TalkToAnswer {
    /// The conversation together with the messages that wait for an answer.
    pub(super) async fn with_waiting(
        tx: &mut Tx,
        request: &GatherRequest,
        conversation: ConversationRows,
    ) -> Result<Self, StoreError> {
        let mut waiting = match (&request.record, request.as_of) {
            (Some(record), _) => replies::answered_messages(tx, record.id).await?,
            (None, None) => replies::unanswered_triggers(tx, &request.place).await?,
            (None, Some(_)) => Vec::new(),
        };
        waiting.extend(request.as_if_said.clone());
        let unanswered = waiting.iter().map(|message| message.ts).collect();
        let conversation = conversation.with_waiting(waiting, &request.place);
        Ok(Self { conversation, unanswered, is_passing: false })
    }

    /// Whether something that was found waits for an answer in the place's `channel`.
    pub(super) fn is_waiting(&self, channel: &ChannelId, found: &RecalledText) -> bool {
        found
            .as_message()
            .is_some_and(|message| message.channel == *channel && self.unanswered.contains(&message.ts))
    }

    /// Takes out the messages that are left out, unless they wait for an answer.
    pub(super) fn leave_out(&mut self, request: &GatherRequest, left_out: &LeftOutMessages) {
        left_out.remove_from_talk(request, &mut self.conversation.messages, &self.unanswered);
    }

    /// Adds the messages of people who opted out that wait for an answer.
    pub(super) async fn add_passing(
        &mut self,
        tx: &mut Tx,
        request: &GatherRequest,
    ) -> Result<(), StoreError> {
        let Self { conversation, unanswered, is_passing } = self;
        *is_passing = passing::add_waiting_messages(tx, request, conversation, unanswered).await?;
        Ok(())
    }
}
