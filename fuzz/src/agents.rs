//! What agents send by the Model Context Protocol, in both eras: it is answered or refused, never broken; no word of a place
//! that they may not see is in an answer; and who may only read changes nothing.

use std::{
    cell::RefCell,
    net::{IpAddr, Ipv4Addr, SocketAddr},
    sync::{
        Arc,
        atomic::{AtomicI64, Ordering},
    },
    time::Duration,
};

use axum::{
    Router,
    body::{Body, to_bytes},
    http::{Extensions, HeaderValue, Request, header},
    response::Response,
};
use jiff::{SignedDuration, Timestamp};
use myao_companion::live::RepliesAtWork;
use myao_config::{Config, Database};
use myao_core::{
    chat::{
        AgentId, AgentSees, AgentToken, Channel, ChannelId, ChannelKind, Event, Message, MessageKind,
        MessageTs, User, UserId, Visibility,
    },
    ports::{BoxFuture, Clock},
};
use myao_mcp::{
    MemoryServer, MemoryServerParts,
    transport::{
        http::{HttpLimits, HttpSettings, router},
        identify_with,
    },
};
use myao_store::{Store, Target};
use serde_json::{Value, json};
use tempfile::TempDir;
use tokio::runtime::{Builder, Runtime};
use tokio_util::sync::CancellationToken;
use tower::ServiceExt as _;

use super::material::{self, Vocabulary};

/// Said in the private channel alone. The vocabulary does not hold it: who says it first may hear it back.
const HIDDEN: &str = "quetzalcanary";
/// The newest revision of each era.
const REVISIONS: [&str; 2] = ["2026-07-28", "2025-11-25"];
/// The token of somebody who may read the open channels.
const READER: &str = "reader";
/// The longest answer.
const MOST_BYTES: usize = 4 << 20;
/// Longer than anything takes here, on a machine that stands still for a while: the fuzzer tells of a hang before.
const PATIENCE: Duration = Duration::from_mins(5);

const WORDS: Vocabulary = Vocabulary {
    keys: &[
        "jsonrpc",
        "id",
        "method",
        "params",
        "result",
        "error",
        "name",
        "arguments",
        "uri",
        "cursor",
        "_meta",
        "io.modelcontextprotocol/protocolVersion",
        "io.modelcontextprotocol/clientCapabilities",
        "io.modelcontextprotocol/clientInfo",
        "protocolVersion",
        "capabilities",
        "clientInfo",
        "version",
        "progressToken",
        "query",
        "limit",
        "since",
        "until",
        "from",
        "about",
        "channel",
        "place",
        "person",
        "conversation",
        "content",
        "text",
        "messages",
        "role",
        "dry_run",
        "ref",
        "type",
        "argument",
        "value",
        "notifications",
        "resourceSubscriptions",
        "requestId",
        "requestState",
        "inputResponses",
        "level",
    ],
    texts: &[
        "2.0",
        "1.0",
        "initialize",
        "notifications/initialized",
        "notifications/cancelled",
        "ping",
        "server/discover",
        "tools/list",
        "tools/call",
        "resources/list",
        "resources/templates/list",
        "resources/read",
        "resources/subscribe",
        "resources/unsubscribe",
        "prompts/list",
        "prompts/get",
        "completion/complete",
        "logging/setLevel",
        "memory_search",
        "memory_get",
        "memory_brief",
        "memory_people",
        "memory_remember",
        "memory_correct",
        "memory_forget",
        "search",
        "fetch",
        "myao://channel/C1",
        "myao://channel/C2",
        "myao://channel/%23hiring",
        "brief",
        "general",
        "#general",
        "#hiring",
        "C1",
        "C2",
        "U1",
        "Tomasz",
        "plan",
        "in:#hiring",
        "from:@tomasz",
        "2026-03-01",
        "yesterday",
        "2026-07-28",
        "2025-11-25",
        "2024-11-05",
        "ref/prompt",
        "ref/resource",
        "user",
        "\0",
        "",
    ],
};

/// A clock that goes on by a second whenever somebody looks at it, so that no limit lasts.
struct Ticking(AtomicI64);

impl Clock for Ticking {
    fn now(&self) -> Timestamp {
        let second = self.0.fetch_add(1, Ordering::Relaxed);
        Timestamp::from_second(second).unwrap_or(Timestamp::MAX)
    }

    fn sleep_until(&self, _instant: Timestamp) -> BoxFuture<'static, ()> {
        Box::pin(tokio::time::sleep(Duration::from_secs(1)))
    }
}

thread_local! {
    static BENCH: RefCell<Option<Bench>> = const { RefCell::new(None) };
}

/// A server of a small workspace, and the runtime that it lives in.
struct Bench {
    runtime: Runtime,
    store: Store,
    routes: Router,
    /// All that may not change.
    before: String,
    _folder: TempDir,
}

impl Bench {
    fn new() -> Self {
        let runtime = Builder::new_current_thread().enable_all().build().expect("a runtime");
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("memory.db");
        let (store, routes, before) = runtime.block_on(async {
            let store = Store::open(&Target::Sqlite(path.clone())).await.expect("a new database");
            furnish(&store).await;
            let before = state(&store).await;
            let mut config = Config::default();
            config.database = Database::Sqlite(path);
            let routes = routes(&config, &store);
            (store, routes, before)
        });
        Self { runtime, store, routes, before, _folder: folder }
    }

    /// What becomes of a request: its answer, if that is whole, and not a stream.
    async fn answer(&self, request: Request<Body>) -> Option<String> {
        let response: Response = self.routes.clone().oneshot(request).await.expect("an answer");
        let status = response.status();
        assert!(!status.is_server_error(), "it broke: {status}");
        let kind = response.headers().get(header::CONTENT_TYPE).and_then(|kind| kind.to_str().ok());
        if kind.is_some_and(|kind| kind.starts_with("text/event-stream")) {
            return None;
        }
        let is_json = kind.is_some_and(|kind| kind.starts_with("application/json"));
        let bytes = to_bytes(response.into_body(), MOST_BYTES).await.expect("an answer of bounded length");
        let text = String::from_utf8(bytes.to_vec()).expect("text");
        assert!(!is_json || serde_json::from_str::<Value>(&text).is_ok(), "no JSON: {text}");
        Some(text)
    }
}

fn routes(config: &Config, store: &Store) -> Router {
    let clock: Arc<dyn Clock> = Arc::new(Ticking(AtomicI64::new(1_774_000_000)));
    let server = MemoryServer::new(MemoryServerParts {
        config: config.clone(),
        store: store.clone(),
        clock: Arc::clone(&clock),
        asker: None,
        link: |team, channel, ts, _| Some(format!("{team}archives/{channel}/p{}", ts.as_micros())),
        replies: RepliesAtWork::default(),
    });
    let identify = identify_with(|secret| async move {
        let known = AgentToken {
            agent: AgentId::draw([7; 10]),
            name: READER.to_owned(),
            sees: AgentSees::Open,
            may_write: false,
        };
        Ok((secret == READER).then_some(known))
    });
    let settings = HttpSettings {
        path: "/mcp".to_owned(),
        listen: SocketAddr::from((Ipv4Addr::LOCALHOST, 8081)),
        hosts: Vec::new(),
        without_token: true,
        peer: |_: &Extensions| Some(IpAddr::V4(Ipv4Addr::LOCALHOST)),
        clock,
        stop: CancellationToken::new(),
        limits: HttpLimits::default(),
    };
    router(settings, move || server.for_session(), identify)
}

/// An open channel and a private one, with some talk.
async fn furnish(store: &Store) {
    let now = Timestamp::from_second(1_773_900_000).expect("an instant");
    let channel = |id: &str, name: &str, kind| {
        Event::Channel(Channel { id: ChannelId::new(id), name: name.to_owned(), kind, external: false })
    };
    let mut events = vec![
        channel("C1", "general", ChannelKind::Public),
        channel("C2", "hiring", ChannelKind::Private),
        Event::User(User { id: UserId::new("U1"), name: "Tomasz".to_owned(), is_bot: false }),
    ];
    for (id, word) in [("C1", "plan"), ("C2", HIDDEN)] {
        for hour in 1..=8 {
            let at = now - SignedDuration::from_hours(hour);
            events.push(Event::Message(Message {
                channel: ChannelId::new(id),
                ts: MessageTs::from_timestamp(at),
                thread_ts: None,
                user: UserId::new("U1"),
                kind: MessageKind::Talk,
                text: format!("the {word} of hour {hour} is settled"),
                files: Vec::new(),
                edited_at: None,
                deleted: false,
            }));
        }
    }
    store.intake().apply(events, now).await.expect("applied");
    while !store.recall().index_some().await.expect("indexed").is_complete {}
}

/// What nobody may change who may only read.
async fn state(store: &Store) -> String {
    format!("{:?}", store.archive().channels(&Visibility::Owner).await.expect("read"))
}

pub(crate) fn run(data: &[u8]) {
    let body = material::json(data, WORDS);
    BENCH.with_borrow_mut(|bench| {
        let bench = bench.get_or_insert_with(Bench::new);
        let work = async {
            for revision in REVISIONS {
                for secret in [None, Some(READER), Some("stolen")] {
                    let answer = bench.answer(fitting(&body, revision, secret)).await;
                    tells_nothing_hidden(data, answer);
                }
            }
            // As it came, with headers that may say something else.
            let raw = Request::post("/mcp")
                .header(header::HOST, "localhost:8081")
                .header(header::CONTENT_TYPE, "application/json")
                .header(header::ACCEPT, "application/json, text/event-stream")
                .header("mcp-protocol-version", REVISIONS[0])
                .header("mcp-method", "tools/call")
                .body(Body::from(data.to_vec()));
            tells_nothing_hidden(data, bench.answer(raw.expect("a request")).await);
            assert_eq!(state(&bench.store).await, bench.before, "who may only read changed something");
        };
        let in_time = async { tokio::time::timeout(PATIENCE, work).await };
        bench.runtime.block_on(in_time).expect("an answer in time");
    });
}

fn tells_nothing_hidden(data: &[u8], answer: Option<String>) {
    let knows = String::from_utf8_lossy(data).contains(HIDDEN);
    if let Some(answer) = answer {
        assert!(knows || !answer.contains(HIDDEN), "a word of a place that is not seen: {answer}");
    }
}

/// A request with this body, as a client of that era would send it.
fn fitting(body: &Value, revision: &str, secret: Option<&str>) -> Request<Body> {
    let mut body = body.clone();
    let told = |value: &Value, key: &str| value.get(key).and_then(Value::as_str).map(str::to_owned);
    let method = told(&body, "method").unwrap_or_default();
    let mut request = Request::post("/mcp")
        .header(header::HOST, "127.0.0.1:8081")
        .header(header::CONTENT_TYPE, "application/json")
        .header(header::ACCEPT, "application/json, text/event-stream")
        .header("mcp-protocol-version", revision);
    if revision == REVISIONS[0] {
        let meta = json!({
            "io.modelcontextprotocol/protocolVersion": revision,
            "io.modelcontextprotocol/clientCapabilities": {},
        });
        if let Some(fields) = body.as_object_mut() {
            fields.entry("jsonrpc").or_insert_with(|| json!("2.0"));
            if let Some(params) = fields.entry("params").or_insert_with(|| json!({})).as_object_mut() {
                params.entry("_meta").or_insert(meta);
            }
        }
        let named =
            body.get("params").and_then(|params| told(params, "name").or_else(|| told(params, "uri")));
        let headers = [("mcp-method", Some(method)), ("mcp-name", named)];
        for (header, value) in headers {
            if let Some(value) = value.and_then(|value| HeaderValue::from_str(&value).ok()) {
                request = request.header(header, value);
            }
        }
    }
    if let Some(secret) = secret {
        request = request.header(header::AUTHORIZATION, format!("Bearer {secret}"));
    }
    request.body(Body::from(body.to_string())).expect("a request")
}
