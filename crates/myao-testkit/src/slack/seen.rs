//! Records what the client did.

use std::{collections::BTreeMap, fmt, time::Duration};

use jiff::Timestamp;
use myao_core::chat::{ChannelId, MessageTs};
use serde_json::Value;

/// Everything a client did so far, and how the sockets stand.
#[derive(Clone, Debug, Default)]
pub struct Seen {
    /// Every call of the Web API, in the order they came, refused and failed ones included.
    pub calls: Vec<SeenCall>,
    /// What was posted.
    pub posts: Vec<SeenPost>,
    /// Reactions that were added.
    pub reactions: Vec<SeenReaction>,
    /// Files that were fetched, or tried to.
    pub fetches: Vec<SeenFetch>,
    /// Statuses that were set; an empty one takes the last away.
    pub statuses: Vec<Status>,
    /// What was acknowledged, in order.
    pub acks: Vec<Ack>,
    /// Sockets that are open, frozen ones included.
    pub connections: usize,
    /// Sockets that were ever opened.
    pub connected: usize,
    /// Events that wait for their acknowledgement, or for a socket.
    pub unacknowledged: usize,
    /// Events given up after the last retry.
    pub lost: usize,
}

/// One call.
#[derive(Clone, Debug, PartialEq)]
pub struct SeenCall {
    /// The method, as in `chat.postMessage`.
    pub method: String,
    /// Its arguments, as one JSON object; those of a form are texts. No tokens.
    pub args: Value,
    /// When it came, in the workspace's time.
    pub at: Timestamp,
}

/// One post of the bot's.
#[derive(Clone, Debug, PartialEq)]
pub struct SeenPost {
    /// Where.
    pub channel: ChannelId,
    /// The thread it answers in; none at top level.
    pub thread_ts: Option<MessageTs>,
    /// Its text as it was sent.
    pub text: String,
    /// Its metadata, whole.
    pub metadata: Option<Value>,
    /// The time stamp it got.
    pub ts: MessageTs,
    /// When it was made, in the workspace's time.
    pub at: Timestamp,
}

/// One reaction.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SeenReaction {
    /// Where.
    pub channel: ChannelId,
    /// To which message.
    pub ts: MessageTs,
    /// The emoji, without colons.
    pub name: String,
}

/// One try to fetch a file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SeenFetch {
    /// The file's id.
    pub file: String,
    /// The last part of the address: the file's name, or a preview's.
    pub name: String,
    /// Whether a token was shown, whatever it was.
    pub with_token: bool,
}

/// One status, as in "… is typing".
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Status {
    /// Where.
    pub channel: ChannelId,
    /// In which thread.
    pub thread_ts: MessageTs,
    /// What it says.
    pub text: String,
}

/// One acknowledgement.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Ack {
    /// The envelope.
    pub envelope: String,
    /// The event in it; empty for a raw envelope.
    pub event: String,
    /// How long it took.
    pub after: Duration,
}

impl Seen {
    /// How often `method` was called.
    pub fn calls(&self, method: &str) -> usize {
        self.calls.iter().filter(|call| call.method == method).count()
    }
}

impl fmt::Display for Seen {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut calls: BTreeMap<&str, usize> = BTreeMap::new();
        for call in &self.calls {
            *calls.entry(&call.method).or_default() += 1;
        }
        writeln!(f, "sockets: {} open of {}", self.connections, self.connected)?;
        writeln!(
            f,
            "acknowledged: {}, waiting: {}, lost: {}",
            self.acks.len(),
            self.unacknowledged,
            self.lost
        )?;
        writeln!(f, "calls: {calls:?}")?;
        let (reactions, statuses) = (self.reactions.len(), self.statuses.len());
        writeln!(f, "reactions: {reactions}, statuses: {statuses}, fetches: {}", self.fetches.len())?;
        writeln!(f, "posts: {}", self.posts.len())?;
        for post in &self.posts {
            writeln!(f, "  {} {:?} {:?}", post.channel, post.thread_ts.map(|ts| ts.to_string()), post.text)?;
        }
        Ok(())
    }
}
