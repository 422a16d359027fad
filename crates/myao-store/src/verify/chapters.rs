//! Checks that chapters cover a channel's talk exactly once and are numbered from one (specification §2.1).

use std::collections::BTreeSet;

use myao_core::chat::{ChannelId, MessageTs};

use super::{
    fault::{Fault, FaultKind},
    rows::{ChapterLine, Rows, shown_moment},
};

/// A part of a channel's talk that is in no chapter, or in two.
pub(super) struct CoverageFault {
    pub(super) channel: String,
    /// Exclusive.
    pub(super) after: i64,
    /// Inclusive.
    pub(super) until: i64,
    is_twice: bool,
    /// The numbers of the chapters beside it; 0 for the beginning of the memory.
    beside: (i64, i64),
}

/// The faults of one channel.
#[derive(Default)]
pub(super) struct ChannelFindings {
    pub(super) faults: Vec<Fault>,
    /// Stretches whose kind of fault depends on what was said there.
    pub(super) stretches: Vec<CoverageFault>,
}

impl CoverageFault {
    /// The fault, given how many messages of talk the stretch holds.
    pub(super) fn fault(&self, rows: &Rows, talk: u64) -> Fault {
        let kind = match (self.is_twice, talk) {
            (false, 0) => FaultKind::Gap,
            (false, _) => FaultKind::Uncovered,
            (true, 0) => FaultKind::Overlap,
            (true, _) => FaultKind::DoublyCovered,
        };
        let (before, behind) = self.beside;
        let beside = match (before, self.is_twice) {
            (0, _) => format!("between the start and chapter {behind}"),
            (_, false) => format!("between chapters {before} and {behind}"),
            (_, true) => format!("in both chapters {before} and {behind}"),
        };
        let after = shown_moment(self.after);
        let until = shown_moment(self.until);
        Fault {
            place: rows.name_of_channel(&self.channel),
            kind,
            channel: Some(ChannelId::new(&self.channel)),
            entries: Vec::new(),
            what: format!("{talk} messages after {after} up to {until} stand {beside}"),
        }
    }
}

pub(super) fn check_channel(rows: &Rows, channel: &str) -> ChannelFindings {
    let chapters = rows.chapters.get(channel).map(Vec::as_slice).unwrap_or_default();
    let mut found = ChannelFindings::default();
    let fault = |kind, what| Fault {
        place: rows.name_of_channel(channel),
        kind,
        channel: Some(ChannelId::new(channel)),
        entries: Vec::new(),
        what,
    };
    for ChapterLine { version, from, to } in chapters.iter().filter(|chapter| chapter.from >= chapter.to) {
        let what = format!(
            "chapter {version} begins at {} and ends before, at {}",
            shown_moment(*from),
            shown_moment(*to)
        );
        found.faults.push(fault(FaultKind::Backwards, what));
    }
    if let Some(what) = missing_numbers(rows, channel, chapters) {
        found.faults.push(fault(FaultKind::Numbering, what));
    }
    let start = rows.channels.get(channel).and_then(|row| row.memory_from).map(MessageTs::as_micros);
    let first = chapters.first().map(|chapter| chapter.from.min(chapter.to));
    if let (Some(first), false) = (first, start.is_some_and(|start| Some(start) <= first)) {
        let begins =
            start.map_or_else(|| "nowhere".to_owned(), |start| format!("at {}", shown_moment(start)));
        let what = format!("its memory begins {begins}, its first chapter at {}", shown_moment(first));
        found.faults.push(fault(FaultKind::Start, what));
    }
    found.stretches = uncovered_stretches(channel, start.filter(|start| Some(*start) < first), chapters);
    found
}

/// Where the chapters, one after the other from `start` on, leave something out or cover it twice.
fn uncovered_stretches(channel: &str, start: Option<i64>, chapters: &[ChapterLine]) -> Vec<CoverageFault> {
    let mut reached = start.map(|start| (0, start));
    let mut stretches = Vec::new();
    for chapter in chapters {
        // A chapter whose ends are swapped is a fault of its own.
        let from = chapter.from.min(chapter.to);
        let to = chapter.from.max(chapter.to);
        if let Some((before, end)) = reached
            && end != from
        {
            stretches.push(CoverageFault {
                channel: channel.to_owned(),
                after: end.min(from),
                until: if end < from { from } else { end.min(to) },
                is_twice: end > from,
                beside: (before, chapter.version),
            });
        }
        let end = reached.map_or(to, |(_, end)| end.max(to));
        reached = Some((chapter.version, end));
    }
    stretches
}

/// Describes numbers that no chapter and no version has; `None` if there are none.
fn missing_numbers(rows: &Rows, channel: &str, chapters: &[ChapterLine]) -> Option<String> {
    let versions = rows.versions_of(channel).map(|head| head.key.version);
    let numbers: BTreeSet<i64> = chapters.iter().map(|chapter| chapter.version).chain(versions).collect();
    let mut expected = 1;
    let mut holes = Vec::new();
    for number in numbers {
        if number != expected {
            holes.push(format!("{expected} should follow, {number} does"));
        }
        expected = number + 1;
    }
    (!holes.is_empty()).then(|| format!("chapters do not count up by one: {}", holes.join("; ")))
}
