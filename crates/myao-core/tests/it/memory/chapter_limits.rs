//! The cut, case by case (specification §2.1): a policy of three messages or ten seconds of silence.

use myao_core::{
    chat::MessageTs,
    memory::{ChapterPolicy, ClosedBy, Cut, HistorySettings, cut_into_chapters},
};

const POLICY: ChapterPolicy = ChapterPolicy { message_threshold: 3, conversation_idle_seconds: 10 };

fn at(seconds: i64) -> MessageTs {
    MessageTs::MIN.plus_seconds(seconds)
}

/// As (end in seconds, count, why), after checking that each begins where the one before ends.
fn chapters_by(
    policy: ChapterPolicy,
    start: i64,
    seconds: &[i64],
    horizon: i64,
) -> Vec<(i64, u32, ClosedBy)> {
    let cuts = cut_into_chapters(at(start), seconds.iter().map(|s| at(*s)), policy, at(horizon));
    let begins: Vec<MessageTs> = cuts.iter().map(|c| c.from).collect();
    let ends: Vec<MessageTs> = cuts.iter().map(|c| c.to).collect();
    let expected: Vec<MessageTs> = [at(start)].into_iter().chain(ends).take(begins.len()).collect();
    assert_eq!(begins, expected);
    cuts.iter().map(|c| (c.to.as_micros() / 1_000_000, c.count, c.closed_by)).collect()
}

fn chapters(seconds: &[i64], horizon: i64) -> Vec<(i64, u32, ClosedBy)> {
    chapters_by(POLICY, 0, seconds, horizon)
}

#[test]
fn nothing_said_no_chapter() {
    assert_eq!(chapters(&[], 1000), []);
}

#[test]
fn nothing_new_since_the_last_version_no_new_version_ever() {
    let said = [at(1), at(2), at(3)];
    for horizon in [3, 4, 13, 1_000_000] {
        assert_eq!(cut_into_chapters(at(3), said, POLICY, at(horizon)), [], "at {horizon}");
    }
}

#[test]
fn full_at_the_threshold() {
    assert_eq!(chapters(&[1, 2], 3), []);
    assert_eq!(chapters(&[1, 2, 3], 3), [(3, 3, ClosedBy::Threshold)]);
    assert_eq!(chapters(&[1, 2, 3, 4], 4), [(3, 3, ClosedBy::Threshold)]);
}

#[test]
fn over_at_the_silence() {
    assert_eq!(chapters(&[1, 2], 11), []);
    assert_eq!(chapters(&[1, 2], 12), [(2, 2, ClosedBy::Idle)]);
    assert_eq!(chapters(&[1, 11], 11), [(1, 1, ClosedBy::Idle)]);
    assert_eq!(chapters(&[1, 10], 10), [], "a second short");
}

#[test]
fn full_and_silent_at_once_is_full() {
    assert_eq!(chapters(&[1, 2, 3, 50], 50), [(3, 3, ClosedBy::Threshold)]);
    assert_eq!(chapters(&[1, 2, 3], 50), [(3, 3, ClosedBy::Threshold)]);
}

#[test]
fn silence_in_the_middle_counts_from_anew() {
    let expected = [(2, 2, ClosedBy::Idle), (22, 3, ClosedBy::Threshold), (23, 1, ClosedBy::Idle)];
    assert_eq!(chapters(&[1, 2, 20, 21, 22, 23], 33), expected);
}

#[test]
fn started_in_the_middle() {
    let said = [1, 2, 3, 4, 5, 6, 7];
    assert_eq!(chapters_by(POLICY, 2, &said, 7), [(5, 3, ClosedBy::Threshold)]);
    assert_eq!(chapters_by(POLICY, 7, &said, 1000), []);
    assert_eq!(chapters_by(POLICY, 1000, &said, 2000), []);
    // The silence before the start ends no chapter.
    assert_eq!(chapters_by(POLICY, 100, &[1, 200], 200), []);
}

#[test]
fn a_horizon_before_everything_gives_nothing() {
    for horizon in [0, 1, -1, -1_000_000_000] {
        assert_eq!(chapters_by(POLICY, 1, &[2, 3, 4, 50], horizon), [], "at {horizon}");
    }
    let extremes = [MessageTs::from_micros(i64::MIN), MessageTs::MIN];
    for horizon in extremes {
        assert_eq!(cut_into_chapters(MessageTs::MIN, [at(2), at(3), at(4)], POLICY, horizon), []);
    }
}

#[test]
fn a_horizon_at_the_end_of_time_closes_everything() {
    let expected = Cut { from: at(0), to: at(5), count: 1, closed_by: ClosedBy::Idle };
    assert_eq!(cut_into_chapters(at(0), [at(5)], POLICY, MessageTs::MAX), [expected]);
}

#[test]
fn consecutive_time_stamps_are_messages_of_their_own() {
    let micros: Vec<MessageTs> = (1..=7).map(MessageTs::from_micros).collect();
    let cuts = cut_into_chapters(MessageTs::MIN, micros, POLICY, MessageTs::from_micros(7));
    let ends: Vec<i64> = cuts.iter().map(|c| c.to.as_micros()).collect();
    assert_eq!(ends, [3, 6]);
}

/// (channel, ts) is the message: what comes twice is a redelivery. It must not fill a chapter, nor be cut
/// off from itself, which would leave a chapter with an empty range.
#[test]
fn equal_time_stamps_are_one_message() {
    assert_eq!(chapters(&[1, 1, 1, 2], 2), []);
    assert_eq!(chapters(&[1, 2, 3, 3, 3, 3], 3), [(3, 3, ClosedBy::Threshold)]);
    let one = ChapterPolicy { message_threshold: 1, ..POLICY };
    assert_eq!(chapters_by(one, 0, &[5, 5], 5), [(5, 1, ClosedBy::Threshold)]);
}

#[test]
fn a_second_of_silence() {
    let policy = ChapterPolicy { conversation_idle_seconds: 1, ..POLICY };
    let micros = [1, 1_000_000, 2_000_000].map(MessageTs::from_micros);
    let cuts = cut_into_chapters(MessageTs::MIN, micros, policy, MessageTs::from_micros(2_999_999));
    let ends: Vec<(i64, u32)> = cuts.iter().map(|c| (c.to.as_micros(), c.count)).collect();
    assert_eq!(ends, [(1_000_000, 2)], "a microsecond short of it twice, and exactly it once");
}

/// The policy of settings that a configuration would refuse is the nearest that makes sense.
#[test]
fn the_least_policy_is_one_and_one() {
    let settings =
        HistorySettings { message_threshold: 0, conversation_idle_seconds: 0, ..HistorySettings::default() };
    assert_eq!(settings.policy(), ChapterPolicy { message_threshold: 1, conversation_idle_seconds: 1 });
}

#[test]
fn the_policy_of_the_defaults() {
    let policy = HistorySettings::default().policy();
    assert_eq!(policy, ChapterPolicy { message_threshold: 50, conversation_idle_seconds: 7200 });
}
