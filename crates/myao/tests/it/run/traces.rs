//! Traces: what a collector is sent of a message's way and of memory work, and what it is never sent.

use std::{
    fs::File,
    process::{Child, Stdio},
    time::{Duration, Instant},
};

use myao_core::chat::{ChannelId, UserId};
use myao_testkit::{
    CollectedTraces, CollectorMood, FakeCollector, FakeSlack,
    llm::{FakeProvider, KEY, Reply, ToolUse},
    slack::{ChannelSpec, UserSpec},
};
use serde_json::json;

use super::{Running, World, config};
use crate::binary::Home;

/// A word of the talk, which no span may hold.
const SAID: &str = "Pfingstrose";
/// The key by which the collector knows the program.
const COLLECTOR_KEY: &str = "collector-key-0123456789";
/// Spans wait for five seconds at most before they are sent.
const AT_ONCE: &str = "OTEL_BSP_SCHEDULE_DELAY";

fn agents(provider: &FakeProvider) -> String {
    let agent = format!(
        "{{model_id: openai/fake-1, client_args: {{api_key: {KEY}, api_base: '{}/v1', timeout: 20}}}}",
        provider.url()
    );
    format!("agents: {{response: {agent}, judgment: {agent}, memory: {agent}}}\n")
}

/// A world whose `.env` says where traces are sent.
async fn traced(collector: &FakeCollector, more: &str) -> World {
    let world = World::with(more).await;
    world.home.write(
        ".env",
        format!(
            "OTEL_EXPORTER_OTLP_ENDPOINT={}/\nOTEL_EXPORTER_OTLP_HEADERS=api-key={COLLECTOR_KEY}\n\
             OTEL_RESOURCE_ATTRIBUTES=deployment.environment.name=a%20test,team=b\n",
            collector.url()
        ),
    );
    world
}

/// Starts the program with stderr in a file.
async fn start_logging(world: &World) -> Running {
    let before = world.slack.seen().connected;
    let log = File::create(world.home.path("log")).expect("a file");
    let mut command = world.home.command(&["run"]);
    command.env(AT_ONCE, "100").stderr(log).stdout(Stdio::null());
    let child: Child = command.spawn().expect("it starts");
    world.slack.wait_until(|seen| seen.connected > before).await;
    Running(child)
}

fn log(world: &World) -> String {
    std::fs::read_to_string(world.home.path("log")).expect("the log")
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_mention_leaves_one_trace_from_the_event_to_the_post() {
    let wish = ToolUse::new("call_1", "recall", json!({"query": SAID}));
    let provider = FakeProvider::answering([
        Reply::text("Yes."),
        Reply::wishes("", [wish]).counted(900, 300, 20),
        Reply::text("It blooms.").counted(1_000, 800, 5),
    ])
    .await;
    let collector = FakeCollector::start(CollectorMood::Takes).await;
    let world = traced(&collector, &agents(&provider)).await;
    let running = start_logging(&world).await;
    // After the first answer the channel is looked up, so that nothing is read twice.
    world.mention("are you there?");
    world.slack.wait_until(|seen| seen.posts.len() == 1).await;
    world.mention(&format!("how is the {SAID} doing?"));
    world.slack.wait_until(|seen| seen.posts.len() == 2).await;
    let posted = |seen: &CollectedTraces| {
        let tree = seen.trees("arrival");
        tree.iter().any(|tree| tree.contains("execute_tool") && tree.contains("post (client)"))
    };
    collector.wait_until(posted).await;
    assert_eq!(running.stop(), Some(0));
    let seen = collector.seen();
    let trees = seen.trees("arrival");
    let tree = trees.iter().find(|tree| tree.contains("execute_tool")).expect("the trace of the mention");
    let of_one_batch = |line: &&str| !line.contains("myao.deliveries");
    insta::assert_snapshot!(tree.lines().filter(of_one_batch).collect::<Vec<_>>().join("\n"));
    assert_eq!(seen.resource["service.name"], "myao");
    assert_eq!(seen.resource["deployment.environment.name"], "a test");
    assert_eq!(seen.resource["service.version"], env!("CARGO_PKG_VERSION"));
    assert_eq!(seen.keys.iter().collect::<Vec<_>>(), [COLLECTOR_KEY]);
    let chat = seen.spans.iter().find(|span| span.name == "chat fake-1").expect("a call");
    let parents: Vec<String> =
        provider.calls().iter().filter_map(|c| c.header("traceparent").map(str::to_owned)).collect();
    assert_eq!(parents.len(), 3);
    assert_eq!(parents[0], format!("00-{}-{}-01", chat.trace, chat.id));
    let log = log(&world);
    assert!(
        log.contains(&format!("traces are sent to the collector address=\"{}/v1/traces\"", collector.url())),
        "{log}"
    );
    assert!(!log.contains(COLLECTOR_KEY), "{log}");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn memory_work_leaves_a_trace_from_the_chapter_to_the_workspace() {
    let collector = FakeCollector::start(CollectorMood::Takes).await;
    let memory = "memory: {database_path: data/memory.db, long_term_update_interval_seconds: 1, \
                  short_term_history: {message_threshold: 2, verbatim_small: false}}\n\
                  response: {check_interval_seconds: 1}\n";
    let slack = FakeSlack::setup().with_clock(myao::clock::SystemClock).start().await;
    let alice = slack.user(UserSpec::person("alice"));
    let general = slack.channel(ChannelSpec::public("general").members(&[&alice]));
    let plain =
        config(&slack, slack.bot_token()).replace("memory: {database_path: data/memory.db}\n", memory);
    let home = Home::with_config(&plain);
    home.write(".env", format!("OTEL_EXPORTER_OTLP_TRACES_ENDPOINT={}/v1/traces\n", collector.url()));
    let world = World { slack, general, alice, home };
    let running = start_logging(&world).await;
    for nth in 0..6 {
        world.slack.say(&world.general, &world.alice, &format!("the {SAID} has {nth} buds on the balcony"));
    }
    let written = |seen: &CollectedTraces| {
        seen.trees("memory_round").iter().any(|tree| tree.contains("workspace (internal)"))
    };
    collector.wait_until(written).await;
    assert_eq!(running.stop(), Some(0));
    let seen = collector.seen();
    let trees = seen.trees("memory_round");
    let tree =
        trees.iter().find(|tree| tree.contains("workspace (internal)")).expect("the trace of the round");
    let order = ["chapter (internal)", "merge (internal)", "workspace (internal)"];
    let at: Vec<usize> = order.iter().map(|name| trees.concat().find(name).expect(name)).collect();
    assert!(at.is_sorted(), "{trees:?}");
    assert!(tree.contains("chat builtin"), "{tree}");
    assert_holds_no_words(
        &seen,
        &world.general,
        &world.alice,
        &[SAID, "buds", "balcony", "general", "alice"],
    );
}

/// Neither when all goes well nor when the provider and a tool fail, in words of the talk.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn no_word_no_name_and_no_secret_is_sent() {
    let secret = "xoxb-123456789012-secretsecretsecret";
    let wish = |id: &str, name: &str, arguments| ToolUse::new(id, name, arguments);
    let provider = FakeProvider::answering([
        Reply::wishes(
            "",
            [wish("call_Pfingstrose", "recall", json!({"question": SAID})), wish("c2", SAID, json!({}))],
        ),
        Reply::text(&format!("The {SAID} blooms.")),
        Reply::error(400, "", &format!("cannot read `{SAID}` of alice, {secret}")),
    ])
    .await;
    let collector = FakeCollector::start(CollectorMood::Takes).await;
    let world = traced(&collector, &agents(&provider)).await;
    let running = start_logging(&world).await;
    world.mention(&format!("how is the {SAID} doing? {secret}"));
    world.slack.wait_until(|seen| seen.posts.len() == 1).await;
    world.mention(&format!("and the other {SAID}?"));
    world.slack.wait_until(|seen| seen.posts.len() == 2).await;
    let is_done = |seen: &CollectedTraces| seen.spans.iter().filter(|span| span.name == "post").count() == 2;
    collector.wait_until(is_done).await;
    assert_eq!(running.stop(), Some(0));
    let seen = collector.seen();
    assert!(seen.spans.iter().any(|span| span.failed && span.name == "chat fake-1"), "{:?}", seen.spans);
    assert!(
        seen.spans.iter().any(|span| span.failed && span.name == "execute_tool recall"),
        "{:?}",
        seen.spans
    );
    assert_holds_no_words(
        &seen,
        &world.general,
        &world.alice,
        &[SAID, "alice", "general", "blooms", secret, KEY, COLLECTOR_KEY, world.slack.bot_token(), "doing"],
    );
    assert!(!log(&world).contains(COLLECTOR_KEY));
}

fn assert_holds_no_words(seen: &CollectedTraces, channel: &ChannelId, user: &UserId, words: &[&str]) {
    let ids = [channel.as_str(), user.as_str()];
    for word in words.iter().chain(&ids) {
        let is_there =
            seen.bytes.windows(word.len()).any(|window| window.eq_ignore_ascii_case(word.as_bytes()));
        assert!(!is_there, "`{word}` was sent: {:?}", seen.spans);
    }
    for span in &seen.spans {
        assert_eq!(span.words, "", "{span:?}");
    }
}

/// Whatever the collector does, people are answered, little is said of it, and the run ends in its time.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_collector_in_trouble_troubles_nobody() {
    for (mood, told) in [
        (Some(CollectorMood::Hangs), "there is no answer within"),
        (Some(CollectorMood::Fails), "it answers with status 500"),
        (Some(CollectorMood::Garbage), ""),
        (None, "it cannot be reached"),
    ] {
        let collector = FakeCollector::start(mood.unwrap_or(CollectorMood::Takes)).await;
        let world = World::with("shutdown_seconds: 8\n").await;
        let url = collector.url();
        let collector = mood.map(|_| collector);
        // Only one that hangs is given up soon: on a busy machine the others may take their time.
        let timeout = if mood == Some(CollectorMood::Hangs) { 500 } else { 60_000 };
        let variables = format!("OTEL_EXPORTER_OTLP_ENDPOINT={url}\nOTEL_EXPORTER_OTLP_TIMEOUT={timeout}\n");
        world.home.write(".env", variables);
        let running = start_logging(&world).await;
        for nth in 0..5 {
            world.mention(&format!("question {nth}"));
            world.slack.wait_until(|seen| seen.posts.len() > nth).await;
            if let Some(collector) = &collector {
                collector.wait_until(|seen| seen.requests > nth.min(1)).await;
            }
        }
        wait_for_line(&world, told).await;
        let began = Instant::now();
        assert_eq!(running.stop(), Some(0), "{mood:?}: {}", log(&world));
        assert!(began.elapsed() < Duration::from_secs(8), "{mood:?}");
        let log = log(&world);
        let lines = log.lines().filter(|line| line.contains("the collector of traces takes no spans"));
        assert_eq!(lines.count(), usize::from(!told.is_empty()), "{mood:?}: {log}");
        assert!(!log.contains("something is wrong"), "{log}");
    }
}

/// The program writes its log without telling anybody.
async fn wait_for_line(world: &World, line: &str) {
    let began = Instant::now();
    while !log(world).contains(line) {
        assert!(began.elapsed() < super::LONG, "no line with `{line}`: {}", log(world));
        super::look_again().await;
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn variables_that_cannot_be_followed_end_the_run_at_its_start() {
    let world = World::new().await;
    let ended = |variables: &str| {
        world.home.write(".env", variables);
        tokio::task::block_in_place(|| world.home.run(&["run"]))
    };
    let endpoint = "OTEL_EXPORTER_OTLP_ENDPOINT=http://127.0.0.1:9\n";
    for (variable, said) in [
        ("OTEL_EXPORTER_OTLP_PROTOCOL=grpc", "OTEL_EXPORTER_OTLP_PROTOCOL: expected `http/protobuf`"),
        ("OTEL_EXPORTER_OTLP_TRACES_PROTOCOL=http/json", "OTEL_EXPORTER_OTLP_TRACES_PROTOCOL: expected"),
        ("OTEL_EXPORTER_OTLP_COMPRESSION=gzip", "OTEL_EXPORTER_OTLP_COMPRESSION: expected `none`"),
        ("OTEL_TRACES_SAMPLER=jaeger_remote", "OTEL_TRACES_SAMPLER: expected"),
        ("OTEL_TRACES_EXPORTER=zipkin", "OTEL_TRACES_EXPORTER: expected `otlp` or `none`"),
        ("OTEL_EXPORTER_OTLP_CERTIFICATE=/ca.pem", "OTEL_EXPORTER_OTLP_CERTIFICATE: expected no value"),
        ("OTEL_EXPORTER_OTLP_TIMEOUT=soon", "OTEL_EXPORTER_OTLP_TIMEOUT: expected milliseconds"),
        ("OTEL_EXPORTER_OTLP_HEADERS=secret-without-name", "OTEL_EXPORTER_OTLP_HEADERS: expected pairs"),
        ("OTEL_EXPORTER_OTLP_HEADERS=\"two words=secret\"", "has a name or a value that none can have"),
        ("OTEL_EXPORTER_OTLP_ENDPOINT=http://[", "the collector's address"),
    ] {
        let ran = ended(&format!("{endpoint}{variable}\n"));
        ran.ends(2, said);
        assert!(!ran.err.contains("secret"), "{ran:?}");
    }
    ended("OTEL_EXPORTER_OTLP_ENDPOINT=collector:4317\n").ends(2, "begins with `http://` or `https://`");
    let check = tokio::task::block_in_place(|| world.home.run(&["check", "--quick"]));
    assert!(
        check.out.contains("WRONG traces: environment or .env: OTEL_EXPORTER_OTLP_ENDPOINT"),
        "{check:?}"
    );
    // Nothing else asks for traces, so nothing else minds.
    let ran = tokio::task::block_in_place(|| world.home.run(&["status"]));
    assert!(!ran.err.contains("OTEL"), "{ran:?}");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn who_switches_traces_off_sends_none() {
    let collector = FakeCollector::start(CollectorMood::Takes).await;
    for variable in ["OTEL_SDK_DISABLED=true", "OTEL_TRACES_EXPORTER=none", "OTEL_TRACES_SAMPLER=always_off"]
    {
        let world = World::new().await;
        let variables = format!("OTEL_EXPORTER_OTLP_ENDPOINT={}\n{variable}\n", collector.url());
        world.home.write(".env", variables);
        let running = start_logging(&world).await;
        world.mention("anybody?");
        world.slack.wait_until(|seen| seen.posts.len() == 1).await;
        assert_eq!(running.stop(), Some(0));
        assert_eq!(collector.seen().requests, 0, "{variable}");
    }
}
