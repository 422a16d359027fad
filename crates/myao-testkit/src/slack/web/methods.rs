//! The list of methods, with what each requires of its caller.

use serde_json::json;

use super::{
    args::Args,
    chat, conversations, courtesies, ephemeral, history, reactions,
    refusal::{MethodAnswer, MethodRefusal},
    streams, users, views,
};
use crate::slack::{identity, limits::MethodRate, state::WorkspaceState};

/// The rate limit of methods that do not exist.
pub(super) const UNKNOWN_RATE: MethodRate = MethodRate::TIER_3;

/// A kind of token.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum TokenKind {
    /// The bot token: `xoxb-…`
    Bot,
    /// The app-level token: `xapp-…`
    App,
}

/// One method, as its page on docs.slack.dev describes it.
pub(super) struct MethodSpec {
    pub(super) name: &'static str,
    pub(super) rate: MethodRate,
    /// The kind of token that it takes. `None` if it takes both.
    pub(super) token: Option<TokenKind>,
    /// Whether it takes JSON. All methods take forms.
    pub(super) takes_json: bool,
    /// The scope that it needs. A scope that depends on the channel is checked once the channel is known.
    pub(super) scope: Option<&'static str>,
    pub(super) run: fn(&mut WorkspaceState, &Args) -> MethodAnswer,
}

impl MethodSpec {
    pub(super) fn of(name: &str) -> Option<&'static Self> {
        METHODS.iter().find(|method| method.name == name)
    }
}

const METHODS: [MethodSpec; 30] = [
    MethodSpec {
        token: None,
        rate: MethodRate::PerMinute(600),
        ..method_that_writes("auth.test", auth_test)
    },
    MethodSpec {
        token: Some(TokenKind::App),
        rate: MethodRate::TIER_1,
        ..method_that_writes("apps.connections.open", open_socket_ticket)
    },
    method_that_reads("users.conversations", MethodRate::TIER_3, conversations::of_member),
    method_that_reads("conversations.list", MethodRate::TIER_2, conversations::list_known_channels),
    method_that_reads("conversations.info", MethodRate::TIER_3, conversations::channel_info),
    method_that_reads("conversations.members", MethodRate::TIER_4, conversations::channel_members),
    method_that_reads("conversations.history", MethodRate::TIER_3, history::channel_page),
    method_that_reads("conversations.replies", MethodRate::TIER_3, history::thread_page),
    MethodSpec {
        scope: Some("channels:join"),
        ..method_that_writes("conversations.join", conversations::join_channel)
    },
    method_that_writes("conversations.leave", conversations::leave_channel),
    MethodSpec {
        scope: Some("users:read"),
        ..method_that_reads("users.info", MethodRate::TIER_4, users::info_of_user)
    },
    MethodSpec {
        scope: Some("users:read"),
        ..method_that_reads("users.list", MethodRate::TIER_2, users::list_all_users)
    },
    MethodSpec {
        rate: MethodRate::PerSecondAndChannel,
        ..method_that_chats("chat.postMessage", chat::post_message)
    },
    MethodSpec { rate: MethodRate::TIER_2, ..method_that_chats("chat.startStream", streams::start) },
    MethodSpec { rate: MethodRate::TIER_4, ..method_that_chats("chat.appendStream", streams::append) },
    MethodSpec { rate: MethodRate::TIER_2, ..method_that_chats("chat.stopStream", streams::stop) },
    method_that_chats("chat.update", chat::update_message),
    method_that_chats("chat.delete", chat::delete_message),
    MethodSpec {
        rate: MethodRate::TIER_4,
        ..method_that_chats("chat.postEphemeral", ephemeral::post_ephemeral)
    },
    MethodSpec { rate: MethodRate::TIER_4, ..method_that_writes("views.open", views::open_view) },
    MethodSpec { rate: MethodRate::TIER_4, ..method_that_writes("views.push", views::push_view) },
    MethodSpec { rate: MethodRate::TIER_4, ..method_that_writes("views.update", views::update_view) },
    MethodSpec { rate: MethodRate::TIER_4, ..method_that_writes("views.publish", views::publish_home) },
    method_that_reads("chat.getPermalink", MethodRate::PerMinute(600), courtesies::permalink_of_message),
    MethodSpec {
        scope: Some("files:read"),
        ..method_that_reads("files.info", MethodRate::TIER_4, files_info)
    },
    MethodSpec {
        scope: Some("reactions:write"),
        ..method_that_writes("reactions.add", reactions::add_to_message)
    },
    MethodSpec {
        rate: MethodRate::PerMinute(600),
        ..method_that_chats("assistant.threads.setStatus", courtesies::set_status)
    },
    MethodSpec {
        rate: MethodRate::TIER_4,
        scope: Some("assistant:write"),
        ..method_that_writes("assistant.threads.setSuggestedPrompts", courtesies::set_suggested_prompts)
    },
    method_that_chats(courtesies::SET_STATUS, courtesies::set_session_status),
    MethodSpec { scope: Some("team:read"), ..method_that_reads("team.info", MethodRate::TIER_3, team_info) },
];

const fn method_that_reads(
    name: &'static str,
    rate: MethodRate,
    run: fn(&mut WorkspaceState, &Args) -> MethodAnswer,
) -> MethodSpec {
    MethodSpec { name, rate, token: Some(TokenKind::Bot), takes_json: false, scope: None, run }
}

const fn method_that_writes(
    name: &'static str,
    run: fn(&mut WorkspaceState, &Args) -> MethodAnswer,
) -> MethodSpec {
    MethodSpec {
        name,
        rate: MethodRate::TIER_3,
        token: Some(TokenKind::Bot),
        takes_json: true,
        scope: None,
        run,
    }
}

const fn method_that_chats(
    name: &'static str,
    run: fn(&mut WorkspaceState, &Args) -> MethodAnswer,
) -> MethodSpec {
    MethodSpec { scope: Some("chat:write"), ..method_that_writes(name, run) }
}

#[expect(clippy::unnecessary_wraps, reason = "the shape of every method")]
fn auth_test(_: &mut WorkspaceState, args: &Args) -> MethodAnswer {
    if args.token() == Some(identity::APP_TOKEN) {
        return Ok(json!({"app_name": identity::BOT_NAME, "app_id": identity::APP}));
    }
    Ok(json!({"url": identity::TEAM_URL, "team": identity::TEAM_NAME, "user": identity::BOT_NAME,
        "team_id": identity::TEAM, "user_id": identity::BOT_USER, "bot_id": identity::BOT,
        "is_enterprise_install": false}))
}

/// `apps.connections.open`. The server adds the URL, since it knows its own address.
#[expect(clippy::unnecessary_wraps, reason = "the shape of every method")]
fn open_socket_ticket(_: &mut WorkspaceState, _: &Args) -> MethodAnswer {
    Ok(json!({}))
}

fn files_info(state: &mut WorkspaceState, args: &Args) -> MethodAnswer {
    let id = args.required("file")?;
    let file = state.files.get(id).ok_or_else(|| MethodRefusal::new("file_not_found"))?;
    Ok(json!({"file": file.described(id)}))
}

#[expect(clippy::unnecessary_wraps, reason = "the shape of every method")]
fn team_info(_: &mut WorkspaceState, _: &Args) -> MethodAnswer {
    Ok(json!({"team": {"id": identity::TEAM, "name": identity::TEAM_NAME, "domain": "fake",
        "email_domain": "", "url": identity::TEAM_URL}}))
}
