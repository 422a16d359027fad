//! The copy of the file that is made before a migration.

use std::{fs, path::PathBuf};

use myao_store::{Store, Target};

use super::database::{Database, before_newest, newest};
use crate::adopt::world::{rows, run};

/// A database one form behind, closed, and its path.
async fn behind() -> (Database, PathBuf) {
    let database = Database::sqlite().await;
    database.bring_to(before_newest()).await;
    database.close().await;
    let Target::Sqlite(path) = database.target.clone() else { panic!("SQLite") };
    (database, path)
}

fn copies(database: &Database) -> Vec<String> {
    let entries = fs::read_dir(database.folder.path()).expect("read").flatten();
    let mut names: Vec<String> =
        entries.map(|entry| entry.file_name().into_string().expect("a name")).collect();
    names.retain(|name| name.contains("backup"));
    names.sort();
    names
}

async fn open_and_close(path: &std::path::Path) {
    Store::open(&Target::Sqlite(path.to_owned())).await.expect("opened").close().await;
}

#[tokio::test]
async fn a_database_is_copied_before_it_is_migrated_and_not_again() {
    let (database, path) = behind().await;
    open_and_close(&path).await;
    let label = format!("memory.db.v{}-backup", before_newest());
    assert_eq!(copies(&database).join(" "), label);
    let copy = path.with_file_name(label);
    let form = "SELECT CAST(max(version) AS TEXT) FROM _sqlx_migrations";
    assert_eq!(rows(&copy, form).await, [before_newest().to_string()]);
    assert_eq!(rows(&path, form).await, [newest().to_string()]);
    assert_eq!(rows(&copy, "SELECT text FROM messages ORDER BY ts").await, ["one", ""]);
    open_and_close(&path).await;
    assert_eq!(copies(&database).len(), 1, "nothing was missing");
}

#[cfg(unix)]
#[tokio::test]
async fn nobody_else_on_the_machine_can_read_the_copy() {
    use std::os::unix::fs::PermissionsExt as _;

    let (database, path) = behind().await;
    open_and_close(&path).await;
    let copy = path.with_file_name(&copies(&database)[0]);
    assert_eq!(fs::metadata(copy).expect("there").permissions().mode() & 0o777, 0o600);
}

#[tokio::test]
async fn a_new_database_needs_none() {
    let database = Database::sqlite().await;
    database.close().await;
    let Target::Sqlite(path) = &database.target else { panic!("SQLite") };
    open_and_close(path).await;
    assert_eq!(copies(&database), [""; 0]);
}

/// Whoever goes back and forth between versions does not fill the disk.
#[tokio::test]
async fn the_newest_few_are_kept() {
    let (database, path) = behind().await;
    let old = fs::read(&path).expect("read");
    fs::write(path.with_file_name("memory.db.v0-backup-7"), "the oldest form").expect("written");
    fs::write(path.with_file_name("memory.db.v2-backup-of-mine"), "not ours").expect("written");
    fs::write(path.with_file_name("memory.db.myao2-backup"), "never removed").expect("written");
    for n in 0..5 {
        fs::write(&path, &old).expect("put back");
        run(&path, &format!("INSERT INTO users (id, name, is_bot) VALUES ('V', '{n}', 0)")).await;
        open_and_close(&path).await;
    }
    let label = format!("memory.db.v{}-backup", before_newest());
    let mut expected = [
        "memory.db.myao2-backup".to_owned(),
        format!("{label}-3"),
        format!("{label}-4"),
        format!("{label}-5"),
        "memory.db.v2-backup-of-mine".to_owned(),
    ];
    expected.sort();
    assert_eq!(copies(&database), expected);
}

/// Killed after the copy was made, each start would make another.
#[tokio::test]
async fn the_same_copy_is_not_made_twice() {
    let (database, path) = behind().await;
    let old = fs::read(&path).expect("read");
    for _ in 0..3 {
        fs::write(&path, &old).expect("put back");
        open_and_close(&path).await;
    }
    assert_eq!(copies(&database).len(), 1);
}

/// Two that start at once: one migrates, the other finds it done.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn several_at_once_migrate_once() {
    let (database, path) = behind().await;
    let mut starts = tokio::task::JoinSet::new();
    for _ in 0..4 {
        let path = path.clone();
        starts.spawn(async move { open_and_close(&path).await });
    }
    starts.join_all().await;
    assert_eq!(copies(&database).len(), 1);
}
