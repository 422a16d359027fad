//! What was said, read back.

use std::collections::BTreeSet;

use myao_core::chat::MessageTs;
use serde_json::{Value, json};

use super::{Client, workspace};

fn texts(told: &Value) -> Vec<&str> {
    told["messages"].as_array().unwrap().iter().map(|message| message["text"].as_str().unwrap()).collect()
}

/// All pages of a history, each with its texts.
async fn pages(client: &Client, method: &str, args: &[(&str, &str)]) -> Vec<Vec<String>> {
    let mut pages = Vec::new();
    let mut cursor = String::new();
    loop {
        let mut args = args.to_vec();
        args.push(("cursor", &cursor));
        let told = client.get(method, &args).await;
        pages.push(texts(&told).into_iter().map(str::to_owned).collect());
        let Some(next) = told["response_metadata"]["next_cursor"].as_str() else {
            assert_eq!(told["has_more"], false);
            return pages;
        };
        assert_eq!(told["has_more"], true);
        next.clone_into(&mut cursor);
    }
}

#[tokio::test]
async fn a_history_is_newest_first_and_a_thread_oldest_first_with_its_root_on_every_page() {
    let (slack, channel, alice, client) = workspace().await;
    let said: Vec<MessageTs> =
        ["a", "b", "c", "d", "e"].iter().map(|text| slack.say(&channel, &alice, text)).collect();
    for text in ["r1", "r2", "r3"] {
        slack.reply(&channel, said[1], &alice, text);
    }
    slack.broadcast(&channel, said[1], &alice, "loud");
    let history =
        pages(&client, "conversations.history", &[("channel", channel.as_str()), ("limit", "2")]).await;
    assert_eq!(history, [["loud", "e"], ["d", "c"], ["b", "a"]]);

    let root = said[1].to_string();
    let args = [("channel", channel.as_str()), ("ts", &root), ("limit", "3")];
    assert_eq!(
        pages(&client, "conversations.replies", &args).await,
        [["b", "r1", "r2"], ["b", "r3", "loud"]]
    );

    let from = said[1].to_string();
    let to = said[3].to_string();
    let span = [("channel", channel.as_str()), ("oldest", &from), ("latest", &to)];
    let told = client.get("conversations.history", &span).await;
    assert_eq!(texts(&told), ["c"]);
    let told = client.get("conversations.history", &[&span[..], &[("inclusive", "true")]].concat()).await;
    assert_eq!(texts(&told), ["d", "c", "b"]);
    assert_eq!(told["messages"][2]["reply_count"], 4);
    assert_eq!(told["messages"][2]["reply_users"], json!([alice.as_str()]));

    let missing =
        client.get("conversations.replies", &[("channel", channel.as_str()), ("ts", "1.000000")]).await;
    assert_eq!(missing["error"], "thread_not_found");
    slack.finish();
}

#[tokio::test]
async fn metadata_payloads_are_stripped_unless_asked_for() {
    let (_slack, channel, _, client) = workspace().await;
    let metadata = json!({"event_type": "reply", "event_payload": {"part": 1}});
    let args = json!({"channel": channel.as_str(), "text": "hello", "metadata": metadata});
    client.call("chat.postMessage", args).await;
    let told = client.get("conversations.history", &[("channel", channel.as_str())]).await;
    assert_eq!(told["messages"][0]["metadata"], json!({"event_type": "reply"}));
    let args = [("channel", channel.as_str()), ("include_all_metadata", "true")];
    let told = client.get("conversations.history", &args).await;
    assert_eq!(told["messages"][0]["metadata"], metadata);
}

#[tokio::test]
async fn what_happens_muted_is_found_by_reading_only() {
    let (slack, channel, alice, client) = workspace().await;
    let mut socket = client.connect().await;
    let early = MessageTs::from_timestamp(slack.now()).plus_seconds(-3600);
    let kept = slack.muted(|slack| {
        slack.say_at(&channel, &alice, "an hour ago", early);
        let gone = slack.say(&channel, &alice, "gone");
        let kept = slack.say(&channel, &alice, "as it was");
        slack.delete(&channel, gone);
        slack.edit(&channel, kept, "as it is");
        kept
    });
    slack.say(&channel, &alice, "loud");
    assert_eq!(socket.event().await["text"], "loud");
    let told = client.get("conversations.history", &[("channel", channel.as_str())]).await;
    assert_eq!(texts(&told), ["loud", "as it is", "an hour ago"]);
    let stamps: BTreeSet<String> =
        told["messages"].as_array().unwrap().iter().map(|m| m["ts"].to_string()).collect();
    assert_eq!(stamps.len(), 3);
    assert_eq!(slack.message(&channel, kept).unwrap()["edited"]["user"], json!(alice.as_str()));
}
