//! Tells what an import did.

use jiff::tz::TimeZone;
use myao_core::chat::MessageTs;
use myao_store::MissingSource;
use serde_json::{Value, json};

use super::{Failure, Imported, output, patterns};
use crate::app::App;

/// Channels of which it is told what they lack; the others are only counted.
const MOST_CHANNELS: usize = 20;

pub(in crate::cli) async fn print_outcome(app: &App, imported: &Imported) -> Result<(), Failure> {
    let Imported { report, applied, missing, .. } = imported;
    output::print_line(&format!(
        "{} and {} of {} in {} read from {}",
        output::count_with_noun(report.messages, "message"),
        output::count_with_noun(report.notices, "notice"),
        output::count_with_noun(report.users, "person"),
        output::count_with_noun(report.channels, "channel"),
        output::count_with_noun(report.files, "file")
    ));
    output::print_line(&format!(
        "archive: {} new, {} changed, {} deleted, {} there already",
        applied.new, applied.changed, applied.deleted, applied.same
    ));
    if applied.reread > 0 {
        output::print_line(&format!(
            "read better than before, memories are written anew as they can be: {}",
            output::count_with_noun(applied.reread, "message")
        ));
    }
    let zone = &app.config.locale.timezone;
    if missing.deleted > 0 {
        output::print_line(&conclusion_in_words(imported, zone));
    }
    brought_back(imported, zone);
    if applied.forgotten > 0 {
        let forgotten = output::count_with_noun(applied.forgotten, "message");
        output::print_line(&format!("forgotten, and not taken in again: {forgotten}"));
    }
    if applied.left_out > 0 {
        output::print_line(&format!(
            "left out, of people and channels that are never remembered: {}",
            output::count_with_noun(applied.left_out, "message")
        ));
    }
    print_kept_messages(app, imported).await?;
    print_problems(imported);
    Ok(())
}

/// What was concluded from what the export lacks, and why that is believed.
fn conclusion_in_words(imported: &Imported, zone: &TimeZone) -> String {
    let missing = &imported.missing;
    let why = if missing.unproven == 0 {
        "which has the shape of Slack's own"
    } else if missing.unproven == missing.deleted {
        "since --missing-are-deleted says so"
    } else {
        "some of them only since --missing-are-deleted says so"
    };
    let taken = imported.export.taken.map_or_else(|| "unknown".to_owned(), |taken| day_as_text(taken, zone));
    format!(
        "taken for deleted, as they are missing in this export of {taken}, {why}: {}",
        output::count_with_noun(missing.deleted, "message")
    )
}

fn brought_back(imported: &Imported, zone: &TimeZone) {
    for (missing, count) in &imported.again.back {
        let source = match missing.source {
            MissingSource::Export => "an export",
            MissingSource::History => "Slack's history",
        };
        output::print_line(&format!(
            "back, though they had been taken for deleted, as they were missing in {source} of {}: {}",
            day_as_text(missing.at, zone),
            output::count_with_noun(*count, "message")
        ));
    }
    if imported.again.still_deleted > 0 {
        output::print_line(&format!(
            "in this export, but missing in a later one or in Slack's history since, and so still deleted: {}",
            output::count_with_noun(imported.again.still_deleted, "message")
        ));
    }
}

fn day_as_text(ts: MessageTs, zone: &TimeZone) -> String {
    ts.to_timestamp().to_zoned(zone.clone()).strftime("%Y-%m-%d %H:%M").to_string()
}

/// What the export lacks and nothing is concluded from.
async fn print_kept_messages(app: &App, imported: &Imported) -> Result<(), Failure> {
    let kept = &imported.missing.kept;
    if kept.is_empty() {
        return Ok(());
    }
    let names = patterns::names_of_people(app).await?;
    if let Some(why) = &imported.export.why_not_slacks_own {
        output::print_line(&format!(
            "not Slack's own export ({why}), so that nothing was deleted because it lacks it:"
        ));
    }
    for channel in kept.iter().take(MOST_CHANNELS) {
        let line = format!(
            "#{} ({}): missing in the export, and kept: {} of {}: {}",
            channel.name,
            channel.channel,
            channel.missing,
            output::count_with_noun(channel.of, "message"),
            patterns::patterns_as_text(&channel.patterns, &names)
        );
        if channel.is_asked {
            let how = "If they were deleted, import it again with --missing-are-deleted";
            output::print_to_stderr(&format!("{line}. {how}"));
        } else {
            output::print_line(&line);
        }
    }
    if let Some(more) = kept.len().checked_sub(MOST_CHANNELS).filter(|more| *more > 0) {
        output::print_line(&format!("… and of {} more", output::count_with_noun(more, "channel")));
    }
    Ok(())
}

fn print_problems(imported: &Imported) {
    let report = &imported.report;
    let skipped = [
        (report.files_damaged, "file", "damaged: what is whole was read"),
        (report.files_failed, "file", "unreadable: skipped whole"),
        (report.files_skipped, "file", "not named after a day: skipped"),
        (report.refused_entries, "entry", "refused"),
        (report.duplicates, "message", "given twice under one time stamp"),
        (report.unread, "entry", "not understood: kept in raw form"),
        (report.unknown_blocks, "block", "of a kind that is not known: only the texts in it were read"),
        (report.external, "channel", "with people from outside who speak there: seen by no other"),
    ];
    for (count, noun, what) in skipped.into_iter().filter(|(count, ..)| *count > 0) {
        output::print_line(&format!("{} {what}", output::count_with_noun(count, noun)));
    }
    for problem in &report.problems {
        output::print_to_stderr(&format!("  {problem}"));
    }
    if report.problems_unlisted > 0 {
        output::print_to_stderr(&format!("  … and {} more", report.problems_unlisted));
    }
}

pub(super) fn as_json(imported: &Imported) -> Value {
    let Imported { report, applied, missing, .. } = imported;
    let kept = |channel: &super::absent::KeptInChannel| {
        json!({
            "channel": channel.channel,
            "name": channel.name,
            "missing": channel.missing,
            "of": channel.of,
            "patterns": channel.patterns,
        })
    };
    json!({
        "files": report.files,
        "files_damaged": report.files_damaged,
        "files_failed": report.files_failed,
        "files_skipped": report.files_skipped,
        "entries_refused": report.refused_entries,
        "channels": report.channels,
        "channels_external": report.external,
        "users": report.users,
        "messages": report.messages,
        "notices": report.notices,
        "duplicates": report.duplicates,
        "unread": report.unread,
        "unknown_blocks": report.unknown_blocks,
        "new": applied.new,
        "changed": applied.changed,
        "reread": applied.reread,
        "deleted": applied.deleted,
        "same": applied.same,
        "brought_back": applied.brought_back,
        "forgotten": applied.forgotten,
        "left_out": applied.left_out,
        "missing_deleted": missing.deleted,
        "missing_unproven": missing.unproven,
        "missing_doubtful": missing.kept.iter().map(kept).collect::<Vec<_>>(),
        "still_deleted": imported.again.still_deleted,
        "taken": imported.export.taken.map(|taken| taken.to_timestamp().to_string()),
        "not_slacks_own": imported.export.why_not_slacks_own,
        "problems": report.problems,
    })
}
