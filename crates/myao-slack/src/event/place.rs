//! Reads what an event says of the channel that it happened in. Whatever says least of who is there counts: an event may
//! close a place, only a lookup opens one (ADR 30, 92).

use myao_core::chat::{Channel, ChannelId, ChannelKind};
use serde_json::Value;

use crate::{directory::shared_with_others, json, person, text};

/// The flags of a channel's object that tell its kind.
const FLAGS: [(&str, ChannelKind); 4] = [
    ("is_im", ChannelKind::Dm),
    ("is_mpim", ChannelKind::GroupDm),
    ("is_private", ChannelKind::Private),
    ("is_group", ChannelKind::Private),
];
/// How the names of events begin that are about channels of one kind.
const FAMILIES: [(&str, ChannelKind); 3] =
    [("im_", ChannelKind::Dm), ("mpim_", ChannelKind::GroupDm), ("group_", ChannelKind::Private)];

/// What an event says about its channel. It is enough to treat an unknown channel with care, to close one that counts as
/// open, and to recognise a direct message; it is not enough to show a channel to others.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ChannelHint {
    /// The channel.
    pub id: ChannelId,
    /// Its kind; unknown if the event does not tell.
    pub kind: ChannelKind,
    /// Whether people from outside take part: every event in a channel that another organisation shares says so, and a
    /// message of a guest does.
    pub external: bool,
    /// Whether we are in it, or this would not have been delivered: it is a message.
    pub we_are_in: bool,
}

impl ChannelHint {
    /// The channel of any event, and what the event and its payload say of it. `None` if it names no channel.
    pub(super) fn read(payload: &Value, event: &Value) -> Option<Self> {
        let name = json::text_of_field(event, "type").unwrap_or_default();
        let object = event.get("channel").filter(|channel| channel.is_object()).unwrap_or(&Value::Null);
        let id = json::text_of_field(event, "channel")
            .or_else(|| json::text_of_field(object, "id"))
            .or_else(|| json::text_of_field(event, "channel_id"))
            .or_else(|| json::text_of_field(event.get("item")?, "channel"))?;
        let id = Some(text::without_nul(id)).filter(|id| !id.is_empty())?;
        let profile = event.get("user_profile").unwrap_or(&Value::Null);
        Some(Self {
            id: ChannelId::new(id),
            kind: kind_of_channel(name, event, object),
            external: json::is_true(payload, "is_ext_shared_channel")
                || shared_with_others(object)
                || shared_with_others(event)
                || person::is_guest(profile),
            we_are_in: matches!(name, "message" | "app_mention"),
        })
    }

    /// The channel as it is stored, with what this says less of; `None` if it says nothing new. What counts as closed
    /// stays closed.
    pub fn narrowed(&self, stored: &Channel) -> Option<Channel> {
        let is_closed = !matches!(self.kind, ChannelKind::Public | ChannelKind::Unknown);
        let kind = if stored.kind == ChannelKind::Public && is_closed { self.kind } else { stored.kind };
        let external = stored.external || self.external;
        ((kind, external) != (stored.kind, stored.external)).then(|| Channel {
            kind,
            external,
            ..stored.clone()
        })
    }

    /// Whether it says that not everybody of the workspace may see the channel.
    pub fn closes(&self) -> bool {
        self.external || !matches!(self.kind, ChannelKind::Public | ChannelKind::Unknown)
    }
}

fn kind_of_channel(name: &str, event: &Value, object: &Value) -> ChannelKind {
    let flagged = FLAGS.iter().find(|(flag, _)| json::is_true(object, flag));
    let family = || FAMILIES.iter().find(|(family, _)| name.starts_with(family));
    if let Some((_, kind)) = flagged.or_else(family) {
        return *kind;
    }
    // Messages name the type, comings and goings only its letter.
    match json::text_of_field(event, "channel_type") {
        Some("channel" | "C") => ChannelKind::Public,
        Some("group" | "G") => ChannelKind::Private,
        Some("im" | "app_home" | "D") => ChannelKind::Dm,
        Some("mpim") => ChannelKind::GroupDm,
        _ => ChannelKind::Unknown,
    }
}
