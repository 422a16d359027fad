//! `myao import`: reads a Slack export into the archive.

mod absent;

use std::path::{Path, PathBuf};

use clap::Args;

use myao_core::chat::Event;
use myao_slack::export::{Export, ImportReport};
use myao_store::Applied;
use serde_json::json;

use self::absent::AbsentMessages;
use super::{Done, Failure, embedding, indexing, output};
use crate::app::App;

/// The most events in one transaction, so that other writers get their turn (DESIGN, seams).
const EVENTS_AT_ONCE: usize = 400;

#[derive(Debug, Args)]
pub(super) struct ImportArgs {
    /// The export: a zip file, or the folder it was unpacked to
    path: PathBuf,
    /// Take whatever the export should hold and does not for deleted, however much it is
    #[arg(long)]
    missing_are_deleted: bool,
    /// Print JSON
    #[arg(long)]
    json: bool,
}

/// The result of an import.
pub(super) struct Imported {
    report: ImportReport,
    applied: Applied,
    missing: AbsentMessages,
}

/// Fails where there is no export, before a database is made or migrated for it.
pub(super) fn look(args: &ImportArgs) -> Result<(), Failure> {
    open(&args.path).map(drop)
}

pub(super) async fn run(app: &App, args: &ImportArgs) -> Result<Done, Failure> {
    let imported = import(app, &args.path, args.missing_are_deleted).await?;
    let report = &imported.report;
    let clean = imported.missing.doubtful.is_empty()
        && report.files_failed == 0
        && report.files_skipped == 0
        && report.files_damaged == 0
        && report.refused_entries == 0;
    if args.json {
        output::say_json(&as_json(&imported))?;
    } else {
        tell(&imported);
    }
    embedding::finish(app).await?;
    Ok(if clean { Done::All } else { Done::Partly })
}

/// Reads an export into the archive, day file by day file. Messages that the archive has and the export should have are
/// deleted, if that is certain or `missing_are_deleted` is set.
pub(super) async fn import(app: &App, path: &Path, missing_are_deleted: bool) -> Result<Imported, Failure> {
    let export = open(path)?;
    // New messages are indexed when they arrive, so the index has to follow the current rule first.
    indexing::finish(app).await?;
    let bar = output::bar(u64::try_from(export.day_files()).unwrap_or(0), "importing");
    let mut report = ImportReport::default();
    let mut applied = Applied::default();
    let mut missing = AbsentMessages::default();
    // Day files of a quiet channel hold a message or two. They share a transaction, since each is synced to disk.
    let mut waiting: Vec<Event> = Vec::new();
    for step in export.steps_in(app.clock.now(), &app.config.locale.timezone) {
        if let Some(exported) = step.exported {
            // This has to come before the channels count as heard up to the export. After that, the export would not be
            // newer than the archive.
            applied += app.store.apply(std::mem::take(&mut waiting), app.clock.now()).await?;
            missing = absent::settle(app, &exported, missing_are_deleted, &mut applied).await?;
        }
        waiting.extend(step.events);
        while waiting.len() >= EVENTS_AT_ONCE {
            let rest = waiting.split_off(EVENTS_AT_ONCE);
            applied += app.store.apply(waiting, app.clock.now()).await?;
            waiting = rest;
        }
        report += step.report;
        if step.file.is_some() {
            bar.inc(1);
        }
    }
    applied += app.store.apply(waiting, app.clock.now()).await?;
    bar.finish_and_clear();
    Ok(Imported { report, applied, missing })
}

fn open(path: &Path) -> Result<Export, Failure> {
    Export::open(path).map_err(|error| Failure::usage(error.to_string()))
}

pub(super) fn tell(imported: &Imported) {
    let Imported { report, applied, missing } = imported;
    output::say(&format!(
        "{} and {} of {} in {} read from {}",
        output::counted(report.messages, "message"),
        output::counted(report.notices, "notice"),
        output::counted(report.users, "person"),
        output::counted(report.channels, "channel"),
        output::counted(report.files, "file")
    ));
    output::say(&format!(
        "archive: {} new, {} changed, {} deleted, {} there already",
        applied.new, applied.changed, applied.deleted, applied.same
    ));
    if missing.deleted > 0 {
        output::say(&format!(
            "taken for deleted, since the export no longer holds them: {}",
            output::counted(missing.deleted, "message")
        ));
    }
    if applied.forgotten > 0 {
        let forgotten = output::counted(applied.forgotten, "message");
        output::say(&format!("forgotten, and not taken in again: {forgotten}"));
    }
    if applied.left_out > 0 {
        output::say(&format!(
            "left out, of people and channels that are never remembered: {}",
            output::counted(applied.left_out, "message")
        ));
    }
    for doubt in &missing.doubtful {
        output::complain(&format!(
            "#{} ({}): missing in the export, and kept: {} of {}. If they were deleted, import it again with \
             --missing-are-deleted",
            doubt.name,
            doubt.channel,
            doubt.missing,
            output::counted(doubt.of, "message")
        ));
    }
    let skipped = [
        (report.files_damaged, "file", "damaged: what is whole was read"),
        (report.files_failed, "file", "unreadable: skipped whole"),
        (report.files_skipped, "file", "not named after a day: skipped"),
        (report.refused_entries, "entry", "refused"),
        (report.duplicates, "message", "given twice under one time stamp"),
        (report.unread, "entry", "not understood: kept in raw form"),
    ];
    for (count, noun, what) in skipped.into_iter().filter(|(count, ..)| *count > 0) {
        output::say(&format!("{} {what}", output::counted(count, noun)));
    }
    for problem in &report.problems {
        output::complain(&format!("  {problem}"));
    }
    if report.problems_unlisted > 0 {
        output::complain(&format!("  … and {} more", report.problems_unlisted));
    }
}

fn as_json(imported: &Imported) -> serde_json::Value {
    let Imported { report, applied, missing } = imported;
    json!({
        "files": report.files,
        "files_damaged": report.files_damaged,
        "files_failed": report.files_failed,
        "files_skipped": report.files_skipped,
        "entries_refused": report.refused_entries,
        "channels": report.channels,
        "users": report.users,
        "messages": report.messages,
        "notices": report.notices,
        "duplicates": report.duplicates,
        "unread": report.unread,
        "new": applied.new,
        "changed": applied.changed,
        "deleted": applied.deleted,
        "same": applied.same,
        "forgotten": applied.forgotten,
        "left_out": applied.left_out,
        "missing_deleted": missing.deleted,
        "missing_doubtful": missing.doubtful,
        "problems": report.problems,
    })
}
