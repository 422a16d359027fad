//! A client that says what it likes, and the server that it asks.

pub(crate) mod handler;

use std::{
    collections::BTreeSet,
    net::{IpAddr, Ipv4Addr},
    sync::{
        Arc, Mutex, PoisonError,
        atomic::{AtomicUsize, Ordering},
    },
};

use axum::{
    Router,
    body::{Body, BodyDataStream, to_bytes},
    http::{Extensions, HeaderMap, Method, Request, StatusCode},
    response::Response,
};
use futures::StreamExt as _;
use myao_core::chat::{AgentId, AgentSees, AgentToken};
use myao_mcp::transport::{
    CannotTell, Identify,
    http::{HttpLimits, HttpSettings, router},
    identify_with,
};
use myao_testkit::{HandClock, waiting::within_patience};
use serde_json::{Value, json};
use tokio_util::sync::CancellationToken;
use tower::ServiceExt as _;

use self::handler::{Echo, Shared};

/// The longest answer that is read.
const MOST_BYTES: usize = 1 << 20;
/// The revision of the newer era.
pub(crate) const NEW: &str = "2026-07-28";
/// The newest revision of the older era.
pub(crate) const OLD: &str = "2025-11-25";

/// Whose tokens there are.
#[derive(Clone, Default)]
pub(crate) struct Registry {
    revoked: Arc<Mutex<BTreeSet<String>>>,
    /// Whether the database is away.
    is_away: Arc<Mutex<bool>>,
    pub(crate) looked_up: Arc<AtomicUsize>,
}

/// A server, and what moves it.
pub(crate) struct World {
    pub(crate) routes: Router,
    pub(crate) clock: HandClock,
    pub(crate) shared: Shared,
    pub(crate) tokens: Registry,
    pub(crate) stop: CancellationToken,
}

/// The address that a request comes from.
#[derive(Clone, Copy)]
struct From(IpAddr);

/// A request before it is sent.
pub(crate) struct Ask {
    pub(crate) method: Method,
    pub(crate) headers: Vec<(&'static str, String)>,
    pub(crate) body: Body,
    pub(crate) from: IpAddr,
}

/// An answer.
#[derive(Debug)]
pub(crate) struct Answer {
    pub(crate) status: StatusCode,
    pub(crate) headers: HeaderMap,
    pub(crate) body: Value,
}

impl Registry {
    pub(crate) fn revoke(&self, secret: &str) {
        self.revoked.lock().unwrap_or_else(PoisonError::into_inner).insert(secret.to_owned());
    }

    pub(crate) fn go_away(&self, is_away: bool) {
        *self.is_away.lock().unwrap_or_else(PoisonError::into_inner) = is_away;
    }

    /// Knows secrets that begin with `right-`, until they are revoked.
    pub(crate) fn identify(&self) -> Identify {
        let registry = self.clone();
        identify_with(move |secret: String| {
            registry.looked_up.fetch_add(1, Ordering::SeqCst);
            let is_away = *registry.is_away.lock().unwrap_or_else(PoisonError::into_inner);
            let is_revoked =
                registry.revoked.lock().unwrap_or_else(PoisonError::into_inner).contains(&secret);
            let known = secret.strip_prefix("right-").filter(|_| !is_revoked).map(token);
            async move { if is_away { Err(CannotTell) } else { Ok(known) } }
        })
    }
}

/// The token of the agent of this name.
pub(crate) fn token(name: &str) -> AgentToken {
    let mut bytes = [1; 10];
    for (byte, letter) in bytes.iter_mut().zip(name.bytes()) {
        *byte = letter;
    }
    AgentToken { agent: AgentId::draw(bytes), name: name.to_owned(), sees: AgentSees::Open, may_write: false }
}

impl World {
    pub(crate) fn new() -> Self {
        Self::with(|_| {})
    }

    /// A server at 127.0.0.1:4000, which `myao.example` leads to as well. Without a token this machine may ask.
    pub(crate) fn with(change: impl FnOnce(&mut HttpSettings)) -> Self {
        let clock = HandClock::at("2026-11-28T12:00:00Z".parse().expect("a time"));
        let stop = CancellationToken::new();
        let mut settings = HttpSettings {
            path: "/mcp".to_owned(),
            listen: "127.0.0.1:4000".parse().expect("an address"),
            hosts: vec!["myao.example".to_owned()],
            without_token: true,
            peer: |extensions: &Extensions| extensions.get::<From>().map(|from| from.0),
            clock: Arc::new(clock.clone()),
            stop: stop.clone(),
            limits: HttpLimits::default(),
        };
        change(&mut settings);
        let tokens = Registry::default();
        let shared = Shared::default();
        let handler = shared.clone();
        let routes = router(settings, move || Echo::new(&handler), tokens.identify());
        Self { routes, clock, shared, tokens, stop }
    }

    /// Sends a request, and gives what comes back before its body is read.
    pub(crate) async fn send(&self, ask: Ask) -> Response {
        within_patience("an answer", self.routes.clone().oneshot(ask.request())).await.expect("an answer")
    }

    pub(crate) async fn ask(&self, ask: Ask) -> Answer {
        Answer::read(self.send(ask).await).await
    }

    /// Begins a session of the older era, and gives its id.
    pub(crate) async fn begin_session(&self, secret: &str) -> String {
        let answer = self.ask(Ask::old("initialize", initialize(OLD)).secret(secret)).await;
        assert_eq!(answer.status, StatusCode::OK, "{answer:?}");
        let id = answer.headers.get("mcp-session-id").expect("a session").to_str().expect("text");
        id.to_owned()
    }
}

/// The parameters of `initialize`.
pub(crate) fn initialize(version: &str) -> Value {
    json!({"protocolVersion": version, "capabilities": {}, "clientInfo": {"name": "test", "version": "1"}})
}

/// What every request of the newer era has.
pub(crate) fn meta() -> Value {
    json!({
        "io.modelcontextprotocol/protocolVersion": NEW,
        "io.modelcontextprotocol/clientCapabilities": {},
        "io.modelcontextprotocol/clientInfo": {"name": "test", "version": "1"},
    })
}

impl Ask {
    pub(crate) fn post(body: impl Into<Body>) -> Self {
        let headers = [
            ("host", "127.0.0.1:4000"),
            ("content-type", "application/json"),
            ("accept", "application/json, text/event-stream"),
        ];
        Self {
            method: Method::POST,
            headers: headers.map(|(name, value)| (name, value.to_owned())).to_vec(),
            body: body.into(),
            from: IpAddr::V4(Ipv4Addr::LOCALHOST),
        }
    }

    /// A request of the older era, under the id 7.
    pub(crate) fn old(method: &str, params: impl Into<Value>) -> Self {
        let params = params.into();
        Self::post(json!({"jsonrpc": "2.0", "id": 7, "method": method, "params": params}).to_string())
    }

    /// A request of the newer era, under the id 7.
    pub(crate) fn new(method: &str, params: Value) -> Self {
        let name =
            params.get("name").or_else(|| params.get("uri")).and_then(Value::as_str).map(str::to_owned);
        let mut params = params;
        params.as_object_mut().expect("parameters").insert("_meta".to_owned(), meta());
        let ask = Self::old(method, params).header("mcp-protocol-version", NEW).header("mcp-method", method);
        match name {
            Some(name) => ask.header("mcp-name", &name),
            None => ask,
        }
    }

    /// A call of a tool without arguments, in the newer era.
    pub(crate) fn call(tool: &str) -> Self {
        Self::new("tools/call", json!({"name": tool, "arguments": {}}))
    }

    pub(crate) fn get() -> Self {
        Self { method: Method::GET, ..Self::post(Body::empty()) }
    }

    /// Sets a header, whatever it was.
    pub(crate) fn header(mut self, name: &'static str, value: &str) -> Self {
        self.headers.retain(|(known, _)| *known != name);
        self.also(name, value)
    }

    /// Adds a header beside those that are there.
    pub(crate) fn also(mut self, name: &'static str, value: &str) -> Self {
        self.headers.push((name, value.to_owned()));
        self
    }

    pub(crate) fn secret(self, secret: &str) -> Self {
        self.header("authorization", &format!("Bearer {secret}"))
    }

    pub(crate) fn session(self, id: &str) -> Self {
        self.header("mcp-session-id", id)
    }

    pub(crate) fn from(self, from: &str) -> Self {
        Self { from: from.parse().expect("an address"), ..self }
    }

    pub(crate) fn request(self) -> Request<Body> {
        let mut request = Request::builder().method(self.method).uri("/mcp").extension(From(self.from));
        for (name, value) in self.headers {
            request = request.header(name, value);
        }
        request.body(self.body).expect("a request")
    }
}

impl Answer {
    async fn read(response: Response) -> Self {
        let status = response.status();
        let headers = response.headers().clone();
        let bytes = within_patience("a whole answer", to_bytes(response.into_body(), MOST_BYTES)).await;
        let text = String::from_utf8(bytes.expect("an answer").to_vec()).expect("text");
        let is_stream = headers.get("content-type").is_some_and(|kind| kind == "text/event-stream");
        let body = if is_stream {
            let last = messages_in(&text).pop();
            last.unwrap_or(Value::Null)
        } else {
            serde_json::from_str(&text).unwrap_or(Value::String(text))
        };
        Self { status, headers, body }
    }

    /// The code of the error that it is.
    pub(crate) fn code(&self) -> Option<i64> {
        self.body.pointer("/error/code")?.as_i64()
    }

    /// The first text of the result that it is.
    pub(crate) fn text(&self) -> Option<&str> {
        self.body.pointer("/result/content/0/text")?.as_str()
    }

    /// Whether it is an error of the protocol, under the id that was asked with.
    pub(crate) fn is_error_under_id(&self) -> bool {
        self.body.get("id") == Some(&json!(7)) && self.code().is_some()
    }
}

fn messages_in(text: &str) -> Vec<Value> {
    text.lines()
        .filter_map(|line| line.strip_prefix("data:"))
        .filter_map(|data| serde_json::from_str(data.trim()).ok())
        .collect()
}

/// A stream of messages that is read as it comes.
pub(crate) struct Stream {
    parts: BodyDataStream,
    read: Vec<Value>,
}

impl Stream {
    pub(crate) fn of(response: Response) -> Self {
        assert_eq!(response.status(), StatusCode::OK);
        Self { parts: response.into_body().into_data_stream(), read: Vec::new() }
    }

    /// The next message; `None` when the stream has ended.
    pub(crate) async fn next(&mut self) -> Option<Value> {
        // Comments come now and then, so that the whole wait has to be bounded.
        within_patience("a message of a stream", async {
            while self.read.is_empty() {
                let part = self.parts.next().await?.ok()?;
                self.read = messages_in(&String::from_utf8_lossy(&part));
            }
            Some(self.read.remove(0))
        })
        .await
    }
}
