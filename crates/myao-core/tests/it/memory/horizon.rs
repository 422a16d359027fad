//! Up to when a channel is known to be complete, and what that means for the end of a chapter.

use jiff::Timestamp;
use myao_core::{
    chat::MessageTs,
    memory::{Completeness, HistorySettings, SETTLING_SECONDS, cut_into_chapters, horizon_of_channel},
};

fn at(seconds: i64) -> Timestamp {
    Timestamp::from_second(1_700_000_000 + seconds).expect("a time")
}

fn ts(seconds: i64) -> MessageTs {
    MessageTs::from_timestamp(at(seconds))
}

/// In a run a chapter ends two hours and half a minute after its last message: one that is still on its way has half a
/// minute to arrive.
#[test]
fn a_chapter_ends_half_a_minute_after_its_silence() {
    let heard = Completeness { member: true, gap_from: None, until: MessageTs::MIN };
    let policy = HistorySettings::default().policy();
    let is_over =
        |now: i64| !cut_into_chapters(ts(-1), [ts(0)], policy, horizon_of_channel(heard, at(now))).is_empty();
    assert_eq!(SETTLING_SECONDS, 30);
    assert!(!is_over(7200 + SETTLING_SECONDS - 1));
    assert!(is_over(7200 + SETTLING_SECONDS));
}

#[test]
fn it_is_never_later_than_what_was_heard() {
    let heard =
        |member, gap_from, until| horizon_of_channel(Completeness { member, gap_from, until }, at(1000));
    assert_eq!(heard(true, None, ts(5)), ts(970), "where we are a member, everything is heard");
    assert_eq!(
        heard(true, Some(ts(500)), ts(5)),
        ts(500).just_before(),
        "up to a gap, which begins with its instant"
    );
    assert_eq!(heard(true, Some(ts(990)), ts(5)), ts(970));
    assert_eq!(heard(false, None, ts(5)), ts(5), "elsewhere what an export or the last visit held");
    assert_eq!(heard(false, Some(ts(3)), ts(5)), ts(5));
    assert_eq!(heard(false, None, ts(999)), ts(970), "an export of this very minute settles as well");
}
