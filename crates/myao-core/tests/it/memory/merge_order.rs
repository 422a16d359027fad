//! `next_merge`, asked again and again (specification §2.2): each chapter exactly once, in order, and in the same
//! batches wherever a kill fell.

use myao_core::{
    chat::MessageTs,
    memory::{ChapterState, FoldMark, MemorySettings, MergePlan, StepId, next_merge},
};
use proptest::prelude::*;

const HOUR: i64 = 3600;

fn now() -> MessageTs {
    MessageTs::from_micros(1_700_000_000_000_000)
}

/// A channel about to be folded.
#[derive(Clone, Debug)]
struct Channel {
    chapters: Vec<ChapterState>,
    budget: usize,
    settings: MemorySettings,
}

impl Channel {
    fn next(&self, mark: FoldMark, written: usize) -> Option<MergePlan> {
        let complete = written == self.chapters.len();
        let written = self.chapters.get(..written).expect("no more than there are");
        next_merge(mark, written, complete, self.budget, &self.settings, now())
    }

    /// Merges until nothing is due.
    fn drain(&self, mark: &mut FoldMark, written: usize) -> Vec<MergePlan> {
        let plans: Vec<MergePlan> = std::iter::from_fn(|| {
            let plan = self.next(*mark, written)?;
            *mark = plan.mark;
            Some(plan)
        })
        .take(self.chapters.len() + 1)
        .collect();
        assert!(plans.len() <= self.chapters.len(), "it never comes to an end");
        plans
    }

    /// All chapters written, then merged.
    fn undisturbed(&self) -> (Vec<MergePlan>, FoldMark) {
        let mut mark = FoldMark::default();
        (self.drain(&mut mark, self.chapters.len()), mark)
    }

    fn full(&self) -> impl Iterator<Item = &ChapterState> {
        self.chapters.iter().filter(|c| !c.emptied)
    }
}

prop_compose! {
    fn channel()(
        kinds in prop::collection::vec((0..400_usize, 0..10_u8, 0..30 * HOUR), 0..25),
        budget in prop_oneof![Just(1_usize), 100..2000_usize],
        short_term_summary_max_tokens in 1..600_u32,
        only_verbatim in any::<bool>(),
        newest_age in 0..30 * HOUR,
    ) -> Channel {
        let mut age: i64 = newest_age + kinds.iter().map(|(_, _, gap)| gap / 10).sum::<i64>();
        let chapters = (1_u32..).zip(kinds).map(|(version, (tokens, kind, gap))| {
            age -= gap / 10;
            ChapterState {
                version,
                step: StepId(1000 + i64::from(version)),
                to: now().plus_seconds(-age),
                tokens,
                verbatim: only_verbatim || kind < 5,
                emptied: kind == 9,
                provisional: false,
            }
        });
        let chapters = chapters.collect();
        let settings = MemorySettings { short_term_summary_max_tokens, ..MemorySettings::default() };
        Channel { chapters, budget, settings }
    }
}

fn merged(plans: &[MergePlan]) -> Vec<u32> {
    plans.iter().flat_map(|p| &p.chapters).map(|c| c.version).collect()
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(1024))]

    #[test]
    fn each_exactly_once_and_in_order(channel in channel()) {
        let (plans, mark) = channel.undisturbed();
        let merged = merged(&plans);
        let all: Vec<u32> = channel.full().map(|c| c.version).collect();
        prop_assert!(all.starts_with(&merged), "{:?} of {:?}", merged, all);
        prop_assert!(plans.iter().all(|p| !p.chapters.is_empty()));
        prop_assert_eq!(channel.next(mark, channel.chapters.len()), None);
    }

    /// "Verbatim chapters wait until together they exceed `short_term_summary_max_tokens` or the oldest is
    /// 24 h old; others are merged at once."
    #[test]
    fn what_is_left_waits_for_a_reason(channel in channel()) {
        let (plans, _) = channel.undisturbed();
        let left: Vec<&ChapterState> = channel.full().skip(merged(&plans).len()).collect();
        let limit = usize::try_from(channel.settings.short_term_summary_max_tokens).expect("small");
        prop_assert!(left.iter().all(|c| c.verbatim));
        prop_assert!(left.iter().map(|c| c.tokens).sum::<usize>() <= limit);
        prop_assert!(left.iter().all(|c| now().micros_since(c.to) < 24 * HOUR * 1_000_000));
    }

    #[test]
    fn each_batch_is_the_longest_run_that_fits(channel in channel()) {
        let (plans, _) = channel.undisturbed();
        let all: Vec<&ChapterState> = channel.full().collect();
        let mut done = 0;
        for plan in &plans {
            let tokens: usize = plan.chapters.iter().map(|c| c.tokens).sum();
            prop_assert!(tokens <= channel.budget || plan.chapters.len() == 1);
            done += plan.chapters.len();
            if let Some(next) = all.get(done) {
                prop_assert!(tokens + next.tokens > channel.budget, "chapter {} had room", next.version);
            }
        }
    }

    #[test]
    fn the_mark_stands_right_before_the_next_that_has_a_text(channel in channel()) {
        let (plans, _) = channel.undisturbed();
        for plan in plans {
            let last = plan.chapters.last().expect("at least one").version;
            let next = channel.full().find(|c| c.version > last).map(|c| c.version);
            let end = channel.chapters.last().map(|c| c.version);
            prop_assert_eq!(Some(plan.mark.version), next.map(|n| n - 1).or(end));
            prop_assert_eq!(plan.mark.step, Some(StepId(1000 + i64::from(plan.mark.version))));
        }
    }

    #[test]
    fn while_incomplete_only_full_batches(channel in channel(), written in 0..25_usize) {
        let written = written % channel.chapters.len().max(1);
        let mut mark = FoldMark::default();
        let plans = channel.drain(&mut mark, written);
        let done = merged(&plans).len();
        let known: Vec<&ChapterState> =
            channel.chapters.iter().take(written).filter(|c| !c.emptied).collect();
        if let Some(last) = plans.last() {
            let next = known.get(done).expect("what did not fit any more is known");
            let tokens: usize = last.chapters.iter().map(|c| c.tokens).sum();
            prop_assert!(tokens + next.tokens > channel.budget);
        }
    }

    /// A build writes chapters and merges what is full; killed at any point and started again, perhaps with a
    /// look at the merges first, it goes on from what is stored (a merge killed before its commit left nothing).
    /// The batches are those of one that was never disturbed.
    #[test]
    fn the_same_batches_wherever_a_kill_fell(
        channel in channel(),
        lives in prop::collection::vec((0..6_usize, 0..3_usize), 0..12),
    ) {
        let mut written = 0;
        let mut mark = FoldMark::default();
        let mut plans = Vec::new();
        for (writes, merges) in lives {
            written = (written + writes).min(channel.chapters.len());
            for _ in 0..merges {
                if let Some(plan) = channel.next(mark, written) {
                    mark = plan.mark;
                    plans.push(plan);
                }
            }
        }
        plans.extend(channel.drain(&mut mark, channel.chapters.len()));
        let (expected, end) = channel.undisturbed();
        prop_assert_eq!(plans, expected);
        prop_assert_eq!(mark, end);
    }

    /// Live, chapters come one by one and each is complete for the moment: the batches differ, the order and
    /// the once do not.
    #[test]
    fn live_each_exactly_once_and_in_order(channel in channel()) {
        let mut mark = FoldMark::default();
        let mut versions = Vec::new();
        for written in 0..=channel.chapters.len() {
            let known = Channel { chapters: channel.chapters[..written].to_vec(), ..channel.clone() };
            versions.extend(merged(&known.drain(&mut mark, written)));
        }
        let all: Vec<u32> = channel.full().map(|c| c.version).collect();
        prop_assert!(all.starts_with(&versions), "{:?} of {:?}", versions, all);
        let left = all.len() - versions.len();
        let waits = channel.full().skip(versions.len()).all(|c| c.verbatim);
        prop_assert!(left == 0 || waits);
    }
}
