//! One message, and its JSON as Slack writes it.

use myao_core::chat::{MessageTs, UserId};
use serde_json::{Map, Value, json};

use super::{
    blocks, identity,
    world::{FakeChannel, World},
};

/// The most repliers that a root names.
const MOST_REPLY_USERS: usize = 5;

/// A message as the workspace holds it.
#[derive(Clone)]
pub(super) struct FakeMessage {
    pub(super) ts: MessageTs,
    /// The root that it replies to. `None` for roots and other messages at top level.
    pub(super) thread_ts: Option<MessageTs>,
    pub(super) author: Author,
    pub(super) text: String,
    pub(super) subtype: Option<&'static str>,
    /// The blocks that the app sent, each with its `block_id`. `None` where Slack makes them of the text.
    pub(super) blocks: Option<Value>,
    pub(super) files: Vec<Value>,
    pub(super) attachments: Vec<Value>,
    pub(super) metadata: Option<Value>,
    pub(super) edited: Option<MessageEdit>,
    /// Fields of a notice besides its text.
    pub(super) extra: Map<String, Value>,
}

/// The author of a message.
#[derive(Clone)]
pub(super) enum Author {
    /// Somebody with an account, bots included.
    User(UserId),
    /// An incoming webhook under this name.
    Webhook(String),
}

/// The last edit of a message.
#[derive(Clone)]
pub(super) struct MessageEdit {
    pub(super) user: UserId,
    pub(super) ts: MessageTs,
}

/// The subtype of a reply that was also sent to the channel.
pub(super) const BROADCAST: &str = "thread_broadcast";

impl FakeMessage {
    pub(super) fn new(ts: MessageTs, author: Author, text: &str) -> Self {
        Self {
            ts,
            thread_ts: None,
            author,
            text: text.to_owned(),
            subtype: None,
            blocks: None,
            files: Vec::new(),
            attachments: Vec::new(),
            metadata: None,
            edited: None,
            extra: Map::new(),
        }
    }

    pub(super) fn is_by_bot(&self) -> bool {
        matches!(&self.author, Author::User(user) if user.as_str() == identity::BOT_USER)
    }

    pub(super) fn mentions_bot(&self) -> bool {
        self.text.contains(&format!("<@{}>", identity::BOT_USER))
            || self.text.contains(&format!("<@{}|", identity::BOT_USER))
    }

    /// Whether a history shows the message: it is not a reply, or it was sent to the channel too.
    pub(super) fn is_at_top(&self) -> bool {
        self.thread_ts.is_none() || self.subtype == Some(BROADCAST)
    }
}

/// How much of a message's metadata is shown.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Metadata {
    /// The whole metadata.
    Whole,
    /// Only its type. Slack leaves the payload out unless it is asked for.
    Stripped,
    /// Nothing, since events carry no metadata.
    None,
}

/// The object of `message` as it stands in `channel`.
pub(super) fn object_in_channel(
    world: &World,
    channel: &FakeChannel,
    message: &FakeMessage,
    metadata: Metadata,
) -> Value {
    let mut object = Map::new();
    put_field(&mut object, "type", "message");
    if let Some(subtype) = message.subtype {
        put_field(&mut object, "subtype", subtype);
    }
    put_field(&mut object, "text", message.text.as_str());
    put_author(&mut object, world, message);
    put_field(&mut object, "ts", message.ts.to_string());
    put_content(&mut object, message);
    put_thread(&mut object, world, channel, message);
    match (&message.metadata, metadata) {
        (Some(data), Metadata::Whole) => put_field(&mut object, "metadata", data.clone()),
        (Some(data), Metadata::Stripped) => {
            put_field(&mut object, "metadata", json!({"event_type": data.get("event_type")}));
        }
        (None, _) | (Some(_), Metadata::None) => {}
    }
    object.extend(message.extra.clone());
    Value::Object(object)
}

fn put_field(object: &mut Map<String, Value>, key: &str, value: impl Into<Value>) {
    object.insert(key.to_owned(), value.into());
}

fn put_author(object: &mut Map<String, Value>, world: &World, message: &FakeMessage) {
    let user = match &message.author {
        Author::Webhook(name) => {
            put_field(object, "username", name.as_str());
            put_field(object, "bot_id", "B0WEBHOOK1");
            return;
        }
        Author::User(user) => user,
    };
    put_field(object, "user", user.as_str());
    put_field(object, "team", identity::TEAM);
    let known = world.users.get(user);
    let Some(bot) = known.filter(|known| known.spec.is_bot) else {
        if message.subtype.is_none_or(|subtype| subtype == "file_share" || subtype == BROADCAST) {
            put_field(
                object,
                "client_msg_id",
                format!("fa4e0000-0000-4000-8000-{:012}", message.ts.as_micros()),
            );
        }
        return;
    };
    let own = user.as_str() == identity::BOT_USER;
    let id =
        if own { identity::BOT.to_owned() } else { format!("B{}", user.as_str().trim_start_matches('U')) };
    let app = if own { identity::APP } else { "A0OTHERAPP" };
    put_field(object, "bot_id", id.as_str());
    put_field(object, "app_id", app);
    let profile = json!({"id": id, "app_id": app, "user_id": user.as_str(), "name": bot.spec.name,
        "deleted": false, "updated": bot.updated, "team_id": identity::TEAM});
    put_field(object, "bot_profile", profile);
}

fn put_content(object: &mut Map<String, Value>, message: &FakeMessage) {
    let is_talk = matches!(message.subtype, None | Some(BROADCAST | "file_share" | "bot_message"));
    if let Some(given) = &message.blocks {
        put_field(object, "blocks", given.clone());
    } else if is_talk && !message.text.is_empty() {
        put_field(object, "blocks", blocks::rich_text(&message.text));
    }
    if !message.files.is_empty() {
        put_field(object, "files", message.files.clone());
        put_field(object, "upload", false);
    }
    if !message.attachments.is_empty() {
        put_field(object, "attachments", message.attachments.clone());
    }
    if let Some(edit) = &message.edited {
        put_field(object, "edited", json!({"user": edit.user.as_str(), "ts": edit.ts.to_string()}));
    }
}

fn put_thread(object: &mut Map<String, Value>, world: &World, channel: &FakeChannel, message: &FakeMessage) {
    if let Some(root) = message.thread_ts {
        put_field(object, "thread_ts", root.to_string());
        let Some(parent) = channel.messages.get(&root) else { return };
        if let Author::User(user) = &parent.author {
            put_field(object, "parent_user_id", user.as_str());
        }
        if message.subtype == Some(BROADCAST) {
            put_field(object, "root", object_in_channel(world, channel, parent, Metadata::None));
        }
        return;
    }
    let Some(latest) = channel.replies(message.ts).next_back() else { return };
    let mut repliers: Vec<&str> = Vec::new();
    for reply in channel.replies(message.ts) {
        if let Author::User(user) = &reply.author
            && !repliers.contains(&user.as_str())
        {
            repliers.push(user.as_str());
        }
    }
    put_field(object, "thread_ts", message.ts.to_string());
    put_field(object, "reply_count", channel.replies(message.ts).count());
    put_field(object, "reply_users_count", repliers.len());
    put_field(object, "latest_reply", latest.ts.to_string());
    repliers.truncate(MOST_REPLY_USERS);
    put_field(object, "reply_users", repliers);
    put_field(object, "is_locked", false);
    put_field(object, "subscribed", false);
}
