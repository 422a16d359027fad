//! `myao forget`, as a person uses it: it says what would go, does it for good, and is killed in the middle.

#![cfg(test)]

mod killed;

use std::{
    fs,
    path::{Path, PathBuf},
};

use myao_testkit::files_with;
use serde_json::Value;
use sqlx::{Connection as _, SqliteConnection};

use crate::{
    binary::{Home, number},
    commands::remembered,
    exports::{Export, said, sample},
};

/// A word that stands in two messages of the English sample, and in the memories made from them.
const WORDS: &str = "vending machine";

/// Something that Callum said, and nobody else.
const OF_CALLUM: &str = "hook is right above the box";

/// Every file of a folder, with its bytes.
fn bytes(folder: &Path) -> Vec<(PathBuf, Vec<u8>)> {
    let entries = fs::read_dir(folder).expect("listed").map(|entry| entry.expect("an entry").path());
    let mut files: Vec<_> = entries.map(|path| (path.clone(), fs::read(&path).expect("read"))).collect();
    files.sort();
    files
}

#[test]
fn without_yes_nothing_goes() {
    let home = remembered("en");
    let before = bytes(&home.path("data"));
    let told = home.done(&["forget", "--text", WORDS]);
    assert!(told.out.contains("3 messages would go") && told.out.contains("#dev: 2"), "{told:?}");
    assert!(told.out.contains("the workspace's memory") && told.out.contains("--yes"), "{told:?}");
    let told = home.json(&["forget", "--text", WORDS]);
    assert_eq!(number(&told, "messages"), 3);
    assert_eq!(bytes(&home.path("data")), before, "not a byte changed");
    assert!(home.done(&["forget", "--log"]).out.contains("nothing was forgotten yet"));
}

#[test]
fn what_is_forgotten_is_in_no_file_and_in_no_answer() {
    let home = remembered("en");
    assert!(!files_with(&home.path("data"), WORDS).is_empty());
    let done = home.done(&["forget", "--text", WORDS, "--yes", "--by", "Imogen"]);
    assert!(done.out.contains("forgotten: 3 messages"), "{done:?}");
    assert_eq!(files_with(&home.path("data"), WORDS), Vec::<PathBuf>::new());
    home.done(&["memory", "verify"]);
    home.done(&["memory", "build"]);
    home.done(&["memory", "verify"]);
    home.adds_up();
    assert_eq!(files_with(&home.path("data"), WORDS), Vec::<PathBuf>::new(), "nor after the rebuild");
    for shown in [&["memory", "show", "#general"][..], &["prompt", "#general"], &["recall", WORDS]] {
        assert!(!home.done(shown).out.contains("has killed the vending"), "{shown:?}");
    }
    let log = home.json(&["forget", "--log"]);
    assert_eq!((log[0]["by"].as_str(), log[0]["state"].as_str()), (Some("Imogen"), Some("done")));
    assert!(!log.to_string().contains("vending"), "how far it reached, never what it was: {log}");
}

#[test]
fn what_was_said_up_to_a_day_takes_neither_name_nor_notes() {
    let home = remembered("en");
    home.done(&["memo", "add", "vests", "Vests are in the shed", "--channel", "#general"]);
    for scope in [["--user", "Bea"], ["--channel", "#general"]] {
        let args = [&["forget"], &scope[..], &["--until", "2026-03-10"]].concat();
        let told = home.done(&args).out;
        assert!(!told.contains("the person's name") && !told.contains("vests"), "{told}");
        home.done(&[&args[..], &["--yes"]].concat());
    }
    let told = home.done(&["forget", "--user", "Bea"]).out;
    assert!(told.contains("messages would go") && told.contains("the person's name"), "{told}");
    assert!(home.done(&["forget", "--channel", "#general"]).out.contains("memos: vests"));
    let done = home.json(&["forget", "--channel", "#general", "--yes"]);
    assert_eq!(number(&done["forgotten"][0], "memos"), 1, "{done}");
}

#[test]
fn an_import_does_not_bring_it_back() {
    let home = remembered("en");
    home.done(&["forget", "--user", "Callum", "--yes"]);
    let again = home.import(&sample("en"));
    assert_eq!((number(&again, "new"), number(&again, "forgotten")), (0, 48), "{again}");
    home.run(&["recall", "from:U0CALLUM04"]).ends(2, "there is nobody called");
    home.done(&["memory", "build"]);
    assert_eq!(files_with(&home.path("data"), OF_CALLUM), Vec::<PathBuf>::new());
}

#[test]
fn a_message_is_named_by_its_link() {
    let home = Home::new();
    let one = said("1770000000.000100", "U1", "one Pfingstrose");
    let two = said("1770000060.000200", "U2", "two Pfingstrose");
    let export = Export::new().with("general/2026-02-02.json", &Value::Array(vec![one, two]));
    home.import(&export.folder(&home, "export", None));
    let link = "https://acme.slack.com/archives/C1/p1770000000000100?thread_ts=1770000000.000100&cid=C1";
    let done = home.json(&["forget", "--message", link, "--yes"]);
    assert_eq!(number(&done["forgotten"][0], "messages"), 1, "{done}");
    assert!(home.done(&["recall", "Pfingstrose"]).out.contains("two Pfingstrose"));
    assert!(!files_with(&home.path("data"), "two Pfingstrose").is_empty());
    assert_eq!(files_with(&home.path("data"), "one Pfingstrose"), Vec::<PathBuf>::new());
    let done = home.json(&["forget", "--message", "C1/1770000060.000200", "--yes"]);
    assert_eq!(number(&done["forgotten"][0], "messages"), 1, "{done}");
}

#[test]
fn a_message_is_named_by_its_channel_and_time() {
    let home = remembered("en");
    let one = |named: &str| number(&home.json(&["forget", "--message", named]), "messages");
    let hit = home.json(&["recall", "pipistrelle", "in:#random"])["hits"][0].clone();
    let reference = hit["reference"].as_str().expect("a reference").to_owned();
    let (_, ts) = reference.split_once(':').expect("a channel and a time");
    assert_eq!(reference, format!("#random:{ts}"));
    for named in
        [format!("#random:{ts}"), format!("#random/{ts}"), format!("random/{ts}"), format!("＃random:{ts}")]
    {
        assert_eq!(one(&named), 1, "{named}");
    }
    home.run(&["forget", "--message", &format!("#randon:{ts}")]).ends(2, "did you mean `#random`?");
    home.run(&["forget", "--message", &format!("C0NOWHERE/{ts}")]).ends(2, "there is no channel `C0NOWHERE`");
    home.run(&["forget", "--message", "#random:yesterday"]).ends(2, "expected a message's link");
    assert_eq!(one("#random:1700000000.000100"), 0, "it is not archived, and is refused later");
}

#[test]
fn copies_beside_the_database_are_named_or_removed() {
    let home = remembered("en");
    let copy = home.path("data/memory.db.v18-backup");
    fs::copy(home.database(), &copy).expect("copied");
    // However much else lies there.
    for n in 0..20_000 {
        fs::File::create(home.path(&format!("data/{n}.txt"))).expect("a file");
    }
    let named = home.run(&["forget", "--text", WORDS, "--yes"]);
    named.ends(1, "memory.db.v18-backup is a copy of the database");
    assert_eq!(files_with(&home.path("data"), WORDS), vec![copy], "all but the copy is clean");
    home.done(&["forget", "--text", WORDS, "--yes", "--remove-backups"]);
    assert_eq!(files_with(&home.path("data"), WORDS), Vec::<PathBuf>::new());
}

/// What a killed `db copy` leaves: SQLite keeps the words in its log, and the file itself may still be empty.
#[test]
fn the_log_of_a_killed_copy_is_named_and_removed() {
    let home = remembered("en");
    let log = [&[0x37, 0x7f, 0x06, 0x82][..], b"....", WORDS.as_bytes()].concat();
    let names =
        ["memory.db.copy-unfinished-wal", "moved.db.copy-unfinished-wal", "memory.db.v18-backup-journal"];
    for name in names {
        let begin = if name.ends_with("wal") {
            &log[..]
        } else {
            &b"\xd9\xd5\x05\xf9\x20\xa1\x63\xd7vending machine"[..]
        };
        fs::write(home.path(&format!("data/{name}")), begin).expect("written");
    }
    fs::write(home.path("data/notes-wal"), &log).expect("written");
    let told = home.done(&["forget", "--text", WORDS]).out;
    for name in names {
        assert!(told.contains(&format!("{name} is a copy of the database")), "{name}: {told}");
    }
    assert!(!told.contains("notes-wal") && !told.contains("memory.db-wal"), "{told}");
    home.run(&["forget", "--text", WORDS, "--yes"]).ends(1, "moved.db.copy-unfinished-wal is a copy");
    home.done(&["forget", "--text", WORDS, "--yes", "--remove-backups"]);
    assert_eq!(files_with(&home.path("data"), WORDS), vec![home.path("data/notes-wal")]);
}

#[test]
fn nothing_goes_where_something_else_would_than_was_shown() {
    let home = remembered("en");
    let told = home.json(&["forget", "--text", WORDS]);
    let code = told["shown"].as_str().expect("a code").to_owned();
    assert!(home.done(&["forget", "--text", WORDS]).out.contains("--yes --as-shown "));
    // Something else that would go, and was not shown.
    home.done(&["memo", "add", "snacks", "The vending machine is the best one", "--channel", "#general"]);
    let as_shown = ["forget", "--text", WORDS, "--yes", "--as-shown", &code];
    let refused = home.run(&as_shown);
    refused.ends(1, "something else would go by now");
    assert!(refused.out.contains("memos: snacks"), "{refused:?}");
    assert!(home.done(&["recall", WORDS]).out.contains("vending machine"), "all of it is still there");
    assert!(home.done(&["forget", "--log"]).out.contains("nothing was forgotten yet"));
    let code = home.json(&["forget", "--text", WORDS])["shown"].as_str().expect("a code").to_owned();
    home.done(&["forget", "--text", WORDS, "--yes", "--as-shown", &code]);
    assert_eq!(files_with(&home.path("data"), WORDS), Vec::<PathBuf>::new());
    home.run(&["forget", "--text", WORDS, "--as-shown", &code]).ends(2, "--yes");
    home.run(&["forget", "--text", WORDS, "--yes", "--as-shown", "now"]).ends(2, "expected the code");
}

#[test]
fn names_stand_where_they_stand_elsewhere() {
    let home = Home::new();
    let talk = [said("1770000000.000100", "U1", "<@U2> look into <#C1> when you can")];
    let export = Export::new().with("general/2026-02-02.json", &Value::Array(talk.into()));
    home.import(&export.folder(&home, "export", None));
    let told = home.done(&["forget", "--user", "aki"]).out;
    assert!(told.contains("· 2026-02-02 @ben look into #general when you can"), "{told}");
    let told = home.json(&["forget", "--user", "aki"]);
    let channel =
        |row: &Value| (row["channel"].as_str() == Some("general"), row["channel_id"].as_str() == Some("C1"));
    assert_eq!(channel(&told["channels"][0]), (true, true), "{told}");
    let done = home.json(&["forget", "--channel", "C1", "--yes"]);
    assert_eq!(channel(&done["forgotten"][0]), (true, true), "{done}");
    let log = home.json(&["forget", "--log"]);
    assert_eq!(channel(&log[0]), (true, true), "{log}");
}

#[tokio::test]
async fn copies_of_any_name_beside_the_database_are_named() {
    let home = remembered("en");
    let copy = home.path("data/copy.db");
    let mut database =
        SqliteConnection::connect(home.database().to_str().expect("UTF-8")).await.expect("opened");
    sqlx::query("VACUUM INTO $1").bind(copy.to_str()).execute(&mut database).await.expect("copied");
    database.close().await.expect("closed");
    fs::copy(home.database(), home.path("data/memory-old.db")).expect("copied");
    home.write(
        "data/notes.txt",
        "a vending machine of our own, in a file that is no database of ours at all",
    );
    std::os::unix::fs::symlink("memory.db", home.path("data/link.db")).expect("linked");
    let told = home.done(&["forget", "--text", WORDS]).out;
    for copy in ["data/copy.db", "data/memory-old.db"] {
        assert!(told.contains(&format!("{copy} is a database of myao: if it is a copy")), "{told}");
    }
    assert!(!told.contains("notes.txt") && !told.contains("link.db"), "{told}");
    let done = home.run(&["forget", "--text", WORDS, "--yes", "--remove-backups"]);
    done.ends(1, "data/copy.db is a database of myao");
    assert!(done.err.contains("data/memory-old.db is a database of myao"), "{done:?}");
    assert!(copy.exists(), "it may be another workspace's, and stays");
    fs::remove_file(copy).expect("removed");
    fs::remove_file(home.path("data/memory-old.db")).expect("removed");
    home.done(&["forget", "--text", WORDS, "--yes"]);
}

#[test]
fn where_nothing_is_found_it_is_said_what_comes_later() {
    let home = remembered("en");
    home.write("data/llm-messages.jsonl", "");
    let told = home.done(&["forget", "--text", "no such words"]).out;
    assert!(
        told.contains("the words are not kept, so what holds them and comes later is taken in"),
        "{told}"
    );
    assert!(!told.contains("recordings of calls"), "{told}");
    assert_eq!(home.json(&["forget", "--text", "no such words"])["recordings"], Value::Null);
    let told = home.done(&["forget", "--since", "2026-02-01", "--until", "2026-02-02"]).out;
    assert!(told.contains("one that is meant would not be taken in later"), "{told}");
    assert!(home.done(&["forget", "--text", WORDS]).out.contains("recordings of calls"));
}

#[test]
fn what_is_unclear_is_asked_about() {
    let home = remembered("en");
    home.run(&["forget"]).ends(2, "what is to be forgotten?");
    home.run(&["forget", "--yes"]).ends(2, "what is to be forgotten?");
    home.run(&["forget", "--user", "Call", "--yes"]).ends(2, "did you mean Callum (U0CALLUM04)?");
    home.run(&["forget", "--channel", "#generel"]).ends(2, "did you mean `#general`?");
    home.run(&["forget", "--message", "https://example.org/"]).ends(2, "expected a message's link");
    home.run(&["forget", "--since", "2026-03-09", "--until", "2026-03-02"]).ends(2, "nothing lies between");
    home.run(&["forget", "--text", "  "]).ends(2, "--text is empty");
    let before = bytes(&home.path("data"));
    assert!(home.done(&["forget", "--resume"]).out.contains("nothing is left"));
    assert!(home.done(&["forget", "--text", "no such words"]).out.contains("no message in the archive"));
    assert_eq!(bytes(&home.path("data")), before);
}
