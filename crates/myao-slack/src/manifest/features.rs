//! The table of what the app does: the scopes, events and fields of the manifest that it takes, and what an app without
//! them does not do. What is new is one more entry of [`FEATURES`].

use serde_json::{Value, json};

use super::{
    AGENT_EVENTS,
    document::{ManifestWords, ShortcutWords},
};

/// A scope of the bot's token (docs.slack.dev/reference/scopes).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Scope {
    /// Slack's name of it.
    pub name: &'static str,
    /// What does not work without it.
    pub without: &'static str,
    /// Whether everything else works without it, so that it is no failure to lack it.
    pub is_optional: bool,
}

const fn needed(name: &'static str, without: &'static str) -> Scope {
    Scope { name, without, is_optional: false }
}

const fn optional(name: &'static str, without: &'static str) -> Scope {
    Scope { name, without, is_optional: true }
}

/// A field of the manifest.
#[derive(Clone, Copy, Debug)]
pub struct ManifestField {
    /// Where it stands, as in `settings.interactivity`.
    pub path: &'static str,
    /// What stands there.
    pub value: fn(&ManifestWords) -> Value,
}

/// Something that the app does, and what it needs of Slack for it.
#[derive(Clone, Copy, Debug)]
pub struct Feature {
    /// Whether it is switched on.
    pub is_on: fn(OptionalFeatures) -> bool,
    /// The scopes of the bot's token.
    pub scopes: &'static [Scope],
    /// The events that the app subscribes to for its bot (docs.slack.dev/reference/events).
    pub events: &'static [&'static str],
    /// The fields that the manifest has beside those that it always has.
    pub fields: &'static [ManifestField],
    /// What an app without its events and fields does not do, behind "without it".
    pub without: &'static str,
    /// The day since which the manifest has had it; `None`: from its first version on.
    pub since: Option<&'static str>,
}

/// What is switched on beside that which always is.
#[expect(clippy::struct_excessive_bools, reason = "each is a switch of the configuration by itself")]
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct OptionalFeatures {
    /// `response.reactions`.
    pub reactions: bool,
    /// `agents.response.vision`.
    pub files: bool,
    /// `slack.commands`.
    pub commands: bool,
    /// `slack.home`.
    pub home: bool,
    /// `slack.agent_view`.
    pub agent_view: bool,
    /// `response.feedback`.
    pub votes: bool,
}

/// Everything that the app does.
pub const FEATURES: &[Feature] = &[
    Feature {
        is_on: |_| true,
        scopes: &BOT_SCOPES,
        events: &BOT_EVENTS,
        fields: &[],
        without: "it does not hear all that happens",
        since: None,
    },
    Feature {
        is_on: |on| on.commands,
        scopes: &[COMMANDS_SCOPE],
        events: &[],
        fields: &[
            ManifestField { path: "features.slash_commands", value: slash_commands },
            // What a command shows may have buttons.
            ManifestField { path: "settings.interactivity", value: |_| json!({"is_enabled": true}) },
        ],
        without: COMMANDS_SCOPE.without,
        since: Some("2026-11-28"),
    },
    Feature {
        is_on: |on| on.commands,
        scopes: &[COMMANDS_SCOPE],
        events: &[],
        fields: &[ManifestField { path: "features.shortcuts", value: shortcuts }],
        without: "a message's menu has none of its entries (slack.commands)",
        since: Some("2026-11-29"),
    },
    Feature {
        is_on: |on| on.home,
        scopes: &[],
        events: &["app_home_opened"],
        fields: &[
            ManifestField { path: "features.app_home.home_tab_enabled", value: |_| json!(true) },
            // It has buttons.
            ManifestField { path: "settings.interactivity", value: |_| json!({"is_enabled": true}) },
        ],
        without: "nobody sees in the app's Home tab what is remembered (slack.home)",
        since: Some("2026-11-29"),
    },
    Feature {
        is_on: |on| on.agent_view,
        scopes: &[AGENT_SCOPE],
        events: &AGENT_EVENTS,
        fields: &[ManifestField { path: "features.agent_view", value: agent_view }],
        without: AGENT_SCOPE.without,
        since: Some("2026-11-29"),
    },
    Feature {
        is_on: |on| on.votes,
        scopes: &[VOTES_SCOPE],
        events: &["reaction_added", "reaction_removed"],
        // The other way to vote is a button.
        fields: &[ManifestField { path: "settings.interactivity", value: |_| json!({"is_enabled": true}) }],
        without: VOTES_SCOPE.without,
        since: Some("2026-11-29"),
    },
    Feature {
        is_on: |on| on.reactions,
        scopes: &[REACTIONS_SCOPE],
        events: &[],
        fields: &[],
        without: REACTIONS_SCOPE.without,
        since: None,
    },
    Feature {
        is_on: |on| on.files,
        scopes: &[FILES_SCOPE],
        events: &[],
        fields: &[],
        without: FILES_SCOPE.without,
        since: None,
    },
];

/// The scopes that the bot's token always needs. The app-level token needs `connections:write`, which a manifest cannot
/// give.
pub const BOT_SCOPES: [Scope; 11] = [
    needed("app_mentions:read", "it does not hear that it is mentioned"),
    needed("channels:history", "it cannot read what is said in public channels"),
    needed("channels:read", "it does not know public channels by name and kind"),
    needed("chat:write", "it cannot answer"),
    needed("groups:history", "it cannot read what is said in private channels"),
    needed("groups:read", "it does not know private channels by name and kind"),
    needed("im:history", "it cannot read direct messages"),
    needed("im:read", "it does not know direct messages and whose they are"),
    needed("mpim:history", "it cannot read group messages"),
    needed("mpim:read", "it does not know group messages and whose they are"),
    needed("users:read", "it does not know people by name, nor guests as such"),
];

/// The scope for [`OptionalFeatures::reactions`].
pub const REACTIONS_SCOPE: Scope = needed(
    "reactions:write",
    "an answer that is one emoji is posted and not added as a reaction (response.reactions)",
);

/// The scope for [`OptionalFeatures::files`].
pub const FILES_SCOPE: Scope =
    needed("files:read", "the model does not see the images people share (agents.response.vision)");

/// The scope for [`OptionalFeatures::commands`].
pub const COMMANDS_SCOPE: Scope = optional("commands", "there is no `/myao` (slack.commands)");

/// The scope for [`OptionalFeatures::agent_view`]: by it an app is an agent to Slack.
pub const AGENT_SCOPE: Scope = optional(
    "assistant:write",
    "the app is no agent: direct messages at top level are answered there and only once the answer is whole, and nobody \
     sees a stop button (slack.agent_view)",
);

/// The scope for [`OptionalFeatures::votes`].
pub const VOTES_SCOPE: Scope = optional(
    "reactions:read",
    "it does not hear what people think of its answers, and has no buttons for that (response.feedback)",
);

/// The events that the app always subscribes to: all that [`event`](crate::event) acts on and that Slack offers, except
/// those that only repeat a `user_change`.
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

/// What Slack says of an agent. Prompts are suggested while it runs.
fn agent_view(words: &ManifestWords) -> Value {
    json!({"agent_description": words.agent_description})
}

/// With Socket Mode a command needs no address. What people type arrives as they typed it: `in:#general`.
fn slash_commands(words: &ManifestWords) -> Value {
    json!([{
        "command": "/myao",
        "description": words.command_description,
        "usage_hint": words.command_hint,
        "should_escape": false,
    }])
}

/// Entries of a message's menu.
fn shortcuts(words: &ManifestWords) -> Value {
    let of = |one: &ShortcutWords| {
        json!({
            "name": one.name,
            "type": "message",
            "callback_id": one.shortcut,
            "description": one.description,
        })
    };
    words.shortcuts.iter().map(of).collect()
}
