//! How much faster several workers are, where a model's answers are what takes the time; and how long an answer takes on
//! each database. Measured by hand: `cargo test --release --workspace --test it -- --ignored throughput --nocapture`.

use std::time::{Duration, Instant};

use myao_core::chat::UserId;
use myao_testkit::{
    Pooler, fresh_database,
    llm::{FakeProvider, KEY},
    slack::UserSpec,
};

use super::{Shared, building::worker, live::Town};
use crate::kill::workspace::written_with;

/// What an answer of a hosted model takes at least.
const LATENCY: Duration = Duration::from_millis(200);
/// So many that each worker has some until nearly the end: it works on four at a time.
const MORE_CHANNELS: usize = 123;
/// The calls between one in ten and eight in ten: everybody has begun, and everybody has something left to do.
const BUSY: &str =
    "SELECT max(at) - min(at) FROM (SELECT at, ntile(10) OVER (ORDER BY at) AS part FROM model_calls
    WHERE model <> 'builtin') AS parted WHERE part BETWEEN 2 AND 8";

/// How long so many workers take, how many calls they make, and how long seven in ten of these take.
async fn build(workers: usize) -> (Duration, i64, Duration) {
    let provider = FakeProvider::echoing(0, LATENCY).await;
    let agent = format!(
        "{{model_id: openai/fake-1, client_args: {{api_key: {KEY}, api_base: '{}/v1', timeout: 60}}}}",
        provider.url()
    );
    let shared = Shared::new(&format!("agents: {{memory: {agent}}}\n")).await;
    let export = written_with(&shared.home, MORE_CHANNELS);
    tokio::task::block_in_place(|| shared.home.import(&export));
    let began = Instant::now();
    let started: Vec<_> = (0..workers).map(|n| worker(&shared, &format!("worker-{n}"))).collect();
    for worker in started {
        assert!(matches!(worker.ended().await, Some(0 | 1)), "a text of this model may be refused");
    }
    let took = began.elapsed();
    let calls = shared.count("SELECT count(*) FROM model_calls WHERE model <> 'builtin'").await;
    let busy = u64::try_from(shared.count(BUSY).await).expect("time goes on");
    (took, calls, Duration::from_micros(busy))
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
#[ignore = "measures time, on a machine that does nothing else"]
async fn several_workers_are_faster_than_one() {
    let mut alone = [0.0; 2];
    for workers in [1, 2, 4] {
        let (took, calls, busy) = build(workers).await;
        let calls = f64::from(u32::try_from(calls).expect("few"));
        let [all, while_busy] = [calls / took.as_secs_f64(), 0.7 * calls / busy.as_secs_f64()];
        alone = if workers == 1 { [all, while_busy] } else { alone };
        println!(
            "{workers} workers: {calls} calls in {took:?}, {all:.1} a second ({:.2} times one); while all have work \
             {while_busy:.1} a second ({:.2} times one)",
            all / alone[0],
            while_busy / alone[1]
        );
    }
}

/// Within an hour: more are not answered.
const ASKED_BY_EACH: usize = 20;

/// From a mention until its answer is posted, in milliseconds, shortest first. The model is `builtin`, which answers at once.
async fn latencies(shared: Shared) -> Vec<f64> {
    const ASKED: usize = 60;
    // Slack takes one message a second in a channel, and a few hundred a minute in all.
    const CHANNELS: usize = 30;
    const PAUSE: Duration = Duration::from_millis(500);
    let town = Town::with(shared, CHANNELS).await;
    let people: Vec<UserId> = (0..=ASKED / ASKED_BY_EACH)
        .map(|n| town.slack.user(UserSpec::person(&format!("asker-{n}"))))
        .collect();
    let _worker = town.start("one").await;
    let mut all = Vec::new();
    for n in 0..ASKED {
        tokio::time::sleep(PAUSE).await;
        let asked_at = town.slack.now();
        let root =
            town.ask(&town.channels[n % CHANNELS], &people[n % people.len()], &format!("question {n}"));
        town.eventually("it is answered", async || town.answers(root) == 1).await;
        let posts = town.slack.posts();
        let post = posts.iter().find(|post| post.thread_ts == Some(root)).expect("an answer");
        all.push(post.at.duration_since(asked_at).as_secs_f64() * 1_000.0);
    }
    all.sort_by(f64::total_cmp);
    all
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
#[ignore = "measures time, on a machine that does nothing else"]
async fn an_answer_takes_as_long_as_its_database() {
    let direct = fresh_database().await;
    let behind = fresh_database().await;
    let pooler = Pooler::before(&behind);
    let ways = [
        ("SQLite", Shared::in_a_file()),
        ("PostgreSQL", Shared::by(&direct, vec![direct.clone()], "")),
        ("PgBouncer", Shared::by(&pooler.url(&behind), vec![behind], "")),
    ];
    for (name, shared) in ways {
        let all = latencies(shared).await;
        let at = |share: usize| all[(all.len() - 1) * share / 100];
        println!("{name}: {:.1} ms (median), {:.1} ms (95 of 100)", at(50), at(95));
    }
}
