//! Thread memory: short-term, overwritten, version 1 (specification §2.3).

use std::sync::Arc;

use myao_core::{
    chat::{ChannelId, Event, MessageTs, Visibility},
    memory::{Memory, MemoryScope, MemorySettings, MemoryType, make_thread_scope_id},
};
use myao_testkit::ScriptedModel;

use crate::scenario::{BUILD, Scenario, counting_model, hours, literal_mode_settings, minutes};

async fn memory_of(scenario: &Scenario, root: MessageTs) -> Option<Memory> {
    let id = make_thread_scope_id(&ChannelId::new("C1"), root);
    scenario
        .store
        .memory()
        .find_latest(&Visibility::Owner, MemoryScope::Thread, &id, MemoryType::ShortTerm)
        .await
        .expect("read")
}

#[tokio::test]
async fn a_thread_is_remembered_when_it_falls_silent_and_overwritten_when_it_goes_on() {
    let scenario = Scenario::new(literal_mode_settings(), counting_model()).await;
    scenario.channel("C1").await;
    let root = scenario.say("C1", "誰か知ってる?").await;
    scenario.reply("C1", root, "知ってる").await;
    scenario.round(BUILD).await;
    assert!(memory_of(&scenario, root).await.is_none(), "it is lively");
    scenario.pass(minutes(121));
    assert_eq!(scenario.round(BUILD).await.threads, 1);
    let first = memory_of(&scenario, root).await.expect("remembered");
    assert_eq!((first.version(), first.source_message_count()), (1, 2));
    scenario.pass(hours(1));
    assert_eq!(scenario.round(BUILD).await.threads, 0, "nothing is new");
    let last = scenario.reply("C1", root, "ありがとう").await;
    scenario.pass(hours(3));
    scenario.round(BUILD).await;
    let second = memory_of(&scenario, root).await.expect("remembered");
    assert_eq!((second.version(), second.source_message_count()), (1, 3));
    assert_eq!(second.source_latest_message_ts(), Some(last));
}

/// New messages are merged into the existing text (specification §12.3), not the whole thread again.
#[tokio::test]
async fn only_what_is_new_is_given_with_what_there_is() {
    let model = Arc::new(ScriptedModel::answering(|r| format!("- 2026-03-02 {}", r.purpose)));
    let scenario = Scenario::new(literal_mode_settings(), Arc::clone(&model) as _).await;
    scenario.channel("C1").await;
    let root = scenario.say("C1", "はじめの問い").await;
    scenario.reply("C1", root, "はじめの答え").await;
    scenario.pass(hours(3));
    scenario.round(BUILD).await;
    scenario.reply("C1", root, "あとの答え").await;
    scenario.pass(hours(3));
    scenario.round(BUILD).await;
    let requests = model.requests();
    let asked: Vec<&_> = requests.iter().filter(|r| r.purpose == "thread").collect();
    assert_eq!(asked.len(), 2);
    let text = format!("{:?}", asked[1].turns);
    assert!(text.contains("あとの答え") && !text.contains("はじめの答え"), "{text}");
    assert!(text.contains("- 2026-03-02 thread"), "the existing memory is given: {text}");
}

#[tokio::test]
async fn a_small_thread_is_kept_word_for_word() {
    let model = counting_model();
    let scenario = Scenario::new(MemorySettings::default(), Arc::clone(&model) as _).await;
    scenario.channel("C1").await;
    let root = scenario.say("C1", "お昼どうする?").await;
    scenario.reply("C1", root, "カレー").await;
    scenario.pass(hours(3));
    scenario.round(BUILD).await;
    let memory = memory_of(&scenario, root).await.expect("remembered");
    assert_eq!(memory.content(), "[2026-03-02 00:00] U1: お昼どうする?\n[2026-03-02 00:00] U1: カレー");
    assert_eq!(model.calls(), 0);
}

/// As long as a prompt would show its memory: `response.thread_memory_days`.
#[tokio::test]
async fn a_thread_nobody_speaks_in_any_more_is_not_looked_at() {
    let scenario = Scenario::new(literal_mode_settings(), counting_model()).await;
    scenario.channel("C1").await;
    let root = scenario.say("C1", "誰か知ってる?").await;
    scenario.reply("C1", root, "知ってる").await;
    scenario.pass(hours(7 * 24));
    assert_eq!(scenario.round(BUILD).await.threads, 0, "no prompt shows the memory of a thread for longer");
    assert!(memory_of(&scenario, root).await.is_none());
}

#[tokio::test]
async fn a_thread_that_fell_silent_days_before_the_first_build_gets_its_memory() {
    for hours_ago in [25, 72, 7 * 24 - 1] {
        let scenario = Scenario::new(literal_mode_settings(), counting_model()).await;
        scenario.channel("C1").await;
        let root = scenario.say("C1", "誰か知ってる?").await;
        let last = scenario.reply("C1", root, "知ってる").await;
        scenario.pass(hours(hours_ago));
        assert_eq!(scenario.round(BUILD).await.threads, 1, "{hours_ago} hours ago");
        let memory = memory_of(&scenario, root).await.expect("remembered");
        assert_eq!((memory.source_message_count(), memory.source_latest_message_ts()), (2, Some(last)));
        assert_eq!(scenario.round(BUILD).await.threads, 0, "once");
    }
}

/// What was removed from a thread days after it fell silent leaves it with a memory of the rest.
#[tokio::test]
async fn a_silent_thread_is_written_anew_after_a_removal() {
    let scenario = Scenario::new(MemorySettings::default(), counting_model()).await;
    scenario.channel("C1").await;
    let root = scenario.say("C1", "お昼どうする?").await;
    let gone = scenario.reply("C1", root, "カレー").await;
    scenario.reply("C1", root, "うどん").await;
    scenario.pass(hours(3));
    scenario.round(BUILD).await;
    scenario.pass(hours(48));
    scenario.apply(vec![Event::Deleted { channel: ChannelId::new("C1"), ts: gone }]).await;
    scenario.pass(minutes(11));
    scenario.round(BUILD).await;
    let memory = memory_of(&scenario, root).await.expect("remembered");
    assert_eq!(memory.content(), "[2026-03-02 00:00] U1: お昼どうする?\n[2026-03-02 00:00] U1: うどん");
}
