//! The first live memory of a channel (SPEC §2.1 Start; seed 01f: 既存記憶なし → True).

use myao_core::{
    chat::MessageTs,
    memory::{ClosedBy, Cut, close_first, cut},
};
use proptest::prelude::*;

use super::talk::talk_until;

fn at(seconds: i64) -> MessageTs {
    MessageTs::MIN.plus_seconds(seconds)
}

#[test]
fn takes_what_is_there() {
    let expected = Cut { from: at(10), to: at(30), count: 2, closed_by: ClosedBy::First };
    assert_eq!(close_first(at(10), [at(30), at(5), at(20), at(40)], at(35)), Some(expected));
}

#[test]
fn of_nothing_there_is_none() {
    assert_eq!(close_first(at(10), [], at(35)), None);
    assert_eq!(close_first(at(10), [at(5), at(10), at(36)], at(35)), None);
    assert_eq!(close_first(at(10), [at(20)], at(-5)), None);
}

#[test]
fn a_message_that_came_twice_counts_once() {
    let first = close_first(at(0), [at(1), at(1), at(1)], at(2)).expect("something was said");
    assert_eq!(first.count, 1);
}

proptest! {
    // Something closes in four of five cases; these are drawn anew.
    #![proptest_config(ProptestConfig { max_global_rejects: 16_384, ..ProptestConfig::default() })]

    /// Where nothing closes yet, the first memory and what is cut after it cover all messages exactly once.
    #[test]
    fn the_cut_goes_on_after_it((talk, horizon) in talk_until(), later in 0..1_000_000_000_i64) {
        let stamps = || talk.stamps.iter().copied();
        prop_assume!(cut(talk.start, stamps(), talk.policy, horizon).is_empty());
        let seen = talk.after_start().into_iter().filter(|ts| *ts <= horizon).count();
        let Some(first) = close_first(talk.start, stamps(), horizon) else {
            prop_assert_eq!(seen, 0);
            return Ok(());
        };
        prop_assert_eq!(usize::try_from(first.count).expect("few"), seen);
        let until = MessageTs::from_micros(horizon.as_micros() + later);
        let next = cut(first.to, stamps(), talk.policy, until);
        for ts in talk.after_start() {
            let owners = [first].iter().chain(&next).filter(|c| ts > c.from && ts <= c.to).count();
            let end = next.last().map_or(first.to, |last| last.to);
            prop_assert_eq!(owners, usize::from(ts <= end));
        }
    }
}
