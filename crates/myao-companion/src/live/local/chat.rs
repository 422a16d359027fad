//! Posts our replies in the workspace: [`Chat`], like Slack's. They are written in Slack's markup, so that an answer
//! becomes the same here as there.

use myao_core::{
    chat::{ChannelId, Event, FileRef, Message, MessageKind, MessageTs, Place, Visibility},
    ports::{
        BoxFuture, Chat, Clock as _, Image, NoImage, Post, PostError, PostMark, Reaction, ReactionOutcome,
    },
};
use myao_slack::{mrkdwn, text::markup_as_notation};
use myao_store::{LocalReaction, StoreError};

use super::{LocalWorkspace, acts::is_emoji};

impl LocalWorkspace {
    async fn post_own(&self, post: &Post) -> Result<MessageTs, PostError> {
        let Post { place, text, mark, .. } = post;
        if let Some(root) = place.thread {
            let stands =
                self.store.archive().message(&Visibility::only(&place.channel), &place.channel, root).await;
            if !stands.map_err(|error| post_error(&error))?.is_some_and(|root| root.is_talk()) {
                return Err(PostError::Refused("its thread is gone".to_owned()));
            }
        }
        let _turn = self.turn.lock().await;
        let message = Message {
            channel: place.channel.clone(),
            ts: self.next_ts(&place.channel).await.map_err(|error| post_error(&error))?,
            thread_ts: place.thread,
            user: self.own().clone(),
            kind: MessageKind::Talk,
            text: markup_as_notation(text),
            files: Vec::new(),
            edited_at: None,
            deleted: false,
        };
        let posted = self.store.local().post_part(mark, message, &self.attention, self.clock.now()).await;
        let (ts, arrived) = posted.map_err(|error| post_error(&error))?;
        self.wake_tasks(&arrived);
        Ok(ts)
    }
}

/// The error for a failure of the database, which is the platform: it has to be asked whether it took the post.
fn post_error(error: &StoreError) -> PostError {
    PostError::Unknown(error.to_string())
}

impl Chat for LocalWorkspace {
    fn parts(&self, text: &str) -> Vec<String> {
        mrkdwn::split_into_posts(&mrkdwn::from_markdown(text))
    }

    fn post<'a>(&'a self, post: &'a Post) -> BoxFuture<'a, Result<MessageTs, PostError>> {
        Box::pin(self.post_own(post))
    }

    fn find<'a>(
        &'a self,
        place: &'a Place,
        mark: &'a PostMark,
        since: MessageTs,
    ) -> BoxFuture<'a, Result<Option<MessageTs>, PostError>> {
        Box::pin(async move {
            self.store.local().find_marked_post(place, mark, since).await.map_err(|error| post_error(&error))
        })
    }

    fn take_back<'a>(
        &'a self,
        channel: &'a ChannelId,
        ts: MessageTs,
    ) -> BoxFuture<'a, Result<(), PostError>> {
        Box::pin(async move {
            // The archive is the platform: what left the archive is not there any more.
            let gone = self.take_in(vec![Event::Deleted { channel: channel.clone(), ts }]).await;
            gone.map(drop).map_err(|error| PostError::Unknown(error.to_string()))
        })
    }

    fn emoji(&self, text: &str) -> Option<String> {
        let text = text.trim();
        is_emoji(text).then(|| text.to_owned())
    }

    fn react<'a>(&'a self, reaction: &'a Reaction) -> BoxFuture<'a, Result<ReactionOutcome, PostError>> {
        Box::pin(async move {
            let Reaction { channel, to, emoji } = reaction;
            let ours = LocalReaction { ts: *to, emoji: emoji.clone(), user: self.own().clone() };
            let stands = self
                .store
                .local()
                .set_reaction(channel, ours, true)
                .await
                .map_err(|error| post_error(&error))?;
            self.note_change();
            Ok(if stands { ReactionOutcome::There } else { ReactionOutcome::NoMessage })
        })
    }

    fn image<'a>(&'a self, _: &'a FileRef) -> BoxFuture<'a, Result<Image, NoImage>> {
        Box::pin(async { Err(NoImage("this workspace keeps no files".to_owned())) })
    }

    fn show_typing<'a>(&'a self, place: &'a Place, shown: bool) -> BoxFuture<'a, Result<bool, PostError>> {
        Box::pin(async move {
            self.set_typing(place, shown);
            Ok(true)
        })
    }
}
