//! What is not taken over stays as it was, byte for byte (specification §11).

use std::{fs, path::Path};

use myao_store::{Store, StoreError, Target};
use sqlx::sqlite::SqliteJournalMode;

use super::world::{BOT, Old, SCHEMA, adopter};

/// The names in a folder but those of the owner's marks.
pub(crate) fn beside(path: &Path) -> Vec<String> {
    let entries = fs::read_dir(path.parent().expect("a folder")).expect("read");
    let mut names: Vec<String> =
        entries.flatten().map(|entry| entry.file_name().to_string_lossy().into_owned()).collect();
    names.retain(|name| !name.contains("-owner-"));
    names.sort();
    names
}

async fn refused(old: Old) -> String {
    old.pool.close().await;
    let before = fs::read(&old.path).expect("read");
    let error = old.open().await.expect_err("it must not open").to_string();
    assert!(fs::read(&old.path).expect("read") == before, "the file was changed");
    assert_eq!(beside(&old.path), ["memory.db"]);
    error
}

#[tokio::test]
async fn a_file_with_some_of_the_tables() {
    let old = Old::new().await;
    old.run("DROP TABLE memos; DROP TABLE judgment_caches").await;
    let error = refused(old).await;
    assert!(error.contains("looks like a database of myao2, but has no"), "{error}");
    assert!(error.contains("`memos`") && error.contains("`judgment_caches`"), "{error}");
}

#[tokio::test]
async fn a_file_with_other_columns() {
    let old = Old::new().await;
    old.run("ALTER TABLE messages RENAME COLUMN timestamp TO posted").await;
    let error = refused(old).await;
    assert!(error.contains("column `timestamp` in its table `messages`"), "{error}");
}

#[tokio::test]
async fn another_program_with_a_table_of_the_same_name() {
    let old = Old::with(
        "CREATE TABLE messages (id INTEGER); CREATE TABLE users (id INTEGER)",
        SqliteJournalMode::Delete,
    )
    .await;
    let error = refused(old).await;
    assert!(error.contains("another program"), "{error}");
}

/// One of our names is taken: whatever goes wrong on the way, nothing stays of it.
#[tokio::test]
async fn a_file_that_cannot_be_taken_over_on_the_way() {
    for extra in [
        // Before any row is carried over, in the middle, and at the very end.
        "CREATE TABLE chapters (whatever TEXT)",
        "CREATE TABLE myao2_memories (whatever TEXT)",
        "CREATE TABLE verdicts (whatever TEXT)",
    ] {
        let old = Old::new().await;
        old.run(extra).await;
        old.message("uuid-a", BOT, "10:00:00", "still here", None).await;
        let error = refused(old).await;
        assert!(error.contains("already"), "{extra}: {error}");
    }
}

#[tokio::test]
async fn a_damaged_file() {
    let old = Old::new().await;
    for n in 0..200 {
        old.message(&format!("uuid-{n}"), BOT, "10:00:00", &"長い文章".repeat(100), None).await;
    }
    old.pool.close().await;
    let mut bytes = fs::read(&old.path).expect("read");
    let middle = bytes.len() / 2;
    bytes[middle..middle + 40_000].fill(0xa5);
    fs::write(&old.path, bytes).expect("written");
    let error = refused(old).await;
    assert!(error.contains("damaged"), "{error}");
}

#[tokio::test]
async fn whoever_cannot_read_its_markup_does_not_take_it_over() {
    let old = Old::new().await;
    old.pool.close().await;
    let before = fs::read(&old.path).expect("read");
    let error = Store::open(&Target::Sqlite(old.path.clone())).await.expect_err("not opened");
    assert!(matches!(error, StoreError::Predecessor(_)), "{error}");
    assert!(fs::read(&old.path).expect("read") == before);
}

/// The predecessor still writes: it is waited for, and told apart from damage.
#[tokio::test]
async fn a_file_in_its_last_words_is_taken_over_with_them() {
    let old = Old::with(SCHEMA, SqliteJournalMode::Wal).await;
    old.message("uuid-a", BOT, "10:00:00", "in the log only", None).await;
    assert!(old.folder.path().join("memory.db-wal").exists(), "not folded back yet");
    // Its connection stays open, so that the log stays.
    let store = Store::open_or_adopt(&Target::Sqlite(old.path.clone()), adopter()).await.expect("taken over");
    assert_eq!(store.adoption().expect("told").messages, 1);
    let backup = store.adoption().expect("told").backup.clone();
    assert_eq!(super::world::rows(&backup, "SELECT text FROM messages").await, ["in the log only"]);
}
