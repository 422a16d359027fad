//! Reads a Slack workspace export as events (specification §10 `myao import slack`).
//!
//! An export is a folder or a zip of `channels.json` (public), `groups.json` (private), `mpims.json` (group
//! direct messages), `dms.json`, `users.json` and one file of messages a day,
//! `<channel>/<YYYY-MM-DD>.json`; all but the last may be missing. It may be inside another folder. Files that macOS
//! adds are skipped; so are files of any other name, of which JSON files in folders are reported. A zip is read entry by entry and never unpacked to disk.
//!
//! - A folder that no index file names is a channel of unknown kind, with the folder's name as its id.
//! - Damage in a day file costs only the messages it is in: the others are read, the damaged ones are kept raw
//!   (`salvage`). A file of which nothing can be read is skipped and reported. A broken *index* file is an error
//!   instead: without the right ids and kinds, private talk could end up in public memory.
//! - A bot that `users.json` knows is one author, whether a message names it by its user or its bot id. One that it does
//!   not know has the name of `integration_logs.json`.
//! - An element of a good file that cannot be understood becomes an [`Event::Unread`] and is counted.
//! - Reading the same export again gives the same events.
//!
//! [`Event::Unread`]: myao_core::chat::Event::Unread

mod channel_so_far;
mod day;
mod elements;
mod error;
mod folder;
mod index;
mod inventory;
mod layout;
mod maker;
mod names;
mod organisation;
mod outsiders;
mod people;
mod report;
mod salvage;
mod slackdump;
mod source;
mod steps;
mod zipped;

use std::{
    collections::{HashMap, HashSet},
    path::Path,
};

use jiff::{Timestamp, civil::Date, tz::TimeZone};
use myao_core::chat::{Channel, ChannelId, Event, MessageTs, User, UserId};

use self::{index::Index, layout::Layout, outsiders::Outsiders, source::Source};

pub use error::ExportError;
pub use inventory::ExportInventory;
pub use report::ImportReport;
pub use slackdump::SlackdumpFormat;
pub use steps::{Step, Steps};

/// Bounds on what is read from one file of an export.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ExportLimits {
    /// Bytes of one file, unpacked: more than any real day has, and still small enough for memory. Counted while
    /// reading, since the size that a zip declares may be wrong.
    pub file_bytes: u64,
    /// Elements of one file that cannot be understood: with more, the file counts as broken, so that a small zip of
    /// nonsense cannot fill memory and archive.
    pub unread_per_file: usize,
}

impl Default for ExportLimits {
    fn default() -> Self {
        Self { file_bytes: 256 * 1024 * 1024, unread_per_file: 10_000 }
    }
}

/// An open export: its people and channels are known, its messages are still to be read.
#[derive(Debug)]
pub struct Export {
    source: Source,
    limits: ExportLimits,
    channels: Vec<Channel>,
    users: Vec<User>,
    /// Those of them who have left.
    left: HashSet<UserId>,
    /// When their profiles were last changed, as far as that is told.
    changed: HashMap<UserId, MessageTs>,
    /// The user id of each bot id.
    bots: HashMap<UserId, UserId>,
    /// What apps are called, by their ids.
    apps: HashMap<String, String>,
    days: Vec<Day>,
    /// Elements of the index files that could not be understood.
    unread: Vec<Event>,
    /// Who belongs to the workspace, and who does not.
    outsiders: Outsiders,
    /// The newest modification time of its files.
    modified: Option<Timestamp>,
    /// What shows that it was not Slack that wrote it.
    why_not_slacks_own: Option<String>,
    report: ImportReport,
}

/// A file of messages.
#[derive(Debug)]
struct Day {
    channel: ChannelId,
    /// The day in its name, in a time zone that the export does not tell.
    date: Date,
    /// Its path inside the export, for people and as a key.
    name: String,
    entry: source::ExportFile,
}

impl Export {
    /// Opens the folder or zip at `path` and reads its index files.
    ///
    /// # Errors
    /// When there is nothing, when it can't be read, when it is no export, when it holds several, or when
    /// an index file is broken; the message names the path and what was expected.
    pub fn open(path: impl AsRef<Path>) -> Result<Self, ExportError> {
        Self::open_within(path, ExportLimits::default())
    }

    /// Like [`Export::open`]; of an organisation's export, one workspace by the name of its folder in `teams`.
    ///
    /// # Errors
    /// As [`Export::open`]; if there is no such workspace, or there are several and none is chosen.
    pub fn open_workspace(path: impl AsRef<Path>, workspace: Option<&str>) -> Result<Self, ExportError> {
        Self::open_as(path.as_ref(), workspace, ExportLimits::default())
    }

    /// Like [`Export::open`], with the caller's limits.
    ///
    /// # Errors
    /// As [`Export::open`].
    pub fn open_within(path: impl AsRef<Path>, limits: ExportLimits) -> Result<Self, ExportError> {
        Self::open_as(path.as_ref(), None, limits)
    }

    fn open_as(path: &Path, workspace: Option<&str>, limits: ExportLimits) -> Result<Self, ExportError> {
        let (mut source, listing) = Source::open(path)?;
        let mut layout = Layout::of(path, listing.entries, listing.refused.len(), workspace)?;
        let mut index = Index::read(path, &mut source, &layout, limits)?;
        let modified = layout.modified();
        let why_not_slacks_own = maker::why_not_slacks_own(&layout, index.foreign_field);
        let skipped = std::mem::take(&mut layout.skipped);
        let not_read = std::mem::take(&mut layout.not_read);
        let days = layout.days(&mut index);
        let mut report = ImportReport {
            channels: count_as_u64(index.channels.len()),
            users: count_as_u64(index.users.len()),
            unread: count_as_u64(index.unread.len()),
            files_skipped: count_as_u64(skipped.len()),
            refused_entries: count_as_u64(listing.refused.len()),
            ..ImportReport::default()
        };
        listing.refused.into_iter().chain(listing.remarks).for_each(|line| report.problem(line));
        let not_a_day =
            |path| format!("{path}: skipped, since it is not named after a day, as 2026-03-02.json is");
        skipped.into_iter().map(not_a_day).for_each(|line| report.problem(line));
        index.problems.into_iter().chain(not_read).for_each(|line| report.problem(line));
        Ok(Self {
            source,
            limits,
            channels: index.channels,
            users: index.users,
            left: index.left,
            changed: index.changed,
            bots: index.bots,
            apps: index.apps,
            days,
            unread: index.unread,
            outsiders: index.outsiders,
            modified,
            why_not_slacks_own,
            report,
        })
    }

    /// The channels, in the order of the index files, then those known by a folder only.
    pub fn channels(&self) -> &[Channel] {
        &self.channels
    }

    /// The people and bots of `users.json`. More may turn up in the messages.
    pub fn users(&self) -> &[User] {
        &self.users
    }

    /// How many files of messages there are; each is one of the [`Steps`].
    pub fn day_files(&self) -> usize {
        self.days.len()
    }

    /// The whole export as events, step by step: channels and people, then channel by channel each day in
    /// order, then up to when each channel is complete.
    ///
    /// Every channel is complete up to the time the export was taken: the newer of the newest message and the newest
    /// modification time of a file, but not after `now`. Times in a zip are local and without a zone; they are read as
    /// UTC, and 1980, which stands for none, is ignored. A day that could not be read does not change that: read later,
    /// its messages are a late addition (specification §6).
    pub fn steps(self, now: Timestamp) -> Steps {
        self.steps_in(now, &TimeZone::UTC)
    }

    /// Like [`Export::steps`], for an export whose days may be those of `zone`. The better the days are known, the more
    /// deletions the last step can tell.
    pub fn steps_in(self, now: Timestamp, zone: &TimeZone) -> Steps {
        Steps::new(self, now, zone)
    }
}

fn count_as_u64(length: usize) -> u64 {
    u64::try_from(length).unwrap_or(u64::MAX)
}
