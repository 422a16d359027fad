//! Reads earlier messages page by page: channels newest first, threads oldest first (design §2, `sweep`).
//!
//! What a missing message means is not decided here.

use futures::{Stream, TryStreamExt};
use myao_core::chat::{ChannelId, Event, MessageTs};
use serde_json::Value;

use crate::{
    api::{self, ApiError, Client, Method},
    json, message, text,
};

/// Messages on a page, as Slack recommends.
const PER_PAGE: usize = 200;

/// One page of a channel or a thread.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct HistoryPage {
    /// Its messages as events; those that were not understood as [`Event::Unread`].
    pub events: Vec<Event>,
    /// The time stamps of all its messages in order, also of notices and of what was not understood. A message that the
    /// archive has between the first and the last of them, and that is not here, was deleted.
    pub seen: Vec<MessageTs>,
    /// The roots of threads on it.
    pub parents: Vec<Parent>,
    /// Whether Slack hides older messages (free plans): then a missing one may only be hidden.
    pub hides_older: bool,
    /// Whether a further page follows.
    pub is_followed: bool,
}

/// A thread, as its root describes it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Parent {
    /// The root.
    pub ts: MessageTs,
    /// How many replies there are.
    pub reply_count: u64,
    /// The newest reply; `None` if Slack does not tell.
    pub latest_reply: Option<MessageTs>,
}

impl HistoryPage {
    /// The oldest time stamp on it.
    pub fn oldest(&self) -> Option<MessageTs> {
        self.seen.first().copied()
    }

    /// The newest time stamp on it.
    pub fn newest(&self) -> Option<MessageTs> {
        self.seen.last().copied()
    }

    fn read(channel: &ChannelId, page: &api::ListPage) -> Self {
        let mut read = Self {
            hides_older: json::is_true(&page.rest, "is_limited"),
            is_followed: page.next_cursor().is_some(),
            ..Self::default()
        };
        for raw in &page.items {
            let ts = instant_of_field(raw, "ts");
            read.seen.extend(ts);
            read.parents.extend(ts.and_then(|ts| Parent::read(ts, raw)));
            match message::read_message_object(channel, raw) {
                Ok(reading) => read.events.extend(reading.into_events()),
                Err(misread) => {
                    let raw_text = text::without_nul(&raw.to_string()).into_owned();
                    // Without a time stamp only its own text can serve as a key.
                    let key = message::unread_key(channel, raw)
                        .unwrap_or_else(|| format!("{channel}/{}", message::excerpt_of_name(&raw_text)));
                    read.events.push(Event::Unread { key, raw: raw_text, error: misread.to_string() });
                }
            }
        }
        read.seen.sort_unstable();
        read
    }
}

impl Parent {
    fn read(ts: MessageTs, raw: &Value) -> Option<Self> {
        let reply_count = raw.get("reply_count").and_then(Value::as_u64).filter(|count| *count > 0)?;
        Some(Self { ts, reply_count, latest_reply: instant_of_field(raw, "latest_reply") })
    }
}

fn instant_of_field(raw: &Value, key: &str) -> Option<MessageTs> {
    json::text_of_field(raw, key)?.parse().ok()
}

impl Client {
    /// The top level of a channel from `oldest` to `latest`, both included, the newest page first. It includes only
    /// those replies that were also sent to the channel.
    pub fn history<'a>(
        &'a self,
        channel: &'a ChannelId,
        oldest: MessageTs,
        latest: MessageTs,
    ) -> impl Stream<Item = Result<HistoryPage, ApiError>> + Send + 'a {
        let mut params = parameters_for_messages(channel, oldest);
        params.push(("latest", latest.to_string()));
        let pages = self.pages(Method::ConversationsHistory, params, "messages");
        pages.map_ok(|page| HistoryPage::read(channel, &page))
    }

    /// A thread from `oldest` (included) on, the oldest page first. Every page may hold the root as well.
    ///
    /// Slack refuses a thread whose root is gone with `thread_not_found`.
    pub fn replies<'a>(
        &'a self,
        channel: &'a ChannelId,
        root: MessageTs,
        oldest: MessageTs,
    ) -> impl Stream<Item = Result<HistoryPage, ApiError>> + Send + 'a {
        let mut params = parameters_for_messages(channel, oldest);
        params.push(("ts", root.to_string()));
        let pages = self.pages(Method::ConversationsReplies, params, "messages");
        pages.map_ok(|page| HistoryPage::read(channel, &page))
    }
}

/// The parameters of a call that reads messages of `channel` from `oldest` on.
pub(crate) fn parameters_for_messages(channel: &ChannelId, oldest: MessageTs) -> Vec<(&'static str, String)> {
    vec![
        ("channel", channel.to_string()),
        ("oldest", oldest.to_string()),
        ("inclusive", "true".to_owned()),
        ("limit", PER_PAGE.to_string()),
    ]
}
