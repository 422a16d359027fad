//! What the predecessor's database is read with, and what was taken over from it.

use std::{fmt, path::PathBuf};

use jiff::Timestamp;

use crate::forget::compact::KEPT_AS;

/// What taking over needs from outside.
#[derive(Clone, Copy, Debug)]
pub struct Adopter {
    /// Turns the platform's markup, as the predecessor stored it, into the core's notation.
    pub normalise: fn(&str) -> String,
    /// The current time.
    pub now: Timestamp,
}

/// What was taken over from a database of the predecessor.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Adoption {
    /// The copy of the unchanged file.
    pub backup: PathBuf,
    /// Messages.
    pub messages: u64,
    /// Of these, the predecessor's own posts. Their ids were of its own making; each now bears the time of its post.
    pub own_posts: u64,
    /// Own posts left out because the same post, as the platform sent it back, is in the database too.
    pub dropped_echoes: u64,
    /// Replies whose parent message is missing; they stand at top level now.
    pub loose_replies: u64,
    /// People and bots.
    pub users: u64,
    /// Channels, all of them of kind `unknown`: private until the platform says otherwise.
    pub channels: u64,
    /// Memories.
    pub memories: u64,
    /// Memories left in the old table: the workspace's short-term one, empty ones, and those of scopes we do not know.
    pub memories_left: u64,
    /// Memos. Where they were made is unknown, so only the owner sees them.
    pub memos: u64,
    /// Of these, memos that were renamed because their name was too long, missing or taken.
    pub memos_renamed: u64,
    /// Judgment caches, kept as verdicts.
    pub judgments: u64,
    /// Rows that could not be read, kept raw as unread events.
    pub unread: u64,
}

impl fmt::Display for Adoption {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { messages, users, channels, memories, memos, judgments, .. } = self;
        write!(
            f,
            "took over a database of myao2: {messages} messages ({} of its own posts under their time), \
             {users} people, {channels} channels, {memories} memories, {memos} memos, {judgments} judgments",
            self.own_posts
        )?;
        let asides = [
            (self.dropped_echoes, "posts that stood twice and are one message now"),
            (self.loose_replies, "replies at top level, what they answered not being there"),
            (self.memories_left, "memories left in the old table, retired or empty"),
            (self.memos_renamed, "memos with another name (unique, 32 characters at most)"),
            (self.unread, "rows that made no sense, kept in their raw form"),
        ];
        for (count, what) in asides.iter().filter(|(count, _)| *count > 0) {
            write!(f, "; {what}: {count}")?;
        }
        write!(
            f,
            "\nits tables stay in the file as {}*; the file as it was: {}\nevery channel counts as private \
             until the platform says that it is public",
            KEPT_AS,
            self.backup.display()
        )
    }
}
