//! The first version of a channel in which nothing closes a chapter yet (specification §12.1: no memory yet).

use myao_core::{
    chat::MessageTs,
    memory::{ChapterPolicy, ClosedBy, Cut, cut_into_chapters, first_version},
};
use proptest::prelude::*;

use super::talk::{Talk, talk_until};

const POLICY: ChapterPolicy = ChapterPolicy { message_threshold: 50, conversation_idle_seconds: 7200 };

fn at(seconds: i64) -> MessageTs {
    MessageTs::MIN.plus_seconds(seconds)
}

#[test]
fn takes_what_is_there() {
    let expected = Cut { from: at(10), to: at(30), count: 2, closed_by: ClosedBy::Provisional };
    assert_eq!(first_version(at(10), [at(30), at(5), at(20), at(40)], POLICY, at(35)), Some(expected));
}

#[test]
fn of_nothing_there_is_none() {
    assert_eq!(first_version(at(10), [], POLICY, at(35)), None);
    assert_eq!(first_version(at(10), [at(5), at(10), at(36)], POLICY, at(35)), None);
    assert_eq!(first_version(at(10), [at(20)], POLICY, at(-5)), None);
}

#[test]
fn a_message_that_came_twice_counts_once() {
    let first = first_version(at(0), [at(1), at(1), at(1)], POLICY, at(2)).expect("something was said");
    assert_eq!(first.count, 1);
}

/// What a channel has of chapters: the closed ones, and a provisional one before the first of them.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
struct Chapters {
    closed: Vec<Cut>,
    provisional: Option<Cut>,
}

impl Chapters {
    /// One look at the channel, as the keeper has it.
    fn look(&mut self, talk: &Talk, horizon: MessageTs) {
        let stamps = || talk.stamps.iter().copied();
        let start = self.closed.last().map_or(talk.start, |last| last.to);
        let cuts = cut_into_chapters(start, stamps(), talk.policy, horizon);
        self.closed.extend(cuts);
        self.provisional = match self.closed.first() {
            Some(_) => None,
            None => first_version(talk.start, stamps(), talk.policy, horizon),
        };
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(1024))]

    /// Whoever looks at a channel in which something was said leaves it with a version, and whenever it was looked at
    /// before, with the same ones.
    #[test]
    fn there_is_a_first_version_and_the_end_does_not_depend_on_it(
        (talk, horizon) in talk_until(),
        looks in prop::collection::vec((0..40_usize, -3..300_000_000_i64), 0..12),
    ) {
        let mut horizons: Vec<MessageTs> = looks
            .iter()
            .map(|(near, beyond)| {
                let base = talk.stamps.get(*near).copied().unwrap_or(talk.start);
                MessageTs::from_micros(base.as_micros() + beyond)
            })
            .filter(|early| *early < horizon)
            .chain([horizon])
            .collect();
        horizons.sort_unstable();
        let mut polled = Chapters::default();
        for horizon in &horizons {
            polled.look(&talk, *horizon);
            let said = talk.after_start().into_iter().filter(|ts| ts <= horizon).count();
            let has_version = !polled.closed.is_empty() || polled.provisional.is_some();
            prop_assert_eq!(has_version, said > 0);
        }
        let mut at_once = Chapters::default();
        at_once.look(&talk, horizon);
        prop_assert_eq!(&polled, &at_once);
        for ts in talk.after_start().into_iter().filter(|ts| *ts <= horizon) {
            let all = polled.closed.iter().chain(&polled.provisional);
            let owners = all.filter(|chapter| ts > chapter.from && ts <= chapter.to).count();
            let end = polled.closed.last().map_or(horizon, |last| last.to);
            prop_assert_eq!(owners, usize::from(ts <= end), "{}", ts);
        }
    }
}
