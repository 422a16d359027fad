//! Migrations, proved over data: each one is applied to a database that holds rows in every table of the
//! form before, on SQLite and on PostgreSQL, and the rows survive (specification §7).
//!
//! A new migration fails [`filling`]'s test until it says with what its tables are filled.

mod copies;
mod database;
mod filling;

use std::{fs, path::Path};

use myao_core::{
    chat::{ChannelId, MessageTs, Visibility},
    memory::{MemoryScope, MemoryType, ScopeId},
};
use myao_store::{Store, StoreError};
use serde_json::{Map, Value};

pub(crate) use database::{Database, Dump};
use database::{before_newest, newest};

/// Every form a database was ever in, 0 being an empty one. Numbers rise, and some are not used.
fn forms() -> impl Iterator<Item = i64> {
    std::iter::once(0).chain(filling::FILLINGS.map(|(version, _)| version))
}

/// A file of the newest form with rows in every table.
pub(crate) async fn filled() -> Database {
    let database = Database::sqlite().await;
    database.bring_to(newest()).await;
    database
}

/// The same on a server.
pub(crate) async fn filled_on_postgres() -> Database {
    let database = Database::postgres().await;
    database.bring_to(newest()).await;
    database
}

/// A filled file, one form behind.
pub(crate) async fn older() -> Database {
    let database = Database::sqlite().await;
    database.bring_to(before_newest()).await;
    database
}

/// The same on a server.
pub(crate) async fn older_on_postgres() -> Database {
    let database = Database::postgres().await;
    database.bring_to(before_newest()).await;
    database
}

#[test]
fn both_databases_have_the_same_migrations_one_after_the_other() {
    let names = |kind: &str| {
        let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../migrations").join(kind);
        let entries = fs::read_dir(folder).expect("migrations").map(|entry| entry.expect("a file"));
        let mut names: Vec<String> =
            entries.map(|entry| entry.file_name().into_string().expect("a name")).collect();
        names.sort();
        names
    };
    assert_eq!(names("sqlite"), names("postgres"));
    let numbers: Vec<i64> = names("sqlite")
        .iter()
        .map(|name| name.split_once('_').expect("a number first").0.parse().expect("four digits"))
        .collect();
    // What is compiled in is what is there.
    assert!(numbers.is_sorted_by(|one, next| one < next), "{numbers:?}");
    assert_eq!(numbers.last(), Some(&newest()));
    assert_eq!(numbers, filling::FILLINGS.map(|(version, _)| version));
}

/// Settings that a migration itself writes.
const NOTES: [&str; 4] = ["older_names", "recall_moves", "last_channel_number", "database_id"];

/// Rows of every earlier form survive every migration after it.
async fn rows_survive(fresh: impl AsyncFn() -> Database) {
    for form in forms() {
        let database = fresh().await;
        database.bring_to(form).await;
        let before = database.dump().await;
        for (table, rows) in &before {
            assert!(!rows.is_empty(), "form {form} has no row in `{table}`: fill it in {}", filling::FILE);
        }
        let store = Store::open(&database.target).await.expect("migrated");
        let after = database.dump().await;
        for (table, rows) in &before {
            let kept = after.get(table).unwrap_or_else(|| panic!("`{table}` of form {form} is gone"));
            let key = |row: &Map<String, Value>| row.get("key").and_then(Value::as_str).map(str::to_owned);
            let is_noted = |row: &Map<String, Value>| {
                table == "settings" && key(row).is_some_and(|key| NOTES.contains(&key.as_str()))
            };
            let kept: Vec<_> = kept.iter().filter(|row| !is_noted(row) || rows.contains(row)).collect();
            assert_eq!(kept.len(), rows.len(), "rows of `{table}` of form {form}");
            for (old, new) in rows.iter().zip(kept) {
                for (column, value) in old {
                    assert_eq!(new.get(column), Some(value), "`{table}.{column}` of form {form}");
                }
            }
        }
        if form > 0 {
            is_understood(&store).await;
        }
        store.close().await;
        database.close().await;
    }
}

/// What the first form held, through the store of today.
async fn is_understood(store: &Store) {
    let message = store
        .archive()
        .message(&Visibility::Owner, &ChannelId::new("C1"), MessageTs::from_micros(11))
        .await
        .expect("read");
    assert_eq!(message.expect("there").text, "one");
    let id = ScopeId::new("C1");
    let memory = store
        .memory()
        .find_latest(&Visibility::Owner, MemoryScope::Channel, &id, MemoryType::ShortTerm)
        .await
        .expect("read");
    assert_eq!(memory.expect("there").content(), "版一");
    let coverage = store.memory().coverage_by_channel().await.expect("read");
    assert_eq!((coverage[0].messages, coverage[0].covered), (1, 1));
    assert_eq!(store.memory().sum_all_calls().await.expect("read").tokens_in, 7);
    assert_eq!(store.memory().list_open_setbacks().await.expect("read").len(), 1);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn rows_survive_on_postgres() {
    rows_survive(Database::postgres).await;
}

/// The newest form is filled as well: the next migration finds rows there.
async fn the_newest_form_is_filled(database: Database) {
    database.bring_to(newest()).await;
    for (table, rows) in database.dump().await {
        assert!(!rows.is_empty(), "no row in `{table}`: fill it in {}", filling::FILE);
    }
    database.close().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn every_table_is_filled() {
    the_newest_form_is_filled(Database::sqlite().await).await;
    the_newest_form_is_filled(Database::postgres().await).await;
}

async fn of_a_newer_program(database: Database) {
    database.bring_to(newest()).await;
    database
        .run(
            "INSERT INTO _sqlx_migrations (version, description, success, checksum, execution_time)
              VALUES (9999, 'of the future', true, 'x', 1)",
        )
        .await;
    let before = database.dump().await;
    let error = Store::open(&database.target).await.expect_err("it must not open");
    assert!(matches!(error, StoreError::Newer { found: 9999, .. }), "{error}");
    assert!(error.to_string().contains("newer myao"), "{error}");
    assert_eq!(database.dump().await, before);
    database.close().await;
}

/// Left out by `scripts/test fast`.
mod slow_tests {
    use super::*;

    #[tokio::test(flavor = "multi_thread", worker_threads = 2)]
    async fn rows_survive_on_sqlite() {
        rows_survive(Database::sqlite).await;
    }

    #[tokio::test(flavor = "multi_thread", worker_threads = 2)]
    async fn a_database_of_a_newer_program_is_left_alone() {
        of_a_newer_program(Database::sqlite().await).await;
        of_a_newer_program(Database::postgres().await).await;
    }
}
