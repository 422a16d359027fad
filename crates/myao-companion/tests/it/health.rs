//! The health page, asked over HTTP as probes ask it.

use std::{sync::Arc, time::Duration};

use jiff::{SignedDuration, Timestamp};
use myao_companion::live::{
    RunStatus,
    health::{self, Health},
};
use myao_core::ports::Clock;
use myao_slack::{
    api::{Client, ClientSettings, SlackToken},
    directory::BotIdentity,
    socket::{Socket, SocketReport, SocketSettings},
};
use myao_store::{Store, Target};
use myao_testkit::{HandClock, slack::FakeSlack, waiting::yield_until};
use serde_json::{Value, json};
use tempfile::TempDir;
use tokio_util::sync::CancellationToken;

/// A health page on a port of its own, and what it looks at.
pub(crate) struct Page {
    url: String,
    http: reqwest::Client,
    store: Store,
    status: Arc<RunStatus>,
    pub(crate) clock: HandClock,
    stop: CancellationToken,
    folder: TempDir,
}

impl Page {
    pub(crate) async fn open() -> Self {
        drop(rustls::crypto::ring::default_provider().install_default());
        let folder = tempfile::tempdir().expect("a folder");
        let store = Store::open(&Target::Sqlite(folder.path().join("memory.db"))).await.expect("a database");
        let clock = HandClock::at("2026-03-02T00:00:00Z".parse::<Timestamp>().expect("a time"));
        let status = Arc::new(RunStatus::default());
        let stop = CancellationToken::new();
        let listener = health::bind_port(None, 0).expect("a port");
        let url = format!("http://127.0.0.1:{}", listener.local_addr().expect("bound").port());
        let health = Health {
            store: store.clone(),
            status: Arc::clone(&status),
            clock: Arc::new(clock.clone()),
            metrics: None,
        };
        tokio::spawn(health::serve_health_page(listener, health, stop.clone()));
        let http = reqwest::Client::builder().no_proxy().timeout(Duration::from_mins(1)).build();
        Self { url, http: http.expect("a client"), store, status, clock, stop, folder }
    }

    /// Where it listens.
    pub(crate) fn address(&self) -> &str {
        self.url.strip_prefix("http://").expect("of http")
    }

    pub(crate) async fn get(&self, path: &str) -> (u16, Value) {
        let response = self.http.get(format!("{}{path}", self.url)).send().await.expect("an answer");
        let status = response.status().as_u16();
        (status, response.json().await.expect("JSON"))
    }

    async fn is_ready(&self) {
        let (status, said) = self.get("/ready").await;
        assert_eq!((status, &said["status"], &said["reasons"]), (200, &json!("ok"), &json!([])), "{said}");
    }

    /// The one reason why it is not ready.
    async fn reason(&self) -> String {
        let (status, said) = self.get("/ready").await;
        assert_eq!((status, &said["status"]), (503, &json!("unavailable")), "{said}");
        let reasons = said["reasons"].as_array().expect("reasons");
        assert_eq!(reasons.len(), 1, "{said}");
        reasons[0].as_str().expect("words").to_owned()
    }

    /// Connects to a fake Slack that goes by the same clock.
    async fn connect(&self) -> (FakeSlack, Socket) {
        let slack = FakeSlack::setup().with_clock(self.clock.clone()).start().await;
        let settings = ClientSettings {
            shared_pace: None,
            base_url: slack.api_base_url(),
            ..ClientSettings::new(SlackToken::new(slack.app_token()))
        };
        let client = Client::new(settings, self.http.clone(), Arc::new(self.clock.clone()));
        let own = BotIdentity {
            team: slack.team_id().to_owned(),
            team_name: String::new(),
            team_url: String::new(),
            user: slack.bot_user_id(),
            bot: None,
            name: String::new(),
        };
        let mut socket = Socket::open(client, SocketSettings::default(), own);
        assert!(matches!(socket.next().await, Some(SocketReport::Connected { .. })));
        self.status.set_pulse(socket.pulse());
        self.status.set_connected(true);
        (slack, socket)
    }
}

#[tokio::test]
async fn it_lives_before_it_is_ready() {
    let page = Page::open().await;
    assert_eq!(page.get("/live").await, (200, json!({"status": "ok"})));
    assert_eq!(page.reason().await, "not connected to Slack");
    page.status.set_trouble("auth.test did not reach Slack: connection refused".to_owned());
    assert!(page.reason().await.ends_with("connection refused"));
    assert_eq!(page.get("/live").await.0, 200);
    let elsewhere = page.http.get(format!("{}/", page.url)).send().await.expect("an answer");
    assert_eq!(elsewhere.status().as_u16(), 404);
}

#[tokio::test]
async fn connected_and_heard_is_ready_and_silence_is_not() {
    let page = Page::open().await;
    let (slack, _socket) = page.connect().await;
    page.is_ready().await;
    page.status.set_gaps(3, None);
    page.is_ready().await;
    assert_eq!(page.get("/ready").await.1["gaps"], 3, "told, and no reason");
    slack.freeze_sockets();
    let heard = page.status.last_heard().expect("heard");
    page.clock.advance(SignedDuration::from_secs(60) - page.clock.now().duration_since(heard));
    page.is_ready().await;
    page.clock.advance(SignedDuration::from_secs(1));
    assert_eq!(page.reason().await, "nothing was heard of Slack for 61 s");
    page.status.set_connected(false);
    assert_eq!(page.reason().await, "not connected to Slack");
}

#[tokio::test]
async fn what_waits_to_be_stored_for_long_is_a_lag_and_a_quiet_night_is_none() {
    let page = Page::open().await;
    let (_slack, _socket) = page.connect().await;
    page.clock.advance(SignedDuration::from_secs(20));
    page.status.set_waiting(3, page.clock.now());
    page.is_ready().await;
    page.clock.advance(SignedDuration::from_secs(11));
    assert_eq!(page.reason().await, "3 deliveries wait to be stored, for 11 s already");
    page.status.set_trouble("the database takes nothing: the disk is full".to_owned());
    assert!(page.reason().await.ends_with("the disk is full"));
    page.status.set_waiting(0, page.clock.now());
    page.is_ready().await;
}

#[tokio::test]
async fn a_database_that_cannot_be_read_is_told_without_its_path() {
    let page = Page::open().await;
    let (_slack, _socket) = page.connect().await;
    page.store.close().await;
    assert_eq!(page.reason().await, "the database cannot be read");
    assert_eq!(page.get("/live").await.0, 200);
}

#[tokio::test]
async fn a_port_in_use_is_said_at_once_and_a_stop_frees_it() {
    let page = Page::open().await;
    let port: u16 = page.url.rsplit(':').next().expect("a port").parse().expect("a number");
    let refused = health::bind_port(None, port).expect_err("it is taken").to_string();
    assert!(refused.contains(&format!("health_check.port {port} cannot be used")), "{refused}");
    page.stop.cancel();
    yield_until("the port to be free again", async || health::bind_port(None, port).is_ok()).await;
}

#[tokio::test]
async fn a_database_file_that_is_gone_is_not_ready() {
    let page = Page::open().await;
    let file = page.folder.path().join("memory.db");
    std::fs::remove_file(&file).expect("deleted");
    let (status, said) = page.get("/ready").await;
    assert_eq!(status, 503);
    assert!(said["reasons"][0].as_str().is_some_and(|why| why.contains("deleted or replaced")), "{said}");
}
