//! Sessions of the older era: whose they are, and how many.

use axum::http::{Method, StatusCode};
use jiff::SignedDuration;
use serde_json::json;

use crate::support::{Ask, OLD, World};

fn call(tool: &str) -> Ask {
    Ask::old("tools/call", json!({"name": tool, "arguments": {}})).header("mcp-protocol-version", OLD)
}

#[tokio::test]
async fn a_session_serves_the_agent_that_began_it() {
    let world = World::new();
    let id = world.begin_session("right-ann").await;
    let began = json!({"jsonrpc": "2.0", "method": "notifications/initialized"});
    let answer = world.ask(Ask::post(began.to_string()).secret("right-ann").session(&id)).await;
    assert_eq!(answer.status, StatusCode::ACCEPTED, "{answer:?}");
    let answer = world.ask(call("who").secret("right-ann").session(&id)).await;
    assert_eq!(answer.text(), Some("ann"), "{answer:?}");
    let answer = world.ask(Ask::old("tools/list", json!({})).secret("right-ann").session(&id)).await;
    assert!(answer.body.pointer("/result/tools/0").is_some(), "{answer:?}");
    assert!(answer.body.pointer("/result/resultType").is_none(), "older clients do not know it: {answer:?}");
}

#[tokio::test]
async fn a_session_of_somebody_else_does_not_exist() {
    let world = World::new();
    let id = world.begin_session("right-ann").await;
    let unknown = world.ask(call("who").secret("right-bob").session("no-such-session")).await;
    assert_eq!(unknown.status, StatusCode::NOT_FOUND);
    assert!(unknown.is_error_under_id(), "{unknown:?}");
    let foreign = world.ask(call("who").secret("right-bob").session(&id)).await;
    assert_eq!(foreign.status, StatusCode::NOT_FOUND);
    assert_eq!(foreign.body, unknown.body);
    // Nor for somebody without a token, nor to listen to, nor to end.
    assert_eq!(world.ask(call("who").session(&id)).await.status, StatusCode::NOT_FOUND);
    let listens = Ask::get().secret("right-bob").session(&id);
    assert_eq!(world.ask(listens).await.status, StatusCode::NOT_FOUND);
    let ends = Ask { method: Method::DELETE, ..Ask::get().secret("right-bob").session(&id) };
    assert_eq!(world.ask(ends).await.status, StatusCode::NOT_FOUND);
    let twice = call("who").secret("right-bob").session("no-such-session").also("mcp-session-id", &id);
    assert_eq!(world.ask(twice).await.status, StatusCode::NOT_FOUND);
    assert_eq!(world.ask(call("who").secret("right-ann").session(&id)).await.text(), Some("ann"));
}

#[tokio::test]
async fn a_session_ends_when_its_agent_says_so() {
    let world = World::new();
    let id = world.begin_session("right-ann").await;
    let ends = || Ask { method: Method::DELETE, ..Ask::get().secret("right-ann").session(&id) };
    assert_eq!(world.ask(ends()).await.status, StatusCode::NO_CONTENT);
    assert_eq!(world.ask(call("who").secret("right-ann").session(&id)).await.status, StatusCode::NOT_FOUND);
    assert_eq!(world.ask(ends()).await.status, StatusCode::NOT_FOUND);
}

#[tokio::test]
async fn a_session_does_not_outlive_its_token() {
    let world = World::new();
    let id = world.begin_session("right-ann").await;
    world.tokens.revoke("right-ann");
    let answer = world.ask(call("who").secret("right-ann").session(&id)).await;
    assert_eq!(answer.status, StatusCode::UNAUTHORIZED, "{answer:?}");
}

#[tokio::test]
async fn older_sessions_make_room_and_first_ones_own() {
    let world = World::with(|settings| {
        settings.limits.sessions_of_one = 2;
        settings.limits.sessions = 3;
    });
    let bobs = world.begin_session("right-bob").await;
    let mut anns = Vec::new();
    for _ in 0..3 {
        world.clock.advance(SignedDuration::from_secs(1));
        anns.push(world.begin_session("right-ann").await);
    }
    let works = async |secret: &str, id: &str| world.ask(call("who").secret(secret).session(id)).await.status;
    assert_eq!(works("right-ann", &anns[0]).await, StatusCode::NOT_FOUND);
    assert_eq!(works("right-ann", &anns[1]).await, StatusCode::OK);
    assert_eq!(works("right-bob", &bobs).await, StatusCode::OK);
    world.clock.advance(SignedDuration::from_secs(1));
    assert_eq!(works("right-bob", &bobs).await, StatusCode::OK);
    assert_eq!(works("right-ann", &anns[1]).await, StatusCode::OK);
    let cids = world.begin_session("right-cid").await;
    assert_eq!(works("right-cid", &cids).await, StatusCode::OK);
    assert_eq!(works("right-bob", &bobs).await, StatusCode::OK);
    assert_eq!(works("right-ann", &anns[2]).await, StatusCode::NOT_FOUND, "it was not used for longest");
}

#[tokio::test]
async fn without_a_session_the_older_era_is_told_to_begin_one() {
    let world = World::new();
    let answer = world.ask(call("who")).await;
    assert_eq!(answer.status, StatusCode::BAD_REQUEST, "{answer:?}");
    assert!(answer.is_error_under_id(), "{answer:?}");
    let answer = world.ask(Ask::get()).await;
    assert_eq!(answer.status, StatusCode::BAD_REQUEST, "{answer:?}");
}
