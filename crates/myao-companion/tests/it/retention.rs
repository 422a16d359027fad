//! Words expire, memories stay, whenever that happens (ADR 52).

use jiff::SignedDuration;
use myao_core::chat::Visibility;
use proptest::prelude::*;

use crate::scenario::{BUILD, Scenario, copying_model, hours, literal_mode_settings};

/// What is said, then hours that pass and a round; whether words expire after it.
type Stretch = (u8, u8, bool);

/// Every memory of a workspace after these stretches, and what `verify` finds.
async fn remembered(stretches: &[Stretch], expires: bool) -> Vec<String> {
    let scenario = Scenario::new(literal_mode_settings(), copying_model()).await;
    scenario.channel("C1").await;
    scenario.channel("C2").await;
    let mut number = 0;
    for (said, passed, is_due) in stretches {
        for _ in 0..*said {
            number += 1;
            let channel = if number % 3 == 0 { "C2" } else { "C1" };
            scenario.say(channel, &format!("{number}番目の話")).await;
        }
        scenario.pass(hours(i64::from(*passed)));
        scenario.heard().await;
        scenario.round(BUILD).await;
        if expires && *is_due {
            let now = scenario.now();
            let before = now - SignedDuration::from_hours(3);
            while scenario.store.intake().expire_words(before, now).await.expect("expired") {}
        }
    }
    let mut memories = Vec::new();
    for channel in ["C1", "C2"] {
        memories.extend(scenario.versions(channel).await.iter().map(|memory| memory.content().to_owned()));
        memories.extend(scenario.long_term(channel).await.map(|memory| memory.content().to_owned()));
    }
    memories.extend(scenario.workspace().await.map(|memory| memory.content().to_owned()));
    let found = scenario.store.verify().await.expect("read");
    memories.extend(found.faults.iter().map(|fault| format!("{fault:?}")));
    let uncovered: u64 = scenario
        .store
        .memory()
        .coverage_by_channel()
        .await
        .expect("read")
        .iter()
        .map(|one| one.uncovered)
        .sum();
    assert_eq!(uncovered, 0);
    memories
}

/// The keeper does it at the end of its round, and a chapter that is written anew after a deletion says what is left.
#[tokio::test]
async fn a_round_ends_with_what_is_old_enough() {
    let scenario = Scenario::new(literal_mode_settings(), copying_model()).await;
    scenario.channel("C1").await;
    scenario.say("C1", "ひまわり").await;
    scenario.pass(SignedDuration::from_hours(24 * 8));
    scenario.heard().await;
    let keeper = scenario.keeper().expiring(Some(7));
    keeper.round(BUILD, &|_| {}).await.expect("a round");
    let said = myao_store::Range {
        channel: myao_core::chat::ChannelId::new("C1"),
        from: myao_core::chat::MessageTs::MIN,
        to: myao_core::chat::MessageTs::MAX,
    };
    let (_, talk) = scenario.store.archive().talk_in_range(&Visibility::Owner, &said).await.expect("read");
    assert!(talk.is_empty(), "in the round that folded it: {talk:?}");
    let memory = scenario.long_term("C1").await.expect("it stays");
    assert!(memory.content().contains("ひまわり"));
    let again = keeper.round(BUILD, &|_| {}).await.expect("a round");
    assert_eq!((again.summaries, again.merges), (0, 0), "nothing is written anew from less");
}

/// Left out by `scripts/test fast`.
mod slow_tests {
    use super::*;

    proptest! {
        #![proptest_config(ProptestConfig { cases: 24, ..ProptestConfig::default() })]

        #[test]
        fn expiry_at_any_moment_loses_no_memory(
            stretches in prop::collection::vec((0_u8..5, 1_u8..9, any::<bool>()), 1..7),
        ) {
            let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().expect("a runtime");
            let (kept, expired) = runtime.block_on(async {
                (remembered(&stretches, false).await, remembered(&stretches, true).await)
            });
            prop_assert_eq!(kept, expired);
        }
    }
}
