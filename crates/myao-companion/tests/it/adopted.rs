//! Going on with what was taken over from the predecessor.

use std::sync::Arc;

use myao_core::{
    chat::ChannelKind,
    memory::{MemoryDraft, MemoryScope, MemoryType, Origin, ScopeId, StepKind, create_memory},
};

use crate::scenario::{BUILD, Scenario, counting_model, hours, literal_mode_settings, write_memory};

async fn adopt(scenario: &Scenario, scope: MemoryScope, id: &str, text: &str) {
    let draft: MemoryDraft =
        create_memory(scope, ScopeId::new(id), MemoryType::LongTerm, text, 3, None).expect("valid");
    let origin =
        Origin { kind: StepKind::Adopted, actor: "myao2".to_owned(), reason: "taken over".to_owned() };
    write_memory(&scenario.store, draft, origin, scenario.now()).await;
}

/// The predecessor's memory of the workspace, made from C1 and C2, and a round after a talk in C1; whether
/// the model met it.
async fn meets_the_workspaces_memory(second: ChannelKind) -> bool {
    let model = counting_model();
    let scenario = Scenario::new(literal_mode_settings(), Arc::clone(&model) as _).await;
    scenario.channel("C1").await;
    scenario.channel_of("C2", second, false).await;
    adopt(&scenario, MemoryScope::Channel, "C1", "- 表の話").await;
    adopt(&scenario, MemoryScope::Channel, "C2", "- 内緒の話").await;
    adopt(&scenario, MemoryScope::Workspace, "default", "- 全体と内緒の話").await;
    scenario.say("C1", "こんにちは").await;
    scenario.pass(hours(3));
    let report = scenario.round(BUILD).await;
    assert_eq!((report.merges, report.workspace), (1, 1), "{report:?}");
    assert_ne!(scenario.workspace().await.expect("written").content(), "- 全体と内緒の話");
    let requests = model.requests();
    let met = |words: &str| requests.iter().any(|request| format!("{request:?}").contains(words));
    assert!(met("表の話"));
    assert_eq!(met("- 内緒の話"), second == ChannelKind::Public);
    met("全体と内緒の話")
}

/// It may hold what was said in private: neither shown beside other channels' talk nor built upon (specification §6).
#[tokio::test]
async fn the_workspaces_memory_is_begun_anew_when_a_channel_of_it_is_not_open() {
    assert!(!meets_the_workspaces_memory(ChannelKind::Private).await);
    assert!(!meets_the_workspaces_memory(ChannelKind::Unknown).await);
}

#[tokio::test]
async fn the_workspaces_memory_is_gone_on_with_when_all_of_it_is_open() {
    assert!(meets_the_workspaces_memory(ChannelKind::Public).await);
}
