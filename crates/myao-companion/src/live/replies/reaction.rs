//! Splits an answer into parts. One that is a single emoji becomes a reaction to the message it answers, where
//! `response.reactions` allows that.

use myao_core::{
    chat::{MessageTs, later},
    ports::{PostError, Reaction, ReactionOutcome},
};
use myao_store::{PartBody, StoreError};

use super::{
    Answering,
    delivery::{Outgoing, PartOutcome, asked_for, backoff},
};

/// The most posts of one answer: nobody reads more in a chat, and each is a call that others wait behind.
const MOST_POSTS: usize = 6;

const NO_MESSAGE: &str = "the message it would have been a reaction to is gone";

impl Answering {
    /// The parts of an answer: a reaction to `to` if it is one emoji, otherwise posts.
    pub(super) fn parts(&self, text: &str, to: Option<MessageTs>) -> Vec<PartBody> {
        if text.is_empty() {
            return Vec::new();
        }
        let to = to.filter(|_| self.config.response.reactions);
        match to.and_then(|to| Some((to, self.chat.emoji(text)?))) {
            Some((to, emoji)) => vec![PartBody::Reaction { emoji, to }],
            None => self.posts(text),
        }
    }

    /// A text as at most [`MOST_POSTS`] posts; "…" at the end of the last one marks that the rest is left out.
    pub(super) fn posts(&self, text: &str) -> Vec<PartBody> {
        let mut posts = self.chat.parts(text);
        if posts.len() > MOST_POSTS {
            posts.truncate(MOST_POSTS);
            if let Some(last) = posts.last_mut() {
                last.push_str("\n…");
            }
        }
        posts.into_iter().map(PartBody::Post).collect()
    }

    /// Adds a reaction. It may have been added before; that changes nothing. If the platform refuses it, its emoji is
    /// posted instead.
    pub(super) async fn react(&self, outgoing: Outgoing<'_, Reaction>) -> Result<PartOutcome, StoreError> {
        let Outgoing { claim, reply, part, .. } = outgoing;
        if !self.begin(&outgoing, self.clock.now()).await? {
            return Ok(PartOutcome::Not);
        }
        let error = match self.chat.react(&outgoing.what).await {
            Ok(ReactionOutcome::There) => {
                self.store.reacted(claim, reply, part, self.clock.now()).await?;
                return Ok(PartOutcome::Posted);
            }
            Ok(ReactionOutcome::NoMessage) => {
                tracing::info!(%reply, reason = NO_MESSAGE, "not answered");
                self.store.skip_reply(claim, reply, NO_MESSAGE, self.clock.now()).await?;
                return Ok(PartOutcome::Not);
            }
            Err(error) => error,
        };
        tracing::warn!(%error, %reply, part, "a reaction could not be added");
        match &error {
            PostError::Limited(seconds) => self.send_later(&outgoing, asked_for(*seconds), &error).await?,
            PostError::Unreachable(_) => {
                self.send_later(&outgoing, backoff(outgoing.attempts), &error).await?;
            }
            PostError::Unknown(_) => {
                let until = later(self.clock.now(), backoff(outgoing.attempts));
                self.put_off(&outgoing, until, &error).await?;
            }
            PostError::Barred(_) => self.wait_to_speak(&outgoing, &error).await?,
            PostError::Refused(_) => {
                self.store.post_instead(claim, reply, part).await?;
                return self.send(&outgoing.as_post()).await;
            }
        }
        Ok(PartOutcome::Not)
    }
}
