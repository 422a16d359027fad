//! Messages that grow: where they begin, and how they end.

use myao_core::chat::MessageTs;
use myao_testkit::{
    FakeSlack,
    slack::{ChannelSpec, Rule, UserSpec},
};
use serde_json::{Value, json};

use super::Client;

#[tokio::test]
async fn a_message_grows_until_the_app_a_person_or_slack_ends_it() {
    let slack = FakeSlack::start().await;
    let aki = slack.user(UserSpec::person("aki"));
    let dm = slack.channel(ChannelSpec::dm(&aki));
    let root = slack.say(&dm, &aki, "hello?");
    let client = Client::of(&slack);
    let about = |ts: &str, words: Option<&str>| match words {
        Some(words) => json!({"channel": dm.as_str(), "ts": ts, "markdown_text": words}),
        None => json!({"channel": dm.as_str(), "ts": ts}),
    };
    let begin = json!({"channel": dm.as_str(), "thread_ts": root.to_string(), "markdown_text": "It"});
    let at_top = json!({"channel": dm.as_str(), "markdown_text": "It"});
    assert_eq!(client.call("chat.startStream", at_top).await["error"], "invalid_thread_ts");
    for end in ["app", "person", "slack"] {
        let told = client.call("chat.startStream", begin.clone()).await;
        let ts = told["ts"].as_str().unwrap();
        assert_eq!(client.call("chat.appendStream", about(ts, Some(" grows"))).await["ok"], true);
        let changed = json!({"channel": dm.as_str(), "ts": ts, "text": "whole"});
        assert_eq!(client.call("chat.update", changed.clone()).await["error"], "cant_update_message");
        assert_eq!(client.call("chat.delete", about(ts, None)).await["error"], "cant_delete_message");
        let stands = |text: &str, is_growing: bool| {
            let own =
                slack.own_messages(&dm).into_iter().find(|own| own.ts == ts.parse::<MessageTs>().unwrap());
            assert_eq!(own.map(|own| (own.text, own.is_growing)), Some((text.to_owned(), is_growing)));
        };
        stands("It grows", true);
        let over: Value = match end {
            "app" => {
                assert_eq!(client.call("chat.stopStream", about(ts, None)).await["ok"], true);
                json!("message_not_in_streaming_state")
            }
            "person" => {
                slack.press_stop(&dm, root, &aki);
                json!("stopped_by_user")
            }
            _ => {
                slack.end_streams();
                json!("message_not_in_streaming_state")
            }
        };
        assert_eq!(client.call("chat.appendStream", about(ts, Some("!"))).await["error"], over);
        assert_eq!(client.call("chat.stopStream", about(ts, None)).await["error"], over);
        stands("It grows", false);
        assert_eq!(client.call("chat.update", changed).await["ok"], true);
        stands("whole", false);
    }
    slack.finish();
}

#[tokio::test]
async fn in_a_channel_it_needs_somebody_to_read_it() {
    let slack = FakeSlack::setup().start().await;
    let aki = slack.user(UserSpec::person("aki"));
    let channel = slack.channel(ChannelSpec::public("general").members(&[&aki]));
    let root = slack.say(&channel, &aki, "hello?");
    let client = Client::of(&slack);
    let begin = json!({"channel": channel.as_str(), "thread_ts": root.to_string(), "markdown_text": "It"});
    assert_eq!(client.call("chat.startStream", begin).await["error"], "invalid_arguments");
    assert_eq!(slack.violations().len(), 1);
    slack.tolerate(Rule::Arguments);
    slack.finish();
}
