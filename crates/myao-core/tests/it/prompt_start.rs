//! Where the conversation starts: nothing falls between it and the memories (specification §3).

use myao_core::{
    chat::MessageTs,
    context::{ChapterSpan, conversation_start},
};
use proptest::prelude::*;

fn at(n: i64) -> MessageTs {
    MessageTs::from_micros(n)
}

/// Chapters of ten ticks each from 0 on; the first `merged` of them are folded.
fn chapters(count: u32, merged: u32) -> Vec<ChapterSpan> {
    let span = |version: u32| {
        let to = i64::from(version) * 10;
        ChapterSpan { version, from: at(to - 10), to: at(to), merged: version <= merged, emptied: false }
    };
    (1..=count).map(span).collect()
}

#[test]
fn without_chapters_everything_is_shown() {
    assert_eq!(conversation_start(&[], at(70), 5), (MessageTs::MIN, vec![]));
}

#[test]
fn what_is_in_no_chapter_yet_is_in_the_conversation() {
    assert_eq!(conversation_start(&chapters(3, 3), at(99), 5), (at(30), vec![1, 2, 3]));
}

#[test]
fn versions_that_stand_in_the_conversation_are_left_out_before_the_limit_counts() {
    assert_eq!(conversation_start(&chapters(8, 8), at(60), 5), (at(60), vec![2, 3, 4, 5, 6]));
}

#[test]
fn a_version_that_stands_in_it_in_part_is_shown() {
    assert_eq!(conversation_start(&chapters(8, 8), at(65), 2), (at(65), vec![6, 7]));
}

#[test]
fn waiting_versions_beyond_the_limit_move_the_start_back() {
    assert_eq!(conversation_start(&chapters(9, 2), at(99), 5), (at(70), vec![3, 4, 5, 6, 7]));
}

#[test]
fn with_history_switched_to_none_all_that_waits_is_shown_as_talk() {
    assert_eq!(conversation_start(&chapters(4, 2), at(99), 0), (at(20), vec![]));
    assert_eq!(conversation_start(&chapters(4, 4), at(99), 0), (at(40), vec![]));
}

#[test]
fn emptied_versions_take_no_place() {
    let mut spans = chapters(4, 0);
    spans[2].emptied = true;
    assert_eq!(conversation_start(&spans, at(99), 3), (at(40), vec![1, 2, 4]));
}

#[test]
fn a_chapter_without_a_text_is_shown_as_talk() {
    let mut spans = chapters(4, 0);
    spans.remove(2);
    assert_eq!(conversation_start(&spans, at(99), 5), (at(20), vec![1, 2]));
}

/// Chapters with holes, emptied ones and any of them merged, as a revert or a removal may leave them.
fn any_chapters() -> impl Strategy<Value = Vec<ChapterSpan>> {
    let chapter = (1..20_i64, prop::bool::ANY, prop::bool::weighted(0.2), prop::bool::weighted(0.1));
    prop::collection::vec(chapter, 0..15).prop_map(|chapters| {
        let mut end = 100;
        let spans =
            chapters.into_iter().zip(1..).filter_map(|((length, merged, emptied, missing), version)| {
                let from = at(end);
                end += length;
                let span = ChapterSpan { version, from, to: at(end), merged, emptied };
                (!missing).then_some(span)
            });
        spans.collect()
    })
}

proptest! {
    #[test]
    fn nothing_falls_between_memory_and_conversation(
        spans in any_chapters(), at_least in 50..400_i64, limit in 0..7_usize,
    ) {
        let (start, shown) = conversation_start(&spans, at(at_least), limit);
        prop_assert!(start <= at(at_least), "the message limit holds");
        prop_assert!(shown.len() <= limit && shown.is_sorted());
        for tick in spans.first().map_or(1, |s| s.from.as_micros() + 1)..=start.as_micros() {
            let span = spans.iter().find(|s| s.from < at(tick) && at(tick) <= s.to);
            let Some(span) = span else { return Err(TestCaseError::fail(format!("{tick} is in a hole"))) };
            prop_assert!(span.merged || span.emptied || shown.contains(&span.version), "{tick} is nowhere");
        }
        for span in &spans {
            let could = !span.emptied && span.from < start;
            prop_assert!(could || !shown.contains(&span.version));
            let newer = spans.iter().filter(|s| !s.emptied && s.from < start && s.version > span.version);
            prop_assert!(!could || newer.count() >= limit || shown.contains(&span.version), "newest first");
        }
    }

    #[test]
    fn the_start_moves_back_no_further_than_it_must(count in 0..30_u32, merged in 0..30_u32, limit in 0..7_usize) {
        let spans = chapters(count, merged);
        let (start, _) = conversation_start(&spans, MessageTs::MAX, limit);
        let waiting = count.saturating_sub(merged);
        let surplus = i64::from(waiting).saturating_sub(i64::try_from(limit).unwrap()).max(0);
        prop_assert_eq!(start, at((i64::from(count) - surplus) * 10));
    }
}
