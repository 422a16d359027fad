//! More requests than there are places.

use std::sync::atomic::Ordering;

use axum::http::StatusCode;
use futures::future::join_all;
use jiff::SignedDuration;
use myao_testkit::waiting::{within_patience, yield_until};
use serde_json::json;
use tower::ServiceExt as _;

use crate::support::{Ask, World};

/// Places for one, and a queue for one.
fn small() -> World {
    World::with(|settings| {
        settings.limits.at_work = 1;
        settings.limits.waiting = 1;
    })
}

#[tokio::test]
async fn a_flood_is_told_to_come_again_and_does_not_last() {
    let world = small();
    let first = tokio::spawn(world.routes.clone().oneshot(Ask::call("wait").request()));
    yield_until("the first is at work", async || world.shared.begun.load(Ordering::SeqCst) == 1).await;
    let second = tokio::spawn(world.routes.clone().oneshot(Ask::call("wait").request()));
    yield_until("the second waits", async || world.clock.sleepers() == 1).await;
    let others = join_all((0..200).map(|_| world.ask(Ask::call("say")))).await;
    for answer in others {
        assert_eq!(answer.status, StatusCode::TOO_MANY_REQUESTS);
        assert_eq!(answer.headers.get("retry-after").expect("a time"), "1");
        assert!(answer.is_error_under_id(), "{answer:?}");
    }
    world.shared.gate.add_permits(2);
    for waiting in [first, second] {
        let answer = within_patience("an answer", waiting).await.expect("a task").expect("an answer");
        assert_eq!(answer.status(), StatusCode::OK);
    }
    assert_eq!(world.ask(Ask::call("say")).await.text(), Some("said"));
}

#[tokio::test]
async fn a_session_outlives_the_flood() {
    let world = World::with(|settings| {
        settings.limits.at_work = 1;
        settings.limits.waiting = 0;
    });
    let id = world.begin_session("right-ann").await;
    let first = tokio::spawn(world.routes.clone().oneshot(Ask::call("wait").request()));
    yield_until("the first is at work", async || world.shared.begun.load(Ordering::SeqCst) == 1).await;
    let say =
        || Ask::old("tools/call", json!({"name": "say", "arguments": {}})).secret("right-ann").session(&id);
    // Any other status would end the session of some clients.
    let answer = world.ask(say()).await;
    assert_eq!(answer.status, StatusCode::OK);
    assert_eq!(answer.code(), Some(429), "{answer:?}");
    assert!(answer.is_error_under_id(), "{answer:?}");
    assert_eq!(answer.body.pointer("/error/data/retryAfterSeconds"), Some(&json!(1)));
    world.shared.gate.add_permits(1);
    within_patience("an answer", first).await.expect("a task").expect("an answer");
    assert_eq!(world.ask(say()).await.text(), Some("said"));
}

#[tokio::test]
async fn nobody_waits_for_long() {
    let world = small();
    let first = tokio::spawn(world.routes.clone().oneshot(Ask::call("wait").request()));
    yield_until("the first is at work", async || world.shared.begun.load(Ordering::SeqCst) == 1).await;
    let second = tokio::spawn(world.routes.clone().oneshot(Ask::call("say").request()));
    yield_until("the second waits", async || world.clock.sleepers() == 1).await;
    world.clock.advance(SignedDuration::from_secs(2));
    let answer = within_patience("a refusal", second).await.expect("a task").expect("an answer");
    assert_eq!(answer.status(), StatusCode::TOO_MANY_REQUESTS);
    world.shared.gate.add_permits(1);
    within_patience("an answer", first).await.expect("a task").expect("an answer");
}

#[tokio::test]
async fn who_goes_away_does_not_free_the_place_of_work_that_goes_on() {
    let world = small();
    let id = world.begin_session("right-ann").await;
    let call = json!({"name": "wait", "arguments": {}});
    // In the older era work goes on where nobody listens.
    let ask = Ask::old("tools/call", call).secret("right-ann").session(&id);
    drop(world.send(ask).await);
    yield_until("it is at work", async || world.shared.begun.load(Ordering::SeqCst) == 1).await;
    let waiting = tokio::spawn(world.routes.clone().oneshot(Ask::call("say").request()));
    yield_until("the next waits", async || world.clock.sleepers() == 1).await;
    assert_eq!(world.ask(Ask::call("say")).await.status, StatusCode::TOO_MANY_REQUESTS);
    world.shared.gate.add_permits(1);
    let answer = within_patience("an answer", waiting).await.expect("a task").expect("an answer");
    assert_eq!(answer.status(), StatusCode::OK);
}

#[tokio::test]
async fn a_place_is_free_again_after_any_request() {
    let world = World::with(|settings| {
        settings.limits.at_work = 1;
        settings.limits.waiting = 0;
    });
    for round in 0..3 {
        let id = world.begin_session("right-ann").await;
        let ask = Ask::old("tools/list", json!({})).secret("right-ann").session(&id);
        assert_eq!(world.ask(ask).await.status, StatusCode::OK, "{round}");
        assert_eq!(world.ask(Ask::call("nonsense")).await.code(), Some(-32_602), "{round}");
        assert_eq!(world.ask(Ask::new("no/such", json!({}))).await.code(), Some(-32_601), "{round}");
        assert_eq!(
            world.ask(Ask::call("say").header("mcp-name", "who")).await.code(),
            Some(-32_020),
            "{round}"
        );
    }
}
