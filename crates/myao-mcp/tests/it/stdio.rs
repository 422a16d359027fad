//! Lines over pipes.

use std::sync::{
    Arc,
    atomic::{AtomicBool, Ordering},
};

use jiff::SignedDuration;
use myao_mcp::transport::{
    identify_with,
    stdio::{StdioAgent, StdioError, StdioSettings, serve_lines},
};
use myao_testkit::{
    HandClock,
    waiting::{within_patience, yield_until},
};
use serde_json::{Value, json};
use tokio::{
    io::{AsyncBufReadExt as _, AsyncWriteExt as _, BufReader, DuplexStream, Lines},
    task::JoinHandle,
};
use tokio_util::sync::CancellationToken;

use crate::support::{
    NEW, OLD, Registry,
    handler::{Echo, RESOURCE, Shared},
    initialize, meta, token,
};

/// A conversation.
struct Talk {
    to: DuplexStream,
    from: Lines<BufReader<DuplexStream>>,
    ended: JoinHandle<Result<(), StdioError>>,
    shared: Shared,
    clock: HandClock,
    stop: CancellationToken,
}

impl Talk {
    fn new() -> Self {
        Self::of(StdioAgent::Fixed(token("ann")))
    }

    fn of(agent: StdioAgent) -> Self {
        let clock = HandClock::at("2026-11-28T12:00:00Z".parse().expect("a time"));
        let stop = CancellationToken::new();
        let (to, input) = tokio::io::duplex(1 << 20);
        let (output, from) = tokio::io::duplex(1 << 20);
        let mut settings = StdioSettings::new(agent, Arc::new(clock.clone()), stop.clone());
        settings.line_bytes = 100_000;
        let shared = Shared::default();
        let ended = tokio::spawn(serve_lines(settings, Echo::new(&shared), input, output));
        Self { to, from: BufReader::new(from).lines(), ended, shared, clock, stop }
    }

    async fn say(&mut self, line: &str) {
        let line = format!("{line}\n");
        within_patience("a line is taken", self.to.write_all(line.as_bytes())).await.expect("an input");
    }

    async fn hear(&mut self) -> Value {
        let line =
            within_patience("a line", self.from.next_line()).await.expect("an output").expect("a line");
        serde_json::from_str(&line).expect("JSON")
    }

    async fn ask(&mut self, message: impl Into<Value>) -> Value {
        let message = message.into();
        self.say(&message.to_string()).await;
        self.hear().await
    }

    /// The input ends; what is told afterwards.
    async fn end(mut self) -> Vec<String> {
        drop(self.to);
        let mut rest = Vec::new();
        while let Some(line) =
            within_patience("the output ends", self.from.next_line()).await.expect("an output")
        {
            rest.push(line);
        }
        within_patience("the server ends", self.ended).await.expect("a task").expect("an end in peace");
        rest
    }
}

fn old(id: u32, method: &str, params: impl Into<Value>) -> Value {
    let params = params.into();
    json!({"jsonrpc": "2.0", "id": id, "method": method, "params": params})
}

fn new(id: u32, method: &str, mut params: Value) -> Value {
    params["_meta"] = meta();
    old(id, method, params)
}

fn say() -> Value {
    json!({"name": "say", "arguments": {}})
}

#[tokio::test]
async fn the_older_era_begins_with_initialize() {
    let mut talk = Talk::new();
    let answer = talk.ask(old(1, "initialize", initialize(OLD))).await;
    assert_eq!(answer["result"]["protocolVersion"], OLD, "{answer}");
    talk.say(r#"{"jsonrpc": "2.0", "method": "notifications/initialized"}"#).await;
    let answer = talk.ask(old(2, "tools/call", json!({"name": "who", "arguments": {}}))).await;
    assert_eq!(answer["result"]["content"][0]["text"], "ann", "{answer}");
    assert_eq!(answer["id"], 2);
    let answer = talk.ask(old(3, "ping", json!({}))).await;
    assert_eq!(answer["result"], json!({}), "{answer}");
    assert_eq!(talk.end().await, Vec::<String>::new());
}

#[tokio::test]
async fn the_newer_era_needs_no_beginning() {
    let mut talk = Talk::new();
    let answer = talk.ask(new(1, "tools/call", say())).await;
    assert_eq!(answer["result"]["content"][0]["text"], "said", "{answer}");
    let answer = talk.ask(new(2, "server/discover", json!({}))).await;
    assert!(
        answer["result"]["supportedVersions"].as_array().expect("versions").contains(&json!(NEW)),
        "{answer}"
    );
    // What comes without saying which revision it means.
    let answer = talk.ask(old(3, "tools/call", say())).await;
    assert_eq!(answer["error"]["code"], -32_602, "{answer}");
    talk.end().await;
}

#[tokio::test]
async fn a_client_may_try_the_newer_era_and_then_begin_the_older_one() {
    let mut talk = Talk::new();
    let answer = talk.ask(new(1, "server/discover", json!({}))).await;
    assert!(answer.get("result").is_some(), "{answer}");
    let answer = talk.ask(old(2, "initialize", initialize(OLD))).await;
    assert_eq!(answer["result"]["protocolVersion"], OLD, "{answer}");
    let answer = talk.ask(old(3, "tools/call", say())).await;
    assert_eq!(answer["result"]["content"][0]["text"], "said", "{answer}");
    talk.end().await;
}

#[tokio::test]
async fn nothing_that_comes_first_ends_it() {
    let mut talk = Talk::new();
    talk.say(r#"{"jsonrpc": "2.0", "method": "notifications/initialized"}"#).await;
    talk.say(r#"{"jsonrpc": "2.0", "method": "notifications/cancelled", "params": {"requestId": 9}}"#).await;
    talk.say(r#"{"jsonrpc": "2.0", "id": 4, "result": {}}"#).await;
    talk.say("").await;
    let answer = talk.ask(old(1, "no/such", json!({}))).await;
    assert_eq!(answer["id"], 1, "{answer}");
    assert!(answer.get("error").is_some(), "{answer}");
    talk.say(r#"{"jsonrpc": "2.0", "method": "notifications/initialized"}"#).await;
    let mut unknown = new(2, "tools/list", json!({}));
    unknown["params"]["_meta"]["io.modelcontextprotocol/protocolVersion"] = json!("2099-01-01");
    let answer = talk.ask(unknown).await;
    assert_eq!(answer["error"]["code"], -32_022, "{answer}");
    talk.say(r#"{"jsonrpc": "2.0", "method": "notifications/initialized"}"#).await;
    let answer = talk.ask(old(3, "initialize", initialize("1999-01-01"))).await;
    assert_eq!(answer["result"]["protocolVersion"], OLD, "{answer}");
    talk.end().await;
}

#[tokio::test]
async fn what_is_no_message_is_answered_and_the_next_is_served() {
    let mut talk = Talk::new();
    let long = json!({"jsonrpc": "2.0", "id": 1, "method": "x".repeat(200_000)}).to_string();
    let deep = format!(
        r#"{{"jsonrpc": "2.0", "id": 1, "method": "ping", "params": {{"x": {}1{}}}}}"#,
        "[".repeat(500),
        "]".repeat(500)
    );
    let wrong = [
        ("{", -32_700),
        ("nonsense", -32_700),
        ("[]", -32_600),
        (r#"{"jsonrpc": "2.0", "id": null, "method": "ping"}"#, -32_600),
        (long.as_str(), -32_600),
        (deep.as_str(), -32_600),
    ];
    for (line, code) in wrong {
        talk.say(line).await;
        let answer = talk.hear().await;
        assert_eq!(answer["error"]["code"], code, "{answer}");
    }
    let answer = talk.ask(json!({"id": 5, "method": "ping"})).await;
    assert_eq!(answer["id"], 5, "{answer}");
    assert_eq!(answer["error"]["code"], -32_600, "{answer}");
    let answer = talk.ask(new(6, "tools/call", say())).await;
    assert_eq!(answer["result"]["content"][0]["text"], "said", "{answer}");
    talk.end().await;
}

#[tokio::test]
async fn answers_carry_the_ids_that_were_asked_with() {
    let mut talk = Talk::new();
    for id in [json!("text"), json!("記録"), json!(0), json!(-3), json!(9_007_199_254_740_993_u64), json!("")]
    {
        let mut message = new(1, "tools/call", say());
        message["id"] = id.clone();
        let answer = talk.ask(message).await;
        assert_eq!(answer["id"], id, "{answer}");
    }
    talk.end().await;
}

#[tokio::test]
async fn notifications_come_in_both_eras_and_the_end_of_the_input_ends_them() {
    let mut talk = Talk::new();
    let listen = json!({"notifications": {"resourceSubscriptions": [RESOURCE]}});
    let answer = talk.ask(new(1, "subscriptions/listen", listen)).await;
    assert_eq!(answer["method"], "notifications/subscriptions/acknowledged", "{answer}");
    yield_until("the server listens", async || talk.shared.changes.receiver_count() == 1).await;
    talk.shared.changes.send(()).expect("a listener");
    assert_eq!(talk.hear().await["method"], "notifications/resources/updated");
    talk.end().await;

    let mut talk = Talk::new();
    talk.ask(old(1, "initialize", initialize(OLD))).await;
    let answer = talk.ask(old(2, "resources/subscribe", json!({"uri": RESOURCE}))).await;
    assert_eq!(answer["result"], json!({}), "{answer}");
    talk.shared.changes.send(()).expect("a listener");
    assert_eq!(talk.hear().await["method"], "notifications/resources/updated");
    talk.end().await;
}

#[tokio::test]
async fn a_token_that_was_revoked_ends_it() {
    let tokens = Registry::default();
    let mut talk =
        Talk::of(StdioAgent::Shown { secret: "right-ann".to_owned(), identify: tokens.identify() });
    let answer = talk.ask(new(1, "tools/call", json!({"name": "who", "arguments": {}}))).await;
    assert_eq!(answer["result"]["content"][0]["text"], "ann", "{answer}");
    tokens.revoke("right-ann");
    let answer = talk.ask(new(2, "tools/call", say())).await;
    assert_eq!(answer["error"]["code"], 401, "{answer}");
    assert_eq!(answer["id"], 2);
    talk.clock.advance(SignedDuration::from_secs(3));
    let ended = within_patience("an end", talk.ended).await.expect("a task");
    assert!(matches!(ended, Err(StdioError::Revoked)), "{ended:?}");
}

#[tokio::test]
async fn a_token_is_looked_up_even_if_nothing_is_asked() {
    let looked_up = Arc::new(AtomicBool::new(false));
    let tell = Arc::clone(&looked_up);
    let identify = identify_with(move |_: String| {
        let tell = Arc::clone(&tell);
        async move {
            // It takes far more turns than hearing that the input ended.
            for _ in 0..100 {
                tokio::spawn(async {}).await.expect("a task");
            }
            tell.store(true, Ordering::SeqCst);
            Ok(Some(token("ann")))
        }
    });
    Talk::of(StdioAgent::Shown { secret: "right-ann".to_owned(), identify }).end().await;
    assert!(looked_up.load(Ordering::SeqCst), "whoever starts it used the token");
}

#[tokio::test]
async fn it_can_be_stopped() {
    let talk = Talk::new();
    talk.stop.cancel();
    within_patience("an end", talk.ended).await.expect("a task").expect("an end in peace");
    let mut talk = Talk::new();
    talk.ask(new(1, "tools/call", say())).await;
    talk.stop.cancel();
    within_patience("an end", talk.ended).await.expect("a task").expect("an end in peace");
}
