//! A database that is brought to an earlier form, and read as a whole.

use std::{collections::BTreeMap, path::Path, sync::LazyLock};

use myao_store::Target;
use serde_json::{Map, Value};
use sqlx::{
    AssertSqlSafe, PgPool, SqlitePool,
    migrate::{Migrator, resolve_blocking},
    sqlite::{SqliteConnectOptions, SqliteJournalMode},
};
use tempfile::TempDir;

use super::filling::FILLINGS;

static SQLITE: LazyLock<Migrator> = LazyLock::new(|| migrator("sqlite"));
static POSTGRES: LazyLock<Migrator> = LazyLock::new(|| migrator("postgres"));

/// The migrations as sqlx itself reads them.
fn migrator(database: &str) -> Migrator {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../migrations").join(database);
    let migrations = resolve_blocking(&folder).expect("read").into_iter().map(|(migration, _)| migration);
    Migrator::with_migrations(migrations.collect())
}

/// The newest form.
pub(super) fn newest() -> i64 {
    SQLITE.iter().map(|migration| migration.version).max().expect("migrations")
}

/// The form before it.
pub(super) fn before_newest() -> i64 {
    let older = SQLITE.iter().map(|migration| migration.version).filter(|version| *version < newest());
    older.max().expect("migrations")
}

/// Tables with their rows, each a column's value by name; rows in a fixed order.
pub(crate) type Dump = BTreeMap<String, Vec<Map<String, Value>>>;

enum Pool {
    Sqlite(SqlitePool),
    Postgres(PgPool),
}

pub(crate) struct Database {
    pub(crate) target: Target,
    pool: Pool,
    pub(super) folder: TempDir,
}

impl Database {
    /// Marked as ours, and otherwise empty.
    pub(super) async fn sqlite() -> Self {
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("memory.db");
        let options = SqliteConnectOptions::new()
            .filename(&path)
            .create_if_missing(true)
            .journal_mode(SqliteJournalMode::Wal)
            .pragma("application_id", "1297695055");
        let pool = SqlitePool::connect_with(options).await.expect("opened");
        Self { target: Target::Sqlite(path), pool: Pool::Sqlite(pool), folder }
    }

    pub(super) async fn postgres() -> Self {
        let url = myao_testkit::fresh_database().await;
        let pool = PgPool::connect(&url).await.expect("connected");
        let folder = tempfile::tempdir().expect("a folder");
        Self { target: Target::Postgres(url), pool: Pool::Postgres(pool), folder }
    }

    /// One that is there, or an empty one of a server.
    pub(crate) async fn at(target: Target) -> Self {
        let folder = tempfile::tempdir().expect("a folder");
        let pool = match &target {
            Target::Sqlite(path) => {
                let options = SqliteConnectOptions::new().filename(path).journal_mode(SqliteJournalMode::Wal);
                Pool::Sqlite(SqlitePool::connect_with(options).await.expect("opened"))
            }
            Target::Postgres(url) => Pool::Postgres(PgPool::connect(url).await.expect("connected")),
        };
        Self { target, pool, folder }
    }

    /// Brings it to a form, filling what each migration made right after it.
    pub(super) async fn bring_to(&self, form: i64) {
        for (version, statements) in FILLINGS.iter().filter(|(version, _)| *version <= form) {
            match &self.pool {
                Pool::Sqlite(pool) => SQLITE.run_to(*version, pool).await.expect("migrated"),
                Pool::Postgres(pool) => POSTGRES.run_to(*version, pool).await.expect("migrated"),
            }
            self.run(statements).await;
        }
    }

    pub(crate) async fn run(&self, statements: &str) {
        let statements = sqlx::raw_sql(AssertSqlSafe(statements.to_owned()));
        match &self.pool {
            Pool::Sqlite(pool) => drop(statements.execute(pool).await.expect("run")),
            Pool::Postgres(pool) => drop(statements.execute(pool).await.expect("run")),
        }
    }

    async fn texts(&self, sql: String) -> Vec<String> {
        let sql = AssertSqlSafe(sql);
        match &self.pool {
            Pool::Sqlite(pool) => sqlx::query_scalar(sql).fetch_all(pool).await.expect("read"),
            Pool::Postgres(pool) => sqlx::query_scalar(sql).fetch_all(pool).await.expect("read"),
        }
    }

    /// Everything in it but the list of migrations, and the index for recall: that is made anew from the rest.
    pub(crate) async fn dump(&self) -> Dump {
        let tables = match &self.pool {
            Pool::Sqlite(_) => {
                "SELECT name FROM pragma_table_list WHERE schema = 'main' AND type = 'table' AND name NOT LIKE '%sql%'"
            }
            Pool::Postgres(_) => {
                "SELECT tablename::text FROM pg_tables
                 WHERE schemaname = 'public' AND tablename NOT LIKE '%sql%' AND tablename <> 'recall'"
            }
        };
        let mut dump = Dump::new();
        for table in self.texts(tables.to_owned()).await {
            let rows = self.texts(self.as_json(&table).await).await;
            let mut rows: Vec<Map<String, Value>> =
                rows.iter().map(|row| serde_json::from_str(row).expect("an object")).collect();
            // By the columns that every form has first.
            rows.sort_by_key(|row| row.values().map(Value::to_string).collect::<Vec<_>>());
            dump.insert(table, rows);
        }
        dump
    }

    /// The indexes of its tables, by what makes them.
    pub(crate) async fn indexes(&self) -> Vec<String> {
        let indexes = match &self.pool {
            Pool::Sqlite(_) => {
                "SELECT sql FROM sqlite_schema WHERE type = 'index' AND sql <> '' ORDER BY sql"
            }
            Pool::Postgres(_) => {
                "SELECT indexdef FROM pg_indexes WHERE schemaname = 'public' ORDER BY indexdef"
            }
        };
        self.texts(indexes.to_owned()).await
    }

    async fn as_json(&self, table: &str) -> String {
        match &self.pool {
            Pool::Postgres(_) => format!("SELECT to_json(t)::text FROM {table} t"),
            Pool::Sqlite(_) => {
                let pairs = format!("SELECT '''' || name || ''',' || name FROM pragma_table_info('{table}')");
                format!("SELECT json_object({}) FROM {table}", self.texts(pairs).await.join(","))
            }
        }
    }

    pub(crate) async fn close(&self) {
        match &self.pool {
            Pool::Sqlite(pool) => pool.close().await,
            Pool::Postgres(pool) => pool.close().await,
        }
    }
}
