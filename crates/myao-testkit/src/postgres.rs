//! Runs a PostgreSQL server for the tests: one for each test process, which ends with it.
//!
//! A small shell script, the guard, creates and starts the server and then reads from a pipe that this process keeps open
//! and never writes to. However the process ends, `SIGKILL` included, the kernel closes the pipe; then the guard stops the
//! server and removes its files. Nothing is left to clean up by hand.

use std::{
    fs,
    io::{BufRead, BufReader, Read},
    os::unix::{fs::MetadataExt, process::CommandExt},
    path::{Path, PathBuf},
    process::{Child, Command, Stdio},
    sync::{
        OnceLock,
        atomic::{AtomicU32, Ordering},
    },
};

use sqlx::{AssertSqlSafe, Connection, Executor, PgConnection};

/// The guard, which runs as the same user as the server; `$1` is the folder of PostgreSQL's programs.
const GUARD: &str = include_str!("postgres/guard.sh");
/// What the guard prints, before its folder's name, once the server accepts connections.
const READY: &str = "ready ";
/// Where Debian keeps PostgreSQL's programs, one folder for each version.
const DEBIAN_VERSIONS: &str = "/usr/lib/postgresql";
const MISSING: &str = "PostgreSQL's programs (initdb, pg_ctl) are needed for these tests and were not found: \
     scripts/test installs them, or install the package postgresql-15, or put pg_config on the PATH";

/// The server of this process.
static CLUSTER: OnceLock<Cluster> = OnceLock::new();
static DATABASES: AtomicU32 = AtomicU32::new(1);

struct Cluster {
    /// The folder of its socket.
    folder: String,
    /// Holds the pipe that keeps the server alive.
    _guard: Child,
}

/// The URL of a new, empty database, over a unix socket. The first call of a process takes about 1.5 s to start the
/// server.
///
/// # Panics
/// When PostgreSQL is not installed or does not start, with what to do.
pub async fn fresh_database() -> String {
    let started = tokio::task::spawn_blocking(|| CLUSTER.get_or_init(Cluster::start)).await;
    let cluster = started.unwrap_or_else(|e| panic!("no PostgreSQL for this test: {e}"));
    let name = format!("t{}", DATABASES.fetch_add(1, Ordering::Relaxed));
    let made = cluster.create(&name).await;
    made.unwrap_or_else(|e| panic!("PostgreSQL did not make a database: {e}"));
    cluster.url(&name)
}

impl Cluster {
    fn start() -> Self {
        let programs = find_programs().unwrap_or_else(|| panic!("{MISSING}"));
        let mut guard = guard_command(&programs)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .process_group(0) // a signal to the tests' group must not take the guard before its work is done
            .spawn()
            .unwrap_or_else(|e| {
                panic!("PostgreSQL's guard (sh; as root through runuser) did not start: {e}")
            });
        let folder = read_folder(&mut guard).unwrap_or_else(|| {
            let mut said = String::new();
            let read = guard.stderr.take().map(|mut stderr| stderr.read_to_string(&mut said));
            panic!("PostgreSQL did not start ({read:?}):\n{said}")
        });
        Self { folder, _guard: guard }
    }

    async fn create(&self, name: &str) -> Result<(), sqlx::Error> {
        let mut connection = PgConnection::connect(&self.url("postgres")).await?;
        connection.execute(AssertSqlSafe(format!("CREATE DATABASE {name}"))).await?;
        connection.close().await
    }

    fn url(&self, database: &str) -> String {
        format!("postgres://postgres@localhost/{database}?host={}&sslmode=disable", self.folder)
    }
}

/// The folder that the guard names once the server is ready; `None` when it failed.
fn read_folder(guard: &mut Child) -> Option<String> {
    let stdout = guard.stdout.take()?;
    let mut lines = BufReader::new(stdout).lines().map_while(Result::ok);
    lines.find_map(|line| line.strip_prefix(READY).map(str::to_owned))
}

/// As root the guard runs as `postgres`, since the server refuses to run as root.
fn guard_command(programs: &Path) -> Command {
    let is_root = fs::metadata("/proc/self").is_ok_and(|process| process.uid() == 0);
    let mut command = if is_root {
        let mut command = Command::new("runuser");
        command.args(["-u", "postgres", "--", "sh"]);
        command
    } else {
        Command::new("sh")
    };
    command.args(["-c", GUARD, "guard"]).arg(programs).current_dir("/");
    command
}

/// The folder of `initdb`: the one that `pg_config` names, otherwise that of Debian's newest version.
fn find_programs() -> Option<PathBuf> {
    let said = Command::new("pg_config").arg("--bindir").output().ok();
    let named = said.map(|output| PathBuf::from(String::from_utf8_lossy(&output.stdout).trim()));
    let mut versions: Vec<(u32, PathBuf)> = fs::read_dir(DEBIAN_VERSIONS)
        .into_iter()
        .flatten()
        .flatten()
        .filter_map(|entry| Some((entry.file_name().to_str()?.parse().ok()?, entry.path().join("bin"))))
        .collect();
    versions.sort();
    let debian = versions.into_iter().rev().map(|(_, folder)| folder);
    named.into_iter().chain(debian).find(|folder| folder.join("initdb").is_file())
}
