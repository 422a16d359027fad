//! A database of an older version: its words are counted, and what it wrote with other places in view is looked at.

use myao_core::chat::ChannelId;
use myao_store::Target;
use sqlx::ConnectOptions as _;

use super::{beside, reader, texts};
use crate::scenario::{BUILD, Scenario, copying_model};

/// Runs statements on the file, as an older program would have left it.
async fn run(scenario: &Scenario, statements: &[&'static str]) {
    let Target::Sqlite(path) = &scenario.target else { panic!("SQLite") };
    let options = sqlx::sqlite::SqliteConnectOptions::new().filename(path);
    let mut connection = options.connect().await.expect("opened");
    for statement in statements {
        sqlx::query(*statement).execute(&mut connection).await.expect("runs");
    }
}

/// Two channels whose texts an older program wrote: one holds a word of the other, one holds only its own.
async fn older(texts: &[&'static str]) -> Scenario {
    let (scenario, _) = beside("鰐", copying_model()).await;
    run(&scenario, texts).await;
    run(
        &scenario,
        &[
            "DELETE FROM words",
            "UPDATE channels SET words_to = 0",
            "INSERT INTO older_texts (until) SELECT max(id) FROM memory_steps",
        ],
    )
    .await;
    scenario
}

#[tokio::test]
async fn what_repeats_words_of_other_places_is_written_anew() {
    let scenario = older(&[
        "UPDATE memory_steps SET content = '- 合言葉は 鰐 とのこと' WHERE scope = 'channel' AND scope_id = 'C2'",
        "UPDATE memories SET content = '- 合言葉は 鰐 とのこと' WHERE scope = 'channel' AND scope_id = 'C2'",
    ])
    .await;
    scenario.round(BUILD).await;
    assert!(!texts(&reader(&scenario.target).await, "scope_id = 'C2'").await.contains('鰐'));
    assert_eq!(scenario.versions("C2").await.len(), 1, "written anew");
    assert!(
        texts(&reader(&scenario.target).await, "scope_id = 'C1'").await.contains('鰐'),
        "its own channel's stays"
    );
    let verified = scenario.store.verify().await.expect("read");
    assert!(verified.faults.is_empty(), "{:?}", verified.faults);
}

/// An older program took a word with something hidden in it for another word.
#[tokio::test]
async fn what_was_counted_by_another_rule_is_counted_anew() {
    let scenario = older(&["DELETE FROM settings WHERE key = 'terms'"]).await;
    let old = [
        "INSERT INTO words (block, term, channel_id, messages) VALUES (0, 7, 'C1', 5)",
        "UPDATE channels SET words_to = 9223372036854775807",
        "DELETE FROM older_texts",
    ];
    run(&scenario, &old).await;
    let counted = async || {
        let counts = scenario
            .store
            .recall()
            .frequencies_of_terms(None, &["鰐".to_owned()].into())
            .await
            .expect("read");
        (counts.is_complete, counts.frequencies["鰐"].messages)
    };
    assert_eq!(counted().await, (false, 0), "no term may be taken for one that nobody says");
    scenario.round(BUILD).await;
    assert_eq!(counted().await, (true, 1));
}

#[tokio::test]
async fn what_holds_its_own_words_stays() {
    let scenario = older(&[
        "UPDATE memory_steps SET content = '- こちらは別の話です' WHERE scope = 'channel' AND scope_id = 'C2'",
        "UPDATE memories SET content = '- こちらは別の話です' WHERE scope = 'channel' AND scope_id = 'C2'",
    ])
    .await;
    let report = scenario.round(BUILD).await;
    assert_eq!(report.model_calls, 0, "nothing to do");
    // Counted, and looked at once.
    let counts = scenario
        .store
        .recall()
        .frequencies_of_terms(Some(&ChannelId::new("C1")), &["鰐".to_owned()].into())
        .await;
    let counts = counts.expect("read");
    assert!(counts.is_complete && counts.frequencies["鰐"].messages == 1, "{counts:?}");
}
