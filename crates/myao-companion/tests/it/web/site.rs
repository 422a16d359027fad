//! A web site on loopback.

use std::{
    collections::HashMap,
    net::{IpAddr, SocketAddr},
    sync::{
        Arc, Mutex,
        atomic::{AtomicUsize, Ordering},
    },
    time::Duration,
};

use axum::{
    Router,
    body::{Body, Bytes},
    extract::Request,
    http::{HeaderMap, Response, StatusCode},
};
use futures::stream;
use tokio::{net::TcpListener, task::JoinHandle};

/// What a path answers.
#[derive(Clone)]
pub(super) enum Reply {
    /// This, at once.
    Whole { status: u16, headers: Vec<(&'static str, String)>, body: Vec<u8> },
    /// The same piece for ever.
    Endless(&'static [u8]),
    /// A byte, now and then.
    Drip,
}

impl Reply {
    pub(super) fn of(kind: &str, body: impl Into<Vec<u8>>) -> Self {
        Self::Whole { status: 200, headers: vec![("content-type", kind.to_owned())], body: body.into() }
    }

    pub(super) fn html(body: impl Into<Vec<u8>>) -> Self {
        Self::of("text/html; charset=utf-8", body)
    }

    pub(super) fn text(body: impl Into<Vec<u8>>) -> Self {
        Self::of("text/plain; charset=utf-8", body)
    }

    pub(super) fn json(body: &serde_json::Value) -> Self {
        Self::of("application/json", body.to_string())
    }

    pub(super) fn status(status: u16) -> Self {
        Self::Whole { status, headers: Vec::new(), body: b"no".to_vec() }
    }

    pub(super) fn to(location: &str) -> Self {
        Self::Whole { status: 302, headers: vec![("location", location.to_owned())], body: Vec::new() }
    }

    fn response(self) -> Response<Body> {
        match self {
            Self::Whole { status, headers, body } => {
                let builder = Response::builder().status(StatusCode::from_u16(status).unwrap());
                let builder =
                    headers.into_iter().fold(builder, |builder, (name, value)| builder.header(name, value));
                builder.body(Body::from(body)).unwrap()
            }
            Self::Endless(piece) => {
                let pieces = stream::repeat_with(move || Ok::<_, std::io::Error>(Bytes::from_static(piece)));
                Response::builder()
                    .header("content-type", "text/plain")
                    .body(Body::from_stream(pieces))
                    .unwrap()
            }
            Self::Drip => {
                let drops = stream::unfold((), |()| async {
                    tokio::time::sleep(Duration::from_millis(50)).await;
                    Some((Ok::<_, std::io::Error>(Bytes::from_static(b".")), ()))
                });
                Response::builder()
                    .header("content-type", "text/plain")
                    .body(Body::from_stream(drops))
                    .unwrap()
            }
        }
    }
}

/// A request that came.
#[derive(Clone)]
pub(super) struct Asked {
    pub(super) method: String,
    /// Path and query.
    pub(super) path: String,
    pub(super) headers: HeaderMap,
    pub(super) body: Vec<u8>,
}

/// A site whose paths answer what a test says, and 404 where it says nothing.
pub(super) struct Site {
    address: SocketAddr,
    replies: Arc<Mutex<HashMap<String, Reply>>>,
    asked: Arc<Mutex<Vec<Asked>>>,
    server: JoinHandle<()>,
}

impl Drop for Site {
    fn drop(&mut self) {
        self.server.abort();
    }
}

impl Site {
    pub(super) async fn start(ip: IpAddr) -> Self {
        let listener = TcpListener::bind((ip, 0)).await.unwrap();
        let address = listener.local_addr().unwrap();
        let replies: Arc<Mutex<HashMap<String, Reply>>> = Arc::default();
        let asked: Arc<Mutex<Vec<Asked>>> = Arc::default();
        let known = Arc::clone(&replies);
        let log = Arc::clone(&asked);
        let router = Router::new().fallback(move |request: Request| {
            let reply =
                known.lock().unwrap().get(request.uri().path()).cloned().unwrap_or(Reply::status(404));
            let log = Arc::clone(&log);
            async move {
                let (head, body) = request.into_parts();
                let body = axum::body::to_bytes(body, 1 << 20).await.unwrap().to_vec();
                let path = head.uri.to_string();
                log.lock().unwrap().push(Asked {
                    method: head.method.to_string(),
                    path,
                    headers: head.headers,
                    body,
                });
                reply.response()
            }
        });
        let server = tokio::spawn(async move { drop(axum::serve(listener, router).await) });
        Self { address, replies, asked, server }
    }

    pub(super) fn port(&self) -> u16 {
        self.address.port()
    }

    /// The address of a path.
    pub(super) fn url(&self, path: &str) -> String {
        format!("http://{}{path}", self.address)
    }

    /// The same under a name.
    pub(super) fn url_at(&self, name: &str, path: &str) -> String {
        format!("http://{name}:{}{path}", self.port())
    }

    pub(super) fn put(&self, path: &str, reply: Reply) {
        self.replies.lock().unwrap().insert(path.to_owned(), reply);
    }

    pub(super) fn asked(&self) -> Vec<Asked> {
        self.asked.lock().unwrap().clone()
    }
}

/// Somebody's private door: it counts who knocks.
pub(super) struct Door {
    knocks: Arc<AtomicUsize>,
    keeper: JoinHandle<()>,
}

impl Drop for Door {
    fn drop(&mut self) {
        self.keeper.abort();
    }
}

impl Door {
    /// On the same port as a site.
    pub(super) async fn at(ip: IpAddr, port: u16) -> Self {
        let listener = TcpListener::bind((ip, port)).await.unwrap();
        let knocks: Arc<AtomicUsize> = Arc::default();
        let counted = Arc::clone(&knocks);
        let keeper = tokio::spawn(async move {
            while let Ok((stream, _)) = listener.accept().await {
                counted.fetch_add(1, Ordering::SeqCst);
                drop(stream);
            }
        });
        Self { knocks, keeper }
    }

    pub(super) fn knocks(&self) -> usize {
        self.knocks.load(Ordering::SeqCst)
    }
}
