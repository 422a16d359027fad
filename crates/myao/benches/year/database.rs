//! The database of the town: read beside the program, and stopped and started where it is a server.

use std::{
    collections::{BTreeMap, BTreeSet},
    fs,
    path::{Path, PathBuf},
};

use futures::TryStreamExt as _;
use myao_core::ports::Clock as _;
use myao_testkit::RestartableServer;
use sqlx::{AssertSqlSafe, Connection as _, PgConnection, SqliteConnection, sqlite::SqliteConnectOptions};

use super::{faked_time::TownClock, program::ProgramHome, words};

/// Seconds that a server may need to tell its time, on the town's clock.
const MOST_APART: u64 = 600;

/// Which database the program has.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum DatabaseKind {
    Sqlite,
    Postgres,
}

/// A database.
pub(crate) enum TownDatabase {
    Sqlite(PathBuf),
    Postgres(RestartableServer),
}

/// A message as the archive holds it.
pub(crate) struct ArchivedMessage {
    pub(crate) is_deleted: bool,
    pub(crate) text: String,
}

/// Runs a query on whichever database it is, and gathers what `$read` makes of its rows.
macro_rules! rows {
    ($database:expr, $statement:expr, $read:expr) => {{
        let statement: String = $statement;
        let mut all = Vec::new();
        match $database {
            TownDatabase::Sqlite(path) => {
                let mut connection = open_file(path).await;
                let query = sqlx::query(AssertSqlSafe(statement.clone()));
                let mut rows = query.fetch(&mut connection);
                while let Some(row) = rows.try_next().await.unwrap_or_else(|e| panic!("{statement}: {e}")) {
                    all.push($read(&row));
                }
            }
            TownDatabase::Postgres(server) => {
                let mut connection = PgConnection::connect(&server.url()).await.expect("the server");
                let query = sqlx::query(AssertSqlSafe(statement.clone()));
                let mut rows = query.fetch(&mut connection);
                while let Some(row) = rows.try_next().await.unwrap_or_else(|e| panic!("{statement}: {e}")) {
                    all.push($read(&row));
                }
            }
        }
        all
    }};
}

async fn open_file(path: &Path) -> SqliteConnection {
    let options = SqliteConnectOptions::new().filename(path).read_only(true);
    SqliteConnection::connect_with(&options).await.expect("the file")
}

impl TownDatabase {
    /// A new one, whose server lives by the town's clock.
    pub(crate) fn new(kind: DatabaseKind, home: &ProgramHome, clock: &TownClock) -> Self {
        match kind {
            DatabaseKind::Sqlite => Self::Sqlite(home.path("memory.db")),
            DatabaseKind::Postgres => Self::Postgres(RestartableServer::start(&clock.environment())),
        }
    }

    /// The key by which a configuration names it.
    pub(crate) fn key(&self) -> String {
        match self {
            Self::Sqlite(path) => format!("database_path: '{}'", path.display()),
            Self::Postgres(server) => format!("database_url: '{}'", server.url()),
        }
    }

    /// Its name in figures.
    pub(crate) fn name(&self) -> &'static str {
        match self {
            Self::Sqlite(_) => "sqlite",
            Self::Postgres(_) => "postgres",
        }
    }

    /// Stops the server. False where there is none.
    pub(crate) fn stop(&mut self) -> bool {
        let Self::Postgres(server) = self else { return false };
        tokio::task::block_in_place(|| server.stop());
        true
    }

    /// Starts it again.
    pub(crate) fn start_again(&mut self) {
        if let Self::Postgres(server) = self {
            tokio::task::block_in_place(|| server.start_again());
        }
    }

    /// What a statement counts.
    pub(crate) async fn count(&self, statement: &str) -> u64 {
        let counted = match self {
            Self::Sqlite(path) => {
                let mut connection = open_file(path).await;
                sqlx::query_scalar::<_, i64>(AssertSqlSafe(statement.to_owned()))
                    .fetch_one(&mut connection)
                    .await
            }
            Self::Postgres(server) => {
                let mut connection = PgConnection::connect(&server.url()).await.expect("the server");
                sqlx::query_scalar::<_, i64>(AssertSqlSafe(statement.to_owned()))
                    .fetch_one(&mut connection)
                    .await
            }
        };
        counted.unwrap_or_else(|e| panic!("{statement}: {e}")).unsigned_abs()
    }

    /// Fails where a server lives by the machine's clock: it runs as another user, who may not read what is loaded into it.
    pub(crate) async fn expect_clock(&self, clock: &TownClock) {
        if matches!(self, Self::Sqlite(_)) {
            return;
        }
        let shown = self.count("SELECT extract(epoch FROM clock_timestamp())::bigint").await;
        let apart = clock.now().as_second().unsigned_abs().abs_diff(shown);
        assert!(
            apart <= MOST_APART,
            "the server's clock is {apart} s off: its user has to be able to read the folder for temporary files (TMPDIR)"
        );
    }

    /// Its bytes, and those of its log.
    pub(crate) async fn sizes(&self) -> (u64, u64) {
        match self {
            Self::Sqlite(path) => {
                let size = |path: PathBuf| fs::metadata(path).map_or(0, |file| file.len());
                (size(path.clone()), size(PathBuf::from(format!("{}-wal", path.display()))))
            }
            Self::Postgres(_) => (
                self.count("SELECT pg_database_size(current_database())").await,
                self.count("SELECT coalesce(sum(size), 0)::bigint FROM pg_ls_waldir()").await,
            ),
        }
    }

    async fn tables(&self) -> Vec<String> {
        let statement = match self {
            Self::Sqlite(_) => {
                "SELECT name FROM sqlite_schema WHERE type = 'table' AND name NOT LIKE 'sqlite%' ORDER BY name"
            }
            Self::Postgres(_) => {
                "SELECT table_name::text FROM information_schema.tables WHERE table_schema = current_schema()
                 AND table_type = 'BASE TABLE' ORDER BY 1"
            }
        };
        rows!(self, statement.to_owned(), |row: &_| text_of(row))
    }

    /// The rows of each table.
    pub(crate) async fn rows_by_table(&self) -> BTreeMap<String, u64> {
        let mut rows = BTreeMap::new();
        for table in self.tables().await {
            let count = self.count(&format!("SELECT count(*) FROM \"{table}\"")).await;
            rows.insert(table, count);
        }
        rows
    }

    /// All messages of people and bots, by channel and time stamp in microseconds.
    pub(crate) async fn messages(&self) -> BTreeMap<(String, i64), ArchivedMessage> {
        let statement = "SELECT channel_id || ' ' || ts || ' ' || deleted || ' ' || text FROM messages WHERE kind = 'talk'";
        let rows = rows!(self, statement.to_owned(), |row: &_| text_of(row));
        rows.into_iter()
            .map(|row: String| {
                let mut parts = row.splitn(4, ' ');
                let mut next = || parts.next().unwrap_or_default().to_owned();
                let key = (next(), next().parse().expect("a time stamp"));
                (key, ArchivedMessage { is_deleted: next() != "0", text: next() })
            })
            .collect()
    }

    /// The texts of memories, with the channel of each; empty for the workspace's.
    pub(crate) async fn memories(&self) -> Vec<(String, String)> {
        let statement = "SELECT coalesce(channel_id, CASE scope WHEN 'channel' THEN scope_id ELSE '' END) || ' ' || content
             FROM memories";
        let rows = rows!(self, statement.to_owned(), |row: &_| text_of(row));
        let split =
            |row: String| row.split_once(' ').map(|(channel, text)| (channel.to_owned(), text.to_owned()));
        rows.into_iter().filter_map(split).collect()
    }

    /// The marked words that stand in any row, by table.
    pub(crate) async fn marked_words(&self) -> BTreeMap<String, BTreeSet<String>> {
        let mut found = BTreeMap::new();
        for table in self.tables().await {
            let mut words = BTreeSet::new();
            match self {
                Self::Sqlite(_) => self.add_words_of_columns(&table, &mut words).await,
                Self::Postgres(_) => {
                    let statement =
                        format!("SELECT t::text FROM \"{table}\" t WHERE t::text LIKE '%{}%'", words::ANY);
                    for row in rows!(self, statement, |row: &_| text_of(row)) {
                        words::add_all_marked(row.as_bytes(), &mut words);
                    }
                }
            }
            found.insert(table, words);
        }
        found
    }

    async fn add_words_of_columns(&self, table: &str, words: &mut BTreeSet<String>) {
        let columns = format!("SELECT name FROM pragma_table_info('{table}')");
        for column in rows!(self, columns, |row: &_| text_of(row)) {
            let statement = format!(
                "SELECT CAST(\"{column}\" AS TEXT) FROM \"{table}\" WHERE CAST(\"{column}\" AS TEXT) LIKE '%{}%'",
                words::ANY
            );
            for text in rows!(self, statement, |row: &_| text_of(row)) {
                words::add_all_marked(text.as_bytes(), words);
            }
        }
    }

    /// The marked words that stand in the bytes of its files. Nothing where it is a server's.
    pub(crate) fn marked_words_of_files(&self) -> BTreeSet<String> {
        let mut words = BTreeSet::new();
        if let Self::Sqlite(path) = self {
            for end in ["", "-wal", "-forgotten"] {
                let bytes = fs::read(format!("{}{end}", path.display())).unwrap_or_default();
                words::add_all_marked(&bytes, &mut words);
            }
        }
        words
    }

    /// Changes something by hand, beside the program.
    pub(crate) async fn change(&self, statement: &str) {
        let statement = AssertSqlSafe(statement.to_owned());
        match self {
            Self::Sqlite(path) => {
                let options = SqliteConnectOptions::new().filename(path);
                let mut connection = SqliteConnection::connect_with(&options).await.expect("the file");
                sqlx::query(statement).execute(&mut connection).await.expect("changed");
            }
            Self::Postgres(server) => {
                let mut connection = PgConnection::connect(&server.url()).await.expect("the server");
                sqlx::query(statement).execute(&mut connection).await.expect("changed");
            }
        }
    }
}

fn text_of<R: sqlx::Row>(row: &R) -> String
where
    usize: sqlx::ColumnIndex<R>,
    for<'r> String: sqlx::Decode<'r, R::Database> + sqlx::Type<R::Database>,
{
    row.get(0)
}
