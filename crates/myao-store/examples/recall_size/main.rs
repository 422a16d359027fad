//! How long a question to the index takes, and how large the index is, in archives of 10,000, 100,000 and 1,000,000
//! messages.
//!
//! `cargo run --release -p myao-store --example recall_size -- DATABASE [MESSAGES…] [TALK QUESTIONS]`. The database is
//! `sqlite` or `postgres`, new and gone afterwards; or the path or address of one that is kept, and filled only as far as
//! something is missing. The talk is of made-up words, as frequent as words are in talk, in 1,000 channels; or it is that
//! of a file ([`retold`]), asked what another file holds: `lang` and `query` of a JSON object a line.

#![expect(clippy::disallowed_methods, reason = "it runs in real time")]
#![expect(clippy::indexing_slicing, clippy::unused_self, reason = "its own tables, of its own size")]
#![expect(clippy::expect_used, reason = "a figure that cannot be taken is none")]

mod database;
mod questions;
mod real_questions;
mod retold;
mod talk;

use std::{env, path::Path, time::Instant};

use jiff::Timestamp;
use myao_core::chat::Event;
use myao_store::{Store, Target};

use self::{real_questions::Questions, retold::Retold, talk::Talk};

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
        Some(address) if address.starts_with("postgres://") => Target::Postgres(address.to_owned()),
        Some("sqlite") | None => Target::Sqlite(folder.path().join("memory.db")),
        Some(path) => Target::Sqlite(path.into()),
    };
    let store = Store::open(&target).await.expect("a database");
    while !store.recall().index_some().await.expect("indexed").is_complete {}
    let files: Vec<&String> = wanted
        .iter()
        .filter(|word| Path::new(word).extension().is_some_and(|kind| kind == "jsonl"))
        .collect();
    match files[..] {
        [talk, questions] => real(&store, &target, Retold::new(talk, questions), sizes).await,
        _ => made_up(&store, &target, sizes).await,
    }
    store.close().await;
}

async fn made_up(store: &Store, target: &Target, sizes: Vec<u32>) {
    let mut talk = Talk::new();
    store.intake().apply(talk.workspace(), talk.now()).await.expect("applied");
    for size in sizes {
        let there = database::messages(target).await;
        (0..there.saturating_sub(talk.said())).for_each(|_| drop(talk.say()));
        let missing = size.saturating_sub(talk.said());
        fill(store, missing, || {
            let event = talk.say();
            (event, talk.now())
        })
        .await;
        if missing > 0 {
            database::remember(store, target, &mut talk).await;
        }
        tell_sizes(target, size).await;
        questions::measure(store, &mut talk).await;
        tell(&format!("  this process holds {} MB", resident_mb()));
    }
}

async fn real(store: &Store, target: &Target, mut talk: Retold, sizes: Vec<u32>) {
    let most = sizes.iter().max().copied().unwrap_or_default();
    store.intake().apply(talk.workspace(most), talk.now()).await.expect("applied");
    let now = talk.now();
    for size in sizes {
        let there = database::messages(target).await;
        (0..there.saturating_sub(talk.said())).for_each(|_| drop(talk.say()));
        let missing = size.saturating_sub(talk.said());
        fill(store, missing, || (talk.say(), now)).await;
        if missing > 0 {
            database::cut(target).await;
        }
        tell_sizes(target, size).await;
        questions::measure_real(store, &mut Questions::new(&talk, size), now).await;
        tell(&format!("  this process holds {} MB", resident_mb()));
    }
}

/// Stores so many messages, and tells how many a second.
async fn fill(store: &Store, missing: u32, mut next: impl FnMut() -> (Event, Timestamp)) {
    let begun = Instant::now();
    let mut left = missing;
    while left > 0 {
        let batch: Vec<(Event, Timestamp)> = (0..BATCH.min(left)).map(|_| next()).collect();
        left = left.saturating_sub(BATCH);
        let Some((_, now)) = batch.last() else { return };
        let now = *now;
        let events = batch.into_iter().map(|(event, _)| event).collect();
        store.intake().apply(events, now).await.expect("applied");
    }
    if missing > 0 {
        let rate = f64::from(missing) / begun.elapsed().as_secs_f64();
        tell(&format!("{missing} messages stored, {rate:.0} a second"));
    }
}

async fn tell_sizes(target: &Target, size: u32) {
    tell(&format!("{size} messages"));
    for line in database::sizes(target, size).await {
        tell(&line);
    }
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
