//! Reads the author of a message.

use myao_core::chat::{User, UserId};
use serde_json::Value;

use crate::{json, text};

/// Prefix of the id of an author of whom only a name is known, so that it cannot be taken for one of Slack's ids.
const NAMED_ONLY: &str = "bot:";

/// The author's id, and the author when the object tells a name: the user, else the bot, else a bare user name
/// (old webhooks). `None` when nobody is named.
pub(super) fn of(raw: &Value) -> Option<(UserId, Option<User>)> {
    let commenter = raw.get("comment").and_then(|comment| json::text(comment, "user"));
    if let Some(user) = json::text(raw, "user").or(commenter) {
        let id = id(user)?;
        let profile = raw.get("user_profile");
        let name = profile.and_then(called).or_else(|| bot_name(raw));
        let is_bot = profile.is_none() && raw.get("bot_profile").is_some();
        return Some((id.clone(), name.map(|name| User { id, name, is_bot })));
    }
    let name = bot_name(raw);
    let id = match json::text(raw, "bot_id").and_then(id) {
        Some(id) => id,
        None => UserId::new(format!("{NAMED_ONLY}{}", name.as_ref()?)),
    };
    Some((id.clone(), name.map(|name| User { id, name, is_bot: true })))
}

/// A person's name, from a profile: the display name, else the real name, else the account's.
pub(crate) fn called(profile: &Value) -> Option<String> {
    ["display_name", "real_name", "name"].iter().find_map(|key| named(profile, key))
}

fn bot_name(raw: &Value) -> Option<String> {
    let profile = raw.get("bot_profile");
    named(raw, "username").or_else(|| profile.and_then(|profile| named(profile, "name")))
}

fn named(value: &Value, key: &str) -> Option<String> {
    let name = text::clean(json::text(value, key)?);
    Some(text::unescape(name.trim()).into_owned()).filter(|name| !name.is_empty())
}

fn id(text: &str) -> Option<UserId> {
    let id = text::clean(text);
    (!id.is_empty()).then(|| UserId::new(id))
}
