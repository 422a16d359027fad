//! What the keeper does is clean, wherever it built, and whoever wrote in between.

use std::sync::{
    Arc,
    atomic::{AtomicU32, Ordering},
};

use myao_core::{
    chat::{ChannelId, Visibility},
    memory::{HistorySettings, MemorySettings},
};
use myao_store::{ByHand, MemoryKey};
use myao_testkit::ScriptedModel;

use crate::scenario::{BUILD, LIVE, Scenario, counting_model, hours, literal_mode_settings, minutes};

async fn assert_clean(scenario: &Scenario) {
    let verification = scenario.store.verify().await.expect("read");
    assert_eq!(verification.faults, []);
}

/// A model that never says the same twice.
fn restless_model() -> Arc<ScriptedModel> {
    let said = AtomicU32::new(0);
    Arc::new(ScriptedModel::answering(move |request| {
        format!("- 2026-03-02 {} の記憶その{}", request.purpose, said.fetch_add(1, Ordering::Relaxed))
    }))
}

/// In every mode the keeper knows, whatever changes in between.
#[tokio::test]
async fn what_the_keeper_does_is_clean() {
    let overwriting = HistorySettings { enabled: false, ..literal_mode_settings().history };
    let modes = [
        MemorySettings::default(),
        literal_mode_settings(),
        MemorySettings { history: overwriting, ..literal_mode_settings() },
    ];
    for (n, settings) in modes.into_iter().enumerate() {
        let mut scenario = Scenario::new(settings, restless_model()).await;
        scenario.channel("C1").await;
        scenario.channel("C2").await;
        for round in 0..4 {
            let root = scenario.say("C1", "はじめの話").await;
            scenario.reply("C1", root, "返事").await;
            scenario.say("C2", &"長い話をひとつ。".repeat(20)).await;
            scenario.round(if n == 0 { BUILD } else { LIVE }).await;
            assert_clean(&scenario).await;
            scenario.pass(hours(3));
            scenario.round(BUILD).await;
            assert_clean(&scenario).await;
            scenario.change(|settings| settings.history.enabled = settings.history.enabled == (round != 1));
        }
        let checked = scenario.store.verify().await.expect("read").checked;
        assert!(checked.chapters > 3 && checked.entries > 6, "there was something to look at: {checked:?}");
    }
}

/// A person's text is folded on, counted once, and no chapter is merged again because of it.
#[tokio::test]
async fn the_fold_goes_on_from_where_a_person_went_back_to() {
    let scenario = Scenario::new(literal_mode_settings(), restless_model()).await;
    scenario.channel("C1").await;
    for text in ["一", "二", "三"] {
        scenario.say("C1", text).await;
        scenario.pass(hours(3));
        scenario.round(BUILD).await;
    }
    let key = MemoryKey::long_term(&ChannelId::new("C1"));
    let entries = scenario.store.memory().journal_of_memory(&Visibility::Owner, &key).await.expect("read");
    let until = scenario.now() + minutes(1);
    let claim =
        scenario.store.claim(&key.subject(), scenario.now(), until).await.expect("asked").expect("free");
    let hand = ByHand { actor: "alice".into(), user: None, reason: String::new() };
    scenario.store.memory().revert(&claim, entries[0].step, hand, scenario.now()).await.expect("reverted");
    scenario.store.release(&claim).await.expect("released");
    assert_eq!(scenario.round(BUILD).await.merges, 0, "nothing new was said");
    assert_clean(&scenario).await;
    scenario.say("C1", "四").await;
    scenario.pass(hours(3));
    assert_eq!(scenario.round(BUILD).await.merges, 1);
    assert_clean(&scenario).await;
    let now = scenario
        .store
        .memory()
        .journal_of_memory(&Visibility::Owner, &key)
        .await
        .expect("read")
        .pop()
        .expect("an entry");
    assert_eq!((now.source_message_count, now.mark.version), (4, 4));
}

/// Whoever holds a memory writes it: a person waits for the keeper, the keeper leaves it to the person.
#[tokio::test]
async fn a_person_and_the_keeper_do_not_write_at_once() {
    let scenario = Scenario::new(literal_mode_settings(), counting_model()).await;
    scenario.channel("C1").await;
    scenario.say("C1", "一").await;
    scenario.pass(hours(3));
    let subject = MemoryKey::long_term(&ChannelId::new("C1")).subject();
    let until = scenario.now() + minutes(1);
    let held = scenario.store.claim(&subject, scenario.now(), until).await.expect("asked").expect("free");
    assert_eq!(scenario.round(BUILD).await.busy, ["#c1"]);
    scenario.store.release(&held).await.expect("released");
    assert_eq!(scenario.round(BUILD).await.merges, 1);
}
