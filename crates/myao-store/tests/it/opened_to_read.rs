//! Opening to read: what must not be read as it is, is told, and nothing is made or written.

use std::{fs, path::Path};

use myao_core::chat::{ChannelKind, Visibility};
use myao_store::{Store, StoreError, Target};

use crate::{
    adopt::world::Old,
    migrations,
    support::{World, at, channel, on_both, said, sqlite},
};

fn names(folder: &Path) -> Vec<String> {
    let entries = fs::read_dir(folder).expect("listed").flatten();
    let mut names: Vec<String> =
        entries.map(|entry| entry.file_name().to_string_lossy().into_owned()).collect();
    names.sort();
    names
}

on_both! {
    what_is_written_meanwhile_is_read_and_nothing_can_be_written => async |world: &World| {
        let reading = Store::open_to_read(&world.target).await.expect("opened");
        assert!(reading.archive().channels(&Visibility::Owner).await.expect("read").is_empty());
        let events = vec![channel("C1", ChannelKind::Public), said(1, "lunch")];
        world.store.intake().apply(events, at(0)).await.expect("applied");
        assert_eq!(reading.archive().channels(&Visibility::Owner).await.expect("read").len(), 1);
        let refused = reading.intake().apply(vec![said(2, "tea")], at(1)).await.expect_err("it only reads");
        assert!(matches!(refused, StoreError::OpenedToRead), "{refused}");
        let refused = reading.claim("channel:C1", at(1), at(2)).await.expect_err("it only reads");
        assert!(matches!(refused, StoreError::OpenedToRead), "{refused}");
        reading.check_unmoved().expect("locks hold");
        reading.close().await;
        let last = world.store.recall().named_users().await.expect("the other one goes on");
        assert!(last.is_empty());
    };
}

#[tokio::test]
async fn an_older_form_is_told_and_stays() {
    for database in [migrations::older().await, migrations::older_on_postgres().await] {
        let before = database.dump().await;
        let error = Store::open_to_read(&database.target).await.expect_err("it is older").to_string();
        assert!(error.contains("of an older myao") && error.contains("`myao memory build`"), "{error}");
        assert!(before == database.dump().await);
        Store::open(&database.target).await.expect("brought to ours").close().await;
        Store::open_to_read(&database.target).await.expect("opened").close().await;
        database.close().await;
    }
}

#[tokio::test]
async fn a_database_of_the_predecessor_is_told_and_stays() {
    let old = Old::new().await;
    old.pool.close().await;
    let before = fs::read(&old.path).expect("read");
    let error = Store::open_to_read(&Target::Sqlite(old.path.clone())).await.expect_err("not ours yet");
    assert!(matches!(error, StoreError::Predecessor(_)), "{error}");
    assert!(fs::read(&old.path).expect("read") == before);
    assert_eq!(names(old.path.parent().expect("a folder")), ["memory.db"]);
}

/// A file that was never written to, and a server's database without a table, are no database yet.
#[tokio::test]
async fn nothing_is_no_database() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("memory.db");
    let target = Target::Sqlite(path.clone());
    let missing = async || {
        let error = Store::open_to_read(&target).await.expect_err("there is none");
        assert!(matches!(error, StoreError::Missing(_)), "{error}");
    };
    missing().await;
    assert!(names(folder.path()).is_empty());
    fs::write(&path, "").expect("written");
    missing().await;
    assert_eq!(names(folder.path()), ["memory.db"]);
    let target = Target::Postgres(myao_testkit::fresh_database().await);
    let error = Store::open_to_read(&target).await.expect_err("it is empty");
    assert!(matches!(error, StoreError::Missing(_)), "{error}");
}

/// SQLite follows no link to that file. A test that runs as root has no other folder in which nothing can be made.
fn cannot_be_made(path: &Path) {
    std::os::unix::fs::symlink("nowhere", path).expect("linked");
}

/// A file read without locks is noticed to have changed.
#[tokio::test]
async fn a_change_under_a_reader_without_locks_is_told() {
    let world = sqlite().await;
    let Target::Sqlite(path) = &world.target else { panic!("SQLite") };
    world.store.close().await;
    let log = path.with_file_name("memory.db-wal");
    cannot_be_made(&path.with_file_name("memory.db-shm"));
    fs::write(&log, "").expect("written");
    let reading = Store::open_to_read(&world.target).await.expect("opened");
    reading.check_unmoved().expect("nobody changed it");
    let changed = [fs::read(path).expect("read"), vec![0; 4096]].concat();
    fs::write(path, changed).expect("written");
    let error = reading.check_unmoved().expect_err("it changed").to_string();
    assert!(error.contains("run it again"), "{error}");
    reading.close().await;
}

/// What another process left in its log is not passed over in silence.
#[tokio::test]
async fn a_log_that_cannot_be_read_is_told() {
    let world = sqlite().await;
    let Target::Sqlite(path) = &world.target else { panic!("SQLite") };
    world.store.close().await;
    cannot_be_made(&path.with_file_name("memory.db-shm"));
    fs::write(path.with_file_name("memory.db-wal"), [0; 32]).expect("written");
    let error = Store::open_to_read(&world.target).await.expect_err("it must not").to_string();
    assert!(error.contains("memory.db-wal, which cannot be read"), "{error}");
}

/// Left out by `scripts/test fast`.
mod slow_tests {
    use super::*;

    /// Connections that close at the same moment each see another one, and then none of them removes what SQLite made.
    #[tokio::test(flavor = "multi_thread", worker_threads = 4)]
    async fn connections_that_close_together_leave_nothing_behind() {
        let world = sqlite().await;
        world.store.intake().apply(vec![channel("C1", ChannelKind::Public)], at(0)).await.expect("applied");
        let Target::Sqlite(path) = world.target.clone() else { panic!("a file") };
        world.store.close().await;
        let folder = path.parent().expect("a folder");
        let before = names(folder);
        for _ in 0..300 {
            let reading = Store::open_to_read(&world.target).await.expect("opened");
            let read = || {
                let reading = reading.clone();
                async move { reading.archive().channels(&Visibility::Owner).await }
            };
            let others = [(); 8].map(|()| tokio::spawn(read()));
            assert_eq!(read().await.expect("read").len(), 1);
            reading.close().await;
            assert_eq!(names(folder), before);
            for other in others {
                // It was done, or found the pool closed.
                drop(other.await.expect("ended"));
            }
        }
    }
}
