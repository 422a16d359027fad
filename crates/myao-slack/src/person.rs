//! One person of Slack's JSON.

use myao_core::chat::{User, UserId};
use serde_json::Value;

use crate::{json, message, text};

/// Slack's own bot, which is not marked as one.
const SLACKBOT: &str = "USLACKBOT";

/// Somebody, and whether they come from outside the workspace.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SlackPerson {
    /// Who it is.
    pub user: User,
    /// Whether it is a guest or belongs to another workspace: where such people are, a channel is external
    /// (SPEC §6). Not of somebody who has left.
    pub outside: bool,
}

impl SlackPerson {
    /// From an object of `users.info`, `users.list`, `user_change` or `team_join`, read for the workspace
    /// `team`. None without an id.
    pub fn read(raw: &Value, team: &str) -> Option<Self> {
        let id = json::text(raw, "id").map(text::clean).filter(|id| !id.is_empty())?.into_owned();
        let profile = raw.get("profile").unwrap_or(&Value::Null);
        // `name` is the account: only when the profile has nothing that people chose.
        let name = message::called(profile).or_else(|| message::called(raw)).unwrap_or_else(|| id.clone());
        let is_bot = json::flag(raw, "is_bot") || id == SLACKBOT;
        let marked = ["is_restricted", "is_ultra_restricted", "is_stranger"];
        let marked = marked.iter().any(|mark| json::flag(raw, mark));
        // In an organisation of several workspaces the people of all of them are at home.
        let at_home = raw.get("enterprise_user").is_some()
            || json::text(raw, "team_id").is_none_or(|own| own == team)
            || id == SLACKBOT;
        let outside = (marked || !at_home) && !json::flag(raw, "deleted");
        Some(Self { user: User { id: UserId::new(id), name, is_bot }, outside })
    }
}
