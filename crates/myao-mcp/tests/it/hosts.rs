//! By which name a request may reach us, from which page, and by which method.

use axum::http::{Method, StatusCode};

use crate::support::{Ask, World};

#[tokio::test]
async fn only_our_own_names_are_answered_to() {
    let world = World::new();
    for ours in [
        "127.0.0.1:4000",
        "localhost:4000",
        "localhost",
        "[::1]:4000",
        "127.0.0.5",
        "MYAO.example:443",
        "myao.example.",
    ] {
        let answer = world.ask(Ask::call("say").header("host", ours)).await;
        assert_eq!(answer.status, StatusCode::OK, "{ours}: {answer:?}");
    }
    for foreign in [
        "evil.example",
        "myao.example.evil.example",
        "127.0.0.1.evil.example",
        "10.0.0.1:4000",
        "",
        "a b",
        "evil@127.0.0.1",
    ] {
        let answer = world.ask(Ask::call("say").header("host", foreign)).await;
        assert_eq!(answer.status, StatusCode::FORBIDDEN, "{foreign}: {answer:?}");
        assert_eq!(answer.code(), Some(403), "{foreign}");
    }
}

#[tokio::test]
async fn a_request_names_us_exactly_once() {
    let world = World::new();
    let twice = Ask::call("say").also("host", "evil.example");
    assert_eq!(world.ask(twice).await.status, StatusCode::FORBIDDEN);
    let mut never = Ask::call("say");
    never.headers.retain(|(name, _)| *name != "host");
    assert_eq!(world.ask(never).await.status, StatusCode::FORBIDDEN);
}

#[tokio::test]
async fn pages_of_other_sites_may_not_ask() {
    let world = World::new();
    for ours in ["http://localhost:4000", "http://127.0.0.1:9", "https://myao.example", "http://[::1]:4000"] {
        let answer = world.ask(Ask::call("say").header("origin", ours)).await;
        assert_eq!(answer.status, StatusCode::OK, "{ours}: {answer:?}");
    }
    let foreign = [
        "https://evil.example",
        "null",
        "file:///etc",
        "http://myao.example@evil.example",
        "localhost",
        "http://10.0.0.1",
    ];
    for origin in foreign {
        for asked in [Ask::call("say"), Ask::get(), Ask { method: Method::DELETE, ..Ask::get() }] {
            let answer = world.ask(asked.header("origin", origin)).await;
            assert_eq!(answer.status, StatusCode::FORBIDDEN, "{origin}: {answer:?}");
        }
    }
    let twice = Ask::call("say").header("origin", "http://localhost").also("origin", "https://evil.example");
    assert_eq!(world.ask(twice).await.status, StatusCode::FORBIDDEN);
}

#[tokio::test]
async fn a_token_does_not_open_the_door_to_other_sites() {
    let world = World::new();
    let rebound = Ask::call("say").secret("right-ann").header("host", "evil.example:4000");
    assert_eq!(world.ask(rebound).await.status, StatusCode::FORBIDDEN);
    let foreign = Ask::call("say").secret("right-ann").header("origin", "https://evil.example");
    assert_eq!(world.ask(foreign).await.status, StatusCode::FORBIDDEN);
}

#[tokio::test]
async fn other_methods_are_refused() {
    let world = World::new();
    for method in [Method::PUT, Method::PATCH, Method::OPTIONS, Method::HEAD] {
        let answer = world.ask(Ask { method: method.clone(), ..Ask::get() }).await;
        assert_eq!(answer.status, StatusCode::METHOD_NOT_ALLOWED, "{method}");
        assert_eq!(answer.headers.get("allow").expect("methods"), "GET, POST, DELETE");
    }
    // Without a session there is nothing to listen to.
    let answer = world.ask(Ask::get().header("mcp-protocol-version", "2026-07-28")).await;
    assert_eq!(answer.status, StatusCode::METHOD_NOT_ALLOWED);
}
