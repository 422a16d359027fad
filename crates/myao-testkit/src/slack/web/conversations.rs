//! `conversations.*` and `users.conversations`, without the methods that read messages.

use myao_core::chat::{ChannelId, ChannelKind, UserId};
use serde_json::{Value, json};

use super::{
    args::Args,
    page,
    refusal::{MethodAnswer, MethodRefusal, require_scope},
};
use crate::slack::{identity, object, rules::Rule, state::WorkspaceState, world::FakeChannel};

/// The default number of items of a page.
const DEFAULT_SIZE: usize = 100;
const TYPES: [(&str, &str); 4] =
    [("public_channel", "channels"), ("private_channel", "groups"), ("im", "im"), ("mpim", "mpim")];

/// The conversations that the bot is in, or those of somebody else (`user`): the public channels that the person is in,
/// with or without the bot, and of the others those that the bot shares. Here Slack does not tell whether the bot is a
/// member, nor how many members there are.
pub(super) fn of_member(state: &mut WorkspaceState, args: &Args) -> MethodAnswer {
    let Some(user) = args.text("user").map(UserId::new) else {
        return page_of_channels(state, args, "bot", FakeChannel::has_bot, object::channel_as_listed);
    };
    if !state.world.users.contains_key(&user) {
        return Err(MethodRefusal::new("user_not_found"));
    }
    let visible = |channel: &FakeChannel| {
        channel.members.contains(&user) && (!channel.is_closed() || channel.has_bot())
    };
    page_of_channels(state, args, &format!("of-{user}"), visible, object::channel_as_listed)
}

/// The conversations that the bot may know of.
pub(super) fn list_known_channels(state: &mut WorkspaceState, args: &Args) -> MethodAnswer {
    let visible = |channel: &FakeChannel| !channel.is_closed() || channel.has_bot();
    page_of_channels(state, args, "list", visible, |channel| object::channel_with_members(channel, true))
}

/// A page of channels. As with Slack, archived channels are removed after the page was cut. So a page may hold fewer
/// than were asked for, or none, and still not be the last one.
fn page_of_channels(
    state: &WorkspaceState,
    args: &Args,
    list: &str,
    visible: impl Fn(&FakeChannel) -> bool,
    show: impl Fn(&FakeChannel) -> Value,
) -> MethodAnswer {
    let types: Vec<&str> = args.text("types").unwrap_or("public_channel").split(',').map(str::trim).collect();
    for asked in &types {
        let known = TYPES.iter().find(|(name, _)| name == asked);
        let wrong =
            || MethodRefusal::new("invalid_types").breaking(Rule::Arguments, format!("no type {asked}"));
        let (_, scope) = known.ok_or_else(wrong)?;
        require_scope(state, &format!("{scope}:read"))?;
    }
    let size = page::items_per_page(args, DEFAULT_SIZE)?;
    let after = page::start_of_cursor(args, list)?;
    let fitting = state
        .world
        .channels
        .values()
        .filter(|channel| visible(channel) && types.contains(&channel.type_and_scope().0));
    let fitting = fitting.map(|channel| (channel.id.as_str(), channel));
    let (page, next) = page::cut_to_size(fitting, list, after.as_deref(), size);
    let no_archived = args.flag("exclude_archived");
    let shown = page.into_iter().filter(|channel| !(no_archived && channel.archived));
    let shown: Vec<Value> = shown.map(show).collect();
    Ok(json!({"channels": shown, "response_metadata": page::response_metadata(next)}))
}

pub(super) fn channel_info(state: &mut WorkspaceState, args: &Args) -> MethodAnswer {
    let id = args.channel()?;
    let channel = known_channel(state, &id)?;
    require_scope(state, &format!("{}:read", channel.type_and_scope().1))?;
    let counted = args.flag("include_num_members");
    Ok(json!({"channel": object::channel_with_members(channel, counted)}))
}

pub(super) fn channel_members(state: &mut WorkspaceState, args: &Args) -> MethodAnswer {
    let id = args.channel()?;
    let channel = known_channel(state, &id)?;
    require_scope(state, &format!("{}:read", channel.type_and_scope().1))?;
    let size = page::items_per_page(args, DEFAULT_SIZE)?;
    let after = page::start_of_cursor(args, "members")?;
    let ids = channel.members.iter().map(|member| (member.as_str(), member.as_str()));
    let (page, next) = page::cut_to_size(ids, "members", after.as_deref(), size);
    Ok(json!({"members": page, "response_metadata": page::response_metadata(next)}))
}

pub(super) fn join_channel(state: &mut WorkspaceState, args: &Args) -> MethodAnswer {
    let id = args.channel()?;
    let channel = known_channel(state, &id)?;
    if channel.kind != ChannelKind::Public {
        return Err(MethodRefusal::new("method_not_supported_for_channel_type"));
    }
    if channel.archived {
        return Err(MethodRefusal::new("is_archived"));
    }
    let already = channel.has_bot();
    state.join(&id, &UserId::new(identity::BOT_USER));
    let mut told = json!({"channel": object::channel_with_members(known_channel(state, &id)?, false)});
    if already && let Value::Object(told) = &mut told {
        told.insert("warning".to_owned(), "already_in_channel".into());
        told.insert("response_metadata".to_owned(), json!({"warnings": ["already_in_channel"]}));
    }
    Ok(told)
}

pub(super) fn leave_channel(state: &mut WorkspaceState, args: &Args) -> MethodAnswer {
    let id = args.channel()?;
    let channel = known_channel(state, &id)?;
    let scope = if channel.kind == ChannelKind::Public { "channels:manage" } else { "groups:write" };
    require_scope(state, scope)?;
    if !channel.has_bot() {
        return Ok(json!({"not_in_channel": true}));
    }
    if channel.name == "general" {
        return Err(MethodRefusal::new("cant_leave_general"));
    }
    state.leave(&id, &UserId::new(identity::BOT_USER));
    Ok(json!({}))
}

/// A channel that the bot may know of.
pub(super) fn known_channel<'a>(
    state: &'a WorkspaceState,
    id: &ChannelId,
) -> Result<&'a FakeChannel, MethodRefusal> {
    let found = state.world.channels.get(id).filter(|channel| !channel.is_closed() || channel.has_bot());
    found.ok_or_else(|| MethodRefusal::new("channel_not_found"))
}
