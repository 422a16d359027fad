//! Adds a reaction: an answer that is a single emoji becomes one, where `response.reactions` allows that.

use myao_core::{
    chat::instant_after,
    ports::{PostError, Reaction, ReactionOutcome},
};
use myao_store::StoreError;

use super::{
    Answering,
    delivery::{Outgoing, PartOutcome, asked_for, backoff_after_failures},
};

const NO_MESSAGE: &str = "the message it would have been a reaction to is gone";

impl Answering {
    /// Adds a reaction. It may have been added before; that changes nothing. If the platform refuses it, its emoji is
    /// posted instead.
    pub(super) async fn react_to_message(
        &self,
        outgoing: Outgoing<'_, Reaction>,
    ) -> Result<PartOutcome, StoreError> {
        let Outgoing { claim, reply, part, .. } = outgoing;
        if !self.mark_as_sending(&outgoing, self.clock.now()).await? {
            return Ok(PartOutcome::Not);
        }
        let error = match self.at_work.away(self.chat.react(&outgoing.what)).await {
            Ok(ReactionOutcome::There) => {
                self.store.replies().note_part_reacted(claim, reply, part, self.clock.now()).await?;
                return Ok(PartOutcome::Posted);
            }
            Ok(ReactionOutcome::NoMessage) => {
                tracing::info!(%reply, reason = NO_MESSAGE, "not answered");
                self.store.replies().skip(claim, reply, NO_MESSAGE, self.clock.now()).await?;
                return Ok(PartOutcome::Not);
            }
            Err(error) => error,
        };
        tracing::warn!(%error, %reply, part, "a reaction could not be added");
        match &error {
            PostError::Limited(seconds) => self.send_later(&outgoing, asked_for(*seconds), &error).await?,
            PostError::Unreachable(_) => {
                self.send_later(&outgoing, backoff_after_failures(outgoing.attempts), &error).await?;
            }
            PostError::Unknown(_) => {
                let until = instant_after(self.clock.now(), backoff_after_failures(outgoing.attempts));
                self.put_off(&outgoing, until, &error).await?;
            }
            PostError::Barred(_) => self.wait_to_speak(&outgoing, &error).await?,
            PostError::ThreadsOnly(_)
            | PostError::NoThreads(_)
            | PostError::TooLong(_)
            | PostError::Forbidden(_)
            | PostError::Refused(_) => {
                self.store.replies().post_instead(claim, reply, part).await?;
                return self.send_part(&outgoing.as_post()).await;
            }
        }
        Ok(PartOutcome::Not)
    }
}
