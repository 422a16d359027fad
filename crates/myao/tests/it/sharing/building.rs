//! Memories that several workers write are those of one.

use std::{
    collections::BTreeMap,
    fs,
    time::{Duration, Instant},
};

use myao_testkit::llm::{FakeProvider, KEY, Reply};
use serde_json::Value;

use super::{PATIENCE, Shared, Worker};
use crate::{
    binary::number,
    kill::{
        dump::{MERGED, by_merge},
        workspace::written_with,
    },
};

/// Channels beside the five of every such workspace.
const MORE_CHANNELS: usize = 5;
/// More calls than the sleeper makes.
const CALLS_AT_MOST: usize = 1_000;
/// What differs from run to run: numbers that are given in the order of writing, and moments.
const OF_A_RUN: [&str; 10] = [
    "entry",
    "at",
    "parent",
    "made_from",
    "shown_beside",
    "through_entry",
    "created_at",
    "updated_at",
    "call",
    "reason",
];

/// What is remembered, as `memory export` tells it, without moments.
pub(super) fn remembered(shared: &Shared) -> Vec<String> {
    shared.home.done(&["memory", "export", "out", "--overwrite"]);
    let text = fs::read_to_string(shared.home.path("out/memories.jsonl")).expect("a file");
    let mut all: Vec<String> = text
        .lines()
        .map(|line| {
            let mut memory: Value = serde_json::from_str(line).expect("JSON");
            let fields = memory.as_object_mut().expect("an object");
            fields.retain(|name, _| !OF_A_RUN.contains(&name.as_str()));
            // In the order in which they were written.
            if let Some(channels) = fields.get_mut("channels").and_then(Value::as_array_mut) {
                channels.sort_by_key(ToString::to_string);
            }
            memory.to_string()
        })
        .collect();
    all.sort();
    all
}

/// The chapters that each channel's merges took in, in the order of the merges.
pub(super) async fn merged(shared: &Shared) -> BTreeMap<String, Vec<i64>> {
    by_merge(sqlx::query_as(MERGED).fetch_all(&mut shared.connect().await).await.expect("read"))
}

pub(super) fn worker(shared: &Shared, log: &str) -> Worker {
    let mut command = shared.home.command(&["memory", "build"]);
    command.stderr(fs::File::create(shared.home.path(log)).expect("a file"));
    Worker::start(command)
}

/// Waits until a number that a statement tells is as it should be.
async fn until(shared: &Shared, sql: &'static str, is_reached: impl Fn(i64) -> bool) {
    let began = Instant::now();
    while !is_reached(shared.count(sql).await) {
        assert!(began.elapsed() < PATIENCE, "it takes too long: {sql}");
        tokio::time::sleep(Duration::from_millis(20)).await;
    }
}

/// A worker whose model takes as long as a test wants it to.
struct Sleeper {
    model: FakeProvider,
    /// The same database, by a configuration of its own, beside which its log lies.
    own: Shared,
    worker: Worker,
}

impl Sleeper {
    async fn start(shared: &Shared) -> Self {
        let answers = (0..CALLS_AT_MOST).map(|_| Reply::text("- They talked.").held());
        let model = FakeProvider::answering(answers).await;
        let agent = format!(
            "{{model_id: openai/fake-1, client_args: {{api_key: {KEY}, api_base: '{}/v1', timeout: 600}}}}",
            model.url()
        );
        let [database] = &shared.direct[..] else { panic!("one database") };
        let own = Shared::by(database, vec![database.clone()], &format!("agents: {{memory: {agent}}}\n"));
        let worker = worker(&own, "log");
        Self { model, own, worker }
    }

    /// Stops it, as a machine that sleeps does, when its model has been asked and outside of its transactions: the server
    /// would end a connection that is within one, and the worker would find that out instead of its lost claims.
    async fn stop_while_the_model_thinks(&self) {
        tokio::time::timeout(PATIENCE, self.model.asked(1)).await.expect("its model is asked");
        let began = Instant::now();
        loop {
            self.worker.signal("-STOP");
            if self.is_at_rest().await {
                return;
            }
            self.worker.signal("-CONT");
            assert!(began.elapsed() < PATIENCE, "it is always within a transaction");
            tokio::time::sleep(Duration::from_millis(50)).await;
        }
    }

    /// Whether nobody's connection is within a transaction, twice in a row: what was sent right before a stop reaches the
    /// server a little later.
    async fn is_at_rest(&self) -> bool {
        let others = "SELECT count(*) FROM pg_stat_activity WHERE datname = current_database()
            AND backend_type = 'client backend' AND pid <> pg_backend_pid() AND state <> 'idle'";
        for milliseconds in [50, 200] {
            tokio::time::sleep(Duration::from_millis(milliseconds)).await;
            if self.own.count(others).await > 0 {
                return false;
            }
        }
        true
    }

    /// Wakes it up, with its model's answers. Its exit code, and what it logged.
    async fn wake(self) -> (Option<i32>, String) {
        self.model.release();
        self.worker.signal("-CONT");
        let ended = self.worker.ended().await;
        (ended, fs::read_to_string(self.own.home.path("log")).expect("its log"))
    }
}

/// Four workers, of which two are killed, one is stopped and one sleeps for longer than its claims last; three come later.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn workers_that_come_and_go_leave_the_memories_of_one() {
    let alone = Shared::new("").await;
    let export = written_with(&alone.home, MORE_CHANNELS);
    alone.home.import(&export);
    let built = tokio::task::block_in_place(|| alone.home.json(&["memory", "build"]));
    let all = alone.count("SELECT count(*) FROM memory_steps").await;

    let many = Shared::new("").await;
    many.home.import(&export);
    let [first, second, last] = ["one", "two", "three"].map(|log| worker(&many, log));
    let sleeper = Sleeper::start(&many).await;
    until(&many, "SELECT count(*) FROM memory_steps", |steps| steps >= all / 10).await;
    first.kill();
    second.kill();
    // Nobody else's connection is within a transaction while the sleeper is stopped.
    last.signal("-TERM");
    last.ended().await;
    sleeper.stop_while_the_model_thinks().await;
    for worker in ["four", "five", "six"].map(|log| worker(&many, log)) {
        assert_eq!(worker.ended().await, Some(0), "they go on until everything is done");
    }
    // What it was at is done; its own text comes too late.
    let (ended, log) = sleeper.wake().await;
    assert_eq!(ended, Some(0), "{log}");
    assert!(log.contains("another process took over"), "{log}");

    let expected = remembered(&alone);
    let found = remembered(&many);
    for (one, other) in expected.iter().zip(&found) {
        assert_eq!(one, other);
    }
    assert_eq!(expected.len(), found.len());
    for (channel, versions) in merged(&many).await {
        let once: Vec<i64> = (1..).take(versions.len()).collect();
        assert_eq!(versions, once, "{channel}: each chapter once, in order");
    }
    assert_eq!(merged(&many).await, merged(&alone).await);
    assert_eq!(many.home.adds_up()["channels"], alone.home.adds_up()["channels"]);
    many.home.done(&["memory", "verify"]);
    let again = many.home.json(&["memory", "build"]);
    assert_eq!((number(&again, "model_calls"), number(&again, "merges")), (0, 0), "it is done: {built}");
}
