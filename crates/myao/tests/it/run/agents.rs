//! The memory that a run serves to other agents, beside the pages.

use std::time::{Duration, Instant};

use myao_testkit::reserve_port;
use reqwest::{Client, StatusCode};
use serde_json::{Value, json};

use super::{LONG, Running, World, look_again};
use crate::agents::{MODERN, add_token, found, modern, stdio::Served};

/// What a run answers.
struct Answer {
    status: StatusCode,
    body: String,
}

impl Answer {
    fn json(&self) -> Value {
        serde_json::from_str(&self.body).unwrap_or_else(|error| panic!("{error}: {}", self.body))
    }
}

/// A workspace whose run serves agents.
struct Shared {
    world: World,
    port: u16,
    client: Client,
}

impl Shared {
    async fn new(more: &str) -> Self {
        let port = reserve_port();
        let world =
            World::with(&format!("web: {{listen: '127.0.0.1:{port}'{more}}}\nmcp: {{enabled: true}}\n"))
                .await;
        // It fails if one is installed already.
        drop(rustls::crypto::ring::default_provider().install_default());
        let client = Client::builder().timeout(Duration::from_mins(1)).build().expect("a client");
        Self { world, port, client }
    }

    fn token(&self, args: &[&str]) -> String {
        tokio::task::block_in_place(|| add_token(&self.world.home, args))
    }

    async fn send(&self, secret: Option<&str>, method: &str, params: Value) -> Answer {
        let mut request = self.client.post(format!("http://127.0.0.1:{}/mcp", self.port));
        request = request.header("accept", "application/json, text/event-stream");
        request = request.header("mcp-protocol-version", MODERN).header("mcp-method", method);
        if let Some(name) = params["name"].as_str() {
            request = request.header("mcp-name", name.to_owned());
        }
        if let Some(secret) = secret {
            request = request.bearer_auth(secret);
        }
        let body = modern(1, method, params).to_string();
        let answer =
            request.header("content-type", "application/json").body(body).send().await.expect("an answer");
        Answer { status: answer.status(), body: answer.text().await.expect("text") }
    }

    async fn search(&self, secret: Option<&str>, words: &str) -> Answer {
        self.send(secret, "tools/call", json!({"name": "memory_search", "arguments": {"query": words}})).await
    }

    /// What `myao mcp` finds.
    fn found_on_stdio(&self, secret: &str, words: &str) -> String {
        tokio::task::block_in_place(|| Served::start(&self.world.home, Some(secret)).search(words))
    }

    /// Searches until what was said is found.
    async fn finds(&self, secret: &str, words: &str) {
        let began = Instant::now();
        loop {
            let answer = self.search(Some(secret), words).await;
            assert_eq!(answer.status, StatusCode::OK, "{}", answer.body);
            if found(&answer.json()).contains(words) {
                return;
            }
            assert!(began.elapsed() < LONG, "{words}: {}", answer.body);
            look_again().await;
        }
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn agents_ask_with_their_tokens_beside_the_pages() {
    let shared = Shared::new("").await;
    let running = shared.world.start().await;
    shared.world.mention("the gaskets arrive on Thursday");
    let secret = shared.token(&["laptop"]);
    shared.finds(&secret, "gaskets").await;
    assert!(shared.found_on_stdio(&secret, "gaskets").contains("gaskets"), "beside the run");
    let tools = shared.send(Some(&secret), "tools/list", json!({})).await;
    assert!(tools.body.contains("memory_search"), "{}", tools.body);
    assert_eq!(shared.search(None, "gaskets").await.status, StatusCode::OK, "this machine needs no token");
    let wrong = shared.search(Some("myao_wrong"), "gaskets").await;
    assert_eq!(wrong.status, StatusCode::UNAUTHORIZED, "{}", wrong.body);
    assert!(!wrong.body.contains("gaskets"));
    let pages = shared.client.get(format!("http://127.0.0.1:{}/channels", shared.port)).send().await;
    assert_eq!(pages.expect("an answer").status(), StatusCode::OK, "the pages are served as before");

    tokio::task::block_in_place(|| shared.world.home.done(&["token", "revoke", "laptop"]));
    assert_eq!(shared.search(Some(&secret), "gaskets").await.status, StatusCode::UNAUTHORIZED);
    assert_eq!(running.stop(), Some(0));
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_token_outlives_a_kill_and_a_password_does_not_let_agents_in_without_one() {
    let shared = Shared::new(", password: long enough 1").await;
    let mut running = shared.world.start().await;
    shared.world.mention("the gaskets arrive on Thursday");
    let secret = shared.token(&["laptop", "--may", "write"]);
    shared.finds(&secret, "gaskets").await;
    assert_eq!(shared.search(None, "gaskets").await.status, StatusCode::UNAUTHORIZED);
    running.kill();
    let running: Running = shared.world.start().await;
    shared.finds(&secret, "gaskets").await;
    let listed = tokio::task::block_in_place(|| shared.world.home.json(&["token", "list"]));
    assert!(listed[0]["used_at"].is_string(), "{listed}");
    assert_eq!(running.stop(), Some(0));
    assert!(shared.found_on_stdio(&secret, "gaskets").contains("gaskets"), "without the run");
}
