//! Channels and people in Slack's JSON.

use myao_core::chat::{ChannelKind, UserId};
use serde_json::{Value, json};

use super::{
    identity,
    world::{FakeChannel, FakeUser},
};

/// A channel as lists show it.
pub(super) fn channel_as_listed(channel: &FakeChannel) -> Value {
    if channel.kind == ChannelKind::Dm {
        let mut others = channel.members.iter().filter(|member| member.as_str() != identity::BOT_USER);
        return json!({"id": channel.id.as_str(), "created": channel.created, "is_archived": false,
            "is_im": true, "is_org_shared": false, "context_team_id": identity::TEAM, "updated": 0,
            "user": others.next().map(UserId::as_str), "is_user_deleted": false, "priority": 0});
    }
    let is_public = channel.kind == ChannelKind::Public;
    json!({
        "id": channel.id.as_str(),
        "name": channel.name,
        // Since 2021, private channels count as channels too, with ids that begin with C.
        "is_channel": channel.kind != ChannelKind::GroupDm,
        "is_group": false,
        "is_im": false,
        "is_mpim": channel.kind == ChannelKind::GroupDm,
        "is_private": !is_public,
        "created": channel.created,
        "is_archived": channel.archived,
        "is_general": channel.name == "general",
        "unlinked": 0,
        "name_normalized": channel.name,
        "is_shared": channel.external,
        "is_org_shared": false,
        "is_pending_ext_shared": false,
        "pending_shared": [],
        "context_team_id": identity::TEAM,
        "updated": channel.created,
        "parent_conversation": null,
        "creator": identity::SLACKBOT,
        "is_ext_shared": channel.external,
        "shared_team_ids": [identity::TEAM],
        "pending_connected_team_ids": [],
        "topic": {"value": "", "creator": "", "last_set": 0},
        "purpose": {"value": "", "creator": "", "last_set": 0},
        "previous_names": [],
    })
}

/// The same object with what only some methods tell: whether the bot is a member, and how many members there are.
pub(super) fn channel_with_members(of: &FakeChannel, counted: bool) -> Value {
    let mut told = channel_as_listed(of);
    if let Value::Object(told) = &mut told
        && of.kind != ChannelKind::Dm
    {
        told.insert("is_member".to_owned(), of.has_bot().into());
        if counted {
            told.insert("num_members".to_owned(), of.members.len().into());
        }
    }
    told
}

/// A person or bot.
pub(super) fn user_as_listed(user: &FakeUser) -> Value {
    let spec = &user.spec;
    let real_name = spec.real_name.as_deref().unwrap_or(&spec.name);
    // A bot's display name is usually empty; people see its real name.
    let display_name = if spec.is_bot { "" } else { spec.name.as_str() };
    let team = if spec.is_outsider { "T0ELSEWHERE" } else { identity::TEAM };
    let mut told = json!({
        "id": user.id.as_str(),
        "team_id": team,
        "name": spec.name.to_lowercase().replace(' ', "."),
        "deleted": user.is_deactivated,
        "real_name": real_name,
        "tz": "Asia/Tokyo",
        "tz_label": "Japan Standard Time",
        "tz_offset": 32400,
        "profile": {"title": "", "phone": "", "skype": "", "real_name": real_name,
            "real_name_normalized": real_name, "display_name": display_name,
            "display_name_normalized": display_name, "status_text": "", "status_emoji": "",
            "avatar_hash": "fake", "team": team},
        "is_admin": false,
        "is_owner": false,
        "is_primary_owner": false,
        "is_restricted": spec.is_guest,
        "is_ultra_restricted": spec.is_guest,
        "is_bot": spec.is_bot,
        "is_app_user": false,
        "updated": user.updated,
    });
    if let Value::Object(told) = &mut told
        && spec.is_outsider
    {
        told.insert("is_stranger".to_owned(), true.into());
    }
    told
}
