//! What a place may spend of a day, whatever the others ask for (ADR 139).

use std::collections::BTreeMap;

use myao_core::{
    chat::{ChannelId, ChannelKind, ForgottenKinds, PlaceKind},
    ports::{BudgetKind, DayLimits, Role, SpentByChannel, share_of},
};
use proptest::prelude::*;

const ROLES: [Role; 3] = [Role::Memory, Role::Judgment, Role::Response];

/// A call: about which channel, in which role, for how many tokens.
type Call = (Option<u8>, usize, u64);

fn id(channel: u8) -> ChannelId {
    ChannelId::new(format!("C{channel}"))
}

/// Makes the calls one after the other; what was spent then.
fn spend(limits: &DayLimits, calls: &[Call], of_kind: Option<u64>) -> SpentByChannel {
    let mut spent = SpentByChannel::new();
    for (channel, role, tokens) in calls {
        let channel = channel.map(id);
        let limits = DayLimits { place_tokens: of_kind.filter(|_| channel.is_some()), ..limits.clone() };
        if limits.refuse(ROLES[*role], channel.as_ref(), *tokens, &spent).is_none() {
            *spent.entry(channel).or_default() += tokens;
        }
    }
    spent
}

fn any_call() -> impl Strategy<Value = Call> {
    (prop::option::of(0_u8..5), 0_usize..3, 0_u64..60)
}

proptest! {
    /// A day costs no more than it may, a channel no more than its own budget, and no others use what is set aside.
    #[test]
    fn nobody_eats_anothers_share(
        day in 0_u64..500, shares in prop::collection::btree_map(0_u8..3, 0_u64..100, 0..3),
        of_kind in prop::option::of(0_u64..80), calls in prop::collection::vec(any_call(), 0..60),
    ) {
        let set_aside: BTreeMap<ChannelId, u64> = shares.iter().map(|(channel, tokens)| (id(*channel), *tokens)).collect();
        let aside: u64 = set_aside.values().sum();
        prop_assume!(aside <= day);
        let limits = DayLimits { daily_tokens: Some(day), set_aside: set_aside.clone(), place_tokens: None };
        let mut spent = spend(&limits, &calls, of_kind);
        prop_assert!(spent.values().sum::<u64>() <= day);
        let rest: u64 = spent.iter().filter(|(of, _)| of.as_ref().is_none_or(|of| !set_aside.contains_key(of)))
            .map(|(_, tokens)| *tokens).sum();
        prop_assert!(rest <= day - aside);
        for (channel, tokens) in &spent {
            let own = channel.as_ref().and_then(|channel| set_aside.get(channel)).copied();
            let most = own.or(of_kind.filter(|_| channel.is_some()));
            prop_assert!(most.is_none_or(|most| *tokens <= most));
        }
        // Whatever was asked, each channel with a budget of its own still gets what is left of it.
        for (channel, tokens) in &set_aside {
            let used = spent.get(&Some(channel.clone())).copied().unwrap_or_default();
            let left = tokens - used;
            prop_assert_eq!(limits.refuse(Role::Response, Some(channel), left, &spent), None);
            *spent.entry(Some(channel.clone())).or_default() += left;
        }
    }

    /// Where nobody has a budget of their own, everything is as it was: one sum, of which each role has its share.
    #[test]
    fn one_budget_is_one_sum(day in 0_u64..500, calls in prop::collection::vec(any_call(), 0..60), last in any_call()) {
        let limits = DayLimits::of_day(Some(day));
        let spent = spend(&limits, &calls, None);
        let sum: u64 = spent.values().sum();
        let (channel, role, tokens) = last;
        let refused = limits.refuse(ROLES[role], channel.map(id).as_ref(), tokens, &spent);
        prop_assert_eq!(refused.is_some(), sum + tokens > day * share_of(ROLES[role]) / 100);
        prop_assert!(refused.is_none_or(|no_room| no_room.budget == BudgetKind::Day && no_room.limit == day));
    }
}

#[test]
fn without_limits_nothing_is_refused() {
    let limits = DayLimits::default();
    assert!(limits.are_none());
    assert_eq!(limits.refuse(Role::Memory, None, u64::MAX, &SpentByChannel::new()), None);
}

#[test]
fn what_was_used_before_a_budget_was_set_aside_is_used() {
    let limits = DayLimits { daily_tokens: Some(100), set_aside: [(id(1), 50)].into(), place_tokens: None };
    let spent: SpentByChannel = [(None, 90)].into();
    let refused = limits.refuse(Role::Response, Some(&id(1)), 20, &spent).expect("the day has no room");
    assert_eq!(refused.budget, BudgetKind::Day);
}

#[test]
fn a_kind_that_is_forgotten_is_forgotten_until_more_is_known() {
    let kinds =
        ForgottenKinds { nothing: [PlaceKind::Public].into(), chapters: [PlaceKind::External].into() };
    assert!(kinds.hold(ChannelKind::Public, false));
    assert!(!kinds.hold(ChannelKind::Public, true), "the more particular kind wins");
    assert!(!kinds.hold(ChannelKind::Dm, false));
    assert!(kinds.hold(ChannelKind::Unknown, false), "it may turn out to be public");
    assert!(!ForgottenKinds::default().hold(ChannelKind::Unknown, false));
}
