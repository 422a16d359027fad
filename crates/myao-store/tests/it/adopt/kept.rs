//! Memos and judgment caches.

use super::world::{Old, on_the_day};
use sqlx::sqlite::SqliteJournalMode;

const MEMOS: &str = "SELECT name || ' | ' || content || ' | ' || priority || ' | ' || tags || ' | ' ||
    coalesce(detail, '-') || ' | ' || coalesce(channel_id, '-') || ' ' || audience FROM memos ORDER BY created_at, id";

#[tokio::test]
async fn memos_are_kept_as_they_are() {
    let old = Old::new().await;
    old.run(
        r#"INSERT INTO memos VALUES
           ('1', '佐藤さんの猫', 'ミケ、3歳', 5, '["ペット", "佐藤"]', '駅前の病院', '2026-11-21 10:00:00', '2026-11-21 11:00:00'),
           ('2', '空', 'x', 9, 'null', NULL, '2026-11-21 10:00:01', '2026-11-21 10:00:01')"#,
    )
    .await;
    let adopted = old.adopt().await;
    assert_eq!(
        adopted.rows(MEMOS).await,
        [
            r#"佐藤さんの猫 | ミケ、3歳 | 5 | ["ペット","佐藤"] | 駅前の病院 | - undecided"#,
            "空 | x | 5 | [] | - | - undecided"
        ]
    );
    let times = adopted.rows("SELECT created_at || ' ' || updated_at FROM memos WHERE id = '1'").await;
    let created = on_the_day("10:00:00").as_micros();
    let updated = on_the_day("11:00:00").as_micros();
    assert_eq!(times, [format!("{created} {updated}")]);
    assert_eq!((adopted.adoption.memos, adopted.adoption.memos_renamed), (2, 0));
    assert_eq!(adopted.store.memos().count_undecided().await.expect("counted"), 2);
    let names: Vec<String> =
        adopted.store.memos().taken_over().await.expect("read").into_iter().map(|m| m.memo.name).collect();
    assert_eq!(names, ["佐藤さんの猫", "空"]);
}

/// Earlier versions had no names, wrote their lists as text in text, and TEXT for every type.
#[tokio::test]
async fn memos_of_earlier_versions_get_names_that_fit_and_differ() {
    let schema = super::world::SCHEMA
        .replace("name VARCHAR NOT NULL, content", "content")
        .replace("CREATE UNIQUE INDEX ix_memos_name ON memos (name);", "")
        .replace("priority INTEGER NOT NULL, tags JSON NOT NULL", "priority TEXT, tags TEXT");
    let old = Old::with(&schema, SqliteJournalMode::Delete).await;
    let id = "615750d5-8f38-485c-b7d3-1fe90898c412";
    old.run(&format!(
        r#"INSERT INTO memos VALUES
           ('{id}', 'one', '4', '"[\"a\"]"', NULL, '2026-11-21 10:00:00', 'never'),
           ('{id}-again', 'two', 'high', 'a, b', NULL, '2026-11-21 10:00:01', '2026-11-21 10:00:01'),
           ('short', 'three', NULL, NULL, NULL, '2026-11-21 10:00:02', '2026-11-21 10:00:02')"#
    ))
    .await;
    let adopted = old.adopt().await;
    assert_eq!(
        adopted.rows(MEMOS).await,
        [
            r#"615750d5-8f38-485c-b7d3-1fe90898 | one | 4 | ["a"] | - | - undecided"#,
            r#"615750d5-8f38-485c-b7d3-1fe908-2 | two | 3 | ["a, b"] | - | - undecided"#,
            "short | three | 3 | [] | - | - undecided",
        ]
    );
    assert_eq!((adopted.adoption.memos, adopted.adoption.memos_renamed), (3, 3));
}

/// A name that fits is never taken by one that was cut.
#[tokio::test]
async fn long_names_make_room_for_those_that_fit() {
    let old = Old::new().await;
    let long = "あ".repeat(40);
    let fits = "あ".repeat(32);
    old.run(&format!(
        "INSERT INTO memos VALUES ('1', '{long}', 'long', 1, '[]', NULL, '2026-11-21 10:00:00', ''),
                                  ('2', '{fits}', 'fits', 1, '[]', NULL, '2026-11-21 10:00:01', '')"
    ))
    .await;
    let adopted = old.adopt().await;
    let names = adopted.rows("SELECT name FROM memos ORDER BY id").await;
    assert_eq!(names, [format!("{}-2", "あ".repeat(30)), fits]);
    assert_eq!(adopted.adoption.memos_renamed, 1);
}

#[tokio::test]
async fn judgment_caches_are_verdicts_that_hold_until_their_next_check() {
    let old = Old::new().await;
    let latest = on_the_day("10:00:00").to_string();
    old.message(&latest, "U1", "10:00:00", "どう思う？", None).await;
    old.message("uuid-a", super::world::BOT, "10:00:05", "いいね", None).await;
    old.run(&format!(
        "INSERT INTO judgment_caches VALUES
         (1, 'C1', NULL, 1, 1.0, 'mention', 'uuid-a', '2026-11-21 11:00:00', '2026-11-21 10:00:06', '2026-11-21 10:00:07'),
         (2, 'C1', '{latest}', 'false', 0.85, '活発', '{latest}', '2026-11-21 12:00:00', '2026-11-21 10:00:08', ''),
         (3, 'C1', NULL, 1, 7, 'lost', 'uuid-z', '2026-11-21 11:00:00', '', '')"
    ))
    .await;
    let adopted = old.adopt().await;
    let verdicts = adopted
        .rows(
            "SELECT channel_id || ' ' || thread_ts || ' ' || latest_ts || ' ' || verdict || ' ' || confidence
                 || ' ' || reason || ' ' || hold_until || ' ' || at || ' ' || coalesce(speak_at, '-')
             FROM verdicts ORDER BY id",
        )
        .await;
    let m = |at: &str| on_the_day(at).as_micros();
    assert_eq!(
        verdicts,
        [
            format!("C1 0 {} speak 1000 mention {} {} -", m("10:00:05"), m("11:00:00"), m("10:00:07")),
            format!("C1 {0} {0} quiet 850 活発 {1} {2} -", m("10:00:00"), m("12:00:00"), m("10:00:08")),
        ]
    );
    assert_eq!((adopted.adoption.judgments, adopted.adoption.unread), (2, 1));
}

/// They are the owner's, as far as anybody knows; the log says since when they are here.
#[tokio::test]
async fn the_log_tells_of_memos_that_were_taken_over() {
    let old = Old::new().await;
    old.run(
        r#"INSERT INTO memos VALUES
           ('1', '佐藤さんの猫', 'ミケ', 5, '["猫"]', NULL, '2026-11-21 10:00:00', '2026-11-21 11:00:00')"#,
    )
    .await;
    let adopted = old.adopt().await;
    let entries = adopted
        .rows("SELECT memo_id || ' ' || deed || ' ' || by_hand || ' ' || channel_id || ' ' || name || ' ' || new_text FROM memo_log")
        .await;
    let text = r#"{"name":"佐藤さんの猫","content":"ミケ","priority":5,"tags":["猫"]}"#;
    assert_eq!(entries, [format!("1 added myao2  佐藤さんの猫 {text}")]);
}
