//! Modals and the Home tab.

use jiff::{SignedDuration, Timestamp};
use myao_core::chat::UserId;
use myao_testkit::{
    FakeSlack, HandClock,
    slack::{PlayedInteraction, Rule, ShownView, UserSpec},
};
use serde_json::{Value, json};

use super::{Client, Socket, furnished, workspace};

const NOON: i64 = 1_770_000_000;

fn plain(text: &str) -> Value {
    json!({"type": "plain_text", "text": text})
}

fn input(id: &str) -> Value {
    json!({"type": "input", "block_id": id, "label": plain(id),
        "element": {"type": "plain_text_input", "action_id": "typed"}})
}

/// A modal in which a memo is written.
fn memo(title: &str) -> Value {
    json!({"type": "modal", "callback_id": "memo", "title": plain(title), "submit": plain("Save"),
        "close": plain("Cancel"), "private_metadata": "m-1", "blocks": [input("words")]})
}

fn home(words: &str) -> Value {
    json!({"type": "home", "blocks": [{"type": "header", "text": plain(words)},
        {"type": "actions", "elements": [{"type": "button", "action_id": "more", "text": plain("More")}]}]})
}

async fn open(client: &Client, by: &PlayedInteraction, view: Value) -> Value {
    client.call("views.open", json!({"trigger_id": by.trigger_id(), "view": view})).await
}

/// A workspace in which alice has a modal open.
async fn with_modal() -> (FakeSlack, UserId, Client, Socket) {
    let (slack, channel, alice, client) = workspace().await;
    let mut socket = client.connect().await;
    let command = slack.slash(&channel, &alice, "/myao", "memo");
    socket.take_interaction().await;
    assert_eq!(open(&client, &command, memo("New memo")).await["ok"], true);
    assert_eq!(command.view_opened().await, slack.modals(&alice)[0]);
    (slack, alice, client, socket)
}

fn titles(views: &[ShownView]) -> Vec<&str> {
    views.iter().map(|view| view.json["title"]["text"].as_str().unwrap()).collect()
}

#[tokio::test]
async fn a_trigger_lives_three_seconds_and_opens_one_view() {
    let clock = HandClock::at(Timestamp::from_second(NOON).unwrap());
    let slack = FakeSlack::setup().with_clock(clock.clone()).start().await;
    let (slack, channel, alice, client) = furnished(slack);
    let mut socket = client.connect().await;
    let [used, late] = ["one", "two"].map(|text| slack.slash(&channel, &alice, "/myao", text));
    socket.take_interaction().await;
    socket.take_interaction().await;
    clock.advance(SignedDuration::from_secs(3));
    let told = open(&client, &used, memo("A memo")).await;
    assert_eq!((&told["ok"], &told["view"]["callback_id"]), (&json!(true), &json!("memo")));
    assert_eq!(told["view"]["id"], told["view"]["root_view_id"]);
    assert_eq!(open(&client, &used, memo("A memo")).await["error"], "exchanged_trigger_id");
    clock.advance(SignedDuration::from_millis(1));
    assert_eq!(open(&client, &late, memo("A memo")).await["error"], "expired_trigger_id");
    let args = json!({"trigger_id": "1.2.3", "view": memo("A memo")});
    assert_eq!(client.call("views.open", args).await["error"], "invalid_trigger_id");
    assert_eq!(used.opened_views().len(), 1);
    let [shown] = slack.modals(&alice).try_into().unwrap();
    assert_eq!(shown.drawn(), "== A memo ==\nwords: ____\n[Cancel] [Save]");
    slack.finish();
}

#[tokio::test]
async fn a_view_is_updated_by_its_ids_unless_another_was_first() {
    let (slack, alice, client, _socket) = with_modal().await;
    let first = slack.modals(&alice).remove(0);
    let mut named = memo("Named");
    named["external_id"] = "memo-1".into();
    let args = json!({"view_id": first.id, "hash": first.hash, "view": named});
    let told = client.call("views.update", args.clone()).await;
    assert_eq!(told["view"]["id"], json!(first.id));
    assert_ne!(told["view"]["hash"], json!(first.hash));
    assert_eq!(client.call("views.update", args).await["error"], "hash_conflict");
    let args = json!({"external_id": "memo-1", "view": memo("Again")});
    assert_eq!(client.call("views.update", args.clone()).await["ok"], true);
    assert_eq!(titles(&slack.modals(&alice)), ["Again"]);
    assert_eq!(client.call("views.update", args).await["error"], "not_found", "the new one has no such id");
    slack.close_modal(&alice);
    let args = json!({"view_id": first.id, "view": memo("Too late")});
    assert_eq!(client.call("views.update", args).await["error"], "not_found");
    slack.finish();
}

#[tokio::test]
async fn views_are_three_deep() {
    let (slack, channel, alice, client) = workspace().await;
    let mut socket = client.connect().await;
    let mut with_button = memo("1");
    with_button["blocks"] = json!([{"type": "actions", "elements": [
        {"type": "button", "action_id": "more", "text": plain("More")}]}]);
    let command = slack.slash(&channel, &alice, "/myao", "memo");
    socket.take_interaction().await;
    open(&client, &command, with_button.clone()).await;
    for (title, told) in [("2", "ok"), ("3", "ok"), ("4", "push_limit_reached")] {
        let click = slack.click_modal(&alice, "more");
        let payload = socket.take_interaction().await["payload"].take();
        assert_eq!(payload["view"]["id"], json!(slack.modals(&alice).last().unwrap().id));
        assert_eq!((payload.get("channel"), payload.get("response_url")), (None, None));
        with_button["title"] = plain(title);
        let args = json!({"trigger_id": click.trigger_id(), "view": with_button});
        let answer = client.call("views.push", args).await;
        assert_eq!(answer["error"].as_str().unwrap_or("ok"), told);
    }
    let modals = slack.modals(&alice);
    assert_eq!(titles(&modals), ["1", "2", "3"]);
    assert_eq!(modals[2].json["previous_view_id"], json!(modals[1].id));
    assert_eq!(modals[2].json["root_view_id"], json!(modals[0].id));
    slack.close_modal(&alice);
    assert_eq!(titles(&slack.modals(&alice)), ["1", "2"]);
    slack.finish();
}

#[tokio::test]
async fn a_submission_tells_what_was_typed_and_closes_the_view() {
    let (slack, alice, _client, mut socket) = with_modal().await;
    let sent = slack.submit(&alice, &[("words", "gaskets are in the shed")]);
    let envelope = socket.next().await.unwrap();
    assert_eq!(envelope["accepts_response_payload"], true);
    let payload = &envelope["payload"];
    assert_eq!(
        (&payload["type"], &payload["view"]["private_metadata"]),
        (&json!("view_submission"), &json!("m-1"))
    );
    let typed = json!({"words": {"typed": {"type": "plain_text_input", "value": "gaskets are in the shed"}}});
    assert_eq!(payload["view"]["state"]["values"], typed);
    assert_eq!(slack.modals(&alice).len(), 1, "it is open until the app acknowledges");
    socket.ack(&envelope).await;
    sent.acknowledged().await;
    assert!(slack.modals(&alice).is_empty());
    slack.finish();
}

#[tokio::test]
#[should_panic(expected = "Slack asks for `words` before it submits")]
async fn nothing_is_submitted_without_what_is_asked_for() {
    let (slack, alice, _client, _socket) = with_modal().await;
    slack.submit(&alice, &[]);
}

#[tokio::test]
async fn a_submission_is_answered_in_its_acknowledgement() {
    let (slack, alice, _client, mut socket) = with_modal().await;
    let mut answer = async |response: Value| {
        let sent = slack.submit(&alice, &[("words", "x")]);
        let envelope = socket.next().await.unwrap();
        socket.ack_with(&envelope, response).await;
        sent.acknowledged().await;
        slack.modals(&alice)
    };
    let open = answer(json!({"response_action": "errors", "errors": {"words": "too short"}})).await;
    assert_eq!(titles(&open), ["New memo"]);
    let open = answer(json!({"response_action": "update", "view": memo("Updated")})).await;
    assert_eq!(titles(&open), ["Updated"]);
    let open = answer(json!({"response_action": "push", "view": memo("Pushed")})).await;
    assert_eq!(titles(&open), ["Updated", "Pushed"]);
    assert_eq!(titles(&slack.seen().views), ["New memo", "Updated", "Pushed"]);
    assert!(slack.violations().is_empty());

    for wrong in [
        json!({"response_action": "errors", "errors": {"other": "no such block"}}),
        json!({"response_action": "errors"}),
        json!({"response_action": "close"}),
        json!({"response_action": "update", "view": home("Home")}),
    ] {
        assert_eq!(titles(&answer(wrong).await), ["Updated", "Pushed"]);
    }
    let mut long = memo("Long");
    long["title"] = plain(&"x".repeat(25));
    answer(json!({"response_action": "push", "view": long})).await;
    let rules: Vec<Rule> = slack.violations().iter().map(|breach| breach.rule).collect();
    assert_eq!(
        rules,
        [Rule::ViewResponse, Rule::ViewResponse, Rule::ViewResponse, Rule::ViewResponse, Rule::BlockLimits]
    );
    slack.tolerate(Rule::ViewResponse);
    slack.tolerate(Rule::BlockLimits);
    assert!(answer(json!({"response_action": "clear"})).await.is_empty());
    slack.finish();
}

#[tokio::test]
async fn a_closed_view_is_told_of_where_it_asks_for_that() {
    let (slack, channel, alice, client) = workspace().await;
    let mut socket = client.connect().await;
    for notifies in [false, true] {
        let command = slack.slash(&channel, &alice, "/myao", "memo");
        socket.take_interaction().await;
        let mut view = memo("A memo");
        view["notify_on_close"] = notifies.into();
        open(&client, &command, view).await;
        assert_eq!(slack.close_modal(&alice).is_some(), notifies);
    }
    let payload = socket.take_interaction().await["payload"].take();
    assert_eq!((&payload["type"], &payload["is_cleared"]), (&json!("view_closed"), &json!(false)));
    assert_eq!((&payload["view"]["callback_id"], payload.get("trigger_id")), (&json!("memo"), None));
    slack.finish();
}

#[tokio::test]
async fn a_view_that_breaks_a_limit_is_refused_and_leaves_the_trigger() {
    let (slack, channel, alice, client) = workspace().await;
    let mut socket = client.connect().await;
    let command = slack.slash(&channel, &alice, "/myao", "memo");
    socket.take_interaction().await;
    let mut silent = memo("A memo");
    silent.as_object_mut().unwrap().remove("submit");
    let told = open(&client, &command, silent).await;
    assert_eq!(told["error"], "invalid_arguments");
    let message = told["response_metadata"]["messages"][0].as_str().unwrap();
    assert!(message.contains("[json-pointer:/view/submit]"), "{message}");
    let mut large = memo("Large");
    let section = json!({"type": "section", "text": plain(&"x".repeat(3_000))});
    large["blocks"] = vec![section; 84].into();
    assert_eq!(open(&client, &command, large).await["error"], "view_too_large");
    assert_eq!(open(&client, &command, home("Home")).await["error"], "invalid_arguments");
    let rules: Vec<Rule> = slack.violations().iter().map(|breach| breach.rule).collect();
    assert_eq!(rules, [Rule::BlockLimits, Rule::BlockLimits, Rule::Arguments]);
    slack.tolerate(Rule::BlockLimits);
    slack.tolerate(Rule::Arguments);
    assert_eq!(open(&client, &command, memo("A memo")).await["ok"], true);
    slack.finish();
}

#[tokio::test]
async fn a_home_tab_is_published_silently_and_told_of_when_it_is_opened() {
    let (slack, _, alice, client) = workspace().await;
    let bob = slack.user(UserSpec::person("bob"));
    let mut socket = client.connect().await;
    slack.open_home(&alice);
    let opened = socket.event().await;
    assert_eq!(
        (&opened["type"], &opened["tab"], opened.get("view")),
        (&json!("app_home_opened"), &json!("home"), None)
    );
    assert!(opened["channel"].as_str().unwrap().starts_with('D'));
    let publish = async |more: Value| {
        let mut args = json!({"user_id": alice.as_str(), "view": home("Memories")});
        args.as_object_mut().unwrap().extend(more.as_object().unwrap().clone());
        client.call("views.publish", args).await
    };
    assert_eq!(publish(json!({"hash": "1.2"})).await["error"], "hash_conflict");
    let first = publish(json!({})).await;
    let second = publish(json!({"hash": first["view"]["hash"]})).await;
    assert_eq!(first["view"]["id"], second["view"]["id"]);
    assert_eq!(publish(json!({"hash": first["view"]["hash"]})).await["error"], "hash_conflict");
    assert_eq!(slack.home(&alice).unwrap().drawn(), "# Memories\n[More]");
    assert_eq!(slack.home(&bob), None);
    assert_eq!(slack.seen().views.len(), 2);

    slack.open_messages_tab(&alice);
    let opened = socket.event().await;
    assert_eq!((&opened["tab"], &opened["view"]), (&json!("messages"), &second["view"]));
    slack.click_home(&alice, "more");
    let payload = socket.take_interaction().await["payload"].take();
    assert_eq!((&payload["view"]["type"], &payload["container"]["type"]), (&json!("home"), &json!("view")));
    slack.finish();
}

#[tokio::test]
async fn a_home_tab_that_is_off_takes_nothing() {
    let slack = FakeSlack::setup().without_home_tab().start().await;
    let (slack, _, alice, client) = furnished(slack);
    let args = json!({"user_id": alice.as_str(), "view": home("Memories")});
    assert_eq!(client.call("views.publish", args).await["error"], "not_enabled");
    let args = json!({"user_id": "U0NOBODY", "view": home("Memories")});
    assert_eq!(client.call("views.publish", args).await["error"], "user_not_found");
    slack.finish();
}

#[tokio::test]
async fn an_external_id_is_given_once() {
    let (slack, channel, alice, client) = workspace().await;
    let bob = slack.user(UserSpec::person("bob"));
    let mut socket = client.connect().await;
    let mut told = Vec::new();
    for user in [&alice, &bob] {
        let command = slack.slash(&channel, user, "/myao", "memo");
        socket.take_interaction().await;
        let mut view = memo("A memo");
        view["external_id"] = "memo-1".into();
        told.push(open(&client, &command, view).await["error"].as_str().unwrap_or("ok").to_owned());
    }
    assert_eq!(told, ["ok", "duplicate_external_id"]);
    slack.finish();
}
