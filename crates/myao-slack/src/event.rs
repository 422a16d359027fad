//! The Events API (docs.slack.dev/reference/events): what happened, as the archive takes it, and what else
//! is to be done about it.
//!
//! Order and repetition do not matter: everything is named by what it is about (the message, the channel),
//! never by the event that told of it. So a mention, which Slack tells twice, as `message` and as
//! `app_mention`, is one message.

mod kinds;
mod said;

use myao_core::chat::{ChannelId, ChannelKind, Event, UserId};
use serde_json::Value;

use crate::{directory::Own, json, message::excerpt, person::Person, socket::Delivery, text};
use kinds::Kind;

/// What one delivery tells.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Heard {
    /// For the archive. Empty when the delivery concerns nothing we keep.
    pub events: Vec<Event>,
    /// What is to be done besides, before the delivery is acknowledged or at the next start at the latest.
    pub news: Vec<News>,
    /// What it says, in passing, of the channel it happened in.
    pub channel: Option<Glimpse>,
}

/// What an event says of its channel in passing. Enough to be careful with a channel that is not known yet,
/// and to know a direct message for what it is; not enough to show a channel to others.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Glimpse {
    /// Which one.
    pub id: ChannelId,
    /// Its kind; unknown where the event does not tell.
    pub kind: ChannelKind,
    /// Whether another organisation shares it: told of every event in such a channel.
    pub external: bool,
}

/// Something to be done that is no event of the archive.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum News {
    /// We are in this channel now, or its history changed unseen: look it up and catch up.
    Joined(ChannelId),
    /// We are no longer in it, or it is gone.
    Left(ChannelId),
    /// Its name or standing may have changed: look it up.
    Changed(ChannelId),
    /// It turned private, or people from elsewhere take part from now on: what was said in it is shown
    /// nowhere else until it has been looked up.
    Closed(ChannelId),
    /// It has another id from now on, and is the same channel.
    Renumbered {
        /// What it was called.
        from: ChannelId,
        /// What it is called.
        to: ChannelId,
    },
    /// Somebody else joined a channel: if they are from outside, so is the channel from now on.
    Arrived {
        /// Which channel.
        channel: ChannelId,
        /// Who.
        user: UserId,
    },
    /// Somebody is, or has become, a guest or a stranger: channels they are in are external.
    Outsider(UserId),
    /// Slack had more to tell than it tells in a minute, and dropped the rest: catch up everywhere.
    Dropped,
    /// The app was removed or its tokens were revoked.
    Revoked,
}

/// Reads one delivery of a socket. `own` tells us from everybody else.
///
/// What is not understood, a kind of event included that nobody has heard of, becomes an [`Event::Unread`]
/// named by the event's own id.
pub fn read(delivery: &Delivery, own: &Own) -> Heard {
    match delivery.kind.as_str() {
        "events_api" => read_payload(&delivery.raw, own),
        // Buttons and commands, which we have none of.
        "interactive" | "slash_commands" => Heard::default(),
        other => {
            let id = delivery.envelope.as_ref().map(|envelope| format!("envelope/{}", envelope.id()));
            let key = id.or_else(|| json::text(&delivery.raw, "key").map(str::to_owned));
            let error = format!("`{}` is no kind of delivery", excerpt(other));
            unread(key.as_deref().unwrap_or("envelope"), &delivery.raw, error)
        }
    }
}

/// Reads the payload of an event: what Socket Mode delivers in an envelope, and HTTP as it is.
pub fn read_payload(payload: &Value, own: &Own) -> Heard {
    if json::text(payload, "type") == Some("app_rate_limited") {
        return Heard { news: vec![News::Dropped], ..Heard::default() };
    }
    let Some(event) = payload.get("event").filter(|event| event.is_object()) else {
        return unread(&key(payload), payload, "no event in it".to_owned());
    };
    let name = json::text(event, "type").unwrap_or_default();
    let Some(kind) = Kind::of(name) else {
        return unread(&key(payload), payload, format!("unknown event `{}`", excerpt(name)));
    };
    let heard = match kind {
        Kind::Message => said::read(payload, event),
        Kind::Person => person(event, own),
        Kind::Channel(what) => channel(what, event, own),
        Kind::Revoked => Some(revoked(event)),
        Kind::Nothing => Some(Heard::default()),
    };
    heard.unwrap_or_else(|| unread(&key(payload), payload, format!("`{name}` does not say what it is about")))
}

fn person(event: &Value, own: &Own) -> Option<Heard> {
    let Person { user, outside } = Person::read(event.get("user")?, &own.team)?;
    let news = if outside { vec![News::Outsider(user.id.clone())] } else { Vec::new() };
    Some(Heard { events: vec![Event::User(user)], news, channel: None })
}

fn channel(what: kinds::About, event: &Value, own: &Own) -> Option<Heard> {
    use kinds::About;
    let id = || {
        let field = event.get("channel")?;
        let id = field.as_str().or_else(|| json::text(field, "id"))?;
        Some(ChannelId::new(text::clean(id)))
    };
    let about = match what {
        About::Renumbered => {
            let id = |key| json::text(event, key).map(|id| ChannelId::new(text::clean(id)));
            News::Renumbered { from: id("old_channel_id")?, to: id("new_channel_id")? }
        }
        About::Joined => News::Joined(id()?),
        About::Left => News::Left(id()?),
        About::Changed => News::Changed(id()?),
        About::Closed => News::Closed(id()?),
        About::MemberJoined | About::MemberLeft => {
            let user = UserId::new(text::clean(json::text(event, "user")?));
            match (own.is(&user), what) {
                (true, About::MemberLeft) => News::Left(id()?),
                (true, _) => News::Joined(id()?),
                // A channel without its last guest is found open at the next look.
                (false, About::MemberLeft) => return Some(Heard::default()),
                (false, _) => News::Arrived { channel: id()?, user },
            }
        }
    };
    Some(news(about))
}

/// People's own tokens, which we use none of, are revoked now and then as well.
fn revoked(event: &Value) -> Heard {
    let of_people_only = event.get("tokens").is_some_and(|tokens| json::list(tokens, "bot").is_empty());
    if of_people_only { Heard::default() } else { news(News::Revoked) }
}

fn news(news: News) -> Heard {
    Heard { news: vec![news], ..Heard::default() }
}

fn unread(key: &str, raw: &Value, error: String) -> Heard {
    let (key, raw) = (text::clean(key).into_owned(), text::clean(&raw.to_string()).into_owned());
    Heard { events: vec![Event::Unread { key, raw, error }], ..Heard::default() }
}

/// What names this occurrence: the event's id, which a redelivery repeats.
fn key(payload: &Value) -> String {
    let id = json::text(payload, "event_id").map(|id| format!("event/{id}"));
    id.unwrap_or_else(|| {
        let time = payload.get("event_time").and_then(Value::as_i64).unwrap_or_default();
        format!("event/{time}")
    })
}
