//! Records what the client did.

use std::{collections::BTreeMap, fmt, time::Duration};

use jiff::Timestamp;
use myao_core::chat::{ChannelId, MessageTs};
use serde_json::Value;

use super::{ephemeral::Ephemeral, views::ShownView};

/// Everything that a client did so far, and the state of the sockets.
#[derive(Clone, Debug, Default)]
pub struct Seen {
    /// Every call of the Web API, in the order in which they came, with those that were refused or failed.
    pub calls: Vec<SeenCall>,
    /// The posts of the bot.
    pub posts: Vec<SeenPost>,
    /// The direct messages in which something was suggested, in that order.
    pub suggested: Vec<ChannelId>,
    /// Every piece of a message that grows, with the message's time stamp.
    pub streamed: Vec<(MessageTs, String)>,
    /// What was shown to one person alone, as it was at first: by `chat.postEphemeral`, and in answer to interactions.
    pub ephemerals: Vec<Ephemeral>,
    /// Every view that was opened, pushed, updated or published, as it was then.
    pub views: Vec<ShownView>,
    /// Reactions that were added.
    pub reactions: Vec<SeenReaction>,
    /// Downloads of files, whether or not they succeeded.
    pub fetches: Vec<SeenFetch>,
    /// Statuses that were set. An empty one removes the one before.
    pub statuses: Vec<Status>,
    /// What was shown in threads while answers were being written, as it changed.
    pub status_changes: Vec<StatusChange>,
    /// The acknowledgements, in order.
    pub acks: Vec<Ack>,
    /// How many sockets are open, frozen ones included.
    pub connections: usize,
    /// How many sockets were ever opened.
    pub connected: usize,
    /// How many events wait for their acknowledgement, or for a socket.
    pub unacknowledged: usize,
    /// How many events were given up after the last retry.
    pub lost: usize,
}

/// One call.
#[derive(Clone, Debug, PartialEq)]
pub struct SeenCall {
    /// The method, as in `chat.postMessage`.
    pub method: String,
    /// The arguments as one JSON object, without tokens; those of a form are texts.
    pub args: Value,
    /// When it came, in the workspace's time.
    pub at: Timestamp,
}

/// One post of the bot.
#[derive(Clone, Debug, PartialEq)]
pub struct SeenPost {
    /// The channel.
    pub channel: ChannelId,
    /// The thread that it answers in. `None` at top level.
    pub thread_ts: Option<MessageTs>,
    /// The text as it was sent.
    pub text: String,
    /// The blocks, each with its `block_id`. `None` without blocks.
    pub blocks: Option<Value>,
    /// The whole metadata.
    pub metadata: Option<Value>,
    /// The time stamp that it got.
    pub ts: MessageTs,
    /// When it was made, in the workspace's time.
    pub at: Timestamp,
}

/// One reaction.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SeenReaction {
    /// The channel of the message.
    pub channel: ChannelId,
    /// The time stamp of the message.
    pub ts: MessageTs,
    /// The emoji, without colons.
    pub name: String,
}

/// One attempt to fetch a file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SeenFetch {
    /// The id of the file.
    pub file: String,
    /// The last part of the address: the name of the file, or of a preview.
    pub name: String,
    /// Whether a token was sent, valid or not.
    pub with_token: bool,
}

/// One status, such as "… is typing".
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Status {
    /// The channel.
    pub channel: ChannelId,
    /// The thread.
    pub thread_ts: MessageTs,
    /// The text of the status.
    pub text: String,
}

/// A change of what is shown in a thread.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct StatusChange {
    /// The channel.
    pub channel: ChannelId,
    /// The thread.
    pub thread_ts: MessageTs,
    /// What is shown from now on: the status of a session, or the older status; empty when that is gone.
    pub status: String,
    /// When it changed, in the workspace's time.
    pub at: Timestamp,
    /// How many posts the bot had made by then.
    pub posts: usize,
}

/// One acknowledgement.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Ack {
    /// The id of the envelope.
    pub envelope: String,
    /// The id of the event in it; empty for a raw envelope, and for a command or another interaction.
    pub event: String,
    /// The time from sending to acknowledgement.
    pub after: Duration,
    /// What it carried. `None` without a payload, or with an empty one.
    pub payload: Option<Value>,
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
        let reactions = self.reactions.len();
        let statuses = self.statuses.len();
        writeln!(f, "reactions: {reactions}, statuses: {statuses}, fetches: {}", self.fetches.len())?;
        writeln!(f, "views: {}, shown to one person: {}", self.views.len(), self.ephemerals.len())?;
        for one in &self.ephemerals {
            writeln!(f, "  {} {} {:?}", one.channel, one.user, one.drawn())?;
        }
        writeln!(f, "posts: {}", self.posts.len())?;
        for post in &self.posts {
            writeln!(f, "  {} {:?} {:?}", post.channel, post.thread_ts.map(|ts| ts.to_string()), post.text)?;
        }
        Ok(())
    }
}
