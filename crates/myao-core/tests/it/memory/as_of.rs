//! When a chapter had ended.

use myao_core::{
    chat::MessageTs,
    memory::{ChapterEnd, ClosedBy, cut_into_chapters},
};
use proptest::prelude::*;

use super::talk::talk_until;

#[test]
fn silence_has_to_have_lasted_and_a_provisional_chapter_has_not_ended() {
    let to = MessageTs::from_micros(5_000_000);
    let end = |closed_by| ChapterEnd { to, closed_by, conversation_idle_seconds: 60 };
    assert_eq!(end(ClosedBy::Idle).certain_at(), Some(to.plus_seconds(60)));
    assert_eq!(end(ClosedBy::Threshold).certain_at(), Some(to));
    assert_eq!(end(ClosedBy::Provisional).certain_at(), None);
    assert!(!end(ClosedBy::Provisional).had_ended_by(MessageTs::MAX));
    let endless = ChapterEnd { conversation_idle_seconds: u64::MAX, ..end(ClosedBy::Idle) };
    assert!(!endless.had_ended_by(to.plus_seconds(1_000_000)));
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(512))]

    /// Of the chapters of all that was ever said, those had ended by an instant that are cut when nothing after the instant is
    /// known.
    #[test]
    fn it_had_ended_if_it_is_cut_without_what_came_later((talk, instant) in talk_until()) {
        let cut = |horizon| cut_into_chapters(talk.start, talk.stamps.iter().copied(), talk.policy, horizon);
        let then = cut(instant);
        let ended = cut(MessageTs::MAX).into_iter().filter(|chapter| {
            let end = ChapterEnd {
                to: chapter.to,
                closed_by: chapter.closed_by,
                conversation_idle_seconds: talk.policy.conversation_idle_seconds,
            };
            end.had_ended_by(instant)
        });
        prop_assert_eq!(ended.collect::<Vec<_>>(), then);
    }
}
