//! An installation is moved to another database with everything that the migrations ever made room for (ADR 62).

use std::{
    collections::BTreeMap,
    fs,
    panic::{self, AssertUnwindSafe},
};

use futures::FutureExt as _;
use myao_store::{CopiedDatabase, CopyError, CopyProgress, HouseWordEnd, Store, StoreError, Target};
use tempfile::TempDir;

use crate::{
    migrations::{Database, Dump, filled},
    support::{at, channel, claim, message, said},
};
use myao_core::chat::{ChannelId, ChannelKind, Event};

/// Tables that the copy does not have from the original.
const LEFT_OUT: [&str; 6] =
    ["claims", "processes", "limits", "web_sessions", "recall_samples", "recall_sampled"];

async fn copied(from: &Target, to: &Target) -> Result<CopiedDatabase, CopyError> {
    Store::copy_whole_database(from, to, at(1000), &mut |_| ()).await
}

/// Everything that was said and is remembered can be found, so that nothing is left to be done.
async fn index(target: &Target) {
    let store = Store::open(target).await.expect("opened");
    while !store.recall().index_some().await.expect("indexed").is_complete {}
    store.close().await;
}

/// Somebody ends what a message says that a word means: where none says it, the index drops that.
async fn end_a_word(target: &Target) {
    let store = Store::open(target).await.expect("opened");
    let c1 = ChannelId::new("C1");
    let ended =
        store.recall().end_house_word(&c1, "OBR", "Old Bakery Road", HouseWordEnd::Ended, at(90)).await;
    assert_eq!(ended.expect("ended"), 1);
    store.close().await;
}

async fn dump(target: &Target) -> Dump {
    let database = Database::at(target.clone()).await;
    let mut dump = database.dump().await;
    database.close().await;
    for left_out in LEFT_OUT {
        dump.remove(left_out).expect("a table");
    }
    dump
}

/// A new place for a database of the other kind.
async fn other(of: &Target, folder: &TempDir) -> Target {
    match of {
        Target::Sqlite(_) => Target::Postgres(myao_testkit::fresh_database().await),
        Target::Postgres(_) => Target::Sqlite(folder.path().join("new/copy.db")),
    }
}

/// Rows in every table, to the other kind of database and back to the first: all of them are there, value by value.
/// A table that is added is among them, or the test of the migrations asks for a row in it.
async fn there_and_back(original: Database) {
    // A memory with a line that names somebody, and nothing that is still to be forgotten.
    original
        .run(
            "UPDATE memory_steps SET content = '- 佐藤: 京都に3月13日に行くと決めた' WHERE id = 1;
             UPDATE memories SET content = '- 佐藤: 京都に3月13日に行くと決めた' WHERE step_id = 1;
             UPDATE forgettings SET stage = 'done';
             UPDATE messages SET text = 'OBR stands for the Old Bakery Road.' WHERE channel_id = 'C1' AND ts = 11",
        )
        .await;
    index(&original.target).await;
    end_a_word(&original.target).await;
    original.close().await;
    let before = dump(&original.target).await;
    for (table, rows) in &before {
        assert!(!rows.is_empty(), "`{table}` has no row");
    }
    let folder = tempfile::tempdir().expect("a folder");
    let there = other(&original.target, &folder).await;
    let first = copied(&original.target, &there).await.expect("copied");
    let tables: Vec<&str> = first.tables.iter().map(|(name, _)| name.as_str()).collect();
    let expected: Vec<&str> = before.keys().map(String::as_str).collect();
    assert_eq!(sorted(tables), expected);
    assert_same(&before, &dump(&there).await);
    let back = other(&there, &folder).await;
    let second = copied(&there, &back).await.expect("copied back");
    assert_same(&before, &dump(&back).await);
    assert_eq!(first.tables, second.tables);
    // Another one of the same kind.
    assert_same(&before, &dump(&original.target).await);
    assert_eq!(indexes(&back).await, indexes(&original.target).await);
    let fresh = match &there {
        Target::Sqlite(_) => Target::Sqlite(folder.path().join("fresh.db")),
        Target::Postgres(_) => Target::Postgres(myao_testkit::fresh_database().await),
    };
    Store::open(&fresh).await.expect("made").close().await;
    assert_eq!(
        indexes(&there).await,
        indexes(&fresh).await,
        "what a copy does without on its way is made again"
    );
}

/// PostgreSQL looks into the schema of the role's own name first; the tables may stand in another one all the same.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn no_index_is_lost_where_the_tables_stand_in_another_schema_on_postgres() {
    let folder = tempfile::tempdir().expect("a folder");
    let from = Target::Sqlite(folder.path().join("from.db"));
    with_talk(&from).await;
    index(&from).await;
    let to = Target::Postgres(myao_testkit::fresh_database().await);
    Store::open(&to).await.expect("made").close().await;
    let made = indexes(&to).await;
    let database = Database::at(to.clone()).await;
    database.run("CREATE SCHEMA postgres").await;
    database.close().await;
    copied(&from, &to).await.expect("copied");
    assert_eq!(indexes(&to).await, made);
}

async fn indexes(target: &Target) -> Vec<String> {
    let database = Database::at(target.clone()).await;
    let indexes = database.indexes().await;
    database.close().await;
    indexes
}

fn sorted(mut names: Vec<&str>) -> Vec<&str> {
    names.sort_unstable();
    names
}

fn assert_same(one: &Dump, other: &Dump) {
    assert_eq!(one.keys().collect::<Vec<_>>(), other.keys().collect::<Vec<_>>());
    for (table, rows) in one {
        let normal = |rows: &Vec<serde_json::Map<String, serde_json::Value>>| {
            let rows = rows.iter().map(|row| row.iter().map(|(k, v)| (k.clone(), v.to_string())).collect());
            let mut rows: Vec<BTreeMap<String, String>> = rows.collect();
            rows.sort();
            rows
        };
        let found = other.get(table).expect("the same tables");
        assert_eq!(normal(rows), normal(found), "{table}");
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn from_sqlite_to_postgres_and_back() {
    there_and_back(filled().await).await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn on_postgres_to_sqlite_and_back() {
    there_and_back(crate::migrations::filled_on_postgres().await).await;
}

/// A database with talk, and an id that was given and is gone.
async fn with_talk(target: &Target) {
    let store = Store::open(target).await.expect("a new database");
    let mut events = vec![
        channel("C1", ChannelKind::Public),
        said(1, "京都に行きました"),
        said(2, "it's \"fine\"; 100 %"),
    ];
    let hostile = "a\tb\\N\nnull NULL {1,\"2\"} \u{1f431}";
    events.push(Event::Message(message("C1", 3, hostile)));
    store.intake().apply(events, at(5)).await.expect("applied");
    store.close().await;
}

/// What a copy counts up goes on after the last number of the original, also where that row is gone.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn no_id_comes_again_on_postgres() {
    let original = filled().await;
    original.run("INSERT INTO removals (id, said_at, removed_at) VALUES (70, 1, 2); DELETE FROM removals WHERE id = 70").await;
    original.run("UPDATE forgettings SET stage = 'done'; DELETE FROM removals").await;
    original.close().await;
    let folder = tempfile::tempdir().expect("a folder");
    let mut at = original.target.clone();
    for _ in 0..2 {
        let next = other(&at, &folder).await;
        copied(&at, &next).await.expect("copied");
        at = next;
    }
    let there = other(&at, &folder).await;
    copied(&at, &there).await.expect("copied");
    let database = Database::at(there).await;
    database.run("INSERT INTO removals (said_at, removed_at) VALUES (1, 2)").await;
    let id = database.dump().await["removals"][0]["id"].as_i64();
    database.close().await;
    assert_eq!(id, Some(71));
}

/// Nothing is copied from or to a database that somebody works on, nor onto anything, and the original is not touched.
async fn is_refused(from: &Target, to: &Target) {
    with_talk(from).await;
    // Under a claim.
    let store = Store::open(from).await.expect("opened");
    let held = claim(&store, "channel:C1").await;
    let now = at(30);
    let busy = Store::copy_whole_database(from, to, now, &mut |_| ()).await;
    assert!(matches!(&busy, Err(CopyError::Busy { what, .. }) if what.contains("channel:C1")), "{busy:?}");
    store.release(&held).await.expect("released");
    if matches!(from, Target::Postgres(_)) {
        let busy = copied(from, to).await;
        assert!(
            matches!(&busy, Err(CopyError::Busy { what, .. }) if what.contains("connections")),
            "{busy:?}"
        );
    }
    store.close().await;
    copied(from, to).await.expect("copied");
    let again = copied(from, to).await;
    assert!(matches!(again, Err(CopyError::NotEmpty { .. })), "{again:?}");
    if matches!(to, Target::Postgres(_)) {
        let store = Store::open(to).await.expect("opened");
        let busy = copied(from, to).await;
        assert!(matches!(busy, Err(CopyError::Busy { .. })), "{busy:?}");
        store.close().await;
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_copy_to_postgres_is_refused_where_it_would_lose_something() {
    let folder = tempfile::tempdir().expect("a folder");
    let from = Target::Sqlite(folder.path().join("from.db"));
    is_refused(&from, &other(&from, &folder).await).await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_copy_from_on_postgres_is_refused_where_it_would_lose_something() {
    let folder = tempfile::tempdir().expect("a folder");
    let from = Target::Postgres(myao_testkit::fresh_database().await);
    is_refused(&from, &other(&from, &folder).await).await;
}

/// Only databases of ours in this program's form.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn another_form_or_schema_is_refused_on_postgres() {
    let folder = tempfile::tempdir().expect("a folder");
    let from = Target::Sqlite(folder.path().join("from.db"));
    with_talk(&from).await;
    let older = crate::migrations::older_on_postgres().await;
    let refused = copied(&from, &older.target).await;
    assert!(matches!(refused, Err(CopyError::To(StoreError::Older { .. }))), "{refused:?}");
    let refused = copied(&older.target, &Target::Sqlite(folder.path().join("to.db"))).await;
    assert!(matches!(refused, Err(CopyError::From(StoreError::Older { .. }))), "{refused:?}");
    let missing = Target::Sqlite(folder.path().join("missing.db"));
    let refused = copied(&missing, &Target::Sqlite(folder.path().join("to.db"))).await;
    assert!(matches!(refused, Err(CopyError::From(StoreError::Missing(_)))), "{refused:?}");
    let foreign = Database::at(Target::Postgres(myao_testkit::fresh_database().await)).await;
    foreign.run("CREATE TABLE settings (key TEXT PRIMARY KEY, value TEXT); CREATE VIEW channels AS SELECT 1 AS id").await;
    let refused = copied(&from, &foreign.target).await;
    assert!(matches!(refused, Err(CopyError::To(_))), "{refused:?}");
    let names: Vec<_> =
        fs::read_dir(folder.path()).expect("listed").map(|f| f.expect("one").file_name()).collect();
    assert_eq!(names, ["from.db"], "nothing is left beside");
}

/// Whether a copy has come to where it is stopped.
type Moment = fn(&CopyProgress) -> bool;

/// A copy that was stopped in the middle leaves a database in which nothing is; the next copy goes through.
async fn stopped(from: &Target, to: &Target, after: impl Fn(&CopyProgress) -> bool) {
    // Within the call that tells of it: a copy that is only no longer waited for may get as far as its commit, since a
    // server may answer before it is waited for.
    let mut tell = |progress: CopyProgress| {
        if after(&progress) {
            panic::resume_unwind(Box::new("stopped"));
        }
    };
    let copying = Store::copy_whole_database(from, to, at(1000), &mut tell);
    let copied_nonetheless = AssertUnwindSafe(copying).catch_unwind().await;
    assert!(copied_nonetheless.is_err(), "not stopped: {copied_nonetheless:?}");
    if let Target::Sqlite(path) = to {
        assert!(!path.exists());
    }
    copied(from, to).await.expect("copied at last");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn one_that_was_stopped_is_made_again_on_postgres() {
    let folder = tempfile::tempdir().expect("a folder");
    let from = Target::Sqlite(folder.path().join("from.db"));
    with_talk(&from).await;
    let moments: [Moment; 3] = [
        |told| matches!(told, CopyProgress::Copying { table, .. } if table == "messages"),
        |told| matches!(told, CopyProgress::Comparing { .. }),
        |told| matches!(told, CopyProgress::Indexing { .. }),
    ];
    for moment in moments {
        stopped(&from, &Target::Postgres(myao_testkit::fresh_database().await), moment).await;
        let to = folder.path().join("stopped/to.db");
        stopped(&from, &Target::Sqlite(to.clone()), moment).await;
        fs::remove_dir_all(to.parent().expect("a folder")).expect("removed");
    }
}
