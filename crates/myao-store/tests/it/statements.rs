//! Every statement of the store is known to both databases (ADR 2): the statements are taken from the source, so that
//! none can be forgotten. Each is prepared on both, and the whole suite runs each on both.

mod expand;
pub(crate) mod ran;
mod source;

use std::collections::BTreeSet;

use myao_store::Target;
use sqlx::{
    AssertSqlSafe, Column as _, Connection as _, Executor as _, PgConnection, SqlSafeStr as _,
    SqliteConnection, Statement as _, TypeInfo as _,
};

use self::source::{Database, Statement, statements};

/// What the store reads of a row: `i64`, `String` and `Vec<u8>`. Any other type would be known to one database only.
const COLUMN_TYPES: [&str; 3] = ["INT8", "TEXT", "BYTEA"];

fn those_on(database: Database) -> Vec<Statement> {
    let all = statements().into_iter().filter(|statement| statement.databases.contains(&database));
    all.collect()
}

/// PostgreSQL says more of a statement than SQLite: which types it gives.
async fn prepared_on_postgres(connection: &mut PgConnection, statement: &Statement) -> Result<(), String> {
    let sql = AssertSqlSafe(statement.sql.clone()).into_sql_str();
    let prepared = connection.prepare(sql).await.map_err(|error| error.to_string())?;
    let other = prepared.columns().iter().find(|column| !COLUMN_TYPES.contains(&column.type_info().name()));
    other.map_or(Ok(()), |column| Err(format!("{} is {}", column.name(), column.type_info().name())))
}

async fn prepared_on_sqlite(connection: &mut SqliteConnection, statement: &Statement) -> Result<(), String> {
    let sql = AssertSqlSafe(statement.sql.clone()).into_sql_str();
    connection.prepare(sql).await.map(drop).map_err(|error| error.to_string())
}

fn wrong(statement: &Statement, error: &str) -> String {
    format!("{}:{}: {error}\n    {}", statement.file, statement.line, statement.sql)
}

/// What a statement is bound to, and what is read of it, shows only when it runs.
#[test]
#[ignore = "looks at what the whole suite has run: scripts/test has it run last"]
fn each_is_run_on_both() {
    let ran = ran::before();
    assert!(!ran.is_empty(), "run the suite first: this build has run no statement");
    let mut missing = BTreeSet::new();
    for database in [Database::Sqlite, Database::Postgres] {
        for statement in those_on(database) {
            if !ran.contains(&(database, statement.sql.clone())) {
                missing.insert(wrong(&statement, &format!("no test runs it on {database:?}")));
            }
        }
    }
    assert!(missing.is_empty(), "{}", missing.into_iter().collect::<Vec<_>>().join("\n"));
}

/// A new way to write a statement must not be one that these tests do not see.
#[test]
fn each_is_found_in_the_source() {
    let found = statements();
    assert!(found.len() > 300, "{} statements", found.len());
    for sql in source::SAMPLES {
        assert!(found.iter().any(|statement| statement.sql.contains(sql)), "{sql}");
    }
    assert_eq!(source::unreadable(), Vec::<String>::new());
}

/// What is run on PostgreSQL: its file and its text.
pub(crate) fn postgres_statements() -> Vec<(String, String)> {
    those_on(Database::Postgres).into_iter().map(|statement| (statement.file, statement.sql)).collect()
}

/// Left out by `scripts/test fast`.
mod slow_tests {
    use super::*;

    #[tokio::test(flavor = "multi_thread", worker_threads = 2)]
    async fn each_is_prepared_on_sqlite() {
        let world = crate::support::sqlite().await;
        let Target::Sqlite(path) = &world.target else { panic!("another database") };
        let mut connection =
            SqliteConnection::connect(&format!("sqlite://{}", path.display())).await.expect("open");
        let mut errors = Vec::new();
        for statement in those_on(Database::Sqlite) {
            if let Err(error) = prepared_on_sqlite(&mut connection, &statement).await {
                errors.push(wrong(&statement, &error));
            }
        }
        assert!(errors.is_empty(), "SQLite does not know\n{}", errors.join("\n"));
    }

    #[tokio::test(flavor = "multi_thread", worker_threads = 2)]
    async fn each_is_prepared_on_postgres() {
        let world = crate::support::postgres().await;
        let Target::Postgres(url) = &world.target else { panic!("another database") };
        let mut connection = PgConnection::connect(url).await.expect("open");
        let mut errors = Vec::new();
        for statement in those_on(Database::Postgres) {
            if let Err(error) = prepared_on_postgres(&mut connection, &statement).await {
                errors.push(wrong(&statement, &error));
            }
        }
        assert!(errors.is_empty(), "PostgreSQL does not know\n{}", errors.join("\n"));
    }
}
