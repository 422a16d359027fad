//! Finds what acts on our tables on a server.

use std::collections::BTreeSet;

use super::sqlite::Ours;
use crate::{
    StoreError,
    db::{DbServer, query_as},
    schema::{
        foreign::{ForeignObject, quoted_name, refuse_findings},
        migrations,
    },
};

/// The query for what could act when we read or write: kind, name and where.
const ACTING: &str = include_str!("acting.sql");

/// Indexes of ours that only a server has; a file has a virtual table instead.
const INDEXES: [&str; 1] = ["recall_by_term"];

/// Refuses a database that holds anything foreign that could act on our tables. Tables and indexes have the same names
/// in both kinds of databases, except for [`INDEXES`].
pub(crate) async fn refuse_foreign_objects(server: &DbServer) -> Result<(), StoreError> {
    let mut tx = server.snapshot().await?;
    let form = migrations::form_on_server(&mut tx).await?.unwrap_or_else(migrations::newest_on_server);
    let ours = Ours::of(Some(form)).await?;
    let indexes: Vec<&str> = ours.indexes().into_iter().chain(INDEXES).collect();
    let rows: Vec<(String, String, String)> =
        query_as(ACTING).bind(ours.tables()).bind(indexes).fetch_all(&mut tx).await?;
    let name: String = sqlx::query_scalar("SELECT current_database()::text").fetch_one(&mut tx).await?;
    tx.commit().await?;
    let findings: BTreeSet<ForeignObject> = rows.into_iter().map(finding_of_row).collect();
    refuse_findings(format!("the database {name}"), &findings)
}

fn finding_of_row((kind, name, of): (String, String, String)) -> ForeignObject {
    let on = || format!(" on {}", quoted_name(&of));
    let stands_for = || ", which stands for one of the server's".to_owned();
    let (what, more) = match kind.as_str() {
        "view" => ("view", on()),
        "trigger" => ("trigger", on()),
        "rule" => ("rule", on()),
        "policy" => ("policy", on()),
        "constraint" => ("constraint", on()),
        "index" => ("index", on()),
        "generated column" => ("generated column", on()),
        "place" => ("view or other relation", ", where a table should be".to_owned()),
        "security" => ("row-level security of", String::new()),
        "heir" => ("table", format!(", which inherits, with {}", quoted_name(&of))),
        "reference" => ("table", format!(", which refers to {}", quoted_name(&of))),
        "function" => ("function", stands_for()),
        "operator" => ("operator", stands_for()),
        _ => ("object", format!(", which {} rests on", quoted_name(&of))),
    };
    ForeignObject { what, name, more }
}
