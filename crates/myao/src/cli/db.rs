//! `myao db`: works on whole databases. It uses the databases that are named in the command, and no configuration.

use std::path::PathBuf;

use clap::{Args, Subcommand};
use indicatif::ProgressBar;
use myao_core::ports::Clock as _;
use myao_store::{CopiedDatabase, CopyError, CopyProgress, Store, StoreError, Target};

use super::{Done, Failure, output};
use crate::clock::SystemClock;

const COPY_HELP: &str = "\
FROM and TO are a file, or an address as in memory.database_url:
  myao db copy data/memory.db postgres://myao@db.example.org/myao
  myao db copy postgres://myao@db.example.org/myao data/memory.db

Everything goes along but who is signed in to the pages and who is at work. FROM is only read. TO has to be new: \
a file that is not there, or a database in which nothing is. Stop `myao run` first. A copy is all or nothing: \
one that was stopped leaves nothing in TO, and is simply made again.

Then every table is read back and compared, and the memories are verified as `myao memory verify` does.

Who else is on this machine can see the words of a command. Leave the password out of the address: it is read \
from PGPASSWORD or ~/.pgpass.";

/// What is done to a database.
#[derive(Debug, Subcommand)]
pub(super) enum DbCommand {
    /// Move everything to another database: from SQLite to PostgreSQL, or back
    #[command(after_help = COPY_HELP)]
    Copy(CopyArgs),
}

/// Which databases.
#[derive(Debug, Args)]
pub(super) struct CopyArgs {
    /// The database that is copied: a file, or postgres://…
    from: String,
    /// Where to: a file that is not there yet, or postgres://… of an empty database
    to: String,
}

pub(super) async fn run(command: DbCommand) -> Result<Done, Failure> {
    let DbCommand::Copy(args) = command;
    let from = parse_target(&args.from)?;
    let to = parse_target(&args.to)?;
    let mut shown = CopyBar::default();
    let mut tell = |progress| shown.tell(progress);
    let copied = Store::copy_whole_database(&from, &to, SystemClock.now(), &mut tell).await;
    shown.clear();
    let copied = copied.map_err(failure_of_copy)?;
    print_copied(&copied, &to);
    Ok(if copied.faults.is_empty() { Done::All } else { Done::Partly })
}

/// The database that an argument names.
fn parse_target(named: &str) -> Result<Target, Failure> {
    if named.starts_with("postgres://") || named.starts_with("postgresql://") {
        return Ok(Target::Postgres(named.to_owned()));
    }
    match named.split_once("://") {
        // The text after the scheme may hold a password, so it is not shown.
        Some((scheme, _)) => Err(Failure::usage(format!(
            "{scheme}:// is no database of ours; name a file, or an address that begins with postgres://"
        ))),
        None => Ok(Target::Sqlite(PathBuf::from(named))),
    }
}

fn failure_of_copy(error: CopyError) -> Failure {
    match error {
        // This may succeed later, or once something else is done.
        CopyError::Busy { .. } | CopyError::Unforgotten(_) | CopyError::Differs { .. } => {
            Failure::incomplete(error)
        }
        CopyError::NotEmpty { .. } => Failure::usage(error.to_string()),
        // These say what to do about a configuration, and none is read here.
        CopyError::From(StoreError::Missing(path)) => {
            Failure::database(anyhow::anyhow!("nothing was copied: there is no database {path}"))
        }
        CopyError::From(StoreError::NotADatabase(path)) | CopyError::To(StoreError::NotADatabase(path)) => {
            Failure::database(anyhow::anyhow!(
                "nothing was copied: {} is not an SQLite database",
                path.display()
            ))
        }
        CopyError::From(_) | CopyError::To(_) => Failure::database(error),
    }
}

fn print_copied(copied: &CopiedDatabase, to: &Target) {
    let mut table = output::bare_table(&["table", "rows", "digest"]);
    for (name, digest) in &copied.tables {
        table.add_row([name.clone(), digest.rows.to_string(), format!("{:032x}", digest.sum)]);
    }
    output::say_table(&table);
    for (name, why) in &copied.left_out {
        output::print_line(&format!("left out: {name}: {why}"));
    }
    let rows: u64 = copied.tables.iter().map(|(_, digest)| digest.rows).sum();
    output::print_line(&format!(
        "copied {rows} rows in {} tables, and read them back: both databases hold the same",
        copied.tables.len()
    ));
    for fault in &copied.faults {
        output::print_line(&format!("{}: {}\n  {}", fault.place, fault.what, fault.how_to_repair()));
    }
    output::print_line(match copied.faults.len() {
        0 => "verified: no fault in the memories",
        _ => "the memories have faults; see whether `myao memory verify` finds them in the original, too",
    });
    let key = match to {
        Target::Sqlite(_) => "memory.database_path (and no memory.database_url)",
        Target::Postgres(_) => "memory.database_url",
    };
    output::print_line(&format!("to use it, set {key} in config.yaml; the original is as it was"));
}

/// Shows a bar for each stage of the copying.
#[derive(Default)]
pub(super) struct CopyBar {
    bar: Option<(&'static str, ProgressBar)>,
}

impl CopyBar {
    pub(super) fn tell(&mut self, progress: CopyProgress) {
        let (stage, done, of, words) = match progress {
            CopyProgress::Copying { table, rows, of } => ("copying", rows, of, format!("copying {table}")),
            CopyProgress::Comparing { rows, of } => ("comparing", rows, of, "comparing".to_owned()),
            CopyProgress::Indexing { channels, of } => ("indexing", channels, of, "indexing".to_owned()),
            CopyProgress::Verifying => ("verifying", 0, 1, "verifying".to_owned()),
        };
        if self.bar.as_ref().is_none_or(|(shown, _)| *shown != stage) {
            self.clear();
            let units = if stage == "indexing" { "channels" } else { "rows" };
            self.bar = Some((stage, output::progress_bar(of, &words, units)));
        }
        if let Some((_, bar)) = &self.bar {
            bar.set_length(of);
            bar.set_position(done);
            bar.set_message(words);
        }
    }

    pub(super) fn clear(&mut self) {
        if let Some((_, bar)) = self.bar.take() {
            bar.finish_and_clear();
        }
    }
}
