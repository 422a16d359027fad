//! What stands in a database beside what we made, and could act when we read or write (SPEC §11).
//!
//! A database is handed on: copied from somebody, restored from a dump, kept where others can write. A trigger
//! in it turns a private channel into a public one while every row still adds up. So nothing is read from a
//! database, and nothing written, before its schema is known to be ours: what it must hold is no list, it is
//! what our migrations make of an empty file in memory, brought to the same form.
//!
//! Tables of somebody else that nothing of ours ever reads or writes cannot act and stay as they are: what the
//! predecessor left, what a program keeps in a file to replicate it.

mod postgres;
mod sqlite;

use std::{collections::BTreeSet, fmt};

use crate::StoreError;

pub(crate) use postgres::check as check_postgres;
pub(crate) use sqlite::{check as check_sqlite, check_passive};

/// Findings told at most; the first ones are as good as all.
const MOST_TOLD: usize = 10;
/// Characters of a name that are told: it is somebody else's, and may be a book.
const NAME_LENGTH: usize = 60;

/// Something that is not ours: `trigger`, its name, and where it stands or what of it is not as it should be.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
struct ForeignObject {
    what: &'static str,
    name: String,
    more: String,
}

impl fmt::Display for ForeignObject {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} {}{}", self.what, quoted(&self.name), self.more)
    }
}

/// A name, as long as it is told.
fn quoted(name: &str) -> String {
    let mut told: String = name.chars().take(NAME_LENGTH).collect();
    if told.len() < name.len() {
        told.push('…');
    }
    format!("`{told}`")
}

/// Refuses a database with findings.
fn refuse(database: String, findings: &BTreeSet<ForeignObject>) -> Result<(), StoreError> {
    if findings.is_empty() {
        return Ok(());
    }
    let surplus = findings.len().saturating_sub(MOST_TOLD);
    let mut told: Vec<String> = findings.iter().take(MOST_TOLD).map(ToString::to_string).collect();
    if surplus > 0 {
        told.push(format!("and {surplus} more"));
    }
    Err(StoreError::NotOurs { database, objects: told.join("; ") })
}
