//! Questions of some kinds, and how long their answers take.

use std::time::{Duration, Instant};

use myao_core::{chat::MessageTs, context::Visibility, recall::RecallFilter};
use myao_store::{RecallRequest, Store};

use crate::{
    talk::{Talk, channel_id},
    tell,
};

/// Questions of each kind.
const QUESTIONS: usize = 200;

/// Tells how long questions of each kind take.
pub(crate) async fn measure(store: &Store, talk: &mut Talk) {
    let place = |n| Visibility::Place { channel: channel_id(n), open_channels: true };
    for kind in ["short", "long", "common", "channel", "place", "guest"] {
        let mut took = Vec::new();
        let mut found = 0;
        for n in 0..QUESTIONS {
            let words = match kind {
                "long" => talk.sentence(20),
                "common" => talk.common(),
                _ => {
                    let words = 2 + talk.draw.below(3);
                    talk.sentence(words)
                }
            };
            let mut filter = RecallFilter::default();
            if kind == "channel" {
                filter.channels.push(channel_id(n % 50));
            }
            let visibility = match kind {
                "place" => place(n % 50),
                "guest" => Visibility::Place { channel: channel_id(n % 50), open_channels: false },
                _ => Visibility::Owner,
            };
            let now = MessageTs::from_timestamp(talk.now());
            let request = RecallRequest { words, filter, most: 10, with_memories: true, now, meaning: None };
            let begun = Instant::now();
            found += store.recall(&visibility, &request).await.expect("asked").len();
            took.push(begun.elapsed());
        }
        tell(&told(kind, took, found));
    }
}

fn told(kind: &str, mut took: Vec<Duration>, found: usize) -> String {
    took.sort();
    let at = |share: usize| {
        let nth = (took.len() * share / 100).min(took.len() - 1);
        took[nth].as_secs_f64() * 1000.0
    };
    format!(
        "  {kind:<8} median {:>6.1} ms, p99 {:>6.1} ms, max {:>6.1} ms; {found} found",
        at(50),
        at(99),
        at(100)
    )
}
