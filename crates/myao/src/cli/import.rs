//! `myao import`: reads a Slack export into the archive.

mod absent;
mod closed;
mod patterns;
mod seen_again;
mod told;
mod undo;

use std::path::{Path, PathBuf};

use clap::Args;

use myao_core::chat::{Event, MessageTs};
use myao_slack::export::{Export, ImportReport};
use myao_store::Applied;

use self::{
    absent::AbsentMessages,
    closed::ClosedChannels,
    seen_again::{SeenAgain, SeenAgainOutcome},
};
use super::{
    Done, Failure, embedding, indexing, output, stop_signals::StopSignals, unfinished_imports::ImportProgress,
};
use crate::app::App;

pub(super) use self::told::print_outcome;

/// What is said on Ctrl-C.
const STOPPED: &str = "stopped: what was imported stays, and the same command goes on from here";
/// The most events in one transaction, so that other writers get their turn (design §1): about a tenth of a second. What
/// the messages of one transaction share is written once for all of them: pages of the index, of counts, and of a
/// channel's newest talk.
const EVENTS_AT_ONCE: usize = 2_000;

#[derive(Debug, Args)]
pub(super) struct ImportArgs {
    /// The export: a zip file, or the folder it was unpacked to
    path: PathBuf,
    /// Of an organisation's export (Enterprise Grid): the workspace to import, by its folder in `teams`
    #[arg(long, value_name = "NAME")]
    workspace: Option<String>,
    /// Take whatever the export should hold and does not for deleted, however much it is and whoever made it
    #[arg(long)]
    missing_are_deleted: bool,
    #[command(flatten)]
    undo: UndoArgs,
    /// Print JSON
    #[arg(long)]
    json: bool,
}

#[derive(Debug, Args)]
struct UndoArgs {
    /// Take nothing in. List messages of the export that were deleted here since some export or history lacked them (or
    /// by an earlier version, which did not say why), and bring them back if you say so
    #[arg(long, conflicts_with = "missing_are_deleted")]
    undo_missing: bool,
    /// With --undo-missing: bring them back without asking
    #[arg(long, requires = "undo_missing")]
    yes: bool,
}

/// The result of an import.
pub(super) struct Imported {
    report: ImportReport,
    applied: Applied,
    missing: AbsentMessages,
    again: SeenAgainOutcome,
    export: ExportKnown,
}

/// What is known of an export once it is read.
#[derive(Default)]
struct ExportKnown {
    /// When it was taken.
    taken: Option<MessageTs>,
    /// What shows that it was not Slack that wrote it.
    why_not_slacks_own: Option<String>,
}

/// Fails where there is no export, before a database is made or migrated for it.
pub(super) fn require_export(args: &ImportArgs) -> Result<(), Failure> {
    open_export(&args.path, args.workspace.as_deref()).map(drop)
}

pub(super) async fn run(app: &App, args: &ImportArgs) -> Result<Done, Failure> {
    if args.undo.undo_missing {
        return undo::run(app, args).await;
    }
    let export = open_export(&args.path, args.workspace.as_deref())?;
    let mut signals = StopSignals::new()?;
    let imported = tokio::select! {
        imported = take_in(app, &args.path, export, args.missing_are_deleted) => imported?,
        // A transaction under way is carried through in any case.
        () = signals.next() => return Err(Failure::incomplete_because(STOPPED)),
    };
    let report = &imported.report;
    let clean = !imported.missing.kept.iter().any(|channel| channel.is_asked)
        && report.files_failed == 0
        && report.files_skipped == 0
        && report.files_damaged == 0
        && report.refused_entries == 0;
    if args.json {
        output::say_json(&told::as_json(&imported))?;
    } else {
        print_outcome(app, &imported).await?;
    }
    embedding::embed_missing(app).await?;
    Ok(if clean { Done::All } else { Done::Partly })
}

/// Reads an export into the archive, day file by day file. Messages that the archive has and the export should have are
/// taken for deleted, if that is certain or `missing_are_deleted` is set; messages of the export that were taken for
/// deleted before come back.
pub(super) async fn read_export(
    app: &App,
    path: &Path,
    missing_are_deleted: bool,
) -> Result<Imported, Failure> {
    take_in(app, path, open_export(path, None)?, missing_are_deleted).await
}

async fn take_in(
    app: &App,
    path: &Path,
    export: Export,
    missing_are_deleted: bool,
) -> Result<Imported, Failure> {
    let mut progress = ImportProgress::begin(app, path).await?;
    let mut closed = ClosedChannels::of(&app.store).await?;
    // New messages are indexed when they arrive, so the index has to follow the current rule first.
    indexing::index_missing(app).await?;
    let bar = output::progress_bar(u64::try_from(export.day_files()).unwrap_or(0), "importing", "day files");
    let mut report = ImportReport::default();
    let mut applied = Applied::default();
    let mut missing = AbsentMessages::default();
    let mut again = SeenAgainOutcome::default();
    let mut known = ExportKnown::default();
    let mut seen_again = SeenAgain::begin(app).await?;
    // Day files of a quiet channel hold a message or two. They share a transaction, since each is synced to disk.
    let mut waiting: Vec<Event> = Vec::new();
    for step in export.steps_in(app.clock.now(), &app.config.locale.timezone) {
        if let Some(exported) = step.exported {
            // This has to come before the channels count as heard up to the export. After that, the export would not be
            // newer than the archive.
            applied += app.store.intake().apply(std::mem::take(&mut waiting), app.clock.now()).await?;
            let taken = exported.times.taken;
            again = std::mem::take(&mut seen_again).bring_back(app, taken, &mut applied).await?;
            missing = absent::conclude_deletions(app, &exported, missing_are_deleted, &mut applied).await?;
            known = ExportKnown { taken: Some(taken), why_not_slacks_own: exported.why_not_slacks_own };
        }
        seen_again.notice(&step.events);
        waiting.extend(closed.heed(step.events));
        while waiting.len() >= EVENTS_AT_ONCE {
            let rest = waiting.split_off(EVENTS_AT_ONCE);
            let messages = count_messages(&waiting);
            applied += app.store.intake().apply(waiting, app.clock.now()).await?;
            progress.add(app, messages).await?;
            waiting = rest;
        }
        report += step.report;
        if step.file.is_some() {
            bar.inc(1);
        }
    }
    waiting.extend(closed.opened());
    applied += app.store.intake().apply(waiting, app.clock.now()).await?;
    progress.end(app).await?;
    bar.finish_and_clear();
    Ok(Imported { report, applied, missing, again, export: known })
}

fn count_messages(events: &[Event]) -> u64 {
    events.iter().map(|event| u64::from(event.message().is_some())).sum()
}

fn open_export(path: &Path, workspace: Option<&str>) -> Result<Export, Failure> {
    Export::open_workspace(path, workspace).map_err(|error| Failure::usage(error.to_string()))
}
