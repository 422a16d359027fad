//! A model provider's server on loopback, in four dialects. It checks every request as the real server would.
//!
//! Read in this order: `reply` (the answers that a test may script), `dialect` with `openai`, `anthropic`, `gemini` and
//! `ollama` (what each accepts and how it answers), `pieces` (how each sends an answer in pieces), `memory` (the thoughts that each wants back), `traffic` (the
//! requests that came), `server`.

#![expect(clippy::indexing_slicing, reason = "a field is set in an object that was written a line before")]

mod anthropic;
mod dialect;
mod echo;
mod gemini;
mod image;
mod memory;
mod ollama;
mod openai;
mod pieces;
mod reply;
mod schema;
mod server;
mod traffic;

use std::{net::SocketAddr, sync::Arc, time::Duration};

use tokio::task::JoinHandle;

pub use reply::{Reply, ToolUse};
pub use traffic::ReceivedRequest;

use server::{Answers, Server};

/// The key that a [`FakeProvider`] of a test accepts. Any other key is answered as wrong.
pub const KEY: &str = "sk-test-0123456789abcdefghij";

/// A server that speaks OpenAI's chat completions (also under Azure's addresses), Anthropic's messages, Gemini's
/// generateContent and Ollama's chat. The path of a request tells which.
///
/// A request that the real server would refuse is refused in the form of that server. It also fails the test when this
/// value is dropped, and so does a call beyond the script.
#[derive(Debug)]
pub struct FakeProvider {
    address: SocketAddr,
    server: Arc<Server>,
    task: JoinHandle<()>,
}

impl FakeProvider {
    /// Gives these replies, one for each call, in order.
    ///
    /// # Panics
    /// When it cannot listen on loopback.
    pub async fn answering(replies: impl IntoIterator<Item = Reply>) -> Self {
        Self::start(0, Server::new(Answers::scripted(replies), Some(KEY))).await
    }

    /// Answers every request, after `latency`, with some of the lines that it was shown, or with data that fits the
    /// schema it was shown. Accepts any key. It is for measurements: what it answers has no meaning.
    ///
    /// # Panics
    /// When it cannot listen on `port` of loopback; 0 takes a free one.
    pub async fn echoing(port: u16, latency: Duration) -> Self {
        Self::start(port, Server::new(Answers::Echo(latency), None)).await
    }

    /// Has `decide` choose the answer to each request; where it chooses none, the request is answered as by
    /// [`FakeProvider::echoing`]. Accepts any key, and keeps no request: it is for long measurements.
    ///
    /// # Panics
    /// When it cannot listen on loopback.
    pub async fn deciding(
        decide: impl Fn(&ReceivedRequest) -> Option<Reply> + Send + Sync + 'static,
    ) -> Self {
        Self::start(0, Server::new(Answers::decided(decide), None)).await
    }

    async fn start(port: u16, server: Server) -> Self {
        let listener = match tokio::net::TcpListener::bind(("127.0.0.1", port)).await {
            Ok(listener) => listener,
            Err(e) => panic!("a fake provider cannot listen on port {port}: {e}"),
        };
        let address = match listener.local_addr() {
            Ok(address) => address,
            Err(e) => panic!("a fake provider has no address: {e}"),
        };
        let server = Arc::new(server);
        let router = server::routes_of_server(Arc::clone(&server));
        let task = tokio::spawn(async move {
            // The server ends only with the task, so an error cannot be reported.
            drop(axum::serve(listener, router).await);
        });
        Self { address, server, task }
    }

    /// Accepts requests without a key, as local servers do.
    #[must_use]
    pub fn without_key(self) -> Self {
        self.server.accept_any_key();
        self
    }

    /// Refuses to give answers in pieces.
    #[must_use]
    pub fn without_pieces(self) -> Self {
        self.server.refuse_pieces();
        self
    }

    /// Thinks `tokens` tokens before each answer of [`FakeProvider::echoing`], and says nothing where they take all of its
    /// limit.
    #[must_use]
    pub fn thinking(self, tokens: u64) -> Self {
        self.server.think(tokens);
        self
    }

    /// Refuses, in OpenAI's dialect, a turn with calls that holds no `reasoning_content`, as DeepSeek and Kimi do for
    /// models that think.
    #[must_use]
    pub fn demanding_thoughts(self) -> Self {
        self.server.demand_thoughts();
        self
    }

    /// The server's address, such as `http://127.0.0.1:41234`.
    pub fn url(&self) -> String {
        format!("http://{}", self.address)
    }

    /// Every call so far, in the order in which they came, including those it refused.
    pub fn calls(&self) -> Vec<ReceivedRequest> {
        self.server.traffic.calls()
    }

    /// The only call there was.
    ///
    /// # Panics
    /// When there was none, or more than one.
    pub fn only_call(&self) -> ReceivedRequest {
        let mut calls = self.calls();
        match (calls.pop(), calls.len()) {
            (Some(call), 0) => call,
            (last, before) => panic!("one call was expected, not {}", before + usize::from(last.is_some())),
        }
    }

    /// The most calls that were in progress at once.
    pub fn most_concurrent(&self) -> usize {
        self.server.traffic.most_concurrent()
    }

    /// Returns once `calls` calls have come in total.
    pub async fn asked(&self, calls: usize) {
        self.server.traffic.asked(calls).await;
    }

    /// Releases the calls that hang ([`Reply::held`]), now and later.
    pub fn release(&self) {
        self.server.traffic.release();
    }

    /// Returns and clears the complaints about requests so far, for a test that provokes them.
    pub fn take_complaints(&self) -> Vec<String> {
        self.server.take_complaints()
    }
}

impl Drop for FakeProvider {
    fn drop(&mut self) {
        self.task.abort();
        let complaints = self.take_complaints();
        assert!(
            complaints.is_empty() || std::thread::panicking(),
            "a provider would not have taken this: {}",
            complaints.join("; ")
        );
    }
}
