//! `myao doctor`: a report for whoever looks for a bug, without secrets and without words.
//!
//! It is made of numbers and of names from closed lists of ours, each put there on purpose: what a person wrote, in chat
//! or in the configuration, is in none of its parts (`settings`, `counts`). Errors are told by their kind, since their
//! texts quote what they are about.

mod counts;
mod settings;

use std::path::Path;

use jiff::Timestamp;
use myao_config::{Config, Database, Loaded};
use myao_core::ports::Clock as _;
use myao_store::{Store, StoreError};

use super::{Done, Failure, health, output};
use crate::{app::database_target, clock::SystemClock};

const AFTER_HELP: &str = "\
Prints a report on stdout that can be put into a public report of a bug. It holds versions, settings that are numbers or \
switches, counts, states and kinds of errors. It holds no token, no key, no password, no address, no path, no name and \
nothing that anybody said. Read it before you send it:
  myao doctor > report.md";

#[derive(Debug, clap::Args)]
#[command(after_help = AFTER_HELP)]
pub(super) struct DoctorArgs {}

/// The report, as it grows.
#[derive(Debug, Default)]
struct Report {
    text: String,
    /// What could not be found out.
    lacks: u32,
}

impl Report {
    fn section(&mut self, title: &str) {
        self.push(&format!("\n## {title}\n"));
    }

    fn line(&mut self, what: &str, value: impl std::fmt::Display) {
        self.push(&format!("- {what}: {value}"));
    }

    fn push(&mut self, line: &str) {
        self.text.push_str(line);
        self.text.push('\n');
    }

    fn lack(&mut self, what: &str, why: &str) {
        self.lacks += 1;
        self.line(what, format_args!("could not be read ({why})"));
    }
}

pub(super) async fn run(config: Option<&Path>) -> Result<Done, Failure> {
    let mut report = Report { text: "# Report of myao\n".to_owned(), lacks: 0 };
    report.section("Program and machine");
    report.line("version", env!("CARGO_PKG_VERSION"));
    report.line("build", if cfg!(debug_assertions) { "with checks" } else { "release" });
    report.line("system", format_args!("{} on {}", std::env::consts::OS, std::env::consts::ARCH));
    report.line("processors", std::thread::available_parallelism().map_or(0, usize::from));
    report.line("time", SystemClock.now().round(jiff::Unit::Minute).unwrap_or(Timestamp::UNIX_EPOCH));
    match Config::load(config) {
        Ok(loaded) => report_on(&mut report, &loaded).await,
        Err(_) => report.lack("configuration", "`myao check` says what is wrong; that text may hold values"),
    }
    output::print_line(report.text.trim_end());
    Ok(if report.lacks == 0 { Done::All } else { Done::Partly })
}

async fn report_on(report: &mut Report, loaded: &Loaded) {
    let config = &loaded.config;
    report.section("Settings");
    report.line("file", if loaded.file.is_some() { "read" } else { "none, defaults" });
    settings::write_settings(report, config);
    report.section("Run");
    report.line("myao run", health::state_of_run(config).await);
    report.section("Database");
    report.line("kind", kind_of(&config.database));
    match Store::open_to_read(&database_target(config)).await {
        Ok(store) => {
            if let Err(error) = counts::write_counts(report, &store.clone().by_server_time()).await {
                report.lack("counts", kind_of_error(&error));
            }
            store.close().await;
        }
        Err(error) => report.lack("database", kind_of_error(&error)),
    }
}

const fn kind_of(database: &Database) -> &'static str {
    match database {
        Database::Sqlite(_) => "SQLite",
        Database::Postgres(_) => "PostgreSQL",
    }
}

/// The kind of an error. Its text may hold a path, an address, or a value from a row.
fn kind_of_error(error: &StoreError) -> &'static str {
    if matches!(error, StoreError::Missing(_)) {
        "there is none yet"
    } else if matches!(error, StoreError::Older { .. }) {
        "it is of an older version"
    } else if matches!(error, StoreError::Newer { .. }) {
        "it is of a newer version"
    } else if matches!(error, StoreError::Damaged(_) | StoreError::NotADatabase(_)) {
        "it is damaged, or no database"
    } else if matches!(error, StoreError::Locked) {
        "it is locked"
    } else if matches!(error, StoreError::Full) {
        "the disk is full"
    } else if matches!(error, StoreError::Path { .. } | StoreError::ReadOnly(_) | StoreError::Closed(_)) {
        "the file cannot be opened"
    } else if matches!(error, StoreError::Unreachable { .. } | StoreError::NoAddress) {
        "the server cannot be reached"
    } else {
        "another error; `myao check` tells it, and that text may hold addresses"
    }
}
