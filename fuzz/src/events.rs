//! What Slack tells over a socket: whatever it is, it is understood, kept raw, or nothing to us.

use myao_core::chat::{DatedUser, Event, Hearsay, UserId};
use myao_slack::{
    directory::BotIdentity,
    event::{DeliveryContent, read_delivery, read_payload},
};
use serde_json::Value;

use super::material::{self, Vocabulary};

/// What events are made of.
pub(super) const WORDS: Vocabulary = Vocabulary {
    keys: &[
        "type",
        "subtype",
        "event",
        "event_id",
        "event_time",
        "channel",
        "channel_type",
        "user",
        "text",
        "ts",
        "thread_ts",
        "message",
        "previous_message",
        "deleted_ts",
        "edited",
        "hidden",
        "bot_id",
        "bot_profile",
        "username",
        "files",
        "attachments",
        "blocks",
        "elements",
        "fallback",
        "id",
        "name",
        "profile",
        "display_name",
        "real_name",
        "is_bot",
        "team",
        "team_id",
        "tokens",
        "bot",
        "old_channel_id",
        "new_channel_id",
        "is_ext_shared",
        "is_ext_shared_channel",
        "is_restricted",
        "is_stranger",
        "members",
        "url",
        "url_private",
        "permalink",
        "mimetype",
        "title",
        "alt_txt",
        "user_id",
        "channel_id",
        "range",
        "style",
        "indent",
        "metadata",
        "item",
        "emoji",
        "unicode",
        "fallback_text",
        "image_url",
        "alt_text",
        "fields",
        "value",
        "envelope_id",
        "payload",
        "frame",
        "key",
    ],
    texts: &[
        "message",
        "app_mention",
        "message_changed",
        "message_deleted",
        "message_replied",
        "thread_broadcast",
        "bot_message",
        "file_share",
        "channel_join",
        "me_message",
        "member_joined_channel",
        "member_left_channel",
        "channel_rename",
        "channel_archive",
        "channel_id_changed",
        "channel_shared",
        "channel_convert_to_private",
        "user_change",
        "team_join",
        "tokens_revoked",
        "app_uninstalled",
        "app_rate_limited",
        "channel_history_changed",
        "channel_deleted",
        "group_left",
        "rich_text",
        "rich_text_section",
        "rich_text_list",
        "section",
        "image",
        "header",
        "context",
        "mrkdwn",
        "link",
        "emoji",
        "usergroup",
        "broadcast",
        "date",
        "color",
        "C1",
        "D1",
        "G1",
        "U1",
        "UME",
        "BME",
        "W1",
        "T1",
        "im",
        "mpim",
        "group",
        "1772510000.000100",
        "1772510000.000200",
        "0.0",
        "99999999999.999999",
        "-1.000000",
        "1772510000",
        "<@U1>",
        "<!channel>",
        "&lt;@U1&gt;",
        "\0",
        "\u{fffd}",
        "\u{200b}",
        "",
        "here",
        "events_api",
        "interactive",
        "slash_commands",
        "frame",
        "hello",
    ],
};

pub(crate) fn run(data: &[u8]) {
    let raw = material::json(data, WORDS);
    let own = BotIdentity {
        team: "T1".to_owned(),
        team_name: "team".to_owned(),
        team_url: String::new(),
        user: UserId::new("UME"),
        bot: Some(UserId::new("BME")),
        name: "myao".to_owned(),
    };
    let event = serde_json::json!({ "event_id": "Ev1", "event_time": 1, "event": raw });
    let kind = raw.get("type").and_then(Value::as_str).unwrap_or("frame");
    let heard = [
        read_delivery("events_api", None, &raw, &own),
        read_delivery("events_api", None, &event, &own),
        read_delivery(kind, None, &raw, &own),
        read_payload(&event, &own),
    ];
    let [_, delivered, _, payload] = &heard;
    assert_eq!(delivered, payload, "one way or the other, it is the same");
    for DeliveryContent { events, .. } in &heard {
        events.iter().for_each(check);
    }
}

/// Panics when the archive could not hold an event: NUL is in it, or nothing names it.
pub(super) fn check(event: &Event) {
    let texts: Vec<&str> = match event {
        Event::Channel(channel) => vec![channel.id.as_str(), &channel.name],
        Event::User(user)
        | Event::Departed(user)
        | Event::Dated(DatedUser { user, .. })
        | Event::Hearsay(Hearsay { user, .. }) => {
            vec![user.id.as_str(), &user.name]
        }
        Event::Sighting(_) | Event::Message(_) => {
            let message = event.message().expect("it tells one");
            let files = message.files.iter().flat_map(|file| {
                let more =
                    [&file.mimetype, &file.permalink, &file.alt, &file.image_url, &file.site, &file.excerpt];
                [file.name.as_str()].into_iter().chain(more.into_iter().flatten().map(String::as_str))
            });
            let own = [message.channel.as_str(), message.user.as_str(), &message.text];
            own.into_iter().chain(files).collect()
        }
        Event::Deleted { channel, .. } | Event::HeardUntil { channel, .. } => vec![channel.as_str()],
        Event::AnswerStopped(stop) => {
            let by = stop.by.as_ref().map(UserId::as_str);
            by.into_iter().chain([stop.place.channel.as_str()]).collect()
        }
        Event::Voted(vote) => vec![vote.channel.as_str(), vote.by.as_str()],
        Event::Unread { key, raw, error } => {
            assert!(!key.is_empty() && !error.is_empty(), "unnamed: {event:?}");
            vec![key, raw, error]
        }
    };
    assert!(texts.iter().all(|text| !text.contains('\0')), "NUL: {event:?}");
}
