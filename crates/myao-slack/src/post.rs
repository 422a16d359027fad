//! Posts replies and finds them again: [`Chat`] for Slack (design §5).

use futures::TryStreamExt;
use myao_core::{
    chat::{ChannelId, FileRef, MessageTs, Place, UserId},
    ports::{BoxFuture, Chat, Image, NoImage, Post, PostError, PostMark, Reaction, ReactionOutcome},
    text::Language,
};
use serde_json::{Value, json};

use crate::{
    api::{Client, ListPage, Method},
    directory::BotIdentity,
    feedback::FeedbackButtons,
    files, history, json, mrkdwn,
    reaction::{self, of_call},
    status::ThreadStatus,
    stream::{self, Streams, WholeAnswer},
};

/// The `event_type` of our posts' metadata.
const MARK: &str = "myao_reply";
/// The error by which Slack says that a post is not there any more.
const GONE: &str = "message_not_found";

/// Slack, for posting replies.
#[derive(Debug)]
pub struct SlackChat {
    client: Client,
    own: BotIdentity,
    status: ThreadStatus,
    streams: Streams,
    buttons: FeedbackButtons,
}

impl SlackChat {
    /// Posts as `own`; shows in `language` that a reply is being written.
    pub fn new(client: Client, own: BotIdentity, language: Language) -> Self {
        Self {
            client,
            own,
            status: ThreadStatus::new(language),
            streams: Streams::new(),
            buttons: FeedbackButtons::new(language),
        }
    }

    /// Posts a part of a reply with its mark in the metadata, by which [`Self::find_one`] finds it again.
    async fn post_one_part(&self, post: &Post) -> Result<MessageTs, PostError> {
        let mut params = vec![
            ("channel", post.place.channel.to_string()),
            ("text", post.text.clone()),
            ("metadata", metadata_of_mark(&post.mark)),
            ("mrkdwn", "true".to_owned()),
            ("parse", "none".to_owned()),
            ("link_names", "false".to_owned()),
            ("unfurl_links", "false".to_owned()),
            ("unfurl_media", "false".to_owned()),
        ];
        params.extend(post.place.thread.map(|root| ("thread_ts", root.to_string())));
        let blocks = self.buttons.blocks_for(&self.client, post);
        let has_buttons = blocks.is_some();
        params.extend(blocks.map(|blocks| ("blocks", blocks)));
        let answer = match self.client.call(Method::ChatPostMessage, &params).await {
            Err(error) if has_buttons && self.buttons.are_refused(&error) => {
                params.pop();
                self.client.call(Method::ChatPostMessage, &params).await
            }
            answer => answer,
        };
        let answer = answer.map_err(of_call)?;
        let ts = json::text_of_field(&answer, "ts").and_then(|ts| ts.parse().ok());
        ts.ok_or_else(|| PostError::Unknown("Slack does not say under which time stamp".to_owned()))
    }

    /// Has a message that grew say what a post says, with its buttons where the workspace shows them.
    async fn finish_one_stream(&self, post: &Post, ts: MessageTs) -> Result<(), PostError> {
        let mark = metadata_of_mark(&post.mark);
        let blocks = self.buttons.blocks_for(&self.client, post);
        let whole = WholeAnswer { post, ts, mark: &mark, blocks: blocks.as_deref() };
        match self.streams.finish(&self.client, &whole).await {
            Err(error) if blocks.is_some() && self.buttons.are_refused(&error) => {
                let plain = WholeAnswer { blocks: None, ..whole };
                self.streams.finish(&self.client, &plain).await.map_err(of_call)
            }
            finished => finished.map_err(of_call),
        }
    }

    /// A message of ours in a place that is wanted, no older than `since`.
    async fn find_one(
        &self,
        place: &Place,
        since: MessageTs,
        is_wanted: impl Fn(&Value) -> bool + Send + Sync,
    ) -> Result<Option<MessageTs>, PostError> {
        let mut params = history::parameters_for_messages(&place.channel, since);
        params.push(("include_all_metadata", "true".to_owned()));
        let method = match place.thread {
            Some(root) => {
                params.push(("ts", root.to_string()));
                Method::ConversationsReplies
            }
            None => Method::ConversationsHistory,
        };
        let mut pages = std::pin::pin!(self.client.pages(method, params, "messages"));
        loop {
            match pages.try_next().await {
                Ok(Some(page)) => {
                    if let Some(ts) = self.on_page(&page, since, &is_wanted) {
                        return Ok(Some(ts));
                    }
                }
                Ok(None) => return Ok(None),
                // The thread is gone with its root, and our post too.
                Err(error) if error.refusal() == Some("thread_not_found") => return Ok(None),
                Err(error) => return Err(of_call(error)),
            }
        }
    }

    /// The message of ours on a page of a listing that is wanted. A thread's root is listed however old it is.
    fn on_page(
        &self,
        page: &ListPage,
        since: MessageTs,
        is_wanted: &(impl Fn(&Value) -> bool + Send + Sync),
    ) -> Option<MessageTs> {
        let wanted = page.items.iter().filter(|raw| self.is_ours(raw) && is_wanted(raw));
        let mut stamps = wanted.filter_map(|raw| json::text_of_field(raw, "ts")?.parse().ok());
        stamps.find(|ts| *ts >= since)
    }

    /// Whether a message is ours.
    fn is_ours(&self, raw: &Value) -> bool {
        let authors = ["user", "bot_id"].iter().filter_map(|key| json::text_of_field(raw, key));
        authors.map(UserId::new).any(|author| self.own.is(&author))
    }

    /// Whether a message carries this mark.
    fn is_marked(raw: &Value, mark: &PostMark) -> bool {
        let Some(metadata) = raw.get("metadata") else { return false };
        let payload = |key| metadata.get("event_payload").and_then(|payload| payload.get(key));
        json::text_of_field(metadata, "event_type") == Some(MARK)
            && payload("reply").and_then(Value::as_i64) == Some(mark.reply)
            && payload("part").and_then(Value::as_u64) == Some(u64::from(mark.part))
    }

    /// Deletes a post of ours.
    async fn delete_one(&self, channel: &ChannelId, ts: MessageTs) -> Result<(), PostError> {
        let params = [("channel", channel.to_string()), ("ts", ts.to_string())];
        match self.client.call(Method::ChatDelete, &params).await {
            Ok(_) => Ok(()),
            Err(error) if error.refusal() == Some(GONE) => Ok(()),
            Err(error) => Err(of_call(error)),
        }
    }
}

/// The metadata of a post, by which it is found again.
fn metadata_of_mark(mark: &PostMark) -> String {
    let PostMark { reply, part } = mark;
    json!({ "event_type": MARK, "event_payload": { "reply": reply, "part": part } }).to_string()
}

/// Whether a message carries no mark of ours.
fn is_unmarked(raw: &Value) -> bool {
    raw.get("metadata").and_then(|metadata| json::text_of_field(metadata, "event_type")) != Some(MARK)
}

impl Chat for SlackChat {
    fn parts(&self, text: &str) -> Vec<String> {
        mrkdwn::split_into_posts(&mrkdwn::from_markdown(text))
    }

    fn shorter(&self, post: &str, most_chars: usize) -> Vec<String> {
        mrkdwn::parts_of(post, most_chars)
    }

    fn post<'a>(&'a self, post: &'a Post) -> BoxFuture<'a, Result<MessageTs, PostError>> {
        Box::pin(self.post_one_part(post))
    }

    fn find<'a>(
        &'a self,
        place: &'a Place,
        mark: &'a PostMark,
        since: MessageTs,
    ) -> BoxFuture<'a, Result<Option<MessageTs>, PostError>> {
        Box::pin(self.find_one(place, since, |raw| Self::is_marked(raw, mark)))
    }

    fn take_back<'a>(
        &'a self,
        channel: &'a ChannelId,
        ts: MessageTs,
    ) -> BoxFuture<'a, Result<(), PostError>> {
        Box::pin(self.delete_one(channel, ts))
    }

    fn emoji(&self, text: &str) -> Option<String> {
        reaction::emoji_of_text(text)
    }

    fn react<'a>(&'a self, reaction: &'a Reaction) -> BoxFuture<'a, Result<ReactionOutcome, PostError>> {
        Box::pin(reaction::add_to_message(&self.client, reaction))
    }

    fn image<'a>(&'a self, file: &'a FileRef) -> BoxFuture<'a, Result<Image, NoImage>> {
        Box::pin(files::download_image(&self.client, file))
    }

    fn show_typing<'a>(&'a self, place: &'a Place, shown: bool) -> BoxFuture<'a, Result<bool, PostError>> {
        Box::pin(self.status.set(&self.client, place, shown))
    }

    fn keeps_typing(&self, place: &Place) -> bool {
        self.status.is_possible(&self.client, place)
    }

    fn shows_beginnings(&self, place: &Place) -> bool {
        self.streams.are_possible(&self.client, place)
    }

    fn plain_beginning<'t>(&self, text: &'t str) -> &'t str {
        stream::plain_beginning(text)
    }

    fn begin_stream<'a>(
        &'a self,
        place: &'a Place,
        words: &'a str,
    ) -> BoxFuture<'a, Result<MessageTs, PostError>> {
        Box::pin(self.streams.begin(&self.client, place, words))
    }

    fn append_to_stream<'a>(
        &'a self,
        channel: &'a ChannelId,
        ts: MessageTs,
        words: &'a str,
    ) -> BoxFuture<'a, Result<(), PostError>> {
        Box::pin(stream::append_words(&self.client, channel, ts, words))
    }

    fn finish_stream<'a>(&'a self, post: &'a Post, ts: MessageTs) -> BoxFuture<'a, Result<(), PostError>> {
        Box::pin(self.finish_one_stream(post, ts))
    }

    fn take_stream_away<'a>(
        &'a self,
        channel: &'a ChannelId,
        ts: MessageTs,
    ) -> BoxFuture<'a, Result<(), PostError>> {
        Box::pin(self.streams.take_away(&self.client, channel, ts))
    }

    fn find_stream<'a>(
        &'a self,
        place: &'a Place,
        since: MessageTs,
    ) -> BoxFuture<'a, Result<Option<MessageTs>, PostError>> {
        // The root may be ours as well, and new: what opened an assistant's thread.
        let root = place.thread.map(|root| root.to_string());
        let is_wanted =
            move |raw: &Value| is_unmarked(raw) && json::text_of_field(raw, "ts").map(str::to_owned) != root;
        Box::pin(self.find_one(place, since, is_wanted))
    }
}
