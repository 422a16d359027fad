//! Other programs that ask for memories, store their own conversations, and do both under a token of theirs.

use std::{collections::BTreeSet, fmt};

use super::ChannelId;

/// What the id of every agent begins with. No platform's id does.
const PREFIX: &str = "agent-";
/// How many characters follow.
const DRAWN: usize = 10;
/// The letters that these are drawn from: 32, none of which is taken for another.
const LETTERS: &[u8; 32] = b"abcdefghijkmnpqrstuvwxyz23456789";
/// Between an agent's id and the key of one of its conversations.
const WITHIN: char = '.';

/// An agent, as in `agent-k3v9x2m4q7`. All ids are equally long, so that none is the beginning of another.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct AgentId(String);

/// Not the id of an agent.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("that is no id of an agent")]
pub struct NoAgentId;

/// What an agent may read, by its token.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum AgentSees {
    /// Everything, like the owner at the terminal.
    Owner,
    /// The open channels.
    Open,
    /// What replies in these channels may draw on.
    Channels(BTreeSet<ChannelId>),
}

/// What an agent may do, by its token. Whatever it may read, it also reads its own conversations.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct AgentToken {
    /// The agent.
    pub agent: AgentId,
    /// What people call it: unique among tokens.
    pub name: String,
    /// What it may read.
    pub sees: AgentSees,
    /// Whether it may store, correct and forget.
    pub may_write: bool,
}

impl AgentId {
    /// How many characters stand before the key of a conversation, the dot included.
    pub const FAMILY_LENGTH: usize = PREFIX.len() + DRAWN + 1;

    /// An id from random bytes.
    pub fn draw(bytes: [u8; DRAWN]) -> Self {
        let letter = |byte: u8| char::from(LETTERS.get(usize::from(byte % 32)).copied().unwrap_or(b'a'));
        Self(PREFIX.chars().chain(bytes.into_iter().map(letter)).collect())
    }

    /// The id as it is stored.
    ///
    /// # Errors
    /// When it is none.
    pub fn parse(text: &str) -> Result<Self, NoAgentId> {
        let drawn = text.strip_prefix(PREFIX).ok_or(NoAgentId)?;
        let is_id = drawn.len() == DRAWN && drawn.bytes().all(|byte| LETTERS.contains(&byte));
        if is_id { Ok(Self(text.to_owned())) } else { Err(NoAgentId) }
    }

    /// The id as it is stored.
    pub fn as_str(&self) -> &str {
        &self.0
    }

    /// What the ids of all its conversations begin with, and no other id does.
    pub fn family(&self) -> String {
        format!("{}{WITHIN}", self.0)
    }

    /// The channel of one of its conversations; `key` is made of letters and digits.
    pub fn conversation(&self, key: &str) -> ChannelId {
        ChannelId::new(format!("{}{WITHIN}{key}", self.0))
    }

    /// Whether a channel is one of its conversations.
    pub fn holds(&self, channel: &ChannelId) -> bool {
        channel.agent().as_ref() == Some(self)
    }
}

impl AgentToken {
    /// What somebody on this machine may do who shows no token: look at the open channels.
    pub fn without_token() -> Self {
        let agent = AgentId::draw([0; DRAWN]);
        Self { agent, name: "local".to_owned(), sees: AgentSees::Open, may_write: false }
    }
}

impl fmt::Display for AgentId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl ChannelId {
    /// The agent whose conversation it is; `None` for the channels of a chat.
    pub fn agent(&self) -> Option<AgentId> {
        let (agent, _) = self.as_str().split_once(WITHIN)?;
        AgentId::parse(agent).ok()
    }
}
