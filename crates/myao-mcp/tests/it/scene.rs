//! A small workspace with its memory, and agents that ask about it over HTTP, without a network.

use std::{
    collections::BTreeMap,
    net::{IpAddr, Ipv4Addr, SocketAddr},
    sync::{Arc, Mutex},
    time::Duration,
};

use axum::{
    Router,
    body::{Body, BodyDataStream, to_bytes},
    http::{Extensions, Request, StatusCode, header},
    response::Response,
};
use futures::StreamExt as _;
use jiff::{SignedDuration, Timestamp, tz::TimeZone};
use myao_companion::{
    ask::{Asker, AskerParts, Models},
    keeper::{Keeper, KeeperParts, RoundPolicy, Start},
    live::RepliesAtWork,
};
use myao_config::{Config, Database};
use myao_core::{
    chat::{
        AgentId, AgentSees, AgentToken, Channel, ChannelId, ChannelKind, Event, Message, MessageKind,
        MessageTs, User, UserId, Visibility,
    },
    ports::{Clock as _, Model},
    text::Language,
    wording::Templates,
};
use myao_mcp::{
    MemoryServer, MemoryServerParts,
    transport::{
        http::{HttpLimits, HttpSettings, router},
        identify_with,
    },
};
use myao_model::Builtin;
use myao_store::{Store, Target};
use myao_testkit::HandClock;
use serde_json::{Value, json};
use tempfile::TempDir;
use tokio_util::sync::CancellationToken;
use tower::ServiceExt as _;

/// The longest answer that is read.
const MOST_BYTES: usize = 8 << 20;
/// The newest revision of the protocol.
pub(crate) const MODERN: &str = "2026-07-28";

/// A workspace, and the tokens that were made for agents.
pub(crate) struct Scene {
    pub(crate) store: Store,
    pub(crate) clock: HandClock,
    config: Config,
    tokens: Arc<Mutex<BTreeMap<String, AgentToken>>>,
    router: Router,
    /// The replies that searches let pass.
    pub(crate) replies: RepliesAtWork,
    _folder: TempDir,
}

impl Scene {
    /// An empty workspace, in English, at noon of 20 March 2026 in London.
    pub(crate) async fn new() -> Self {
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("memory.db");
        let store = Store::open(&Target::Sqlite(path.clone())).await.expect("a new database");
        let mut config = Config::default();
        config.database = Database::Sqlite(path);
        config.locale.language = Language::En;
        config.locale.timezone = TimeZone::get("Europe/London").expect("a zone");
        let clock = HandClock::at("2026-03-20T12:00:00Z".parse().expect("a time"));
        let tokens: Arc<Mutex<BTreeMap<String, AgentToken>>> = Arc::default();
        let replies = RepliesAtWork::default();
        let server = MemoryServer::new(MemoryServerParts {
            config: config.clone(),
            store: store.clone(),
            clock: Arc::new(clock.clone()),
            asker: None,
            link: permalink,
            replies: replies.clone(),
        });
        let known = Arc::clone(&tokens);
        let identify = identify_with(move |secret| {
            let token = known.lock().expect("tokens").get(&secret).cloned();
            async move { Ok(token) }
        });
        let settings = HttpSettings {
            path: "/mcp".to_owned(),
            listen: SocketAddr::from((Ipv4Addr::LOCALHOST, 8081)),
            hosts: Vec::new(),
            without_token: true,
            peer: from_this_machine,
            clock: Arc::new(clock.clone()),
            stop: CancellationToken::new(),
            limits: HttpLimits::default(),
        };
        let router = router(settings, move || server.for_session(), identify);
        Self { store, clock, config, tokens, router, replies, _folder: folder }
    }

    /// A workspace with an open channel, a private one, one with people from outside, and their memory.
    pub(crate) async fn furnished() -> Self {
        let scene = Self::new().await;
        let mut events = vec![
            channel("C1", "general", ChannelKind::Public, false),
            channel("C2", "hiring", ChannelKind::Private, false),
            channel("C3", "partners", ChannelKind::Public, true),
            user("U1", "Tomasz"),
            user("U2", "Noor Haddad"),
        ];
        for (id, word) in [("C1", OPEN), ("C2", PRIVATE), ("C3", OUTSIDE)] {
            events.extend([
                said(id, "U1", 200.0, &format!("Decided: the {word} arrive on Thursday 12 March")),
                said(id, "U2", 199.9, &format!("Thank you! Who takes the {word} from there?")),
                said(id, "U2", 100.0, &format!("The {word} are late: now Monday 16 March")),
                said(id, "U1", 99.9, &format!("Then the {word} are fitted on Tuesday 17 March")),
                said(id, "U2", 30.0, &format!("All {word} fitted, every box is dry inside")),
                said(id, "U2", 0.5, &format!("What do we do with the old {word}?")),
            ]);
        }
        scene.store.intake().apply(events, scene.now()).await.expect("applied");
        scene.store.archive().note_team_url("https://bats.slack.com/").await.expect("noted");
        scene.build().await;
        scene
    }

    pub(crate) fn now(&self) -> Timestamp {
        self.clock.now()
    }

    /// Brings memories and the index up to date.
    pub(crate) async fn build(&self) {
        let until = MessageTs::from_timestamp(self.now());
        let rows = self.store.archive().channels(&Visibility::Owner).await.expect("read");
        let of_chat = rows.into_iter().filter(|row| row.channel.id.agent().is_none());
        let heard = of_chat.map(|row| Event::HeardUntil { channel: row.channel.id, until });
        self.store.intake().apply(heard.collect(), self.now()).await.expect("applied");
        self.round(Start::FirstArchived).await;
        while !self.store.recall().index_some().await.expect("indexed").is_complete {}
    }

    /// One round, in which the memory of channels without chapters begins there.
    pub(crate) async fn round(&self, start: Start) {
        let policy = RoundPolicy { start, retry_now: true, workspace_now: true };
        self.keeper().round(policy, &|_| {}).await.expect("a round");
    }

    fn keeper(&self) -> Keeper {
        let model: Arc<dyn Model> = Arc::new(Builtin);
        let asker = Asker::new(AskerParts {
            store: self.store.clone(),
            clock: Arc::new(self.clock.clone()),
            models: Models::all(&model),
            zone: self.config.locale.timezone.clone(),
            daily_tokens: None,
            is_patient: false,
            recording: None,
        });
        let templates = Templates::new(self.config.locale.language, &BTreeMap::new()).expect("templates");
        Keeper::new(KeeperParts {
            store: self.store.clone(),
            asker,
            clock: Arc::new(self.clock.clone()),
            templates: Arc::new(templates),
            settings: self.config.memory.clone(),
            zone: self.config.locale.timezone.clone(),
            input_tokens: 8000,
            thread_memory_days: 7,
        })
    }

    /// An agent with a token of its own.
    pub(crate) fn agent(&self, name: &str, sees: AgentSees, may_write: bool) -> Agent<'_> {
        let mut bytes = [0_u8; 10];
        for (byte, letter) in bytes.iter_mut().zip(name.bytes()) {
            *byte = letter;
        }
        let token = AgentToken { agent: AgentId::draw(bytes), name: name.to_owned(), sees, may_write };
        self.tokens.lock().expect("tokens").insert(name.to_owned(), token.clone());
        Agent { scene: self, secret: Some(name.to_owned()), token }
    }

    /// An agent that shows no token.
    pub(crate) fn nobody(&self) -> Agent<'_> {
        Agent { scene: self, secret: None, token: AgentToken::without_token() }
    }

    /// Makes a token worth nothing.
    pub(crate) fn revoke(&self, name: &str) {
        self.tokens.lock().expect("tokens").remove(name);
    }
}

/// Words that are said in one channel alone.
pub(crate) const OPEN: &str = "gaskets";
pub(crate) const PRIVATE: &str = "severance";
pub(crate) const OUTSIDE: &str = "tarpaulin";

/// Somebody who asks over HTTP.
pub(crate) struct Agent<'a> {
    scene: &'a Scene,
    secret: Option<String>,
    pub(crate) token: AgentToken,
}

impl Agent<'_> {
    /// Sends a request of the newest revision, and returns the whole answer.
    pub(crate) async fn send(&self, method: &str, params: Value) -> Value {
        let response = self.respond(method, params).await;
        let status = response.status();
        let bytes = to_bytes(response.into_body(), MOST_BYTES).await.expect("a body");
        let text = String::from_utf8(bytes.to_vec()).expect("text");
        let json = serde_json::from_str(&text).unwrap_or_else(|_| panic!("{status}: {text}"));
        assert!(status != StatusCode::INTERNAL_SERVER_ERROR, "{text}");
        json
    }

    /// Subscribes to resources.
    pub(crate) async fn listen(&self, uris: &[&str]) -> Notifications {
        let wanted = json!({"notifications": {"resourceSubscriptions": uris}});
        let response = self.respond("subscriptions/listen", wanted).await;
        assert_eq!(response.status(), StatusCode::OK);
        Notifications { body: response.into_body().into_data_stream(), text: String::new() }
    }

    async fn respond(&self, method: &str, params: Value) -> Response {
        let name = ["name", "uri"].into_iter().find_map(|key| params.get(key).and_then(Value::as_str));
        let mut params = params.clone();
        params["_meta"] = json!({
            "io.modelcontextprotocol/protocolVersion": MODERN,
            "io.modelcontextprotocol/clientCapabilities": {},
        });
        let body = json!({"jsonrpc": "2.0", "id": 1, "method": method, "params": params});
        let mut request = Request::post("/mcp")
            .header(header::HOST, "127.0.0.1:8081")
            .header(header::CONTENT_TYPE, "application/json")
            .header(header::ACCEPT, "application/json, text/event-stream")
            .header("mcp-protocol-version", MODERN)
            .header("mcp-method", method);
        if let Some(name) = name.filter(|_| matches!(method, "tools/call" | "prompts/get" | "resources/read"))
        {
            request = request.header("mcp-name", name);
        }
        if let Some(secret) = &self.secret {
            request = request.header(header::AUTHORIZATION, format!("Bearer {secret}"));
        }
        let request = request.body(Body::from(body.to_string())).expect("a request");
        self.scene.router.clone().oneshot(request).await.expect("an answer")
    }

    /// The result of a request that works.
    pub(crate) async fn ask(&self, method: &str, params: Value) -> Value {
        let answer = self.send(method, params).await;
        assert!(answer.get("error").is_none(), "{answer}");
        answer["result"].clone()
    }

    /// What a tool answers.
    pub(crate) async fn call(&self, tool: &str, arguments: Value) -> Value {
        let result = self.ask("tools/call", json!({"name": tool, "arguments": arguments})).await;
        assert_ne!(result["isError"], json!(true), "{tool}: {result}");
        let content = result["content"][0]["text"].as_str().expect("text for older clients");
        let repeated: Value = serde_json::from_str(content).expect("the same");
        assert_eq!(repeated, result["structuredContent"], "both forms say the same");
        result["structuredContent"].clone()
    }

    /// Why a tool does not do what it is asked for.
    pub(crate) async fn refused(&self, tool: &str, arguments: Value) -> String {
        let result = self.ask("tools/call", json!({"name": tool, "arguments": arguments})).await;
        assert_eq!(result["isError"], json!(true), "{tool}: {result}");
        result["content"][0]["text"].as_str().expect("words").to_owned()
    }

    /// The items of a search.
    pub(crate) async fn search(&self, query: &str) -> Vec<Value> {
        let found = self.call("memory_search", json!({"query": query, "limit": 20})).await;
        found["items"].as_array().expect("items").clone()
    }
}

/// What a subscription tells.
pub(crate) struct Notifications {
    body: BodyDataStream,
    text: String,
}

impl Notifications {
    /// The next message; fails the test if none comes within a minute.
    pub(crate) async fn next(&mut self) -> Value {
        loop {
            if let Some((event, rest)) = self.text.split_once("\n\n") {
                let data = event.lines().filter_map(|line| line.strip_prefix("data:")).collect::<String>();
                let message = serde_json::from_str(data.trim()).ok();
                self.text = rest.to_owned();
                match message {
                    Some(message) => return message,
                    // An empty event or a comment keeps the connection open.
                    None => continue,
                }
            }
            let more = tokio::time::timeout(Duration::from_mins(1), self.body.next()).await;
            let more = more.expect("in time").expect("the stream goes on").expect("bytes");
            self.text.push_str(&String::from_utf8_lossy(&more).replace('\r', ""));
        }
    }
}

#[expect(clippy::unnecessary_wraps, reason = "others may have none")]
fn from_this_machine(_: &Extensions) -> Option<IpAddr> {
    Some(IpAddr::V4(Ipv4Addr::LOCALHOST))
}

#[expect(clippy::unnecessary_wraps, reason = "others may have none")]
fn permalink(team: &str, channel: &ChannelId, ts: MessageTs, _thread: Option<MessageTs>) -> Option<String> {
    Some(format!("{team}archives/{channel}/p{}", ts.as_micros()))
}

pub(crate) fn channel(id: &str, name: &str, kind: ChannelKind, external: bool) -> Event {
    Event::Channel(Channel { id: ChannelId::new(id), name: name.to_owned(), kind, external })
}

pub(crate) fn user(id: &str, name: &str) -> Event {
    Event::User(User { id: UserId::new(id), name: name.to_owned(), is_bot: false })
}

/// `hours` before noon of 20 March.
pub(crate) fn ts(hours: f64) -> MessageTs {
    let noon: Timestamp = "2026-03-20T12:00:00Z".parse().expect("a time");
    MessageTs::from_timestamp(noon - SignedDuration::try_from_secs_f64(hours * 3600.0).expect("a span"))
}

pub(crate) fn said(channel: &str, user: &str, hours: f64, text: &str) -> Event {
    Event::Message(Message {
        channel: ChannelId::new(channel),
        ts: ts(hours),
        thread_ts: None,
        user: UserId::new(user),
        kind: MessageKind::Talk,
        text: text.to_owned(),
        files: Vec::new(),
        edited_at: None,
        deleted: false,
    })
}
