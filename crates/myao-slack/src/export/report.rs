//! The report of an import, in numbers and in lines for a person.

use std::ops::AddAssign;

use serde::Serialize;

/// Problems that are described; more are only counted.
const MOST_PROBLEMS: usize = 20;

/// What was read in one step, or in a whole export when added up. The field names are those of `--json`.
///
/// Every element of a day file that was read counts once: as a message, notice, deletion, duplicate or unread element.
/// `files` and `files_failed` add up to the number of day files.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
pub struct ImportReport {
    /// Day files read.
    pub files: u64,
    /// Day files among these that are damaged or cut off. The messages that the damage is in are not read.
    pub files_damaged: u64,
    /// Day files that were skipped, since nothing in them can be read or they are too large.
    pub files_failed: u64,
    /// JSON files in folders that are named after no day and were not read.
    pub files_skipped: u64,
    /// Messages that are talk.
    pub messages: u64,
    /// Remarks of the platform, and messages without words and files.
    pub notices: u64,
    /// Deletions.
    pub deleted: u64,
    /// Further versions of a message that was read before.
    pub duplicates: u64,
    /// Elements that were not understood and are kept raw.
    pub unread: u64,
    /// Blocks of messages whose kind is not known: of these only the texts were read.
    pub unknown_blocks: u64,
    /// Entries refused: unsafe names, links, and files larger than the limit.
    pub refused_entries: u64,
    /// People and bots.
    pub users: u64,
    /// Channels.
    pub channels: u64,
    /// Channels that count as external because of who speaks in them.
    pub external: u64,
    /// The first problems, a line each, beginning with the file.
    pub problems: Vec<String>,
    /// How many problems there were beyond those listed.
    pub problems_unlisted: u64,
}

impl ImportReport {
    /// Notes a block of a kind that is not known.
    pub(super) fn unknown_block(&mut self, kind: &str) {
        self.unknown_blocks += 1;
        tracing::debug!(kind, "a block of a message is of an unknown kind");
    }

    /// Notes a problem.
    pub(super) fn problem(&mut self, line: String) {
        if self.problems.len() < MOST_PROBLEMS {
            self.problems.push(line);
        } else {
            self.problems_unlisted += 1;
        }
    }
}

impl AddAssign for ImportReport {
    fn add_assign(&mut self, delta: Self) {
        self.files += delta.files;
        self.files_damaged += delta.files_damaged;
        self.files_failed += delta.files_failed;
        self.files_skipped += delta.files_skipped;
        self.messages += delta.messages;
        self.notices += delta.notices;
        self.deleted += delta.deleted;
        self.duplicates += delta.duplicates;
        self.unread += delta.unread;
        self.unknown_blocks += delta.unknown_blocks;
        self.refused_entries += delta.refused_entries;
        self.users += delta.users;
        self.channels += delta.channels;
        self.external += delta.external;
        self.problems_unlisted += delta.problems_unlisted;
        delta.problems.into_iter().for_each(|line| self.problem(line));
    }
}
