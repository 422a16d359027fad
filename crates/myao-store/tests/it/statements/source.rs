//! The statements in the source of the store.

use std::{collections::BTreeSet, fs, path::Path};

use proc_macro2::{TokenStream, TokenTree};

use super::expand::{Macros, declared, expanded, group, ident, is_punct, text};

/// How a statement begins.
const VERBS: [&str; 9] =
    ["SELECT ", "WITH ", "INSERT ", "UPDATE ", "DELETE ", "PRAGMA ", "SAVEPOINT ", "RELEASE ", "ROLLBACK "];
/// Files whose statements are for one database, and for another schema than ours or none: what a database is, how it is
/// copied and cleaned, and myao2's tables. They make statements from names, and run whenever a database is opened, adopted,
/// moved or cleaned.
const APART: [&str; 21] = [
    "copy/numbers.rs",
    "copy/refusals.rs",
    "copy/rows.rs",
    "copy/tables.rs",
    "copy/term_index.rs",
    "db/pools.rs",
    "db/read_file.rs",
    "db/server.rs",
    "db/timeline.rs",
    "forget/compact.rs",
    "schema/adopt/tables.rs",
    "schema/backup.rs",
    "schema/contents.rs",
    "schema/file_mark.rs",
    "schema/foreign/postgres.rs",
    "schema/foreign/sqlite.rs",
    "schema/migrations.rs",
    "schema/open.rs",
    "schema/pooler.rs",
    "schema/reading.rs",
    "schema/server.rs",
];
/// What stands beside a file, and what is a file whatever it is a copy of: these statements are for files only.
const OF_FILES: [&str; 2] = ["copy/backup_file.rs", "forget/outlive.rs"];
/// How the names of myao2's tables begin while it is taken over.
const PUT_ASIDE: &str = " myao2_";
/// One statement of each way to write them.
pub(super) const SAMPLES: [&str; 7] = [
    "INSERT INTO claims",
    "SELECT (SELECT count(*) FROM chapters)",
    "SET known_at = $2",
    "SELECT coalesce(channel_id, '') AS of_group, model, count(*)",
    "SELECT h.scope_id, h.content, h.step_id FROM (SELECT c.id",
    "SELECT id, name, is_bot, has_left FROM users WHERE called IN (SELECT jsonb_array_elements_text(",
    "FROM unnest($1::bigint[], $2::text[], $3::bigint[], $4::text[])",
];

/// Either database.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Database {
    Sqlite,
    Postgres,
}

const BOTH: [Database; 2] = [Database::Sqlite, Database::Postgres];

/// A statement, and where it stands.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Statement {
    pub(super) sql: String,
    pub(super) databases: Vec<Database>,
    pub(super) file: String,
    pub(super) line: usize,
}

/// What a file holds.
#[derive(Default)]
struct Found {
    statements: Vec<Statement>,
    unreadable: Vec<String>,
}

/// Every statement of the store.
pub(super) fn statements() -> Vec<Statement> {
    all().statements
}

/// Calls of the driver whose statement is not known.
pub(super) fn unreadable() -> Vec<String> {
    all().unreadable
}

fn all() -> Found {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("src");
    let mut paths = Vec::new();
    rust_files(&root, &mut paths);
    let files: Vec<(String, TokenStream)> = paths
        .iter()
        .map(|path| {
            let name = path.strip_prefix(&root).expect("a file in it").display().to_string();
            let tokens = fs::read_to_string(path).expect("a source").parse().expect("Rust");
            (name, tokens)
        })
        .collect();
    for apart in APART {
        assert!(files.iter().any(|(name, _)| name == apart), "{apart} is no file any more");
    }
    let mut macros = Macros::new();
    for (_, tokens) in &files {
        declared(tokens, &mut macros);
    }
    let mut found = Found::default();
    for (name, tokens) in files.iter().filter(|(name, _)| !APART.contains(&name.as_str())) {
        let is_of_files = name.starts_with("schema/adopt") || OF_FILES.contains(&name.as_str());
        let databases: &[Database] = if is_of_files { &[Database::Sqlite] } else { &BOTH };
        Reader { file: name, macros: &macros, line: 0 }.read(tokens, databases, &mut found);
    }
    found
}

fn rust_files(folder: &Path, found: &mut Vec<std::path::PathBuf>) {
    let entries: BTreeSet<_> =
        fs::read_dir(folder).expect("a folder").map(|entry| entry.expect("read").path()).collect();
    for path in entries {
        if path.is_dir() {
            rust_files(&path, found);
        } else if path.extension().is_some_and(|extension| extension == "rs") {
            found.push(path);
        }
    }
}

#[derive(Clone, Copy)]
struct Reader<'a> {
    file: &'a str,
    macros: &'a Macros,
    /// Of the call of the macro that is being expanded; 0 outside of one.
    line: usize,
}

impl Reader<'_> {
    /// Reads what is run on these databases.
    fn read(self, tokens: &TokenStream, databases: &[Database], found: &mut Found) {
        let trees: Vec<TokenTree> = tokens.clone().into_iter().collect();
        let mut databases = databases.to_vec();
        // `if let` is for the one block that follows; an arm or `let … else` for all that does.
        let mut after_block = None;
        let mut place = 0;
        while let Some(tree) = trees.get(place) {
            let rest = trees.get(place..).unwrap_or_default();
            if let Some(database) = fork(rest) {
                if place > 1 && ident(trees.get(place - 2)).as_deref() == Some("if") {
                    after_block = Some(databases.clone());
                }
                databases = vec![database];
            }
            place += self.read_one(tree, rest, &databases, found);
            if matches!(tree, TokenTree::Group(group) if group.delimiter() == proc_macro2::Delimiter::Brace) {
                databases = after_block.take().unwrap_or(databases);
            }
        }
    }

    /// Reads what `rest` begins with, and returns how many trees that are.
    fn read_one(
        self,
        tree: &TokenTree,
        rest: &[TokenTree],
        databases: &[Database],
        found: &mut Found,
    ) -> usize {
        let line = if self.line > 0 { self.line } else { tree.span().start().line };
        if ident(Some(tree)).as_deref() == Some("macro_rules") {
            return 4;
        }
        self.check_call(rest, line, found);
        if let Some((sql, taken)) = text(rest, self.macros) {
            if is_statement(&sql) && !sql.contains(PUT_ASIDE) {
                let file = self.file.to_owned();
                let databases = databases.to_vec();
                found.statements.push(Statement { sql: sql.trim().to_owned(), databases, file, line });
            }
            return taken;
        }
        if let Some((tokens, taken)) = expanded(rest, self.macros) {
            Self { line, ..self }.read(&tokens, databases, found);
            return taken;
        }
        if let TokenTree::Group(group) = tree {
            self.read(&group.stream(), databases, found);
        }
        1
    }

    /// A call of the driver gets a statement that can be read here, or the name of one that is read where it stands.
    fn check_call(self, rest: &[TokenTree], line: usize, found: &mut Found) {
        let is_call = ident(rest.first()).is_some_and(|name| name == "sqlx")
            && ident(rest.get(3)).is_some_and(|name| name.starts_with("query") || name == "raw_sql");
        if !is_call {
            return;
        }
        let given: Vec<TokenTree> =
            group(rest.get(4)).map(|list| list.stream().into_iter().collect()).unwrap_or_default();
        let is_name = given.len() == 1 && ident(given.first()).is_some();
        if !is_name && !text(&given, self.macros).is_some_and(|(sql, _)| is_statement(&sql)) {
            found.unreadable.push(format!("{}:{line}", self.file));
        }
    }
}

/// Which database the code after `Tx::Sqlite(…)` or `Tx::Postgres(…)` is for.
fn fork(trees: &[TokenTree]) -> Option<Database> {
    let is_tx = ident(trees.first())? == "Tx" && is_punct(trees.get(1), ':') && is_punct(trees.get(2), ':');
    match ident(trees.get(3)).filter(|_| is_tx)?.as_str() {
        "Sqlite" => Some(Database::Sqlite),
        "Postgres" => Some(Database::Postgres),
        _ => None,
    }
}

fn is_statement(sql: &str) -> bool {
    VERBS.iter().any(|verb| sql.trim_start().starts_with(verb))
}
