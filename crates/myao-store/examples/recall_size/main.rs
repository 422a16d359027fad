//! How long a question to the index takes, and how large the index is, in archives of 10,000, 100,000 and 1,000,000
//! messages in 1,000 channels.
//!
//! `cargo run --release -p myao-store --example recall_size -- sqlite|postgres [MESSAGES…]`. The talk is of made-up
//! words, as frequent as words are in talk.

#![expect(clippy::disallowed_methods, reason = "it runs in real time")]
#![expect(clippy::indexing_slicing, clippy::unused_self, reason = "its own tables, of its own size")]
#![expect(clippy::expect_used, reason = "a figure that cannot be taken is none")]

mod database;
mod questions;
mod talk;

use std::{env, time::Instant};

use myao_core::chat::Event;
use myao_store::{Store, Target};

use self::talk::Talk;

const SIZES: [u32; 3] = [10_000, 100_000, 1_000_000];
/// Events that arrive in one batch, as an import has them.
const BATCH: u32 = 400;

#[tokio::main(flavor = "multi_thread", worker_threads = 2)]
async fn main() {
    let wanted: Vec<String> = env::args().skip(1).collect();
    let sizes: Vec<u32> = wanted.iter().filter_map(|word| word.parse().ok()).collect();
    let sizes = if sizes.is_empty() { SIZES.to_vec() } else { sizes };
    let folder = tempfile::tempdir().expect("a folder");
    let target = match wanted.first().map(String::as_str) {
        Some("postgres") => Target::Postgres(myao_testkit::fresh_database().await),
        _ => Target::Sqlite(folder.path().join("memory.db")),
    };
    let store = Store::open(&target).await.expect("a new database");
    while !store.index_some().await.expect("indexed").is_complete {}
    let mut talk = Talk::new();
    store.apply(talk.workspace(), talk.now()).await.expect("applied");
    for size in sizes {
        let rate = fill(&store, &mut talk, size).await;
        tell(&format!("{size} messages: {rate:.0} stored a second"));
        database::remember(&store, &target, &mut talk).await;
        for line in database::sizes(&target, size).await {
            tell(&line);
        }
        questions::measure(&store, &mut talk).await;
        tell(&format!("  this process holds {} MB", resident_mb()));
    }
    store.close().await;
}

/// Stores messages until there are `size`; how many a second.
async fn fill(store: &Store, talk: &mut Talk, size: u32) -> f64 {
    let (begun, before) = (Instant::now(), talk.said());
    while talk.said() < size {
        let batch: Vec<Event> = (0..BATCH.min(size - talk.said())).map(|_| talk.say()).collect();
        store.apply(batch, talk.now()).await.expect("applied");
    }
    f64::from(talk.said() - before) / begun.elapsed().as_secs_f64()
}

fn resident_mb() -> u64 {
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let line = status.lines().find(|line| line.starts_with("VmRSS:"));
    let kilobytes = line.and_then(|line| line.split_whitespace().nth(1)?.parse::<u64>().ok());
    kilobytes.unwrap_or(0) / 1024
}

fn tell(line: &str) {
    #[expect(clippy::print_stdout, reason = "figures are for a person")]
    {
        println!("{line}");
    }
}
