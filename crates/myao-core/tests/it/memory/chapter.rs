//! The pure cut (specification §2.1): the same chapters however it is polled, and every message in one of them.

use myao_core::{
    chat::MessageTs,
    memory::{ChapterPolicy, ClosedBy, Cut, cut_into_chapters},
};
use proptest::prelude::*;

use super::talk::{Talk, talk, talk_until};

/// The messages of each chapter, written down from the sentence of specification §2.1 and nothing else: "a chapter ends
/// after message *i* when it holds `message_threshold` messages, or ts(*i*+1) − ts(*i*) ≥ idle, or *i* is the last
/// one and horizon − ts(*i*) ≥ idle; messages after the horizon are not looked at."
fn as_the_spec_says(talk: &Talk, horizon: MessageTs) -> Vec<Vec<i64>> {
    let ts: Vec<i64> =
        talk.after_start().iter().map(|ts| ts.as_micros()).filter(|ts| *ts <= horizon.as_micros()).collect();
    let threshold = usize::try_from(talk.policy.message_threshold).expect("small");
    let idle = talk.idle_micros();
    let mut chapters = Vec::new();
    let mut chapter = Vec::new();
    for i in 0..ts.len() {
        chapter.push(ts[i]);
        let full = chapter.len() == threshold;
        let silence_follows = i + 1 < ts.len() && ts[i + 1] - ts[i] >= idle;
        let last_and_silent = i + 1 == ts.len() && horizon.as_micros() - ts[i] >= idle;
        if full || silence_follows || last_and_silent {
            chapters.push(std::mem::take(&mut chapter));
        }
    }
    chapters
}

/// The ranges of what that sentence gives, each from the end of the one before.
fn as_ranges(talk: &Talk, chapters: &[Vec<i64>]) -> Vec<Cut> {
    let mut from = talk.start;
    let mut range = |chapter: &Vec<i64>| {
        let count = u32::try_from(chapter.len()).expect("few");
        let full = count == talk.policy.message_threshold;
        let closed_by = if full { ClosedBy::Threshold } else { ClosedBy::Idle };
        let to = MessageTs::from_micros(*chapter.last().expect("no chapter is empty"));
        Cut { from: std::mem::replace(&mut from, to), to, count, closed_by }
    };
    chapters.iter().map(&mut range).collect()
}

fn cut_talk(talk: &Talk, horizon: MessageTs) -> Vec<Cut> {
    cut_into_chapters(talk.start, talk.stamps.iter().copied(), talk.policy, horizon)
}

/// Polls at each of `horizons`, each time from the end of the last chapter on, as the keeper does. What was said
/// until then is known; of what comes later every second message has arrived early.
fn poll(talk: &Talk, horizons: &[MessageTs]) -> Vec<Cut> {
    let mut chapters: Vec<Cut> = Vec::new();
    for horizon in horizons {
        let start = chapters.last().map_or(talk.start, |last| last.to);
        let known = talk.stamps.iter().enumerate().filter(|(i, ts)| *ts <= horizon || i % 2 == 0);
        chapters.extend(cut_into_chapters(start, known.map(|(_, ts)| *ts), talk.policy, *horizon));
    }
    chapters
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(1024))]

    #[test]
    fn it_does_what_the_spec_says((talk, horizon) in talk_until()) {
        let expected = as_ranges(&talk, &as_the_spec_says(&talk, horizon));
        prop_assert_eq!(cut_talk(&talk, horizon), expected);
    }

    #[test]
    fn chapters_partition_the_messages((talk, horizon) in talk_until()) {
        let chapters = cut_talk(&talk, horizon);
        let mut end = talk.start;
        for chapter in &chapters {
            prop_assert_eq!(chapter.from, end, "no gap and no overlap");
            prop_assert!(chapter.to > chapter.from);
            prop_assert!(talk.stamps.contains(&chapter.to), "it ends with a message");
            end = chapter.to;
        }
        for ts in talk.after_start() {
            let owners = chapters.iter().filter(|c| ts > c.from && ts <= c.to).count();
            prop_assert_eq!(owners, usize::from(ts <= end), "{} is in one chapter, or still open", ts);
        }
    }

    #[test]
    fn what_stays_open_is_not_over((talk, horizon) in talk_until()) {
        let end = cut_talk(&talk, horizon).last().map_or(talk.start, |last| last.to);
        let open: Vec<MessageTs> =
            talk.stamps.iter().copied().filter(|ts| *ts > end && *ts <= horizon).collect();
        prop_assert!(open.len() < usize::try_from(talk.policy.message_threshold).expect("small"));
        let until = open.iter().skip(1).copied().chain([horizon]);
        for (ts, next) in open.iter().zip(until) {
            prop_assert!(next.micros_since(*ts) < talk.idle_micros());
        }
    }

    #[test]
    fn each_ends_for_the_reason_it_states((talk, horizon) in talk_until()) {
        for chapter in cut_talk(&talk, horizon) {
            let held = talk.stamps.iter().filter(|ts| **ts > chapter.from && **ts <= chapter.to).count();
            prop_assert_eq!(usize::try_from(chapter.count).expect("small"), held);
            let next = talk.stamps.iter().copied().find(|ts| *ts > chapter.to);
            let silent_until = next.filter(|ts| *ts <= horizon).unwrap_or(horizon);
            match chapter.closed_by {
                ClosedBy::Threshold => prop_assert_eq!(chapter.count, talk.policy.message_threshold),
                ClosedBy::Idle => {
                    prop_assert!(chapter.count < talk.policy.message_threshold);
                    prop_assert!(silent_until.micros_since(chapter.to) >= talk.idle_micros());
                }
                ClosedBy::Provisional | ClosedBy::First | ClosedBy::Window | ClosedBy::Adopted => {
                    prop_assert!(false, "not by a cut");
                }
            }
        }
    }

    #[test]
    fn the_same_chapters_however_it_is_polled(
        (talk, horizon) in talk_until(),
        polls in prop::collection::vec((0..40_usize, -3..300_000_000_i64), 0..30),
    ) {
        let mut horizons: Vec<MessageTs> = polls
            .iter()
            .map(|(near, beyond)| {
                let base = talk.stamps.get(*near).copied().unwrap_or(talk.start);
                MessageTs::from_micros(base.as_micros() + beyond)
            })
            .filter(|early| *early < horizon)
            .chain([horizon])
            .collect();
        horizons.sort_unstable();
        prop_assert_eq!(poll(&talk, &horizons), cut_talk(&talk, horizon));
    }

    #[test]
    fn the_same_chapters_whatever_the_order_of_arrival(
        ((talk, horizon), arrived) in talk_until().prop_flat_map(|(talk, horizon)| {
            let twice: Vec<MessageTs> = talk.stamps.iter().chain(talk.stamps.iter().step_by(3)).copied().collect();
            (Just((talk, horizon)), Just(twice).prop_shuffle())
        }),
    ) {
        prop_assert_eq!(cut_into_chapters(talk.start, arrived, talk.policy, horizon), cut_talk(&talk, horizon));
    }

    #[test]
    fn messages_after_the_horizon_are_not_looked_at((talk, horizon) in talk_until()) {
        let known = talk.stamps.iter().copied().filter(|ts| *ts <= horizon);
        prop_assert_eq!(cut_into_chapters(talk.start, known, talk.policy, horizon), cut_talk(&talk, horizon));
    }

    #[test]
    fn what_is_cut_stays_cut((talk, horizon) in talk_until(), later in 0..1_000_000_000_i64) {
        let early = cut_talk(&talk, horizon);
        let late = cut_talk(&talk, MessageTs::from_micros(horizon.as_micros() + later));
        prop_assert!(late.starts_with(&early));
    }

    #[test]
    fn started_at_a_chapters_end_it_goes_on_alike((talk, horizon) in talk_until(), nth in 0..40_usize) {
        let chapters = cut_talk(&talk, horizon);
        let done = nth.min(chapters.len());
        let start = chapters.iter().take(done).next_back().map_or(talk.start, |c| c.to);
        let rest = cut_into_chapters(start, talk.stamps.iter().copied(), talk.policy, horizon);
        prop_assert_eq!(rest.as_slice(), &chapters[done..]);
    }

    #[test]
    fn with_a_threshold_of_one_every_message_is_a_chapter(talk in talk()) {
        let policy = ChapterPolicy { message_threshold: 1, ..talk.policy };
        let chapters = cut_into_chapters(talk.start, talk.stamps.iter().copied(), policy, MessageTs::MAX);
        let ends: Vec<MessageTs> = chapters.iter().map(|c| c.to).collect();
        prop_assert_eq!(ends, talk.after_start());
        prop_assert!(chapters.iter().all(|c| c.count == 1 && c.closed_by == ClosedBy::Threshold));
    }

    /// Whatever the numbers: no panic, no overflow, and still that sentence.
    #[test]
    fn at_the_ends_of_the_numbers(
        mut micros in prop::collection::vec(prop_oneof![any::<i64>(), Just(i64::MIN), Just(i64::MAX)], 0..8),
        start in prop_oneof![any::<i64>(), Just(i64::MIN)],
        horizon in prop_oneof![any::<i64>(), Just(i64::MIN), Just(i64::MAX)],
        message_threshold in prop_oneof![0..4_u32, Just(u32::MAX)],
        idle in prop_oneof![0..3_u64, any::<u64>(), 0..20_000_000_000_000_u64],
    ) {
        let policy = ChapterPolicy { message_threshold, conversation_idle_seconds: idle };
        let given: Vec<MessageTs> = micros.iter().map(|micros| MessageTs::from_micros(*micros)).collect();
        let chapters = cut_into_chapters(MessageTs::from_micros(start), given, policy, MessageTs::from_micros(horizon));
        micros.retain(|ts| *ts > start && *ts <= horizon);
        micros.sort_unstable();
        micros.dedup();
        let mut ends = Vec::new();
        let mut held = 0;
        for (i, ts) in micros.iter().enumerate() {
            held += 1;
            let until = micros.get(i + 1).unwrap_or(&horizon);
            let silent = i128::from(*until) - i128::from(*ts) >= i128::from(idle) * 1_000_000;
            if held >= message_threshold || silent {
                ends.push((*ts, std::mem::take(&mut held)));
            }
        }
        let cuts: Vec<(i64, u32)> = chapters.iter().map(|c| (c.to.as_micros(), c.count)).collect();
        prop_assert_eq!(cuts, ends);
    }
}

/// A month of one channel, polled every minute, every hour, and once after a week of downtime.
#[test]
fn a_month_polled_at_three_cadences() {
    const MINUTE: i64 = 60;
    let policy = ChapterPolicy { message_threshold: 50, conversation_idle_seconds: 7200 };
    let start = MessageTs::from_micros(1_700_000_000_000_000);
    // Bursts of irregular talk, with nights and weekends between: a sawtooth of multiples is irregular enough.
    let minutes = (0..1500_i64).scan(0, |at, i| {
        let night = if i % 83 == 0 { 600 } else { 0 };
        *at += 1 + (i * 37) % 11 + night + if i % 411 == 0 { 2880 } else { 0 };
        Some(*at)
    });
    let stamps: Vec<MessageTs> = minutes.map(|m| start.plus_seconds(m * MINUTE)).collect();
    let end = stamps.last().expect("some").plus_seconds(10_000);
    let talk = Talk { start, stamps, policy };
    let every = |seconds: i64| -> Vec<MessageTs> {
        let last = end.micros_since(start) / 1_000_000 / seconds;
        (0..=last).map(|n| start.plus_seconds(n * seconds)).chain([end]).collect()
    };
    let at_once = cut_talk(&talk, end);
    assert_eq!(poll(&talk, &every(MINUTE)), at_once);
    assert_eq!(poll(&talk, &every(60 * MINUTE)), at_once);
    assert_eq!(poll(&talk, &every(7 * 24 * 60 * MINUTE)), at_once);
    assert_eq!(at_once.iter().map(|c| c.count).sum::<u32>(), 1500);
    let by = |reason| at_once.iter().filter(|c| c.closed_by == reason).count();
    assert!(by(ClosedBy::Threshold) > 5 && by(ClosedBy::Idle) > 5, "both triggers are at work");
}
