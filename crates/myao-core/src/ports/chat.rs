//! The port to a chat platform: what is posted there, and what comes of it.

use super::{clock::BoxFuture, image::Image};
use crate::chat::{ChannelId, FileRef, MessageTs, Place};

/// A chat platform, as far as replies go: where they are posted and found again (design §5).
pub trait Chat: Send + Sync {
    /// Turns a reply in Markdown into the platform's own text, cut at paragraphs into posts of a length it takes.
    /// Whatever the text holds, nobody is notified by it, and nothing becomes markup that was not meant as such.
    fn parts(&self, text: &str) -> Vec<String>;
    /// Posts one part, and returns the time stamp it got.
    fn post<'a>(&'a self, post: &'a Post) -> BoxFuture<'a, Result<MessageTs, PostError>>;
    /// The post of ours in `place` that carries this mark and is no older than `since`; `None` if the place was read to
    /// its end and the post is not there.
    fn find<'a>(
        &'a self,
        place: &'a Place,
        mark: &'a PostMark,
        since: MessageTs,
    ) -> BoxFuture<'a, Result<Option<MessageTs>, PostError>>;
    /// Deletes a post of ours. It may be gone already; that is no error.
    fn take_back<'a>(&'a self, channel: &'a ChannelId, ts: MessageTs)
    -> BoxFuture<'a, Result<(), PostError>>;
    /// The emoji of a reply that consists of one emoji, as the platform writes it in a post; `None` for any other
    /// reply.
    fn emoji(&self, text: &str) -> Option<String>;
    /// Adds a reaction to a message. Adding it again changes nothing, so that after a crash it is simply repeated.
    fn react<'a>(&'a self, reaction: &'a Reaction) -> BoxFuture<'a, Result<ReactionOutcome, PostError>>;
    /// A post that turned out to be too long, as shorter ones of at most so many characters each. A platform that takes
    /// what [`Chat::parts`] gives never asks for it.
    fn shorter(&self, post: &str, _most_chars: usize) -> Vec<String> {
        vec![post.to_owned()]
    }
    /// Fetches the whole of a shared image ([`FileRef::image_url`]).
    fn image<'a>(&'a self, file: &'a FileRef) -> BoxFuture<'a, Result<Image, NoImage>>;
    /// Shows or stops showing that a reply is being written, where the platform can; where it cannot, this is no error.
    /// `false` if nothing was asked for, so that nothing has to be taken away: showing it is given up where taking it
    /// away again might have to wait, since an answer would wait for that. After an error it is not known what is shown,
    /// and trying again may help.
    fn show_typing<'a>(&'a self, place: &'a Place, shown: bool) -> BoxFuture<'a, Result<bool, PostError>>;
    /// Whether what is shown in a place stays until it is taken away, even if this program is gone.
    fn keeps_typing(&self, _place: &Place) -> bool {
        false
    }
    /// Whether a reply in a place may be shown while it is written, as a message that grows (ADR 125).
    fn shows_beginnings(&self, _place: &Place) -> bool {
        false
    }
    /// The beginning of a text in Markdown that the platform would show in such a message as it is.
    fn plain_beginning<'t>(&self, _text: &'t str) -> &'t str {
        ""
    }
    /// Begins such a message, and returns the time stamp it got.
    fn begin_stream<'a>(
        &'a self,
        _place: &'a Place,
        _words: &'a str,
    ) -> BoxFuture<'a, Result<MessageTs, PostError>> {
        Box::pin(async { Err(no_streams()) })
    }
    /// Adds words to such a message. If it is not known whether that was done, it must not be done again.
    fn append_to_stream<'a>(
        &'a self,
        _channel: &'a ChannelId,
        _ts: MessageTs,
        _words: &'a str,
    ) -> BoxFuture<'a, Result<(), PostError>> {
        Box::pin(async { Err(no_streams()) })
    }
    /// Has such a message say what a post says instead, and carry its mark. May be done again.
    fn finish_stream<'a>(&'a self, _post: &'a Post, _ts: MessageTs) -> BoxFuture<'a, Result<(), PostError>> {
        Box::pin(async { Err(no_streams()) })
    }
    /// Deletes such a message. It may be gone already; that is no error.
    fn take_stream_away<'a>(
        &'a self,
        _channel: &'a ChannelId,
        _ts: MessageTs,
    ) -> BoxFuture<'a, Result<(), PostError>> {
        Box::pin(async { Err(no_streams()) })
    }
    /// A message of ours in `place` that carries no mark and is no older than `since`: one that was begun and of which
    /// nobody knows.
    fn find_stream<'a>(
        &'a self,
        _place: &'a Place,
        _since: MessageTs,
    ) -> BoxFuture<'a, Result<Option<MessageTs>, PostError>> {
        Box::pin(async { Ok(None) })
    }
}

fn no_streams() -> PostError {
    PostError::Refused("nothing is shown there while it is written".to_owned())
}

/// One part of a reply, ready to go out.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Post {
    /// Where it goes.
    pub place: Place,
    /// The platform's text ([`Chat::parts`]).
    pub text: String,
    /// The mark by which the post is found again.
    pub mark: PostMark,
    /// Whether people may be asked below it what they think of it.
    pub asks_for_vote: bool,
}

/// An emoji to add to a message, instead of a reply.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Reaction {
    /// Where the message is.
    pub channel: ChannelId,
    /// The message.
    pub to: MessageTs,
    /// The emoji, as [`Chat::emoji`] gives it: posted as a text it shows the same emoji.
    pub emoji: String,
}

/// The outcome of a reaction that was not refused.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ReactionOutcome {
    /// The message has the reaction, from now or from before.
    There,
    /// The message is gone.
    NoMessage,
}

/// What a post of ours carries besides its text, so that it can be found after a crash.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PostMark {
    /// The id of the reply's record.
    pub reply: i64,
    /// The number of the part, from 1.
    pub part: u32,
}

/// Why a post was not made, or may not have been.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum PostError {
    /// Not posted: there were too many calls. It is to be tried again after this many seconds.
    #[error("the platform asks to wait {0} s")]
    Limited(u64),
    /// Not posted: the platform was not reached.
    #[error("the platform could not be reached: {0}")]
    Unreachable(String),
    /// Perhaps posted: the answer got lost, or was an error of the platform itself.
    #[error("nobody knows whether the platform took it: {0}")]
    Unknown(String),
    /// Not posted, since we may not post there for now: the channel is archived, we were removed from it, … This may
    /// change.
    #[error("the platform does not let us speak there: {0}")]
    Barred(String),
    /// Not posted: only replies in threads are let through there.
    #[error("the platform lets us speak only in threads there: {0}")]
    ThreadsOnly(String),
    /// Not posted: there are no threads there.
    #[error("the platform has no threads there: {0}")]
    NoThreads(String),
    /// Not posted, as it is too long; in pieces it may be.
    #[error("the platform finds it too long: {0}")]
    TooLong(String),
    /// Not posted, since somebody decided that we may not post there; waiting does not change that.
    #[error("somebody decided that we may not speak there: {0}")]
    Forbidden(String),
    /// Not posted, and trying again will not help: its thread is gone, the app lacks a scope, …
    #[error("the platform refused it: {0}")]
    Refused(String),
}

/// Why there is no image, in words that name neither its address nor the token.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{0}")]
pub struct NoImage(pub String);
