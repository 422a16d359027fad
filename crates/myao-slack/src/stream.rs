//! Shows an answer while it is written, as a message that grows (docs.slack.dev, `chat.startStream` and its like; ADR 125).
//!
//! Only in threads of direct messages, and for apps that are agents to Slack. A workspace that turns out to lack it is not
//! asked again.

use std::sync::atomic::{AtomicBool, Ordering};

use myao_core::{
    chat::{ChannelId, MessageTs, Place},
    ports::{Post, PostError},
};

use crate::{
    api::{ApiError, Client, Method},
    json,
    manifest::TYPING_SCOPE,
    reaction::of_call,
};

/// Errors by which Slack says that this app has no streams anywhere, beside a missing scope.
const NO_STREAMS: [&str; 6] = [
    "channel_type_not_supported",
    "feature_not_enabled",
    "method_deprecated",
    "method_not_supported_for_app",
    "no_permission",
    "unknown_method",
];
/// How others of them begin.
const NOT_ALLOWED: &str = "not_allowed";
/// Most characters that are shown while an answer is written: a message that is replaced in the end takes 4,000.
const MOST_CHARS: usize = 3_000;
/// What ends the words that are shown: markup, mentions, and the labels and addresses of links, which Slack would show
/// otherwise than we do.
const SIGNS: [&str; 9] = ["<", "[", "![", "@", "&", "://", "www.", "mailto:", "tel:"];
/// The errors after which a stream is known not to be one any more.
const GONE: &str = "message_not_found";

/// Whether this workspace has streams, as far as is known.
#[derive(Debug)]
pub(crate) struct Streams {
    are_there: AtomicBool,
}

impl Streams {
    pub(crate) const fn new() -> Self {
        Self { are_there: AtomicBool::new(true) }
    }

    /// Whether an answer in a place may be shown while it is written.
    pub(crate) fn are_possible(&self, client: &Client, place: &Place) -> bool {
        let is_agent = client.scopes().is_some_and(|scopes| scopes.iter().any(|name| name == TYPING_SCOPE));
        place.thread.is_some() && is_agent && self.are_there.load(Ordering::Relaxed)
    }

    /// Begins to show an answer; returns the time stamp of the message.
    pub(crate) async fn begin(
        &self,
        client: &Client,
        place: &Place,
        words: &str,
    ) -> Result<MessageTs, PostError> {
        let Some(root) = place.thread else {
            return Err(PostError::Refused("only threads have streams".to_owned()));
        };
        let params = [
            ("channel", place.channel.to_string()),
            ("thread_ts", root.to_string()),
            ("markdown_text", words.to_owned()),
        ];
        match client.call(Method::ChatStartStream, &params).await {
            Ok(answer) => {
                let ts = json::text_of_field(&answer, "ts").and_then(|ts| ts.parse().ok());
                ts.ok_or_else(|| PostError::Unknown("Slack does not say under which time stamp".to_owned()))
            }
            Err(error) => {
                if is_missing(&error) && self.are_there.swap(false, Ordering::Relaxed) {
                    tracing::info!(%error, "this workspace shows no answers while they are written; it is not asked again");
                }
                Err(of_call(error))
            }
        }
    }
}

/// Adds words to a stream. Doing it again would add them again.
pub(crate) async fn append_words(
    client: &Client,
    channel: &ChannelId,
    ts: MessageTs,
    words: &str,
) -> Result<(), PostError> {
    let params =
        [("channel", channel.to_string()), ("ts", ts.to_string()), ("markdown_text", words.to_owned())];
    client.call(Method::ChatAppendStream, &params).await.map(drop).map_err(of_call)
}

/// Has the message of a stream, whatever became of that, say what a post says, with the post's mark.
pub(crate) async fn finish(
    client: &Client,
    post: &Post,
    ts: MessageTs,
    metadata: String,
) -> Result<(), PostError> {
    stop(client, &post.place.channel, ts).await?;
    let params = [
        ("channel", post.place.channel.to_string()),
        ("ts", ts.to_string()),
        ("text", post.text.clone()),
        // What Slack made of the stream would stay in front of the text.
        ("blocks", "[]".to_owned()),
        ("metadata", metadata),
        ("parse", "none".to_owned()),
        ("link_names", "false".to_owned()),
    ];
    client.call(Method::ChatUpdate, &params).await.map(drop).map_err(of_call)
}

/// Takes the message of a stream away. It may be gone already.
pub(crate) async fn take_away(client: &Client, channel: &ChannelId, ts: MessageTs) -> Result<(), PostError> {
    stop(client, channel, ts).await?;
    let params = [("channel", channel.to_string()), ("ts", ts.to_string())];
    match client.call(Method::ChatDelete, &params).await {
        Ok(_) => Ok(()),
        Err(error) if error.refusal() == Some(GONE) => Ok(()),
        Err(error) => Err(of_call(error)),
    }
}

/// Ends a stream. Most have ended when that is refused: by Slack, by a person, or by us before.
async fn stop(client: &Client, channel: &ChannelId, ts: MessageTs) -> Result<(), PostError> {
    let params = [("channel", channel.to_string()), ("ts", ts.to_string())];
    match client.call(Method::ChatStopStream, &params).await {
        Ok(_) | Err(ApiError::Refused { .. }) => Ok(()),
        Err(error) => Err(of_call(error)),
    }
}

/// The beginning of a text that Slack shows as it is, up to the most that is shown.
pub(crate) fn plain_beginning(text: &str) -> &str {
    let sign = SIGNS.iter().filter_map(|sign| text.find(sign)).min().unwrap_or(text.len());
    let most = text.char_indices().nth(MOST_CHARS).map_or(text.len(), |(at, _)| at);
    let plain = text.get(..sign.min(most)).unwrap_or_default();
    // The word before a sign belongs to it: the scheme of an address, the name in front of an @.
    let end =
        if plain.len() < text.len() { plain.rfind(char::is_whitespace).unwrap_or(0) } else { plain.len() };
    plain.get(..end).unwrap_or_default()
}

/// Whether an error says that this app does not have streams at all.
fn is_missing(error: &ApiError) -> bool {
    match error {
        ApiError::MissingScope { .. } => true,
        ApiError::Refused { error, .. } | ApiError::Denied { error, .. } => {
            NO_STREAMS.contains(&error.as_str()) || error.starts_with(NOT_ALLOWED)
        }
        ApiError::Limited { .. } | ApiError::Unreachable { .. } | ApiError::Uncertain { .. } => false,
    }
}
