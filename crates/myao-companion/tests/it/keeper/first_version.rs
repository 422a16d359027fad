//! No memory yet → make one (specification §12.1): the first version is provisional until a chapter is cut, and what
//! comes of it does not depend on when it was made (ADR 75).

use std::sync::Arc;

use jiff::SignedDuration;
use myao_core::{
    chat::{ChannelId, Event, MessageTs},
    memory::{HistorySettings, MemorySettings},
};
use myao_model::Builtin;
use proptest::prelude::*;

use super::talk;
use crate::scenario::{
    BUILD, LIVE, Scenario, counting_model, hours, literal_mode_settings, long_text, minutes,
};

/// Messages, covered, pending.
async fn coverage(scenario: &Scenario) -> (u64, u64, u64) {
    let rows = scenario.store.memory().coverage_by_channel().await.expect("read");
    let one = rows.first().expect("a channel");
    assert_eq!((one.uncovered, one.messages), (0, one.covered + one.pending + one.before_start));
    (one.messages, one.covered, one.pending)
}

async fn no_fault(scenario: &Scenario) {
    assert_eq!(scenario.store.verify().await.expect("read").faults, []);
}

/// 既存記憶なし → True, in a build: thirty messages and no trigger.
#[tokio::test]
async fn a_build_leaves_no_channel_with_talk_without_a_memory() {
    let scenario = Scenario::new(MemorySettings::default(), counting_model()).await;
    scenario.channel("C1").await;
    talk(&scenario, "C1", 30).await;
    let report = scenario.round(BUILD).await;
    assert_eq!((report.chapters, report.merges), (1, 0));
    let versions = scenario.versions("C1").await;
    assert_eq!((versions.len(), versions[0].source_message_count()), (1, 30));
    assert_eq!(coverage(&scenario).await, (30, 30, 0));
    assert_eq!(scenario.store.memory().provisional_channels().await.expect("read"), [ChannelId::new("C1")]);
    no_fault(&scenario).await;
    let again = scenario.round(BUILD).await;
    assert_eq!((again.model_calls, again.chapters, again.verbatim), (0, 0, 0), "nothing is new");
    // A build brings it up to date; it stays version 1, and is not folded in.
    talk(&scenario, "C1", 10).await;
    scenario.round(BUILD).await;
    let versions = scenario.versions("C1").await;
    assert_eq!((versions.len(), versions[0].source_message_count()), (1, 40));
    assert!(scenario.long_term("C1").await.is_none());
    // Silence closes it, without another word written.
    scenario.pass(hours(3));
    let report = scenario.round(BUILD).await;
    assert_eq!((report.chapters, report.verbatim, report.summaries), (0, 0, 0));
    assert_eq!(scenario.store.memory().provisional_channels().await.expect("read"), []);
    assert_eq!(scenario.versions("C1").await, versions);
    no_fault(&scenario).await;
}

/// With a model that has to be asked, a run asks once for the provisional version, and once when its chapter is closed.
#[tokio::test]
async fn a_run_writes_it_once() {
    let model = counting_model();
    let settings = MemorySettings { long_term_update_interval_seconds: 3600, ..literal_mode_settings() };
    let scenario = Scenario::new(settings, Arc::clone(&model) as _).await;
    scenario.channel("C1").await;
    let mut summaries = 0;
    for _ in 0..49 {
        talk(&scenario, "C1", 1).await;
        summaries += scenario.round(LIVE).await.summaries;
    }
    assert_eq!((summaries, model.calls()), (1, 1));
    assert_eq!(coverage(&scenario).await, (49, 1, 48), "the rest stands in the conversation");
    no_fault(&scenario).await;
    talk(&scenario, "C1", 1).await;
    let report = scenario.round(LIVE).await;
    assert_eq!((report.summaries, report.merges, report.workspace), (1, 1, 1), "the threshold closes it");
    assert_eq!(coverage(&scenario).await, (50, 50, 0));
    let versions = scenario.versions("C1").await;
    assert_eq!((versions.len(), versions[0].source_message_count()), (1, 50));
    no_fault(&scenario).await;
}

/// Messages that are removed, or come late, change it like any other version.
#[tokio::test]
async fn it_follows_its_messages() {
    let scenario = Scenario::new(MemorySettings::default(), counting_model()).await;
    scenario.channel("C1").await;
    let first = scenario.say("C1", "ひとつめ").await;
    let second = scenario.say("C1", "ふたつめ").await;
    scenario.round(LIVE).await;
    scenario.apply(vec![Event::Deleted { channel: ChannelId::new("C1"), ts: first }]).await;
    scenario.pass(minutes(11));
    scenario.round(LIVE).await;
    let versions = scenario.versions("C1").await;
    assert_eq!((versions.len(), versions[0].content()), (1, "[2026-03-02 00:00] U1: ふたつめ"));
    let late = myao_core::chat::Message {
        ts: MessageTs::from_micros(second.as_micros() - 1),
        ..scenario.message("C1", "あとから")
    };
    scenario.apply(vec![Event::Message(late)]).await;
    scenario.round(LIVE).await;
    assert_eq!(scenario.versions("C1").await[0].source_message_count(), 2);
    no_fault(&scenario).await;
}

/// A provisional version of which nothing is left makes room for the talk that follows.
#[tokio::test]
async fn an_emptied_one_is_made_anew() {
    let scenario = Scenario::new(MemorySettings::default(), counting_model()).await;
    scenario.channel("C1").await;
    let gone = scenario.say("C1", "まちがい").await;
    scenario.round(LIVE).await;
    scenario.apply(vec![Event::Deleted { channel: ChannelId::new("C1"), ts: gone }]).await;
    scenario.pass(minutes(11));
    scenario.round(LIVE).await;
    assert_eq!(scenario.versions("C1").await[0].content(), "");
    scenario.say("C1", "こちらです").await;
    scenario.round(LIVE).await;
    let versions = scenario.versions("C1").await;
    assert_eq!((versions.len(), versions[0].source_message_count()), (1, 1));
    assert_eq!(coverage(&scenario).await, (1, 1, 0));
    no_fault(&scenario).await;
}

/// Overwrite mode takes it over, and history takes it back.
#[tokio::test]
async fn it_goes_on_when_history_is_switched_off_and_on() {
    let mut scenario = Scenario::new(literal_mode_settings(), counting_model()).await;
    scenario.channel("C1").await;
    talk(&scenario, "C1", 3).await;
    scenario.round(BUILD).await;
    scenario.change(|settings| settings.history.enabled = false);
    talk(&scenario, "C1", 3).await;
    scenario.round(BUILD).await;
    let versions = scenario.versions("C1").await;
    assert_eq!((versions.len(), versions[0].source_message_count()), (1, 6));
    assert_eq!(scenario.store.memory().provisional_channels().await.expect("read"), []);
    scenario.change(|settings| settings.history.enabled = true);
    talk(&scenario, "C1", 3).await;
    scenario.pass(hours(3));
    scenario.round(BUILD).await;
    let versions = scenario.versions("C1").await;
    assert_eq!((versions.len(), versions[1].source_message_count()), (2, 3));
    no_fault(&scenario).await;
}

/// The versions of a channel, times aside; in literal mode its long-term memory too. (Otherwise short chapters wait for
/// each other before they are folded in, so that which of them wait depends on when that was looked at.)
async fn remembered(scenario: &Scenario, is_literal: bool) -> Vec<String> {
    let mut all = scenario.versions("C1").await;
    all.extend(scenario.long_term("C1").await.filter(|_| is_literal));
    let told = |m: myao_core::memory::Memory| {
        let sources = (m.source_message_count(), m.source_latest_message_ts());
        format!("{} {} {sources:?} {}", m.memory_type(), m.version(), m.content())
    };
    all.into_iter().map(told).collect()
}

/// Talk, as gaps in seconds and whether something is built after the message, and the silence after the last.
type Said = (Vec<(i64, bool)>, i64);

fn said() -> impl Strategy<Value = Said> {
    // A minute, at least, so that a build, which waits until all is settled, fits in.
    let gap = prop_oneof![4 => 60_i64..600, 1 => 600_i64..9000];
    (prop::collection::vec((gap, any::<bool>()), 1..30), prop_oneof![Just(60_i64), 60..9000_i64])
}

/// Runs it, with the builds or only the last one. The archive grows as an export does: a build knows what was said up to
/// then.
async fn lived((gaps, silence): &Said, settings: &MemorySettings, builds: bool) -> Vec<String> {
    let scenario = Scenario::new(settings.clone(), Arc::new(Builtin)).await;
    scenario.channel("C1").await;
    let mut at = scenario.now();
    for (nth, (gap, is_built)) in gaps.iter().enumerate() {
        at += SignedDuration::from_secs(*gap);
        scenario.clock.set(at);
        let words = format!("話題その{nth}について決めました。{}", long_text(nth % 7));
        let message = scenario.message("C1", &words);
        scenario.apply(vec![Event::Message(message)]).await;
        if builds && *is_built {
            scenario.round(BUILD).await;
            assert!(!scenario.versions("C1").await.is_empty(), "there is a memory after the first build");
        }
    }
    scenario.clock.set(at + SignedDuration::from_secs(*silence));
    scenario.round(BUILD).await;
    coverage(&scenario).await;
    no_fault(&scenario).await;
    remembered(&scenario, settings.is_literal()).await
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(24))]

    /// Every build leaves a memory, and whenever it was built before, what is remembered at the end is the same.
    #[test]
    fn the_rhythm_of_builds_does_not_matter(said in said(), is_literal in any::<bool>()) {
        let history = HistorySettings { message_threshold: 8, ..HistorySettings::default() };
        let literal = HistorySettings { verbatim_small: false, ..history.clone() };
        let settings = if is_literal {
            MemorySettings { history: literal, long_term_update_interval_seconds: 0, ..MemorySettings::default() }
        } else {
            MemorySettings { history, ..MemorySettings::default() }
        };
        let runtime = tokio::runtime::Runtime::new().expect("a runtime");
        let (often, once) = runtime.block_on(async {
            (lived(&said, &settings, true).await, lived(&said, &settings, false).await)
        });
        prop_assert_eq!(often, once);
    }
}
