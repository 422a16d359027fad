//! Memos of myao2: nobody sees them until the owner says who does.

use serde_json::{Value, json};
use sqlx::{Connection as _, SqliteConnection, sqlite::SqliteConnectOptions};

use crate::terminal::Desk;

/// What myao2 left: two channels, and three memos that stood in every prompt.
const LEFT: &str = "
    CREATE TABLE messages (id INTEGER PRIMARY KEY, message_id TEXT, channel_id TEXT, user_id TEXT, user_name TEXT,
        user_is_bot INTEGER, text TEXT, timestamp TEXT, thread_ts TEXT);
    CREATE TABLE users (id INTEGER PRIMARY KEY, user_id TEXT, name TEXT, is_bot INTEGER);
    CREATE TABLE channels (id INTEGER PRIMARY KEY, channel_id TEXT, name TEXT);
    CREATE TABLE judgment_caches (id INTEGER PRIMARY KEY, channel_id TEXT, thread_ts TEXT, should_respond INTEGER,
        confidence REAL, reason TEXT, latest_message_ts TEXT, next_check_at TEXT);
    CREATE TABLE memories (id INTEGER PRIMARY KEY, scope TEXT, scope_id TEXT, memory_type TEXT, content TEXT,
        source_message_count INTEGER, source_latest_message_ts TEXT);
    CREATE TABLE memos (id TEXT PRIMARY KEY, name TEXT, content TEXT, priority INTEGER, tags TEXT, detail TEXT,
        created_at TEXT, updated_at TEXT);
    INSERT INTO users (user_id, name, is_bot) VALUES ('U1', 'Ann', 0);
    INSERT INTO channels (channel_id, name) VALUES ('C1', 'depot'), ('C2', 'office');
    INSERT INTO messages (message_id, channel_id, user_id, user_name, user_is_bot, text, timestamp) VALUES
        ('1770000000.000100', 'C1', 'U1', 'Ann', 0, 'the lorry is late', '2026-02-02 02:40:00'),
        ('1770000100.000100', 'C2', 'U1', 'Ann', 0, 'the kettle is new', '2026-02-02 02:41:40');
    INSERT INTO memos VALUES
        ('1', 'nuts', 'Ann is allergic to nuts', 5, '[\"food\"]', NULL, '2026-02-01 10:00:00', '2026-02-01 10:00:00'),
        ('2', 'gate', 'the gate code is 7788', 4, '[]', 'ask Bo', '2026-02-01 10:00:01', '2026-02-01 10:00:01'),
        ('3', 'kettle', 'the kettle is Ann''s', 2, '[]', NULL, '2026-02-01 10:00:02', '2026-02-01 10:00:02');";

async fn left_by_myao2() -> Desk {
    let desk = Desk::new();
    let options = SqliteConnectOptions::new().filename(desk.path("memory.db")).create_if_missing(true);
    let mut database = SqliteConnection::connect_with(&options).await.expect("made");
    sqlx::raw_sql(LEFT).execute(&mut database).await.expect("filled");
    database.close().await.expect("closed");
    desk
}

/// The memos in the prompt of a reply there.
fn in_prompt(desk: &Desk, place: &str) -> Vec<String> {
    let prompt = desk.run(&["prompt", place, "--json"]).json();
    let shown = prompt["shown"].as_array().expect("a list").iter().filter_map(Value::as_str);
    let memos: Vec<String> = shown.filter_map(|item| item.strip_prefix("memo ").map(str::to_owned)).collect();
    let system = prompt["system"].as_str().expect("a text");
    assert_eq!(system.contains("\n## メモ\n"), !memos.is_empty(), "{system}");
    memos
}

const NOTICE: &str = "3 memos from myao2 are in no prompt, though there they were in every one; `myao memo adopt` asks \
                      which of them a channel sees, which everybody, and which only you";

#[tokio::test]
async fn the_owner_is_told_until_everything_is_decided() {
    let desk = left_by_myao2().await;
    let built = desk.run(&["memory", "build"]);
    assert_eq!(built.code, Some(0), "{}", built.err);
    assert!(built.err.contains(&format!("note: {NOTICE}")), "whatever takes it over says so: {}", built.err);
    assert!(
        !desk.run(&["memory", "build"]).err.contains("myao2"),
        "and no command that is about something else"
    );
    assert!(desk.ok(&["status"]).contains(NOTICE));
    assert_eq!(desk.run(&["status", "--json"]).json()["undecided_memos"], 3);
    let check = desk.run(&["check", "--quick", "--json"]).json();
    let finding = check.as_array().expect("a list").iter().find(|finding| finding["subject"] == "memos");
    let finding = finding.expect("check says so, too");
    assert_eq!(finding["fine"], true);
    assert!(finding["advice"].as_str().is_some_and(|advice| advice.contains("myao memo adopt")), "{finding}");
    for place in ["#depot", "#office"] {
        assert!(in_prompt(&desk, place).is_empty());
    }

    // Nobody is asked where nobody sits: the command lists.
    let listed = desk.ok(&["memo", "adopt"]);
    assert!(listed.starts_with("3 memos from myao2 are in no prompt"), "{listed}");
    assert!(listed.contains("--everywhere") && listed.contains("Ann is allergic"), "{listed}");
    let list = desk.run(&["memo", "adopt", "--json"]).json();
    assert_eq!((&list["undecided"], &list["memos"][0]["audience"]), (&json!(3), &json!("undecided")));

    let would = desk.ok(&["memo", "adopt", "--everywhere", "--all", "--dry-run"]);
    assert_eq!(would.lines().count(), 3, "{would}");
    assert_eq!(desk.run(&["status", "--json"]).json()["undecided_memos"], 3, "nothing was done");

    let told = desk.ok(&["memo", "adopt", "--to", "#depot", "gate"]);
    assert_eq!(told, "gate → #depot: seen there alone until the platform says that it is public\n");
    desk.ok(&["memo", "adopt", "--everywhere", "nuts"]);
    assert!(
        desk.ok(&["status"]).contains("1 memo from myao2 is in no prompt, though there it was in every one")
    );
    let done = desk.run(&["memo", "adopt", "--apart", "--all", "--json"]).json();
    assert_eq!(
        done,
        json!({"placed": [{"id": "3", "name": "kettle", "audience": "owner", "channel_id": null}], "failed": [],
            "undecided": 0})
    );
    assert_eq!(in_prompt(&desk, "#depot"), ["nuts", "gate"]);
    assert_eq!(in_prompt(&desk, "#office"), ["nuts"]);
    assert!(!desk.ok(&["status"]).contains("myao2"));
    for again in [&["memo", "adopt"][..], &["memo", "adopt", "--apart", "--all"]] {
        assert_eq!(desk.ok(again), "no memo from myao2 waits for a decision\n");
    }
}

#[tokio::test]
async fn a_decision_is_changed_by_the_commands_for_memos() {
    let desk = left_by_myao2().await;
    desk.ok(&["memo", "adopt", "--everywhere", "--all"]);
    desk.ok(&["memo", "adopt", "--everywhere", "nuts"]);
    assert_eq!(in_prompt(&desk, "#office"), ["nuts", "gate", "kettle"]);
    let whole = desk.run(&["memo", "list", "--place", "#depot", "--json"]).json();
    assert_eq!(whole["total"], 3);
    assert_eq!(desk.run(&["memo", "list", "--channel", "#depot", "--json"]).json()["total"], 0);

    assert_eq!(
        desk.ok(&["memo", "move", "nuts", "--apart"]),
        "nuts → your own: seen nowhere but at the terminal and on the pages\n"
    );
    assert_eq!(desk.ok(&["memo", "move", "nuts", "--apart"]), "nuts is there already\n");
    desk.ok(&["memo", "adopt", "--to", "office", "gate"]);
    assert_eq!(in_prompt(&desk, "#depot"), ["kettle"]);
    assert_eq!(in_prompt(&desk, "#office"), ["gate", "kettle"]);
    desk.ok(&["memo", "edit", "gate", "the gate code is 9900"]);
    desk.ok(&["memo", "remove", "kettle"]);

    let log = desk.ok(&["memo", "log", "gate"]);
    let what: Vec<&str> = log.lines().skip(1).map(str::trim).collect();
    assert_eq!(what.len(), 4, "{log}");
    for (line, words) in what.iter().zip([
        "added: ",
        "placed: undecided → everybody",
        "placed: everybody → a channel",
        "changed: ",
    ]) {
        assert!(line.contains(words), "{line}");
    }
    assert!(what[2].contains("#office") && what[2].contains("alice, by hand"), "{log}");
    let log = desk.run(&["memo", "log", "gate", "--json"]).json();
    assert_eq!((&log[1]["what"], &log[1]["after"]), (&json!("placed"), &json!({"audience": "everybody"})));
}

#[tokio::test]
async fn what_cannot_be_decided_is_said() {
    let desk = left_by_myao2().await;
    desk.ok(&["memo", "adopt", "--apart", "kettle"]);
    desk.ok(&["memo", "add", "gate", "shut at night", "--channel", "#depot"]);
    desk.ok(&["memo", "add", "mine", "x"]);
    for (args, why) in [
        (&["memo", "adopt", "--to", "#nowhere", "nuts"][..], "there is no channel `#nowhere`"),
        (&["memo", "adopt", "--everywhere", "mine"], "there is no memo `mine` from myao2"),
        (&["memo", "adopt", "--everywhere"], "which memos?"),
        (&["memo", "adopt", "nuts"], "required"),
        (&["memo", "adopt", "--apart", "--everywhere", "nuts"], "cannot be used with"),
        (&["memo", "move", "nuts"], "who is to see it?"),
        (&["memo", "move", "nothing", "--apart"], "there is no such memo `nothing`"),
    ] {
        let ended = desk.run(args);
        assert_eq!(ended.code, Some(2), "{args:?}");
        assert!(ended.err.contains(why), "{args:?}: {}", ended.err);
    }
    // One that cannot be placed hinders no other.
    let some = desk.run(&["memo", "adopt", "--to", "#depot", "--all"]);
    assert_eq!(some.code, Some(1), "{}", some.err);
    assert!(
        some.out.starts_with("nuts → #depot") && some.err.contains("there is a memo `gate` already"),
        "{}",
        some.err
    );
    assert_eq!(desk.run(&["status", "--json"]).json()["undecided_memos"], 1);
    // Whose a new memo is.
    assert_eq!(
        desk.ok(&["memo", "add", "tea", "at four", "--everywhere"]),
        "noted: tea (everybody's: seen in every place that no outsiders are in)\n"
    );
    assert!(in_prompt(&desk, "#office").contains(&"tea".to_owned()));
}
