//! What may be taken for deleted, and what never.

use std::collections::BTreeSet;

use myao_core::chat::{
    Absence, ComparedChannel, HeldMessage, HeldState, KeptMissing, Listed, MessageTs, MissingPattern,
    PatternSizes, UserId, absent_in_list, interpret_missing,
};
use proptest::prelude::*;

fn ts(second: i64) -> MessageTs {
    MessageTs::MIN.plus_seconds(second)
}

fn all(seconds: impl IntoIterator<Item = i64>) -> Vec<MessageTs> {
    seconds.into_iter().map(ts).collect()
}

/// A message of one of many people, with nothing about it.
fn held(second: i64) -> HeldMessage {
    HeldMessage {
        ts: ts(second),
        author: UserId::new(format!("U{second}")),
        is_by_bot: false,
        is_reply: false,
        has_files: false,
        is_edited: false,
        state: HeldState::Standing,
    }
}

fn archived(seconds: impl IntoIterator<Item = i64>) -> Vec<HeldMessage> {
    seconds.into_iter().map(held).collect()
}

fn listed(seen: &[MessageTs]) -> Listed<'_> {
    Listed { seen, after: ts(0), before: ts(1000), hides_older: false, is_announced: false }
}

fn deleted(seconds: impl IntoIterator<Item = i64>) -> Absence {
    Absence { deleted: all(seconds), ..Absence::default() }
}

fn kept(pattern: MissingPattern, seconds: impl IntoIterator<Item = i64>, of: usize) -> Absence {
    Absence { kept: vec![KeptMissing { pattern, messages: all(seconds), of }], ..Absence::default() }
}

#[test]
fn what_is_absent_between_two_that_are_there_was_deleted() {
    let seen = all([10, 30]);
    assert_eq!(absent_in_list(&archived([10, 20, 30]), listed(&seen)), deleted([20]));
    assert_eq!(absent_in_list(&archived([10, 30]), listed(&seen)), deleted([]));
}

#[test]
fn nothing_is_said_about_what_lies_at_or_beyond_the_ends() {
    let seen = all([10, 30]);
    let ends = Listed { after: ts(10), before: ts(30), ..listed(&seen) };
    assert_eq!(absent_in_list(&archived([5, 10, 20, 30, 40]), ends), deleted([20]));
}

#[test]
fn many_at_once_are_for_a_person_to_look_at() {
    // Three of three are few; four of nineteen are over a fifth; four of twenty are not.
    assert_eq!(absent_in_list(&archived(1..4), listed(&[])), deleted(1..4));
    let seen = all((1..20).filter(|n| n % 5 != 2));
    let four = [2, 7, 12, 17];
    assert_eq!(absent_in_list(&archived(1..20), listed(&seen)), kept(MissingPattern::Many, four, 19));
    let seen = all((1..21).filter(|n| n % 5 != 2));
    assert_eq!(absent_in_list(&archived(1..21), listed(&seen)), deleted(four));
}

#[test]
fn where_older_messages_are_hidden_nothing_counts_as_deleted() {
    let seen = all([10, 30]);
    let hiding = Listed { hides_older: true, ..listed(&seen) };
    assert_eq!(absent_in_list(&archived([10, 20, 30]), hiding), kept(MissingPattern::Hidden, [20], 3));
    assert_eq!(absent_in_list(&archived([10, 30]), hiding), deleted([]));
}

#[test]
fn where_the_platform_announced_it_many_are_deleted_unless_they_may_be_hidden() {
    let seen = all([10]);
    let announced = Listed { is_announced: true, ..listed(&seen) };
    assert_eq!(absent_in_list(&archived(10..40), announced), deleted(11..40));
    let hiding = Listed { hides_older: true, ..announced };
    assert_eq!(absent_in_list(&archived(10..40), hiding).deleted, []);
}

/// Forty messages, every fourth of which is of this kind.
fn some_are(change: impl Fn(&mut HeldMessage)) -> Vec<HeldMessage> {
    let mut all = archived(1..41);
    all.iter_mut().filter(|message| message.ts.as_micros() / 1_000_000 % 4 == 0).for_each(change);
    all
}

fn is_fourth(ts: MessageTs) -> bool {
    ts.as_micros() / 1_000_000 % 4 == 0
}

type Change = fn(&mut HeldMessage);

#[test]
fn a_kind_that_is_missing_as_a_whole_proves_nothing() {
    let kinds: [(Change, MissingPattern); 5] = [
        (|message| message.is_reply = true, MissingPattern::Replies),
        (|message| message.is_by_bot = true, MissingPattern::Bots),
        (|message| message.has_files = true, MissingPattern::WithFiles),
        (|message| message.is_edited = true, MissingPattern::Edited),
        (|message| message.author = UserId::new("U4"), MissingPattern::By(UserId::new("U4"))),
    ];
    let fourth: Vec<i64> = (1..41).filter(|n| n % 4 == 0).collect();
    for (change, pattern) in kinds {
        let held = some_are(change);
        // All of it, and a message that was deleted besides.
        let seen: Vec<MessageTs> =
            held.iter().map(|m| m.ts).filter(|at| !is_fourth(*at) && *at != ts(7)).collect();
        let expected = Absence { deleted: all([7]), ..kept(pattern.clone(), fourth.iter().copied(), 10) };
        for sizes in [PatternSizes::EXPORT, PatternSizes::HISTORY] {
            let found = interpret_missing(&[ComparedChannel::new(held.clone(), &seen)], sizes);
            assert_eq!(found, std::slice::from_ref(&expected), "{pattern:?}");
        }
        // One of it.
        let seen: Vec<MessageTs> = held.iter().map(|m| m.ts).filter(|at| *at != ts(8)).collect();
        let found = interpret_missing(&[ComparedChannel::new(held.clone(), &seen)], PatternSizes::EXPORT);
        assert_eq!(found, [deleted([8])], "{pattern:?}");
    }
}

/// Nine of ten replies: a tool that stopped fetching threads. Nine of ten messages of one person: people do that.
#[test]
fn most_of_a_kind_prove_nothing_either() {
    let held = some_are(|message| message.is_reply = true);
    let of = |held: &[HeldMessage], kept: MessageTs| -> Vec<MessageTs> {
        held.iter().map(|m| m.ts).filter(|at| !is_fourth(*at) || *at == kept).collect()
    };
    let nine = (5..41).filter(|n| n % 4 == 0);
    let found =
        interpret_missing(&[ComparedChannel::new(held.clone(), &of(&held, ts(4)))], PatternSizes::EXPORT);
    assert_eq!(found, [kept(MissingPattern::Replies, nine.clone(), 10)]);
    let mut one_person = archived(1..100);
    one_person
        .iter_mut()
        .filter(|m| is_fourth(m.ts) && m.ts < ts(41))
        .for_each(|m| m.author = UserId::new("U4"));
    let seen: Vec<MessageTs> = one_person
        .iter()
        .map(|m| m.ts)
        .filter(|at| !is_fourth(*at) || *at == ts(4) || *at > ts(40))
        .collect();
    let found = interpret_missing(&[ComparedChannel::new(one_person, &seen)], PatternSizes::EXPORT);
    assert_eq!(found, [deleted(nine)]);
}

/// Two bots' posts, one in each channel: nothing that a look at one channel would find.
#[test]
fn a_kind_may_be_missing_over_all_channels() {
    let with_bot = |bot: i64| {
        let mut all = archived(1..10);
        all.iter_mut().filter(|message| message.ts == ts(bot)).for_each(|message| message.is_by_bot = true);
        let seen: Vec<MessageTs> = all.iter().map(|m| m.ts).filter(|at| *at != ts(bot)).collect();
        ComparedChannel::new(all, &seen)
    };
    let both = interpret_missing(&[with_bot(3), with_bot(5)], PatternSizes::EXPORT);
    assert_eq!(both, [kept(MissingPattern::Bots, [3], 1), kept(MissingPattern::Bots, [5], 1)]);
    assert_eq!(
        interpret_missing(&[with_bot(3)], PatternSizes::EXPORT),
        [deleted([3])],
        "one alone may have been deleted"
    );
}

#[test]
fn everything_before_or_after_an_instant_proves_nothing() {
    let seen = all(10..90);
    let found = interpret_missing(&[ComparedChannel::new(archived(8..93), &seen)], PatternSizes::EXPORT);
    let [found] = &found[..] else { panic!("{found:?}") };
    assert_eq!(found.deleted, []);
    let patterns: Vec<_> =
        found.kept.iter().map(|kept| (kept.pattern.clone(), kept.messages.clone())).collect();
    assert_eq!(
        patterns,
        [(MissingPattern::Before(ts(10)), all([8, 9])), (MissingPattern::After(ts(89)), all([90, 91, 92]))]
    );
    // The last message alone is what people take back most often.
    let found = interpret_missing(&[ComparedChannel::new(archived(9..91), &seen)], PatternSizes::EXPORT);
    assert_eq!(found, [deleted([9, 90])]);
}

/// What was taken for deleted before is no news, and is confirmed only where it is missing by no pattern.
#[test]
fn what_was_taken_for_deleted_is_confirmed_or_left_alone() {
    let before = HeldState::TakenForDeleted { is_proven: false };
    let mut held = some_are(|message| message.is_reply = true);
    held.iter_mut().filter(|m| is_fourth(m.ts) || m.ts == ts(9)).for_each(|m| m.state = before);
    let seen: Vec<MessageTs> =
        held.iter().map(|m| m.ts).filter(|at| !is_fourth(*at) && *at != ts(9) && *at != ts(7)).collect();
    let found = interpret_missing(&[ComparedChannel::new(held, &seen)], PatternSizes::EXPORT);
    let [found] = &found[..] else { panic!("{found:?}") };
    assert_eq!((&found.deleted, &found.kept), (&all([7]), &Vec::new()));
    assert!(found.confirmed.contains(&ts(9)), "{found:?}");
}

proptest! {
    #[test]
    fn only_what_is_archived_unlisted_and_within_is_deleted_and_never_many(
        archive in prop::collection::btree_set(0_i64..200, 0..60),
        seen in prop::collection::btree_set(0_i64..200, 0..60),
        (after, before) in (0_i64..200, 0_i64..200),
        hides_older: bool,
    ) {
        let seen_list = all(seen.iter().copied());
        let span = Listed { after: ts(after), before: ts(before), hides_older, ..listed(&seen_list) };
        let missing: Vec<i64> = archive.difference(&seen).copied()
            .filter(|second| after < *second && *second < before).collect();
        let of = archive.iter().filter(|second| after < **second && **second < before).count();
        let absence = absent_in_list(&archived(archive.iter().copied()), span);
        let gone = &absence.deleted;
        prop_assert!(gone.len() <= 3 || gone.len() * 5 <= of);
        prop_assert!(!hides_older || gone.is_empty());
        let told: Vec<MessageTs> =
            gone.iter().chain(absence.kept.iter().flat_map(|kept| &kept.messages)).copied().collect();
        let distinct: BTreeSet<MessageTs> = told.iter().copied().collect();
        prop_assert_eq!(distinct.len(), told.len(), "each once");
        prop_assert_eq!(distinct, all(missing).into_iter().collect::<BTreeSet<_>>(), "and every one");
        for one in &absence.kept {
            prop_assert_eq!(hides_older, one.pattern == MissingPattern::Hidden);
            prop_assert!(hides_older || one.messages.len() > 3);
        }
    }
}
