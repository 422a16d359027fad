//! Reads a person from Slack's JSON.

use myao_core::chat::{Event, MessageTs, User, UserId};
use serde_json::Value;

use crate::{json, message, text};

/// Slack's own bot, which is not marked as one.
const SLACKBOT: &str = "USLACKBOT";

/// A person or bot, and whether they come from outside the workspace.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SlackPerson {
    /// The person.
    pub user: User,
    /// Whether it is a guest or belongs to another workspace: a channel with such people is external
    /// (specification §6). False for somebody who has left.
    pub outside: bool,
    /// Whether the account is deactivated: Slack still tells the name.
    pub has_left: bool,
}

impl SlackPerson {
    /// Reads an object of `users.info`, `users.list`, `user_change` or `team_join` for the workspace `team`. `None`
    /// without an id.
    pub fn read(raw: &Value, team: &str) -> Option<Self> {
        let user = user_of_object(raw)?;
        // In an organisation of several workspaces the people of all of them are at home.
        let at_home = raw.get("enterprise_user").is_some()
            || json::text_of_field(raw, "team_id").is_none_or(|own| own == team)
            || user.id.as_str() == SLACKBOT;
        let outside = is_guest(raw) || (!at_home && !has_left(raw));
        Some(Self { user, outside, has_left: has_left(raw) })
    }

    /// The event that tells of them.
    pub fn into_event(self) -> Event {
        if self.has_left { Event::Departed(self.user) } else { Event::User(self.user) }
    }
}

/// The person or bot of such an object, in an export as well. `None` without an id.
pub(crate) fn user_of_object(raw: &Value) -> Option<User> {
    let id = json::text_of_field(raw, "id").map(text::without_nul).filter(|id| !id.is_empty())?.into_owned();
    let profile = raw.get("profile").unwrap_or(&Value::Null);
    // `name` is the account: only when the profile has nothing that people chose.
    let name = message::name_in_profile(profile)
        .or_else(|| message::name_in_profile(raw))
        .unwrap_or_else(|| id.clone());
    let is_bot = json::is_true(raw, "is_bot") || id == SLACKBOT;
    Some(User { id: UserId::new(id), name, is_bot })
}

/// Whether an account is deactivated.
pub(crate) fn has_left(raw: &Value) -> bool {
    json::is_true(raw, "deleted")
}

/// When a profile was last changed; `None` if that is not told.
pub(crate) fn changed_at(raw: &Value) -> Option<MessageTs> {
    let seconds = raw.get("updated")?.as_i64().filter(|seconds| *seconds > 0)?;
    Some(MessageTs::from_micros(seconds.checked_mul(1_000_000)?))
}

/// Whether somebody who has not left is marked as a guest or stranger.
pub(crate) fn is_guest(raw: &Value) -> bool {
    let marks = ["is_restricted", "is_ultra_restricted", "is_stranger"];
    marks.iter().any(|mark| json::is_true(raw, mark)) && !has_left(raw)
}
