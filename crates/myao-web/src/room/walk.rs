//! How far somebody has come with the first steps, read from the rows that their acts have left.

use myao_core::chat::{ChannelId, MessageTs, UserId};
use myao_store::StoreError;

use super::{OfferedQuestion, Room};
use crate::visit::Visit;

/// How far the steps have come.
#[derive(Debug, Default)]
pub(super) struct StepsSoFar {
    /// The offered questions, each with whether it was answered.
    pub(super) questions: Vec<(OfferedQuestion, bool)>,
    pub(super) sentence: Option<&'static str>,
    /// The message that says the sentence, and who said it.
    pub(super) said: Option<(MessageTs, UserId)>,
    /// The channel in which questions and sentence are said.
    pub(super) first: Option<ChannelId>,
    pub(super) has_answer: bool,
    pub(super) has_chapter: bool,
    pub(super) has_removal: bool,
}

impl StepsSoFar {
    pub(super) async fn read(visit: &Visit, room: &Room, channel: &ChannelId) -> Result<Self, StoreError> {
        let store = &visit.site.store;
        let first = room.first.as_ref().unwrap_or(channel);
        let walk = store.local().walk(first, room.steps.beginning).await?;
        let is_answered =
            |question: &OfferedQuestion| walk.answered.iter().any(|text| text.ends_with(question.ask));
        let said = match room.steps.sentence {
            Some(sentence) => store.local().message_saying(first, sentence).await?,
            None => None,
        };
        Ok(Self {
            questions: room.steps.questions.iter().map(|one| (*one, is_answered(one))).collect(),
            sentence: room.steps.sentence,
            said,
            first: Some(first.clone()),
            has_answer: walk.has_answer,
            has_chapter: walk.has_chapter,
            has_removal: walk.has_removal,
        })
    }

    /// Whether everything that is offered was asked, or anything where nothing is.
    pub(super) fn has_asked(&self) -> bool {
        self.has_answer && self.questions.iter().all(|(_, is_answered)| *is_answered)
    }
}
