//! What an event says of its own place: it may close the place, never open it.

use myao_core::chat::{Channel, ChannelId, ChannelKind, UserId};
use myao_slack::{
    directory::BotIdentity,
    event::{News, read_payload},
};
use serde_json::{Value, json};

fn own() -> BotIdentity {
    BotIdentity {
        team: "T1".into(),
        team_name: String::new(),
        team_url: String::new(),
        user: UserId::new("U1"),
        bot: None,
        name: String::new(),
    }
}

fn stored(kind: ChannelKind, external: bool) -> Channel {
    Channel { id: ChannelId::new("C1"), name: "general".to_owned(), kind, external }
}

/// What a channel is after an event, if that says anything new.
fn after(payload: &Value, stored: &Channel) -> Option<(ChannelKind, bool)> {
    let narrowed = read_payload(payload, &own()).channel?.narrowed(stored)?;
    Some((narrowed.kind, narrowed.external))
}

#[expect(clippy::needless_pass_by_value, reason = "an event is written where it is used")]
fn event(event: Value) -> Value {
    json!({"event_id": "Ev1", "team_id": "T1", "event": event})
}

fn said(kind: &str) -> Value {
    event(
        json!({"type": "message", "channel": "C1", "channel_type": kind, "ts": "1700000000.000100", "user": "U2",
        "text": "x"}),
    )
}

#[test]
fn a_channel_stored_as_public_is_what_the_event_says_if_that_is_less() {
    use ChannelKind::{Dm, GroupDm, Private};
    let open = stored(ChannelKind::Public, false);
    let cases = [
        (said("group"), Private),
        (said("mpim"), GroupDm),
        (said("im"), Dm),
        (said("app_home"), Dm),
        (
            event(
                json!({"type": "member_joined_channel", "channel": "C1", "channel_type": "G", "user": "U2"}),
            ),
            Private,
        ),
        (
            event(json!({"type": "member_left_channel", "channel": "C1", "channel_type": "G", "user": "U2"})),
            Private,
        ),
        (event(json!({"type": "group_rename", "channel": {"id": "C1", "name": "x"}})), Private),
        (event(json!({"type": "group_archive", "channel": "C1", "user": "U2"})), Private),
        (event(json!({"type": "group_unarchive", "channel": "C1", "user": "U2"})), Private),
        (event(json!({"type": "group_left", "channel": "C1"})), Private),
        (event(json!({"type": "group_open", "channel": "C1", "user": "U2"})), Private),
        (
            event(json!({"type": "group_history_changed", "channel": "C1", "latest": "1700000000.000100"})),
            Private,
        ),
        (
            event(
                json!({"type": "channel_rename", "channel": {"id": "C1", "name": "x", "is_private": true}}),
            ),
            Private,
        ),
        (event(json!({"type": "channel_joined", "channel": {"id": "C1", "is_mpim": true}})), GroupDm),
        (event(json!({"type": "im_created", "user": "U2", "channel": {"id": "C1"}})), Dm),
        (event(json!({"type": "im_open", "user": "U2", "channel": "C1"})), Dm),
        (event(json!({"type": "mpim_joined", "channel": {"id": "C1"}})), GroupDm),
        (event(json!({"type": "mpim_close", "channel": "C1"})), GroupDm),
        (event(json!({"type": "a_new_event", "channel": "C1", "channel_type": "group"})), Private),
    ];
    for (payload, kind) in cases {
        assert_eq!(after(&payload, &open), Some((kind, false)), "{payload}");
        for closed in [Private, Dm, GroupDm, ChannelKind::Unknown] {
            assert_eq!(after(&payload, &stored(closed, false)), None, "{payload}: closed already");
        }
    }
}

#[test]
fn people_from_outside_are_told_by_any_event() {
    let open = stored(ChannelKind::Public, false);
    let payload = |marked: Value, event: Value| {
        let mut payload = json!({"event_id": "Ev1", "team_id": "T1", "event": event});
        if let (Value::Object(payload), Value::Object(marked)) = (&mut payload, marked) {
            payload.extend(marked);
        }
        payload
    };
    let shared = json!({"is_ext_shared_channel": true});
    let cases = [
        payload(shared.clone(), said("channel")["event"].clone()),
        payload(
            shared.clone(),
            json!({"type": "reaction_added", "user": "U2",
            "item": {"type": "message", "channel": "C1", "ts": "1700000000.000100"}}),
        ),
        payload(shared.clone(), json!({"type": "file_shared", "file_id": "F1", "channel_id": "C1"})),
        payload(shared.clone(), json!({"type": "pin_added", "channel_id": "C1", "user": "U2"})),
        payload(shared.clone(), json!({"type": "member_joined_channel", "channel": "C1", "user": "U2"})),
        payload(shared, json!({"type": "channel_rename", "channel": {"id": "C1", "name": "x"}})),
        event(json!({"type": "channel_rename", "channel": {"id": "C1", "name": "x", "is_ext_shared": true}})),
        event(json!({"type": "channel_joined", "channel": {"id": "C1", "is_pending_ext_shared": true}})),
        event(json!({"type": "channel_joined", "channel": {"id": "C1", "is_shared": true}})),
        event(
            json!({"type": "channel_joined", "channel": {"id": "C1", "pending_connected_team_ids": ["T9"]}}),
        ),
        event(
            json!({"type": "message", "channel": "C1", "channel_type": "channel", "ts": "1700000000.000100",
            "user": "U2", "text": "x", "user_profile": {"name": "g", "is_restricted": true}}),
        ),
        event(
            json!({"type": "message", "channel": "C1", "channel_type": "channel", "ts": "1700000000.000100",
            "user": "U2", "text": "x", "user_profile": {"name": "g", "is_stranger": true}}),
        ),
    ];
    for payload in cases {
        assert_eq!(after(&payload, &open), Some((ChannelKind::Public, true)), "{payload}");
        assert_eq!(after(&payload, &stored(ChannelKind::Public, true)), None, "{payload}: closed already");
    }
}

#[test]
fn no_event_opens_a_place() {
    let events = [
        said("channel"),
        event(json!({"type": "channel_rename", "channel": {"id": "C1", "name": "x", "is_channel": true,
            "is_private": false, "is_ext_shared": false, "is_shared": false}})),
        event(json!({"type": "channel_unshared", "channel": "C1", "is_ext_shared": false})),
        event(json!({"type": "member_joined_channel", "channel": "C1", "channel_type": "C", "user": "U2"})),
        event(
            json!({"type": "channel_joined", "channel": {"id": "C1", "is_shared": true, "is_org_shared": true,
            "is_private": false}}),
        ),
    ];
    for kind in [ChannelKind::Public, ChannelKind::Private, ChannelKind::Dm, ChannelKind::Unknown] {
        for external in [false, true] {
            for payload in &events {
                assert_eq!(after(payload, &stored(kind, external)), None, "{payload}");
            }
        }
    }
}

#[test]
fn an_invitation_from_outside_that_is_accepted_closes_the_channel() {
    let news = |kind: &str| {
        let told = event(json!({"type": kind, "channel": {"id": "C1", "is_private": false, "is_im": false}}));
        read_payload(&told, &own()).news
    };
    for kind in ["shared_channel_invite_accepted", "shared_channel_invite_approved"] {
        assert_eq!(news(kind), [News::Closed(ChannelId::new("C1"))], "{kind}");
        assert!(read_payload(&event(json!({"type": kind})), &own()).events.is_empty(), "nothing to keep");
    }
    assert_eq!(news("shared_channel_invite_declined"), []);
}

/// Only a message shows that we are in a channel: others tell of channels that we are not in.
#[test]
fn who_hears_of_a_channel_need_not_be_in_it() {
    let is_in = |payload: &Value| read_payload(payload, &own()).channel.map(|hint| hint.we_are_in);
    assert_eq!(is_in(&said("channel")), Some(true));
    let renamed = event(json!({"type": "channel_rename", "channel": {"id": "C1", "name": "x"}}));
    assert_eq!(is_in(&renamed), Some(false));
    assert_eq!(is_in(&event(json!({"type": "user_change", "user": {"id": "U2"}}))), None);
}
