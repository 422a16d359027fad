//! The other methods, and what they refuse.

use std::collections::BTreeSet;

use myao_testkit::{
    FakeSlack,
    slack::{ChannelSpec, Rule, UserSpec},
};
use serde_json::json;

use super::{Client, furnished, workspace};

#[tokio::test]
async fn lists_come_in_pages_that_may_be_short_or_empty() {
    let slack = FakeSlack::start().await;
    let mut expected = BTreeSet::new();
    for number in 0..150 {
        let spec = ChannelSpec::public(&format!("c{number}"));
        let archived = (40..80).contains(&number);
        let id = slack.channel(if archived { spec.archived() } else { spec });
        if !archived {
            expected.insert(id.as_str().to_owned());
        }
    }
    slack.channel(ChannelSpec::public("foreign").without_bot());
    slack.channel(ChannelSpec::private("unwatched"));
    let client = Client::of(&slack);
    let mut found = BTreeSet::new();
    let mut sizes = Vec::new();
    let mut cursor = String::new();
    loop {
        let args = [("exclude_archived", "true"), ("limit", "20"), ("cursor", cursor.as_str())];
        let told = client.get("users.conversations", &args).await;
        let channels = told["channels"].as_array().unwrap();
        sizes.push(channels.len());
        found.extend(channels.iter().map(|channel| channel["id"].as_str().unwrap().to_owned()));
        assert!(channels.iter().all(|channel| channel.get("is_member").is_none()));
        told["response_metadata"]["next_cursor"].as_str().unwrap().clone_into(&mut cursor);
        if cursor.is_empty() {
            break;
        }
    }
    assert_eq!(found, expected);
    assert_eq!(sizes, [20, 20, 0, 0, 20, 20, 20, 10]);

    let types = [("types", "public_channel,private_channel"), ("limit", "999")];
    let told = client.get("conversations.list", &types).await;
    assert_eq!(told["channels"].as_array().unwrap().len(), 152);
    slack.finish();
}

#[tokio::test]
async fn people_and_members_are_listed() {
    let (slack, channel, alice, client) = workspace().await;
    let robot = slack.user(UserSpec::bot("robot").real_name("A Robot"));
    let guest = slack.user(UserSpec::person("guest").guest().outsider());
    let told = client.get("users.info", &[("user", alice.as_str())]).await;
    assert_eq!(told["user"]["profile"]["display_name"], "alice");
    let told = client.get("users.list", &[]).await;
    let of = |id: &str| told["members"].as_array().unwrap().iter().find(|user| user["id"] == id).unwrap();
    assert_eq!(
        (&of(robot.as_str())["is_bot"], &of(robot.as_str())["real_name"]),
        (&json!(true), &json!("A Robot"))
    );
    assert_eq!(
        (&of(guest.as_str())["is_restricted"], &of(guest.as_str())["is_stranger"]),
        (&json!(true), &json!(true))
    );
    slack.join(&channel, &alice);
    let told = client.get("conversations.members", &[("channel", channel.as_str()), ("limit", "1")]).await;
    assert_eq!(told["members"], json!([alice.as_str()]));
    let cursor = told["response_metadata"]["next_cursor"].as_str().unwrap();
    let args = [("channel", channel.as_str()), ("cursor", cursor)];
    assert_eq!(client.get("conversations.members", &args).await["members"], json!(["U0FAKEBOT1"]));
    assert_eq!(client.get("users.list", &[("cursor", cursor)]).await["error"], "invalid_cursor");
}

#[tokio::test]
async fn a_bot_sees_and_does_what_it_may() {
    let (slack, channel, alice, client) = workspace().await;
    let closed = slack.channel(ChannelSpec::private("closed").without_bot());
    let open = slack.channel(ChannelSpec::public("open").without_bot());
    let refused = |told: serde_json::Value| told["error"].as_str().unwrap_or_default().to_owned();
    assert_eq!(
        refused(client.get("conversations.info", &[("channel", closed.as_str())]).await),
        "channel_not_found"
    );
    assert_eq!(
        refused(client.get("conversations.history", &[("channel", open.as_str())]).await),
        "not_in_channel"
    );
    assert_eq!(refused(client.post(open.as_str(), "hello").await), "not_in_channel");
    assert_eq!(
        client.get("conversations.info", &[("channel", open.as_str())]).await["channel"]["is_member"],
        false
    );
    client.call("conversations.join", json!({"channel": open.as_str()})).await;
    assert_eq!(client.post(open.as_str(), "hello").await["ok"], true);
    client.call("conversations.leave", json!({"channel": open.as_str()})).await;
    assert_eq!(refused(client.post(open.as_str(), "hello").await), "not_in_channel");
    slack.archive(&channel);
    assert_eq!(refused(client.post(channel.as_str(), "hello").await), "is_archived");
    let told = client.post(alice.as_str(), "hello").await;
    assert!(told["channel"].as_str().unwrap().starts_with('D'), "{told}");
    assert_eq!(refused(client.post(channel.as_str(), " ").await), "is_archived");
    assert_eq!(refused(client.post(alice.as_str(), " ").await), "no_text");
    slack.finish();
}

#[tokio::test]
async fn a_missing_scope_is_named() {
    let slack = FakeSlack::setup().without_scope("groups:history").without_scope("users:read").start().await;
    let (slack, channel, alice, client) = furnished(slack);
    let secret = slack.channel(ChannelSpec::private("secret"));
    let told = client.get("users.info", &[("user", alice.as_str())]).await;
    assert_eq!((&told["error"], &told["needed"]), (&json!("missing_scope"), &json!("users:read")));
    assert!(!told["provided"].as_str().unwrap().contains("users:read"));
    let told = client.get("conversations.history", &[("channel", secret.as_str())]).await;
    assert_eq!(told["needed"], "groups:history");
    assert_eq!(client.get("conversations.history", &[("channel", channel.as_str())]).await["ok"], true);
    let response = client.send("auth.test", |request| request).await.unwrap();
    assert!(response.headers()["x-oauth-scopes"].to_str().unwrap().contains("chat:write"));
}

#[tokio::test]
async fn posts_can_be_changed_linked_and_reacted_to() {
    let (slack, channel, alice, client) = workspace().await;
    let asked = slack.say(&channel, &alice, "hello?");
    let form = [("channel", channel.as_str()), ("text", "hello"), ("thread_ts", &asked.to_string())];
    let told = client.send("chat.postMessage", |request| request.form(&form)).await.unwrap();
    let told: serde_json::Value = told.json().await.unwrap();
    let ts = told["ts"].as_str().unwrap();
    let own = json!({"channel": channel.as_str(), "ts": ts, "text": "hello!"});
    assert_eq!(client.call("chat.update", own.clone()).await["message"]["text"], "hello!");
    let alices = json!({"channel": channel.as_str(), "ts": asked.to_string(), "text": "mine"});
    assert_eq!(client.call("chat.update", alices.clone()).await["error"], "cant_update_message");
    assert_eq!(client.call("chat.delete", alices).await["error"], "cant_delete_message");
    let link = client.get("chat.getPermalink", &[("channel", channel.as_str()), ("message_ts", ts)]).await;
    let permalink = format!(
        "https://fake.slack.com/archives/{channel}/p{}?thread_ts={asked}&cid={channel}",
        ts.replace('.', "")
    );
    assert_eq!(link["permalink"], json!(permalink));
    let wave = json!({"channel": channel.as_str(), "timestamp": asked.to_string(), "name": "wave"});
    assert_eq!(client.call("reactions.add", wave.clone()).await["ok"], true);
    assert_eq!(client.call("reactions.add", wave).await["error"], "already_reacted");
    let status =
        json!({"channel_id": channel.as_str(), "thread_ts": asked.to_string(), "status": "is typing"});
    assert_eq!(client.call("assistant.threads.setStatus", status).await["ok"], true);
    assert_eq!(client.call("chat.delete", own).await["ok"], true);
    let seen = slack.seen();
    assert_eq!((seen.posts.len(), seen.reactions.len(), seen.statuses[0].text.as_str()), (1, 1, "is typing"));
    assert_eq!(slack.calls("chat.update").len(), 2);
    slack.finish();
}

#[tokio::test]
async fn a_reaction_needs_an_emoji_that_there_is_and_a_message_to_stand_at() {
    let slack = FakeSlack::start().await;
    let aki = slack.user(UserSpec::person("aki"));
    let channel = slack.channel(ChannelSpec::public("a").members(&[&aki]));
    slack.emoji("おつかれ");
    let asked = slack.say(&channel, &aki, "hello");
    let client = Client::of(&slack);
    let react = async |name: &str, ts: &str| {
        let args = json!({"channel": channel.as_str(), "timestamp": ts, "name": name});
        let told = client.call("reactions.add", args).await;
        told["error"].as_str().unwrap_or("ok").to_owned()
    };
    let at = asked.to_string();
    for (name, told) in [
        ("+1", "ok"),
        ("thumbsup", "already_reacted"),
        ("+1::skin-tone-2", "ok"),
        ("+1::skin-tone-7", "invalid_name"),
        ("tada::skin-tone-2", "invalid_name"),
        ("おつかれ", "ok"),
        ("nobody_made_this", "invalid_name"),
    ] {
        assert_eq!(react(name, &at).await, told, "{name}");
    }
    assert_eq!(react("tada", "1.000000").await, "message_not_found");
    let shown = slack.message(&channel, asked).unwrap();
    let names: Vec<&str> =
        shown["reactions"].as_array().unwrap().iter().map(|one| one["name"].as_str().unwrap()).collect();
    assert_eq!(names, ["+1", "+1::skin-tone-2", "おつかれ"]);
    for number in 0..20 {
        slack.emoji(&format!("e{number}"));
        assert_eq!(react(&format!("e{number}"), &at).await, "ok");
    }
    assert_eq!(react("tada", &at).await, "too_many_reactions");
    assert!(slack.violations().is_empty());
    assert_eq!(react(":tada:", &at).await, "invalid_name");
    assert_eq!(slack.violations()[0].rule, Rule::Arguments);
    slack.tolerate(Rule::Arguments);
    slack.archive(&channel);
    assert_eq!(react("wave", &at).await, "is_archived");
    slack.finish();
}
