//! Memories that several workers write are those of one.

use std::{
    collections::BTreeMap,
    fs,
    time::{Duration, Instant},
};

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

/// Waits until so many memories are written.
async fn written(shared: &Shared, steps: i64) {
    let began = Instant::now();
    while shared.count("SELECT count(*) FROM memory_steps").await < steps {
        assert!(began.elapsed() < PATIENCE, "no {steps} memories");
        tokio::time::sleep(Duration::from_millis(20)).await;
    }
}

/// Stops a worker in the middle of a channel, as a machine that sleeps does.
async fn stop_at_work(shared: &Shared, worker: &Worker) {
    let holds = format!("SELECT count(*) FROM claims WHERE owner LIKE '{}-%' AND until > 0", worker.0.id());
    let began = Instant::now();
    loop {
        worker.signal("-STOP");
        let held: i64 = sqlx::query_scalar(sqlx::AssertSqlSafe(holds.clone()))
            .fetch_one(&mut shared.connect().await)
            .await
            .expect("a number");
        // In the middle of a transaction the server would end its connection instead.
        tokio::time::sleep(Duration::from_millis(300)).await;
        let stands_still = "SELECT count(*) FROM pg_stat_activity WHERE datname = current_database()
            AND state = 'idle in transaction' AND now() - state_change > interval '250 milliseconds'";
        if held > 0 && shared.count(stands_still).await == 0 {
            return;
        }
        worker.signal("-CONT");
        assert!(began.elapsed() < PATIENCE, "it never holds anything");
        // It works as long as it stands still: a transaction that it has begun would else be ended by the server before it
        // is through.
        tokio::time::sleep(Duration::from_millis(300)).await;
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
    let [first, second, sleeper, last] = ["one", "two", "three", "four"].map(|log| worker(&many, log));
    written(&many, all / 10).await;
    first.kill();
    second.kill();
    // While it is tried to stop the sleeper at work, nobody else does that work.
    last.signal("-TERM");
    last.ended().await;
    stop_at_work(&many, &sleeper).await;
    for worker in ["four again", "five", "six"].map(|log| worker(&many, log)) {
        assert_eq!(worker.ended().await, Some(0), "they go on until everything is done");
    }
    // What it was at is done; its own text comes too late.
    sleeper.signal("-CONT");
    let ended = sleeper.ended().await;
    let log = fs::read_to_string(many.home.path("three")).expect("its log");
    assert_eq!(ended, Some(0), "{log}");
    assert!(log.contains("another process took over"), "{log}");

    let (expected, found) = (remembered(&alone), remembered(&many));
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
