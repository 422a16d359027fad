//! Streams of notifications: both eras, their number, and their end.

use std::sync::atomic::Ordering;

use axum::{body::to_bytes, http::StatusCode};
use jiff::SignedDuration;
use myao_testkit::waiting::{within_patience, yield_until};
use serde_json::{Value, json};
use tokio::{
    io::{AsyncReadExt as _, AsyncWriteExt as _},
    net::{TcpListener, TcpStream},
};

use crate::support::{Ask, OLD, Stream, World, handler::RESOURCE};

fn listen() -> Ask {
    Ask::new("subscriptions/listen", json!({"notifications": {"resourceSubscriptions": [RESOURCE]}}))
}

fn is_update(message: Option<&Value>) -> bool {
    message.is_some_and(|message| message["method"] == "notifications/resources/updated")
}

#[tokio::test]
async fn the_newer_era_listens_by_a_request() {
    let world = World::new();
    let mut stream = Stream::of(world.send(listen().secret("right-ann")).await);
    let first = stream.next().await.expect("a message");
    assert_eq!(first["method"], "notifications/subscriptions/acknowledged", "{first}");
    yield_until("the server listens", async || world.shared.changes.receiver_count() == 1).await;
    world.shared.changes.send(()).expect("a listener");
    let update = stream.next().await;
    assert!(is_update(update.as_ref()), "{update:?}");
    drop(stream);
    yield_until("the stream has ended at the server", async || {
        world.shared.ended.load(Ordering::SeqCst) == 1
    })
    .await;
}

#[tokio::test]
async fn the_older_era_listens_at_its_session() {
    let world = World::new();
    let id = world.begin_session("right-ann").await;
    let ask = Ask::old("resources/subscribe", json!({"uri": RESOURCE})).secret("right-ann").session(&id);
    let answer = world.ask(ask).await;
    assert!(answer.body.get("result").is_some(), "{answer:?}");
    let listens = Ask::get().secret("right-ann").session(&id).header("mcp-protocol-version", OLD);
    let mut stream = Stream::of(world.send(listens).await);
    world.shared.changes.send(()).expect("a listener");
    let update = stream.next().await;
    assert!(is_update(update.as_ref()), "{update:?}");
}

#[tokio::test]
async fn a_stream_ends_soon_after_its_token_was_revoked() {
    let world = World::new();
    let id = world.begin_session("right-ann").await;
    let mut old = Stream::of(world.send(Ask::get().secret("right-ann").session(&id)).await);
    let mut new = Stream::of(world.send(listen().secret("right-ann")).await);
    let mut others = Stream::of(world.send(listen().secret("right-bob")).await);
    new.next().await.expect("an acknowledgement");
    others.next().await.expect("an acknowledgement");
    world.tokens.revoke("right-ann");
    let old = tokio::spawn(async move { old.next().await });
    let new = tokio::spawn(async move { new.next().await });
    yield_until("all streams wait", async || world.clock.sleepers() == 3).await;
    world.clock.advance(SignedDuration::from_secs(3));
    for ended in [old, new] {
        assert_eq!(within_patience("the end of a stream", ended).await.expect("a task"), None);
    }
    world.shared.changes.send(()).expect("a listener");
    assert!(is_update(others.next().await.as_ref()));
}

#[tokio::test]
async fn a_database_that_is_away_ends_no_stream() {
    let world = World::new();
    let mut stream = Stream::of(world.send(listen().secret("right-ann")).await);
    stream.next().await.expect("an acknowledgement");
    let looked_up = world.tokens.looked_up.load(Ordering::SeqCst);
    world.tokens.go_away(true);
    let next = tokio::spawn(async move { stream.next().await });
    yield_until("the stream waits", async || world.clock.sleepers() >= 1).await;
    world.clock.advance(SignedDuration::from_secs(3));
    yield_until("it was looked up", async || world.tokens.looked_up.load(Ordering::SeqCst) > looked_up).await;
    world.shared.changes.send(()).expect("a listener");
    assert!(is_update(next.await.expect("a stream").as_ref()));
}

#[tokio::test]
async fn there_are_so_many_streams_and_no_more() {
    let world = World::with(|settings| {
        settings.limits.streams_of_one = 2;
        settings.limits.streams = 3;
    });
    let mut open = Vec::new();
    for secret in ["right-ann", "right-ann", "right-bob"] {
        open.push(Stream::of(world.send(listen().secret(secret)).await));
    }
    for secret in ["right-ann", "right-cid"] {
        let answer = world.ask(listen().secret(secret)).await;
        assert_eq!(answer.status, StatusCode::TOO_MANY_REQUESTS, "{answer:?}");
        assert!(answer.is_error_under_id(), "{answer:?}");
    }
    // Streams take no place at work.
    assert_eq!(world.ask(Ask::call("say").secret("right-ann")).await.text(), Some("said"));
    open.pop();
    let response = world.send(listen().secret("right-cid")).await;
    assert_eq!(response.status(), StatusCode::OK);
}

#[tokio::test]
async fn streams_end_when_the_server_stops() {
    let world = World::new();
    let mut stream = Stream::of(world.send(listen().secret("right-ann")).await);
    stream.next().await.expect("an acknowledgement");
    world.stop.cancel();
    while stream.next().await.is_some() {}
}

#[tokio::test]
async fn a_client_that_vanishes_is_noticed() {
    // Its address is that of a proxy that tells nothing, so it needs a token.
    let world = World::new();
    let listener = TcpListener::bind("127.0.0.1:0").await.expect("a port");
    let address = listener.local_addr().expect("an address");
    let routes = world.routes.clone();
    let serving = tokio::spawn(async move { axum::serve(listener, routes).await });
    let mut client = TcpStream::connect(address).await.expect("a connection");
    let listens = listen().secret("right-ann");
    let body = within_patience("a body", to_bytes(listens.body, 1 << 16)).await.expect("a body");
    let headers =
        listens.headers.iter().map(|(name, value)| format!("{name}: {value}\r\n")).collect::<String>();
    let head = format!("POST /mcp HTTP/1.1\r\n{headers}content-length: {}\r\n\r\n", body.len());
    client.write_all(head.as_bytes()).await.expect("a request");
    client.write_all(&body).await.expect("a request");
    let mut read = [0; 64];
    within_patience("an answer", client.read(&mut read)).await.expect("an answer");
    assert!(read.starts_with(b"HTTP/1.1 200"), "{}", String::from_utf8_lossy(&read));
    yield_until("the server listens", async || world.shared.changes.receiver_count() == 1).await;
    drop(client);
    yield_until("it was noticed", async || {
        // Nobody may be listening any more.
        drop(world.shared.changes.send(()));
        world.shared.ended.load(Ordering::SeqCst) == 1
    })
    .await;
    serving.abort();
}
