//! What comes over a socket.

use myao_testkit::slack::ChannelSpec;
use serde_json::json;

use super::workspace;

#[tokio::test]
async fn a_mention_arrives_twice_and_again_when_it_is_edited() {
    let (slack, channel, alice, client) = workspace().await;
    let mut socket = client.connect().await;
    let text = format!("<@{}> are you there?", slack.bot_user_id());
    let ts = slack.say(&channel, &alice, &text);

    let said = socket.take().await;
    let mention = socket.take().await;
    assert_ne!(said["payload"]["event_id"], mention["payload"]["event_id"]);
    assert_ne!(said["envelope_id"], mention["envelope_id"]);
    let said = &said["payload"]["event"];
    let mention = &mention["payload"]["event"];
    assert_eq!(said["type"], "message");
    assert_eq!(said["channel_type"], "channel");
    assert_eq!(mention["type"], "app_mention");
    for event in [said, mention] {
        assert_eq!(event["ts"], json!(ts.to_string()));
        assert_eq!((&event["user"], &event["text"]), (&json!(alice.as_str()), &json!(text)));
        assert_eq!(event["blocks"][0]["elements"][0]["elements"][0]["user_id"], json!("U0FAKEBOT1"));
    }

    slack.edit(&channel, ts, &format!("{text} hello?"));
    let changed = socket.event().await;
    let again = socket.event().await;
    assert_eq!(changed["subtype"], "message_changed");
    assert_eq!(changed["previous_message"]["text"], json!(text));
    assert_eq!(again["type"], "app_mention");
    assert_eq!(again["ts"], json!(ts.to_string()));
    assert_eq!(again["edited"], changed["message"]["edited"]);
    assert!(again["edited"]["ts"].as_str().unwrap().ends_with(".000000"));
    slack.finish();
}

#[tokio::test]
async fn what_is_said_where_the_bot_is_not_stays_there() {
    let (slack, channel, alice, client) = workspace().await;
    let elsewhere = slack.channel(ChannelSpec::public("elsewhere").without_bot());
    let mut socket = client.connect().await;
    slack.say(&elsewhere, &alice, &format!("<@{}> unheard", slack.bot_user_id()));
    slack.say(&channel, &alice, "heard");
    assert_eq!(socket.event().await["text"], "heard");

    slack.invite_bot(&elsewhere);
    let joined = socket.event().await;
    let remark = socket.event().await;
    assert_eq!((&joined["type"], &joined["user"]), (&json!("member_joined_channel"), &json!("U0FAKEBOT1")));
    assert_eq!(remark["subtype"], "channel_join");
    slack.remove_bot(&elsewhere);
    assert_eq!(socket.event().await["type"], "channel_left");
    assert_eq!(socket.event().await["type"], "member_left_channel");
}

#[tokio::test]
async fn a_direct_message_is_no_mention() {
    let (slack, _, alice, client) = workspace().await;
    let dm = slack.channel(ChannelSpec::dm(&alice));
    let mut socket = client.connect().await;
    slack.say(&dm, &alice, &format!("<@{}> hello", slack.bot_user_id()));
    slack.say(&dm, &alice, "second");
    assert_eq!(socket.event().await["channel_type"], "im");
    assert_eq!(socket.event().await["text"], "second");
}

#[tokio::test]
async fn threads_edits_and_deletions_are_told_as_slack_tells_them() {
    let (slack, channel, alice, client) = workspace().await;
    let mut socket = client.connect().await;
    let root = slack.say(&channel, &alice, "root");
    let reply = slack.reply(&channel, root, &alice, "reply");
    let loud = slack.broadcast(&channel, root, &alice, "loud");
    assert_eq!(socket.event().await.get("thread_ts"), None);
    let told = socket.event().await;
    assert_eq!(told["thread_ts"], json!(root.to_string()));
    assert_eq!(told["parent_user_id"], json!(alice.as_str()));
    let told = socket.event().await;
    assert_eq!((&told["subtype"], &told["root"]["text"]), (&json!("thread_broadcast"), &json!("root")));
    assert_eq!(told["root"]["reply_count"], 2);

    slack.parent_update(&channel, root);
    let told = socket.event().await;
    assert_eq!((told.get("subtype"), &told["message"]["latest_reply"]), (None, &json!(loud.to_string())));

    slack.unfurl(&channel, reply, "https://example.com");
    let told = socket.event().await;
    assert_eq!((&told["message"]["text"], told["message"].get("edited")), (&json!("reply"), None));
    assert_eq!(told["message"]["attachments"][0]["from_url"], "https://example.com");

    slack.delete(&channel, reply);
    let told = socket.event().await;
    assert_eq!(told["deleted_ts"], json!(reply.to_string()));
    assert_eq!(told["previous_message"]["text"], "reply");
    let told = socket.event().await;
    assert_eq!(told["message"]["ts"], json!(root.to_string()));
    assert_eq!((&told["message"]["reply_count"], told["message"].get("edited")), (&json!(1), None));

    slack.delete(&channel, root);
    let told = socket.event().await;
    assert_eq!(told["subtype"], "message_changed");
    assert_eq!(
        (&told["message"]["subtype"], &told["message"]["reply_count"]),
        (&json!("tombstone"), &json!(1))
    );
}

#[tokio::test]
async fn all_that_happens_to_channels_and_people_is_told() {
    let (slack, channel, alice, client) = workspace().await;
    let bob = slack.user(myao_testkit::slack::UserSpec::person("bob"));
    let mut socket = client.connect().await;
    slack.share_file(&channel, &alice, "plan.txt", "");
    slack.me_message(&channel, &alice, "waves");
    slack.bot_says(&channel, "deploys", "done");
    slack.join(&channel, &bob);
    slack.leave(&channel, &bob);
    slack.rename_channel(&channel, "lounge");
    slack.archive(&channel);
    slack.unarchive(&channel);
    slack.convert_to_private(&channel);
    slack.rename_user(&alice, "Alice B.");
    let moved = slack.change_channel_id(&channel);
    slack.say(&moved, &alice, "still here");

    let mut told = Vec::new();
    for _ in 0..15 {
        let event = socket.event().await;
        told.push(format!("{}/{}", event["type"].as_str().unwrap(), event["subtype"].as_str().unwrap_or("")));
        if event["type"] == "user_change" {
            assert_eq!(event["user"]["profile"]["display_name"], "Alice B.");
        }
        if event["text"] == "still here" {
            assert_eq!(
                (&event["channel"], &event["channel_type"]),
                (&json!(moved.as_str()), &json!("group"))
            );
        }
    }
    let expected = [
        "message/file_share",
        "message/me_message",
        "message/bot_message",
        "member_joined_channel/",
        "message/channel_join",
        "member_left_channel/",
        "message/channel_leave",
        "channel_rename/",
        "message/channel_name",
        "channel_archive/",
        "channel_unarchive/",
        "message/channel_convert_to_private",
        "user_change/",
        "channel_id_changed/",
        "message/",
    ];
    assert_eq!(told, expected);
}

#[tokio::test]
async fn the_bots_own_post_comes_back_without_its_metadata() {
    let (slack, channel, _, client) = workspace().await;
    let mut socket = client.connect().await;
    let metadata = json!({"event_type": "reply", "event_payload": {"part": 1}});
    let args = json!({"channel": channel.as_str(), "text": "1 < 2 & <https://example.com|so>", "metadata": metadata});
    let posted = client.call("chat.postMessage", args).await;
    let echo = socket.event().await;
    assert_eq!((&echo["ts"], &echo["bot_id"]), (&posted["ts"], &json!(slack.bot_id())));
    assert_eq!(echo["text"], "1 &lt; 2 &amp; <https://example.com|so>");
    assert_eq!((echo.get("metadata"), echo.get("subtype"), echo.get("client_msg_id")), (None, None, None));
    let posts = slack.posts();
    assert_eq!((posts.len(), &posts[0].metadata), (1, &Some(metadata)));
}
