//! `myao db copy`: an installation moved from SQLite to PostgreSQL and back is the same, down to the last byte of its
//! export, and a copy that is killed can be made again (ADR 62).

use std::{
    collections::BTreeMap,
    fs,
    path::{Path, PathBuf},
    process::Stdio,
    time::{Duration, Instant},
};

use serde_json::Value;

use crate::terminal::{Desk, root};

/// How often a copy is killed at most.
const KILLS: u32 = 8;

/// Every file of an export with its bytes.
pub(crate) fn export(desk: &Desk, folder: &str) -> BTreeMap<PathBuf, Vec<u8>> {
    let ended = desk.run(&["memory", "export", folder]);
    assert_eq!(ended.code, Some(0), "{}", ended.err);
    let mut found = BTreeMap::new();
    collect(&desk.path(folder), &desk.path(folder), &mut found);
    fs::remove_dir_all(desk.path(folder)).expect("removed");
    found
}

fn collect(root: &Path, folder: &Path, found: &mut BTreeMap<PathBuf, Vec<u8>>) {
    for entry in fs::read_dir(folder).expect("a folder") {
        let path = entry.expect("an entry").path();
        if path.is_dir() {
            collect(root, &path, found);
        } else {
            let mut bytes = fs::read(&path).expect("read");
            if path.ends_with("export.json") {
                // It says when it was made.
                let mut about: Value = serde_json::from_slice(&bytes).expect("JSON");
                about.as_object_mut().expect("an object").remove("exported_at").expect("a time");
                bytes = about.to_string().into_bytes();
            }
            if path.ends_with("README.md") {
                let text = String::from_utf8(bytes).expect("text");
                let lines = text.lines().filter(|line| !line.starts_with("As of "));
                bytes = lines.collect::<Vec<_>>().join("\n").into_bytes();
            }
            found.insert(path.strip_prefix(root).expect("in it").to_owned(), bytes);
        }
    }
}

pub(crate) fn use_database(desk: &Desk, setting: &str) {
    let config = format!("memory:\n  {setting}\nlocale:\n  timezone: Asia/Tokyo\n");
    fs::write(desk.path("config.yaml"), config).expect("written");
}

pub(crate) fn assert_same(one: &BTreeMap<PathBuf, Vec<u8>>, other: &BTreeMap<PathBuf, Vec<u8>>) {
    assert_eq!(one.keys().collect::<Vec<_>>(), other.keys().collect::<Vec<_>>());
    for (name, bytes) in one {
        assert!(other.get(name) == Some(bytes), "{} differs", name.display());
    }
}

/// What `recall` finds, and the score of each hit.
fn recalled_by(desk: &Desk) -> (Value, Vec<f64>) {
    let mut found = desk.run(&["recall", "送料 予約 release", "--json"]).json();
    let hits = found["hits"].as_array_mut().expect("hits").iter_mut();
    let scores = hits.map(|hit| hit["score"].take().as_f64().expect("a score")).collect();
    (found, scores)
}

/// A score falls with each minute that a message is old, so that it differs between two runs by a little.
fn assert_found_alike(one: &(Value, Vec<f64>), other: &(Value, Vec<f64>)) {
    assert_eq!(one.0, other.0);
    assert!(!one.1.is_empty() && one.1.len() == other.1.len(), "{:?}", one.1);
    for (score, again) in one.1.iter().zip(&other.1) {
        assert!((score - again).abs() < score * 1e-5, "{score} and {again}");
    }
}

async fn there_and_back(sample: &str) {
    let url = myao_testkit::fresh_database().await;
    let desk = Desk::remembering(&root().join(sample));
    let before = export(&desk, "out");
    assert!(before.len() > 5, "{:?}", before.keys());
    let recalled = recalled_by(&desk);

    let there = desk.run(&["db", "copy", "memory.db", &url]);
    assert_eq!(there.code, Some(0), "{}", there.err);
    assert!(
        there.out.contains("both databases hold the same") && there.out.contains("no fault"),
        "{}",
        there.out
    );
    use_database(&desk, &format!("database_url: {url}"));
    assert_same(&before, &export(&desk, "out"));
    assert_eq!(desk.run(&["memory", "verify"]).code, Some(0));
    assert_found_alike(&recalled, &recalled_by(&desk));

    let back = desk.run(&["db", "copy", &url, "back.db"]);
    assert_eq!(back.code, Some(0), "{}", back.err);
    // Rows and digests of every table.
    let tables = |out: &str| out.split("left out").next().map(str::to_owned);
    assert_eq!(tables(&back.out), tables(&there.out));
    use_database(&desk, "database_path: ./back.db");
    assert_same(&before, &export(&desk, "out"));
    assert_found_alike(&recalled, &recalled_by(&desk));
    // Nothing is left to be done in the copy, and whatever comes next goes on where the original stands.
    let built = desk.run(&["memory", "build", "--json"]).json();
    assert_eq!(built["summaries"], 0, "{built}");
    assert_eq!(desk.run(&["memory", "verify"]).code, Some(0));
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn the_japanese_sample_goes_to_postgres_and_back() {
    there_and_back("examples/ja").await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn the_english_sample_goes_to_postgres_and_back() {
    there_and_back("examples/en").await;
}

/// Kills a copy at moments spread over its time, then lets one come to its end. A copy that was killed after its last
/// commit is complete: the next one says that something is there.
fn harassed(desk: &Desk, from: &str, to: &str, takes: Duration) {
    let mut kills = 0;
    for n in 1..=KILLS {
        let mut command = std::process::Command::new(env!("CARGO_BIN_EXE_myao"));
        command.args(["db", "copy", from, to]).current_dir(desk.path("."));
        let child = command.stdout(Stdio::null()).stderr(Stdio::null()).spawn();
        let mut child = child.expect("it starts");
        std::thread::sleep(takes * n / (2 * KILLS));
        if child.try_wait().expect("waited").is_some() {
            break;
        }
        child.kill().expect("killed");
        child.wait().expect("waited");
        kills += 1;
    }
    assert!(kills > 1, "{kills} kills");
    let last = desk.run(&["db", "copy", from, to]);
    let is_there = last.code == Some(2) && last.err.contains("is not empty");
    assert!(last.code == Some(0) || is_there, "{:?} {}", last.code, last.err);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn one_that_is_killed_leaves_nothing_or_everything_on_postgres() {
    let desk = Desk::remembering(&root().join("examples/ja"));
    let original = fs::read(desk.path("memory.db")).expect("read");
    let before = export(&desk, "out");
    let begun = Instant::now();
    assert_eq!(desk.run(&["db", "copy", "memory.db", "undisturbed.db"]).code, Some(0));
    let takes = begun.elapsed();
    let url = myao_testkit::fresh_database().await;
    harassed(&desk, "memory.db", &url, takes);
    assert!(fs::read(desk.path("memory.db")).expect("read") == original, "the original was touched");
    use_database(&desk, &format!("database_url: {url}"));
    assert_same(&before, &export(&desk, "out"));
    harassed(&desk, &url, "back.db", takes);
    use_database(&desk, "database_path: ./back.db");
    assert_same(&before, &export(&desk, "out"));
    assert_eq!(desk.run(&["memory", "verify"]).code, Some(0));
}

/// Whatever goes wrong, the password of an address is in no message.
#[test]
fn no_message_holds_a_password() {
    let desk = Desk::new();
    let addresses = [
        "postgres://somebody:geheim@127.0.0.1:1/x",
        "postgres://somebody:geheim@[x/y",
        "postgres://somebody@127.0.0.1:1/x?password=geheim",
        "mysql://somebody:geheim@127.0.0.1/x",
    ];
    for address in addresses {
        for args in [["db", "copy", address, "to.db"], ["db", "copy", "memory.db", address]] {
            let ended = desk.run(&args);
            assert!(matches!(ended.code, Some(2 | 3)), "{:?} {}", ended.code, ended.err);
            assert!(!(ended.err + &ended.out).contains("geheim"), "{args:?}");
        }
    }
    assert!(!desk.path("to.db").exists());
}

#[test]
fn what_is_there_is_never_written_over() {
    let desk = Desk::remembering(&root().join("examples/en"));
    desk.run(&["db", "copy", "memory.db", "copy.db"]);
    let copy = fs::read(desk.path("copy.db")).expect("copied");
    for to in ["copy.db", "memory.db", "config.yaml"] {
        let refused = desk.run(&["db", "copy", "memory.db", to]);
        assert_eq!(refused.code, Some(2), "{}", refused.err);
        assert!(refused.err.contains("is not empty"), "{}", refused.err);
    }
    assert!(fs::read(desk.path("copy.db")).expect("copied") == copy);
}
