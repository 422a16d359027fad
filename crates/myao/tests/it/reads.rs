//! What the program reads on the way of a prompt, a reply and a quiet round is found by an index (ADR 38): the
//! statements that it ran are taken from the driver's log, and the database is asked how it carries them out.

use std::{collections::BTreeSet, path::Path};

use sqlx::{Connection as _, SqliteConnection};

/// What holds only what is open or under way, or is bounded itself, may be read whole.
const SMALL: [&str; 14] = [
    "channels_in_doubt",
    "channels_to_count",
    "forgettings",
    "forgettings_under_way",
    "interactions_open",
    "memos",
    "misnamings_to_mend",
    "processes",
    "replies_shown",
    "replies_streams",
    "replies_wanted",
    "replies_written",
    "reply_parts_withdrawing",
    "setbacks",
];

/// Whether a statement is part of opening the database.
fn is_opening(line: &str) -> bool {
    line.contains("PRAGMA") || line.contains("_sqlx_migrations")
}

/// The SQL in a log of the driver that reads something.
pub(crate) fn statements(log: &str) -> BTreeSet<String> {
    let lines = log.lines().filter(|line| line.contains("sqlx::query") && !is_opening(line));
    let reads = |sql: &String| {
        let begins = |verb: &&str| sql.starts_with(*verb);
        ["SELECT", "WITH", "UPDATE", "DELETE"].iter().any(begins)
            || (sql.starts_with("INSERT") && sql.contains("SELECT"))
    };
    lines.filter_map(statement).filter(reads).collect()
}

/// The statement of a line: what does not fit the summary stands behind it.
fn statement(line: &str) -> Option<String> {
    let field = |name: &str| {
        let quoted = line.split_once(&format!(" {name}="))?.1;
        serde_json::Deserializer::from_str(quoted).into_iter::<String>().next()?.ok()
    };
    let whole = field("db.statement").filter(|sql| !sql.trim().is_empty());
    whole.or_else(|| field("summary")).map(|sql| sql.trim().to_owned())
}

/// Every statement with the tables and indexes that it reads from end to end.
pub(crate) async fn read_from_end_to_end(
    database: &Path,
    statements: &BTreeSet<String>,
) -> Vec<(String, BTreeSet<String>)> {
    let mut found = Vec::new();
    for sql in statements {
        let mut tables = read_whole(database, sql).await;
        // The newest row is the last one of the table.
        let is_newest = |table: &str| table == "memory_steps" && sql.contains("max(id) FROM memory_steps");
        tables.retain(|table| !SMALL.contains(&table.as_str()) && !is_newest(table));
        if !tables.is_empty() {
            found.push((sql.clone(), tables));
        }
    }
    found
}

/// Address, operation, cursor, root page.
type Step = (i64, String, i64, i64);

/// The program of a statement for SQLite's machine begins a loop over all of a table with `Rewind`, or with `Last`;
/// one over a part of an index compares where it is.
async fn read_whole(database: &Path, sql: &str) -> BTreeSet<String> {
    let url = format!("sqlite://{}?mode=ro", database.display());
    let mut connection = SqliteConnection::connect(&url).await.expect("the database");
    let roots: Vec<(String, i64)> =
        sqlx::query_as("SELECT name, rootpage FROM sqlite_schema WHERE rootpage > 0")
            .fetch_all(&mut connection)
            .await
            .expect("its tables");
    let steps: Vec<Step> = sqlx::query_as(sqlx::AssertSqlSafe(format!("EXPLAIN {sql}")))
        .fetch_all(&mut connection)
        .await
        .unwrap_or_else(|error| panic!("{error}: {sql}"));
    let has = |operations: &[&str], cursor: i64| {
        steps.iter().any(|(_, operation, p1, _)| operations.contains(&operation.as_str()) && *p1 == cursor)
    };
    let loops =
        |cursor: i64| has(&["Next", "Prev"], cursor) && !has(&["IdxGE", "IdxGT", "IdxLE", "IdxLT"], cursor);
    let begun = steps.iter().filter(|(_, op, cursor, _)| (op == "Rewind" || op == "Last") && loops(*cursor));
    let root = begun.filter_map(|(_, _, cursor, _)| {
        let opens = |op: &str| op == "OpenRead" || op == "OpenWrite";
        steps.iter().find(|(_, op, p1, _)| opens(op) && p1 == cursor).map(|(_, _, _, root)| *root)
    });
    let root: BTreeSet<i64> = root.collect();
    let whole = roots.into_iter().filter(|(_, page)| root.contains(page)).map(|(name, _)| name);
    whole
        .chain(goes_through_all_memories(&mut connection, sql).await.then(|| "memories".to_owned()))
        .collect()
}

/// Whether a statement goes through the memories of all channels, by the index that begins with what they are of: of the
/// workspace there is one.
async fn goes_through_all_memories(connection: &mut SqliteConnection, sql: &str) -> bool {
    let plan: Vec<(i64, i64, i64, String)> =
        sqlx::query_as(sqlx::AssertSqlSafe(format!("EXPLAIN QUERY PLAN {sql}")))
            .fetch_all(connection)
            .await
            .unwrap_or_else(|error| panic!("{error}: {sql}"));
    let goes = plan.iter().any(|(_, _, _, step)| step.ends_with("sqlite_autoindex_memories_1 (scope=?)"));
    goes && !sql.contains("scope = 'workspace'")
}
