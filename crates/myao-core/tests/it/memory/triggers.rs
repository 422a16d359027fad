//! Specification §12.1, row by row: when a version is written; and that chapters are cut by it.

use jiff::{SignedDuration, Timestamp};
use myao_core::{
    chat::MessageTs,
    memory::{ChapterPolicy, HistorySettings, cut_into_chapters, first_version, should_update},
};
use proptest::prelude::*;

const MINUTE: i64 = 60;
const HOUR: i64 = 60 * MINUTE;

fn now() -> MessageTs {
    let now: Timestamp = "2024-04-01T12:00:00Z".parse().expect("an instant");
    MessageTs::from_timestamp(now)
}

fn before_now(seconds: i64) -> MessageTs {
    MessageTs::from_timestamp(now().to_timestamp() - SignedDuration::from_secs(seconds))
}

fn on() -> Option<ChapterPolicy> {
    HistorySettings::default().triggers()
}

fn off() -> Option<ChapterPolicy> {
    HistorySettings { enabled: false, ..HistorySettings::default() }.triggers()
}

/// The table of specification §12.1, with its defaults (2 hours, 50 messages).
#[test]
fn the_table_of_triggers() {
    // (case, seconds since the latest message, has a memory, new messages, settings, expected)
    let table = [
        ("履歴機能無効", MINUTE, true, 1, off(), true),
        ("既存記憶なし", MINUTE, false, 1, on(), true),
        ("idle 時間経過", 2 * HOUR, true, 1, on(), true),
        ("メッセージ数超過", MINUTE, true, 50, on(), true),
        ("両条件未満", HOUR, true, 30, on(), false),
        ("idle + メッセージ", 2 * HOUR, true, 60, on(), true),
    ];
    for (row, ago, has_memory, new, policy, expected) in table {
        assert_eq!(should_update(Some(before_now(ago)), has_memory, new, policy, now()), expected, "{row}");
    }
}

/// The same table, of what decides over the chapters of a channel: the cut, and the first version without one.
#[test]
fn the_table_of_triggers_as_chapters() {
    let policy = HistorySettings::default().policy();
    // (case, seconds since the latest message, has a memory, new messages, expected)
    let table = [
        ("既存記憶なし", MINUTE, false, 1, true),
        ("idle 時間経過", 2 * HOUR, true, 1, true),
        ("メッセージ数超過", MINUTE, true, 50, true),
        ("両条件未満", HOUR, true, 30, false),
        ("idle + メッセージ", 2 * HOUR, true, 60, true),
    ];
    for (row, ago, has_memory, new, expected) in table {
        let said: Vec<MessageTs> = (0..new).rev().map(|n| before_now(ago + n)).collect();
        let start = before_now(ago + 1000);
        let is_cut = !cut_into_chapters(start, said.iter().copied(), policy, now()).is_empty();
        let first = first_version(start, said, policy, now());
        assert_eq!(is_cut || (!has_memory && first.is_some()), expected, "{row}");
    }
}

#[test]
fn at_the_limits() {
    let update = |ago, new| should_update(Some(before_now(ago)), true, new, on(), now());
    assert!(!update(2 * HOUR - 1, 49), "one second and one message short");
    assert!(update(2 * HOUR, 0), "idle ≥ limit");
    assert!(update(2 * HOUR + 1, 0));
    assert!(update(0, 50), "count ≥ threshold");
    assert!(update(0, 51));
    assert!(!update(-HOUR, 49), "a message from the future is not idle");
}

#[test]
fn without_any_message() {
    assert!(!should_update(None, true, 0, on(), now()));
    assert!(should_update(None, false, 0, on(), now()));
    assert!(should_update(None, true, 0, off(), now()));
}

#[test]
fn numbers_below_one_count_as_one() {
    let zero =
        HistorySettings { message_threshold: 0, conversation_idle_seconds: 0, ..HistorySettings::default() };
    let zero = zero.triggers();
    assert!(!should_update(Some(before_now(0)), true, 0, zero, now()));
    assert!(should_update(Some(before_now(0)), true, 1, zero, now()));
    assert!(should_update(Some(before_now(1)), true, 0, zero, now()));
}

proptest! {
    /// Whenever the rule of specification §12.1 asks for a new version of what was said, the cut has a chapter for it.
    /// (Not the other way round: the cut also ends chapters at a silence in the middle, which that rule, asked
    /// too late, can't see.)
    #[test]
    fn the_cut_has_a_chapter_whenever_the_rule_asks_for_one(
        gaps in prop::collection::vec(0..4 * HOUR, 1..12),
        silence in 0..4 * HOUR,
        message_threshold in 1..8_u32,
    ) {
        let settings = HistorySettings { message_threshold, ..HistorySettings::default() };
        let start = now();
        let stamps: Vec<MessageTs> = gaps
            .iter()
            .scan(start.plus_seconds(1), |ts, gap| {
                let said = *ts;
                *ts = ts.plus_seconds(1 + gap);
                Some(said)
            })
            .collect();
        let latest = stamps.last().copied();
        let horizon = latest.map_or(start, |ts| ts.plus_seconds(silence));
        let count = u64::try_from(stamps.len()).expect("few");
        let asked = should_update(latest, true, count, settings.triggers(), horizon);
        let chapters = cut_into_chapters(start, stamps, settings.policy(), horizon);
        prop_assert!(!asked || !chapters.is_empty());
    }
}
