//! The methods we call, and how often Slack lets us.

use std::fmt;

/// A method of the Web API that this crate uses.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Method {
    /// Opens a socket (app token only).
    AppsConnectionsOpen,
    /// Shows that an answer is being written, in an assistant's thread.
    AssistantThreadsSetStatus,
    /// Who we are.
    AuthTest,
    /// Posts a message.
    ChatPostMessage,
    /// A channel's messages, newest first.
    ConversationsHistory,
    /// One channel.
    ConversationsInfo,
    /// Who is in a channel.
    ConversationsMembers,
    /// A thread's messages, oldest first.
    ConversationsReplies,
    /// Adds a reaction to a message.
    ReactionsAdd,
    /// The channels we are in.
    UsersConversations,
    /// One person.
    UsersInfo,
    /// Everybody.
    UsersList,
}

/// How often a method may be called (docs.slack.dev/apis/web-api/rate-limits).
#[derive(Clone, Copy)]
pub(super) struct Rate {
    /// Calls in any minute.
    pub(super) per_minute: u32,
    /// How many of them at once; the others are spread over the minute.
    pub(super) burst: u32,
}

/// Tiers 2 to 4, and what Slack says of single methods. A quarter may come at once.
const TIER_2: Rate = Rate { per_minute: 20, burst: 5 };
const TIER_3: Rate = Rate { per_minute: 50, burst: 12 };
const TIER_4: Rate = Rate { per_minute: 100, burst: 25 };
const HUNDREDS: Rate = Rate { per_minute: 300, burst: 75 };
/// Posts into one channel: one a second, and Slack tolerates short bursts. Should it find one too many, it says
/// so, and is obeyed.
const POSTS_IN_CHANNEL: Rate = Rate { per_minute: 60, burst: 5 };

impl Method {
    /// The name in the address.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::AppsConnectionsOpen => "apps.connections.open",
            Self::AssistantThreadsSetStatus => "assistant.threads.setStatus",
            Self::AuthTest => "auth.test",
            Self::ChatPostMessage => "chat.postMessage",
            Self::ConversationsHistory => "conversations.history",
            Self::ConversationsInfo => "conversations.info",
            Self::ConversationsMembers => "conversations.members",
            Self::ConversationsReplies => "conversations.replies",
            Self::ReactionsAdd => "reactions.add",
            Self::UsersConversations => "users.conversations",
            Self::UsersInfo => "users.info",
            Self::UsersList => "users.list",
        }
    }

    /// Whether it only asks, so that it may be tried again without its caller's knowing. Opening a socket does
    /// not: each call makes one, and the socket has a patience of its own.
    pub(super) const fn is_read(self) -> bool {
        match self {
            Self::AuthTest
            | Self::ConversationsHistory
            | Self::ConversationsInfo
            | Self::ConversationsMembers
            | Self::ConversationsReplies
            | Self::UsersConversations
            | Self::UsersInfo
            | Self::UsersList => true,
            Self::AppsConnectionsOpen
            | Self::AssistantThreadsSetStatus
            | Self::ChatPostMessage
            | Self::ReactionsAdd => false,
        }
    }

    /// How often it may be called in all; none where its caller spaces it.
    pub(super) const fn rate(self) -> Option<Rate> {
        match self {
            // Nominally one a minute, but a lost connection must not wait for that; `socket` backs off.
            Self::AppsConnectionsOpen => None,
            Self::AssistantThreadsSetStatus | Self::AuthTest | Self::ChatPostMessage => Some(HUNDREDS),
            Self::UsersList => Some(TIER_2),
            Self::ConversationsHistory
            | Self::ConversationsInfo
            | Self::ConversationsReplies
            | Self::ReactionsAdd
            | Self::UsersConversations => Some(TIER_3),
            Self::ConversationsMembers | Self::UsersInfo => Some(TIER_4),
        }
    }

    /// How often it may be called for one channel; none where that makes no difference.
    pub(super) const fn rate_in_channel(self) -> Option<Rate> {
        if matches!(self, Self::ChatPostMessage) { Some(POSTS_IN_CHANNEL) } else { None }
    }
}

impl fmt::Display for Method {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}
