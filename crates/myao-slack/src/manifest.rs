//! Lists the events that our Slack app subscribes to, and the scopes that its token needs.
//!
//! `slack-manifest.yaml` tells Slack the same when the app is made; `myao check` compares a token with it. Events
//! cannot be checked: an app that does not subscribe to one just never gets it.

/// The events that the app subscribes to for its bot (docs.slack.dev/reference/events): all that [`event`](crate::event)
/// acts on and that Slack offers, except those that only repeat a `user_change`.
pub const BOT_EVENTS: [&str; 28] = [
    "app_mention",
    "app_uninstalled",
    "channel_archive",
    "channel_deleted",
    "channel_history_changed",
    "channel_id_changed",
    "channel_left",
    "channel_rename",
    "channel_shared",
    "channel_unarchive",
    "channel_unshared",
    "group_archive",
    "group_deleted",
    "group_history_changed",
    "group_left",
    "group_rename",
    "group_unarchive",
    "im_created",
    "im_history_changed",
    "member_joined_channel",
    "member_left_channel",
    "message.channels",
    "message.groups",
    "message.im",
    "message.mpim",
    "team_join",
    "tokens_revoked",
    "user_change",
];

/// Events that an app may subscribe to for its bot, and that are read if it does. Slack has them for apps that are agents
/// (`features.agent_view`): somebody pressed stop while an answer was being written.
pub const AGENT_EVENTS: [&str; 1] = ["agent_session_stopped"];

/// A scope of the bot's token, and what it is for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Scope {
    /// Slack's name of it.
    pub name: &'static str,
    /// What the bot does with it.
    pub purpose: &'static str,
}

const fn scope_with_purpose(name: &'static str, purpose: &'static str) -> Scope {
    Scope { name, purpose }
}

/// The scopes that the bot's token always needs (docs.slack.dev/reference/scopes). The app-level token needs
/// `connections:write`, which a manifest cannot give.
pub const BOT_SCOPES: [Scope; 11] = [
    scope_with_purpose("app_mentions:read", "hear that it is mentioned"),
    scope_with_purpose("channels:history", "read what is said in public channels"),
    scope_with_purpose("channels:read", "know public channels by name and kind"),
    scope_with_purpose("chat:write", "answer"),
    scope_with_purpose("groups:history", "read what is said in private channels"),
    scope_with_purpose("groups:read", "know private channels by name and kind"),
    scope_with_purpose("im:history", "read direct messages"),
    scope_with_purpose("im:read", "know direct messages and whose they are"),
    scope_with_purpose("mpim:history", "read group messages"),
    scope_with_purpose("mpim:read", "know group messages and whose they are"),
    scope_with_purpose("users:read", "know people by name, and guests as such"),
];

/// The features that are switched on and need more than [`BOT_SCOPES`].
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct OptionalFeatures {
    /// `response.reactions`.
    pub reactions: bool,
    /// `agents.response.vision`.
    pub files: bool,
}

/// The scope for [`OptionalFeatures::reactions`].
pub const REACTIONS_SCOPE: Scope =
    scope_with_purpose("reactions:write", "answer with a reaction (response.reactions)");

/// The scope for [`OptionalFeatures::files`].
pub const FILES_SCOPE: Scope =
    scope_with_purpose("files:read", "see the images people share (agents.response.vision)");

/// The scope that apps have which are agents to Slack: people see a stop button while an answer is being written.
pub const TYPING_SCOPE: &str = "assistant:write";

/// The scopes that the bot's token needs for what is switched on.
pub fn wanted_scopes(extras: OptionalFeatures) -> Vec<Scope> {
    let more = [(extras.files, FILES_SCOPE), (extras.reactions, REACTIONS_SCOPE)];
    let more = more.into_iter().filter_map(|(is_on, scope)| is_on.then_some(scope));
    BOT_SCOPES.into_iter().chain(more).collect()
}

/// The `wanted` scopes that are not among the `granted`.
pub fn missing_scopes(wanted: &[Scope], granted: &[String]) -> Vec<Scope> {
    wanted.iter().copied().filter(|scope| !granted.iter().any(|name| name == scope.name)).collect()
}
