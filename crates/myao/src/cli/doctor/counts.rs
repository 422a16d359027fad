//! What the database counts: how much there is, in which state, and how often what failed.

use std::{
    collections::BTreeMap,
    fmt::{Display, Write as _},
};

use myao_core::{memory::Refusal, ports::Clock as _};
use myao_store::{Store, StoreError};

use super::Report;
use crate::clock::SystemClock;

/// Writes counts by the names of our own lists, as `3 done, 1 failed`.
fn in_line<Name: Display>(counts: impl IntoIterator<Item = (Name, u64)>) -> String {
    let mut line = String::new();
    for (name, count) in counts.into_iter().filter(|(_, count)| *count > 0) {
        let comma = if line.is_empty() { "" } else { ", " };
        // Writing to a string does not fail.
        write!(line, "{comma}{count} {name}").unwrap_or_default();
    }
    if line.is_empty() { "none".to_owned() } else { line }
}

/// Writes what the database counts.
pub(super) async fn write_counts(report: &mut Report, store: &Store) -> Result<(), StoreError> {
    store.measure_clock_offset(SystemClock.now()).await?;
    if let Some(file) = store.database() {
        let size = |path: &std::path::Path| std::fs::metadata(path).map_or(0, |about| about.len());
        let mut log = file.as_os_str().to_owned();
        log.push("-wal");
        report.line("bytes", format_args!("{}, write-ahead log {}", size(file), size(log.as_ref())));
        report.line("databases beside it", store.copies_beside()?.len());
    }
    write_archive(report, store).await?;
    write_work(report, store).await?;
    let verified = store.verify().await?;
    let mut faults: BTreeMap<&str, u64> = BTreeMap::new();
    for fault in &verified.faults {
        *faults.entry(fault.kind.as_str()).or_default() += 1;
    }
    report.section("Verified");
    report.line("faults", in_line(faults));
    let checked = verified.checked;
    report.line(
        "checked",
        format_args!(
            "{} channels, {} messages, {} chapters, {} memories, {} entries of the journal",
            checked.channels, checked.messages, checked.chapters, checked.memories, checked.entries
        ),
    );
    Ok(())
}

async fn write_archive(report: &mut Report, store: &Store) -> Result<(), StoreError> {
    let coverage = store.memory().coverage_by_channel().await?;
    let mut kinds: BTreeMap<&str, u64> = BTreeMap::new();
    for channel in &coverage {
        *kinds.entry(channel.kind.as_str()).or_default() += 1;
    }
    report.line("channels", in_line(kinds));
    let sum = |number: fn(&myao_store::Coverage) -> u64| coverage.iter().map(number).sum::<u64>();
    report.line(
        "messages",
        in_line([
            ("covered", sum(|c| c.covered)),
            ("pending", sum(|c| c.pending)),
            ("before start", sum(|c| c.before_start)),
            ("uncovered", sum(|c| c.uncovered)),
            ("expired", sum(|c| c.expired)),
            ("notices", sum(|c| c.notices)),
        ]),
    );
    let totals = store.memory().totals().await?;
    report.line(
        "memories",
        in_line([
            ("chapters", totals.chapters),
            ("versions", totals.versions),
            ("word for word", totals.verbatim),
            ("long-term", totals.long_term),
            ("of threads", totals.threads),
            ("of the workspace", u64::from(totals.workspace)),
        ]),
    );
    let index = store.recall().index_progress().await?;
    report.line("index", format_args!("{} of {} channels", index.channels_done, index.channels));
    report.line("channels with a gap", store.hearing().gaps().await?.len());
    report.line("threads to look through", store.hearing().count_threads_to_recheck().await?);
    report.line("forgettings under way", store.forget().list_unfinished().await?.len());
    Ok(())
}

async fn write_work(report: &mut Report, store: &Store) -> Result<(), StoreError> {
    report.section("Work");
    let processes = store.hearing().processes_by_start(SystemClock.now()).await?;
    let alive = processes.iter().filter(|process| !process.is_gone);
    report.line(
        "runs",
        format_args!(
            "{} alive, of these {} hear Slack; {} gone",
            alive.clone().count(),
            alive.filter(|process| process.hears_since.is_some()).count(),
            processes.iter().filter(|process| process.is_gone).count()
        ),
    );
    let mut calls: BTreeMap<String, u64> = BTreeMap::new();
    for row in store.memory().call_figures().await? {
        *calls.entry(format!("{} {}", row.role, row.outcome)).or_default() += row.calls;
    }
    report.line("calls to models", in_line(calls));
    report.line("refused texts", in_line(store.memory().refusals_by_kind().await?));
    let mut replies: BTreeMap<String, u64> = BTreeMap::new();
    for row in store.replies().reply_figures().await? {
        *replies.entry(format!("{} {}", row.cause, row.state)).or_default() += row.replies;
    }
    report.line("replies", in_line(replies));
    let verdicts = store.replies().verdict_figures().await?;
    report.line("judgments", in_line(verdicts));
    let ends = store.interactions().counts().await?;
    report.line("commands in Slack", in_line(ends));
    let setbacks = store.memory().list_open_setbacks().await?;
    let mut kinds: BTreeMap<String, u64> = BTreeMap::new();
    for setback in &setbacks {
        let state = if setback.flagged { "for a person to look at" } else { "tried again" };
        let kind = Refusal::kind_of_reason(&setback.reason);
        *kinds.entry(format!("{state} ({kind})")).or_default() += 1;
    }
    report.line("setbacks", in_line(kinds));
    Ok(())
}
