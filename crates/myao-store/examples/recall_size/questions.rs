//! Questions of some kinds, and how long their answers take.

use std::time::{Duration, Instant};

use jiff::Timestamp;
use myao_core::{
    chat::{MessageTs, Visibility},
    recall::RecallFilter,
};
use myao_store::{RecallRequest, Store};

use crate::{
    real_questions::{KINDS, Question, Questions},
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
            let (number, span) = ask(store, (words, filter, visibility), talk.now()).await;
            found += number;
            took.push(span);
        }
        tell(&told(kind, took, found));
    }
}

/// Tells how long questions to real talk take, by kind, by language, and all of them.
pub(crate) async fn measure_real(store: &Store, questions: &mut Questions<'_>, now: Timestamp) {
    let mut all = (Vec::new(), 0);
    for kind in KINDS {
        for lang in ["ja", "en"] {
            let mut took = Vec::new();
            let mut found = 0;
            for _ in 0..questions_of_a_kind() {
                let question = questions.next(kind, lang);
                let (number, span) = ask(store, question, now).await;
                found += number;
                took.push(span);
            }
            all.0.extend(took.iter().copied());
            all.1 += found;
            tell(&told(&format!("{kind} {lang}"), took, found));
        }
    }
    tell(&told("all", all.0, all.1));
}

/// Questions of each kind: `QUESTIONS` of the environment, if that is given.
fn questions_of_a_kind() -> usize {
    std::env::var("QUESTIONS").ok().and_then(|many| many.parse().ok()).unwrap_or(QUESTIONS)
}

/// How many hits a question has, and how long that takes to say.
async fn ask(store: &Store, (words, filter, visibility): Question, now: Timestamp) -> (usize, Duration) {
    let now = MessageTs::from_timestamp(now);
    let request =
        RecallRequest { words, filter, most: 10, with_memories: true, now, meaning: None, named_in: None };
    let begun = Instant::now();
    let found = store.recall().search(&visibility, &request).await.expect("asked").len();
    (found, begun.elapsed())
}

fn told(kind: &str, mut took: Vec<Duration>, found: usize) -> String {
    if took.is_empty() {
        return format!("  {kind}: nothing asked");
    }
    took.sort();
    let at = |share: usize| {
        let nth = (took.len() * share / 100).min(took.len() - 1);
        took[nth].as_secs_f64() * 1000.0
    };
    format!(
        "  {kind:<10} median {:>6.1} ms, p99 {:>6.1} ms, max {:>6.1} ms; {found} found",
        at(50),
        at(99),
        at(100)
    )
}
