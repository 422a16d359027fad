//! Which messages want an answer; when we speak up where nobody asked.

mod catching_up;
mod due;
mod pause;
mod quiet;
mod trigger;
mod verdict;
mod walk;

use jiff::{SignedDuration, Timestamp, tz::TimeZone};
use myao_core::{
    chat::{MessageTs, Speaker},
    judgment::{Chance, Liveliness, Manners, Utterance},
};

/// As in the defaults of the configuration, without chance.
fn manners() -> Manners {
    Manners {
        min_wait_seconds: 300.0,
        jitter_ratio: 0.0,
        liveliness: Some(Liveliness {
            window: SignedDuration::from_mins(30),
            floor_seconds: 60.0,
            thresholds: vec![(1.0, 0.2), (0.5, 0.4), (0.1, 0.7)],
            default_share: 1.0,
        }),
        max_message_age: SignedDuration::from_hours(12),
        active_channel: SignedDuration::from_hours(7 * 24),
        interval_seconds: (3.0, 10.0),
        holds: vec![(0.9, SignedDuration::from_hours(12)), (0.7, SignedDuration::from_hours(1))],
        default_hold: SignedDuration::from_mins(10),
        quiet_hours: None,
        zone: TimeZone::UTC,
        chance: Chance::new(7),
    }
}

/// So many seconds after the start of all these tests.
fn at(seconds: i64) -> MessageTs {
    MessageTs::from_timestamp("2026-03-02T09:00:00Z".parse().unwrap()).plus_seconds(seconds)
}

fn instant(seconds: i64) -> Timestamp {
    at(seconds).to_timestamp()
}

fn said(seconds: i64, thread: Option<i64>, speaker: Speaker) -> Utterance {
    Utterance { ts: at(seconds), thread_ts: thread.map(at), speaker, takes_nothing_unasked: false }
}
