//! `/metrics`: every number that is listed is there, in the format, and nothing that people said or are called.

use std::{
    collections::BTreeSet,
    io::Write as _,
    process::{Command, Stdio},
};

use myao_companion::live::metrics::{FAMILIES, FamilyKind};

use super::World;

/// A word of the talk, which no number may hold.
const SAID: &str = "Pfingstrose";

/// The page at a path of the run's health port.
async fn page(world: &World, path: &str) -> (u16, String) {
    let yaml = std::fs::read_to_string(world.home.path("config.yaml")).expect("read");
    let (_, port) = yaml.split_once("health_check: {port: ").expect("it names the port");
    let port = port.split('}').next().expect("a number");
    drop(rustls::crypto::ring::default_provider().install_default());
    let http = reqwest::Client::builder().no_proxy().build().expect("a client");
    let response = http.get(format!("http://127.0.0.1:{port}{path}")).send().await.expect("an answer");
    (response.status().as_u16(), response.text().await.expect("text"))
}

/// The family of a sample.
fn family_of(sample: &str) -> &'static str {
    let name = sample.split(['{', ' ']).next().expect("a name");
    let is_it = |kind: FamilyKind, listed: &str| match kind {
        FamilyKind::Gauge | FamilyKind::Counter => listed == name,
        FamilyKind::Histogram => {
            ["_bucket", "_sum", "_count"].iter().any(|end| format!("{listed}{end}") == name)
        }
    };
    FAMILIES.iter().find(|family| is_it(family.kind, family.name)).unwrap_or_else(|| panic!("{sample}")).name
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn every_number_is_there_and_no_word() {
    let world = World::with("telemetry: {metrics: true}\n").await;
    let running = world.start().await;
    world.mention(&format!("how is the {SAID} doing?"));
    world.slack.wait_until(|seen| seen.posts.len() == 1).await;
    world
        .eventually("it is answered", |status| {
            status["messages"] == 2 && status["replies"].as_array().is_some_and(Vec::is_empty)
        })
        .await;
    let (code, text) = page(&world, "/metrics").await;
    assert_eq!(code, 200, "{text}");
    let mut told = BTreeSet::new();
    let mut samples = BTreeSet::new();
    let mut last = "";
    for line in text.lines() {
        if let Some(help) = line.strip_prefix("# HELP ") {
            last = FAMILIES.iter().find(|f| help.starts_with(&format!("{} ", f.name))).expect("listed").name;
            assert!(told.insert(last), "{last} is told twice");
        } else if !line.starts_with('#') {
            assert_eq!(family_of(line), last, "{line}");
            let (series, value) = line.rsplit_once(' ').expect("a value");
            assert!(samples.insert(series.to_owned()), "{series} is there twice");
            assert!(value.parse::<f64>().is_ok_and(|value| value >= 0.0), "{line}");
        }
    }
    let all: BTreeSet<&str> = FAMILIES.iter().map(|family| family.name).collect();
    assert_eq!(told, all, "{text}");
    for line in [
        "myao_slack_connected 1",
        "myao_database_up 1",
        "myao_messages{state=\"uncovered\"} 0",
        "myao_replies_total{cause=\"mention\",outcome=\"done\"} 1",
        "myao_reply_seconds_count{part=\"whole\"} 1",
        "myao_reply_seconds_bucket{part=\"whole\",le=\"+Inf\"} 1",
        "myao_model_calls_total{role=\"response\",model=\"builtin\",outcome=\"ok\"} 1",
        "myao_processes{state=\"alive\"} 1",
        "myao_processes_hearing 1",
    ] {
        assert!(text.lines().any(|there| there == line), "{line} is not in\n{text}");
    }
    let (general, alice) = (world.general.as_str(), world.alice.as_str());
    for word in [SAID, "alice", "#general", general, alice, world.slack.bot_token()] {
        assert!(!text.contains(word), "{word} is in\n{text}");
    }
    assert_prometheus_agrees(&text);
    assert_eq!(running.stop(), Some(0));
}

/// Where Prometheus' own tool is installed, its linter has the last word.
fn assert_prometheus_agrees(text: &str) {
    let mut command = Command::new("promtool");
    command.args(["check", "metrics"]).stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
    let Ok(mut child) = command.spawn() else { return };
    child.stdin.take().expect("piped").write_all(text.as_bytes()).expect("written");
    let ended = child.wait_with_output().expect("ended");
    let told = String::from_utf8_lossy(&[ended.stdout, ended.stderr].concat()).into_owned();
    assert!(ended.status.success() && told.is_empty(), "{told}");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn without_the_key_there_is_no_such_page() {
    let world = World::new().await;
    let _running = world.start().await;
    assert_eq!(page(&world, "/metrics").await.0, 404);
    assert_eq!(page(&world, "/live").await.0, 200);
}
