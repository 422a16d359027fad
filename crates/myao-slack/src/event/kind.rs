//! Classifies Slack's events by what they mean to us (docs.slack.dev/reference/events).

/// What an event is about.
#[derive(Clone, Copy)]
pub(super) enum EventKind {
    /// A message was posted, edited or deleted.
    Message,
    /// A person, in their current state.
    Person,
    /// A channel has changed.
    Channel(ChannelChange),
    /// Somebody stopped an answer.
    Stop,
    /// Somebody reacted to a message.
    Reaction {
        /// Whether the reaction was taken back.
        is_taken_back: bool,
    },
    /// Somebody opened one of the tabs in which we show ourselves.
    Home,
    /// Somebody looks at something else beside their direct messages with us.
    Context,
    /// The app was removed, or tokens were revoked.
    Revoked,
    /// Nothing that we keep.
    Nothing,
}

/// What happened to a channel.
#[derive(Clone, Copy)]
pub(super) enum ChannelChange {
    Changed,
    HistoryChanged,
    Closed,
    OutsidersInvited,
    Joined,
    Left,
    MemberJoined,
    MemberLeft,
    Renumbered,
}

/// Families of events that concern nothing we keep, by how their names begin.
const FAMILIES: [&str; 24] = [
    "agent_session_",
    "app_deleted",
    "app_home_",
    "app_installed",
    "app_requested",
    "assistant_",
    "bot_",
    "call_",
    "canvas_",
    "commands_",
    "dnd_",
    "email_domain_",
    "emoji_",
    "entity_details_",
    "file_",
    "function_",
    "grid_migration_",
    "huddle_",
    "invite_requested",
    "link_shared",
    "list_",
    "message_metadata_",
    "pin_",
    "workflow_",
];

/// Single events that concern nothing we keep.
const NOTHING: [&str; 24] = [
    "accounts_changed",
    "app_uninstalled_team",
    "channel_created",
    "external_org_migration_finished",
    "external_org_migration_started",
    "group_close",
    "group_open",
    "im_close",
    "im_open",
    "manual_presence_change",
    "member_profile_changed",
    "mpim_close",
    "presence_change",
    "resources_added",
    "resources_removed",
    "scope_denied",
    "scope_granted",
    "shared_channel_invite_declined",
    "shared_channel_invite_received",
    "shared_channel_invite_requested",
    "star_added",
    "star_removed",
    "user_huddle_changed",
    "user_resource_granted",
];

/// Further families of events that concern nothing we keep. `team_` alone would include `team_join`.
const MORE_FAMILIES: [&str; 8] = [
    "subteam_",
    "team_access_",
    "team_domain_",
    "team_icon_",
    "team_plan_",
    "team_pref_",
    "team_profile_",
    "team_rename",
];

impl EventKind {
    /// The meaning of an event; `None` if it is unknown.
    pub(super) fn of(name: &str) -> Option<Self> {
        Some(match name {
            "message" | "app_mention" => Self::Message,
            "team_join" | "user_change" | "user_profile_changed" | "user_status_changed" => Self::Person,
            "agent_session_stopped" => Self::Stop,
            "app_context_changed" => Self::Context,
            "reaction_added" => Self::Reaction { is_taken_back: false },
            "reaction_removed" => Self::Reaction { is_taken_back: true },
            "app_home_opened" => Self::Home,
            "app_uninstalled" | "tokens_revoked" => Self::Revoked,
            "channel_archive" | "channel_rename" | "channel_unarchive" | "channel_unshared"
            | "group_archive" | "group_rename" | "group_unarchive" => Self::Channel(ChannelChange::Changed),
            "channel_shared" => Self::Channel(ChannelChange::Closed),
            "shared_channel_invite_accepted" | "shared_channel_invite_approved" => {
                Self::Channel(ChannelChange::OutsidersInvited)
            }
            "channel_joined" | "group_joined" | "im_created" | "mpim_joined" | "mpim_open" => {
                Self::Channel(ChannelChange::Joined)
            }
            "channel_history_changed" | "group_history_changed" | "im_history_changed" => {
                Self::Channel(ChannelChange::HistoryChanged)
            }
            "channel_deleted" | "channel_left" | "group_deleted" | "group_left" => {
                Self::Channel(ChannelChange::Left)
            }
            "channel_id_changed" => Self::Channel(ChannelChange::Renumbered),
            "member_joined_channel" => Self::Channel(ChannelChange::MemberJoined),
            "member_left_channel" => Self::Channel(ChannelChange::MemberLeft),
            name if NOTHING.contains(&name) => Self::Nothing,
            name if FAMILIES.iter().chain(&MORE_FAMILIES).any(|family| name.starts_with(family)) => {
                Self::Nothing
            }
            _ => return None,
        })
    }
}
