//! Literal mode (`verbatim_small: false`, an interval of 0): every version is summarised, merged and carried into the
//! workspace's memory at once, as the predecessor has it (specification §12.1).

use std::sync::Arc;

use myao_core::{
    chat::{ChannelKind, Visibility},
    memory::{Memory, MemorySettings, StepKind},
    ports::{Model, ModelError, Request, Turn},
};
use myao_store::{JournalEntry, MemoryKey, Target};
use myao_testkit::{ScriptedAnswer, ScriptedModel};

use crate::scenario::{BUILD, LIVE, Scenario, counting_model, hours, literal_mode_settings};

/// Chapters of C1, of C2, and of the private G1.
const CHAPTERS: [(&str, u32); 3] = [("C1", 3), ("C2", 2), ("G1", 2)];

/// Several channels in which several chapters are due, and another in which nothing closes one yet.
async fn furnished(model: Arc<dyn Model>) -> Scenario {
    furnish(Scenario::new(literal_mode_settings(), model).await).await
}

async fn furnish(scenario: Scenario) -> Scenario {
    scenario.channel("C1").await;
    scenario.channel("C2").await;
    scenario.channel_of("G1", ChannelKind::Private, false).await;
    for nth in 0..3 {
        for (id, _) in CHAPTERS.iter().filter(|(_, chapters)| nth < *chapters) {
            scenario.say(id, "その話をする").await;
            scenario.say(id, "そうしよう").await;
        }
        scenario.pass(hours(3));
    }
    scenario
}

fn purposes(requests: &[Request]) -> Vec<&'static str> {
    requests.iter().map(|request| request.purpose).collect()
}

/// What a round of all of it asks: channel by channel, version by version.
fn in_literal_order() -> Vec<&'static str> {
    let of_version = |is_open: bool| {
        let carried_on = is_open.then_some("workspace");
        ["chapter", "merge"].into_iter().chain(carried_on)
    };
    let of_channel = |(id, chapters): (&str, u32)| {
        let is_open = id != "G1";
        (0..chapters).flat_map(move |_| of_version(is_open))
    };
    CHAPTERS.into_iter().flat_map(of_channel).collect()
}

/// The texts that a memory had, oldest first, each with how many messages it was made from.
async fn texts(scenario: &Scenario, key: &MemoryKey) -> Vec<(u64, u32, Option<String>)> {
    let journal = scenario.store.memory().journal_of_memory(&Visibility::Owner, key).await.expect("read");
    let told = |entry: JournalEntry| (entry.source_message_count, entry.mark.version, entry.content);
    journal.into_iter().filter(|entry| entry.kind == StepKind::Merge).map(told).collect()
}

/// Every memory as it stands, times and numbers of journal entries aside; and every text that was merged.
async fn remembered(scenario: &Scenario) -> (Vec<String>, Vec<Vec<(u64, u32, Option<String>)>>) {
    let told = |memory: Memory| {
        let key = (memory.scope(), memory.scope_id().clone(), memory.memory_type(), memory.version());
        let sources = (memory.source_message_count(), memory.source_latest_message_ts());
        format!("{key:?} {sources:?} {}", memory.content())
    };
    let heads = scenario.store.memory().all_memories(&Visibility::Owner).await.expect("read");
    let mut merged = vec![texts(scenario, &MemoryKey::workspace()).await];
    for (id, _) in CHAPTERS {
        merged.push(texts(scenario, &MemoryKey::long_term(&myao_core::chat::ChannelId::new(id))).await);
    }
    (heads.into_iter().map(|(_, memory)| told(memory)).collect(), merged)
}

async fn is_in_order(scenario: &Scenario, model: &ScriptedModel) {
    let report = scenario.round(BUILD).await;
    assert_eq!(purposes(&model.requests()), in_literal_order());
    assert_eq!((report.summaries, report.merges, report.workspace), (7, 7, 5));
    assert_eq!((report.verbatim, report.troubles.len()), (0, 0));
    let (_, merged) = remembered(scenario).await;
    let counts = |texts: &[(u64, u32, Option<String>)]| texts.iter().map(|(n, ..)| *n).collect::<Vec<_>>();
    let marks = |texts: &[(u64, u32, Option<String>)]| texts.iter().map(|(_, m, _)| *m).collect::<Vec<_>>();
    assert_eq!(counts(&merged[0]), [2, 4, 6, 8, 10], "the workspace's memory grew with every version");
    assert_eq!((counts(&merged[1]), marks(&merged[1])), (vec![2, 4, 6], vec![1, 2, 3]));
    assert_eq!((counts(&merged[2]), marks(&merged[2])), (vec![2, 4], vec![1, 2]));
    assert_eq!((counts(&merged[3]), marks(&merged[3])), (vec![2, 4], vec![1, 2]));
    let found = scenario.store.verify().await.expect("read");
    assert_eq!(found.faults, []);
}

#[tokio::test]
async fn every_version_is_merged_and_carried_on_before_the_next() {
    let model = counting_model();
    is_in_order(&furnished(Arc::clone(&model) as _).await, &model).await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn on_postgresql_too() {
    let model = counting_model();
    let target = Target::Postgres(myao_testkit::fresh_database().await);
    let scenario = Scenario::at(target, literal_mode_settings(), Arc::clone(&model) as _).await;
    is_in_order(&furnish(scenario).await, &model).await;
}

/// Beside its own talk a chapter is shown the workspace's memory as it stands then: it holds the version before.
#[tokio::test]
async fn each_is_written_with_what_was_carried_on_before() {
    let model = counting_model();
    let scenario = furnished(Arc::clone(&model) as _).await;
    scenario.round(BUILD).await;
    let shown = |request: &Request| {
        request.turns.iter().any(|turn| matches!(turn, Turn::User(text) if text.contains("workspace の記憶")))
    };
    let requests = model.requests();
    let chapters = requests.iter().filter(|request| request.purpose == "chapter");
    assert_eq!(chapters.map(shown).collect::<Vec<_>>(), [false, true, true, true, true, true, true]);
}

/// Killed while a model is asked, at each call of the round: resumed, it ends where the undisturbed one does, and asks
/// again only what was under way.
#[tokio::test]
async fn killed_anywhere_it_goes_on_to_the_same_end() {
    let calm = furnished(counting_model()).await;
    calm.round(BUILD).await;
    let expected = remembered(&calm).await;
    for call in 1..=in_literal_order().len() {
        let model = counting_model();
        let scenario = furnished(Arc::clone(&model) as _).await;
        scenario.heard().await;
        model.hold();
        let keeper = scenario.keeper();
        let killed = tokio::spawn(async move { keeper.round(BUILD, &|_| {}).await.map(drop) });
        for answered in 1..call {
            model.asked(answered).await;
            model.release_one();
        }
        model.asked(call).await;
        killed.abort();
        assert!(killed.await.expect_err("killed").is_cancelled());
        model.release();
        scenario.round(BUILD).await;
        assert_eq!(remembered(&scenario).await, expected, "killed at call {call}");
        assert_eq!(model.calls(), in_literal_order().len() + 1, "killed at call {call}");
    }
}

/// While the workspace's memory cannot be written, the channels' memories grow all the same. It is asked about once a
/// round, and made up for.
#[tokio::test]
async fn a_workspace_that_fails_holds_no_channel_up() {
    let is_down = Arc::new(std::sync::atomic::AtomicBool::new(true));
    let down = Arc::clone(&is_down);
    let model = Arc::new(ScriptedModel::answering(move |request| {
        let fails = request.purpose == "workspace" && down.load(std::sync::atomic::Ordering::Relaxed);
        if fails {
            ScriptedAnswer::from(ModelError::Rejected("no".to_owned()))
        } else {
            ScriptedAnswer::from(format!("- 2026-03-02 {} の記憶", request.purpose))
        }
    }));
    let scenario = furnished(Arc::clone(&model) as _).await;
    let report = scenario.round(BUILD).await;
    let subjects: Vec<&str> = report.troubles.iter().map(|trouble| trouble.subject.as_str()).collect();
    assert_eq!((report.summaries, report.merges, report.workspace), (7, 7, 0));
    assert!(!subjects.is_empty() && subjects.iter().all(|subject| *subject == "workspace"), "{subjects:?}");
    let asked = purposes(&model.requests()).into_iter().filter(|purpose| *purpose == "workspace").count();
    assert!(asked <= 2, "{asked} times: after the first version, and at the end of the round");
    is_down.store(false, std::sync::atomic::Ordering::Relaxed);
    assert_eq!(scenario.round(BUILD).await.workspace, 1);
    assert_eq!(scenario.workspace().await.expect("made up for").source_message_count(), 10);
}

/// No memory yet → make one: also merged and carried on at once. When its chapter is written, that is undone, so that
/// the end is the same as if it had never been.
#[tokio::test]
async fn a_provisional_version_is_carried_on_and_taken_back() {
    let model = counting_model();
    let scenario = Scenario::new(literal_mode_settings(), Arc::clone(&model) as _).await;
    scenario.channel("C1").await;
    scenario.say("C1", "はじめまして").await;
    let report = scenario.round(LIVE).await;
    assert_eq!((report.summaries, report.merges, report.workspace), (1, 1, 1));
    assert_eq!(scenario.long_term("C1").await.expect("merged").source_message_count(), 1);
    scenario.say("C1", "よろしく").await;
    assert_eq!(scenario.round(LIVE).await.model_calls, 0, "a run writes it once");
    scenario.pass(hours(3));
    let report = scenario.round(LIVE).await;
    assert_eq!((report.summaries, report.merges, report.workspace), (1, 1, 1));
    assert_eq!(scenario.versions("C1").await.len(), 1);
    let long_term = scenario.long_term("C1").await.expect("merged");
    assert_eq!((long_term.source_message_count(), long_term.version()), (2, 1), "each message once");
    assert_eq!(scenario.workspace().await.expect("there").source_message_count(), 2);
    assert_eq!(scenario.store.verify().await.expect("read").faults, []);
}

/// At default settings chapters are merged together, and the workspace's memory is written once, as before.
#[tokio::test]
async fn defaults_ask_no_more_than_before() {
    let model = counting_model();
    let scenario = furnish(Scenario::new(MemorySettings::default(), Arc::clone(&model) as _).await).await;
    scenario.pass(hours(24));
    let report = scenario.round(BUILD).await;
    assert_eq!((report.verbatim, report.merges, report.workspace), (7, 3, 1));
    assert_eq!(report.model_calls, 4);
}
