//! A client as thin as can be.

use futures::{SinkExt, StreamExt};
use myao_testkit::FakeSlack;
use serde_json::{Value, json};
use tokio::net::TcpStream;
use tokio_tungstenite::{MaybeTlsStream, WebSocketStream, connect_async, tungstenite::Message};

/// Calls methods.
pub(crate) struct Client {
    http: reqwest::Client,
    base: String,
    bot: &'static str,
    app: &'static str,
}

impl Client {
    pub(crate) fn of(slack: &FakeSlack) -> Self {
        // Another test of this process may have been first.
        rustls::crypto::ring::default_provider().install_default().ok();
        let http = reqwest::Client::builder().no_proxy().build().unwrap();
        Self { http, base: slack.api_base_url(), bot: slack.bot_token(), app: slack.app_token() }
    }

    /// The same with another bot token.
    pub(crate) fn with_token(self, token: &'static str) -> Self {
        Self { bot: token, ..self }
    }

    /// The answer, whatever its status.
    pub(crate) async fn send(
        &self,
        method: &str,
        shape: impl FnOnce(reqwest::RequestBuilder) -> reqwest::RequestBuilder,
    ) -> Result<reqwest::Response, reqwest::Error> {
        let request = self.http.post(format!("{}{method}", self.base)).bearer_auth(self.bot);
        shape(request).send().await
    }

    /// A reading call, its arguments in the query.
    pub(crate) async fn get(&self, method: &str, args: &[(&str, &str)]) -> Value {
        let request = self.http.get(format!("{}{method}", self.base)).bearer_auth(self.bot).query(args);
        request.send().await.unwrap().json().await.unwrap()
    }

    /// A writing call in JSON.
    pub(crate) async fn call(&self, method: &str, args: Value) -> Value {
        self.send(method, |request| request.json(&args)).await.unwrap().json().await.unwrap()
    }

    pub(crate) async fn post(&self, channel: &str, text: &str) -> Value {
        self.call("chat.postMessage", json!({"channel": channel, "text": text})).await
    }

    /// An answer by a response URL, whatever its status.
    pub(crate) async fn respond(&self, url: &str, body: Value) -> reqwest::Response {
        self.http.post(url).json(&body).send().await.unwrap()
    }

    /// A socket URL.
    pub(crate) async fn open(&self) -> String {
        let request = self.http.post(format!("{}apps.connections.open", self.base)).bearer_auth(self.app);
        let told: Value = request.send().await.unwrap().json().await.unwrap();
        told["url"].as_str().unwrap_or_else(|| panic!("no socket: {told}")).to_owned()
    }

    pub(crate) async fn connect(&self) -> Socket {
        Socket::to(&self.open().await).await
    }
}

/// One socket.
pub(crate) struct Socket(WebSocketStream<MaybeTlsStream<TcpStream>>);

impl Socket {
    /// Opens one and hears its hello.
    pub(crate) async fn to(url: &str) -> Self {
        let mut socket = Self(connect_async(url).await.unwrap().0);
        assert_eq!(socket.next().await.unwrap()["type"], "hello");
        socket
    }

    /// The next text; none when the socket ends.
    pub(crate) async fn next(&mut self) -> Option<Value> {
        loop {
            match self.0.next().await? {
                Ok(Message::Text(text)) => return Some(serde_json::from_str(&text).unwrap()),
                Ok(Message::Ping(_) | Message::Pong(_)) => {}
                Ok(_) | Err(_) => return None,
            }
        }
    }

    /// Returns at the next ping; what comes before it is passed over.
    pub(crate) async fn pinged(&mut self) {
        while !self.0.next().await.unwrap().unwrap().is_ping() {}
    }

    pub(crate) async fn say(&mut self, text: &str) {
        self.0.send(Message::text(text)).await.unwrap();
    }

    pub(crate) async fn ack(&mut self, envelope: &Value) {
        self.say(&json!({"envelope_id": envelope["envelope_id"]}).to_string()).await;
    }

    pub(crate) async fn ack_with(&mut self, envelope: &Value, payload: Value) {
        let told = json!({"envelope_id": envelope["envelope_id"], "payload": payload});
        self.say(&told.to_string()).await;
    }

    /// The next command or other interaction, acknowledged.
    pub(crate) async fn take_interaction(&mut self) -> Value {
        let envelope = self.next().await.unwrap();
        assert!(["slash_commands", "interactive"].contains(&envelope["type"].as_str().unwrap()));
        self.ack(&envelope).await;
        envelope
    }

    /// The next envelope, acknowledged.
    pub(crate) async fn take(&mut self) -> Value {
        let envelope = self.next().await.unwrap();
        assert_eq!(envelope["type"], "events_api");
        self.ack(&envelope).await;
        envelope
    }

    /// The event in the next envelope, acknowledged.
    pub(crate) async fn event(&mut self) -> Value {
        self.take().await["payload"]["event"].take()
    }
}
