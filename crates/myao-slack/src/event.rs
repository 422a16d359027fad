//! Reads deliveries of the Events API (docs.slack.dev/reference/events) as events for the archive, and as news that call
//! for action.
//!
//! Order and repetition do not matter: everything is named by what it is about (the message, the channel),
//! never by the event that told of it. So a mention, which Slack delivers twice, as `message` and as
//! `app_mention`, is one message. A change carries the instant of its event, which decides where the message itself names
//! no edit.

mod kind;
mod place;
mod vote;

use std::{borrow::Cow, collections::BTreeSet};

use myao_core::chat::{AnswerStop, ChannelId, Event, Interaction, MessageTs, Place, Telling, UserId};
use serde_json::{Value, json};

use crate::{
    directory::BotIdentity,
    interaction, json,
    message::{self, Reading, excerpt_of_name},
    person::SlackPerson,
    text,
};
use kind::EventKind;

pub use place::ChannelHint;

/// Notices after which a channel is private, and those after which its name or kind may have changed.
const CLOSING: [&str; 1] = ["channel_convert_to_private"];
const CHANGING: [&str; 5] =
    ["channel_convert_to_public", "channel_name", "group_name", "channel_unarchive", "group_unarchive"];

/// How the type ends of a channel that somebody looks at.
const CHANNEL_IN_VIEW: &str = "/channel_id";
/// The most of them that are believed; Slack names what matters most first.
const MOST_IN_VIEW: usize = 5;

/// The content of one delivery.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct DeliveryContent {
    /// Events for the archive. Empty when the delivery concerns nothing we keep.
    pub events: Vec<Event>,
    /// What else is to be done, before the delivery is acknowledged or at the next start at the latest.
    pub news: Vec<News>,
    /// What it says about the channel it happened in.
    pub channel: Option<ChannelHint>,
    /// What somebody asks by a command or a button.
    pub interaction: Option<Box<Interaction>>,
}

/// Something to be done that is no event of the archive.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum News {
    /// We are in this channel now: look it up and catch up.
    Joined(ChannelId),
    /// Much of its history up to an instant was changed or removed at once: read it again.
    HistoryChanged {
        /// The channel.
        channel: ChannelId,
        /// The last message that may have changed.
        until: MessageTs,
    },
    /// We are no longer in it, or it is gone.
    Left(ChannelId),
    /// Its name or kind may have changed: look it up.
    Changed(ChannelId),
    /// It turned private, or people from elsewhere take part from now on: nothing said in it is shown
    /// elsewhere until it has been looked up.
    Closed(ChannelId),
    /// The channel has a new id from now on.
    Renumbered {
        /// The old id.
        from: ChannelId,
        /// The new id.
        to: ChannelId,
    },
    /// Somebody else joined a channel: if they are from outside, the channel is external from now on.
    Arrived {
        /// The channel.
        channel: ChannelId,
        /// Who joined.
        user: UserId,
    },
    /// Somebody else left a channel.
    Departed,
    /// Somebody opened the app's Messages tab, which are their direct messages with us.
    MessagesOpened {
        /// The direct messages.
        channel: ChannelId,
        /// Who opened it.
        user: UserId,
    },
    /// Somebody looks at other channels than before, beside their direct messages with us.
    InView {
        /// Who it is, if that is told.
        user: Option<UserId>,
        /// Their direct messages with us, if these are told.
        direct_messages: Option<ChannelId>,
        /// The channels; empty if none is in view.
        channels: BTreeSet<ChannelId>,
    },
    /// Somebody is, or has become, a guest or a stranger: channels they are in are external.
    Outsider(UserId),
    /// Slack had more events than it delivers in a minute, and dropped the rest: catch up everywhere.
    Dropped,
    /// The app was removed or its tokens were revoked.
    Revoked,
}

/// Reads one delivery of a socket by Slack's name of its `kind`. `envelope` is the id of its envelope, if it has one;
/// `own` are our own ids.
///
/// What is not understood, such as an event of an unknown kind, becomes an [`Event::Unread`] named by the event's id.
pub fn read_delivery(
    kind: &str,
    envelope: Option<&str>,
    payload: &Value,
    own: &BotIdentity,
) -> DeliveryContent {
    match kind {
        "events_api" => read_payload(payload, own),
        "interactive" | "slash_commands" => {
            let read = if kind == "interactive" {
                interaction::read_interactive(envelope, payload, own)
            } else {
                interaction::read_command(envelope, payload, own)
            };
            let key = format!("envelope/{}", envelope.unwrap_or(kind));
            let kept = interaction::without_words(payload);
            let unread = || content_of_unread(&key, &kept, "it does not say who asks".to_owned());
            read.map_or_else(unread, content_of_interaction)
        }
        other => {
            let id = envelope.map(|id| format!("envelope/{id}"));
            let key = id.or_else(|| json::text_of_field(payload, "key").map(str::to_owned));
            let error = format!("`{}` is no kind of delivery", excerpt_of_name(other));
            content_of_unread(key.as_deref().unwrap_or("envelope"), payload, error)
        }
    }
}

/// Reads the payload of an event, which Socket Mode delivers in an envelope and HTTP without one.
pub fn read_payload(payload: &Value, own: &BotIdentity) -> DeliveryContent {
    if json::text_of_field(payload, "type") == Some("app_rate_limited") {
        return DeliveryContent { news: vec![News::Dropped], ..DeliveryContent::default() };
    }
    let Some(event) = payload.get("event").filter(|event| event.is_object()) else {
        return content_of_unread(&key_of_unread(payload), payload, "no event in it".to_owned());
    };
    let name = json::text_of_field(event, "type").unwrap_or_default();
    let kind = EventKind::of(name);
    let heard = match kind {
        Some(EventKind::Message) => about_message(payload, event, own),
        Some(EventKind::Person) => read_person(event, own),
        Some(EventKind::Channel(what)) => read_channel_change(what, event, own),
        Some(EventKind::Stop) => read_stop(payload, event),
        Some(EventKind::Reaction { is_taken_back }) => vote::read_reaction(event, is_taken_back, own),
        Some(EventKind::Home) => Some(read_tab(payload, event)),
        Some(EventKind::Context) => Some(read_context(event)),
        Some(EventKind::Revoked) => Some(read_revoked_tokens(event)),
        Some(EventKind::Nothing) => Some(DeliveryContent::default()),
        None => Some(content_of_unread(
            &key_of_unread(payload),
            payload,
            format!("unknown event `{}`", excerpt_of_name(name)),
        )),
    };
    let heard = heard.unwrap_or_else(|| {
        content_of_unread(&key_of_unread(payload), payload, format!("`{name}` does not say what it is about"))
    });
    DeliveryContent { channel: ChannelHint::read(payload, event), ..heard }
}

/// Reads a `message`, or an `app_mention`, which repeats one. `None` when it names no channel.
fn about_message(payload: &Value, event: &Value, own: &BotIdentity) -> Option<DeliveryContent> {
    let channel = json::text_of_field(event, "channel").map(text::without_nul).filter(|id| !id.is_empty())?;
    let channel = ChannelId::new(channel);
    if is_own_growing(event, own) {
        return Some(DeliveryContent::default());
    }
    let mut heard = match message::read_message_object(&channel, &as_message(event)) {
        Ok(mut reading) => {
            if let (Reading::Said(said), Some("app_mention")) =
                (&mut reading, json::text_of_field(event, "type"))
            {
                said.telling = Telling::Mentioned;
            }
            DeliveryContent { events: reading.into_events(), ..DeliveryContent::default() }
        }
        Err(misread) => {
            content_of_unread(&unread_key(&channel, payload, event), payload, misread.to_string())
        }
    };
    let subtype = json::text_of_field(event, "subtype").unwrap_or_default();
    if CLOSING.contains(&subtype) {
        heard.news.push(News::Closed(channel));
    } else if CHANGING.contains(&subtype) {
        heard.news.push(News::Changed(channel));
    }
    Some(heard)
}

/// Whether it tells of a message of ours that still grows: that is a view of an answer, which is kept when it is whole.
fn is_own_growing(event: &Value, own: &BotIdentity) -> bool {
    let message = event.get("message").unwrap_or(event);
    let authors = ["user", "bot_id"].iter().filter_map(|key| json::text_of_field(message, key));
    json::text_of_field(message, "streaming_state") == Some("in_progress")
        && authors.map(UserId::new).any(|author| own.is(&author))
}

/// An `app_mention` as the `message` that it repeats; any other event unchanged.
fn as_message(event: &Value) -> Cow<'_, Value> {
    if json::text_of_field(event, "type") != Some("app_mention") {
        return Cow::Borrowed(event);
    }
    let mut message = event.clone();
    if let Some(fields) = message.as_object_mut() {
        fields.insert("type".to_owned(), json!("message"));
    }
    Cow::Owned(message)
}

/// The key of an unread message: its channel and time stamp, as everywhere else. A change that cannot be read has the
/// event's key, since a message may be changed many times.
fn unread_key(channel: &ChannelId, payload: &Value, event: &Value) -> String {
    let is_change = event.get("message").is_some() || event.get("deleted_ts").is_some();
    if is_change {
        return key_of_unread(payload);
    }
    message::unread_key(channel, event).unwrap_or_else(|| key_of_unread(payload))
}

fn read_person(event: &Value, own: &BotIdentity) -> Option<DeliveryContent> {
    let person = SlackPerson::read(event.get("user")?, &own.team)?;
    let news = if person.outside { vec![News::Outsider(person.user.id.clone())] } else { Vec::new() };
    Some(DeliveryContent { events: vec![person.into_event()], news, ..DeliveryContent::default() })
}

fn read_channel_change(
    what: kind::ChannelChange,
    event: &Value,
    own: &BotIdentity,
) -> Option<DeliveryContent> {
    use kind::ChannelChange;
    let id = || {
        let field = event.get("channel")?;
        let id = field.as_str().or_else(|| json::text_of_field(field, "id"))?;
        Some(ChannelId::new(text::without_nul(id)))
    };
    let about = match what {
        ChannelChange::Renumbered => {
            let id = |key| json::text_of_field(event, key).map(|id| ChannelId::new(text::without_nul(id)));
            News::Renumbered { from: id("old_channel_id")?, to: id("new_channel_id")? }
        }
        ChannelChange::Joined => News::Joined(id()?),
        ChannelChange::Left => News::Left(id()?),
        ChannelChange::HistoryChanged => {
            // Slack says up to where, and else when.
            let until = ["latest", "ts", "event_ts"]
                .iter()
                .find_map(|key| json::text_of_field(event, key)?.parse().ok())?;
            News::HistoryChanged { channel: id()?, until }
        }
        ChannelChange::Changed => News::Changed(id()?),
        ChannelChange::Closed => News::Closed(id()?),
        // One that names no channel invites us elsewhere.
        ChannelChange::OutsidersInvited => match id() {
            Some(id) => News::Closed(id),
            None => return Some(DeliveryContent::default()),
        },
        ChannelChange::MemberJoined | ChannelChange::MemberLeft => {
            let user = UserId::new(text::without_nul(json::text_of_field(event, "user")?));
            match (own.is(&user), what) {
                (true, ChannelChange::MemberLeft) => News::Left(id()?),
                (true, _) => News::Joined(id()?),
                // That the last guest has left is found out when the channel is looked up next.
                (false, ChannelChange::MemberLeft) => News::Departed,
                (false, _) => News::Arrived { channel: id()?, user },
            }
        }
    };
    Some(content_of_news(about))
}

/// Somebody pressed stop (`agent_session_stopped`) in a thread, or at top level if none is named. `None` if it is not told
/// where, or when.
fn read_stop(payload: &Value, event: &Value) -> Option<DeliveryContent> {
    let text = |key| json::text_of_field(event, key).map(text::without_nul).filter(|text| !text.is_empty());
    let channel = ChannelId::new(text("channel").or_else(|| text("channel_id"))?);
    let thread = match text("thread_ts") {
        // Slack writes 0 for none.
        None => None,
        Some(ts) if ts == "0" => None,
        // Whatever thread is meant otherwise, it is not the top level.
        Some(ts) => Some(ts.parse().ok()?),
    };
    // The payload tells whole seconds; what was said in that second was said before.
    let second = || {
        Some(MessageTs::from_micros(0).plus_seconds(payload.get("event_time")?.as_i64()? + 1).just_before())
    };
    let at = ["event_ts", "ts"].iter().find_map(|key| text(key)?.parse().ok()).or_else(second)?;
    let by = text("user").or_else(|| text("user_id")).map(UserId::new);
    let stop = AnswerStop { place: Place { channel, thread }, by, at };
    Some(DeliveryContent { events: vec![Event::AnswerStopped(stop)], ..DeliveryContent::default() })
}

/// Somebody opened one of our tabs.
fn read_tab(payload: &Value, event: &Value) -> DeliveryContent {
    if let Some(opened) = interaction::read_home(&key_of_unread(payload), event) {
        return content_of_interaction(opened);
    }
    let told = |key| json::text_of_field(event, key).filter(|id| !id.is_empty());
    let news = match (told("tab"), told("channel"), told("user")) {
        (Some("messages"), Some(channel), Some(user)) => {
            vec![News::MessagesOpened { channel: ChannelId::new(channel), user: UserId::new(user) }]
        }
        _ => Vec::new(),
    };
    DeliveryContent { news, ..DeliveryContent::default() }
}

/// Somebody looks at something else beside their direct messages with us (`app_context_changed`). What is no channel is left
/// out: nothing that we know is found by it.
fn read_context(event: &Value) -> DeliveryContent {
    let told = |key| json::text_of_field(event, key).filter(|id| !id.is_empty());
    let user = told("user").or_else(|| told("user_id")).map(UserId::new);
    let direct_messages = told("channel").or_else(|| told("channel_id")).map(ChannelId::new);
    if user.is_none() && direct_messages.is_none() {
        return DeliveryContent::default();
    }
    let entities = event.get("context").map(|context| json::list_of_field(context, "entities"));
    let channels = entities.unwrap_or_default().iter().filter(|entity| {
        json::text_of_field(entity, "type").is_some_and(|kind| kind.ends_with(CHANNEL_IN_VIEW))
    });
    let id = |entity| json::text_of_field(entity, "value").filter(|id| !id.is_empty()).map(ChannelId::new);
    let channels = channels.filter_map(id).take(MOST_IN_VIEW).collect();
    content_of_news(News::InView { user, direct_messages, channels })
}

/// People's own tokens, which we do not use, are revoked now and then as well.
fn read_revoked_tokens(event: &Value) -> DeliveryContent {
    let of_people_only =
        event.get("tokens").is_some_and(|tokens| json::list_of_field(tokens, "bot").is_empty());
    if of_people_only { DeliveryContent::default() } else { content_of_news(News::Revoked) }
}

fn content_of_interaction(interaction: Interaction) -> DeliveryContent {
    DeliveryContent { interaction: Some(Box::new(interaction)), ..DeliveryContent::default() }
}

fn content_of_news(news: News) -> DeliveryContent {
    DeliveryContent { news: vec![news], ..DeliveryContent::default() }
}

fn content_of_unread(key: &str, raw: &Value, error: String) -> DeliveryContent {
    let key = text::without_nul(key).into_owned();
    let raw = text::without_nul(&raw.to_string()).into_owned();
    DeliveryContent { events: vec![Event::Unread { key, raw, error }], ..DeliveryContent::default() }
}

/// The key of an unread event: its id, which a redelivery repeats.
fn key_of_unread(payload: &Value) -> String {
    let id = json::text_of_field(payload, "event_id").map(|id| format!("event/{id}"));
    id.unwrap_or_else(|| {
        let time = payload.get("event_time").and_then(Value::as_i64).unwrap_or_default();
        format!("event/{time}")
    })
}
