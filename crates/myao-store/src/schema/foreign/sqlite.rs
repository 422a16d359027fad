//! Compares the schema of an SQLite file with what our migrations make.

use std::{collections::BTreeSet, path::Path};

use sha2::{Digest as _, Sha256};
use sqlx::{AssertSqlSafe, Connection as _, Row as _, SqliteConnection, sqlite::SqliteRow};
use tokio::sync::OnceCell;

use crate::{
    StoreError,
    db::query_as,
    schema::{
        foreign::{ForeignObject, quoted_name, refuse_findings},
        migrations,
    },
};

/// sqlx writes this table's SQL text, which may differ in another version of sqlx.
const MIGRATIONS: &str = "_sqlx_migrations";

/// How SQLite writes the beginning of the SQL of an object that only holds rows.
const TABLE: &str = "CREATE TABLE ";

const INDEXES: [&str; 2] = ["CREATE INDEX ", "CREATE UNIQUE INDEX "];

/// The digest of the schema of a database of the newest form that holds nothing else (`digest`; ADR 70). A migration, or a
/// version of sqlx that makes its table otherwise, changes it; `myao`'s test of it tells the new one.
const NEWEST_DIGEST: &str = "56d79aafc33cb70bff704b6e6dd93b0461dfb357a21749f86c845dee0a8c405d";

/// What a database of the newest form holds. It does not change while the program runs, and finding it out takes longer
/// than everything else that opening a database does.
static NEWEST: OnceCell<Ours> = OnceCell::const_new();

/// A row of the schema.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
struct Object {
    kind: String,
    name: String,
    table: String,
    /// `None` for the index behind a primary key or a unique column.
    sql: Option<String>,
}

/// The objects that a database of one form holds.
#[derive(Clone)]
pub(super) struct Ours {
    objects: BTreeSet<Object>,
}

impl Ours {
    /// The objects of a database of `form`; none without a form.
    pub(super) async fn of(form: Option<i64>) -> Result<Self, StoreError> {
        match form {
            Some(form) if form == migrations::newest_of_file() => {
                Ok(NEWEST.get_or_try_init(|| Self::made_by_migrations(form)).await?.clone())
            }
            Some(form) => Self::made_by_migrations(form).await,
            None => Ok(Self { objects: BTreeSet::new() }),
        }
    }

    /// Applies the migrations up to `form` to an empty database in memory.
    async fn made_by_migrations(form: i64) -> Result<Self, StoreError> {
        let mut fresh = SqliteConnection::connect("sqlite::memory:").await?;
        migrations::sqlite_to(form, &mut fresh).await?;
        let objects = read_objects(&mut fresh).await?;
        fresh.close().await?;
        Ok(Self { objects })
    }

    /// The names of its tables.
    pub(super) fn tables(&self) -> Vec<&str> {
        self.names_of_kind("table")
    }

    /// The names of its indexes.
    pub(super) fn indexes(&self) -> Vec<&str> {
        self.names_of_kind("index")
    }

    fn names_of_kind(&self, kind: &str) -> Vec<&str> {
        let of_kind = self.objects.iter().filter(|object| object.kind == kind);
        of_kind.map(|object| object.name.as_str()).collect()
    }

    /// Whether anything has this name: tables and indexes share one set of names.
    fn has_name(&self, name: &str) -> bool {
        self.objects.iter().any(|object| object.name.eq_ignore_ascii_case(name))
    }

    fn has_table(&self, name: &str) -> bool {
        self.tables().iter().any(|table| table.eq_ignore_ascii_case(name))
    }
}

/// Refuses a file of ours, at `form`, that holds anything foreign that could act. The caller holds a transaction, so
/// that form and schema are of one moment.
pub(crate) async fn refuse_foreign_objects(
    path: &Path,
    c: &mut SqliteConnection,
    form: Option<i64>,
) -> Result<(), StoreError> {
    let there = read_objects(c).await?;
    let digest = schema_digest(&there);
    if form == Some(migrations::newest_of_file()) && digest == NEWEST_DIGEST {
        return Ok(());
    }
    tracing::debug!(digest, "the schema is compared object by object");
    let ours = Ours::of(form).await?;
    let all = with_what_comes(&ours, form).await?;
    let mut findings: BTreeSet<ForeignObject> = BTreeSet::new();
    let harmless = tables_beside(c, &all, &mut findings).await?;
    for object in &there {
        let is_fine = match &object.sql {
            // It is made with its table, and compared with it.
            None => true,
            Some(_) if ours.objects.contains(object) => true,
            Some(sql) if sql.starts_with(TABLE) => object.name == MIGRATIONS || !all.has_name(&object.name),
            Some(sql) => is_index(sql) && harmless.contains(&object.name) && !all.has_name(&object.name),
        };
        if !is_fine {
            findings.insert(object.finding());
        }
    }
    let is_there = |ours: &Object| there.iter().any(|object| object.name == ours.name);
    for missing in ours.objects.iter().filter(|object| object.kind == "table" && !is_there(object)) {
        let more = ", which is missing".to_owned();
        findings.insert(ForeignObject { what: "table", name: missing.name.clone(), more });
    }
    refuse_findings(path.display().to_string(), &findings)
}

/// What is ours at `form`, and what later migrations will make: nothing foreign may be in their way.
async fn with_what_comes(ours: &Ours, form: Option<i64>) -> Result<Ours, StoreError> {
    let mut objects = ours.objects.clone();
    let newest = migrations::newest_of_file();
    if form != Some(newest) {
        objects.extend(Ours::of(Some(newest)).await?.objects);
    }
    Ok(Ours { objects })
}

/// Refuses a file that is not ours yet if it holds anything that acts by itself: a file that is taken over holds only
/// tables and their indexes.
pub(crate) async fn check_passive(path: &Path, c: &mut SqliteConnection) -> Result<(), StoreError> {
    let there = read_objects(c).await?;
    let is_passive =
        |object: &&Object| object.sql.as_deref().is_none_or(|sql| sql.starts_with(TABLE) || is_index(sql));
    let acting = there.iter().filter(|object| !is_passive(object)).map(Object::finding).collect();
    refuse_findings(path.display().to_string(), &acting)
}

fn is_index(sql: &str) -> bool {
    INDEXES.iter().any(|begin| sql.starts_with(begin))
}

/// Checks foreign tables as SQLite understood the schema, whatever the schema's rows say: a table that refers to ours
/// acts when a row of ours is deleted. Returns the names of the indexes of foreign tables.
async fn tables_beside(
    c: &mut SqliteConnection,
    ours: &Ours,
    findings: &mut BTreeSet<ForeignObject>,
) -> Result<BTreeSet<String>, StoreError> {
    let mut harmless = BTreeSet::new();
    for row in sqlx::query("PRAGMA main.table_list").fetch_all(&mut *c).await? {
        let name: String = row.try_get("name")?;
        let kind: String = row.try_get("type")?;
        if ours.has_table(&name) || kind != "table" {
            continue;
        }
        for key in pragma_about_table(c, "foreign_key_list", &name).await? {
            let parent: String = key.try_get("table")?;
            if ours.has_table(&parent) {
                let more = format!(", which refers to {}", quoted_name(&parent));
                findings.insert(ForeignObject { what: "table", name: name.clone(), more });
            }
        }
        for index in pragma_about_table(c, "index_list", &name).await? {
            harmless.insert(index.try_get("name")?);
        }
    }
    Ok(harmless)
}

/// Runs a pragma about a table as a statement: the function of the same name could be somebody's table.
async fn pragma_about_table(
    c: &mut SqliteConnection,
    pragma: &str,
    table: &str,
) -> Result<Vec<SqliteRow>, StoreError> {
    let sql = format!("PRAGMA main.{pragma}(\"{}\")", table.replace('"', "\"\""));
    Ok(sqlx::query(AssertSqlSafe(sql)).fetch_all(c).await?)
}

/// A digest of a schema. Each field stands behind its length, so that no two schemas have the same text.
fn schema_digest(objects: &BTreeSet<Object>) -> String {
    let mut digest = Sha256::new();
    for Object { kind, name, table, sql } in objects {
        for field in [Some(kind), Some(name), Some(table), sql.as_ref()] {
            digest.update(format!("{:?} ", field.map(String::len)));
            digest.update(field.map_or("", String::as_str));
        }
    }
    let bytes = digest.finalize();
    let halves = bytes.iter().flat_map(|byte| [byte >> 4, byte & 15]);
    halves.filter_map(|half| char::from_digit(u32::from(half), 16)).collect()
}

async fn read_objects(c: &mut SqliteConnection) -> Result<BTreeSet<Object>, StoreError> {
    let rows: Vec<(String, String, String, Option<String>)> =
        query_as("SELECT type, name, tbl_name, sql FROM main.sqlite_schema").fetch_all(c).await?;
    let object = |(kind, name, table, sql)| Object { kind, name, table, sql };
    Ok(rows.into_iter().map(object).collect())
}

impl Object {
    /// How the object is reported. A table with a name of ours exists, but with another SQL text.
    fn finding(&self) -> ForeignObject {
        let sql = self.sql.as_deref().unwrap_or_default();
        let on = format!(" on {}", quoted_name(&self.table));
        let (what, more) = match self.kind.as_str() {
            "table" if sql.starts_with("CREATE VIRTUAL") => ("virtual table", String::new()),
            "table" if sql.starts_with(TABLE) => ("table", ", which is not as myao makes it".to_owned()),
            "index" => ("index", on),
            "trigger" => ("trigger", on),
            "view" => ("view", String::new()),
            _ => ("schema entry", String::new()),
        };
        ForeignObject { what, name: self.name.clone(), more }
    }
}
