//! `next_merge`, case by case (specification §2.2): what is folded into the long-term memory, and when.

use myao_core::{
    chat::MessageTs,
    memory::{ChapterState, FoldMark, HistorySettings, MemorySettings, MergePlan, StepId, next_merge},
};

const HOUR: i64 = 3600;
/// Tokens a merge may read, in these tests.
const BUDGET: usize = 1000;
/// `short_term_summary_max_tokens`.
const SMALL: usize = 300;

fn now() -> MessageTs {
    MessageTs::from_micros(1_700_000_000_000_000)
}

/// A model's summary, an hour old.
fn summary(version: u32, tokens: usize) -> ChapterState {
    let step = StepId(1000 + i64::from(version));
    let to = now().plus_seconds(-HOUR);
    ChapterState { version, step, to, tokens, verbatim: false, emptied: false, provisional: false }
}

fn verbatim(version: u32, tokens: usize) -> ChapterState {
    ChapterState { verbatim: true, ..summary(version, tokens) }
}

fn emptied(version: u32) -> ChapterState {
    ChapterState { emptied: true, ..summary(version, 0) }
}

fn after(chapter: &ChapterState) -> FoldMark {
    FoldMark { version: chapter.version, step: Some(chapter.step) }
}

fn plan(mark: FoldMark, written: &[ChapterState], complete: bool) -> Option<MergePlan> {
    next_merge(mark, written, complete, BUDGET, &MemorySettings::default(), now())
}

/// The versions of the first merge of a channel, all of whose chapters are written.
fn first(written: &[ChapterState]) -> Option<Vec<u32>> {
    plan(FoldMark::default(), written, true).map(|p| versions(&p))
}

fn versions(plan: &MergePlan) -> Vec<u32> {
    plan.chapters.iter().map(|c| c.version).collect()
}

#[test]
fn nothing_waits_nothing_is_merged() {
    assert_eq!(first(&[]), None);
    let done = [summary(1, 100), summary(2, 100)];
    assert_eq!(plan(after(&done[1]), &done, true), None);
}

#[test]
fn a_summary_is_merged_at_once() {
    let one = [summary(1, 100)];
    let merge = plan(FoldMark::default(), &one, true).expect("due");
    assert_eq!(merge, MergePlan { chapters: one.to_vec(), mark: after(&one[0]) });
}

#[test]
fn from_the_mark_on() {
    let written = [summary(1, 100), summary(2, 100), summary(3, 100)];
    let merge = plan(after(&written[0]), &written, true).expect("due");
    assert_eq!(versions(&merge), [2, 3]);
    assert_eq!(merge.mark, after(&written[2]));
}

#[test]
fn the_longest_run_that_fits() {
    let run = |tokens: &[usize]| {
        let written: Vec<ChapterState> = (1..).zip(tokens).map(|(v, t)| summary(v, *t)).collect();
        first(&written).expect("due")
    };
    assert_eq!(run(&[400, 600]), [1, 2], "exactly the budget");
    assert_eq!(run(&[400, 601]), [1], "one more");
    assert_eq!(run(&[400, 601, 1]), [1], "a later one that would fit does not jump the queue");
    assert_eq!(run(&[5000, 1]), [1], "one that never fits goes alone");
    assert_eq!(run(&[usize::MAX, usize::MAX]), [1], "however much it is");
    assert_eq!(run(&[2, usize::MAX]), [1]);
    assert_eq!(run(&[0, 1000, 0, 1]), [1, 2, 3]);
}

#[test]
fn while_chapters_are_to_be_written_only_full_batches() {
    let written = [summary(1, 400), summary(2, 500), summary(3, 400)];
    assert_eq!(plan(FoldMark::default(), &written[..1], false), None);
    assert_eq!(plan(FoldMark::default(), &written[..2], false), None, "a third might still fit");
    let full = plan(FoldMark::default(), &written, false).expect("full");
    assert_eq!(versions(&full), [1, 2]);
    assert_eq!(plan(full.mark, &written, false), None);
    assert_eq!(versions(&plan(full.mark, &written, true).expect("the rest")), [3]);
}

#[test]
fn an_emptied_chapter_is_passed_over() {
    let written = [emptied(1), summary(2, 100), emptied(3), summary(4, 100), emptied(5)];
    let merge = plan(FoldMark::default(), &written, true).expect("due");
    assert_eq!(versions(&merge), [2, 4]);
    assert_eq!(merge.mark, after(&written[4]), "past the emptied one at the end");
    assert_eq!(plan(merge.mark, &written, true), None);
}

#[test]
fn an_emptied_chapter_takes_no_budget_and_ends_no_batch() {
    let large = ChapterState { tokens: 5000, ..emptied(2) };
    let written = [summary(1, 500), large, summary(3, 500), emptied(4), summary(5, 1)];
    let merge = plan(FoldMark::default(), &written, true).expect("due");
    assert_eq!(versions(&merge), [1, 3]);
    assert_eq!(merge.mark, after(&written[3]));
}

#[test]
fn emptied_chapters_alone_are_no_merge() {
    assert_eq!(first(&[emptied(1), emptied(2)]), None);
}

#[test]
fn verbatim_chapters_wait_for_company() {
    assert_eq!(first(&[verbatim(1, 10)]), None);
    assert_eq!(first(&[verbatim(1, 100), verbatim(2, 200)]), None, "exactly {SMALL} do not exceed it");
    assert_eq!(first(&[verbatim(1, 100), verbatim(2, 201)]), Some(vec![1, 2]));
    assert_eq!(first(&[verbatim(1, SMALL), emptied(2)]), None, "nor does an emptied one");
}

#[test]
fn verbatim_chapters_wait_a_day() {
    let aged = |version, hours: i64, seconds: i64| ChapterState {
        to: now().plus_seconds(-hours * HOUR - seconds),
        ..verbatim(version, 10)
    };
    assert_eq!(first(&[aged(1, 24, -1), aged(2, 1, 0)]), None);
    assert_eq!(
        first(&[aged(1, 24, 0), aged(2, 1, 0)]),
        Some(vec![1, 2]),
        "the oldest counts, all go with it"
    );
    assert_eq!(first(&[ChapterState { emptied: true, ..aged(1, 48, 0) }, aged(2, 1, 0)]), None);
    let done = aged(1, 48, 0);
    assert_eq!(plan(after(&done), &[done, aged(2, 1, 0)], true), None, "the oldest of those that wait");
}

#[test]
fn a_summary_takes_waiting_verbatim_chapters_along() {
    assert_eq!(first(&[verbatim(1, 10), summary(2, 10), verbatim(3, 10)]), Some(vec![1, 2, 3]));
}

#[test]
fn the_waiting_follows_the_configured_length() {
    let settings = MemorySettings { short_term_summary_max_tokens: 50, ..MemorySettings::default() };
    let due = |tokens| {
        next_merge(FoldMark::default(), &[verbatim(1, tokens)], true, BUDGET, &settings, now()).is_some()
    };
    assert_eq!((due(50), due(51)), (false, true));
}

/// Overwrite mode replaces the newest version: same number, another text.
#[test]
fn a_rewritten_newest_version_is_merged_again() {
    let old = summary(3, 100);
    let new = ChapterState { step: StepId(2003), ..old };
    assert_eq!(plan(after(&old), &[old], true), None);
    let merge = plan(after(&old), &[new], true).expect("due");
    assert_eq!((versions(&merge), merge.mark), (vec![3], after(&new)));
    assert_eq!(plan(merge.mark, &[new], true), None, "once");
    // Switched on again, versions go on after it.
    let next = summary(4, 100);
    assert_eq!(versions(&plan(merge.mark, &[new, next], true).expect("due")), [4]);
    assert_eq!(versions(&plan(after(&old), &[new, next], true).expect("due")), [3, 4]);
}

/// Chapter 2 was dropped by a removal and is not written again yet: 3 must not be folded in before it.
#[test]
fn what_lies_beyond_a_hole_waits() {
    let written = [summary(1, 600), summary(3, 600), summary(4, 600)];
    assert_eq!(plan(FoldMark::default(), &written, false), None);
    assert_eq!(plan(FoldMark::default(), &written, true), None, "whatever the caller takes for complete");
    assert_eq!(plan(after(&written[0]), &written, true), None);
    let rewritten = [summary(1, 600), summary(2, 600), summary(3, 600), summary(4, 600)];
    assert_eq!(versions(&plan(after(&written[0]), &rewritten, true).expect("due")), [2]);
}

#[test]
fn holes_before_the_mark_do_not_matter() {
    let written = [summary(1, 10), summary(7, 10), summary(8, 10)];
    assert_eq!(versions(&plan(after(&written[1]), &written, true).expect("due")), [8]);
    assert_eq!(versions(&plan(after(&written[1]), &written[2..], true).expect("due")), [8]);
}

fn literal(mark: FoldMark, written: &[ChapterState], complete: bool) -> Option<MergePlan> {
    let settings = MemorySettings {
        long_term_update_interval_seconds: 0,
        history: HistorySettings { verbatim_small: false, ..HistorySettings::default() },
        ..MemorySettings::default()
    };
    assert!(settings.is_literal());
    next_merge(mark, written, complete, BUDGET, &settings, now())
}

/// In literal mode each merge takes one version, at once: nothing waits for company, for its day, or for later chapters.
#[test]
fn literally_one_by_one() {
    let written = [summary(1, 100), verbatim(2, 5), emptied(3), summary(4, 100)];
    let mut mark = FoldMark::default();
    let mut merged = Vec::new();
    while let Some(plan) = literal(mark, &written, false) {
        mark = plan.mark;
        merged.push(versions(&plan));
    }
    assert_eq!((merged, mark), (vec![vec![1], vec![2], vec![4]], after(&written[3])));
    let behind_a_gap = [summary(1, 100), summary(3, 100)];
    assert_eq!(
        literal(after(&behind_a_gap[0]), &behind_a_gap, false),
        None,
        "chapter 2 is still to be written"
    );
    assert_eq!(literal(FoldMark::default(), &[emptied(1)], true), None);
}

/// Both settings have to be as the predecessor has them.
#[test]
fn literal_mode_is_asked_for_by_both_keys() {
    let with = |seconds, verbatim_small| {
        let history = HistorySettings { verbatim_small, ..HistorySettings::default() };
        MemorySettings { long_term_update_interval_seconds: seconds, history, ..MemorySettings::default() }
    };
    assert!(with(0, false).is_literal());
    assert!(!with(0, true).is_literal() && !with(1, false).is_literal());
    assert!(!MemorySettings::default().is_literal());
}

/// What is folded in does not depend on when a provisional version was made: it waits until its chapter is closed, and
/// in literal mode its fold is undone then.
#[test]
fn a_provisional_version_waits() {
    for one in [summary(1, 5000), verbatim(1, 5000), ChapterState { to: MessageTs::MIN, ..verbatim(1, 5) }] {
        let open = [ChapterState { provisional: true, ..one }];
        assert_eq!(first(&open), None);
        assert_eq!(first(&[one]), Some(vec![1]));
        assert_eq!(literal(FoldMark::default(), &open, true).map(|plan| versions(&plan)), Some(vec![1]));
    }
}
