//! `demo`.

use std::{
    fs,
    io::{BufRead as _, BufReader, Read as _, Write as _},
    net::TcpStream,
    path::Path,
    process::{Child, Stdio},
};

use serde_json::json;
use sqlx::{Connection as _, SqliteConnection};

use super::{private_words, remembered};
use crate::{
    binary::{Home, number},
    exports::{Export, said, sample},
};

/// A demo that serves its page; killed when it is dropped.
struct ServedDemo(Child);

impl ServedDemo {
    /// Starts it and waits until its page is there.
    fn start(home: &Home, more: &[&str]) -> Self {
        let args = [&["demo", "--listen"], more].concat();
        let mut program = home.command(&args).stdout(Stdio::piped()).spawn().expect("it starts");
        let mut said = BufReader::new(program.stdout.take().expect("a pipe")).lines().map_while(Result::ok);
        assert!(said.any(|line| line.trim().starts_with("http://127.0.0.1:")), "{args:?}");
        Self(program)
    }
}

impl Drop for ServedDemo {
    fn drop(&mut self) {
        // It may have ended already.
        self.0.kill().ok();
        self.0.wait().ok();
    }
}

/// An export of one message, said in `general` at this second.
fn export(home: &Home, second: u64) -> String {
    let talk = json!([said(&format!("{second}.000100"), "U1", "the swifts are back")]);
    let folder =
        Export::new().with("general/2026-02-02.json", &talk).folder(home, &format!("from-{second}"), None);
    folder.to_str().expect("UTF-8").to_owned()
}

/// Takes the note of what a database was made with out of it, as if a demo of an older version had made it.
async fn unnote(database: &Path) {
    let mut database = SqliteConnection::connect(database.to_str().expect("UTF-8")).await.expect("opened");
    let gone = sqlx::query("DELETE FROM settings WHERE key = 'local_past'").execute(&mut database).await;
    assert_eq!(gone.expect("executed").rows_affected(), 1);
    database.close().await.expect("closed");
}

#[test]
fn the_demo_writes_into_no_database_that_it_did_not_make() {
    let home = remembered("en");
    let before = fs::read(home.database()).expect("the file");
    let own = export(&home, 1_770_000_000);
    for more in [&["--terminal"][..], &["--listen"], &["--listen", "--import", &own]] {
        let args = [&["demo", "--lang", "en", "--keep", "data"], more].concat();
        home.run(&args).ends(2, "data/memory.db is not known to be a demo's");
    }
    assert_eq!(fs::read(home.database()).expect("the file"), before, "not a byte changed");
    home.write("old/memory.db", "words of somebody's");
    home.run(&["demo", "--terminal", "--keep", "old"]).ends(3, "name another one with --keep");
}

#[test]
fn a_kept_folder_is_for_one_sample_or_one_export() {
    let home = Home::new();
    home.done(&["demo", "--terminal", "--lang", "en", "--keep", "kept"]);
    let before = fs::read(home.path("kept/memory.db")).expect("the file");
    let goes_on = "`myao demo --lang en --keep kept` goes on with it";
    home.run(&["demo", "--terminal", "--lang", "ja", "--keep", "kept"]).ends(2, goes_on);
    let english = sample("en");
    let one = export(&home, 1_770_000_000);
    let english = english.to_str().expect("UTF-8");
    for own in [&one, english] {
        home.run(&["demo", "--listen", "--import", own, "--keep", "kept"]).ends(2, goes_on);
    }
    assert_eq!(fs::read(home.path("kept/memory.db")).expect("the file"), before, "not a byte changed");

    drop(ServedDemo::start(&home, &["--import", &one, "--keep", "walk"]));
    drop(ServedDemo::start(&home, &["--import", &one, "--keep", "walk"]));
    let holds = "holds the export that begins with the message C1/1770000000.000100";
    let other = export(&home, 1_770_000_001);
    home.run(&["demo", "--listen", "--import", &other, "--keep", "walk"]).ends(2, holds);
    home.run(&["demo", "--terminal", "--lang", "en", "--keep", "walk"]).ends(2, holds);
}

#[test]
fn one_demo_at_a_time_uses_a_kept_folder() {
    let home = Home::new();
    let demo = ServedDemo::start(&home, &["--lang", "en", "--keep", "kept"]);
    let again = ["demo", "--terminal", "--lang", "en", "--keep", "kept"];
    home.run(&again).ends(1, "another `myao run` or `myao demo` is using kept/memory.db");
    home.run(&["demo", "--listen", "--lang", "en", "--keep", "kept"]).ends(1, "is using kept/memory.db");
    drop(demo);
    home.done(&again);
}

/// A demo that is killed before its first write leaves a database in which nothing is.
#[test]
fn a_demo_goes_on_with_an_empty_database() {
    let home = Home::new();
    home.done(&["memory", "build"]);
    assert!(home.database().exists());
    home.done(&["demo", "--terminal", "--lang", "en", "--keep", "data"]);
}

#[tokio::test]
async fn what_an_older_demo_kept_goes_on() {
    let home = Home::new();
    let one = export(&home, 1_770_000_000);
    let other = export(&home, 1_770_000_001);
    drop(ServedDemo::start(&home, &["--lang", "en", "--keep", "kept"]));
    drop(ServedDemo::start(&home, &["--import", &one, "--keep", "walk"]));
    for folder in ["kept", "walk"] {
        unnote(&home.path(folder).join("memory.db")).await;
    }
    home.run(&["demo", "--listen", "--lang", "ja", "--keep", "kept"]).ends(2, "--lang en --keep kept");
    home.run(&["demo", "--listen", "--import", &other, "--keep", "walk"]).ends(2, "holds another export");
    home.run(&["demo", "--listen", "--lang", "en", "--keep", "walk"]).ends(2, "holds another export");
    drop(ServedDemo::start(&home, &["--lang", "en", "--keep", "kept"]));
    drop(ServedDemo::start(&home, &["--import", &one, "--keep", "walk"]));
}

#[test]
fn the_demo_shows_the_whole_way() {
    for (language, channel, history) in [
        ("ja", "#新茶2026", "### 最近の出来事（短期記憶履歴）"),
        ("en", "#spring-count", "### Recent events"),
    ] {
        let home = Home::new();
        let ran = home.done(&["demo", "--terminal", "--lang", language, "--keep", "kept"]);
        for part in
            ["1. A workspace", "2. Its talk", "3. The chapters", "4. What it remembers", "5. The prompt"]
        {
            assert!(ran.out.contains(part), "{part}");
        }
        assert!(ran.out.contains("verbatim") && ran.out.contains("summary"), "chapters");
        assert!(
            ran.out.contains(&format!("## {channel}, long-term"))
                && ran.out.contains("## Workspace, long-term")
        );
        assert!(ran.out.contains("===== system =====") && ran.out.contains(history), "{}", ran.out);
        for word in private_words(language) {
            assert!(!ran.out.contains(*word), "{word}");
        }
        home.write("config.yaml", "memory: {database_path: kept/memory.db}");
        let status = home.adds_up();
        assert_eq!(
            number(&status, "covered"),
            number(&status, "messages"),
            "what was kept is a whole database"
        );
        home.done(&["demo", "--terminal", "--lang", language, "--keep", "kept"]);
        assert_eq!(home.adds_up()["messages"], status["messages"], "played again it changes nothing");
    }
}

/// One request to a page of this address, and the whole answer.
fn request(address: &str, path: &str, language: &str) -> String {
    let mut stream = TcpStream::connect(address).expect("it listens");
    let head = format!(
        "GET {path} HTTP/1.1\r\nHost: {address}\r\nAccept-Language: {language}\r\nConnection: close\r\n\r\n"
    );
    stream.write_all(head.as_bytes()).expect("sent");
    let mut answer = Vec::new();
    stream.read_to_end(&mut answer).expect("an answer");
    String::from_utf8_lossy(&answer).into_owned()
}

#[test]
fn where_the_terminal_says_no_language_the_first_visit_does() {
    let home = Home::new();
    for (language, channel) in [("fr, ja;q=0.8", "C0SHINCHA4"), ("de-AT,de", "C0SPRINGC4")] {
        let mut command = home.command(&["demo", "--listen"]);
        command.env("LANG", "C.UTF-8").stdout(Stdio::piped());
        let mut demo = ServedDemo(command.spawn().expect("it starts"));
        let mut said = BufReader::new(demo.0.stdout.take().expect("a pipe")).lines().map_while(Result::ok);
        let address = said.find_map(|line| Some(line.trim().strip_prefix("http://")?.to_owned()));
        let address = address.expect("an address");
        let address = address.trim_end_matches("/talk");
        // A browser opens connections in advance.
        let silent = TcpStream::connect(address).expect("it listens");
        let first = request(address, "/talk?x=1", language);
        assert!(first.starts_with("HTTP/1.1 307 ") && first.contains("Location: /talk?x=1\r\n"), "{first}");
        let page = request(address, "/talk", language);
        assert!(page.contains(channel), "{language}: {page}");
        drop(silent);
    }
}
