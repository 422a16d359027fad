//! What breaks Slack's rules fails the test.

use std::panic::AssertUnwindSafe;

use myao_testkit::slack::Rule;
use serde_json::json;

use super::{Client, Socket, workspace};

/// The rules that `calls` breaks.
async fn broken<F: Future<Output = ()>>(calls: impl FnOnce(Client, String, String) -> F) -> Vec<Rule> {
    let (slack, channel, alice, client) = workspace().await;
    let root = slack.say(&channel, &alice, "root");
    let reply = slack.reply(&channel, root, &alice, "reply");
    calls(client, channel.as_str().to_owned(), reply.to_string()).await;
    let broken: Vec<Rule> = slack.violations().iter().map(|violation| violation.rule).collect();
    let end = std::panic::catch_unwind(AssertUnwindSafe(|| slack.finish()));
    assert_eq!(end.is_err(), !broken.is_empty());
    broken
}

#[tokio::test]
async fn every_call_is_checked() {
    let long = "x".repeat(40_001);
    let found = broken(|client, channel, reply| async move {
        client.get("conversations.histories", &[]).await;
        client.get("apps.connections.open", &[]).await;
        client.call("conversations.history", json!({"channel": channel})).await;
        client
            .send("chat.postMessage", |request| request.header("content-type", "application/json").body("{"))
            .await
            .unwrap();
        client.get("conversations.history", &[("channel", &channel), ("oldest", "yesterday")]).await;
        client.get("conversations.history", &[("channel", &channel), ("limit", "1000")]).await;
        client.post(&channel, &long).await;
        client.call("chat.postMessage", json!({"channel": channel, "text": "hi", "thread_ts": reply})).await;
        client.call("chat.postMessage", json!({"channel": channel, "text": "hi", "thread_ts": 17.5})).await;
        client
            .call(
                "chat.postMessage",
                json!({"channel": channel, "text": "hi", "metadata": {"event_type": "x"}}),
            )
            .await;
    });
    let expected = [
        Rule::KnownMethod,
        Rule::TokenKind,
        Rule::BodyForm,
        Rule::BodyForm,
        Rule::Arguments,
        Rule::PageSize,
        Rule::Length,
        Rule::ThreadRoot,
        Rule::Arguments,
        Rule::Arguments,
    ];
    assert_eq!(found.await, expected);
}

#[tokio::test]
async fn a_wrong_token_is_refused_and_breaks_no_rule() {
    let found = broken(|client, channel, _| async move {
        let client = client.with_token("xoxb-wrong");
        let told = client.get("conversations.history", &[("channel", channel.as_str())]).await;
        assert_eq!(told["error"], "invalid_auth");
        let told = client.with_token("").post(&channel, "hello").await;
        assert_eq!(told["error"], "not_authed");
    });
    assert_eq!(found.await, []);
}

#[tokio::test]
async fn every_frame_is_checked() {
    let (slack, channel, alice, client) = workspace().await;
    let url = client.open().await;
    let mut socket = Socket::to(&url).await;
    assert!(tokio_tungstenite::connect_async(&url).await.is_err(), "a ticket opens one socket");
    slack.say(&channel, &alice, "hello");
    let envelope = socket.take().await;
    socket.ack(&envelope).await;
    socket.say("hello?").await;
    socket.say(&json!({"envelope_id": "never-sent"}).to_string()).await;
    slack.say(&channel, &alice, "hello");
    let envelope = socket.next().await.unwrap();
    socket.say(&json!({"envelope_id": envelope["envelope_id"], "payload": {"text": "hi"}}).to_string()).await;
    slack.wait_until(|seen| seen.acks.len() == 2).await;
    let rules: Vec<Rule> = slack.violations().iter().map(|violation| violation.rule).collect();
    let expected =
        [Rule::TicketOnce, Rule::AcknowledgeOnce, Rule::FrameForm, Rule::AcknowledgeOnce, Rule::FrameForm];
    assert_eq!(rules, expected);
    for rule in rules {
        slack.tolerate(rule);
    }
    slack.finish();
}

#[tokio::test]
async fn an_app_has_ten_sockets_at_most() {
    let (slack, _, _, client) = workspace().await;
    let mut sockets = Vec::new();
    for _ in 0..10 {
        sockets.push(client.connect().await);
    }
    let (mut eleventh, _) = tokio_tungstenite::connect_async(client.open().await).await.unwrap();
    let told = futures::StreamExt::next(&mut eleventh).await.unwrap().unwrap();
    assert!(told.into_text().unwrap().contains("too_many_websockets"));
    assert_eq!(slack.violations()[0].rule, Rule::SocketCount);
    assert_eq!(slack.seen().connections, 10);
    slack.tolerate(Rule::SocketCount);
}
