//! Reads the author of a message, and what the message says of people (ADR 78).
//!
//! Slack puts the app through which somebody posts beside the author, whether that is the app's own bot or a person who
//! lent it a token. So a message may name only those whom nobody else names: a bot without an account, and the author of
//! a post under a name of its own. What it says of everybody else is hearsay.

use myao_core::chat::{DatedUser, Event, Hearsay, HearsaySource, MessageTs, User, UserId};
use serde_json::Value;

use crate::{json, text};

/// Stands for the bot of an author of whom only a name is known (old webhooks).
const NAMELESS_BOT: &str = "bot";

/// Who wrote a message.
pub(super) struct MessageAuthor {
    pub(super) id: UserId,
    pub(super) name: Option<NameTold>,
    /// The app that posted, if the message says so.
    pub(super) app: Option<String>,
}

/// What a message says of somebody's name and kind.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum NameTold {
    /// The message is the only source there is.
    Only(User),
    /// Others know better.
    Hearsay(User, HearsaySource),
}

impl NameTold {
    /// The person or bot.
    pub fn user(&self) -> &User {
        match self {
            Self::Only(user) | Self::Hearsay(user, _) => user,
        }
    }

    /// The event that tells of them, of a message that was said at this moment.
    pub fn into_event(self, said_at: MessageTs) -> Event {
        match self {
            Self::Only(user) => Event::Dated(DatedUser::of_message(user, said_at)),
            Self::Hearsay(user, source) => Event::Hearsay(Hearsay { user, source, said_at }),
        }
    }
}

/// The author: the user, else the bot, else a bare name. `None` when nobody is named.
pub(super) fn author_of_message(raw: &Value) -> Option<MessageAuthor> {
    let commenter = raw.get("comment").and_then(|comment| json::text_of_field(comment, "user"));
    let user = json::text_of_field(raw, "user").or(commenter).and_then(valid_user_id);
    let bot = json::text_of_field(raw, "bot_id").and_then(valid_user_id);
    let profile = raw.get("bot_profile");
    let app_name = profile.and_then(|profile| name_under_key(profile, "name"));
    let may_rename = user.is_none() || json::text_of_field(raw, "subtype") == Some("bot_message");
    let shown = name_under_key(raw, "username").filter(|name| may_rename && Some(name) != app_name.as_ref());
    let (id, name) = match (user, bot, shown) {
        (user, bot, Some(name)) => {
            let account = user.or(bot);
            let id = UserId::under_name(account.as_ref().map_or(NAMELESS_BOT, UserId::as_str), &name);
            (id.clone(), Some(NameTold::Only(User { id, name, is_bot: true })))
        }
        (Some(user), _, None) => (user.clone(), hearsay_of_account(raw, user, app_name)),
        (None, Some(bot), None) => {
            let name = app_name.map(|name| NameTold::Only(User { id: bot.clone(), name, is_bot: true }));
            (bot, name)
        }
        (None, None, None) => {
            let name = app_name?;
            let id = UserId::under_name(NAMELESS_BOT, &name);
            (id.clone(), Some(NameTold::Only(User { id, name, is_bot: true })))
        }
    };
    let app = profile
        .and_then(|profile| json::text_of_field(profile, "app_id"))
        .or_else(|| json::text_of_field(raw, "app_id"));
    Some(MessageAuthor { id, name, app: app.map(|app| text::without_nul(app).into_owned()) })
}

/// What a message says of an author with an account. Whoever posts through an app counts as a bot until somebody who knows
/// says that it is a person.
fn hearsay_of_account(raw: &Value, id: UserId, app_name: Option<String>) -> Option<NameTold> {
    let is_bot = raw.get("bot_profile").is_some();
    let (name, source) = match raw.get("user_profile").and_then(name_in_profile) {
        Some(name) => (name, HearsaySource::Profile),
        None if is_bot => (app_name.unwrap_or_else(|| id.to_string()), HearsaySource::App),
        None => return None,
    };
    Some(NameTold::Hearsay(User { id, name, is_bot }, source))
}

/// What the label of a mention says: a name, and nothing of the kind.
pub(super) fn name_in_label(id: &str, label: &str) -> Option<NameTold> {
    let name = label.trim().trim_start_matches('@');
    let user = User { id: UserId::new(id), name: name.to_owned(), is_bot: false };
    (!name.is_empty()).then_some(NameTold::Hearsay(user, HearsaySource::Label))
}

/// A person's name, from a profile: the display name, else the real name, else the account's.
pub(crate) fn name_in_profile(profile: &Value) -> Option<String> {
    ["display_name", "real_name", "name"].iter().find_map(|key| name_under_key(profile, key))
}

pub(super) fn name_under_key(value: &Value, key: &str) -> Option<String> {
    let name = text::without_nul(json::text_of_field(value, key)?);
    Some(text::unescape_entities(name.trim()).into_owned()).filter(|name| !name.is_empty())
}

fn valid_user_id(text: &str) -> Option<UserId> {
    let id = text::without_nul(text);
    (!id.is_empty()).then(|| UserId::new(id))
}
