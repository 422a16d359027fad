//! Clicks and shortcuts, and what is answered to them.

use myao_testkit::{
    FakeSlack,
    slack::{AnswerEffect, ChannelSpec, Click, Rule, UserSpec},
};
use serde_json::{Value, json};

use super::{Client, workspace};

fn button(id: &str, text: &str) -> Value {
    json!({"type": "button", "action_id": id, "value": format!("{id}-value"), "text": {"type": "plain_text", "text": text}})
}

fn with_buttons() -> Value {
    json!([
        {"type": "section", "text": {"type": "mrkdwn", "text": "Forget this?"}},
        {"type": "actions", "block_id": "choice", "elements": [button("forget", "Forget"), button("keep", "Keep")]},
    ])
}

#[tokio::test]
async fn a_click_in_a_message_tells_the_message_and_may_replace_it() {
    let (slack, channel, alice, client) = workspace().await;
    let mut socket = client.connect().await;
    let args = json!({"channel": channel.as_str(), "text": "Forget this?", "blocks": with_buttons()});
    let posted = client.call("chat.postMessage", args).await;
    assert_eq!(socket.event().await["blocks"][1]["block_id"], "choice");
    let ts = slack.posts()[0].ts;
    assert_eq!(slack.posts()[0].blocks.as_ref().unwrap()[0]["block_id"], "fAk0");

    let click = slack.click(&channel, ts, &alice, "forget");
    let envelope = socket.take_interaction().await;
    assert_eq!(
        (&envelope["type"], &envelope["accepts_response_payload"]),
        (&json!("interactive"), &json!(false))
    );
    let payload = &envelope["payload"];
    assert_eq!(payload["type"], "block_actions");
    assert_eq!(
        payload["user"],
        json!({"id": alice.as_str(), "username": "alice", "name": "alice", "team_id": slack.team_id()})
    );
    assert_eq!(payload["team"], json!({"id": slack.team_id(), "domain": "fake"}));
    assert_eq!(payload["channel"], json!({"id": channel.as_str(), "name": "general"}));
    assert_eq!(payload["container"]["message_ts"], posted["ts"]);
    assert_eq!(payload["message"]["text"], "Forget this?");
    let action = &payload["actions"][0];
    assert_eq!(
        (&action["type"], &action["action_id"], &action["block_id"], &action["value"]),
        (&json!("button"), &json!("forget"), &json!("choice"), &json!("forget-value"))
    );

    let told =
        client.respond(&click.response_url(), json!({"text": "Forgotten.", "replace_original": true})).await;
    assert_eq!(told.json::<Value>().await.unwrap(), json!({"ok": true}));
    assert_eq!(click.answered().await.effect, AnswerEffect::Replaced(ts));
    let shown = slack.message(&channel, ts).unwrap();
    assert_eq!((&shown["text"], &shown["blocks"][0]["type"]), (&json!("Forgotten."), &json!("rich_text")));
    assert_eq!(socket.event().await["subtype"], "message_changed");
    client.respond(&click.response_url(), json!({"text": "for you"})).await;
    assert_eq!(slack.ephemerals(&alice)[0].text, "for you");
    client.respond(&click.response_url(), json!({"delete_original": true})).await;
    assert_eq!(slack.message(&channel, ts), None);
    slack.finish();
}

#[tokio::test]
async fn blocks_of_a_message_stay_until_they_are_changed() {
    let (slack, channel, _, client) = workspace().await;
    let args = json!({"channel": channel.as_str(), "blocks": with_buttons()});
    let posted = client.call("chat.postMessage", args).await;
    let ts = slack.posts()[0].ts;
    let blocks = || slack.message(&channel, ts).unwrap()["blocks"].clone();
    let update = async |mut args: Value| {
        args["channel"] = channel.as_str().into();
        args["ts"] = posted["ts"].clone();
        client.call("chat.update", args).await
    };
    assert_eq!(update(json!({"text": "words"})).await["ok"], true);
    assert_eq!(blocks().as_array().unwrap().len(), 2);
    update(json!({"text": "words", "blocks": [{"type": "divider"}]})).await;
    assert_eq!(blocks(), json!([{"type": "divider", "block_id": "fAk0"}]));
    update(json!({"text": "words", "blocks": []})).await;
    assert_eq!(blocks()[0]["type"], "rich_text");
    slack.finish();
}

#[tokio::test]
async fn a_click_in_what_one_person_sees_tells_no_message_and_may_replace_it() {
    let (slack, channel, alice, client) = workspace().await;
    slack.join(&channel, &alice);
    let bob = slack.user(UserSpec::person("bob"));
    let mut socket = client.connect().await;
    let show = async |user: &str, blocks: Value| {
        let args =
            json!({"channel": channel.as_str(), "user": user, "text": "Forget this?", "blocks": blocks});
        client.call("chat.postEphemeral", args).await
    };
    assert_eq!(show(bob.as_str(), with_buttons()).await["error"], "user_not_in_channel");
    let told = show(alice.as_str(), with_buttons()).await;
    let [shown] = slack.ephemerals(&alice).try_into().unwrap();
    assert_eq!(told["message_ts"], json!(shown.ts.to_string()));
    assert_eq!(shown.drawn(), "Forget this?\n[Forget] [Keep]");
    assert!(slack.posts().is_empty());
    assert_eq!(slack.seen().ephemerals.first(), Some(&shown));

    let click = slack.click_ephemeral(&shown, Click::from("keep").in_block("choice"));
    let payload = socket.take_interaction().await["payload"].take();
    assert_eq!((&payload["container"]["is_ephemeral"], payload.get("message")), (&json!(true), None));
    client.respond(&click.response_url(), json!({"text": "Kept.", "replace_original": true})).await;
    let [now] = slack.ephemerals(&alice).try_into().unwrap();
    assert_eq!((now.ts, now.drawn().as_str()), (shown.ts, "Kept."));
    client.respond(&click.response_url(), json!({"delete_original": true})).await;
    assert!(slack.ephemerals(&alice).is_empty());
    slack.finish();
}

#[tokio::test]
async fn a_choice_tells_its_option() {
    let (slack, channel, alice, client) = workspace().await;
    let mut socket = client.connect().await;
    let option = |value: &str| json!({"text": {"type": "plain_text", "text": value}, "value": value});
    let blocks = json!([{"type": "section", "text": {"type": "mrkdwn", "text": "A memo"},
        "accessory": {"type": "overflow", "action_id": "menu", "options": [option("edit"), option("drop")]}}]);
    client.call("chat.postMessage", json!({"channel": channel.as_str(), "blocks": blocks})).await;
    socket.event().await;
    slack.click(&channel, slack.posts()[0].ts, &alice, Click::choice("menu", "drop"));
    let envelope = socket.take_interaction().await;
    assert_eq!(envelope["payload"]["actions"][0]["selected_option"], option("drop"));
    slack.finish();
}

#[tokio::test]
#[should_panic(expected = "there is nothing to click")]
async fn nobody_clicks_what_is_not_shown() {
    let (slack, channel, alice, client) = workspace().await;
    client.post(channel.as_str(), "no buttons").await;
    slack.click(&channel, slack.posts()[0].ts, &alice, "forget");
}

#[tokio::test]
async fn a_shortcut_on_a_message_tells_the_whole_message() {
    let slack = FakeSlack::start().await;
    let alice = slack.user(UserSpec::person("alice"));
    let secret = slack.channel(ChannelSpec::private("secret").members(&[&alice]).without_bot());
    let root = slack.say(&secret, &alice, "root");
    let said = slack.reply(&secret, root, &alice, "gaskets are in the shed");
    let client = Client::of(&slack);
    let mut socket = client.connect().await;
    let used = slack.message_shortcut(&secret, said, &alice, "remember");
    let payload = socket.take_interaction().await["payload"].take();
    assert_eq!(
        (&payload["type"], &payload["callback_id"], &payload["message_ts"]),
        (&json!("message_action"), &json!("remember"), &json!(said.to_string()))
    );
    assert_eq!(payload["channel"], json!({"id": secret.as_str(), "name": "privategroup"}));
    assert_eq!(payload["message"], slack.message(&secret, said).unwrap());
    assert_eq!(payload["message"]["thread_ts"], json!(root.to_string()));
    // A person's message is not the app's to replace.
    client.respond(&used.response_url(), json!({"text": "noted", "replace_original": true})).await;
    assert_eq!(slack.message(&secret, said).unwrap()["text"], "gaskets are in the shed");
    assert_eq!(slack.ephemerals(&alice)[0].text, "noted");

    let used = slack.global_shortcut(&alice, "memos");
    let envelope = socket.take_interaction().await;
    assert_eq!(
        (&envelope["payload"]["type"], &envelope["accepts_response_payload"]),
        (&json!("shortcut"), &json!(false))
    );
    assert_eq!(used.response_url(), "");
    assert_eq!(envelope["payload"]["trigger_id"], json!(used.trigger_id()));
    slack.finish();
}

#[tokio::test]
async fn a_payload_in_the_acknowledgement_of_a_click_breaks_a_rule() {
    let (slack, channel, alice, client) = workspace().await;
    let mut socket = client.connect().await;
    let args = json!({"channel": channel.as_str(), "text": "?", "blocks": with_buttons()});
    client.call("chat.postMessage", args).await;
    socket.event().await;
    let click = slack.click(&channel, slack.posts()[0].ts, &alice, "keep");
    let envelope = socket.next().await.unwrap();
    socket.ack_with(&envelope, json!({"text": "kept"})).await;
    click.acknowledged().await;
    assert_eq!(slack.violations()[0].rule, Rule::FrameForm);
    assert!(click.answers().is_empty());
    slack.tolerate(Rule::FrameForm);
}

#[tokio::test]
async fn blocks_that_are_too_long_are_refused_and_break_a_rule() {
    let (slack, channel, alice, client) = workspace().await;
    slack.join(&channel, &alice);
    let mut socket = client.connect().await;
    let many = Value::from(vec![json!({"type": "divider"}); 51]);
    let told = client
        .call("chat.postMessage", json!({"channel": channel.as_str(), "text": "x", "blocks": many}))
        .await;
    assert_eq!(told["error"], "invalid_blocks");
    assert!(told["errors"][0].as_str().unwrap().contains("[json-pointer:/blocks]"), "{told}");
    let args = json!({"channel": channel.as_str(), "user": alice.as_str(), "text": "x", "blocks": many});
    assert_eq!(client.call("chat.postEphemeral", args).await["error"], "invalid_blocks");
    let command = slack.slash(&channel, &alice, "/myao", "status");
    socket.take_interaction().await;
    let response = client.respond(&command.response_url(), json!({"text": "x", "blocks": many})).await;
    assert_eq!(response.json::<Value>().await.unwrap()["error"], "invalid_blocks");
    let rules: Vec<Rule> = slack.violations().iter().map(|breach| breach.rule).collect();
    assert_eq!(rules, [Rule::BlockLimits; 3]);
    assert!(slack.posts().is_empty() && slack.ephemerals(&alice).is_empty());
    slack.tolerate(Rule::BlockLimits);
}
