//! Commands that read write nothing, make nothing and wait for nobody (issue 16, ADR 48).

use std::{collections::BTreeMap, fs, path::Path, time::SystemTime};

use myao_testkit::{FakeEmbeddings, fresh_database};
use sqlx::{
    AssertSqlSafe, ConnectOptions as _, Connection as _, Executor as _, PgConnection,
    sqlite::SqliteConnectOptions,
};

use crate::{
    binary::{Home, number},
    exports::sample,
};

/// Every command that reads, on the English sample; what it prints as JSON comes by the same reads.
pub(crate) const READING: &[&[&str]] = &[
    &["status"],
    &["status", "--json"],
    &["cost"],
    &["decisions"],
    &["decisions", "replay", "--since", "2026-03-01", "--judge", "builtin"],
    &["prompt", "#general"],
    &["prompt", "#general", "--judgment"],
    &["recall", "bats", "in:#general"],
    &["recall", "has:link"],
    &["memory", "log", "#general"],
    &["memory", "show", "#general"],
    &["memory", "show", "--workspace"],
    &["memory", "why", "#general"],
    &["memory", "verify"],
    &["memory", "export", "exported"],
    &["memo", "list"],
    &["memo", "get", "keys"],
    &["memo", "log"],
    &["memo", "tags"],
];

/// A home with the English sample in its memory, and a memo.
fn furnished(config: &str) -> Home {
    let home = Home::with_config(config);
    home.import(&sample("en"));
    home.done(&["memory", "build"]);
    home.done(&["memo", "add", "keys", "under the mat"]);
    home
}

/// All files of a folder: their bytes and when they were changed.
fn files(folder: &Path) -> BTreeMap<String, (Vec<u8>, SystemTime)> {
    let mut found = BTreeMap::new();
    for entry in fs::read_dir(folder).expect("a folder").flatten() {
        let path = entry.path();
        let name = entry.file_name().to_string_lossy().into_owned();
        if path.is_dir() {
            found.extend(files(&path).into_iter().map(|(below, file)| (format!("{name}/{below}"), file)));
        } else {
            let changed = entry.metadata().and_then(|known| known.modified()).expect("known");
            found.insert(name, (fs::read(path).expect("read"), changed));
        }
    }
    found
}

/// Runs a reading command, and removes what `memory export` wrote where it was told to.
fn read(home: &Home, args: &[&str]) {
    home.done(args);
    let exported = home.path("exported");
    if exported.exists() {
        fs::remove_dir_all(exported).expect("removed");
    }
}

/// Calls are recorded, as they would be by a command that makes some.
const CONFIG: &str = "memory: {database_path: data/memory.db}\nlogging: {debug_llm_messages: true}\n";

#[test]
fn no_file_is_changed_made_or_removed() {
    let home = furnished(CONFIG);
    let before = files(&home.path(""));
    for args in READING {
        read(&home, args);
        assert_eq!(
            files(&home.path("")).keys().collect::<Vec<_>>(),
            before.keys().collect::<Vec<_>>(),
            "{args:?}"
        );
        assert!(files(&home.path("")) == before, "{args:?} changed a file");
    }
}

#[test]
fn nothing_is_made_where_there_is_no_database() {
    let home = Home::new();
    for args in READING {
        home.run(args).ends(3, "there is no database yet (./data/memory.db); `myao import slack PATH`");
        assert!(files(&home.path("")).is_empty(), "{args:?} made something");
    }
    home.write("data/memory.db", "");
    home.run(&["status"]).ends(3, "there is no database yet");
    assert_eq!(files(&home.path("")).keys().collect::<Vec<_>>(), ["data/memory.db"]);
}

/// Another process writes, and has written what is not in the file yet but in its log.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn no_lock_of_another_process_is_waited_for() {
    let home = furnished(CONFIG);
    let mut other = SqliteConnectOptions::new().filename(home.database()).connect().await.expect("opened");
    other.execute("UPDATE memos SET content = 'below the stone'").await.expect("changed");
    other.execute("BEGIN EXCLUSIVE").await.expect("locked");
    other.execute("UPDATE memos SET content = 'nowhere'").await.expect("changed");
    for args in READING {
        tokio::task::block_in_place(|| read(&home, args));
    }
    let memo = tokio::task::block_in_place(|| home.done(&["memo", "get", "keys"]));
    assert!(memo.out.contains("below the stone"), "{memo:?}");
    other.execute("ROLLBACK").await.expect("given back");
}

/// What a killed process left in its log is read, and stays there.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_log_that_was_left_is_read_and_stays() {
    let home = furnished(CONFIG);
    let mut killed = SqliteConnectOptions::new().filename(home.database()).connect().await.expect("opened");
    killed.execute("UPDATE memos SET content = 'below the stone'").await.expect("changed");
    let copy = Home::with_config(CONFIG);
    for name in ["memory.db", "memory.db-wal"] {
        copy.write(&format!("data/{name}"), fs::read(home.path(&format!("data/{name}"))).expect("read"));
    }
    let kept = |name: &str| files(&copy.path("data")).remove(name).expect("there");
    let before = ["memory.db", "memory.db-wal"].map(kept);
    let memo = tokio::task::block_in_place(|| copy.done(&["memo", "get", "keys"]));
    assert!(memo.out.contains("below the stone"), "{memo:?}");
    assert!(["memory.db", "memory.db-wal"].map(kept) == before, "a file was changed");
    killed.close().await.expect("closed");
}

/// What a question means is asked for, which is spending and counted; nothing else is written. A server of a model with
/// marks of its own is asked for one letter first.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn only_the_call_of_a_search_by_meaning_is_counted() {
    let server = FakeEmbeddings::knowing(&[&["bats", "pipistrelles"]]).await;
    for (model, calls_each) in [("fake", 1), ("fake-e5", 2)] {
        let embeddings =
            format!("recall: {{embeddings: {{api_base: '{}', model_id: {model}}}}}\n", server.url());
        let home = furnished(&format!("{CONFIG}{embeddings}"));
        let calls = || tokio::task::block_in_place(|| number(&home.json(&["cost"])["all"], "calls"));
        let before = calls();
        let asked = ["prompt", "#general", "--ask", "where are the bats?"];
        for args in [&["recall", "pipistrelles"][..], &asked] {
            let earlier = calls();
            tokio::task::block_in_place(|| home.done(args));
            assert_eq!(calls(), earlier + calls_each, "{model}: {args:?}");
        }
        for args in READING.iter().filter(|args| !["recall", "prompt"].contains(&args[0])) {
            tokio::task::block_in_place(|| read(&home, args));
        }
        assert_eq!(calls(), before + 2 * calls_each);
    }
}

/// On a server a role that may only read is enough.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_role_that_may_only_read_serves() {
    let url = fresh_database().await;
    let config = |url: &str| format!("memory: {{database_url: '{url}'}}\n");
    let mut owner = PgConnection::connect(&url).await.expect("connected");
    let role = format!("reader_{}", std::process::id());
    let make = format!("CREATE ROLE {role} LOGIN");
    owner.execute(AssertSqlSafe(make)).await.expect("made");
    let readers = url.replace("postgres@", &format!("{role}@"));
    tokio::task::block_in_place(|| {
        let home = Home::with_config(&config(&readers));
        home.run(&["status"]).ends(3, "there is no database yet (database t");
    });
    let home = tokio::task::block_in_place(|| furnished(&config(&url)));
    let grant = format!("GRANT SELECT ON ALL TABLES IN SCHEMA public TO {role}");
    owner.execute(AssertSqlSafe(grant)).await.expect("granted");
    home.write("config.yaml", config(&readers));
    for args in READING {
        tokio::task::block_in_place(|| read(&home, args));
    }
    tokio::task::block_in_place(|| home.run(&["memory", "build"])).ends(3, "permission denied");
}
