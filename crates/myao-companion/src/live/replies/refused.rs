//! What is done where the platform refuses a post: it is tried in the way that the refusal asks for, and if it cannot be
//! posted, whoever asked hears of it.

use myao_core::{
    chat::{ChannelId, ChannelKind, MessageTs, Place, Visibility},
    ports::{Post, PostError, PostMark},
    prompt::not_let,
};
use myao_store::StoreError;

use super::{Answering, delivery::Outgoing};

/// The fewest characters of a post that is cut because it is too long: what refuses less has another reason.
const FEWEST_CHARS: usize = 200;
/// The number of the post that tells whoever asked that they are not answered; parts count from 1.
const TOLD: u32 = 0;

impl Answering {
    /// Posts a part in its place or, where the channel takes only replies in threads, or none, where the channel takes it.
    /// Returns where that was.
    pub(super) async fn post_where_it_may_be(
        &self,
        outgoing: &Outgoing<'_, Post>,
    ) -> Result<(MessageTs, Place), PostError> {
        let post = &outgoing.what;
        let error = match self.at_work.away(self.chat.post(post)).await {
            Ok(ts) => return Ok((ts, post.place.clone())),
            Err(error) => error,
        };
        let (thread, since) = match (&error, post.place.thread, outgoing.asked_at) {
            (PostError::ThreadsOnly(_), None, Some(asked_at)) => (Some(asked_at), asked_at),
            (PostError::NoThreads(_), Some(root), asked_at) => (None, asked_at.unwrap_or(root)),
            _ => return Err(error),
        };
        let place = Place { channel: post.place.channel.clone(), thread };
        tracing::info!(%error, reply = %outgoing.reply, "a part of a reply is posted elsewhere in its channel");
        // An earlier attempt may have come through there, though its answer was lost.
        if let Some(ts) = self.chat.find(&place, &post.mark, since).await? {
            return Ok((ts, place));
        }
        let moved = Post { place: place.clone(), ..post.clone() };
        self.at_work.away(self.chat.post(&moved)).await.map(|ts| (ts, place))
    }

    /// Has a part that is too long posted in two.
    pub(super) async fn post_in_two(
        &self,
        outgoing: &Outgoing<'_, Post>,
        error: &PostError,
    ) -> Result<(), StoreError> {
        let text = &outgoing.what.text;
        let half = text.chars().count().div_ceil(2);
        let pieces = self.chat.shorter(text, half);
        if half < FEWEST_CHARS || pieces.len() < 2 {
            return self.give_up(outgoing, error).await;
        }
        self.store.replies().split_part(outgoing.claim, outgoing.reply, outgoing.part, pieces).await
    }

    /// Ends a reply that cannot be posted, and tells whoever asked.
    pub(super) async fn give_up<T>(
        &self,
        outgoing: &Outgoing<'_, T>,
        error: &PostError,
    ) -> Result<(), StoreError> {
        let now = self.clock.now();
        self.store.replies().fail(outgoing.claim, outgoing.reply, &error.to_string(), now).await?;
        // Afterwards, so that it is not told twice: better not at all.
        self.tell_asker(outgoing).await
    }

    /// Tells whoever asked, in a direct message and once, that they have an answer which may not be posted.
    async fn tell_asker<T>(&self, outgoing: &Outgoing<'_, T>) -> Result<(), StoreError> {
        let channel = &outgoing.place.channel;
        let Some(asked_at) = outgoing.asked_at else { return Ok(()) };
        let stored = self.store.archive().channel(channel).await?;
        if stored.is_none_or(|channel| channel.kind == ChannelKind::Dm) {
            return Ok(());
        }
        let question = self.store.archive().message(&Visibility::only(channel), channel, asked_at).await?;
        let Some(asker) = question.filter(|question| !question.deleted).map(|question| question.user) else {
            return Ok(());
        };
        let place = Place { channel: ChannelId::new(asker.as_str()), thread: None };
        let mark = PostMark { reply: outgoing.reply.0, part: TOLD };
        for text in self.chat.parts(not_let(self.templates.language())) {
            let told = Post { place: place.clone(), text, mark: mark.clone(), asks_for_vote: false };
            if let Err(error) = self.chat.post(&told).await {
                tracing::warn!(%error, reply = %outgoing.reply, "whoever asked is not told that there is no answer");
            }
        }
        Ok(())
    }
}
