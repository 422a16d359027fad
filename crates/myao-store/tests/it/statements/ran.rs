//! Which statements the tests of this build have run on which database, as the driver reports them: kept in a file
//! beside the build, since each run of the suite is a process of its own.

use std::{
    collections::BTreeSet,
    fs::{self, OpenOptions},
    io::Write as _,
    path::{Path, PathBuf},
    sync::{Mutex, Once},
    time::UNIX_EPOCH,
};

use tracing::{
    Event, Metadata, Subscriber,
    field::{Field, Visit},
};
use tracing_subscriber::layer::{Context, Layer, SubscriberExt as _};

use super::source::Database;

/// How SQLite's driver begins the names of its threads; PostgreSQL's has none, and reports on the thread that waits.
const SQLITE_THREADS: &str = "sqlx-sqlite-worker";

/// Calls `seen` for every statement on the thread that reports it, and keeps each once.
struct Ran {
    seen: fn(),
    known: Mutex<BTreeSet<(Database, String)>>,
}

/// Begins to note what is run, once a process. `seen` is called for every statement.
pub(crate) fn note(seen: fn()) {
    static ONCE: Once = Once::new();
    ONCE.call_once(|| {
        let subscriber = tracing_subscriber::registry().with(Ran { seen, known: Mutex::default() });
        tracing::subscriber::set_global_default(subscriber).expect("the only one of this process");
    });
}

/// What was run by this build.
pub(super) fn before() -> BTreeSet<(Database, String)> {
    let lines = fs::read_to_string(path()).unwrap_or_default();
    lines.lines().map(|line| serde_json::from_str(line).expect("a line of ours")).map(named).collect()
}

fn named((database, sql): (String, String)) -> (Database, String) {
    let database = if database == "sqlite" { Database::Sqlite } else { Database::Postgres };
    (database, sql)
}

/// One file a build of the suite.
fn path() -> PathBuf {
    let program = std::env::current_exe().expect("this program");
    let built = fs::metadata(&program).and_then(|file| file.modified()).expect("when it was built");
    let built = built.duration_since(UNIX_EPOCH).expect("a time of ours").as_nanos();
    Path::new(env!("CARGO_TARGET_TMPDIR")).join(format!("statements-{built}.jsonl"))
}

impl<S: Subscriber> Layer<S> for Ran {
    fn enabled(&self, metadata: &Metadata<'_>, _: Context<'_, S>) -> bool {
        metadata.target() == "sqlx::query"
    }

    fn on_event(&self, event: &Event<'_>, _: Context<'_, S>) {
        let is_sqlite = std::thread::current().name().is_some_and(|name| name.starts_with(SQLITE_THREADS));
        let database = if is_sqlite { Database::Sqlite } else { Database::Postgres };
        (self.seen)();
        let mut words = Words::default();
        event.record(&mut words);
        let sql = if words.whole.trim().is_empty() { words.summary } else { words.whole };
        let sql = sql.trim().to_owned();
        let mut known = self.known.lock().expect("no test holds it");
        if known.insert((database, sql.clone())) {
            let name = if is_sqlite { "sqlite" } else { "postgres" };
            let line = serde_json::json!([name, sql]).to_string() + "\n";
            let file = OpenOptions::new().create(true).append(true).open(path());
            file.and_then(|mut file| file.write_all(line.as_bytes())).expect("noted");
        }
    }
}

/// A statement as the driver reports it: what does not fit the summary stands beside it.
#[derive(Default)]
struct Words {
    summary: String,
    whole: String,
}

impl Visit for Words {
    fn record_str(&mut self, field: &Field, value: &str) {
        match field.name() {
            "summary" => value.clone_into(&mut self.summary),
            "db.statement" => value.clone_into(&mut self.whole),
            _ => {}
        }
    }

    fn record_debug(&mut self, _: &Field, _: &dyn std::fmt::Debug) {}
}
