//! How long it takes to look at all vectors for one question, and how much memory they take:
//! `cargo run --release --workspace --example nearest -- 1000000`.

#![expect(clippy::disallowed_methods, reason = "measures real time")]
#![expect(clippy::expect_used, clippy::print_stdout, reason = "an example for the terminal")]

use std::{collections::BTreeMap, time::Instant};

use myao_core::recall::{TextVector, VectorKey, VectorSet};

const DIMENSIONS: usize = 384;
const CHANNELS: i64 = 100;
const QUESTIONS: usize = 21;

/// Numbers between -1 and 1, the same ones each time.
struct Numbers(u32);

impl Numbers {
    fn vector(&mut self) -> TextVector {
        let numbers: Vec<f32> = (0..DIMENSIONS).map(|_| self.next()).collect();
        TextVector::new(&numbers).expect("a direction")
    }

    fn next(&mut self) -> f32 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 17;
        self.0 ^= self.0 << 5;
        let [high, low, ..] = self.0.to_be_bytes();
        f32::from(i16::from_be_bytes([high, low])) / 32_768.0
    }
}

fn main() {
    let count: i64 = std::env::args().nth(1).and_then(|count| count.parse().ok()).unwrap_or(100_000);
    let mut numbers = Numbers(2_463_534_242);
    let mut set = VectorSet::default();
    for address in 0..count {
        set.insert(address % CHANNELS, VectorKey { address, batch: 1 }, &numbers.vector());
    }
    let within: BTreeMap<i64, (i64, i64)> =
        (0..CHANNELS).map(|channel| (channel, (i64::MIN, i64::MAX))).collect();
    let mut took: Vec<f64> = Vec::new();
    for _ in 0..QUESTIONS {
        let question = numbers.vector();
        let began = Instant::now();
        let near = set.nearest(&question, &within, 200);
        took.push(began.elapsed().as_secs_f64() * 1000.0);
        assert!(!near.is_empty(), "something lies near");
    }
    took.sort_by(f64::total_cmp);
    let at = |nth: usize| took.get(nth).copied().unwrap_or_default();
    println!(
        "{count} vectors of {DIMENSIONS}: fastest {:.1} ms, median {:.1} ms, slowest {:.1} ms",
        at(0),
        at(QUESTIONS / 2),
        at(QUESTIONS - 1)
    );
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    status.lines().filter(|line| line.starts_with("VmRSS")).for_each(|line| println!("{line}"));
}
