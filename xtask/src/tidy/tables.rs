//! Checks that the design tells every table of the database, and no other.

use std::collections::BTreeMap;

use super::{SourceFile, Violation, markdown};

const RULE: &str = "tables";
const DESIGN: &str = "docs/design.md";
/// The section that tells them.
const SECTION: &str = "## §8 ";
const MIGRATIONS: &str = "migrations/";

pub(super) fn check(files: &[SourceFile]) -> Vec<Violation> {
    let Some(design) = files.iter().find(|file| file.path == DESIGN) else { return Vec::new() };
    let (made, told) = (made(files), told(design));
    let untold = made.iter().filter(|(table, _)| !told.contains_key(*table));
    let untold = untold.map(|(table, path)| {
        Violation::new(
            path,
            1,
            RULE,
            format!("`{table}` has no row in the tables of {DESIGN}: say there what one of its rows is"),
        )
    });
    let unmade = told.iter().filter(|(table, _)| !made.contains_key(*table));
    let unmade = unmade.map(|(table, line)| {
        Violation::new(DESIGN, *line, RULE, format!("no migration makes a table `{table}`"))
    });
    untold.chain(unmade).collect()
}

/// The tables that stand after all migrations, each with the file that makes it.
fn made(files: &[SourceFile]) -> BTreeMap<String, &str> {
    let mut tables = BTreeMap::new();
    let mut migrations: Vec<&SourceFile> =
        files.iter().filter(|file| file.path.starts_with(MIGRATIONS) && file.is("sql")).collect();
    migrations.sort_by(|one, other| one.path.cmp(&other.path));
    for file in migrations {
        let code: Vec<&str> =
            file.lines().map(|(_, line)| line.split("--").next().unwrap_or_default()).collect();
        for statement in code.join("\n").split(';') {
            let words: Vec<String> = words_of(statement).take(6).collect();
            let words: Vec<&str> = words.iter().map(String::as_str).collect();
            match words.as_slice() {
                ["create", "table", table, ..] | ["create", "virtual", "table", table, ..] => {
                    tables.insert((*table).to_owned(), file.path.as_str());
                }
                ["drop", "table", table, ..] => {
                    tables.remove(*table);
                }
                ["alter", "table", before, "rename", "to", after] => {
                    tables.remove(*before);
                    tables.insert((*after).to_owned(), file.path.as_str());
                }
                _ => {}
            }
        }
    }
    tables
}

fn words_of(statement: &str) -> impl Iterator<Item = String> {
    let words = statement.split(|letter: char| !letter.is_ascii_alphanumeric() && letter != '_');
    let words = words.filter(|word| !word.is_empty()).map(str::to_lowercase);
    words.filter(|word| !["if", "not", "exists"].contains(&word.as_str()))
}

/// The tables in the first column of the section's table, each with its line.
fn told(design: &SourceFile) -> BTreeMap<String, usize> {
    let inside = markdown::lines_of_prose(design).skip_while(|(_, line)| !line.starts_with(SECTION)).skip(1);
    let rows =
        inside.take_while(|(_, line)| !line.starts_with("## ")).filter(|(_, line)| line.starts_with("| `"));
    let mut tables = BTreeMap::new();
    for (number, row) in rows {
        let cell = row.split('|').nth(1).unwrap_or_default();
        tables.extend(markdown::pieces_of_code(cell).map(|table| (table.to_owned(), number)));
    }
    tables
}
