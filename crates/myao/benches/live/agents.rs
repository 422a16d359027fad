//! How many searches other programs may make over HTTP beside a reply, and what that costs the reply.

use std::{
    sync::{
        Arc,
        atomic::{AtomicUsize, Ordering},
    },
    time::{Duration, Instant},
};

use myao::app::App;
use myao_companion::keeper::{RoundPolicy, Start};
use myao_config::{Config, Database};
use myao_core::chat::{ChannelId, Visibility};
use myao_testkit::{FakeSlack, reserve_port};
use reqwest::{Client, StatusCode, header};
use serde_json::{Value, json};
use tokio::{sync::Mutex, time::MissedTickBehavior};

use super::{
    Answered, Home, Running,
    fill::{Size, fill},
    tell,
};

/// Channels, messages of each, people: 100,000 messages.
const SIZE: Size = (100, 1000, 500);
/// Searches a second, unless others are asked for; 0 is the reply alone, and comes first.
const RATES: [u32; 5] = [0, 100, 200, 300, 400];
/// Mentions that are answered at each rate, and how often all rates have their turn.
const MENTIONS: usize = 20;
const ROUNDS: usize = 2;
/// Requests that are under way at a time.
const CONNECTIONS: usize = 8;
/// What is searched for, each in its turn.
const QUERIES: [&str; 8] = [
    "when is the release put off to",
    "printer 16th",
    "who looked at the roof",
    "kettle 18th",
    "camera 25th",
    "ladder",
    "nobody had time to look at the window",
    "parcel from:Amber",
];

/// What became of the searches at one rate.
#[derive(Default)]
struct Load {
    took: Mutex<Vec<Duration>>,
    refused: AtomicUsize,
    /// The first answer that is not what was asked for.
    wrong: Mutex<Option<String>>,
}

/// Fills, and measures replies with searches beside them at these rates, in this order.
pub(super) async fn agents(asked: &[u32]) {
    let rates: Vec<u32> = if asked.is_empty() { RATES.to_vec() } else { [&[0], asked].concat() };
    // It fails if one is installed already, which does just as well.
    drop(rustls::crypto::ring::default_provider().install_default());
    let slack = FakeSlack::setup().with_clock(myao::clock::SystemClock).start().await;
    let port = reserve_port();
    let more = format!("web: {{listen: '127.0.0.1:{port}'}}\nmcp: {{enabled: true}}\n");
    let home = Home::with_more(&slack, None, &more);
    furnish(&home).await;
    let made = home.run(&["token", "add", "bench", "--sees", "open", "--json"]);
    let made: Value = serde_json::from_str(&made).expect("JSON");
    let secret = made["secret"].as_str().expect("a secret").to_owned();
    let running = Running::start(&home);
    slack.wait_until(|seen| seen.connected > 0).await;
    tell(&format!("agents: at rest {} s after its start", running.come_to_rest().await.as_secs()));
    let mut answered: Vec<Answered> = rates.iter().map(|_| Answered::default()).collect();
    let mut loads: Vec<Arc<Load>> = rates.iter().map(|_| Arc::default()).collect();
    let mut cpu = vec![Duration::ZERO; rates.len()];
    for _ in 0..ROUNDS {
        for (at, rate) in rates.iter().copied().enumerate() {
            let before = running.cpu();
            let searching = tokio::spawn(search(port, secret.clone(), rate, Arc::clone(&loads[at])));
            answered[at].ask(&slack, &running, MENTIONS).await;
            searching.abort();
            searching.await.ok();
            cpu[at] += running.cpu().saturating_sub(before);
        }
    }
    let alone = median_ms(&mut answered[0]);
    for (at, rate) in rates.iter().copied().enumerate() {
        let load = std::mem::take(&mut loads[at]);
        report(rate, &load, (median_ms(&mut answered[at]), alone), cpu[at].saturating_sub(cpu[0])).await;
    }
    tell(&format!("agents: RSS {} MB", running.rss_mb()));
    running.stop();
}

/// A workspace with its memory and its index.
async fn furnish(home: &Home) {
    let mut config = Config::default();
    config.database = Database::Sqlite(home.path("memory.db"));
    App::open(config.clone()).await.expect("opened").store.close().await;
    fill(&home.path("memory.db"), SIZE, &[]).await;
    let app = App::open(config).await.expect("opened");
    let policy = RoundPolicy { start: Start::Window, retry_now: false, workspace_now: false };
    app.keeper().expect("a keeper").round(policy, &|_| {}).await.expect("a round");
    while !app.store.recall().index_some().await.expect("indexed").is_complete {}
    // Else the run would ask Slack first whether they are still open.
    let rows = app.store.archive().channels(&Visibility::Owner).await.expect("read");
    let channels: Vec<ChannelId> = rows.into_iter().map(|row| row.channel.id).collect();
    app.store.hearing().note_known(&channels, app.clock.now()).await.expect("noted");
    app.store.close().await;
}

/// Searches at a rate until it is aborted.
async fn search(port: u16, secret: String, rate: u32, load: Arc<Load>) {
    if rate == 0 {
        return std::future::pending().await;
    }
    let client = Client::builder().pool_max_idle_per_host(CONNECTIONS).build().expect("a client");
    let turns = Arc::new(tokio::sync::Semaphore::new(CONNECTIONS));
    let mut clock = tokio::time::interval(Duration::from_secs(1) / rate);
    clock.set_missed_tick_behavior(MissedTickBehavior::Burst);
    for query in QUERIES.iter().cycle() {
        clock.tick().await;
        let Ok(turn) = Arc::clone(&turns).acquire_owned().await else { return };
        let request = client
            .post(format!("http://127.0.0.1:{port}/mcp"))
            .header(header::AUTHORIZATION, format!("Bearer {secret}"))
            .header(header::ACCEPT, "application/json, text/event-stream")
            .header("mcp-protocol-version", "2026-07-28")
            .header("mcp-method", "tools/call")
            .header("mcp-name", "memory_search")
            .json(&search_request(query));
        let load = Arc::clone(&load);
        tokio::spawn(async move {
            let began = Instant::now();
            let response = request.send().await.expect("an answer");
            match response.status() {
                StatusCode::OK => {
                    let answer: Value = response.json().await.expect("JSON");
                    let items = answer["result"]["structuredContent"]["items"].as_array().map_or(0, Vec::len);
                    if items == 0 {
                        load.wrong.lock().await.get_or_insert(format!("{query}: {answer}"));
                    }
                    load.took.lock().await.push(began.elapsed());
                }
                StatusCode::TOO_MANY_REQUESTS => drop(load.refused.fetch_add(1, Ordering::Relaxed)),
                other => drop(load.wrong.lock().await.get_or_insert(other.to_string())),
            }
            drop(turn);
        });
    }
}

fn search_request(query: &str) -> Value {
    json!({"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": {
        "name": "memory_search", "arguments": {"query": query},
        "_meta": {
            "io.modelcontextprotocol/protocolVersion": "2026-07-28",
            "io.modelcontextprotocol/clientCapabilities": {},
        },
    }})
}

fn median_ms(answered: &mut Answered) -> f64 {
    answered.took.sort_unstable();
    let middle = answered.took.get(answered.took.len() / 2).copied().unwrap_or_default();
    middle.as_secs_f64() * 1000.0
}

async fn report(rate: u32, load: &Load, (reply, alone): (f64, f64), cpu: Duration) {
    assert_eq!(*load.wrong.lock().await, None, "every search finds something, or is told to wait");
    let mut took = load.took.lock().await;
    took.sort_unstable();
    let at =
        |share: usize| took.get(took.len() * share / 100).map_or(0.0, |took| took.as_secs_f64() * 1000.0);
    let each = cpu.as_secs_f64() * 1000.0 / f64::from(u32::try_from(took.len().max(1)).unwrap_or(u32::MAX));
    tell(&format!(
        "agents: {rate} searches a second: a reply {reply:.1} ms ({:.2} of alone); {} searches, p50 {:.1} ms, p99 {:.1} ms, \
         {each:.1} ms of CPU each beside the replies; {} refused",
        reply / alone,
        took.len(),
        at(50),
        at(99),
        load.refused.load(Ordering::Relaxed)
    ));
}
