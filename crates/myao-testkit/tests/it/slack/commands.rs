//! Slash commands, and what is answered to them.

use std::time::Duration;

use jiff::{SignedDuration, Timestamp};
use myao_testkit::{
    FakeSlack, HandClock,
    slack::{AnswerEffect, AnsweredBy, ChannelSpec, InjectedFault, RESPONSE_URL, Rule, UserSpec},
};
use serde_json::{Value, json};

use super::{Client, furnished, workspace};

const NOON: i64 = 1_770_000_000;

#[tokio::test]
async fn a_command_arrives_with_slacks_fields_and_once() {
    let (slack, channel, alice, client) = workspace().await;
    let mut socket = client.connect().await;
    let command = slack.slash(&channel, &alice, "/myao", "recall gaskets");
    let envelope = socket.take_interaction().await;
    assert_eq!(
        (&envelope["type"], &envelope["accepts_response_payload"]),
        (&json!("slash_commands"), &json!(true))
    );
    let expected = json!({
        "team_id": slack.team_id(), "team_domain": "fake",
        "channel_id": channel.as_str(), "channel_name": "general",
        "user_id": alice.as_str(), "user_name": "alice",
        "command": "/myao", "text": "recall gaskets", "api_app_id": "A0FAKEAPP1",
        "is_enterprise_install": "false",
        "response_url": command.response_url(), "trigger_id": command.trigger_id(),
    });
    assert_eq!(envelope["payload"], expected);
    assert!(command.response_url().starts_with("http://127.0.0.1:"));
    assert_eq!(command.acknowledged().await.payload, None);
    assert_eq!((command.deliveries(), slack.unacknowledged()), (1, 0));

    // It is not sent again, however long nobody acknowledges it.
    slack.slash(&channel, &alice, "/myao", "status");
    socket.next().await.unwrap();
    slack.redeliver_unacknowledged();
    slack.say(&channel, &alice, "next");
    assert_eq!(socket.event().await["text"], "next");
    slack.finish();
}

#[tokio::test]
async fn the_names_of_private_places_are_not_told() {
    let slack = FakeSlack::start().await;
    let alice = slack.user(UserSpec::person("alice"));
    let secret = slack.channel(ChannelSpec::private("secret").members(&[&alice]).without_bot());
    let dm = slack.channel(ChannelSpec::dm(&alice));
    let client = Client::of(&slack);
    let mut socket = client.connect().await;
    for (channel, name) in [(&secret, "privategroup"), (&dm, "directmessage")] {
        slack.slash(channel, &alice, "/myao", "");
        assert_eq!(socket.take_interaction().await["payload"]["channel_name"], name);
    }
}

#[tokio::test]
async fn an_answer_is_for_the_person_alone_unless_it_says_otherwise() {
    let (slack, channel, alice, client) = workspace().await;
    let bob = slack.user(UserSpec::person("bob"));
    let mut socket = client.connect().await;
    let command = slack.slash(&channel, &alice, "/myao", "recall gaskets");
    socket.take_interaction().await;
    let url = command.response_url();
    let body = json!({"text": "fallback", "blocks": [
        {"type": "section", "text": {"type": "mrkdwn", "text": "*gaskets* are in the shed"}},
        {"type": "actions", "elements": [
            {"type": "button", "action_id": "more", "text": {"type": "plain_text", "text": "More"}}]},
    ]});
    assert_eq!(client.respond(&url, body.clone()).await.text().await.unwrap(), "ok");
    let answer = command.answered().await;
    assert_eq!((&answer.body, answer.by), (&body, AnsweredBy::ResponseUrl));
    let [shown] = slack.ephemerals(&alice).try_into().unwrap();
    assert_eq!(answer.effect, AnswerEffect::Ephemeral(shown.ts));
    assert_eq!(shown.drawn(), "*gaskets* are in the shed\n[More]");
    assert_eq!(shown.blocks.unwrap()[1]["block_id"], "fAk1");
    assert!(slack.ephemerals(&bob).is_empty());
    assert_eq!(slack.message(&channel, shown.ts), None);
    let history = client.get("conversations.history", &[("channel", channel.as_str())]).await;
    assert_eq!(history["messages"], json!([]));

    let told = json!({"text": "for all", "response_type": "in_channel"});
    client.respond(&url, told).await;
    let [_, answer] = command.answered_times(2).await.try_into().unwrap();
    let AnswerEffect::InChannel(ts) = answer.effect else { panic!("{answer:?}") };
    assert_eq!(slack.message(&channel, ts).unwrap()["text"], "for all");
    assert_eq!(socket.event().await["text"], "for all");
    assert_eq!(slack.ephemerals(&alice).len(), 1);

    client.respond(&url, json!({"text": "done", "replace_original": true})).await;
    assert_eq!(slack.message(&channel, ts).unwrap()["text"], "done");
    assert_eq!(socket.event().await["subtype"], "message_changed");
    client.respond(&url, json!({"delete_original": true})).await;
    assert_eq!(slack.message(&channel, ts), None);
    slack.finish();
}

#[tokio::test]
async fn an_answer_to_a_command_goes_where_the_bot_is_not() {
    let slack = FakeSlack::start().await;
    let alice = slack.user(UserSpec::person("alice"));
    let secret = slack.channel(ChannelSpec::private("secret").members(&[&alice]).without_bot());
    let client = Client::of(&slack);
    let mut socket = client.connect().await;
    let command = slack.slash(&secret, &alice, "/myao", "status");
    socket.take_interaction().await;
    let body = json!({"text": "well", "response_type": "in_channel", "thread_ts": "1.000001"});
    client.respond(&command.response_url(), body).await;
    let AnswerEffect::InChannel(ts) = command.answered().await.effect else { panic!("not posted") };
    assert_eq!(slack.message(&secret, ts).unwrap()["thread_ts"], "1.000001");
    let told = client.get("conversations.history", &[("channel", secret.as_str())]).await;
    assert_eq!(told["error"], "channel_not_found", "the bot is still no member");
    slack.finish();
}

#[tokio::test]
async fn a_command_may_be_answered_in_its_acknowledgement() {
    let (slack, channel, alice, client) = workspace().await;
    let mut socket = client.connect().await;
    let command = slack.slash(&channel, &alice, "/myao", "help");
    let envelope = socket.next().await.unwrap();
    socket.ack_with(&envelope, json!({"text": "what I can do"})).await;
    let ack = command.acknowledged().await;
    assert_eq!(ack.payload, Some(json!({"text": "what I can do"})));
    let answer = command.answered().await;
    assert_eq!((answer.by, answer.drawn().as_str()), (AnsweredBy::Acknowledgement, "what I can do"));
    assert_eq!(slack.ephemerals(&alice)[0].text, "what I can do");
    assert_eq!(slack.seen().acks[0].payload, ack.payload);
    slack.finish();
}

#[tokio::test]
async fn a_command_that_is_acknowledged_late_breaks_a_rule() {
    let slack = FakeSlack::setup().with_redelivery().start().await;
    let (slack, channel, alice, client) = furnished(slack);
    let mut socket = client.connect().await;
    let command = slack.slash(&channel, &alice, "/myao", "status");
    slack.say(&channel, &alice, "said later");
    let envelope = socket.next().await.unwrap();
    let said = socket.next().await.unwrap();
    // What was said after it is sent again by now, and the command is not.
    let again = socket.next().await.unwrap();
    assert_eq!((&again["payload"], &again["retry_attempt"]), (&said["payload"], &json!(1)));
    socket.ack(&again).await;
    socket.ack(&envelope).await;
    assert!(command.acknowledged().await.after > Duration::from_secs(3));
    assert_eq!(slack.violations()[0].rule, Rule::AcknowledgeInTime);
    slack.tolerate(Rule::AcknowledgeInTime);
}

#[tokio::test]
async fn a_response_url_takes_five_answers_within_thirty_minutes() {
    let clock = HandClock::at(Timestamp::from_second(NOON).unwrap());
    let slack = FakeSlack::setup().with_clock(clock.clone()).start().await;
    let (slack, channel, alice, client) = furnished(slack);
    let mut socket = client.connect().await;
    let used = slack.slash(&channel, &alice, "/myao", "one");
    let late = slack.slash(&channel, &alice, "/myao", "two");
    socket.take_interaction().await;
    socket.take_interaction().await;
    let refused = async |url: &str, body: Value| {
        let response = client.respond(url, body).await;
        let status = response.status().as_u16();
        let told: Value = response.json().await.unwrap();
        assert_eq!(told["ok"], false);
        (status, told["error"].as_str().unwrap().to_owned())
    };
    for number in 0..5 {
        let told = client.respond(&used.response_url(), json!({"text": number.to_string()})).await;
        assert_eq!(told.status(), 200);
    }
    let text = json!({"text": "too much"});
    assert_eq!(refused(&used.response_url(), text.clone()).await, (404, "used_url".to_owned()));
    clock.advance(SignedDuration::from_secs(1799));
    assert_eq!(client.respond(&late.response_url(), text.clone()).await.status(), 200);
    clock.advance(SignedDuration::from_secs(1));
    assert_eq!(refused(&late.response_url(), text.clone()).await, (404, "expired_url".to_owned()));
    let guessed = format!("{}0", late.response_url());
    assert_eq!(refused(&guessed, text).await.0, 404);
    assert_eq!((used.answers().len(), late.answers().len()), (5, 1));
    assert!(slack.violations().is_empty());

    let command = slack.slash(&channel, &alice, "/myao", "three");
    socket.take_interaction().await;
    assert_eq!(refused(&command.response_url(), json!({"text": " "})).await.1, "no_text");
    assert_eq!(refused(&command.response_url(), json!("words")).await.1, "invalid_payload");
    let rules: Vec<Rule> = slack.violations().iter().map(|breach| breach.rule).collect();
    assert_eq!(rules, [Rule::Arguments, Rule::BodyForm]);
    for rule in rules {
        slack.tolerate(rule);
    }
    slack.finish();
}

#[tokio::test]
async fn an_answer_by_url_may_fail_before_and_after_it_is_taken() {
    for (fault, taken) in [(InjectedFault::ServerError, 0), (InjectedFault::ServerErrorAfter, 1)] {
        let (slack, channel, alice, client) = workspace().await;
        let mut socket = client.connect().await;
        let command = slack.slash(&channel, &alice, "/myao", "status");
        socket.take_interaction().await;
        slack.fail_next(RESPONSE_URL, fault);
        let response = client.respond(&command.response_url(), json!({"text": "well"})).await;
        assert_eq!(response.status(), 500);
        assert_eq!((slack.calls(RESPONSE_URL).len(), command.answers().len()), (1, taken));
        slack.finish();
    }
}

#[tokio::test]
async fn a_test_sends_envelopes_twice_and_from_elsewhere_and_of_unknown_types() {
    let (slack, channel, alice, client) = workspace().await;
    let lost = slack.slash(&channel, &alice, "/myao", "before there is a socket");
    assert_eq!(lost.deliveries(), 0);
    let mut socket = client.connect().await;
    slack.next_interaction_from_team("T0ELSEWHERE");
    let command = slack.slash(&channel, &alice, "/myao", "status");
    let first = socket.take_interaction().await;
    assert_eq!(first["payload"]["team_id"], "T0ELSEWHERE");
    command.deliver_again();
    assert_eq!(socket.take_interaction().await, first);
    slack.wait_until(|seen| seen.acks.len() == 2).await;
    assert_eq!((command.deliveries(), command.acks().len()), (2, 2));

    slack.change_next_interaction(|payload| payload["command"] = "/other".into());
    slack.slash(&channel, &alice, "/myao", "status");
    assert_eq!(socket.take_interaction().await["payload"]["command"], "/other");
    slack.send_envelope("interactive", &json!({"type": "tomorrow"}));
    assert_eq!(socket.take_interaction().await["payload"], json!({"type": "tomorrow"}));
    slack.wait_until(|seen| seen.acks.len() == 4).await;
    assert!(slack.violations().is_empty());
    socket.ack(&first).await;
    slack.say(&channel, &alice, "next");
    socket.take().await;
    slack.wait_until(|seen| seen.acks.len() == 5).await;
    assert_eq!(slack.violations()[0].rule, Rule::AcknowledgeOnce);
    slack.tolerate(Rule::AcknowledgeOnce);
}
