//! Who may see what (specification §6). Every read that feeds a prompt, a tool, a page or an answer takes a
//! [`Visibility`].

use std::collections::BTreeSet;

use super::{agent::AgentId, channel::Channel, ids::ChannelId, ts::MessageTs};

/// Where a reply would go.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Place {
    /// The channel.
    pub channel: ChannelId,
    /// The thread's root; `None` for the channel's top level.
    pub thread: Option<MessageTs>,
}

/// What may be read on behalf of somebody.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Visibility {
    /// On behalf of people in a place: the place's own channel, and also the open channels, unless people from
    /// outside take part in the place's channel.
    Place {
        /// The place's channel.
        channel: ChannelId,
        /// Whether the open channels are seen as well.
        open_channels: bool,
    },
    /// On behalf of everybody in the workspace: open channels only.
    Open,
    /// On behalf of another program: its own conversations, the channels that its token names, and also the open
    /// channels if it may see these.
    Agent {
        /// The program.
        agent: AgentId,
        /// The channels that its token names.
        channels: BTreeSet<ChannelId>,
        /// Whether the open channels are seen as well.
        open_channels: bool,
    },
    /// On behalf of the owner of the database, at the terminal.
    Owner,
}

impl Visibility {
    /// What a reply in `channel` may draw on, by the kind the channel has now.
    pub fn of(channel: &Channel) -> Self {
        Self::Place { channel: channel.id.clone(), open_channels: !channel.external }
    }

    /// A channel's own words and nothing else: this is what work on the channel's memory reads.
    pub fn only(channel: &ChannelId) -> Self {
        Self::Place { channel: channel.clone(), open_channels: false }
    }

    /// Whether something made from open channels, such as the workspace's memory, may be shown.
    pub fn sees_open_channels(&self) -> bool {
        match self {
            Self::Place { open_channels, .. } | Self::Agent { open_channels, .. } => *open_channels,
            Self::Open | Self::Owner => true,
        }
    }

    /// Whether what was said in `other` may be shown.
    pub fn sees(&self, other: &Channel) -> bool {
        match self {
            Self::Place { channel, open_channels } => {
                *channel == other.id || (*open_channels && other.is_open())
            }
            Self::Agent { agent, channels, open_channels } => {
                agent.holds(&other.id) || channels.contains(&other.id) || (*open_channels && other.is_open())
            }
            Self::Open => other.is_open(),
            Self::Owner => true,
        }
    }
}
