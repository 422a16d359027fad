//! Bad input, through the program: a clear word and a counted skip, never a panic, never lost data (SPEC §11).

use std::{
    fs::{self, Permissions},
    os::unix::{
        fs::{MetadataExt as _, PermissionsExt as _},
        process::CommandExt as _,
    },
    path::Path,
    process::Command,
    time::{Duration, Instant},
};

use serde_json::{Value, json};
use sqlx::{Connection as _, SqliteConnection, sqlite::SqliteConnectOptions};

use crate::{
    binary::{Home, MYAO, Ran, number},
    exports::{Export, said},
};

/// A day of `general` that is in order: two messages.
fn good() -> Export {
    Export::new().with(
        "general/2026-03-01.json",
        &json!([
            said("1772420000.000100", "U1", "おはよう"),
            said("1772420060.000100", "U2", "good morning")
        ]),
    )
}

fn import(home: &Home, export: &Path) -> Ran {
    home.run(&["import", "slack", export.to_str().expect("UTF-8")])
}

/// The memory is built from what there is, and the sums are right before and after.
fn goes_on(home: &Home, messages: u64) -> Value {
    assert_eq!(number(&home.adds_up(), "messages"), messages);
    home.done(&["memory", "build"]);
    let status = home.adds_up();
    assert_eq!((number(&status, "covered"), number(&status, "pending")), (messages, 0));
    status
}

#[test]
fn a_cut_off_day_is_skipped_whole_and_named() {
    let home = Home::new();
    let day = json!([said("1772510000.000100", "U1", "half"), said("1772510001.000100", "U1", "of it")])
        .to_string();
    let cut_off: String = day.chars().take(day.chars().count() - 20).collect();
    let export = good().with_raw("general/2026-03-02.json", cut_off).folder(&home, "export", None);
    let ran = import(&home, &export);
    ran.ends(1, "general/2026-03-02.json: broken JSON at line 1");
    assert!(ran.out.contains("1 files could not be read and were skipped whole"), "{ran:?}");
    goes_on(&home, 2);
    assert!(!home.done(&["prompt", "general"]).out.contains("half"));

    home.write("export/general/2026-03-02.json", day);
    import(&home, &export).ends(0, "");
    home.done(&["memory", "build"]);
    assert_eq!(number(&home.adds_up(), "messages"), 4, "mended, it is taken in");
}

#[test]
fn what_is_not_understood_is_kept_and_counted_once() {
    let home = Home::new();
    let odd = json!([
        {"ts": "1772510003.000000", "subtype": "from_the_future", "user": "U1", "text": "?"},
        {"ts": "1772510004.000000", "text": "by nobody"},
        said("17725", "U1", "wrong time"),
        said("not a time", "U1", "no time"),
        {"ts": 1_772_510_005.5, "user": "U1", "text": "a number"},
        {"user": "U1", "text": "whenever"},
        42,
        said("1772510001.000100", "U1", "fine"),
        {"ts": "1772510000.000100", "user": "U2", "text": "out of order"},
        {"ts": "1772510002.000100", "user": null, "bot_id": [], "username": "odd fields", "text": "kept", "edited": 7, "files": "none"},
    ]);
    let export = good().with("general/2026-03-02.json", &odd).folder(&home, "export", None);
    let ran = import(&home, &export);
    ran.ends(0, "general/2026-03-02.json#0: unknown subtype `from_the_future`");
    for problem in [
        "#1: nobody is named",
        "#2: `ts`: `17725`",
        "#4: `ts` is a number",
        "#5: no `ts`",
        "#6: not a message",
    ] {
        assert!(ran.err.contains(problem), "{problem}: {ran:?}");
    }
    assert!(ran.out.contains("7 entries were not understood and are kept in their raw form"), "{ran:?}");
    assert_eq!(number(&goes_on(&home, 5), "unread"), 7);
    let again = home.import(&export);
    assert_eq!((number(&again, "new"), number(&again, "same"), number(&again, "unread")), (0, 5, 7));
    assert_eq!(number(&home.adds_up(), "unread"), 7, "kept once");
    let prompt = home.json(&["prompt", "general"]);
    let user = prompt["user"].as_str().expect("a text");
    assert!(user.find("out of order") < user.find("fine"), "told in the order of time");
}

#[test]
fn two_messages_of_one_time_stamp_are_one() {
    let home = Home::new();
    let twice =
        json!([said("1772510000.000100", "U1", "the first"), said("1772510000.000100", "U2", "the second")]);
    let export = good().with("general/2026-03-02.json", &twice).folder(&home, "export", None);
    let ran = import(&home, &export);
    ran.ends(0, "");
    assert!(ran.out.contains("1 messages stood twice under one time stamp"), "{ran:?}");
    goes_on(&home, 3);
    let prompt = home.done(&["prompt", "general"]).out;
    assert!(prompt.contains("the first") && !prompt.contains("the second"), "{prompt}");
}

/// A message of a megabyte is kept whole and quoted cut: nothing that is printed or asked grows with it.
#[test]
fn a_message_of_a_megabyte_is_borne() {
    let begun = Instant::now();
    let home = Home::new();
    let long: String = "とても長い話。<@U2> & <".repeat(40_000);
    assert!(long.len() > 1_000_000);
    let day = json!([said("1772510000.000100", "U1", &long), said("1772510001.000100", "U2", "すごい")]);
    let export = good().with("general/2026-03-02.json", &day).folder(&home, "export", None);
    import(&home, &export).ends(0, "");
    goes_on(&home, 4);
    assert!(number(&home.json(&["prompt", "general"]), "tokens") <= 8000);
    for args in [
        &["prompt", "general"][..],
        &["memory", "log", "general", "--json"],
        &["memory", "show", "general"],
        &["memory", "show", "--workspace"],
    ] {
        let out = home.done(args).out;
        assert!(out.len() < 60_000, "{args:?}: {} bytes", out.len());
    }
    for line in home.done(&["memory", "log", "general"]).out.lines() {
        assert!(line.chars().count() < 200, "{line}");
    }
    assert!(begun.elapsed() < Duration::from_mins(1), "{:?}", begun.elapsed());
}

/// What people write reaches the terminal as text, whatever it would tell the terminal to do.
#[test]
fn control_characters_are_shown_not_obeyed() {
    let home = Home::new();
    let nasty = "\u{1b}[2J\u{1b}]0;pwned\u{7} \u{9b}31m \u{7f}\rend";
    let day = json!([said("1772510000.000100", "U1", nasty)]);
    let export = good()
        .with("general/2026-03-02.json", &day)
        .with("users.json", &json!([{"id": "U1", "name": "a\u{1b}[31mki"}]))
        .with("channels.json", &json!([{"id": "C1", "name": "general"}, {"id": "C2", "name": "x\u{1b}[5m"}]))
        .folder(&home, "export", None);
    import(&home, &export).ends(0, "");
    home.done(&["memory", "build"]);
    let harmless = |text: &str| text.chars().all(|c| c == '\n' || c == '\t' || !c.is_control());
    for args in [
        &["prompt", "general"][..],
        &["memory", "log", "general"],
        &["memory", "show", "general"],
        &["status"],
        &["prompt", "y"],
    ] {
        for form in [&[][..], &["--json"]] {
            let ran = home.run(&[args, form].concat());
            assert!(harmless(&ran.out) && harmless(&ran.err), "{ran:?}");
        }
    }
    let shown = home.json(&["prompt", "general"]);
    assert!(shown["user"].as_str().expect("a text").contains("pwned"));
}

#[test]
fn a_zip_that_leads_out_is_refused_there_and_read_elsewhere() {
    let home = Home::new();
    let evil = json!([said("1772510000.000100", "U1", "evil")]);
    let zip = good()
        .with("../../evil/2026-03-02.json", &evil)
        .with("/tmp/myao-evil/2026-03-02.json", &evil)
        .with("..\\evil\\2026-03-02.json", &evil)
        .zip(&home, "deep/er/export.zip");
    let ran = import(&home, &zip);
    ran.ends(1, "../../evil/2026-03-02.json: a path that leads out of the export, refused");
    assert!(ran.out.contains("3 entries were refused"), "{ran:?}");
    goes_on(&home, 2);
    assert!(!home.path("evil").exists() && !Path::new("/tmp/myao-evil").exists());
}

#[test]
fn what_is_no_export_is_said_to_be_none() {
    let home = Home::new();
    home.write("folder/readme.txt", "hello");
    home.write("text.zip", "this is no zip");
    home.write(
        "cut.zip",
        fs::read(good().zip(&home, "whole.zip")).expect("read").get(..200).expect("long enough"),
    );
    for (path, words) in [
        ("nowhere", "there is nothing at `nowhere`; expected a Slack export, as a folder or a .zip"),
        ("folder", "`folder` is no Slack export: it has neither channels.json nor users.json"),
        ("folder/readme.txt", "`folder/readme.txt` is neither a folder nor a whole zip file"),
        ("text.zip", "`text.zip` is neither a folder nor a whole zip file"),
        ("cut.zip", "`cut.zip` is neither a folder nor a whole zip file"),
        ("/dev/null", "`/dev/null` is neither a folder nor a whole zip file (it is no regular file)"),
    ] {
        home.run(&["import", "slack", path]).ends(2, words);
    }
    let export = good().with_raw("channels.json", "[{\"id\": \"C1\"").folder(&home, "broken", None);
    import(&home, &export).ends(2, "`channels.json` of the export");
    assert_eq!(number(&home.adds_up(), "messages"), 0);
}

#[test]
fn a_database_that_is_none_is_left_alone() {
    let home = Home::new();
    let letter = "Dear diary, today I was mistaken for a database.".repeat(100);
    let path = home.write("data/memory.db", &letter);
    for args in [&["status"][..], &["memory", "build"], &["prompt", "general"]] {
        home.run(args)
            .ends(3, "data/memory.db is not an SQLite database; name another file in memory.database_path");
    }
    assert_eq!(fs::read_to_string(path).expect("read"), letter);
    assert_eq!(fs::read_dir(home.path("data")).expect("listed").count(), 1, "nothing is left beside it");

    let home = Home::new();
    fs::create_dir_all(home.database()).expect("made");
    let ran = home.run(&["status"]);
    ran.ends(3, "error: ./data/memory.db: Is a directory (os error 21)");
    assert_eq!(ran.err.matches("Is a directory").count(), 1, "said once: {ran:?}");

    let home = Home::new();
    home.write("data", "a file where the folder should be");
    home.run(&["status"]).ends(3, "error: ./data");
}

/// What cannot be read is not written over either.
#[test]
fn a_damaged_database_is_not_made_worse() {
    let home = Home::new();
    import(&home, &good().folder(&home, "export", None)).ends(0, "");
    home.done(&["memory", "build"]);
    let mut bytes = fs::read(home.database()).expect("read");
    for byte in bytes.iter_mut().skip(4096) {
        *byte = 0xA5;
    }
    fs::write(home.database(), &bytes).expect("written");
    for args in [&["status"][..], &["memory", "build"]] {
        let ran = home.run(args);
        ran.ends(3, "error: ");
        assert!(ran.err.contains("damaged") || ran.err.contains("is not an SQLite database"), "{ran:?}");
    }
    assert_eq!(fs::read(home.database()).expect("read"), bytes);
}

#[tokio::test]
async fn a_database_of_another_program_is_not_used() {
    let home = Home::new();
    let path = home.write("data/memory.db", "");
    let options = SqliteConnectOptions::new().filename(&path);
    let mut theirs = SqliteConnection::connect_with(&options).await.expect("opened");
    sqlx::query("CREATE TABLE recipes AS SELECT 'tea' AS name").execute(&mut theirs).await.expect("made");
    home.run(&["status"]).ends(3, "is a database of another program (it has a table `recipes`");
    home.run(&["memory", "build"]).ends(3, "of another program");
    let tables: Vec<String> =
        sqlx::query_scalar("SELECT name FROM sqlite_schema").fetch_all(&mut theirs).await.expect("read");
    assert_eq!(tables, ["recipes"]);
}

#[test]
fn a_broken_configuration_starts_nothing() {
    for (yaml, words) in [
        ("memory: [", "config.yaml:1"),
        (
            "memory: {database_path: a.db}\nloging: {level: INFO}",
            "config.yaml:2: loging: unknown key, did you mean `logging`?",
        ),
        ("memory: {database_path: 7}", "config.yaml:1: memory.database_path"),
        (
            "memory:\n  database_path: a.db\n  short_term_window_hours: -1",
            "config.yaml:3: memory.short_term_window_hours",
        ),
        ("slack: {bot_token: \"${NO_SUCH_VARIABLE}\"}", "NO_SUCH_VARIABLE"),
        ("", "config.yaml"),
    ] {
        let home = Home::with_config(yaml);
        home.run(&["status"]).ends(2, words);
        home.run(&["memory", "build"]).ends(2, words);
        assert_eq!(fs::read_dir(home.path(".")).expect("listed").count(), 1, "nothing is made: {yaml}");
    }
    let home = Home::new();
    home.write("config.yaml", b"persona: \xFF\xFE");
    home.run(&["status"]).ends(2, "config.yaml:1: ");
    let home = Home::with_config("agents: {memory: {model_id: openai/gpt-4o-mini}}");
    home.run(&["memory", "build"]).ends(2, "agents.memory.model_id");
}

/// The program as a user who may not write everywhere; root may, and gives its rights up.
fn unprivileged(home: &Home, args: &[&str]) -> Ran {
    const NOBODY: u32 = 65_534;
    let mut command = home.command(args);
    if fs::metadata("/proc/self").expect("Linux").uid() == 0 {
        // The build's folder may be closed to others.
        let program = home.path("myao");
        fs::copy(MYAO, &program).expect("copied");
        command = Command::new(program);
        command.args(args).current_dir(home.path(".")).env_clear().uid(NOBODY).gid(NOBODY);
    }
    let output = command.output().expect("it starts");
    let text = |bytes| String::from_utf8(bytes).expect("UTF-8");
    Ran { code: output.status.code(), out: text(output.stdout), err: text(output.stderr) }
}

#[cfg(target_os = "linux")]
#[test]
fn what_may_not_be_written_is_said_and_left_alone() {
    let home = Home::new();
    import(&home, &good().folder(&home, "export", None)).ends(0, "");
    let set = |path: &Path, mode| fs::set_permissions(path, Permissions::from_mode(mode)).expect("set");
    set(&home.path("."), 0o755);
    let (folder, database) = (home.path("data"), home.database());
    let before = fs::read(&database).expect("read");

    set(&database, 0o444);
    set(&folder, 0o777);
    unprivileged(&home, &["memory", "build"]).ends(3, "error: ./data/memory.db: Permission denied");
    set(&database, 0o666);
    set(&folder, 0o555);
    unprivileged(&home, &["memory", "build"]).ends(3, "error: the database is read-only");
    assert_eq!(fs::read(&database).expect("read"), before);
    assert_eq!(fs::read_dir(&folder).expect("listed").count(), 1, "nothing is left beside it");

    set(&folder, 0o755);
    set(&database, 0o644);
    home.done(&["memory", "build"]);
    assert_eq!(number(&home.adds_up(), "covered"), 2, "once it may be written, the work goes on");
    let status = home.path("data/none.db");
    home.write("config.yaml", format!("memory: {{database_path: \"{}\"}}", status.display()));
    set(&folder, 0o555);
    unprivileged(&home, &["status"]).ends(3, "none.db: Permission denied");
    set(&folder, 0o755);
}
