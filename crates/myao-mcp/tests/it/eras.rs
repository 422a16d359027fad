//! Both eras at one address, and what contradicts itself.

use axum::http::StatusCode;
use serde_json::{Value, json};

use crate::support::{Ask, NEW, OLD, World, initialize, meta};

#[tokio::test]
async fn a_request_of_the_newer_era_stands_for_itself() {
    let world = World::new();
    let answer = world.ask(Ask::new("server/discover", json!({}))).await;
    assert_eq!(answer.status, StatusCode::OK, "{answer:?}");
    let supported =
        answer.body.pointer("/result/supportedVersions").and_then(Value::as_array).expect("versions");
    assert!(supported.contains(&json!(NEW)), "{supported:?}");
    assert!(!answer.headers.contains_key("mcp-session-id"));
    let answer = world.ask(Ask::new("tools/list", json!({}))).await;
    assert_eq!(answer.body.pointer("/result/cacheScope"), Some(&json!("private")), "{answer:?}");
    assert_eq!(answer.body.pointer("/result/resultType"), Some(&json!("complete")));
    assert_eq!(world.ask(Ask::call("say")).await.text(), Some("said"));
}

#[tokio::test]
async fn the_older_era_agrees_on_its_newest_revision_at_most() {
    let world = World::new();
    for (asked, agreed) in [
        (OLD, OLD),
        ("2025-06-18", "2025-06-18"),
        ("2025-03-26", "2025-03-26"),
        (NEW, OLD),
        ("1999-01-01", OLD),
    ] {
        let answer = world.ask(Ask::old("initialize", initialize(asked))).await;
        assert_eq!(
            answer.body.pointer("/result/protocolVersion"),
            Some(&json!(agreed)),
            "{asked}: {answer:?}"
        );
        assert!(answer.headers.contains_key("mcp-session-id"), "{asked}");
    }
}

#[tokio::test]
async fn headers_that_contradict_the_body_are_refused_under_the_id() {
    let world = World::new();
    let contradicting = [
        Ask::call("say").header("mcp-protocol-version", OLD),
        Ask::call("say").header("mcp-protocol-version", "2099-01-01"),
        Ask::call("say").header("mcp-method", "tools/list"),
        Ask::call("say").header("mcp-name", "who"),
        Ask::call("say").header("mcp-name", "=?base64?d2hv?="),
        Ask::call("say").also("mcp-name", "who"),
        Ask::call("say").also("mcp-method", "tools/list"),
        Ask::new("resources/read", json!({"uri": "test://one"})).header("mcp-name", "test://two"),
    ];
    for ask in contradicting {
        let told = format!("{:?}", ask.headers);
        let answer = world.ask(ask).await;
        assert_eq!(answer.status, StatusCode::BAD_REQUEST, "{told}: {answer:?}");
        assert_eq!(answer.code(), Some(-32_020), "{told}: {answer:?}");
        assert!(answer.is_error_under_id(), "{told}: {answer:?}");
    }
    for name in ["mcp-protocol-version", "mcp-method", "mcp-name"] {
        let mut ask = Ask::call("say");
        ask.headers.retain(|(known, _)| *known != name);
        let answer = world.ask(ask).await;
        assert_eq!(answer.status, StatusCode::BAD_REQUEST, "without {name}: {answer:?}");
        assert_eq!(answer.code(), Some(-32_020), "without {name}: {answer:?}");
    }
    // A name may be encoded, as one that is not ASCII has to be.
    let answer = world.ask(Ask::call("say").header("mcp-name", "=?base64?c2F5?=")).await;
    assert_eq!(answer.text(), Some("said"), "{answer:?}");
}

#[tokio::test]
async fn a_request_of_the_newer_era_says_what_it_has_to() {
    let world = World::new();
    for missing in ["io.modelcontextprotocol/protocolVersion", "io.modelcontextprotocol/clientCapabilities"] {
        let mut meta = meta();
        meta.as_object_mut().expect("an object").remove(missing);
        let message = json!({"jsonrpc": "2.0", "id": 7, "method": "tools/list", "params": {"_meta": meta}});
        let ask = Ask::post(message.to_string())
            .header("mcp-protocol-version", NEW)
            .header("mcp-method", "tools/list");
        let answer = world.ask(ask).await;
        assert_eq!(answer.status, StatusCode::BAD_REQUEST, "{missing}: {answer:?}");
        assert_eq!(answer.code(), Some(-32_602), "{missing}: {answer:?}");
        assert!(answer.is_error_under_id(), "{missing}: {answer:?}");
    }
}

#[tokio::test]
async fn unknown_versions_are_told_which_there_are() {
    let world = World::new();
    let mut meta = meta();
    meta["io.modelcontextprotocol/protocolVersion"] = json!("2099-01-01");
    let message = json!({"jsonrpc": "2.0", "id": 7, "method": "tools/list", "params": {"_meta": meta}});
    let newer = Ask::post(message.to_string())
        .header("mcp-protocol-version", "2099-01-01")
        .header("mcp-method", "tools/list");
    let older = Ask::old("tools/list", json!({})).header("mcp-protocol-version", "1999-01-01");
    for ask in [newer, older] {
        let answer = world.ask(ask).await;
        assert_eq!(answer.status, StatusCode::BAD_REQUEST, "{answer:?}");
        assert_eq!(answer.code(), Some(-32_022), "{answer:?}");
        assert!(answer.is_error_under_id(), "{answer:?}");
        let supported =
            answer.body.pointer("/error/data/supported").and_then(Value::as_array).expect("versions");
        assert!(supported.contains(&json!(NEW)), "{answer:?}");
    }
}

#[tokio::test]
async fn unknown_methods_and_wrong_parameters_are_told_apart() {
    let world = World::new();
    let answer = world.ask(Ask::new("memories/burn", json!({}))).await;
    assert_eq!(answer.status, StatusCode::NOT_FOUND);
    assert_eq!(answer.code(), Some(-32_601), "{answer:?}");
    // What the newer era no longer has.
    for gone in ["ping", "logging/setLevel", "resources/subscribe"] {
        let answer = world.ask(Ask::new(gone, json!({}))).await;
        assert_eq!(answer.code(), Some(-32_601), "{gone}: {answer:?}");
        assert_eq!(answer.status, StatusCode::NOT_FOUND, "{gone}");
    }
    for wrong in [json!({"name": 5}), json!({"arguments": {}}), json!({"name": "say", "arguments": []})] {
        let answer = world.ask(Ask::new("tools/call", wrong.clone()).header("mcp-name", "say")).await;
        assert!(answer.is_error_under_id(), "{wrong}: {answer:?}");
        assert!(matches!(answer.code(), Some(-32_602 | -32_020)), "{wrong}: {answer:?}");
    }
    let answer = world.ask(Ask::call("nonsense")).await;
    assert_eq!(answer.code(), Some(-32_602), "{answer:?}");
}

#[tokio::test]
async fn notifications_are_taken_without_an_answer() {
    let world = World::new();
    let message = json!({"jsonrpc": "2.0", "method": "notifications/cancelled", "params": {"requestId": 1}});
    let ask = Ask::post(message.to_string()).header("mcp-protocol-version", NEW);
    let answer = world.ask(ask.header("mcp-method", "notifications/cancelled")).await;
    assert_eq!(answer.status, StatusCode::ACCEPTED, "{answer:?}");
}
