//! Shows an answer while it is written, as a message that grows (docs.slack.dev, `chat.startStream` and its like; ADR 125).
//!
//! Only in threads of direct messages, and for apps that are agents to Slack. A workspace that turns out to lack it is not
//! asked again.

use std::{
    collections::BTreeSet,
    sync::{
        Mutex, MutexGuard, PoisonError,
        atomic::{AtomicBool, Ordering},
    },
};

use myao_core::{
    chat::{ChannelId, MessageTs, Place},
    ports::{Post, PostError},
};

use crate::{
    api::{ApiError, Client, Method},
    json,
    reaction::of_call,
};

/// The error for a kind of channel that has no streams: if direct messages have none, nothing has.
const NOT_HERE: &str = "channel_type_not_supported";
/// Most characters that are shown while an answer is written: a message that is replaced in the end takes 4,000.
const MOST_CHARS: usize = 3_000;
/// What ends the words that are shown: markup, mentions, and the labels and addresses of links, which Slack would show
/// otherwise than we do.
const SIGNS: [&str; 9] = ["<", "[", "![", "@", "&", "://", "www.", "mailto:", "tel:"];
/// After how many seconds it is tried again where there was no room below Slack's limits.
const NO_ROOM_FOR: u64 = 3;
/// After how many seconds nobody ends a stream any more that this process began: another process answers, or whoever began
/// it died.
const ENDED_AFTER: i64 = 15 * 60;
/// The errors after which a stream is known not to be one any more.
const GONE: &str = "message_not_found";

/// What the message of a stream says once the answer is whole.
#[derive(Clone, Copy)]
pub(crate) struct WholeAnswer<'a> {
    /// The text, and where it stands.
    pub(crate) post: &'a Post,
    /// The time stamp of the message.
    pub(crate) ts: MessageTs,
    /// The mark of the post, as metadata.
    pub(crate) mark: &'a str,
    /// The blocks that say the text; `None` without any.
    pub(crate) blocks: Option<&'a str>,
}

/// Whether this workspace has streams, as far as is known.
#[derive(Debug)]
pub(crate) struct Streams {
    are_there: AtomicBool,
    /// Messages that grow, as far as this process began them and may still end them.
    growing: Mutex<BTreeSet<MessageTs>>,
}

impl Streams {
    pub(crate) const fn new() -> Self {
        Self { are_there: AtomicBool::new(true), growing: Mutex::new(BTreeSet::new()) }
    }

    /// Whether an answer in a place may be shown while it is written.
    pub(crate) fn are_possible(&self, client: &Client, place: &Place) -> bool {
        place.thread.is_some() && client.is_agent() && self.are_there.load(Ordering::Relaxed)
    }

    fn growing(&self) -> MutexGuard<'_, BTreeSet<MessageTs>> {
        self.growing.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Whether one more could be begun, and all of them be ended and replaced, without waiting for a turn: an answer that
    /// is whole would wait for that.
    fn have_room(&self, client: &Client) -> bool {
        let growing = self.growing().len();
        let calls = u32::try_from(growing).unwrap_or(u32::MAX).saturating_add(1);
        client.has_room(Method::ChatStartStream, 1)
            && client.has_room(Method::ChatStopStream, calls)
            && client.has_room(Method::ChatUpdate, calls)
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
        if !self.have_room(client) {
            return Err(PostError::Limited(NO_ROOM_FOR));
        }
        let params = [
            ("channel", place.channel.to_string()),
            ("thread_ts", root.to_string()),
            ("markdown_text", words.to_owned()),
        ];
        match client.call(Method::ChatStartStream, &params).await {
            Ok(answer) => {
                let ts = json::text_of_field(&answer, "ts").and_then(|ts| ts.parse().ok());
                self.note_begun(ts);
                ts.ok_or_else(|| PostError::Unknown("Slack does not say under which time stamp".to_owned()))
            }
            Err(error) => {
                let is_missing = error.is_feature_missing() || error.refusal() == Some(NOT_HERE);
                if is_missing && self.are_there.swap(false, Ordering::Relaxed) {
                    tracing::info!(%error, "this workspace shows no answers while they are written; it is not asked again");
                }
                Err(of_call(error))
            }
        }
    }

    fn note_begun(&self, ts: Option<MessageTs>) {
        let Some(ts) = ts else { return };
        let mut growing = self.growing();
        growing.retain(|begun| begun.plus_seconds(ENDED_AFTER) > ts);
        growing.insert(ts);
    }

    /// Has the message of a stream, whatever became of that, say what a post says, with the post's mark.
    pub(crate) async fn finish(&self, client: &Client, whole: &WholeAnswer<'_>) -> Result<(), ApiError> {
        let finished = finish(client, whole).await;
        self.note_ended(whole.ts, &finished);
        finished
    }

    /// Takes the message of a stream away. It may be gone already.
    pub(crate) async fn take_away(
        &self,
        client: &Client,
        channel: &ChannelId,
        ts: MessageTs,
    ) -> Result<(), PostError> {
        let taken = take_away(client, channel, ts).await;
        self.note_ended(ts, &taken);
        taken.map_err(of_call)
    }

    /// Keeps room for the end of a stream only while that may still come.
    fn note_ended(&self, ts: MessageTs, ended: &Result<(), ApiError>) {
        if !ended.as_ref().is_err_and(ApiError::may_pass) {
            self.growing().remove(&ts);
        }
    }
}

/// Adds words to a stream. Doing it again would add them again. Where there is no turn for it now, nothing is added.
pub(crate) async fn append_words(
    client: &Client,
    channel: &ChannelId,
    ts: MessageTs,
    words: &str,
) -> Result<(), PostError> {
    if !client.has_room(Method::ChatAppendStream, 1) {
        return Err(PostError::Limited(NO_ROOM_FOR));
    }
    let params =
        [("channel", channel.to_string()), ("ts", ts.to_string()), ("markdown_text", words.to_owned())];
    client.call(Method::ChatAppendStream, &params).await.map(drop).map_err(of_call)
}

/// Has the message of a stream say what a post says.
async fn finish(client: &Client, whole: &WholeAnswer<'_>) -> Result<(), ApiError> {
    let WholeAnswer { post, ts, mark, blocks } = *whole;
    stop(client, &post.place.channel, ts).await?;
    let params = [
        ("channel", post.place.channel.to_string()),
        ("ts", ts.to_string()),
        ("text", post.text.clone()),
        // What Slack made of the stream would stay in front of the text.
        ("blocks", blocks.unwrap_or("[]").to_owned()),
        ("metadata", mark.to_owned()),
        ("parse", "none".to_owned()),
        ("link_names", "false".to_owned()),
    ];
    client.call(Method::ChatUpdate, &params).await.map(drop)
}

/// Takes the message of a stream away.
async fn take_away(client: &Client, channel: &ChannelId, ts: MessageTs) -> Result<(), ApiError> {
    stop(client, channel, ts).await?;
    let params = [("channel", channel.to_string()), ("ts", ts.to_string())];
    match client.call(Method::ChatDelete, &params).await {
        Err(error) if error.refusal() != Some(GONE) => Err(error),
        Ok(_) | Err(_) => Ok(()),
    }
}

/// Ends a stream. Most have ended when that is refused: by Slack, by a person, or by us before.
async fn stop(client: &Client, channel: &ChannelId, ts: MessageTs) -> Result<(), ApiError> {
    let params = [("channel", channel.to_string()), ("ts", ts.to_string())];
    match client.call(Method::ChatStopStream, &params).await {
        Ok(_) | Err(ApiError::Refused { .. }) => Ok(()),
        Err(error) => Err(error),
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
