//! Who is in which channels.

use std::collections::BTreeSet;

use myao_testkit::{
    FakeSlack,
    slack::{ChannelSpec, Rule, UserSpec},
};
use serde_json::Value;

use super::Client;

fn names(told: &Value) -> BTreeSet<&str> {
    let channels = told["channels"].as_array().unwrap();
    channels.iter().map(|channel| channel["name"].as_str().unwrap_or("dm")).collect()
}

#[tokio::test]
async fn a_person_is_found_in_public_channels_and_in_what_the_bot_shares() {
    let slack = FakeSlack::start().await;
    let [alice, bob] = ["alice", "bob"].map(|name| slack.user(UserSpec::person(name)));
    let both = [&alice, &bob];
    let open = slack.channel(ChannelSpec::public("open").members(&both));
    slack.channel(ChannelSpec::public("without-bot").members(&both).without_bot());
    slack.channel(ChannelSpec::public("without-alice").members(&[&bob]));
    slack.channel(ChannelSpec::public("old").members(&both).archived());
    slack.channel(ChannelSpec::private("secret").members(&both));
    slack.channel(ChannelSpec::private("secret-without-bot").members(&both).without_bot());
    slack.channel(ChannelSpec::dm(&alice));
    slack.channel(ChannelSpec::dm(&bob));
    let client = Client::of(&slack);
    let of_alice = async |more: &[(&str, &str)]| {
        let args = [&[("user", alice.as_str())], more].concat();
        client.get("users.conversations", &args).await
    };
    assert_eq!(names(&of_alice(&[]).await), ["old", "open", "without-bot"].into());
    let all = [("types", "public_channel,private_channel,im"), ("exclude_archived", "true")];
    let told = of_alice(&all).await;
    assert_eq!(names(&told), ["dm", "open", "secret", "without-bot"].into());
    let dms = told["channels"].as_array().unwrap().iter().filter(|channel| channel["is_im"] == true);
    assert!(dms.map(|dm| dm["user"].as_str()).eq([Some(alice.as_str())]));

    slack.leave(&open, &alice);
    assert_eq!(names(&of_alice(&all).await), ["dm", "secret", "without-bot"].into());
    slack.join(&open, &alice);
    slack.remove_bot(&open);
    assert!(names(&of_alice(&all).await).contains("open"), "it is public");
    slack.convert_to_private(&open);
    assert!(!names(&of_alice(&all).await).contains("open"));

    let told = client.get("users.conversations", &[("user", "U0NOBODY")]).await;
    assert_eq!(told["error"], "user_not_found");
    slack.finish();
}

#[tokio::test]
async fn a_persons_channels_come_in_pages_with_cursors_of_their_own() {
    let slack = FakeSlack::start().await;
    let [alice, bob] = ["alice", "bob"].map(|name| slack.user(UserSpec::person(name)));
    for number in 0..5 {
        let archived = number == 1;
        let spec = ChannelSpec::public(&format!("c{number}")).members(&[&alice]);
        slack.channel(if archived { spec.archived() } else { spec });
    }
    let client = Client::of(&slack);
    let mut sizes = Vec::new();
    let mut cursor = String::new();
    loop {
        let args = [
            ("user", alice.as_str()),
            ("exclude_archived", "true"),
            ("limit", "2"),
            ("cursor", cursor.as_str()),
        ];
        let told = client.get("users.conversations", &args).await;
        sizes.push(told["channels"].as_array().unwrap().len());
        told["response_metadata"]["next_cursor"].as_str().unwrap().clone_into(&mut cursor);
        if cursor.is_empty() {
            break;
        }
        let others = [("user", bob.as_str()), ("cursor", cursor.as_str())];
        assert_eq!(client.get("users.conversations", &others).await["error"], "invalid_cursor");
    }
    assert_eq!(sizes, [1, 2, 1]);
    let wrong = [("user", alice.as_str()), ("types", "secret_channel")];
    assert_eq!(client.get("users.conversations", &wrong).await["error"], "invalid_types");
    assert_eq!(slack.violations()[0].rule, Rule::Arguments);
    slack.tolerate(Rule::Arguments);
}
