//! What is no message, or takes too much room or time.

use axum::{
    body::{Body, Bytes},
    http::StatusCode,
};
use futures::stream;
use jiff::SignedDuration;
use myao_testkit::waiting::{within_patience, yield_until};
use serde_json::json;
use tower::ServiceExt as _;

use crate::support::{Ask, World};

#[tokio::test]
async fn what_is_too_long_is_refused_whether_it_says_so_or_not() {
    let world = World::with(|settings| settings.limits.body_bytes = 10_000);
    let long =
        json!({"jsonrpc": "2.0", "id": 7, "method": "ping", "params": {"x": "y".repeat(10_000)}}).to_string();
    let answer = world.ask(Ask::post(long.clone())).await;
    assert_eq!(answer.status, StatusCode::PAYLOAD_TOO_LARGE, "{answer:?}");
    let answer = world.ask(Ask::post("{}").header("content-length", "999999999999")).await;
    assert_eq!(answer.status, StatusCode::PAYLOAD_TOO_LARGE, "{answer:?}");
    let parts = long
        .into_bytes()
        .chunks(100)
        .map(|part| Ok::<_, std::io::Error>(Bytes::copy_from_slice(part)))
        .collect::<Vec<_>>();
    let answer = world.ask(Ask::post(Body::from_stream(stream::iter(parts)))).await;
    assert_eq!(answer.status, StatusCode::PAYLOAD_TOO_LARGE, "{answer:?}");
    assert_eq!(answer.code(), Some(413));
}

#[tokio::test]
async fn a_body_that_does_not_come_is_not_waited_for() {
    let world = World::new();
    let never = Body::from_stream(stream::pending::<Result<Bytes, std::io::Error>>());
    let asked = tokio::spawn(world.routes.clone().oneshot(Ask::post(never).request()));
    yield_until("the body is waited for", async || world.clock.sleepers() == 1).await;
    world.clock.advance(SignedDuration::from_secs(10));
    let answer = within_patience("a refusal", asked).await.expect("a task").expect("an answer");
    assert_eq!(answer.status(), StatusCode::REQUEST_TIMEOUT);
    assert_eq!(world.ask(Ask::call("say")).await.text(), Some("said"));
}

#[tokio::test]
async fn what_is_no_json_is_a_parse_error() {
    let world = World::new();
    for text in ["", "{", "nonsense", "{\"jsonrpc\": \"2.0\",}", "\u{0}"] {
        let answer = world.ask(Ask::post(text)).await;
        assert_eq!(answer.status, StatusCode::BAD_REQUEST, "{text:?}: {answer:?}");
        assert_eq!(answer.code(), Some(-32_700), "{text:?}");
        assert!(answer.body.get("id").is_none(), "{text:?}");
    }
    let answer =
        world.ask(Ask::post(b"{\"jsonrpc\": \"2.0\", \"id\": 7, \"method\": \"\xff\"}".to_vec())).await;
    assert_eq!(answer.code(), Some(-32_700), "{answer:?}");
}

#[tokio::test]
async fn what_is_no_single_message_is_an_invalid_request() {
    let world = World::new();
    let ping = r#"{"jsonrpc": "2.0", "id": 7, "method": "ping"}"#;
    let wrong = [
        format!("[{ping}]"),
        format!("  [{ping}, {ping}]"),
        "[]".to_owned(),
        "7".to_owned(),
        "null".to_owned(),
        r#"{"jsonrpc": "2.0", "id": null, "method": "ping"}"#.to_owned(),
        r#"{"jsonrpc": "2.0", "id": {}, "method": "ping"}"#.to_owned(),
        r#"{"jsonrpc": "2.0", "id": 1.5, "method": "ping"}"#.to_owned(),
        r#"{"jsonrpc": "2.0", "id": 7, "id": 8, "method": "ping"}"#.to_owned(),
        r#"{"jsonrpc": "2.0", "id": 7, "method": "ping", "method": "tools/list"}"#.to_owned(),
        json!({"jsonrpc": "2.0", "id": "x".repeat(600), "method": "ping"}).to_string(),
    ];
    for text in wrong {
        let answer = world.ask(Ask::post(text.clone())).await;
        assert_eq!(answer.status, StatusCode::BAD_REQUEST, "{text}: {answer:?}");
        assert_eq!(answer.code(), Some(-32_600), "{text}");
    }
}

#[tokio::test]
async fn an_error_stands_under_the_id_wherever_that_can_be_read() {
    let world = World::new();
    let wrong = [
        json!({"id": 7, "method": "ping"}),
        json!({"jsonrpc": "1.0", "id": 7, "method": "ping"}),
        json!({"jsonrpc": "2.0", "id": 7, "method": 9}),
        json!({"jsonrpc": "2.0", "id": 7, "method": "tools/list"}),
    ];
    for message in wrong {
        let answer = world.ask(Ask::post(message.to_string())).await;
        assert!(answer.is_error_under_id(), "{message}: {answer:?}");
    }
    let strange = Ask::call("say").header("accept", "text/html");
    let answer = world.ask(strange).await;
    assert_eq!(answer.status, StatusCode::NOT_ACCEPTABLE);
    assert!(answer.is_error_under_id(), "{answer:?}");
    let answer = world.ask(Ask::call("say").header("content-type", "text/plain")).await;
    assert_eq!(answer.status, StatusCode::UNSUPPORTED_MEDIA_TYPE);
    assert!(answer.is_error_under_id(), "{answer:?}");
}

#[tokio::test]
async fn deep_nesting_ends_nothing() {
    let world = World::new();
    for depth in [100, 200, 100_000] {
        let text = format!(
            r#"{{"jsonrpc": "2.0", "id": 7, "method": "tools/call", "params": {{"name": "say", "arguments": {{"x": {}{}}}}}}}"#,
            "[".repeat(depth),
            "]".repeat(depth)
        );
        let answer = world.ask(Ask::post(text)).await;
        assert!(answer.status.is_client_error(), "{depth}: {:?}", answer.status);
        assert!(answer.code().is_some(), "{depth}: {answer:?}");
    }
    assert_eq!(world.ask(Ask::call("say")).await.text(), Some("said"));
}
