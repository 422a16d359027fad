//! Finds what in a database is not ours and could act when we read or write (specification §11).
//!
//! A database is handed on: copied from somebody, restored from a dump, kept where others can write. A trigger in it
//! could turn a private channel into a public one while every row still adds up. So before its schema is known to be
//! ours, nothing is read from a database and nothing is written. There is no list of what it must hold: it is compared
//! with what our migrations make of an empty database in memory, brought to the same form.
//!
//! Foreign tables that none of our statements reads or writes cannot act and stay as they are: what the predecessor
//! left, what a program keeps in a file to replicate it.

mod postgres;
mod sqlite;

use std::{collections::BTreeSet, fmt};

pub(crate) use postgres::refuse_foreign_objects as check_postgres;
pub(crate) use sqlite::{check_passive, refuse_foreign_objects as check_sqlite};

use crate::StoreError;

/// The most findings that are reported.
const MOST_TOLD: usize = 10;

/// The most characters of a name that are reported: it is somebody else's, and may be very long.
const NAME_LENGTH: usize = 60;

/// Something that is not ours: what it is (`trigger`), its name, and where it stands or how it differs from ours.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct ForeignObject {
    what: &'static str,
    name: String,
    more: String,
}

impl fmt::Display for ForeignObject {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} {}{}", self.what, quoted_name(&self.name), self.more)
    }
}

/// A name in backticks, cut to [`NAME_LENGTH`].
pub(super) fn quoted_name(name: &str) -> String {
    let mut told: String = name.chars().take(NAME_LENGTH).collect();
    if told.len() < name.len() {
        told.push('…');
    }
    format!("`{told}`")
}

/// Refuses a database if there are findings.
pub(super) fn refuse_findings(
    database: String,
    findings: &BTreeSet<ForeignObject>,
) -> Result<(), StoreError> {
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
