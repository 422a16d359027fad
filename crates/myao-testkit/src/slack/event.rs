//! The JSON of events, as in Slack's Events API.

use myao_core::chat::{ChannelId, MessageTs};
use serde_json::{Value, json};

use super::{
    fields::set_field,
    identity,
    message::{self, FakeMessage, Metadata},
    object,
    world::{FakeChannel, FakeUser, World},
};

/// A new message.
pub(super) fn message_said(world: &World, channel: &FakeChannel, message: &FakeMessage) -> Value {
    let mut event = message::object_in_channel(world, channel, message, Metadata::None);
    set_place_fields(&mut event, channel, message.ts);
    set_field(&mut event, "channel_type", channel.event_kind());
    event
}

/// The `app_mention` of a message that mentions the bot.
pub(super) fn app_mention(
    world: &World,
    channel: &FakeChannel,
    message: &FakeMessage,
    event_ts: MessageTs,
) -> Value {
    let mut event = message::object_in_channel(world, channel, message, Metadata::None);
    set_field(&mut event, "type", "app_mention");
    set_place_fields(&mut event, channel, event_ts);
    event
}

/// A changed message, with its previous state.
pub(super) fn message_changed(
    channel: &FakeChannel,
    now: &Value,
    before: &Value,
    event_ts: MessageTs,
) -> Value {
    let mut event = json!({"type": "message", "subtype": "message_changed", "message": now,
        "previous_message": before, "hidden": true, "ts": event_ts.to_string()});
    set_place_fields(&mut event, channel, event_ts);
    set_field(&mut event, "channel_type", channel.event_kind());
    event
}

/// A deleted message.
pub(super) fn message_deleted(
    channel: &FakeChannel,
    ts: MessageTs,
    before: &Value,
    event_ts: MessageTs,
) -> Value {
    let mut event = json!({"type": "message", "subtype": "message_deleted", "deleted_ts": ts.to_string(),
        "previous_message": before, "hidden": true, "ts": event_ts.to_string()});
    set_place_fields(&mut event, channel, event_ts);
    set_field(&mut event, "channel_type", channel.event_kind());
    event
}

/// A thread's root after a reply. Slack's documentation of `message_replied` says that the Events API leaves the
/// subtype out, and so does this.
pub(super) fn root_replied(channel: &FakeChannel, root: &Value, event_ts: MessageTs) -> Value {
    let mut event = json!({"type": "message", "message": root, "hidden": true, "ts": event_ts.to_string()});
    set_place_fields(&mut event, channel, event_ts);
    set_field(&mut event, "channel_type", channel.event_kind());
    event
}

/// A person's changed profile.
pub(super) fn user_changed(user: &FakeUser, event_ts: MessageTs) -> Value {
    json!({"type": "user_change", "user": object::user_as_listed(user), "cache_ts": user.updated,
        "event_ts": event_ts.to_string()})
}

/// Somebody came (`member_joined_channel`) or went (`member_left_channel`).
pub(super) fn member_came_or_went(
    kind: &str,
    channel: &FakeChannel,
    user: &str,
    event_ts: MessageTs,
) -> Value {
    let letter = if channel.is_closed() { "G" } else { "C" };
    json!({"type": kind, "user": user, "channel": channel.id.as_str(), "channel_type": letter,
        "team": identity::TEAM, "event_ts": event_ts.to_string()})
}

/// The bot was removed from a channel.
pub(super) fn bot_left(channel: &FakeChannel, by: &str, event_ts: MessageTs) -> Value {
    let kind = if channel.is_closed() { "group_left" } else { "channel_left" };
    json!({"type": kind, "channel": channel.id.as_str(), "actor_id": by, "event_ts": event_ts.to_string()})
}

/// Much of the channel's history up to `latest` was changed or removed at once.
pub(super) fn history_changed(channel: &FakeChannel, latest: MessageTs, event_ts: MessageTs) -> Value {
    let kind = if channel.is_closed() { "group_history_changed" } else { "channel_history_changed" };
    json!({"type": kind, "channel": channel.id.as_str(), "latest": latest.to_string(), "ts": event_ts.to_string(),
        "event_ts": event_ts.to_string()})
}

/// The channel got another name.
pub(super) fn channel_renamed(channel: &FakeChannel, event_ts: MessageTs) -> Value {
    let kind = if channel.is_closed() { "group_rename" } else { "channel_rename" };
    let told = json!({"id": channel.id.as_str(), "name": channel.name, "name_normalized": channel.name,
        "created": channel.created, "is_channel": !channel.is_closed(), "is_mpim": false});
    json!({"type": kind, "channel": told, "event_ts": event_ts.to_string()})
}

/// The channel was archived or unarchived.
pub(super) fn channel_archived(channel: &FakeChannel, by: &str, event_ts: MessageTs) -> Value {
    let kind = match (channel.is_closed(), channel.archived) {
        (false, true) => "channel_archive",
        (false, false) => "channel_unarchive",
        (true, true) => "group_archive",
        (true, false) => "group_unarchive",
    };
    json!({"type": kind, "channel": channel.id.as_str(), "user": by, "event_ts": event_ts.to_string()})
}

/// The channel was shared with another workspace.
pub(super) fn channel_shared(channel: &FakeChannel, event_ts: MessageTs) -> Value {
    let mut event = json!({"type": "channel_shared", "connected_team_id": "T0ELSEWHERE"});
    set_place_fields(&mut event, channel, event_ts);
    event
}

pub(super) fn id_changed(old: &ChannelId, new: &ChannelId, event_ts: MessageTs) -> Value {
    json!({"type": "channel_id_changed", "old_channel_id": old.as_str(), "new_channel_id": new.as_str(),
        "event_ts": event_ts.to_string()})
}

fn set_place_fields(event: &mut Value, channel: &FakeChannel, event_ts: MessageTs) {
    set_field(event, "channel", channel.id.as_str());
    set_field(event, "event_ts", event_ts.to_string());
}
