//! Overwrite mode: `memory.short_term_history.enabled: false` (specification §2.1).

use myao_core::{
    chat::{ChannelId, Event, Message},
    memory::{HistorySettings, MemorySettings},
};

use crate::scenario::{
    BUILD, Scenario, copying_model, counting_model, hours, literal_mode_settings, minutes,
};

fn overwriting() -> MemorySettings {
    let seed = literal_mode_settings();
    MemorySettings {
        long_term_update_interval_seconds: 3600,
        history: HistorySettings { enabled: false, ..seed.history.clone() },
        ..seed
    }
}

#[tokio::test]
async fn the_newest_version_is_replaced_at_most_once_an_interval() {
    let scenario = Scenario::new(overwriting(), counting_model()).await;
    scenario.channel("C1").await;
    scenario.say("C1", "ひとつめ").await;
    scenario.round(BUILD).await;
    let first = scenario.versions("C1").await.remove(0);
    assert_eq!(first.source_message_count(), 1, "no idle time, no threshold: at once");
    scenario.say("C1", "ふたつめ").await;
    scenario.round(BUILD).await;
    assert_eq!(scenario.versions("C1").await[0].source_message_count(), 1, "too soon");
    scenario.pass(minutes(60));
    scenario.round(BUILD).await;
    let second = scenario.versions("C1").await.remove(0);
    assert_eq!((second.version(), second.source_message_count()), (1, 2));
    assert_eq!(second.created_at(), first.created_at());
}

#[tokio::test]
async fn without_a_new_message_it_is_left_alone() {
    let scenario = Scenario::new(overwriting(), counting_model()).await;
    scenario.channel("C1").await;
    scenario.say("C1", "ひとつめ").await;
    scenario.round(BUILD).await;
    let before = scenario.versions("C1").await;
    scenario.pass(hours(40));
    let report = scenario.round(BUILD).await;
    assert_eq!(scenario.versions("C1").await, before, "an empty window leaves it alone");
    assert_eq!(report.model_calls, 0);
}

/// What left the window during an outage is summarised all the same: promise 1.
#[tokio::test]
async fn what_left_the_window_unseen_is_in_the_next_summary() {
    let scenario = Scenario::new(overwriting(), counting_model()).await;
    scenario.channel("C1").await;
    scenario.say("C1", "ひとつめ").await;
    scenario.round(BUILD).await;
    scenario.say("C1", "停電の前").await;
    scenario.pass(hours(50));
    scenario.say("C1", "停電のあと").await;
    scenario.round(BUILD).await;
    let latest = scenario.versions("C1").await.remove(0);
    assert_eq!(latest.source_message_count(), 2, "what was folded is left out, what was not is in");
    let long_term = scenario.long_term("C1").await.expect("merged like a new version");
    assert_eq!(long_term.source_message_count(), 3, "each message counts once");
}

#[tokio::test]
async fn switched_on_again_versions_go_on_after_it() {
    let mut scenario = Scenario::new(overwriting(), counting_model()).await;
    scenario.channel("C1").await;
    scenario.say("C1", "ひとつめ").await;
    scenario.round(BUILD).await;
    scenario.change(|settings| settings.history.enabled = true);
    scenario.say("C1", "ふたつめ").await;
    scenario.pass(hours(3));
    scenario.round(BUILD).await;
    let versions = scenario.versions("C1").await;
    assert_eq!(versions.iter().map(myao_core::memory::Memory::version).collect::<Vec<_>>(), [1, 2]);
    assert_eq!(versions[1].source_message_count(), 1);
}

#[tokio::test]
async fn switched_off_the_newest_of_many_is_replaced() {
    let mut scenario = Scenario::new(literal_mode_settings(), counting_model()).await;
    scenario.channel("C1").await;
    for text in ["一", "二", "三"] {
        scenario.say("C1", text).await;
        scenario.pass(hours(3));
    }
    scenario.round(BUILD).await;
    scenario.change(|settings| settings.history.enabled = false);
    scenario.say("C1", "四").await;
    scenario.round(BUILD).await;
    let versions = scenario.versions("C1").await;
    assert_eq!(versions.iter().map(myao_core::memory::Memory::version).collect::<Vec<_>>(), [1, 2, 3]);
    assert_eq!(versions[2].source_message_count(), 4, "the window of 24 h");
}

/// What had left the window stays remembered when something else that had is deleted: the long-term memory
/// moves back, and what it alone still held must come from the talk again.
#[tokio::test]
async fn a_deletion_from_an_older_window_loses_nothing_else() {
    let scenario = Scenario::new(overwriting(), copying_model()).await;
    scenario.channel("C1").await;
    let gone = scenario.say("C1", "消えるひまわり").await;
    scenario.say("C1", "残るあさがお").await;
    scenario.round(BUILD).await;
    scenario.pass(hours(50));
    scenario.say("C1", "新しいさくら").await;
    scenario.round(BUILD).await;
    assert!(!scenario.versions("C1").await[0].content().contains("あさがお"), "it left the window");
    scenario.apply(vec![Event::Deleted { channel: ChannelId::new("C1"), ts: gone }]).await;
    scenario.pass(hours(2));
    scenario.round(BUILD).await;
    let long_term = scenario.long_term("C1").await.expect("folded again");
    assert!(
        long_term.content().contains("あさがお") && long_term.content().contains("さくら"),
        "{long_term:?}"
    );
    assert!(!long_term.content().contains("ひまわり"));
    assert_eq!(long_term.source_message_count(), 2);
}

/// A message found later is remembered even when the window has moved past it.
#[tokio::test]
async fn a_late_message_from_before_the_window_is_remembered() {
    let scenario = Scenario::new(overwriting(), copying_model()).await;
    scenario.channel("C1").await;
    let first = scenario.say("C1", "はじめの話").await;
    scenario.round(BUILD).await;
    scenario.pass(hours(50));
    scenario.say("C1", "あとの話").await;
    scenario.round(BUILD).await;
    let late = Message { ts: first.plus_seconds(5), ..scenario.message("C1", "遅れたあさがお") };
    scenario.apply(vec![Event::Message(late)]).await;
    scenario.pass(hours(2));
    scenario.round(BUILD).await;
    let long_term = scenario.long_term("C1").await.expect("folded again");
    assert!(long_term.content().contains("遅れたあさがお"), "{long_term:?}");
    assert_eq!(long_term.source_message_count(), 3);
}

/// Built by a person, overwrite mode begins with the first archived message, as chapters do.
#[tokio::test]
async fn a_build_begins_with_the_first_archived_message() {
    let scenario = Scenario::new(overwriting(), copying_model()).await;
    scenario.channel("C1").await;
    scenario.say("C1", "昔のあさがお").await;
    scenario.pass(hours(90));
    scenario.say("C1", "今のさくら").await;
    scenario.round(BUILD).await;
    let coverage = scenario.store.memory().coverage_by_channel().await.expect("read").remove(0);
    assert_eq!((coverage.covered, coverage.before_start), (2, 0));
    assert!(scenario.long_term("C1").await.expect("there").content().contains("あさがお"));
}
