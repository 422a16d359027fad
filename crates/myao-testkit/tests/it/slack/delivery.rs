//! Which socket gets what, how often, and what happens to sockets.

use std::{collections::BTreeSet, time::Duration};

use myao_testkit::{
    FakeSlack,
    slack::{Disconnect, Rule},
};
use serde_json::{Value, json};

use super::{furnished, workspace};

fn retry(envelope: &Value) -> (u64, &str) {
    (envelope["retry_attempt"].as_u64().unwrap(), envelope["retry_reason"].as_str().unwrap())
}

#[tokio::test]
async fn what_is_not_acknowledged_is_sent_again_three_times() {
    let (slack, channel, alice, client) = workspace().await;
    let mut socket = client.connect().await;
    slack.say(&channel, &alice, "hello");
    let first = socket.next().await.unwrap();
    assert_eq!(retry(&first), (0, ""));
    for attempt in 1..=3 {
        slack.redeliver_unacknowledged();
        let again = socket.next().await.unwrap();
        assert_eq!(retry(&again), (attempt, "timeout"));
        assert_eq!(again["payload"], first["payload"]);
        assert_ne!(again["envelope_id"], first["envelope_id"]);
    }
    slack.redeliver_unacknowledged();
    let seen = slack.seen();
    assert_eq!((seen.unacknowledged, seen.lost), (0, 1));

    slack.say(&channel, &alice, "next");
    socket.take().await;
    slack.wait_until(|seen| seen.acks.len() == 1).await;
    slack.redeliver_unacknowledged();
    slack.say(&channel, &alice, "last");
    assert_eq!(socket.event().await["text"], "last");
    slack.wait_until(|seen| seen.acks.len() == 2 && seen.unacknowledged == 0).await;
    slack.finish();
}

#[tokio::test]
async fn sockets_take_turns_and_inherit() {
    let (slack, channel, alice, client) = workspace().await;
    slack.say(&channel, &alice, "before the app was there");
    let mut one = client.connect().await;
    let two = client.connect().await;
    for text in ["a", "b", "c", "d"] {
        slack.say(&channel, &alice, text);
    }
    let mut own = [one.event().await, one.event().await].map(|event| event["text"].to_string());
    drop(two);
    let mut inherited = BTreeSet::new();
    for _ in 0..2 {
        let envelope = one.take().await;
        assert_eq!(retry(&envelope), (1, "connection_failed"));
        inherited.insert(envelope["payload"]["event"]["text"].to_string());
    }
    own.sort();
    assert!(
        inherited.iter().all(|text| !own.contains(text)) && inherited.len() == 2,
        "{own:?} {inherited:?}"
    );

    drop(one);
    slack.wait_until(|seen| seen.connections == 0).await;
    slack.say(&channel, &alice, "nobody there");
    let mut three = client.connect().await;
    let envelope = three.take().await;
    assert_eq!((retry(&envelope).0, &envelope["payload"]["event"]["text"]), (1, &json!("nobody there")));
    slack.finish();
}

#[tokio::test]
async fn a_warned_socket_still_gets_events_and_a_refreshed_one_does_not() {
    let (slack, channel, alice, client) = workspace().await;
    let mut old = client.connect().await;
    slack.disconnect(Disconnect::Warning);
    slack.say(&channel, &alice, "still");
    let told = old.next().await.unwrap();
    assert_eq!((&told["type"], &told["reason"]), (&json!("disconnect"), &json!("warning")));
    assert_eq!(old.event().await["text"], "still");

    slack.disconnect(Disconnect::RefreshRequested);
    slack.say(&channel, &alice, "elsewhere");
    assert_eq!(old.next().await.unwrap()["reason"], "refresh_requested");
    let mut new = client.connect().await;
    assert_eq!(new.event().await["text"], "elsewhere");
    assert!(old.next().await.is_none());

    slack.disconnect(Disconnect::LinkDisabled);
    assert_eq!(new.next().await.unwrap()["reason"], "link_disabled");
    assert!(new.next().await.is_none());
    slack.wait_until(|seen| seen.connections == 0).await;
    assert_eq!(slack.seen().connected, 2);
}

#[tokio::test]
async fn a_frozen_socket_is_open_and_silent() {
    let (slack, channel, alice, client) = workspace().await;
    let mut socket = client.connect().await;
    slack.freeze_sockets();
    slack.say(&channel, &alice, "swallowed");
    slack.wait_until(|seen| seen.unacknowledged == 1).await;
    let silence = tokio::time::timeout(Duration::from_millis(50), socket.next()).await;
    assert!(silence.is_err());
    assert_eq!(slack.seen().connections, 1);
    slack.thaw_sockets();
    assert_eq!(socket.event().await["text"], "swallowed");
    slack.wait_until(|seen| seen.acks.len() == 1).await;

    slack.freeze_sockets();
    drop(socket);
    let mut new = client.connect().await;
    assert_eq!(slack.seen().connections, 2, "Slack does not know that the old one is dead");
    for text in ["one", "two"] {
        slack.say(&channel, &alice, text);
    }
    let received = new.event().await;
    slack.drop_frozen_sockets();
    let inherited = new.take().await;
    assert_eq!(retry(&inherited), (1, "connection_failed"));
    assert_ne!(inherited["payload"]["event"]["text"], received["text"]);
    slack.drop_sockets();
    assert!(new.next().await.is_none());
    slack.finish();
}

#[tokio::test]
async fn who_acknowledges_late_gets_it_again_and_breaks_a_rule() {
    let slack = FakeSlack::setup().with_redelivery().start().await;
    let (slack, channel, alice, client) = furnished(slack);
    let mut socket = client.connect().await;
    slack.say(&channel, &alice, "hello");
    let first = socket.next().await.unwrap();
    let again = socket.next().await.unwrap();
    assert_eq!(retry(&again), (1, "timeout"));
    socket.ack(&again).await;
    socket.ack(&first).await;
    slack.wait_until(|seen| seen.acks.len() == 2).await;
    assert_eq!(slack.violations().iter().map(|v| v.rule).collect::<Vec<_>>(), [Rule::AcknowledgeInTime]);
    slack.tolerate(Rule::AcknowledgeInTime);
}

#[tokio::test]
async fn a_socket_pings_and_has_a_life() {
    let life = Duration::from_millis(50);
    let slack = FakeSlack::setup().ping_every(life / 5).socket_life(life).start().await;
    let (slack, _, _, client) = furnished(slack);
    let mut socket = client.connect().await;
    assert_eq!(socket.next().await.unwrap()["reason"], "warning");
    assert_eq!(socket.next().await.unwrap()["reason"], "refresh_requested");
    socket.pinged().await;
    assert!(socket.next().await.is_none());
    slack.finish();
}

#[tokio::test]
async fn events_can_be_doubled_and_out_of_order() {
    let (slack, channel, alice, client) = workspace().await;
    let mut socket = client.connect().await;
    slack.duplicate_next_event();
    slack.say(&channel, &alice, "twice");
    let one = socket.take().await;
    let two = socket.take().await;
    assert_eq!(one["payload"]["event_id"], two["payload"]["event_id"]);
    assert_ne!(one["envelope_id"], two["envelope_id"]);
    slack.reorder(3);
    for text in ["a", "b", "c"] {
        slack.say(&channel, &alice, text);
    }
    for text in ["c", "b", "a"] {
        assert_eq!(socket.event().await["text"], text);
    }
    slack.finish();
}

#[tokio::test]
async fn anything_can_be_sent() {
    let (slack, _, _, client) = workspace().await;
    let mut socket = client.connect().await;
    slack.send_event(&json!({"type": "message", "channel": "C0NOWHERE", "text": "hello", "ts": "1.000000"}));
    assert_eq!(socket.event().await["channel"], "C0NOWHERE");
    slack.send_raw(&json!({"type": "slash_commands", "envelope_id": "raw-1", "payload": {}}).to_string());
    let raw = socket.next().await.unwrap();
    assert_eq!(raw["type"], "slash_commands");
    socket.ack(&raw).await;
    slack.wait_until(|seen| seen.acks.len() == 2).await;
    assert_eq!(slack.violations(), []);
    socket.say("{").await;
    slack.send_event(&json!({"type": "later"}));
    socket.event().await;
    slack.wait_until(|seen| seen.acks.len() == 3).await;
    slack.tolerate(Rule::FrameForm);
}

#[tokio::test]
async fn a_flood_keeps_to_its_window() {
    const COUNT: usize = 5_000;
    const WINDOW: usize = 200;
    let (slack, channel, alice, client) = workspace().await;
    let mut socket = client.connect().await;
    let read = async {
        let mut texts = BTreeSet::new();
        while texts.len() < COUNT {
            texts.insert(socket.event().await["text"].as_str().unwrap().to_owned());
            assert!(slack.unacknowledged() <= WINDOW);
        }
    };
    let (flood, ()) = futures::join!(slack.flood(&channel, &alice, COUNT, WINDOW), read);
    assert_eq!(flood.said.len(), COUNT);
    assert!(flood.said.is_sorted());
    println!("{COUNT} messages acknowledged in {:?}", flood.took);
    slack.finish();
}
