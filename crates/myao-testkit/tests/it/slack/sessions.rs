//! Sessions of agents, and the stop button.

use myao_testkit::{FakeSlack, slack::ChannelSpec};
use serde_json::json;

use super::{furnished, workspace};

const SET_STATUS: &str = "agents.sessions.setStatus";

#[tokio::test]
async fn a_session_is_made_and_keeps_its_status_over_posts() {
    let (slack, channel, alice, client) = workspace().await;
    let root = slack.say(&channel, &alice, "hello?");
    let set = async |status: &str| {
        let args = json!({"channel_id": channel.as_str(), "thread_ts": root.to_string(), "status": status});
        client.call(SET_STATUS, args).await
    };
    assert_eq!(set("processing").await["ok"], true);
    assert_eq!(slack.threads_being_answered(), [(channel.clone(), root)]);
    let post = json!({"channel": channel.as_str(), "thread_ts": root.to_string(), "text": "hi"});
    assert_eq!(client.call("chat.postMessage", post.clone()).await["ok"], true);
    assert_eq!(slack.threads_being_answered(), [(channel.clone(), root)]);
    assert_eq!(set("active").await["ok"], true);
    let old = json!({"channel_id": channel.as_str(), "thread_ts": root.to_string(), "status": "is typing"});
    assert_eq!(client.call("assistant.threads.setStatus", old).await["ok"], true);
    assert_eq!(slack.threads_being_answered().len(), 1);
    assert_eq!(client.call("chat.postMessage", post).await["ok"], true);
    assert_eq!(slack.threads_being_answered(), [], "a post takes the older status away");
    let changes: Vec<(String, usize)> =
        slack.seen().status_changes.into_iter().map(|change| (change.status, change.posts)).collect();
    let told = |status: &str, posts| (status.to_owned(), posts);
    assert_eq!(changes, [told("processing", 0), told("active", 1), told("is typing", 1), told("", 2)]);
    slack.finish();
}

#[tokio::test]
async fn a_workspace_may_lack_them() {
    let (slack, channel, alice, client) =
        furnished(FakeSlack::setup().without_agent_sessions().start().await);
    let root = slack.say(&channel, &alice, "hello?");
    let args = json!({"channel_id": channel.as_str(), "thread_ts": root.to_string(), "status": "active"});
    assert_eq!(client.call(SET_STATUS, args).await["error"], "unknown_method");
    slack.finish();
}

#[tokio::test]
async fn without_its_event_slack_warns_that_there_is_no_button() {
    let (slack, channel, alice, client) = furnished(FakeSlack::setup().without_stop_event().start().await);
    let root = slack.say(&channel, &alice, "hello?");
    let args = json!({"channel_id": channel.as_str(), "thread_ts": root.to_string(), "status": "processing"});
    let told = client.call(SET_STATUS, args).await;
    assert_eq!(told["warning"], "missing_agent_session_stopped_event_subscription");
    slack.finish();
}

#[tokio::test]
async fn a_stop_is_an_event() {
    let (slack, _, alice, client) = workspace().await;
    let channel = slack.channel(ChannelSpec::public("ours").members(&[&alice]));
    let root = slack.say(&channel, &alice, "hello?");
    let mut socket = client.connect().await;
    slack.press_stop(&channel, root, &alice);
    let event = loop {
        let event = socket.event().await;
        if event["type"] == "agent_session_stopped" {
            break event;
        }
    };
    assert_eq!(
        (event["channel"].as_str(), event["user"].as_str()),
        (Some(channel.as_str()), Some(alice.as_str()))
    );
    assert_eq!(event["thread_ts"], root.to_string());
}
