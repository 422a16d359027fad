//! What comes over a socket.

use myao_testkit::{
    FakeSlack,
    slack::{ChannelSpec, UserSpec},
};
use serde_json::json;

use super::Client;

#[tokio::test]
async fn a_mention_arrives_twice_and_again_when_it_is_edited() {
    let slack = FakeSlack::start().await;
    let (channel, alice) =
        (slack.channel(ChannelSpec::public("general")), slack.user(UserSpec::person("alice")));
    let mut socket = Client::of(&slack).connect().await;
    let text = format!("<@{}> are you there?", slack.bot_user_id());
    let ts = slack.say(&channel, &alice, &text);

    let (said, mention) = (socket.take().await, socket.take().await);
    assert_ne!(said["payload"]["event_id"], mention["payload"]["event_id"]);
    assert_ne!(said["envelope_id"], mention["envelope_id"]);
    let (said, mention) = (&said["payload"]["event"], &mention["payload"]["event"]);
    assert_eq!(said["type"], "message");
    assert_eq!(said["channel_type"], "channel");
    assert_eq!(mention["type"], "app_mention");
    for event in [said, mention] {
        assert_eq!(event["ts"], json!(ts.to_string()));
        assert_eq!((&event["user"], &event["text"]), (&json!(alice.as_str()), &json!(text)));
        assert_eq!(event["blocks"][0]["elements"][0]["elements"][0]["user_id"], json!("U0FAKEBOT1"));
    }

    slack.edit(&channel, ts, &format!("{text} hello?"));
    let (changed, again) = (socket.event().await, socket.event().await);
    assert_eq!(changed["subtype"], "message_changed");
    assert_eq!(changed["previous_message"]["text"], json!(text));
    assert_eq!(again["type"], "app_mention");
    assert_eq!(again["ts"], json!(ts.to_string()));
    assert_eq!(again["edited"], changed["message"]["edited"]);
    assert!(again["edited"]["ts"].as_str().unwrap().ends_with(".000000"));
    slack.finish();
}
