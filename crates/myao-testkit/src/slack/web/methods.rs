//! Which methods there are, and what each asks of its caller.

use serde_json::json;

use super::{Answer, args::Args, chat, conversations, courtesies, history, reactions, users};
use crate::slack::{identity, limits::Rate, state::State};

/// Of a method that is not there.
pub(super) const UNKNOWN_RATE: Rate = Rate::TIER_3;

/// A token's kind.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Token {
    /// `xoxb-…`
    Bot,
    /// `xapp-…`
    App,
}

/// One method (its page on docs.slack.dev).
pub(super) struct Method {
    pub(super) name: &'static str,
    pub(super) rate: Rate,
    /// The token it takes; none where either will do.
    pub(super) token: Option<Token>,
    /// Whether it takes JSON; all take forms.
    pub(super) takes_json: bool,
    /// The scope it needs; those that depend on the channel are checked where that is known.
    pub(super) scope: Option<&'static str>,
    pub(super) run: fn(&mut State, &Args) -> Answer,
}

impl Method {
    pub(super) fn of(name: &str) -> Option<&'static Self> {
        METHODS.iter().find(|method| method.name == name)
    }
}

const METHODS: [Method; 19] = [
    Method { token: None, rate: Rate::PerMinute(600), ..writing("auth.test", auth_test) },
    Method { token: Some(Token::App), rate: Rate::TIER_1, ..writing("apps.connections.open", open) },
    reading("users.conversations", Rate::TIER_3, conversations::of_bot),
    reading("conversations.list", Rate::TIER_2, conversations::list),
    reading("conversations.info", Rate::TIER_3, conversations::info),
    reading("conversations.members", Rate::TIER_4, conversations::members),
    reading("conversations.history", Rate::TIER_3, history::history),
    reading("conversations.replies", Rate::TIER_3, history::replies),
    Method { scope: Some("channels:join"), ..writing("conversations.join", conversations::join) },
    writing("conversations.leave", conversations::leave),
    Method { scope: Some("users:read"), ..reading("users.info", Rate::TIER_4, users::info) },
    Method { scope: Some("users:read"), ..reading("users.list", Rate::TIER_2, users::list) },
    Method { rate: Rate::PerSecondAndChannel, ..chatting("chat.postMessage", chat::post) },
    chatting("chat.update", chat::update),
    chatting("chat.delete", chat::delete),
    reading("chat.getPermalink", Rate::PerMinute(600), courtesies::permalink),
    Method { scope: Some("reactions:write"), ..writing("reactions.add", reactions::add) },
    Method { rate: Rate::PerMinute(600), ..chatting("assistant.threads.setStatus", courtesies::set_status) },
    Method { scope: Some("team:read"), ..reading("team.info", Rate::TIER_3, team_info) },
];

const fn reading(name: &'static str, rate: Rate, run: fn(&mut State, &Args) -> Answer) -> Method {
    Method { name, rate, token: Some(Token::Bot), takes_json: false, scope: None, run }
}

const fn writing(name: &'static str, run: fn(&mut State, &Args) -> Answer) -> Method {
    Method { name, rate: Rate::TIER_3, token: Some(Token::Bot), takes_json: true, scope: None, run }
}

const fn chatting(name: &'static str, run: fn(&mut State, &Args) -> Answer) -> Method {
    Method { scope: Some("chat:write"), ..writing(name, run) }
}

#[expect(clippy::unnecessary_wraps, reason = "the shape of every method")]
fn auth_test(_: &mut State, args: &Args) -> Answer {
    if args.token() == Some(identity::APP_TOKEN) {
        return Ok(json!({"app_name": identity::BOT_NAME, "app_id": identity::APP}));
    }
    Ok(json!({"url": identity::TEAM_URL, "team": identity::TEAM_NAME, "user": identity::BOT_NAME,
        "team_id": identity::TEAM, "user_id": identity::BOT_USER, "bot_id": identity::BOT,
        "is_enterprise_install": false}))
}

/// Where a socket may be opened; the URL is made by the server, which knows its address.
#[expect(clippy::unnecessary_wraps, reason = "the shape of every method")]
fn open(_: &mut State, _: &Args) -> Answer {
    Ok(json!({}))
}

#[expect(clippy::unnecessary_wraps, reason = "the shape of every method")]
fn team_info(_: &mut State, _: &Args) -> Answer {
    Ok(json!({"team": {"id": identity::TEAM, "name": identity::TEAM_NAME, "domain": "fake",
        "email_domain": "", "url": identity::TEAM_URL}}))
}
