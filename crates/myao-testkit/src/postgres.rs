//! PostgreSQL servers for the tests. There is one for each test process ([`fresh_database`]). Others have a pooler in
//! front of them, have a replica, or are locked down as an administrator would do it.

mod guard;
pub mod pooler;
pub mod proxy;
pub mod replicated;
pub mod restartable;
pub mod secured;

use std::{
    fs, mem,
    path::PathBuf,
    process::Command,
    sync::{
        Mutex, OnceLock, PoisonError,
        atomic::{AtomicU32, Ordering},
    },
};

use guard::Guard;

use sqlx::{AssertSqlSafe, Connection, Executor, PgConnection};

/// The script that makes and starts the server; the script itself describes its arguments.
const SERVER: &str = include_str!("postgres/server.sh");
/// The folder in which Debian keeps PostgreSQL's programs, with one folder for each version.
const DEBIAN_VERSIONS: &str = "/usr/lib/postgresql";
const MISSING: &str = "PostgreSQL's programs (initdb, pg_ctl) are needed for these tests and were not found: \
     scripts/test installs them, or install the package postgresql-15, or put pg_config on the PATH";

/// The server of this test process.
static CLUSTER: OnceLock<Cluster> = OnceLock::new();
static DATABASES: AtomicU32 = AtomicU32::new(1);
/// The databases whose tests have ended. Each takes megabytes, so the next to need one removes them.
static ENDED: Mutex<Vec<String>> = Mutex::new(Vec::new());

struct Cluster {
    /// The folder of its socket.
    folder: String,
    /// Keeps the server alive.
    _guard: Guard,
}

/// A database that is removed some time after this is dropped.
#[derive(Debug)]
pub struct FreshDatabase {
    name: String,
    url: String,
}

impl FreshDatabase {
    /// A new, empty database. The first call of a process takes about 1.5 s to start the server.
    ///
    /// # Panics
    /// When PostgreSQL is not installed or does not start, with what to do.
    pub async fn create() -> Self {
        let started = tokio::task::spawn_blocking(|| CLUSTER.get_or_init(Cluster::start)).await;
        let cluster = started.unwrap_or_else(|e| panic!("no PostgreSQL for this test: {e}"));
        let name = format!("t{}", DATABASES.fetch_add(1, Ordering::Relaxed));
        let made = cluster.create(&name).await;
        made.unwrap_or_else(|e| panic!("PostgreSQL did not make a database: {e}"));
        Self { url: cluster.url(&name), name }
    }

    /// Its URL, over a unix socket.
    pub fn url(&self) -> &str {
        &self.url
    }
}

impl Drop for FreshDatabase {
    fn drop(&mut self) {
        ENDED.lock().unwrap_or_else(PoisonError::into_inner).push(mem::take(&mut self.name));
    }
}

/// The URL of a new, empty database that stands until the process ends. Where many tests need one, they hold a
/// [`FreshDatabase`] each, or the disk fills.
///
/// # Panics
/// When PostgreSQL is not installed or does not start, with what to do.
pub async fn fresh_database() -> String {
    mem::ManuallyDrop::new(FreshDatabase::create().await).url.clone()
}

impl Cluster {
    fn start() -> Self {
        let (guard, folder) = Guard::start(SERVER, &[folder_of_programs()], MISSING);
        Self { folder, _guard: guard }
    }

    async fn create(&self, name: &str) -> Result<(), sqlx::Error> {
        let mut connection = PgConnection::connect(&self.url("postgres")).await?;
        let ended = mem::take(&mut *ENDED.lock().unwrap_or_else(PoisonError::into_inner));
        for name in ended {
            connection.execute(AssertSqlSafe(format!("DROP DATABASE {name} WITH (FORCE)"))).await?;
        }
        connection.execute(AssertSqlSafe(format!("CREATE DATABASE {name}"))).await?;
        connection.close().await
    }

    fn url(&self, database: &str) -> String {
        format!("postgres://postgres@localhost/{database}?host={}&sslmode=disable", self.folder)
    }
}

/// The folder of PostgreSQL's programs.
fn folder_of_programs() -> String {
    let found = find_programs().unwrap_or_else(|| panic!("{MISSING}"));
    found.to_string_lossy().into_owned()
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
