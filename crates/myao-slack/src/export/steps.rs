//! Turns an export into events, step by step, with one day file in memory at a time.

use std::{
    collections::{HashMap, HashSet},
    vec,
};

use jiff::{
    Timestamp,
    civil::Date,
    tz::{self, TimeZone},
};
use myao_core::chat::{Channel, ChannelId, DatedUser, Event, MessageTs, User, UserId};

use super::{
    Day, Export, ExportInventory, ExportLimits, ImportReport, day,
    inventory::Inventories,
    outsiders::Outsiders,
    people::ExportedPeople,
    source::{Source, UnreadableFile},
};

/// What is said of a channel in which somebody from outside speaks.
const FROM_OUTSIDE: &str =
    "somebody from outside the workspace speaks here: the channel counts as one with outsiders";

/// The offset of the zone in which a day begins first, in hours.
const EARLIEST_ZONE: i8 = 14;

/// One step of an import.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Step {
    /// The day file it comes from, as `general/2026-03-02.json`; `None` for the first and the last step.
    pub file: Option<String>,
    /// The events, in the order in which to apply them.
    pub events: Vec<Event>,
    /// What this step adds to the report.
    pub report: ImportReport,
    /// In the last step: what the export has of each channel. What the archive has beyond that was deleted
    /// (`myao_core::chat::Inventory::absent`); these deletions have to be applied before the events of this step.
    pub exported: Option<ExportInventory>,
}

/// The steps of an import.
#[derive(Debug)]
pub struct Steps {
    source: Source,
    limits: ExportLimits,
    channels: Vec<Channel>,
    users: Vec<User>,
    /// Those of them who have left.
    left: HashSet<UserId>,
    /// When their profiles were last changed, as far as that is told.
    changed: HashMap<UserId, MessageTs>,
    unread: Vec<Event>,
    outsiders: Outsiders,
    opening: ImportReport,
    days: vec::IntoIter<Day>,
    progress: day::ReadProgress,
    inventories: Inventories,
    modified: Option<Timestamp>,
    now: Timestamp,
    next: NextStep,
}

#[derive(Clone, Copy, Debug)]
enum NextStep {
    Opening,
    Day,
    Nothing,
}

impl Steps {
    pub(super) fn new(export: Export, now: Timestamp, zone: &TimeZone) -> Self {
        let people = ExportedPeople::new(&export.users, export.bots, export.apps);
        let newest_day = export.days.iter().map(|day| day.date).max();
        let progress = day::ReadProgress::new(people, newest_day.and_then(told_of));
        Self {
            source: export.source,
            limits: export.limits,
            channels: export.channels,
            users: export.users,
            left: export.left,
            changed: export.changed,
            unread: export.unread,
            outsiders: export.outsiders,
            opening: export.report,
            days: export.days.into_iter(),
            progress,
            inventories: Inventories::new(zone, export.why_not_slacks_own),
            modified: export.modified,
            now,
            next: NextStep::Opening,
        }
    }

    fn opening(&mut self) -> Step {
        let told_until = self.newest_message();
        let channels = self.channels.iter().cloned().map(Event::Channel);
        let left = std::mem::take(&mut self.left);
        let changed = std::mem::take(&mut self.changed);
        // What is told as the future (milliseconds for seconds) is no moment: it would be later than any forgetting.
        let now = MessageTs::from_timestamp(self.now);
        let person = |user: User| {
            let named_at = changed.get(&user.id).copied().filter(|at| *at <= now).or(told_until);
            Event::Dated(DatedUser { has_left: left.contains(&user.id), named_at, told_until, user })
        };
        let users = std::mem::take(&mut self.users).into_iter().map(person);
        let events = channels.chain(users).chain(std::mem::take(&mut self.unread)).collect();
        Step { file: None, events, report: std::mem::take(&mut self.opening), exported: None }
    }

    /// When the newest message of the newest day was said, as far as that can be read. The times of files are those of
    /// copies, and tell nothing of people.
    fn newest_message(&mut self) -> Option<MessageTs> {
        let days = self.days.as_slice();
        let newest = days.iter().map(|day| day.date).max()?;
        let mut said = told_of(newest);
        for day in days.iter().filter(|day| day.date == newest) {
            let Ok(content) = self.source.read(&day.entry, self.limits.file_bytes) else { continue };
            let Ok(file) = day::read_day_file(&content, day, self.limits, &self.outsiders) else { continue };
            said = said.max(file.elements.iter().filter_map(|element| element.ts(&day.channel)).max());
        }
        said
    }

    fn day(&mut self, day: Day) -> Step {
        let mut failed = ImportReport { files_failed: 1, ..ImportReport::default() };
        let reason = match self.source.read(&day.entry, self.limits.file_bytes) {
            Ok(content) => match day::read_day_file(&content, &day, self.limits, &self.outsiders) {
                Ok(content) => {
                    self.inventories.take(&day, &content);
                    let closed = if content.has_outsiders { self.close(&day.channel) } else { None };
                    let (mut events, mut report) = self.progress.settle(&day, content);
                    if let Some(channel) = closed {
                        report.external = 1;
                        report.problem(format!("{}: {FROM_OUTSIDE}", day.name));
                        // Before anything that was said in it.
                        events.insert(0, Event::Channel(channel));
                    }
                    return Step { file: Some(day.name), events, report, exported: None };
                }
                Err(broken) => broken.to_string(),
            },
            Err(error) => {
                failed.refused_entries = u64::from(matches!(error, UnreadableFile::TooLarge(_)));
                error.to_string()
            }
        };
        failed.problem(format!("{}: {reason}", day.name));
        Step { file: Some(day.name), events: Vec::new(), report: failed, exported: None }
    }

    /// Makes a channel external; `None` if it is already.
    fn close(&mut self, id: &ChannelId) -> Option<Channel> {
        let channel = self.channels.iter_mut().find(|channel| channel.id == *id && !channel.external)?;
        channel.external = true;
        Some(channel.clone())
    }

    fn closing(&mut self) -> Step {
        let modified = self.modified.map(MessageTs::from_timestamp);
        let taken_at =
            self.progress.newest.max(modified).map(|at| at.min(MessageTs::from_timestamp(self.now)));
        let heard = |until| {
            self.channels.iter().map(move |channel| Event::HeardUntil { channel: channel.id.clone(), until })
        };
        let events = taken_at.into_iter().flat_map(heard).collect();
        let exported = taken_at.map(|taken| self.inventories.finish(taken));
        Step { file: None, events, report: ImportReport::default(), exported }
    }
}

/// A moment of which an export tells for sure whose newest day is this: in no zone has the day begun before that.
fn told_of(day: Date) -> Option<MessageTs> {
    let begin = day.to_zoned(TimeZone::fixed(tz::offset(EARLIEST_ZONE))).ok()?;
    Some(MessageTs::from_timestamp(begin.timestamp()))
}

impl Iterator for Steps {
    type Item = Step;

    fn next(&mut self) -> Option<Step> {
        match self.next {
            NextStep::Opening => {
                self.next = NextStep::Day;
                Some(self.opening())
            }
            NextStep::Day => {
                if let Some(day) = self.days.next() {
                    return Some(self.day(day));
                }
                self.next = NextStep::Nothing;
                Some(self.closing())
            }
            NextStep::Nothing => None,
        }
    }
}
