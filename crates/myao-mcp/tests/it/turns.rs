//! Replies in the chat come before searches of agents.

use std::time::Duration;

use jiff::SignedDuration;
use myao_core::chat::AgentSees;
use serde_json::Value;
use tokio::{pin, task::yield_now, time::timeout};

use crate::scene::Scene;

/// The longest a test waits for what has to happen.
const PATIENCE: Duration = Duration::from_secs(20);

/// Goes on with a search until it waits for replies: that is the only thing that sleeps.
async fn until_it_waits(scene: &Scene, mut search: std::pin::Pin<&mut impl Future<Output = Vec<Value>>>) {
    let waits = async {
        while scene.clock.sleepers() == 0 {
            yield_now().await;
        }
    };
    tokio::select! {
        () = waits => {}
        _ = &mut search => panic!("a search was answered before the reply"),
        () = tokio::time::sleep(PATIENCE) => panic!("the search neither waits nor ends"),
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
    timeout(PATIENCE, search).await.expect("no reply is worked on");
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
    timeout(PATIENCE, search).await.expect("it waited long enough");
}
