//! What may be taken for deleted, and what never.

use std::collections::BTreeSet;

use myao_core::chat::{Absence, Listed, MessageTs, absent};
use proptest::prelude::*;

fn ts(second: i64) -> MessageTs {
    MessageTs::MIN.plus_seconds(second)
}

fn all(seconds: impl IntoIterator<Item = i64>) -> Vec<MessageTs> {
    seconds.into_iter().map(ts).collect()
}

fn listed(seen: &[MessageTs]) -> Listed<'_> {
    Listed { seen, after: ts(0), before: ts(1000), hides_older: false }
}

#[test]
fn what_is_absent_between_two_that_are_there_was_deleted() {
    let seen = all([10, 30]);
    assert_eq!(absent(&all([10, 20, 30]), listed(&seen)), Absence::Deleted(all([20])));
    assert_eq!(absent(&seen, listed(&seen)), Absence::Deleted(Vec::new()));
}

#[test]
fn nothing_is_said_about_what_lies_at_or_beyond_the_ends() {
    let seen = all([10, 30]);
    let ends = Listed { after: ts(10), before: ts(30), ..listed(&seen) };
    assert_eq!(absent(&all([5, 10, 20, 30, 40]), ends), Absence::Deleted(all([20])));
}

#[test]
fn many_at_once_are_for_a_person_to_look_at() {
    // Three of three are few; four of nineteen are over a fifth; four of twenty are not.
    assert_eq!(absent(&all(1..4), listed(&[])), Absence::Deleted(all(1..4)));
    let seen = all(5..20);
    assert_eq!(absent(&all(1..20), listed(&seen)), Absence::Doubtful { missing: 4, of: 19 });
    let seen = all(5..21);
    assert_eq!(absent(&all(1..21), listed(&seen)), Absence::Deleted(all(1..5)));
}

#[test]
fn where_older_messages_are_hidden_nothing_counts_as_deleted() {
    let seen = all([10, 30]);
    let hiding = Listed { hides_older: true, ..listed(&seen) };
    assert_eq!(absent(&all([10, 20, 30]), hiding), Absence::Doubtful { missing: 1, of: 3 });
    assert_eq!(absent(&seen, hiding), Absence::Deleted(Vec::new()));
}

proptest! {
    #[test]
    fn only_what_is_archived_unlisted_and_within_is_deleted_and_never_many(
        archived in prop::collection::btree_set(0_i64..200, 0..60),
        seen in prop::collection::btree_set(0_i64..200, 0..60),
        (after, before) in (0_i64..200, 0_i64..200),
        hides_older: bool,
    ) {
        let seen_list = all(seen.iter().copied());
        let span = Listed { seen: &seen_list, after: ts(after), before: ts(before), hides_older };
        let missing: Vec<i64> = archived.difference(&seen).copied()
            .filter(|second| after < *second && *second < before).collect();
        let of = archived.iter().filter(|second| after < **second && **second < before).count();
        match absent(&all(archived.iter().copied()), span) {
            Absence::Deleted(gone) => {
                prop_assert_eq!(gone.clone(), all(missing));
                prop_assert!(gone.len() <= 3 || gone.len() * 5 <= of);
                prop_assert!(!hides_older || gone.is_empty());
                let distinct: BTreeSet<_> = gone.iter().collect();
                prop_assert_eq!(distinct.len(), gone.len());
            }
            Absence::Doubtful { missing: n, of: m } => {
                prop_assert_eq!((n, m), (missing.len(), of));
                prop_assert!(hides_older || (n > 3 && n * 5 > m));
            }
        }
    }
}
