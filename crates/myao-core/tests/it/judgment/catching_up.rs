//! Which channel is caught up next.

use jiff::SignedDuration;
use myao_core::{
    chat::{ChannelId, MessageTs},
    judgment::{ChannelBehind, NextPage, WhoWaits, calls_to_catch_up, next_to_catch_up},
};
use proptest::prelude::*;

/// A turn that is none of those for whoever has waited longest.
const USUAL: u64 = 1;
/// One that is.
const FOR_THE_OVERDUE: u64 = 5;

fn behind(id: &str, week_of_talk: u64) -> ChannelBehind {
    ChannelBehind {
        id: ChannelId::new(id),
        is_direct: false,
        who_waits: WhoWaits::Nobody,
        next: NextPage::Newest,
        gap_from: MessageTs::from_micros(1_000_000_000_000),
        week_of_talk,
        last_talk: MessageTs::MIN,
        rest: SignedDuration::from_hours(24),
    }
}

/// The whole order, at turns that are none of those for whoever has waited longest.
fn order(mut channels: Vec<ChannelBehind>) -> Vec<String> {
    let mut order = Vec::new();
    while let Some(next) = next_to_catch_up(&channels, USUAL).map(|next| next.id.clone()) {
        channels.retain(|channel| channel.id != next);
        order.push(next.to_string());
    }
    order
}

#[test]
fn who_waits_comes_first_then_the_liveliest() {
    let channels = vec![
        behind("quiet", 0),
        ChannelBehind { last_talk: MessageTs::from_micros(5), ..behind("was-lively", 0) },
        behind("lively", 50),
        ChannelBehind { is_direct: true, ..behind("direct", 8) },
        ChannelBehind { who_waits: WhoWaits::Speaker, ..behind("spoken", 0) },
        ChannelBehind { who_waits: WhoWaits::Reply, ..behind("reply", 0) },
        ChannelBehind { who_waits: WhoWaits::Asker, ..behind("asker", 0) },
    ];
    let expected = ["asker", "reply", "spoken", "direct", "lively", "was-lively", "quiet"];
    assert_eq!(order(channels), expected);
}

/// A channel where much was missed does not keep the others waiting for all of its pages.
#[test]
fn a_further_page_is_half_as_urgent_and_what_is_long_past_comes_last() {
    let channels = vec![
        ChannelBehind { next: NextPage::Older, who_waits: WhoWaits::Asker, ..behind("old-asker", 900) },
        ChannelBehind { next: NextPage::Older, ..behind("old", 900) },
        ChannelBehind { next: NextPage::Recent, ..behind("second-page", 30) },
        ChannelBehind { next: NextPage::Recent, who_waits: WhoWaits::Asker, ..behind("asker", 0) },
        behind("twenty", 20),
        behind("ten", 10),
    ];
    assert_eq!(order(channels), ["asker", "twenty", "second-page", "ten", "old-asker", "old"]);
}

/// Where connections are lost often, the liveliest are behind again and again.
#[test]
fn every_fifth_turn_goes_to_who_has_waited_longer_than_a_pass() {
    let youngest = behind("lively", 50);
    let before = |seconds: i64| youngest.gap_from.plus_seconds(-seconds);
    let late = ChannelBehind { gap_from: before(3_600), ..behind("late", 0) };
    let later = ChannelBehind { gap_from: before(7_200), ..behind("later", 0) };
    let recent = ChannelBehind { gap_from: before(60), ..behind("recent", 0) };
    let channels = vec![late, recent.clone(), later, youngest.clone()];
    let next = |turn| next_to_catch_up(&channels, turn).expect("one").id.to_string();
    assert_eq!(next(USUAL), "lively");
    assert_eq!(next(FOR_THE_OVERDUE), "later");
    let in_time = [recent, youngest.clone()];
    assert_eq!(next_to_catch_up(&in_time, FOR_THE_OVERDUE), Some(&youngest), "nobody has waited too long");
    let asker = ChannelBehind { who_waits: WhoWaits::Asker, ..behind("asker", 0) };
    let with_asker: Vec<ChannelBehind> = channels.into_iter().chain([asker.clone()]).collect();
    assert_eq!(next_to_catch_up(&with_asker, FOR_THE_OVERDUE), Some(&asker));
}

#[test]
fn the_rest_is_reckoned_by_the_week_before() {
    let week = SignedDuration::from_hours(7 * 24);
    let quiet = ChannelBehind { rest: week, ..behind("quiet", 0) };
    let lively = ChannelBehind { rest: week, ..behind("lively", 450) };
    assert_eq!(calls_to_catch_up(&[], 200), 0);
    assert_eq!(calls_to_catch_up(&[quiet.clone(), lively.clone()], 200), 1 + 3);
    assert_eq!(calls_to_catch_up(&[quiet, lively], 15), 1 + 30);
}

fn any_channel() -> impl Strategy<Value = ChannelBehind> {
    let waits = prop_oneof![
        Just(WhoWaits::Asker),
        Just(WhoWaits::Reply),
        Just(WhoWaits::Speaker),
        Just(WhoWaits::Nobody)
    ];
    let next = prop_oneof![Just(NextPage::Newest), Just(NextPage::Recent), Just(NextPage::Older)];
    (0_u32..9, waits, next, 0_u64..100, 0_i64..10_000).prop_map(|(id, who_waits, next, talk, age)| {
        let channel = behind(&format!("C{id}"), talk);
        let gap_from = channel.gap_from.plus_seconds(-age);
        ChannelBehind { who_waits, next, gap_from, ..channel }
    })
}

proptest! {
    /// Whatever is known, somebody has the turn, whoever asks goes before all others, and the order of the list does not
    /// matter.
    #[test]
    fn somebody_has_the_turn(mut channels in prop::collection::vec(any_channel(), 1..9), turn in 0_u64..20) {
        channels.sort_by(|a, b| a.id.cmp(&b.id));
        channels.dedup_by(|a, b| a.id == b.id);
        let next = next_to_catch_up(&channels, turn).cloned();
        let asked = |one: &ChannelBehind| one.who_waits == WhoWaits::Asker && one.next != NextPage::Older;
        prop_assert!(next.is_some());
        prop_assert_eq!(next.as_ref().is_some_and(asked), channels.iter().any(asked));
        channels.reverse();
        prop_assert_eq!(next_to_catch_up(&channels, turn).cloned(), next);
    }
}
