//! A platform that takes everything at once.

use std::sync::Arc;

use myao_core::{
    chat::{ChannelId, FileRef, MessageTs, Place},
    ports::{BoxFuture, Chat, Clock, Image, NoImage, Post, PostError, PostMark, Reaction, ReactionOutcome},
};

/// Takes every post at the time of its clock and keeps none.
pub struct InstantChat {
    clock: Arc<dyn Clock>,
    on_post: Box<dyn Fn() + Send + Sync>,
}

impl InstantChat {
    /// A platform with this clock; `on_post` is called for each post.
    pub fn new(clock: Arc<dyn Clock>, on_post: impl Fn() + Send + Sync + 'static) -> Self {
        Self { clock, on_post: Box::new(on_post) }
    }
}

impl Chat for InstantChat {
    fn parts(&self, text: &str) -> Vec<String> {
        vec![text.to_owned()]
    }

    fn post<'a>(&'a self, _: &'a Post) -> BoxFuture<'a, Result<MessageTs, PostError>> {
        Box::pin(async {
            (self.on_post)();
            Ok(MessageTs::from_timestamp(self.clock.now()))
        })
    }

    fn find<'a>(
        &'a self,
        _: &'a Place,
        _: &'a PostMark,
        _: MessageTs,
    ) -> BoxFuture<'a, Result<Option<MessageTs>, PostError>> {
        Box::pin(async { Ok(None) })
    }

    fn take_back<'a>(&'a self, _: &'a ChannelId, _: MessageTs) -> BoxFuture<'a, Result<(), PostError>> {
        Box::pin(async { Ok(()) })
    }

    fn emoji(&self, _: &str) -> Option<String> {
        None
    }

    fn react<'a>(&'a self, _: &'a Reaction) -> BoxFuture<'a, Result<ReactionOutcome, PostError>> {
        Box::pin(async { Ok(ReactionOutcome::There) })
    }

    fn image<'a>(&'a self, _: &'a FileRef) -> BoxFuture<'a, Result<Image, NoImage>> {
        Box::pin(async { Err(NoImage("there are none".to_owned())) })
    }

    fn show_typing<'a>(&'a self, _: &'a Place, _: bool) -> BoxFuture<'a, Result<bool, PostError>> {
        Box::pin(async { Ok(true) })
    }
}
