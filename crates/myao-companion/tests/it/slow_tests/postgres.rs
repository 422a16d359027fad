//! The same life on PostgreSQL leaves the same memories as on SQLite (specification §7).

use std::sync::Arc;

use myao_core::{
    chat::{ChannelId, ChannelKind, Event, Message, MessageTs},
    memory::{Memory, MemorySettings},
};
use myao_model::Builtin;
use myao_store::Target;

use crate::scenario::{BUILD, Scenario, hours};

/// Talk in three channels, threads, an edit, a deletion, a late message, a channel that turns private, with
/// rounds in between.
async fn live(scenario: &Scenario) -> Vec<Memory> {
    for id in ["C1", "C2", "C3"] {
        scenario.channel(id).await;
    }
    let mut said = Vec::new();
    for day in 0..4 {
        for n in 0..60 {
            let text = format!("{day}日目の議題{n}について、担当の{n}番が期日を{n}月に決めました。");
            said.push(scenario.say("C1", &text).await);
        }
        let root = scenario.say("C2", &format!("{day}日目の質問です。誰か知っていますか？")).await;
        scenario.reply("C2", root, "調べて明日までに報告します。").await;
        scenario.say("C3", &format!("{day}日目は予算を{day}万円に変更します。")).await;
        scenario.pass(hours(24));
        scenario.round(BUILD).await;
    }
    let first = said[3];
    let second = said[70];
    scenario.apply(vec![Event::Deleted { channel: ChannelId::new("C1"), ts: first }]).await;
    let edited_at = Some(MessageTs::from_timestamp(scenario.now()));
    let edit = Message {
        ts: second, edited_at, ..scenario.message("C1", "この議題は取り下げました。")
    };
    let late = Message {
        ts: MessageTs::from_micros(second.as_micros() + 5),
        ..scenario.message("C1", "遅れて届いた決定です。")
    };
    scenario.apply(vec![Event::Message(edit), Event::Message(late)]).await;
    scenario.channel_of("C3", ChannelKind::Private, false).await;
    scenario.pass(hours(24));
    scenario.round(BUILD).await;
    let mut all = Vec::new();
    for id in ["C1", "C2", "C3"] {
        all.extend(scenario.versions(id).await);
        all.extend(scenario.long_term(id).await);
    }
    all.extend(scenario.workspace().await);
    all
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn both_databases_remember_the_same() {
    let on_sqlite = Scenario::new(MemorySettings::default(), Arc::new(Builtin)).await;
    let target = Target::Postgres(myao_testkit::fresh_database().await);
    let on_postgres = Scenario::at(target, MemorySettings::default(), Arc::new(Builtin)).await;
    let one = live(&on_sqlite).await;
    let other = live(&on_postgres).await;
    assert!(one.len() > 10, "{} memories", one.len());
    assert_eq!(one, other);
    let sums = |coverage: Vec<myao_store::Coverage>| -> Vec<(u64, u64, u64)> {
        coverage.iter().map(|c| (c.covered, c.pending, c.uncovered)).collect()
    };
    let covered = sums(on_sqlite.store.memory().coverage_by_channel().await.expect("read"));
    assert_eq!(covered, sums(on_postgres.store.memory().coverage_by_channel().await.expect("read")));
    assert!(covered.iter().all(|(_, pending, uncovered)| pending + uncovered == 0), "{covered:?}");
}
