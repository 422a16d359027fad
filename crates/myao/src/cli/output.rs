//! What reaches the terminal: results on stdout, everything else on stderr.

use std::{
    fmt::Write as _,
    io::{self, IsTerminal as _, Write as _},
};

use comfy_table::Table;
use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};
use serde::Serialize;
use tracing_subscriber::EnvFilter;

use super::Failure;
use crate::config::Logging;

/// A line of a result. A closed pipe (`| head`) ends the program's interest in it, not the program.
pub(super) fn say(line: &str) {
    drop(writeln!(io::stdout().lock(), "{line}"));
}

/// A line that is no result.
pub(super) fn complain(line: &str) {
    drop(writeln!(io::stderr().lock(), "{line}"));
}

/// A result for scripts.
pub(super) fn say_json(value: &impl Serialize) -> Result<(), Failure> {
    let text = serde_json::to_string_pretty(value).map_err(anyhow::Error::from)?;
    say(&text);
    Ok(())
}

/// A table without frame, its columns under `head`.
pub(super) fn table(head: &[&str]) -> Table {
    let mut table = Table::new();
    table.load_style(comfy_table::presets::NOTHING).set_header(head);
    table
}

/// A bar with the time that is left; silent where nobody watches.
pub(super) fn bar(length: u64, what: &str) -> ProgressBar {
    let target =
        if io::stderr().is_terminal() { ProgressDrawTarget::stderr() } else { ProgressDrawTarget::hidden() };
    let bar = ProgressBar::with_draw_target(Some(length), target);
    let style = ProgressStyle::with_template("{msg:<28} {bar:30} {pos}/{len}  {elapsed} (about {eta} left)")
        .unwrap_or_else(|_e| ProgressStyle::default_bar());
    bar.set_style(style);
    bar.set_message(what.to_owned());
    bar
}

/// Logs to stderr as configured.
pub(super) fn start_logging(logging: &Logging) {
    // The driver warns of slow statements in their whole length: of interest to us, not to an owner.
    let mut filter = format!("{},sqlx=error", logging.level);
    for (logger, level) in &logging.loggers {
        write!(filter, ",{logger}={level}").ok();
    }
    let filter = EnvFilter::builder().parse_lossy(filter);
    // A second start in one process (tests) keeps the first.
    drop(tracing_subscriber::fmt().with_env_filter(filter).with_writer(io::stderr).try_init());
}
