//! The whole of it: the copy, once and no more, and being killed on the way.

use std::{fs, time::Duration};

use myao_store::{Store, Target};
use sqlx::sqlite::SqliteJournalMode;

use super::{
    refused::beside,
    world::{Adopted, BOT, Old, adopter, connect, on_the_day, rows},
};

async fn filled() -> Old {
    let old = Old::new().await;
    let first = on_the_day("10:00:00").to_string();
    old.message(&first, "U1", "10:00:00", "こんにちは", None).await;
    old.message("uuid-a", BOT, "10:00:02", "にゃ", Some(&first)).await;
    old.memory("channel", "C1", "short_term", "要約", Some("uuid-a")).await;
    old.memory("channel", "C1", "long_term", "歴史", None).await;
    old.run("INSERT INTO memos VALUES ('1', '猫', 'ミケ', 5, '[]', NULL, '', '')").await;
    old
}

const STATE: &str = "SELECT group_concat(t, ';') FROM (
    SELECT count(*) || ' messages' AS t FROM messages UNION ALL SELECT count(*) || ' steps' FROM memory_steps
    UNION ALL SELECT count(*) || ' memories' FROM memories UNION ALL SELECT count(*) || ' chapters' FROM chapters
    UNION ALL SELECT count(*) || ' memos' FROM memos UNION ALL SELECT count(*) || ' users' FROM users)";
const EXPECTED: &str = "2 messages;2 steps;2 memories;1 chapters;1 memos;2 users";

#[tokio::test]
async fn the_file_is_copied_first_and_its_tables_are_kept() {
    let Adopted { store, adoption, path, _folder } = filled().await.adopt().await;
    assert_eq!(adoption.backup, path.with_file_name("memory.db.myao2-backup"));
    assert_eq!(rows(&adoption.backup, "SELECT text FROM messages ORDER BY id").await, ["こんにちは", "にゃ"]);
    assert_eq!(rows(&path, "SELECT text FROM myao2_messages ORDER BY id").await, ["こんにちは", "にゃ"]);
    let kept = "SELECT name FROM sqlite_schema WHERE type = 'table' AND name LIKE 'myao2%' ORDER BY name";
    assert_eq!(rows(&path, kept).await.len(), 6);
    let indexes = "SELECT name FROM sqlite_schema WHERE type = 'index' AND name LIKE 'ix%'";
    assert!(rows(&path, indexes).await.is_empty());
    let told = adoption.to_string();
    assert!(told.contains("2 messages (1 of its own posts") && told.contains("myao2-backup"), "{told}");
    // It gives room back, as a file of our own making does.
    assert_eq!(rows(&path, "SELECT CAST(auto_vacuum AS TEXT) FROM pragma_auto_vacuum").await, ["2"]);
    store.close().await;
}

#[cfg(unix)]
#[tokio::test]
async fn nobody_else_can_read_the_file_or_its_copy() {
    use std::os::unix::fs::PermissionsExt as _;

    let old = filled().await;
    fs::set_permissions(&old.path, fs::Permissions::from_mode(0o644)).expect("set");
    let adopted = old.adopt().await;
    for path in [&adopted.path, &adopted.adoption.backup] {
        assert_eq!(fs::metadata(path).expect("there").permissions().mode() & 0o777, 0o600);
    }
}

#[tokio::test]
async fn opened_again_nothing_happens() {
    let adopted = filled().await.adopt().await;
    assert_eq!(adopted.rows(STATE).await, [EXPECTED]);
    adopted.store.close().await;
    let target = Target::Sqlite(adopted.path.clone());
    let again = Store::open_or_adopt(&target, adopter()).await.expect("opened");
    assert!(again.adoption().is_none());
    again.close().await;
    let plain = Store::open(&target).await.expect("opened");
    plain.close().await;
    assert_eq!(adopted.rows(STATE).await, [EXPECTED]);
    assert_eq!(beside(&adopted.path), ["memory.db", "memory.db.myao2-backup"]);
}

#[tokio::test]
async fn a_copy_that_is_there_is_not_overwritten() {
    let old = filled().await;
    let mine = old.path.with_file_name("memory.db.myao2-backup");
    fs::write(&mine, "mine").expect("written");
    let adopted = old.adopt().await;
    assert_eq!(fs::read_to_string(mine).expect("read"), "mine");
    assert_eq!(adopted.adoption.backup, adopted.path.with_file_name("memory.db.myao2-backup-2"));
}

/// Killed after the copy was made: it is the copy.
#[tokio::test]
async fn a_copy_that_was_finished_is_used() {
    let old = filled().await;
    let copy = old.path.with_file_name("memory.db.myao2-backup");
    old.run(&format!("VACUUM INTO '{}'", copy.display())).await;
    let adopted = old.adopt().await;
    assert_eq!(adopted.adoption.backup, copy);
    adopted.store.close().await;
    assert_eq!(beside(&adopted.path), ["memory.db", "memory.db.myao2-backup"]);
}

/// Killed while the copy was written: what is there of it is no copy.
#[tokio::test]
async fn a_copy_that_was_not_finished_is_made_anew() {
    let old = filled().await;
    for left in ["memory.db.backup-unfinished", "memory.db.backup-unfinished-journal"] {
        fs::write(old.path.with_file_name(left), "SQLite for").expect("written");
    }
    let adopted = old.adopt().await;
    assert_eq!(adopted.rows(STATE).await, [EXPECTED]);
    adopted.store.close().await;
    assert_eq!(beside(&adopted.path), ["memory.db", "memory.db.myao2-backup"]);
}

/// Killed within the transaction: the pages that reached the file are rolled back from its journal, and it
/// begins anew. The state is made as a kill leaves it: file and journal copied while the transaction is open.
#[tokio::test]
async fn killed_in_the_middle_it_begins_anew() {
    let old = filled().await;
    old.run("PRAGMA cache_size = 1; PRAGMA cache_spill = 1; BEGIN IMMEDIATE").await;
    old.run(
        "ALTER TABLE messages RENAME TO myao2_messages; ALTER TABLE memos RENAME TO myao2_memos;
             CREATE TABLE messages (channel_id TEXT, ts INTEGER); PRAGMA application_id = 1297695055;
             WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 5000)
             INSERT INTO messages SELECT hex(randomblob(50)), i FROM n",
    )
    .await;
    let journal = old.path.with_file_name("memory.db-journal");
    let file = fs::read(&old.path).expect("read");
    let log = fs::read(&journal).expect("a journal is there");
    assert!(file.len() > 100_000, "pages of the transaction are in the file");
    old.run("ROLLBACK").await;
    old.pool.close().await;
    fs::write(&old.path, file).expect("written");
    fs::write(journal, log).expect("written");
    let adopted = old.adopt().await;
    assert_eq!(adopted.rows(STATE).await, [EXPECTED]);
    assert_eq!(
        rows(&adopted.adoption.backup, "SELECT text FROM messages ORDER BY id").await,
        ["こんにちは", "にゃ"]
    );
}

/// A file that is not in write-ahead mode yet is changed to it once nobody writes, however often SQLite refuses.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_file_that_is_being_written_is_waited_for() {
    let Adopted { store, path, _folder, .. } = filled().await.adopt().await;
    store.close().await;
    let other = connect(&path, SqliteJournalMode::Delete).await;
    let written = other.begin_with("BEGIN IMMEDIATE").await.expect("begun");
    let opening = tokio::spawn({
        let target = Target::Sqlite(path);
        async move { Store::open(&target).await.map(drop) }
    });
    let mut opening = std::pin::pin!(opening);
    let silence = tokio::time::timeout(Duration::from_millis(200), &mut opening).await;
    assert!(silence.is_err(), "it was not waited for: {silence:?}");
    written.rollback().await.expect("ended");
    opening.await.expect("it ends").expect("opened");
}

/// Whoever comes second finds a database of ours.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn several_at_once_take_it_over_once() {
    let old = filled().await;
    old.pool.close().await;
    let mut starts = tokio::task::JoinSet::new();
    for _ in 0..4 {
        let target = Target::Sqlite(old.path.clone());
        starts.spawn(async move {
            let store = Store::open_or_adopt(&target, adopter()).await.expect("opened");
            let told = store.adoption().is_some();
            store.close().await;
            told
        });
    }
    let told = starts.join_all().await;
    assert_eq!(told.iter().filter(|told| **told).count(), 1, "{told:?}");
    assert_eq!(rows(&old.path, STATE).await, [EXPECTED]);
    assert_eq!(beside(&old.path), ["memory.db", "memory.db.myao2-backup"]);
}
