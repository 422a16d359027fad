//! How much faster several workers are, where a model's answers are what takes the time. Measured by hand:
//! `cargo test --release --workspace --test it -- --ignored several_workers --nocapture`.

use std::time::{Duration, Instant};

use myao_testkit::llm::{FakeProvider, KEY};

use super::{Shared, building::worker};
use crate::kill::workspace::written_with;

/// What an answer of a hosted model takes at least.
const LATENCY: Duration = Duration::from_millis(200);
/// Channels outnumber workers.
const MORE_CHANNELS: usize = 43;

/// How long so many workers take, and how many calls they make.
async fn build(workers: usize) -> (Duration, i64) {
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
    (took, shared.count("SELECT count(*) FROM model_calls WHERE model <> 'builtin'").await)
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
#[ignore = "measures time, on a machine that does nothing else"]
async fn several_workers_are_faster_than_one() {
    let mut alone = 0.0;
    for workers in [1, 2, 4] {
        let (took, calls) = build(workers).await;
        let rate = f64::from(u32::try_from(calls).expect("few")) / took.as_secs_f64();
        alone = if workers == 1 { rate } else { alone };
        println!(
            "{workers} workers: {calls} calls in {took:?}, {rate:.1} a second, {:.2} times one",
            rate / alone
        );
    }
}
