//! What answers that no model makes have in common: a correction that was told, a brief, what is open.

use myao_core::chat::{ChannelId, Message, Visibility};
use myao_store::{ReplyInputs, Sight, StoreError};

use super::{Answering, drafting::Drafted, worded::WordedReply};
use crate::companion::PlaceSnapshot;

impl Drafted {
    /// An answer to one message of those that wait, without a model. The others are answered by a reply of their own.
    pub(super) fn without_model(
        place: &PlaceSnapshot<'_>,
        message: &Message,
        inputs: ReplyInputs,
        text: String,
    ) -> Self {
        Self {
            answers: vec![message.ts],
            revision: place.revision,
            sight: place.sight,
            mixed: false,
            inputs,
            words: WordedReply::Text { text, calls: Vec::new() },
        }
    }
}

impl Answering {
    /// What may be looked up for an answer in a place: no more than the place saw when it was read, by which the reply is
    /// stopped if it closes.
    pub(super) async fn visibility_for_answer(
        &self,
        place: &PlaceSnapshot<'_>,
        channel: &ChannelId,
    ) -> Result<Visibility, StoreError> {
        match place.sight {
            Sight::Open => self.store.hearing().seen_from(channel).await,
            Sight::Own | Sight::Unknown => Ok(Visibility::only(channel)),
        }
    }
}
