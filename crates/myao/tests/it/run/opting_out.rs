//! The real program, in whose workspace somebody opted out of being remembered.

use std::path::PathBuf;

use myao_core::chat::UserId;
use myao_testkit::slack::UserSpec;
use serde_json::Value;

use super::World;
use crate::binary::number;

const CANARY: &str = "zanzibar";

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn who_opted_out_is_answered_and_not_remembered() {
    let world = World::with("privacy: {never_remember: {users: ['@bob']}}\n").await;
    let bob = world.slack.user(UserSpec::person("bob"));
    world.slack.join(&world.general, &bob);
    let running = world.start().await;
    // An answer that is being given at that moment would be taken back and made anew: it may have been shown their words.
    world.eventually("it knows whom the name means", |status| is_known(status, &bob)).await;
    world.mention("where do we meet on Friday? The office is closed.");
    world.slack.wait_until(|seen| seen.posts.len() == 1).await;
    world.eventually("both are archived", |status| number(status, "messages") == 2).await;
    world.slack.say(&world.general, &bob, &format!("nobody hears of {CANARY}"));
    let asked = format!("<@{}> is it {CANARY} where we meet on Friday?", world.slack.bot_user_id());
    world.slack.say(&world.general, &bob, &asked);
    world.slack.wait_until(|seen| seen.posts.len() == 2).await;
    world.mention("thank you");
    world.slack.wait_until(|seen| seen.posts.len() == 3).await;
    world.eventually("only what the others said", |status| number(status, "messages") == 4).await;
    assert_eq!(running.stop(), Some(0));
    tokio::task::block_in_place(|| world.home.done(&["memory", "build"]));
    let database = world.home.database();
    let folder = database.parent().expect("a folder");
    assert_eq!(myao_testkit::files_with(folder, CANARY), Vec::<PathBuf>::new());
    let status = world.status();
    let told = &status["never_remember"][0];
    assert_eq!((told["entry"].as_str(), told["archived"].as_u64()), (Some("bob"), Some(0)), "{status}");
}

/// Whether it is known whom the first entry means.
fn is_known(status: &Value, user: &UserId) -> bool {
    status["never_remember"][0]["ids"][0] == user.as_str()
}
