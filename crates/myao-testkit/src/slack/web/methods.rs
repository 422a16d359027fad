//! The list of methods, with what each requires of its caller.

use serde_json::json;

use super::{
    MethodAnswer, MethodRefusal, args::Args, chat, conversations, courtesies, history, reactions, users,
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

const METHODS: [MethodSpec; 20] = [
    MethodSpec { token: None, rate: MethodRate::PerMinute(600), ..writing("auth.test", auth_test) },
    MethodSpec {
        token: Some(TokenKind::App),
        rate: MethodRate::TIER_1,
        ..writing("apps.connections.open", open)
    },
    reading("users.conversations", MethodRate::TIER_3, conversations::of_bot),
    reading("conversations.list", MethodRate::TIER_2, conversations::list),
    reading("conversations.info", MethodRate::TIER_3, conversations::info),
    reading("conversations.members", MethodRate::TIER_4, conversations::members),
    reading("conversations.history", MethodRate::TIER_3, history::history),
    reading("conversations.replies", MethodRate::TIER_3, history::replies),
    MethodSpec { scope: Some("channels:join"), ..writing("conversations.join", conversations::join) },
    writing("conversations.leave", conversations::leave),
    MethodSpec { scope: Some("users:read"), ..reading("users.info", MethodRate::TIER_4, users::info) },
    MethodSpec { scope: Some("users:read"), ..reading("users.list", MethodRate::TIER_2, users::list) },
    MethodSpec { rate: MethodRate::PerSecondAndChannel, ..chatting("chat.postMessage", chat::post) },
    chatting("chat.update", chat::update),
    chatting("chat.delete", chat::delete),
    reading("chat.getPermalink", MethodRate::PerMinute(600), courtesies::permalink),
    MethodSpec { scope: Some("files:read"), ..reading("files.info", MethodRate::TIER_4, files_info) },
    MethodSpec { scope: Some("reactions:write"), ..writing("reactions.add", reactions::add) },
    MethodSpec {
        rate: MethodRate::PerMinute(600),
        ..chatting("assistant.threads.setStatus", courtesies::set_status)
    },
    MethodSpec { scope: Some("team:read"), ..reading("team.info", MethodRate::TIER_3, team_info) },
];

const fn reading(
    name: &'static str,
    rate: MethodRate,
    run: fn(&mut WorkspaceState, &Args) -> MethodAnswer,
) -> MethodSpec {
    MethodSpec { name, rate, token: Some(TokenKind::Bot), takes_json: false, scope: None, run }
}

const fn writing(name: &'static str, run: fn(&mut WorkspaceState, &Args) -> MethodAnswer) -> MethodSpec {
    MethodSpec {
        name,
        rate: MethodRate::TIER_3,
        token: Some(TokenKind::Bot),
        takes_json: true,
        scope: None,
        run,
    }
}

const fn chatting(name: &'static str, run: fn(&mut WorkspaceState, &Args) -> MethodAnswer) -> MethodSpec {
    MethodSpec { scope: Some("chat:write"), ..writing(name, run) }
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
fn open(_: &mut WorkspaceState, _: &Args) -> MethodAnswer {
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
