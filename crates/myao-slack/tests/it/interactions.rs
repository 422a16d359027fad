//! Commands and buttons as they are delivered, and answers that one person sees as they are sent.

use myao_core::chat::{Interaction, InteractionRequest, InteractionView, RefusedInteraction, UserId, Vote};
use myao_slack::{
    directory::BotIdentity,
    event::{DeliveryContent, read_delivery},
    private_answer::{AnswerButton, AnswerLine, ConfirmQuestion, PrivateAnswer},
};
use serde_json::{Value, json};

fn own() -> BotIdentity {
    BotIdentity {
        team: "T1".to_owned(),
        team_name: String::new(),
        team_url: String::new(),
        user: UserId::new("U1"),
        bot: None,
        name: String::new(),
    }
}

fn command() -> Value {
    json!({
        "team_id": "T1", "team_domain": "bats", "channel_id": "C1", "channel_name": "general", "user_id": "U2",
        "user_name": "aki", "command": "/myao", "text": "recall gaskets", "api_app_id": "A1",
        "is_enterprise_install": "false", "trigger_id": "1.2.3",
        "response_url": "https://hooks.slack.com/commands/T1/1/x",
    })
}

fn pressed() -> Value {
    json!({
        "type": "block_actions", "team": {"id": "T1", "domain": "bats"}, "user": {"id": "U2", "team_id": "T1"},
        "channel": {"id": "C1", "name": "general"}, "trigger_id": "1.2.4",
        "response_url": "https://hooks.slack.com/actions/T1/1/x",
        "container": {"type": "message", "message_ts": "1772442384.359059", "is_ephemeral": true},
        "actions": [{"type": "button", "action_id": "forget-message", "block_id": "b", "value": "C1/1.2/f",
            "action_ts": "1772442390.1"}],
    })
}

fn read(kind: &str, payload: &Value) -> DeliveryContent {
    read_delivery(kind, Some("env-1"), payload, &own())
}

fn asked(kind: &str, payload: &Value) -> Interaction {
    *read(kind, payload).interaction.unwrap()
}

fn without(payload: &Value, key: &str) -> Value {
    let mut payload = payload.clone();
    payload.as_object_mut().unwrap().remove(key);
    payload
}

#[test]
fn a_command_says_who_asks_what_and_where() {
    let typed = asked("slash_commands", &command());
    assert_eq!(typed.key, "command/1.2.3");
    assert_eq!((typed.user.as_str(), typed.channel.unwrap().as_str()), ("U2", "C1"));
    let request = InteractionRequest::Command { name: "/myao".to_owned(), text: "recall gaskets".to_owned() };
    assert_eq!(typed.request, request);
    assert_eq!(typed.answer_to.as_deref(), Some("https://hooks.slack.com/commands/T1/1/x"));
    let bare = asked("slash_commands", &without(&without(&command(), "text"), "trigger_id"));
    assert_eq!(bare.key, "command/env-1");
    assert_eq!(bare.request, InteractionRequest::Command { name: "/myao".to_owned(), text: String::new() });
}

#[test]
fn a_button_says_which_one() {
    let press = asked("interactive", &pressed());
    assert_eq!(press.key, "interactive/1.2.4");
    let request =
        InteractionRequest::Button { action: "forget-message".to_owned(), value: "C1/1.2/f".to_owned() };
    assert_eq!(press.request, request);
}

#[test]
fn a_button_beneath_an_answer_says_what_somebody_thinks_of_it() {
    let mut vote = pressed();
    vote["actions"] = json!([{"type": "feedback_buttons", "action_id": "vote-answer", "value": "bad"}]);
    vote["container"] = json!({"type": "message", "message_ts": "1772442384.359059", "channel_id": "C1"});
    let ts = "1772442384.359059".parse().unwrap();
    assert_eq!(asked("interactive", &vote).request, InteractionRequest::Vote { ts, vote: Vote::Bad });
    vote["message"] = json!({"ts": "1772442384.359059"});
    let elsewhere = without(&vote, "container");
    assert_eq!(asked("interactive", &elsewhere).request, InteractionRequest::Vote { ts, vote: Vote::Bad });
    let unknown = InteractionRequest::Refused { why: RefusedInteraction::Unknown };
    assert_eq!(asked("interactive", &without(&elsewhere, "message")).request, unknown);
    vote["actions"][0]["value"] = json!("perhaps");
    assert_eq!(asked("interactive", &vote).request, unknown);
}

#[test]
fn an_entry_of_a_menu_says_which_message() {
    let mut chosen = without(&pressed(), "actions");
    chosen["type"] = json!("message_action");
    chosen["callback_id"] = json!("forget-this");
    chosen["message"] = json!({"ts": "1772442384.359059", "text": "the gaskets"});
    let read = asked("interactive", &chosen);
    let ts = "1772442384.359059".parse().unwrap();
    assert_eq!(read.request, InteractionRequest::Shortcut { name: "forget-this".to_owned(), ts });
    assert_eq!((read.trigger.as_deref(), read.view), (Some("1.2.4"), None));
    chosen["message_ts"] = json!("1772442385.000000");
    let named = asked("interactive", &chosen).request;
    assert_eq!(
        named,
        InteractionRequest::Shortcut {
            name: "forget-this".to_owned(),
            ts: "1772442385.000000".parse().unwrap()
        }
    );
}

#[test]
fn a_form_says_what_stands_in_it_and_is_one_however_often_it_is_sent() {
    let mut sent = without(&pressed(), "actions");
    sent["type"] = json!("view_submission");
    sent["view"] = json!({
        "id": "V1", "hash": "177.abc", "callback_id": "remember-this/1", "private_metadata": "C1/1.2",
        "state": {"values": {
            "name": {"name": {"type": "plain_text_input", "value": "kiln"}},
            "content": {"content": {"type": "plain_text_input", "value": null}},
        }},
    });
    let read = asked("interactive", &sent);
    let view = InteractionView { id: "V1".to_owned(), hash: "177.abc".to_owned() };
    assert_eq!((read.key.as_str(), read.view), ("interactive/view/V1", Some(view)));
    let request = InteractionRequest::Submission {
        name: "remember-this/1".to_owned(),
        note: "C1/1.2".to_owned(),
        values: [("name".to_owned(), "kiln".to_owned())].into(),
    };
    assert_eq!(read.request, request);
    sent["trigger_id"] = json!("9.9.9");
    assert_eq!(asked("interactive", &sent).key, "interactive/view/V1");
    // What comes from elsewhere is shown nothing.
    sent["team"]["id"] = json!("T2");
    let foreign = asked("interactive", &sent);
    assert_eq!(foreign.view, None);
    assert_eq!(foreign.request, InteractionRequest::Refused { why: RefusedInteraction::Foreign });
}

#[test]
fn an_opened_home_tab_is_asked_for_and_the_tab_with_messages_is_not() {
    let opened = |tab: &str| {
        let event = json!({
            "type": "app_home_opened", "user": "U2", "channel": "D1", "tab": tab, "event_ts": "1.2",
            "view": {"id": "V1", "hash": "177.abc"},
        });
        read("events_api", &json!({"team_id": "T1", "event_id": "Ev1", "event": event}))
    };
    let home = opened("home").interaction.unwrap();
    assert_eq!((home.key.as_str(), home.user.as_str()), ("home/event/Ev1", "U2"));
    assert_eq!(home.request, InteractionRequest::HomeOpened);
    assert_eq!(home.view, Some(InteractionView { id: "V1".to_owned(), hash: "177.abc".to_owned() }));
    for tab in ["messages", "", "new"] {
        let other = opened(tab);
        assert!(other.interaction.is_none() && other.events.is_empty(), "{tab}: {other:?}");
    }
}

#[test]
fn what_is_foreign_or_unknown_is_refused_and_what_says_nothing_is_kept_raw() {
    let refused = |kind, payload: &Value, why| {
        assert_eq!(asked(kind, payload).request, InteractionRequest::Refused { why }, "{payload}");
    };
    let mut foreign = command();
    foreign["team_id"] = json!("T2");
    refused("slash_commands", &foreign, RefusedInteraction::Foreign);
    refused("slash_commands", &without(&command(), "team_id"), RefusedInteraction::Foreign);
    let mut foreign = pressed();
    foreign["team"]["id"] = json!("T2");
    refused("interactive", &foreign, RefusedInteraction::Foreign);
    let mut other = command();
    other["command"] = json!("/other");
    refused("slash_commands", &other, RefusedInteraction::Unknown);
    for kind in ["view_submission", "view_closed", "shortcut", "message_action", "something_new"] {
        let mut payload = pressed();
        payload["type"] = json!(kind);
        refused("interactive", &payload, RefusedInteraction::Unknown);
    }
    refused("interactive", &without(&pressed(), "actions"), RefusedInteraction::Unknown);
    for payload in [without(&command(), "user_id"), json!({}), json!([1]), Value::Null] {
        let content = read("slash_commands", &payload);
        assert!(content.interaction.is_none() && content.events.len() == 1, "{content:?}");
        let kept = format!("{:?}", content.events);
        assert!(!kept.contains("hooks.slack.com") && !kept.contains("gaskets"), "{kept}");
    }
}

#[test]
fn the_address_of_an_answer_stands_in_no_log() {
    let logged = format!("{:?}", asked("slash_commands", &command()));
    assert!(!logged.contains("hooks.slack.com"), "{logged}");
}

#[test]
fn an_answer_is_words_and_no_markup_of_theirs() {
    let lines = vec![
        AnswerLine::of("a < b & <!channel> <@U2>"),
        AnswerLine {
            label: Some("12 March | #a".to_owned()),
            address: Some("https://bats.slack.com/archives/C1/p1".to_owned()),
            text: "<#C2> tea".to_owned(),
        },
    ];
    let sent = PrivateAnswer::of_lines(lines).to_json();
    assert_eq!(sent["response_type"], "ephemeral");
    assert_eq!(
        sent["text"],
        "a &lt; b &amp; &lt;!channel&gt; &lt;@U2&gt;\n• <https://bats.slack.com/archives/C1/p1|12 March ¦ #a>  \
         &lt;#C2&gt; tea"
    );
    assert!(sent.get("blocks").is_none());
}

#[test]
fn a_button_keeps_to_the_limits_however_long_its_words_are() {
    let long = "ながい ".repeat(2_000);
    let button = AnswerButton {
        action: "forget-message".to_owned(),
        value: "C1/1.2/f".to_owned(),
        label: long.clone(),
        confirm: ConfirmQuestion {
            title: long.clone(),
            text: long.clone(),
            yes: long.clone(),
            no: long.clone(),
        },
    };
    let answer = PrivateAnswer { button: Some(button), ..PrivateAnswer::of_words(long) };
    let sent = answer.to_json();
    let length = |pointer: &str| sent.pointer(pointer).unwrap().as_str().unwrap().chars().count();
    for (pointer, most) in [
        ("/blocks/1/elements/0/text/text", 75),
        ("/blocks/1/elements/0/confirm/title/text", 100),
        ("/blocks/1/elements/0/confirm/text/text", 300),
        ("/blocks/1/elements/0/confirm/confirm/text", 30),
        ("/blocks/1/elements/0/confirm/deny/text", 30),
    ] {
        assert_eq!(length(pointer), most, "{pointer}");
    }
    assert!((2_990..=3_000).contains(&length("/blocks/0/text/text")), "{}", length("/blocks/0/text/text"));
}

#[test]
fn a_long_answer_is_cut_between_words_and_never_in_markup() {
    let line = |text: &str| AnswerLine { label: Some("a".to_owned()), address: None, text: text.to_owned() };
    let lines = vec![line(&"a & b < c ".repeat(3_000)), line(&"&".repeat(9_000)), line("the last one")];
    let text = PrivateAnswer::of_lines(lines).to_json()["text"].as_str().unwrap().to_owned();
    assert!((39_000..=40_000).contains(&text.chars().count()), "{}", text.chars().count());
    let bare = ["&amp;", "&lt;", "&gt;"].iter().fold(text.clone(), |text, entity| text.replace(entity, ""));
    assert!(!bare.contains('&') && text.ends_with('…'), "{}", bare.len());
    assert_eq!(text.lines().count(), 1, "what has no room is left out");
}
