//! Killed while Slack shows that an answer is being written: the next run takes that away (ADR 121).

use myao_testkit::{
    llm::{FakeProvider, Reply},
    slack::InjectedFault,
};

use super::{World, with_provider};
use crate::binary::number;

const SET_STATUS: &str = "agents.sessions.setStatus";

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn killed_while_it_writes_it_leaves_no_status_behind() {
    let provider = FakeProvider::answering([Reply::text("Never.").held(), Reply::text("Yes.")]).await;
    let world = World::with(&with_provider(&provider, "")).await;
    let mut running = world.start().await;
    let root = world.slack.say(&world.general, &world.alice, "we could go to the lake");
    // It is shown, and nobody hears that it is.
    world.slack.fail_next(SET_STATUS, InjectedFault::HangAfter);
    let text = format!("<@{}> are you coming?", world.slack.bot_user_id());
    world.slack.reply(&world.general, root, &world.alice, &text);
    world.slack.wait_until(|seen| seen.status_changes.len() == 1).await;
    running.kill();
    world.slack.release();
    assert_eq!(world.slack.threads_being_answered(), [(world.general.clone(), root)]);
    assert_eq!(world.slack.posts().len(), 0);
    let again = world.start().await;
    world.slack.wait_until(|seen| seen.posts.len() == 1).await;
    assert_eq!(world.slack.threads_being_answered(), []);
    let last = world.slack.seen().status_changes.pop().expect("it changed");
    assert_eq!((last.status.as_str(), last.posts), ("active", 0), "before the answer is posted");
    assert_eq!(again.stop(), Some(0));
    assert_eq!(number(&world.status(), "messages"), 3);
}

/// What was to be answered was stopped while nothing ran: the answer is not given, and the status goes.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_stop_that_nobody_heard_counts_at_the_next_start() {
    let held = || Reply::text("Never.").held();
    let provider = FakeProvider::answering([held(), held()]).await;
    let world = World::with(&with_provider(&provider, "")).await;
    let mut running = world.start().await;
    let root = world.slack.say(&world.general, &world.alice, "we could go to the lake");
    world.slack.fail_next(SET_STATUS, InjectedFault::HangAfter);
    let text = format!("<@{}> are you coming?", world.slack.bot_user_id());
    world.slack.reply(&world.general, root, &world.alice, &text);
    world.slack.wait_until(|seen| seen.status_changes.len() == 1).await;
    running.kill();
    world.slack.release();
    world.slack.press_stop(&world.general, root, &world.alice);
    let again = world.start().await;
    world
        .slack
        .wait_until(|seen| seen.status_changes.last().is_some_and(|last| last.status == "active"))
        .await;
    assert_eq!(again.stop(), Some(0));
    let decisions = tokio::task::block_in_place(|| world.home.json(&["decisions"]));
    assert_eq!(decisions["stopped"][0]["stopped_by"], "alice", "{decisions}");
    assert_eq!(world.slack.posts().len(), 0);
}
