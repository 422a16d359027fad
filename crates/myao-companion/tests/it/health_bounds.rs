//! The health page under connections that nobody closes: they end, and a probe is answered meanwhile.

use std::{
    io,
    net::{Ipv4Addr, Ipv6Addr},
    time::Duration,
};

use jiff::SignedDuration;
use myao_companion::live::health;
use tokio::{
    io::{AsyncReadExt as _, AsyncWriteExt as _},
    net::TcpStream,
};

use crate::health::Page;

/// More than a process has descriptors for by default on some systems.
const IDLE: usize = 300;
const PROBE: &[u8] = b"GET /live HTTP/1.1\r\nhost: myao\r\n\r\n";
/// Nothing here takes more than an instant.
const PATIENCE: Duration = Duration::from_mins(1);

async fn connect(page: &Page) -> TcpStream {
    TcpStream::connect(page.address()).await.expect("a connection")
}

/// What comes until the page closes the connection.
async fn rest(stream: &mut TcpStream) -> String {
    let mut text = Vec::new();
    let read = tokio::time::timeout(PATIENCE, stream.read_to_end(&mut text)).await.expect("it is closed");
    match read {
        Ok(_) => {}
        // Closed with something of ours unread.
        Err(error) => assert_eq!(error.kind(), io::ErrorKind::ConnectionReset, "{error}"),
    }
    String::from_utf8_lossy(&text).into_owned()
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn the_oldest_idle_connections_make_room_and_probes_are_answered() {
    let page = Page::open().await;
    let mut idle = Vec::with_capacity(IDLE);
    for _ in 0..IDLE {
        idle.push(connect(&page).await);
    }
    assert_eq!(page.get("/live").await.0, 200);
    // No clock was moved: only later connections ended these.
    for stream in &mut idle[..IDLE - 32] {
        assert_eq!(rest(stream).await, "");
    }
    for _ in 0..40 {
        assert_eq!(page.get("/live").await.0, 200);
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_connection_without_a_request_ends_after_ten_seconds() {
    let page = Page::open().await;
    let mut late = connect(&page).await;
    let mut silent = connect(&page).await;
    let mut half = connect(&page).await;
    half.write_all(b"GET /live HTTP/1.1\r\nho").await.expect("sent");
    // Accepted after them.
    assert_eq!(page.get("/live").await.0, 200);
    page.clock.advance(SignedDuration::from_secs(9));
    late.write_all(PROBE).await.expect("sent");
    assert!(rest(&mut late).await.starts_with("HTTP/1.1 200"), "in time");
    page.clock.advance(SignedDuration::from_secs(1));
    assert_eq!(rest(&mut silent).await, "");
    assert_eq!(rest(&mut half).await, "");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_connection_carries_one_request() {
    let page = Page::open().await;
    let mut stream = connect(&page).await;
    stream.write_all(&[PROBE, PROBE].concat()).await.expect("sent");
    let answers = rest(&mut stream).await;
    assert_eq!(answers.matches("HTTP/1.1 200").count(), 1, "{answers}");
    assert!(answers.to_lowercase().contains("connection: close"), "{answers}");
}

/// Every address unless one is named, of both kinds where the machine has both.
#[tokio::test]
async fn it_listens_where_it_is_told_to() {
    let named = health::bind_port(Some(Ipv4Addr::LOCALHOST.into()), 0).expect("a port");
    assert_eq!(named.local_addr().expect("bound").ip(), Ipv4Addr::LOCALHOST);
    let every = health::bind_port(None, 0).expect("a port");
    let port = every.local_addr().expect("bound").port();
    TcpStream::connect((Ipv4Addr::LOCALHOST, port)).await.expect("by IPv4");
    if std::net::TcpListener::bind((Ipv6Addr::LOCALHOST, 0)).is_ok() {
        TcpStream::connect((Ipv6Addr::LOCALHOST, port)).await.expect("by IPv6");
    }
    // Of a network for documentation.
    let elsewhere = health::bind_port(Some(Ipv4Addr::new(192, 0, 2, 7).into()), 0).expect_err("not ours");
    assert!(
        elsewhere.to_string().contains("on 192.0.2.7") && elsewhere.to_string().contains("health_check.host")
    );
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn an_endless_header_is_not_read_to_its_end() {
    let page = Page::open().await;
    let mut stream = connect(&page).await;
    stream.write_all(b"GET /live HTTP/1.1\r\nhost: ").await.expect("sent");
    let line = vec![b'a'; 1 << 20];
    // The page may have closed it before all of it is sent.
    drop(stream.write_all(&line).await);
    let answer = rest(&mut stream).await;
    assert!(answer.is_empty() || answer.starts_with("HTTP/1.1 4"), "{answer}");
    assert_eq!(page.get("/live").await.0, 200);
}
