//! What the pages cost in a large workspace: 1,000 channels, 1,000,000 messages (`docs/web.md`). The real `myao web` serves
//! them from a database that is filled by SQL and indexed by the program; told is the CPU time that it spends.

use std::{
    fs,
    io::{BufRead as _, BufReader, Read as _, Write as _},
    net::TcpStream,
    path::{Path, PathBuf},
    process::{Child, Command, Stdio},
};

use myao_store::{Store, Target};

use super::{
    fill::{Size, fill},
    tell,
};

/// Channels, messages of each (a multiple of a chapter's 25), people.
const SIZE: Size = (1000, 1000, 500);
/// Loads of each page, after one that is not counted.
const LOADS: u32 = 20;
/// Ticks of the system's clock of CPU time in a second, on Linux.
const TICKS: f64 = 100.0;

/// Beside what every such database holds: a long journal of channel C7, calls of a month, nothing indexed and no channel
/// to be looked at.
const MORE: [&str; 4] = [
    "WITH RECURSIVE n (i) AS (SELECT 2 UNION ALL SELECT i + 1 FROM n WHERE i < 1000)
     INSERT INTO memory_steps (scope, scope_id, memory_type, version, kind, through_version, from_ts, to_ts,
        read_revision, content, source_message_count, source_latest_message_ts, actor, reason, at)
     SELECT 'channel', c.id, 'long_term', 1, 'merge', 40, NULL, NULL, 0,
        (SELECT group_concat('- ' || date(m.ts / 1000000, 'unixepoch') || ' ' || u.name || ': ' || m.text
            || ' ' || n.i, char(10)) FROM messages m JOIN users u ON u.id = m.user_id WHERE m.channel_id = c.id AND m.rowid % 50 = n.i % 50),
        $2, c.last_talk, 'bench', '', c.last_talk + n.i
     FROM channels c JOIN n ON c.id = 'C7' WHERE $1 + $3 > 0",
    "WITH RECURSIVE n (i) AS (SELECT 0 UNION ALL SELECT i + 1 FROM n WHERE i < 59999)
     INSERT INTO model_calls (at, day, role, purpose, channel_id, thread_ts, model, attempt, reserved, tokens_in,
        tokens_cached, tokens_out, estimated, millis, stop, outcome)
     SELECT (unixepoch() - 3600 - i * 43) * 1000000, date(unixepoch() - 3600 - i * 43, 'unixepoch'),
        CASE i % 3 WHEN 0 THEN 'memory' WHEN 1 THEN 'judgment' ELSE 'response' END,
        CASE i % 3 WHEN 0 THEN 'chapter' WHEN 1 THEN 'judgment' ELSE 'reply' END, 'C' || (i * 7919 % $1), 0,
        CASE i % 2 WHEN 0 THEN 'builtin' ELSE 'openai/fake-1' END, 1, 0, 4000, 100, 300, 0, 900, 'end', 'ok'
     FROM n WHERE $2 + $3 > 0",
    // The lines of memories are indexed as well.
    "INSERT INTO settings (key, value) SELECT 'recall_steps', '0' WHERE $1 + $2 + $3 > 0",
    "UPDATE channels SET recall_to = 0, look_at = 9000000000000000 WHERE $1 + $2 + $3 > 0",
];

/// Name and path of each page.
const PAGES: [(&str, &str); 28] = [
    ("Overview", "/"),
    ("Channels", "/channels"),
    ("a channel", "/channel/C7"),
    ("a channel's changes", "/channel/C7/changes"),
    ("a chapter", "/channel/C7/chapter/20"),
    ("Why, for one line", "/channel/C7/why?line=1"),
    ("Why, for words that nobody said", "/channel/C7/why?words=the%20release%20was%20moved%20by%20a%20week"),
    ("Why, without a line", "/channel/C7/why"),
    ("Why, in the workspace's memory", "/workspace/why?words=the%20release%20is%20put%20off"),
    ("Threads", "/channel/C7/threads"),
    ("Prompt", "/channel/C7/prompt"),
    ("Prompt of a decision", "/channel/C7/prompt?judgment=1"),
    ("the workspace's memory", "/workspace"),
    ("People", "/people"),
    ("a person", "/people/U7"),
    ("Recall, one word", "/recall?q=ladder"),
    ("Recall, a common word", "/recall?q=nobody"),
    ("offers while typing: a beginning", "/recall/offers?q=ladd"),
    ("offers while typing: a slip", "/recall/offers?q=laddre"),
    ("offers while typing: a common word", "/recall/offers?q=nobody"),
    ("offers while typing, as a place", "/recall/offers?q=ladd&as=C7"),
    ("Recall as a place, two words", "/recall?q=ladder%20window&as=C7"),
    ("Decisions", "/decisions"),
    ("the past under other settings", "/decisions/replay"),
    ("Memos", "/memos"),
    ("Cost", "/cost"),
    ("Forget", "/forget"),
    ("Rebuild", "/channel/C7/rebuild"),
];
/// What would be forgotten: counted as far as its page waits for, then on behind it.
const FORGET: [(&str, &str); 3] = [
    ("by a word that stands in 62,500 messages", "/forget?text=ladder"),
    ("by a word that stands in one", "/forget?text=Number%20777777%3A"),
    ("by a person", "/forget?user=U7"),
];

/// Fills a database, unless it is there already, and measures its pages.
pub(super) async fn pages(kept: Option<&str>) {
    let folder = tempfile::tempdir().expect("a folder");
    let database = kept.map_or_else(|| folder.path().join("memory.db"), PathBuf::from);
    if !database.exists() {
        let store = Store::open(&Target::Sqlite(database.clone())).await.expect("a new database");
        fill(&database, SIZE, &MORE).await;
        while !store.recall().index_some().await.expect("indexed").is_complete {}
        store.close().await;
    }
    let config = format!(
        "memory: {{database_path: '{}'}}\nlocale: {{language: en}}\nlogging: {{level: WARNING}}\n",
        database.display()
    );
    fs::write(folder.path().join("config.yaml"), config).expect("written");
    let served = Served::start(folder.path());
    let (first, bytes) = served.cost_of("/", 1);
    tell(&format!("pages: the first overview after the start: {first:.0} ms, {} kB", bytes / 1000));
    for (name, path) in PAGES {
        let (first, _) = served.cost_of(path, 1);
        let (millis, bytes) = served.cost_of(path, LOADS);
        tell(&format!("pages: {name}: {millis:.1} ms (first {first:.0}), {} kB", bytes / 1000));
    }
    for (name, path) in FORGET {
        let (first, bytes) = served.cost_of(path, 1);
        let began = served.cpu_millis();
        let mut page = served.get(path);
        while let Some(again) = address_of_count(&page) {
            tokio::time::sleep(std::time::Duration::from_secs(1)).await;
            page = served.get(&again);
        }
        let whole = served.cpu_millis() - began;
        tell(&format!(
            "pages: what would be forgotten {name}: its page {first:.0} ms, {} kB; all of the count {whole:.0} ms",
            bytes / 1000
        ));
    }
    tell(&format!("pages: RSS {} MB", served.rss_mb()));
}

/// Where a page that still counts is fetched again.
fn address_of_count(page: &str) -> Option<String> {
    let address = page.split_once("hx-get=\"/forget")?.1.split('"').next()?;
    Some(format!("/forget{}", address.replace("&amp;", "&")))
}

/// `myao web`; ended with the bench.
struct Served {
    program: Child,
    address: String,
}

impl Served {
    fn start(folder: &Path) -> Self {
        let mut command = Command::new(env!("CARGO_BIN_EXE_myao"));
        command.args(["web", "--listen", "127.0.0.1:0"]).current_dir(folder).env_clear();
        let mut program = command.stdin(Stdio::null()).stdout(Stdio::piped()).spawn().expect("it starts");
        let said = BufReader::new(program.stdout.take().expect("a pipe")).lines();
        let mut said = said.map_while(Result::ok);
        let line = said.find(|line| line.contains("http://")).expect("an address");
        let address =
            line.split_once("http://").expect("an address").1.split('/').next().expect("an address");
        Self { program, address: address.to_owned() }
    }

    fn get(&self, path: &str) -> String {
        let mut stream = TcpStream::connect(&self.address).expect("it listens");
        let request = format!("GET {path} HTTP/1.1\r\nHost: {}\r\nConnection: close\r\n\r\n", self.address);
        stream.write_all(request.as_bytes()).expect("sent");
        let mut answer = String::new();
        stream.read_to_string(&mut answer).expect("an answer");
        assert!(answer.starts_with("HTTP/1.1 200"), "{path}: {}", answer.get(..200).unwrap_or(&answer));
        answer
    }

    /// Milliseconds of CPU for each of so many loads, and the bytes of one.
    fn cost_of(&self, path: &str, loads: u32) -> (f64, usize) {
        let began = self.cpu_millis();
        let bytes = (0..loads).map(|_| self.get(path).len()).max().unwrap_or_default();
        ((self.cpu_millis() - began) / f64::from(loads), bytes)
    }

    /// What it has spent so far, on all its threads.
    fn cpu_millis(&self) -> f64 {
        let stat = fs::read_to_string(format!("/proc/{}/stat", self.program.id())).expect("it runs");
        let fields: Vec<&str> = stat.rsplit(')').next().expect("fields").split_whitespace().collect();
        let ticks = |nth: usize| fields[nth].parse::<f64>().expect("a number");
        (ticks(11) + ticks(12)) * 1000.0 / TICKS
    }

    fn rss_mb(&self) -> u64 {
        let status = fs::read_to_string(format!("/proc/{}/status", self.program.id())).expect("it runs");
        let line = status.lines().find(|line| line.starts_with("VmRSS:")).expect("a size");
        let kilobytes: u64 = line.split_whitespace().nth(1).expect("a number").parse().expect("a number");
        kilobytes / 1024
    }
}

impl Drop for Served {
    fn drop(&mut self) {
        // It may have ended already.
        self.program.kill().ok();
        self.program.wait().ok();
    }
}
