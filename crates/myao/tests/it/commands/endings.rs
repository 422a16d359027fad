//! How commands end: codes, suggestions, pipes.

use myao_testkit::waiting::yield_thread_until;
use std::{
    collections::BTreeSet,
    fs,
    io::{BufRead as _, BufReader},
    process::Stdio,
    time::{Duration, Instant},
};

use sqlx::{Connection as _, SqliteConnection, sqlite::SqliteConnectOptions};

use super::remembered;
use crate::{
    binary::{Home, Ran},
    exports::sample,
};

#[test]
fn an_unknown_channel_is_answered_with_a_known_one() {
    let home = Home::new();
    home.import(&sample("ja"));
    for command in [&["memory", "log"][..], &["memory", "show"], &["prompt"]] {
        home.run(&[command, &["#genral"]].concat())
            .ends(2, "there is no channel `#genral`; did you mean `#general`?");
    }
    let all = "there is no channel `zzz`; there are #general, #web, #人事, #新茶2026, #雑談";
    home.run(&["prompt", "zzz"]).ends(2, all);
}

/// 0 and 2 are told apart here; 1 and 3 where something is skipped, and where a database is none.
#[test]
fn the_exit_code_means_something() {
    let home = Home::new();
    home.run(&["status"]).ends(3, "there is no database yet");
    home.run(&["memory", "build"]).ends(0, "");
    home.run(&["status"]).ends(0, "");
    home.run(&["statsu"]).ends(2, "similar subcommands exist: 'setup', 'status'");
    home.run(&["status", "--jsno"]).ends(2, "--json");
    home.run(&["demo", "--lang", "fr"]).ends(2, "there are: ja, en");
    home.run(&["memory", "build", "--since", "somewhen"])
        .ends(2, "--since somewhen: expected a date (2026-03-01)");
    home.run(&["import", "slack", "nowhere"]).ends(2, "there is nothing at `nowhere`");
}

#[test]
fn an_import_that_cannot_begin_makes_no_database() {
    let home = Home::new();
    home.write("notes.zip", "no zip");
    home.write("folder/channels.json", "[{");
    for (path, why) in [
        ("nope.zip", "there is nothing at `nope.zip`"),
        ("notes.zip", "notes.zip"),
        ("folder", "channels.json"),
    ] {
        home.run(&["import", "slack", path]).ends(2, why);
        assert!(!home.path("data").exists(), "{path}");
    }
}

/// What is asked for in vain is refused before anything is written or a model is asked.
#[test]
fn what_is_not_there_is_refused() {
    let home = remembered("en");
    for (args, words) in [
        (
            &["memory", "rebuild", "general", "--from", "99999"][..],
            "--from 99999: there is no such chapter; the last is",
        ),
        (&["memory", "rebuild", "--all", "--from", "99999"], "--from 99999: there is no such chapter"),
        (&["memory", "rebuild", "general", "--from", "0"], "--from <N>"),
        (&["memory", "log", "general", "--version", "99999"], "#general has no version 99999"),
        (&["decisions", "--limit", "0"], "--limit <N>"),
        (&["prompt", "general", "--ask", " "], "--ask: what is asked? The text is empty"),
        (
            &["prompt", "general", "--ask", "hello", "--as", "Pryia"],
            "there is nobody called `Pryia`; did you mean `Priya`?",
        ),
    ] {
        let ran = home.run(args);
        ran.ends(2, words);
        assert_eq!(ran.out, "", "{args:?}");
    }
    let asked = home.done(&["prompt", "general", "--ask", "hello", "--as", "Priya"]).out;
    assert!(asked.contains("Priya: hello"), "{asked}");
}

/// No advice about a configuration where none is read.
#[test]
fn what_to_do_is_told_of_what_is_used() {
    let home = Home::new();
    home.run(&["demo", "--model", "openai/x", "--listen"]).ends(2, "OPENAI_API_KEY itself");
    home.write("text.db", "this is no database, but a text of more than a hundred bytes ".repeat(3));
    for (from, words) in
        [("none.db", "there is no database none.db"), ("text.db", "text.db is not an SQLite database")]
    {
        let ran = home.run(&["db", "copy", from, "to.db"]);
        ran.ends(3, words);
        assert!(!ran.err.contains("memory.database_path") && !ran.err.contains("import slack"), "{ran:?}");
    }
}

/// `myao … | head -1`.
#[test]
fn a_closed_pipe_is_no_failure() {
    let home = remembered("ja");
    for args in
        [&["demo"][..], &["prompt", "web"], &["memory", "log", "web", "--json"], &["status"], &["--help"]]
    {
        let mut child =
            home.command(args).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().expect("it starts");
        let mut line = String::new();
        BufReader::new(child.stdout.take().expect("a pipe")).read_line(&mut line).expect("read");
        let ended = child.wait_with_output().expect("it ends");
        let ran = Ran {
            code: ended.status.code(),
            out: line,
            err: String::from_utf8(ended.stderr).expect("UTF-8"),
        };
        ran.ends(0, "");
    }
}

/// Half a result with exit code 0 would be taken for a whole one.
#[cfg(target_os = "linux")]
#[test]
fn a_result_that_could_not_be_written_is_told() {
    let home = remembered("ja");
    let full = fs::File::options().write(true).open("/dev/full").expect("Linux has one");
    let ended = home.command(&["memory", "log", "web", "--json"]).stdout(full).output().expect("it starts");
    let err = String::from_utf8(ended.stderr).expect("UTF-8");
    assert!(err.contains("the result could not be written: No space left on device"), "{err}");
    assert_eq!(ended.status.code(), Some(1));
}

/// What lies beside the database, by name.
fn beside(home: &Home) -> BTreeSet<String> {
    let names = fs::read_dir(home.path("data")).expect("listed").flatten();
    names.map(|entry| entry.file_name().to_string_lossy().into_owned()).collect()
}

const READING: [&[&str]; 6] = [
    &["status"],
    &["prompt", "web"],
    &["memory", "show", "web"],
    &["memory", "verify"],
    &["cost"],
    &["decisions"],
];

/// It works beside whoever writes, and waits for nobody.
#[tokio::test]
async fn a_reading_command_writes_nothing() {
    let home = remembered("ja");
    let options = SqliteConnectOptions::new().filename(home.database());
    let mut writer = SqliteConnection::connect_with(&options).await.expect("opened");
    sqlx::query("BEGIN IMMEDIATE").execute(&mut writer).await.expect("nobody else may write");
    for args in READING {
        let begun = Instant::now();
        home.done(args);
        assert!(begun.elapsed() < Duration::from_secs(15), "{args:?} waited {:?}", begun.elapsed());
    }
}

/// After a kill there is what SQLite needs to go on, and the mark of the dead: whoever writes next removes both.
#[test]
fn after_a_kill_a_reading_command_leaves_what_it_found() {
    let home = Home::new();
    home.import(&sample("ja"));
    let mut child = home
        .command(&["memory", "build"])
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .spawn()
        .expect("it starts");
    yield_thread_until("the build to be at work", || {
        beside(&home).iter().any(|name| name.contains("-owner-"))
            || child.try_wait().expect("asked").is_some()
    });
    child.kill().expect("killed");
    child.wait().expect("waited");
    let before = beside(&home);
    for args in READING {
        home.run(args);
        assert_eq!(beside(&home), before, "{args:?}");
    }
    home.done(&["memory", "build"]);
    assert_eq!(beside(&home), BTreeSet::from(["memory.db".to_owned()]), "and tidies up after the dead");
}
