//! `myao backup`: what is in one, what is not, what a kill leaves, and the drill of restoring one.

#![cfg(test)]

use std::{
    collections::BTreeSet,
    fs,
    path::{Path, PathBuf},
    process::Stdio,
    time::{Duration, Instant},
};

use myao_testkit::files_with;
use serde_json::{Value, json};
use sqlx::{Connection as _, SqliteConnection};

use crate::{
    binary::{Home, number},
    commands::remembered,
    db_copy::{assert_same, export, use_database},
    exports::sample,
    terminal::{Desk, root},
};

/// A word that stands in messages of the English sample, and in the memories made from them.
const WORDS: &str = "vending machine";
/// The databases and the list beside one.
const DATABASE: &str = "data/memory.db";
/// How often a backup is killed at most, at moments that are spread over the time that one takes.
const KILLS: u32 = 8;
/// How often these moments are halved, until two kills hit: a machine that was busier when the time was measured makes one
/// in less afterwards.
const MOST_HALVINGS: u32 = 6;

fn names_in(folder: &Path) -> Vec<String> {
    let entries = fs::read_dir(folder).expect("listed").map(|entry| entry.expect("an entry").file_name());
    let mut names: Vec<String> = entries.map(|name| name.into_string().expect("UTF-8")).collect();
    names.sort();
    names
}

fn path_of(made: &Value, home: &Home) -> PathBuf {
    home.path(made["path"].as_str().expect("a path"))
}

/// Whether a file has the name of a backup, and not that of an unfinished one.
fn is_named_as_one(name: &str) -> bool {
    Path::new(name).extension().is_some_and(|end| end == "db")
}

/// What a search finds, in order. Scores go by how long ago it was said, and so by the moment of the search.
fn found_in(home: &Home) -> Vec<Value> {
    let found = home.json(&["recall", "vending"]);
    found["hits"].as_array().expect("hits").iter().map(|hit| hit["reference"].clone()).collect()
}

async fn rows(database: &Path, table: &str) -> i64 {
    let mut c = SqliteConnection::connect(&format!("sqlite:{}", database.display())).await.expect("open");
    let counted = format!("SELECT count(*) FROM {table}");
    let count = sqlx::query_scalar(sqlx::AssertSqlSafe(counted)).fetch_one(&mut c).await.expect("counted");
    c.close().await.expect("closed");
    count
}

/// As an operator restores one: the database and what lies beside it go, the backup and its list take their place.
fn restore(home: &Home, backup: &Path) {
    for end in ["", "-wal", "-shm", "-forgotten"] {
        fs::remove_file(home.path(&format!("{DATABASE}{end}"))).ok();
    }
    fs::copy(backup, home.path(DATABASE)).expect("copied");
    let list = PathBuf::from(format!("{}-forgotten", backup.display()));
    if list.exists() {
        fs::copy(list, home.path(&format!("{DATABASE}-forgotten"))).expect("copied");
    }
}

#[test]
fn a_restored_backup_is_the_same_memory() {
    let home = remembered("en");
    let before = home.adds_up();
    let found = found_in(&home);
    assert!(!found.is_empty());
    let made = home.json(&["backup", "kept.db"]);
    assert_eq!((number(&made, "messages"), &made["faults"]), (number(&before, "messages"), &json!([])));
    assert!(number(&made, "bytes") > 10_000, "{made}");
    assert_eq!(names_in(&home.path(".")), ["data", "kept.db"], "and nothing beside it");
    #[cfg(unix)]
    {
        use std::os::unix::fs::PermissionsExt as _;
        let rights = fs::metadata(home.path("kept.db")).expect("there").permissions().mode();
        assert_eq!(rights & 0o777, 0o600, "others read no backup");
    }
    home.done(&["forget", "--text", WORDS, "--yes"]);
    restore(&home, &home.path("kept.db"));
    home.done(&["memory", "verify"]);
    assert_eq!(home.adds_up(), before);
    assert_eq!(found_in(&home), found);
}

/// The drill of docs/operations.md: of what was forgotten, a newer backup holds no byte, and an older one, restored with
/// its list, forgets it again. The fence holds in both.
#[test]
fn what_was_forgotten_is_in_no_later_backup_and_goes_again_from_an_older_one() {
    let home = remembered("en");
    let older = made_at(&home, "myao-20260101T000000Z.db");
    assert!(!files_with(&home.path("backups"), WORDS).is_empty(), "the older one holds it");
    home.done(&["forget", "--text", WORDS, "--yes"]);
    home.done(&["memory", "build"]);
    let newer = path_of(&home.json(&["backup", "backups/"]), &home);
    assert_eq!(
        files_with(&home.path("backups"), WORDS),
        std::slice::from_ref(&older),
        "not a byte in the newer one"
    );

    restore(&home, &older);
    assert!(!files_with(&home.path("data"), WORDS).is_empty(), "it came back with the file");
    let told = home.run(&["status"]);
    assert!(told.err.contains("forget"), "it is said: {told:?}");
    home.done(&["forget", "--resume"]);
    assert_eq!(files_with(&home.path("data"), WORDS), Vec::<PathBuf>::new());
    home.done(&["memory", "verify"]);
    for backup in [&older, &newer] {
        restore(&home, backup);
        home.run(&["forget", "--resume"]);
        home.import(&sample("en"));
        assert_eq!(files_with(&home.path("data"), WORDS), Vec::<PathBuf>::new(), "{}", backup.display());
    }
}

#[test]
fn nothing_is_backed_up_before_what_was_begun_is_forgotten() {
    let home = remembered("en");
    home.json(&["backup", "older.db"]);
    home.done(&["forget", "--text", WORDS, "--yes"]);
    // Without its own list, but beside that of the database: a forgetting that this file does not know.
    fs::copy(home.path("older.db"), home.path(DATABASE)).expect("copied");
    home.run(&["backup", "new.db"]).ends(1, "`myao forget --resume` does that first");
    assert!(!home.path("new.db").exists());
    home.done(&["forget", "--resume"]);
    home.done(&["backup", "new.db"]);
}

/// A backup that was made at another time.
fn made_at(home: &Home, name: &str) -> PathBuf {
    let path = home.path(&format!("backups/{name}"));
    fs::rename(path_of(&home.json(&["backup", "backups/"]), home), &path).expect("renamed");
    path
}

#[test]
fn the_oldest_backups_go_and_nothing_else_does() {
    let home = remembered("en");
    made_at(&home, "myao-20200101T000000Z.db");
    home.write("backups/myao-20200101T000000Z.db-forgotten", "");
    made_at(&home, "myao-20210101T000000Z.db");
    // Of other databases, of none, and what a kill left.
    let other = remembered("ja");
    let theirs = made_at(&other, "myao-20190101T000000Z.db");
    fs::copy(theirs, home.path("backups/myao-20190101T000000Z.db")).expect("copied");
    home.write("backups/notes.txt", "mine");
    home.write("backups/myao-20180101T000000Z.db", "no database");
    home.write("backups/myao-20220101T000000Z.db.copy-unfinished", "half");
    home.write("backups/myao-20220101T000000Z.db.copy-unfinished-journal", "half");
    home.write("backups/myao-20220101T000000Z.db.copy-lock", "");
    home.write("backups/other.db.copy-unfinished", "not ours");
    home.done(&["forget", "--text", WORDS, "--yes"]);
    let made = home.json(&["backup", "backups", "--keep", "2"]);
    assert_eq!(made["removed"], json!(["backups/myao-20200101T000000Z.db"]));
    let newest = path_of(&made, &home).file_name().expect("a name").to_string_lossy().into_owned();
    let left = [
        "myao-20180101T000000Z.db",
        "myao-20190101T000000Z.db",
        "myao-20210101T000000Z.db",
        "myao-20210101T000000Z.db-forgotten",
        &newest,
        &format!("{newest}-forgotten"),
        "notes.txt",
        "other.db.copy-unfinished",
    ];
    assert_eq!(names_in(&home.path("backups")), left, "the other database's has no list of ours");
    home.run(&["backup", "backups/new.db", "--keep", "2"]).ends(2, "--keep is for a folder");
    home.run(&["backup", DATABASE]).ends(2, "is there already");
}

/// After the clock was set back, and within one second.
#[test]
fn the_backup_just_made_is_kept_whatever_its_name() {
    let home = remembered("en");
    made_at(&home, "myao-20990101T000000Z.db");
    let first = home.json(&["backup", "backups", "--keep", "1"]);
    assert_eq!(first["removed"], json!(["backups/myao-20990101T000000Z.db"]));
    let several: BTreeSet<PathBuf> =
        (0..3).map(|_| path_of(&home.json(&["backup", "backups"]), &home)).collect();
    assert_eq!(several.len(), 3);
    assert_eq!(names_in(&home.path("backups")).len(), 4);
}

/// The list beside the database was lost after something was forgotten by its words: it is written anew with what that was.
#[test]
fn a_lost_list_is_written_again() {
    let home = remembered("en");
    let older = made_at(&home, "myao-20200101T000000Z.db");
    home.done(&["forget", "--text", WORDS, "--yes"]);
    fs::remove_file(home.path(&format!("{DATABASE}-forgotten"))).expect("there");
    home.done(&["memory", "build"]);
    let list = fs::read(home.path(&format!("{DATABASE}-forgotten"))).expect("written again");
    fs::remove_file(format!("{}-forgotten", older.display())).ok();
    restore(&home, &older);
    fs::write(home.path(&format!("{DATABASE}-forgotten")), list).expect("written");
    home.done(&["forget", "--resume"]);
    assert_eq!(files_with(&home.path("data"), WORDS), Vec::<PathBuf>::new());
}

/// Kills backups at moments that are spread over this time. Whatever has the name of one then can be used. How many were
/// killed before their end.
fn kills_that_hit(desk: &Desk, takes: Duration) -> u32 {
    let mut kills = 0;
    for n in 1..=KILLS {
        let mut command = std::process::Command::new(env!("CARGO_BIN_EXE_myao"));
        command.args(["backup", "backups/", "--keep", "100"]).current_dir(desk.path("."));
        let mut child = command.stdout(Stdio::null()).stderr(Stdio::null()).spawn().expect("it starts");
        std::thread::sleep(takes * n / KILLS);
        kills += u32::from(child.try_wait().expect("waited").is_none());
        child.kill().ok();
        child.wait().expect("waited");
        if !desk.path("backups").exists() {
            continue;
        }
        for name in names_in(&desk.path("backups")) {
            if is_named_as_one(&name) {
                use_database(desk, &format!("database_path: ./backups/{name}"));
                assert_eq!(desk.run(&["memory", "verify"]).code, Some(0), "{name}");
            }
        }
        use_database(desk, "database_path: ./memory.db");
    }
    kills
}

/// Killed at any moment, there is a backup that can be used under the name, or none; the next one cleans up.
#[test]
fn a_kill_leaves_no_half_backup_under_the_name() {
    let desk = Desk::remembering(&root().join("examples/ja"));
    let begun = Instant::now();
    assert_eq!(desk.run(&["backup", "undisturbed.db"]).code, Some(0));
    let takes = begun.elapsed();
    let hits = (0..MOST_HALVINGS).map(|halvings| kills_that_hit(&desk, takes / 2_u32.pow(halvings)));
    assert!(hits.into_iter().any(|kills| kills > 1), "hardly any backup was killed");
    assert_eq!(desk.run(&["backup", "backups/"]).code, Some(0));
    let left = names_in(&desk.path("backups"));
    assert!(left.iter().all(|name| is_named_as_one(name)), "{left:?}");
}

/// A backup of a server's database is a file as well, and goes back to a server.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_server_is_backed_up_to_a_file_and_restored_to_a_server() {
    let url = myao_testkit::fresh_database().await;
    let desk = Desk::remembering(&root().join("examples/en"));
    assert_eq!(desk.run(&["db", "copy", "memory.db", &url]).code, Some(0));
    use_database(&desk, &format!("database_url: {url}"));
    let before = export(&desk, "out");
    let made = desk.run(&["backup", "kept.db", "--json"]);
    assert_eq!(made.code, Some(0), "{}", made.err);
    assert_eq!(made.json()["faults"], json!([]));
    assert_eq!(rows(&desk.path("kept.db"), "processes").await, 0);
    use_database(&desk, "database_path: ./kept.db");
    assert_same(&before, &export(&desk, "out"));
    let another = myao_testkit::fresh_database().await;
    let back = desk.run(&["db", "copy", "kept.db", &another]);
    assert_eq!(back.code, Some(0), "{}", back.err);
    use_database(&desk, &format!("database_url: {another}"));
    assert_same(&before, &export(&desk, "out"));
}
