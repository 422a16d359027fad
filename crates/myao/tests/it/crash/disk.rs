//! Full and read-only disks, and a database that another program keeps locked: the truth is said with exit
//! code 3, nothing is corrupt, and the same command goes on once the trouble is gone (specification §10).

use std::{
    fs,
    process::{Command, Output},
};

use sqlx::{ConnectOptions as _, sqlite::SqliteConnectOptions};

use super::{
    bench::{Bench, MYAO, REFERENCE, configure, myao},
    small_disk::SmallDisk,
    state,
};
use crate::terminal::{Desk, root};

/// Enough for the database and a log of the 1,000 pages at which SQLite folds it back.
const MEGABYTES: u64 = 16;

/// Fails unless the command failed over the database, with these words.
fn assert_fails(output: &Output, words: &str) {
    let told = String::from_utf8_lossy(&output.stderr);
    assert!(told.contains(words), "{:?} {told}", output.status);
    assert_eq!(output.status.code(), Some(3), "{told}");
}

fn assert_done(output: &Output) {
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
}

/// Every message is somewhere.
fn assert_adds_up(status: &Output) {
    assert_done(status);
    let all: serde_json::Value = serde_json::from_slice(&status.stdout).expect("JSON");
    let of = |name: &str| all[name].as_u64().expect("a number");
    assert_eq!(of("messages"), of("covered") + of("pending") + of("before_start") + of("uncovered"), "{all}");
    assert_eq!(of("uncovered"), 0, "{all}");
}

#[test]
fn a_full_disk_is_said_and_the_work_goes_on_once_there_is_space() {
    let Some(disk) = SmallDisk::mount("size=400k") else { return };
    assert_fails(&disk.import(), "the disk is full");
    disk.remount(&format!("size={MEGABYTES}m"));
    assert_fails(&disk.myao(&["status"]), "there is no database yet");
    assert_done(&disk.import());
    assert_adds_up(&disk.myao(&["status", "--json"]));

    // More and more room, so that it runs out at other places.
    for free in [20, 60, 120, 200, 300] {
        let free = free * 1024;
        let filler = MEGABYTES * 1024 * 1024 - disk.used() - free;
        fs::write(disk.path("filler"), vec![0; usize::try_from(filler).expect("small")]).expect("it fits");
        assert_fails(&disk.myao(&["memory", "build"]), "the disk is full");
        fs::remove_file(disk.path("filler")).expect("removed");
        assert_adds_up(&disk.myao(&["status", "--json"]));
        disk.state();
    }
    assert_done(&disk.myao(&["memory", "build"]));
    state::assert_same(&disk.state(), &REFERENCE.built, "the disk was full");
}

/// A copy to a disk that fills up leaves nothing there, and goes through once there is space.
#[test]
fn a_copy_to_a_full_disk_leaves_nothing() {
    let Some(disk) = SmallDisk::mount("size=900k") else { return };
    let original = Desk::remembering(&root().join("examples/ja"));
    let from = original.path("memory.db");
    let to = disk.inner_path("copy/memory.db");
    let args = ["db", "copy", from.to_str().expect("UTF-8"), to.to_str().expect("UTF-8")];
    assert_fails(&disk.myao(&args), "the disk is full");
    let left: Vec<_> = fs::read_dir(disk.path("copy")).expect("listed").collect();
    assert!(left.is_empty(), "{left:?}");
    disk.remount(&format!("size={MEGABYTES}m"));
    assert_done(&disk.myao(&args));
}

/// A backup to a disk that fills up leaves nothing there.
#[test]
fn a_backup_to_a_full_disk_leaves_nothing() {
    let Some(disk) = SmallDisk::mount("size=16m") else { return };
    assert_done(&disk.import());
    assert_done(&disk.myao(&["memory", "build"]));
    let folder = disk.inner_path("backups/");
    let args = ["backup", folder.to_str().expect("UTF-8")];
    let filler = MEGABYTES * 1024 * 1024 - disk.used() - 100 * 1024;
    fs::write(disk.path("filler"), vec![0; usize::try_from(filler).expect("small")]).expect("it fits");
    assert_fails(&disk.myao(&args), "the disk is full");
    let left: Vec<_> = fs::read_dir(disk.path("backups")).expect("listed").collect();
    assert!(left.is_empty(), "{left:?}");
    fs::remove_file(disk.path("filler")).expect("removed");
    assert_done(&disk.myao(&args));
}

/// A disk may also run out of files: then neither the log nor the mark of who works here can be made.
#[test]
fn a_disk_without_room_for_another_file_is_full() {
    let Some(disk) = SmallDisk::mount("size=16m") else { return };
    assert_done(&disk.import());
    // The root folder, the configuration and the database.
    let there = 3;
    for (room, words) in [(0, "cannot be opened"), (2, "the disk is full")] {
        disk.remount(&format!("nr_inodes={}", there + room));
        assert_fails(&disk.myao(&["memory", "build"]), words);
    }
    disk.remount("nr_inodes=100");
    assert_done(&disk.myao(&["memory", "build"]));
    state::assert_same(&disk.state(), &REFERENCE.built, "no file could be made");
}

/// The same trouble under a limit for the size of files, which needs no rights.
#[test]
fn a_file_that_may_not_grow_is_said_and_the_work_goes_on() {
    let folder = tempfile::tempdir().expect("a folder");
    let database = configure(folder.path());
    let export = REFERENCE.export.to_str().expect("a path");
    let limited = Command::new("sh")
        .args(["-c", "trap '' XFSZ; ulimit -f 1700; exec \"$@\"", "sh", MYAO, "import", "slack", export])
        .current_dir(folder.path())
        .output()
        .expect("it runs");
    assert_fails(&limited, "could not be written");
    state::read(&database);
    assert_done(&myao(folder.path(), &["import", "slack", export]).output().expect("it runs"));
    assert_done(&myao(folder.path(), &["memory", "build"]).output().expect("it runs"));
    state::assert_same(&state::read(&database), &REFERENCE.built, "a file could not grow");
}

/// What writes says why it cannot; what reads does not need to write.
#[test]
fn a_read_only_disk_is_read_and_said_by_what_writes() {
    let Some(disk) = SmallDisk::mount("size=16m") else { return };
    assert_done(&disk.import());
    assert_done(&disk.myao(&["memory", "build"]));
    assert_done(&disk.myao(&["memo", "add", "keys", "under the mat"]));
    disk.remount("ro");
    assert_fails(&disk.import(), "read-only");
    assert_fails(&disk.myao(&["memory", "build"]), "read-only");
    for arguments in
        [&["status"][..], &["memory", "verify"], &["memo", "get", "keys"], &["prompt", "general"]]
    {
        assert_done(&disk.myao(arguments));
    }
    disk.remount("rw");
    assert_done(&disk.myao(&["memory", "build"]));
}

/// A log that another process left is not passed over in silence where it cannot be read.
#[test]
fn a_log_on_a_read_only_disk_is_said() {
    let Some(disk) = SmallDisk::mount("size=16m") else { return };
    assert_done(&disk.import());
    fs::write(disk.path("memory.db-wal"), "").expect("written");
    disk.remount("ro");
    assert_done(&disk.myao(&["status"]));
    disk.remount("rw");
    fs::write(disk.path("memory.db-wal"), [0; 32]).expect("written");
    disk.remount("ro");
    assert_fails(&disk.myao(&["status"]), "the newest changes of the database are in");
}

/// Takes as long as the program waits for a lock: 20 seconds.
#[test]
fn a_database_that_another_program_keeps_locked_is_said() {
    let bench = Bench::new();
    state::runtime().block_on(async {
        let options = SqliteConnectOptions::new().filename(bench.database());
        let mut other = options.connect().await.expect("the database opens");
        sqlx::query("BEGIN IMMEDIATE").execute(&mut other).await.expect("locked");
        let output = bench.build().stderr(std::process::Stdio::piped()).output().expect("it runs");
        assert_fails(&output, "locked by another process");
        sqlx::query("ROLLBACK").execute(&mut other).await.expect("given back");
    });
    bench.finish("the database was locked");
}
