//! Replies in the chat come before searches of agents.

use jiff::SignedDuration;
use myao_core::chat::AgentSees;
use myao_testkit::waiting::{within_patience, yield_until};
use serde_json::Value;
use tokio::pin;

use crate::scene::Scene;

/// Goes on with a search until it waits for replies: that is the only thing that sleeps.
async fn until_it_waits(scene: &Scene, mut search: std::pin::Pin<&mut impl Future<Output = Vec<Value>>>) {
    tokio::select! {
        () = yield_until("the search waits", async || scene.clock.sleepers() > 0) => {}
        _ = &mut search => panic!("a search was answered before the reply"),
    }
}

#[tokio::test]
async fn a_search_lets_a_reply_pass() {
    let scene = Scene::furnished().await;
    let agent = scene.agent("editor", AgentSees::Open, false);
    let reply = scene.replies.enter();
    let search = agent.search("kiln");
    pin!(search);
    until_it_waits(&scene, search.as_mut()).await;
    drop(reply);
    within_patience("the search", search).await;
}

/// Where replies never end, agents are answered all the same.
#[tokio::test]
async fn a_search_does_not_wait_for_ever() {
    let scene = Scene::furnished().await;
    let agent = scene.agent("editor", AgentSees::Open, false);
    let _reply = scene.replies.enter();
    let search = agent.search("kiln");
    pin!(search);
    until_it_waits(&scene, search.as_mut()).await;
    scene.clock.advance(SignedDuration::from_millis(250));
    within_patience("the search", search).await;
}
