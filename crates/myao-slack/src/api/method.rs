//! The methods we call, and their rate limits.

use std::fmt;

/// A method of the Web API that this crate uses.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Method {
    /// Says in an agent's session whether an answer is being written.
    AgentsSessionsSetStatus,
    /// Opens a socket (app token only).
    AppsConnectionsOpen,
    /// Suggests to a person what to ask in direct messages.
    AssistantThreadsSetSuggestedPrompts,
    /// Shows in an assistant's thread that an answer is being written.
    AssistantThreadsSetStatus,
    /// Our own ids.
    AuthTest,
    /// Adds words to a message that grows.
    ChatAppendStream,
    /// Deletes a post of ours.
    ChatDelete,
    /// Posts a message.
    ChatPostMessage,
    /// Begins a message that grows.
    ChatStartStream,
    /// Ends the growth of a message.
    ChatStopStream,
    /// Replaces the words of a post of ours.
    ChatUpdate,
    /// A channel's messages, newest first.
    ConversationsHistory,
    /// One channel.
    ConversationsInfo,
    /// The members of a channel.
    ConversationsMembers,
    /// A thread's messages, oldest first.
    ConversationsReplies,
    /// A shared file, as far as its message does not show it.
    FilesInfo,
    /// Adds a reaction to a message.
    ReactionsAdd,
    /// The channels we are in.
    UsersConversations,
    /// One person.
    UsersInfo,
    /// All people of the workspace.
    UsersList,
    /// Shows a person something in answer to what they did.
    ViewsOpen,
    /// Shows a person their Home tab.
    ViewsPublish,
    /// Replaces what a person is shown.
    ViewsUpdate,
}

/// How often a method may be called (docs.slack.dev/apis/web-api/rate-limits).
#[derive(Clone, Copy)]
pub(super) struct Rate {
    /// Calls in any minute.
    pub(super) per_minute: u32,
    /// How many of them may be made at once; the others are spread over the minute.
    pub(super) burst: u32,
}

/// Slack's tiers 2 to 4, and its limit for some single methods. A quarter of the calls may be made at once.
const TIER_2: Rate = Rate { per_minute: 20, burst: 5 };
const TIER_3: Rate = Rate { per_minute: 50, burst: 12 };
const TIER_4: Rate = Rate { per_minute: 100, burst: 25 };
const HUNDREDS: Rate = Rate { per_minute: 300, burst: 75 };
/// Posts into one channel: one a second, and Slack tolerates short bursts. If it finds one too many, it answers with a
/// wait, which is obeyed.
const POSTS_IN_CHANNEL: Rate = Rate { per_minute: 60, burst: 5 };

impl Method {
    /// The name in the address.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::AgentsSessionsSetStatus => "agents.sessions.setStatus",
            Self::AppsConnectionsOpen => "apps.connections.open",
            Self::AssistantThreadsSetStatus => "assistant.threads.setStatus",
            Self::AssistantThreadsSetSuggestedPrompts => "assistant.threads.setSuggestedPrompts",
            Self::AuthTest => "auth.test",
            Self::ChatAppendStream => "chat.appendStream",
            Self::ChatDelete => "chat.delete",
            Self::ChatPostMessage => "chat.postMessage",
            Self::ChatStartStream => "chat.startStream",
            Self::ChatStopStream => "chat.stopStream",
            Self::ChatUpdate => "chat.update",
            Self::ConversationsHistory => "conversations.history",
            Self::ConversationsInfo => "conversations.info",
            Self::ConversationsMembers => "conversations.members",
            Self::ConversationsReplies => "conversations.replies",
            Self::FilesInfo => "files.info",
            Self::ReactionsAdd => "reactions.add",
            Self::UsersConversations => "users.conversations",
            Self::UsersInfo => "users.info",
            Self::UsersList => "users.list",
            Self::ViewsOpen => "views.open",
            Self::ViewsPublish => "views.publish",
            Self::ViewsUpdate => "views.update",
        }
    }

    /// Whether it changes nothing, so that it may be tried again without asking its caller. Opening a socket is no read:
    /// each call makes one, and `socket` has its own backoff.
    pub(super) const fn is_read(self) -> bool {
        match self {
            Self::AuthTest
            | Self::ConversationsHistory
            | Self::ConversationsInfo
            | Self::ConversationsMembers
            | Self::ConversationsReplies
            | Self::FilesInfo
            | Self::UsersConversations
            | Self::UsersInfo
            | Self::UsersList => true,
            Self::AgentsSessionsSetStatus
            | Self::AppsConnectionsOpen
            | Self::AssistantThreadsSetStatus
            | Self::AssistantThreadsSetSuggestedPrompts
            | Self::ChatAppendStream
            | Self::ChatDelete
            | Self::ChatPostMessage
            | Self::ChatStartStream
            | Self::ChatStopStream
            | Self::ChatUpdate
            | Self::ReactionsAdd
            | Self::ViewsOpen
            | Self::ViewsPublish
            | Self::ViewsUpdate => false,
        }
    }

    /// Its rate limit over all channels; `None` if its caller spaces the calls.
    pub(super) const fn rate(self) -> Option<Rate> {
        match self {
            // Nominally one a minute, but a lost connection must not wait for that; `socket` backs off.
            Self::AppsConnectionsOpen => None,
            Self::AssistantThreadsSetStatus | Self::AuthTest | Self::ChatPostMessage => Some(HUNDREDS),
            Self::ChatStartStream | Self::ChatStopStream | Self::UsersList => Some(TIER_2),
            Self::AgentsSessionsSetStatus
            | Self::ChatDelete
            | Self::ChatUpdate
            | Self::ConversationsHistory
            | Self::ConversationsInfo
            | Self::ConversationsReplies
            | Self::ReactionsAdd
            | Self::UsersConversations => Some(TIER_3),
            Self::AssistantThreadsSetSuggestedPrompts
            | Self::ChatAppendStream
            | Self::ConversationsMembers
            | Self::FilesInfo
            | Self::UsersInfo
            | Self::ViewsOpen
            | Self::ViewsPublish
            | Self::ViewsUpdate => Some(TIER_4),
        }
    }

    /// Its rate limit for one channel, if there is one.
    pub(super) const fn rate_in_channel(self) -> Option<Rate> {
        if matches!(self, Self::ChatPostMessage) { Some(POSTS_IN_CHANNEL) } else { None }
    }
}

impl fmt::Display for Method {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}
