//! Sockets that end, freeze, are replaced and refused.

use std::{
    collections::BTreeSet,
    time::{Duration, Instant},
};

use jiff::SignedDuration;
use myao_core::{
    chat::{Event, MessageTs},
    ports::Clock,
};
use myao_slack::{
    event::read_payload,
    socket::{Delivery, Envelope, Socket, SocketError, SocketReport, SocketSettings},
};
use myao_testkit::{
    slack::{ChannelSpec, Disconnect, InjectedFault, UserSpec},
    waiting::yield_until,
};

use crate::live::{Live, client, delivery, report};

const OPEN: &str = "apps.connections.open";

/// The words of the messages that a delivery tells.
fn said(delivery: &Delivery) -> Vec<String> {
    let messages = delivery.content.events.iter().filter_map(Event::message);
    messages.map(|message| message.text.clone()).collect()
}

/// The key under which a delivery is kept that is not understood, and the text that is kept.
fn kept_raw(event: &Event) -> (&str, &str) {
    let Event::Unread { key, raw, .. } = event else { panic!("{event:?}") };
    (key, raw)
}

#[tokio::test]
async fn what_is_stored_is_acknowledged_and_nothing_else() {
    let live = Live::start().await;
    let aki = live.slack.user(UserSpec::person("aki"));
    let channel = live.slack.channel(ChannelSpec::public("a").members(&[&aki]));
    let mut socket = live.socket().await;
    live.slack.say(&channel, &aki, "one");
    live.slack.say(&channel, &aki, "two");
    let one = delivery(&mut socket).await;
    let two = delivery(&mut socket).await;
    assert_eq!((said(&one), one.retry_attempt), (vec!["one".to_owned()], 0));
    socket.acknowledger().acknowledge(&[one.envelope.clone().unwrap()]);
    live.slack.wait_until(|seen| seen.acks.len() == 1 && seen.unacknowledged == 1).await;
    live.slack.redeliver_unacknowledged();
    let again = delivery(&mut socket).await;
    assert_eq!(again.retry_attempt, 1);
    assert!(again.retry_reason.is_some());
    assert_eq!(said(&again), ["two"]);
    assert_eq!(again.content, two.content);
    socket.acknowledger().acknowledge(&[again.envelope.unwrap()]);
    live.slack.wait_until(|seen| seen.unacknowledged == 0).await;
    live.slack.finish();
}

/// Takes deliveries and acknowledges them in batches, until `count` different messages are there; what else
/// was reported.
async fn store(socket: &mut Socket, count: usize) -> (BTreeSet<MessageTs>, Vec<SocketReport>) {
    let acknowledger = socket.acknowledger();
    let mut stored = BTreeSet::new();
    let mut others = Vec::new();
    while stored.len() < count {
        let batch = tokio::time::timeout(crate::live::PATIENCE, socket.next_batch(400)).await.unwrap();
        let mut envelopes: Vec<Envelope> = Vec::new();
        for report in batch {
            let SocketReport::Delivery(delivery) = report else {
                others.push(report);
                continue;
            };
            for event in delivery.content.events {
                let Event::Message(message) = event else { panic!("{event:?}") };
                stored.insert(message.ts);
            }
            envelopes.extend(delivery.envelope);
        }
        acknowledger.acknowledge(&envelopes);
    }
    (stored, others)
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn sockets_are_replaced_under_traffic_without_a_gap() {
    let live = Live::start().await;
    let aki = live.slack.user(UserSpec::person("aki"));
    let channel = live.slack.channel(ChannelSpec::public("a").members(&[&aki]));
    let mut socket = live.socket().await;
    let started = Instant::now();
    let flood = live.slack.flood(&channel, &aki, 5_000, 300);
    let trouble = async {
        for (reason, sockets) in [(Disconnect::Warning, 2), (Disconnect::RefreshRequested, 3)] {
            let acked = live.slack.seen().acks.len();
            live.slack.wait_until(|seen| seen.acks.len() > acked + 500).await;
            // A socket that lived long is replaced at once. (By now it knows that it lives.)
            live.clock.advance(Duration::from_secs(40));
            live.slack.disconnect(reason);
            live.slack.wait_until(|seen| seen.connected == sockets).await;
        }
    };
    let (flood, (stored, others), ()) =
        futures::future::join3(flood, store(&mut socket, 5_000), trouble).await;
    println!("5,000 messages over three sockets in {:?}", started.elapsed());
    assert_eq!(stored, flood.said.into_iter().collect());
    assert!(others.is_empty(), "nobody noticed: {others:?}");
    // The old ones are left in the end.
    live.clock.advance(Duration::from_secs(10));
    live.slack.wait_until(|seen| seen.connections == 1).await;
    live.slack.finish();
}

#[tokio::test]
async fn a_socket_is_replaced_before_its_announced_end() {
    let live = Live::start().await;
    let mut socket = live.socket().await;
    live.clock.advance(SignedDuration::from_mins(299));
    // Nothing was heard for as long, so it is asked as well.
    live.slack.wait_until(|seen| seen.connected == 1).await;
    live.clock.advance(SignedDuration::from_mins(1));
    live.slack.wait_until(|seen| seen.connected == 2).await;
    let aki = live.slack.user(UserSpec::person("aki"));
    let channel = live.slack.channel(ChannelSpec::public("a").members(&[&aki]));
    live.slack.say(&channel, &aki, "still here");
    assert_eq!(said(&delivery(&mut socket).await), ["still here"]);
}

#[tokio::test]
async fn a_half_open_socket_is_noticed() {
    let live = Live::start().await;
    let aki = live.slack.user(UserSpec::person("aki"));
    let channel = live.slack.channel(ChannelSpec::public("a").members(&[&aki]));
    let mut socket = live.socket().await;
    let heard = socket.pulse().last_heard().unwrap();
    live.slack.freeze_sockets();
    live.slack.say(&channel, &aki, "into the void");
    live.pass(30, 30).await;
    live.pass(10, 10).await;
    let SocketReport::Lost { since } = report(&mut socket).await else { panic!() };
    assert_eq!(since, heard);
    assert!(matches!(report(&mut socket).await, SocketReport::Connected { .. }));
    live.slack.redeliver_unacknowledged();
    assert_eq!(delivery(&mut socket).await.retry_attempt, 1);
    assert!(socket.pulse().last_heard().unwrap() > heard);
}

#[tokio::test]
async fn a_quiet_socket_that_answers_is_kept() {
    let live = Live::start().await;
    let mut socket = live.socket().await;
    let pulse = socket.pulse();
    let mut answers = 0;
    while answers < 3 {
        live.pass(10, 30).await;
        let before = pulse.last_heard().unwrap();
        if live.clock.now().duration_since(before) < SignedDuration::from_secs(30) {
            continue;
        }
        // Now it is asked, and answers.
        yield_until("an answer", async || pulse.last_heard().unwrap() != before).await;
        answers += 1;
    }
    live.slack.drop_sockets();
    assert!(matches!(report(&mut socket).await, SocketReport::Lost { .. }));
    assert_eq!(live.slack.seen().connected, 1);
}

#[tokio::test]
async fn a_lost_socket_is_opened_anew_however_often_slack_fails() {
    let live = Live::start().await;
    let mut socket = live.socket().await;
    for fault in [
        InjectedFault::ServerError,
        InjectedFault::CutBefore,
        InjectedFault::Html,
        InjectedFault::Limited(20),
    ] {
        live.slack.fail_next(OPEN, fault);
    }
    live.slack.drop_sockets();
    assert!(matches!(report(&mut socket).await, SocketReport::Lost { .. }));
    // It did not live long, so there is a pause before the first attempt as well.
    for (least, most) in [(1, 2), (2, 4), (4, 8), (8, 16)] {
        live.pass(least, most).await;
        assert!(matches!(report(&mut socket).await, SocketReport::Trouble { .. }));
    }
    live.pass(16, 32).await;
    assert!(matches!(report(&mut socket).await, SocketReport::Connected { .. }));
    live.slack.finish();
}

#[tokio::test]
async fn it_starts_while_slack_is_down() {
    let live = Live::start().await;
    live.slack.refuse_connections(true);
    let mut socket = Socket::open(live.app(), SocketSettings::default(), live.own());
    assert!(matches!(report(&mut socket).await, SocketReport::Trouble { .. }));
    live.slack.refuse_connections(false);
    live.pass(1, 2).await;
    assert!(matches!(report(&mut socket).await, SocketReport::Connected { .. }));
}

#[tokio::test]
async fn what_only_a_person_can_mend_ends_it() {
    let live = Live::start().await;
    let mut socket = live.socket().await;
    live.slack.disconnect(Disconnect::LinkDisabled);
    assert!(matches!(report(&mut socket).await, SocketReport::Fatal(SocketError::Disabled)));
    assert!(socket.next().await.is_none());
    let stranger = client(&live.slack.api_base_url(), "xapp-1", &live.clock);
    let mut socket = Socket::open(stranger, SocketSettings::default(), live.own());
    let SocketReport::Fatal(error) = report(&mut socket).await else { panic!() };
    assert_eq!(error.to_string(), "Slack does not accept the token for apps.connections.open: invalid_auth");
    assert!(socket.next().await.is_none());
}

#[tokio::test]
async fn frames_that_make_no_sense_are_kept() {
    let live = Live::start().await;
    let mut socket = live.socket().await;
    live.slack.send_raw("{broken");
    live.slack.send_raw(r#"{"envelope_id":"e-1","type":"novelty","payload":{"a":1}}"#);
    let broken = delivery(&mut socket).await;
    let novelty = delivery(&mut socket).await;
    assert_eq!(broken.envelope, None);
    let (key, raw) = kept_raw(&broken.content.events[0]);
    assert!(key.starts_with("frame/"), "{key}");
    assert_eq!(raw, format!(r#"{{"frame":"{{broken","key":"{key}"}}"#));
    assert_eq!(kept_raw(&novelty.content.events[0]), ("envelope/e-1", r#"{"a":1}"#));
    socket.acknowledger().acknowledge(&[novelty.envelope.unwrap()]);
    live.slack.wait_until(|seen| seen.acks.len() == 1).await;
    assert!(live.clock.now() >= broken.received);
    live.slack.finish();
}

#[tokio::test]
async fn what_was_read_is_kept_as_it_came_where_the_archive_refuses_it() {
    let live = Live::start().await;
    let aki = live.slack.user(UserSpec::person("aki"));
    let channel = live.slack.channel(ChannelSpec::public("a").members(&[&aki]));
    let mut socket = live.socket().await;
    live.slack.say(&channel, &aki, "one");
    let one = delivery(&mut socket).await;
    assert_eq!(said(&one), ["one"]);
    let envelope = one.envelope.as_ref().unwrap();
    let refused = one.to_unread("refused".to_owned());
    let (key, raw) = kept_raw(&refused);
    assert_eq!(key, format!("envelope/{}", envelope.id()));
    let payload: serde_json::Value = serde_json::from_str(raw).unwrap();
    assert_eq!(payload["event"]["text"], "one");
    assert_eq!(read_payload(&payload, &live.own()), one.content, "nothing of it is lost");
    live.slack.send_raw("{broken");
    let broken = delivery(&mut socket).await.to_unread(String::new());
    assert!(kept_raw(&broken).0.starts_with("delivery/"), "{broken:?}");
}
