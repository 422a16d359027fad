//! What follows a version, row by row (specification §12.1), in literal mode (ADR 74).

use crate::scenario::{BUILD, Scenario, counting_model, hours, literal_mode_settings, minutes};

/// A channel with one finished conversation, remembered as version 1.
async fn with_version_1() -> Scenario {
    let scenario = Scenario::new(literal_mode_settings(), counting_model()).await;
    scenario.channel("C1").await;
    scenario.say("C1", "昨日の続きです").await;
    scenario.pass(hours(3));
    scenario.round(BUILD).await;
    assert_eq!(scenario.versions("C1").await.len(), 1);
    scenario
}

/// 更新条件満たさず: idle 未到達、メッセージ少 → 短期記憶更新されない
#[tokio::test]
async fn row_1_no_trigger() {
    let scenario = with_version_1().await;
    for n in 0..30 {
        scenario.say("C1", &format!("話 {n}")).await;
    }
    scenario.pass(hours(1));
    let report = scenario.round(BUILD).await;
    assert_eq!(scenario.versions("C1").await.len(), 1);
    assert_eq!(report.model_calls, 0);
}

/// idle トリガー: 2時間以上経過 → 短期記憶が新バージョンで保存
#[tokio::test]
async fn row_2_idle() {
    let scenario = with_version_1().await;
    scenario.say("C1", "ひとこと").await;
    scenario.pass(minutes(121));
    scenario.round(BUILD).await;
    let versions = scenario.versions("C1").await;
    assert_eq!(versions.iter().map(myao_core::memory::Memory::version).collect::<Vec<_>>(), [1, 2]);
    assert_eq!(versions[1].source_message_count(), 1);
}

/// メッセージトリガー: 50件以上 → 短期記憶が新バージョンで保存
#[tokio::test]
async fn row_3_threshold() {
    let scenario = with_version_1().await;
    for n in 0..50 {
        scenario.say("C1", &format!("話 {n}")).await;
    }
    scenario.round(BUILD).await;
    let versions = scenario.versions("C1").await;
    assert_eq!(versions.len(), 2);
    assert_eq!(versions[1].source_message_count(), 50);
}

/// 長期記憶統合: 短期記憶保存後 → 長期記憶が更新される
#[tokio::test]
async fn row_4_long_term() {
    let scenario = with_version_1().await;
    let first = scenario.long_term("C1").await.expect("merged at once");
    assert_eq!(first.source_message_count(), 1);
    let latest = scenario.say("C1", "ひとこと").await;
    scenario.pass(hours(3));
    scenario.round(BUILD).await;
    let second = scenario.long_term("C1").await.expect("there");
    assert_eq!(second.source_message_count(), 2, "the sum of what was folded in");
    assert_eq!(second.source_latest_message_ts(), Some(latest));
    assert_eq!(second.created_at(), first.created_at());
    assert!(second.updated_at() > first.updated_at());
}

/// WS長期記憶更新: チャンネル長期記憶更新後 → WS長期記憶が更新される
#[tokio::test]
async fn row_5_workspace() {
    let scenario = with_version_1().await;
    let first = scenario.workspace().await.expect("carried on at once");
    scenario.channel("C2").await;
    scenario.say("C2", "別の部屋").await;
    scenario.pass(hours(3));
    scenario.round(BUILD).await;
    let second = scenario.workspace().await.expect("there");
    assert!(second.updated_at() > first.updated_at());
    assert_eq!(second.source_message_count(), 2, "the sum over the channels");
}

/// 上書き保存: enabled=false → `save()` `で上書き（save_as_new_version` ではない）
#[tokio::test]
async fn row_6_overwrite() {
    let mut scenario = with_version_1().await;
    scenario.change(|settings| settings.history.enabled = false);
    scenario.say("C1", "新しい話").await;
    scenario.round(BUILD).await;
    let versions = scenario.versions("C1").await;
    assert_eq!(versions.iter().map(myao_core::memory::Memory::version).collect::<Vec<_>>(), [1]);
    assert_eq!(versions[0].source_message_count(), 2, "the window of 24 h holds both");
}
