//! Reads events about messages.

use std::borrow::Cow;

use myao_core::chat::{ChannelId, ChannelKind};
use serde_json::{Value, json};

use super::{ChannelHint, DeliveryContent, News, key, unread};
use crate::{json, message, text};

/// Notices after which a channel is private, and those after which its name or kind may have changed.
const CLOSING: [&str; 1] = ["channel_convert_to_private"];
const CHANGING: [&str; 5] =
    ["channel_convert_to_public", "channel_name", "group_name", "channel_unarchive", "group_unarchive"];

/// Reads a `message`, or an `app_mention`, which repeats one. `None` when it names no channel.
pub(super) fn read(payload: &Value, event: &Value) -> Option<DeliveryContent> {
    let channel = json::text(event, "channel").map(text::clean).filter(|id| !id.is_empty())?;
    let channel = ChannelId::new(channel);
    let mut heard = match message::read(&channel, &as_message(event)) {
        Ok(reading) => DeliveryContent { events: reading.into_events(), ..DeliveryContent::default() },
        Err(misread) => unread(&unread_key(&channel, payload, event), payload, misread.to_string()),
    };
    let subtype = json::text(event, "subtype").unwrap_or_default();
    if CLOSING.contains(&subtype) {
        heard.news.push(News::Closed(channel.clone()));
    } else if CHANGING.contains(&subtype) {
        heard.news.push(News::Changed(channel.clone()));
    }
    let kind = match json::text(event, "channel_type") {
        Some("channel") => ChannelKind::Public,
        Some("group") => ChannelKind::Private,
        Some("im" | "app_home") => ChannelKind::Dm,
        Some("mpim") => ChannelKind::GroupDm,
        _ => ChannelKind::Unknown,
    };
    let external = json::flag(payload, "is_ext_shared_channel");
    heard.channel = Some(ChannelHint { id: channel, kind, external });
    Some(heard)
}

/// An `app_mention` as the `message` that it repeats; any other event unchanged.
fn as_message(event: &Value) -> Cow<'_, Value> {
    if json::text(event, "type") != Some("app_mention") {
        return Cow::Borrowed(event);
    }
    let mut message = event.clone();
    if let Some(fields) = message.as_object_mut() {
        fields.insert("type".to_owned(), json!("message"));
    }
    Cow::Owned(message)
}

/// The key of an unread message: its channel and time stamp, as everywhere else. A change that cannot be read is named
/// by its event, since a message may have many.
fn unread_key(channel: &ChannelId, payload: &Value, event: &Value) -> String {
    let is_change = event.get("message").is_some() || event.get("deleted_ts").is_some();
    if is_change {
        return key(payload);
    }
    message::unread_key(channel, event).unwrap_or_else(|| key(payload))
}
