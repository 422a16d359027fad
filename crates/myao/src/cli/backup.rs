//! `myao backup`: a copy of the database that was opened and verified, made beside a run.

use std::path::{Path, PathBuf};

use clap::Args;
use myao_store::{Backup, BackupError, BackupFolder, Store};
use serde_json::json;

use super::{Done, Failure, db::CopyBar, output, verify};
use crate::app::App;

const AFTER_HELP: &str = "\
TO is a file that is not there yet, or a folder (one that is there, or a name that ends with /): there the backup is \
named by its time, and --keep N removes the oldest of this database beyond N.
  myao backup backups/ --keep 14

`myao run` may go on meanwhile. The backup is one SQLite file, of a PostgreSQL database too. It is opened and verified \
before it gets its name. Beside it lies NAME-forgotten, the list of what was forgotten, which is kept up to date for \
every backup of this database in the folder: restore both together, and what was forgotten later is forgotten again.

To restore, stop `myao run`, and copy the backup and its list to where the database and its list were (for PostgreSQL: \
`myao db copy BACKUP postgres://…` into an empty database).";

#[derive(Debug, Args)]
#[command(after_help = AFTER_HELP)]
pub(super) struct BackupArgs {
    /// A new file, or a folder
    to: PathBuf,
    /// In a folder, keep this many backups and remove older ones
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..))]
    keep: Option<u16>,
    /// Print JSON
    #[arg(long)]
    json: bool,
}

/// A backup and what was done in its folder.
struct MadeBackup {
    backup: Backup,
    removed: Vec<PathBuf>,
}

pub(super) async fn run(app: &App, args: &BackupArgs) -> Result<Done, Failure> {
    let is_folder = args.to.is_dir() || ends_with_slash(&args.to);
    let made = if is_folder {
        back_up_to_folder(app, &BackupFolder::at(&args.to), args.keep).await?
    } else if args.keep.is_some() {
        return Err(Failure::usage("--keep is for a folder; end its name with / if it is not there yet"));
    } else {
        MadeBackup { backup: back_up(app, &args.to).await?, removed: Vec::new() }
    };
    if args.json {
        output::say_json(&json!({
            "path": made.backup.path,
            "bytes": made.backup.bytes,
            "messages": made.backup.messages,
            "faults": made.backup.faults.iter().map(verify::fault_as_json).collect::<Vec<_>>(),
            "removed": made.removed,
        }))?;
    } else {
        print_made(&made);
    }
    Ok(if made.backup.faults.is_empty() { Done::All } else { Done::Partly })
}

fn ends_with_slash(path: &Path) -> bool {
    path.as_os_str().as_encoded_bytes().last().is_some_and(|last| *last == b'/')
}

async fn back_up_to_folder(
    app: &App,
    folder: &BackupFolder,
    keep: Option<u16>,
) -> Result<MadeBackup, Failure> {
    folder.remove_unfinished()?;
    let backup = back_up(app, &folder.path_for(app.clock.now())?).await?;
    let mut backups = app.store.backups_in(folder).await.map_err(failure_of_backup)?;
    let mut removed = Vec::new();
    // A backup with faults replaces none without.
    if let Some(keep) = keep.filter(|_| backup.faults.is_empty()) {
        removed = Store::prune_backups(&backups, &backup.path, usize::from(keep))?;
        backups.retain(|path| !removed.contains(path));
    }
    for older in backups {
        app.store.list_forgettings_beside(&older).await.map_err(failure_of_backup)?;
    }
    Ok(MadeBackup { backup, removed })
}

async fn back_up(app: &App, to: &Path) -> Result<Backup, Failure> {
    let mut shown = CopyBar::default();
    let mut tell = |progress| shown.tell(progress);
    let made = app.store.back_up(to, &mut tell).await;
    shown.clear();
    made.map_err(failure_of_backup)
}

fn failure_of_backup(error: BackupError) -> Failure {
    match error {
        // This may succeed later, or once something else is done.
        BackupError::Busy(_)
        | BackupError::Unforgotten
        | BackupError::ForgottenMeanwhile
        | BackupError::Differs(_) => Failure::incomplete(error),
        BackupError::Taken(_) => Failure::usage(error.to_string()),
        BackupError::From(_) | BackupError::To(_) => Failure::database(error),
    }
}

fn print_made(made: &MadeBackup) {
    let Backup { path, bytes, messages, faults } = &made.backup;
    output::print_line(&format!(
        "{}: {}, {bytes} bytes",
        path.display(),
        output::count_with_noun(*messages, "message")
    ));
    for fault in faults {
        output::print_line(&format!("{}: {}\n  {}", fault.place, fault.what, fault.how_to_repair()));
    }
    output::print_line(if faults.is_empty() {
        "opened and verified: no fault"
    } else {
        "opened and verified: it has the faults above; see whether `myao memory verify` finds them in the original, too"
    });
    for removed in &made.removed {
        output::print_line(&format!("removed {}", removed.display()));
    }
}
