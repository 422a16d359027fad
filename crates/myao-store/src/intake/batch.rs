//! The batch of events that is taken in, and what is known of its channels and messages.

use std::collections::{BTreeMap, BTreeSet};

use jiff::Timestamp;
use myao_core::{
    chat::{ChannelId, ChannelKind, FileRef, Message, MessageKind, MessageTs, Place, UserId},
    judgment::Attention,
};

use super::new_rows::NewRows;
use crate::{
    StoreError,
    archive::{EventGrounds, rows},
    db::{
        Tx, query_as,
        values::{opt_ts, row},
    },
    hearing::{
        opt_outs::{OptOuts, OptedOut},
        removals::Removed,
    },
    recall::{RecallChanges, word_counts::WordChanges},
};

/// What a batch of events did. Events that say what is known already count as `same`.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Applied {
    /// Messages that were new.
    pub new: u64,
    /// Messages whose words changed.
    pub changed: u64,
    /// Messages that say what they said before, and are read better: they have more of their words now, or are told of
    /// another author.
    pub reread: u64,
    /// Messages that were deleted.
    pub deleted: u64,
    /// Messages that had been taken for deleted and stand again.
    pub brought_back: u64,
    /// Messages that were stored already and did not change.
    pub same: u64,
    /// Events that were not understood, kept raw for the first time.
    pub unread: u64,
    /// Messages that were refused because they are forgotten.
    pub forgotten: u64,
    /// Messages and raw events of people and channels that are never remembered.
    pub left_out: u64,
}

impl std::ops::AddAssign for Applied {
    fn add_assign(&mut self, other: Self) {
        self.new += other.new;
        self.changed += other.changed;
        self.reread += other.reread;
        self.deleted += other.deleted;
        self.brought_back += other.brought_back;
        self.same += other.same;
        self.unread += other.unread;
        self.forgotten += other.forgotten;
        self.left_out += other.left_out;
    }
}

/// What a batch knows of a channel in which messages arrive.
#[derive(Clone, Copy)]
pub(super) struct Arrival {
    /// The revision that its changes get.
    pub(super) revision: i64,
    /// What kind of channel it is.
    pub(super) kind: ChannelKind,
    /// Whether everybody may see it, as far as its row says.
    pub(super) is_open: bool,
    /// Where its last chapter ends; 0 before the first. Talk up to there comes late.
    pub(super) chapters_end: i64,
    /// Up to which message its words are counted ([`crate::RecallHandle::count_older_messages`]).
    pub(super) words_to: i64,
    /// Its number, which is part of its messages' addresses in the index.
    pub(super) number: i64,
    /// Whether some of its words have expired.
    pub(super) has_expired: bool,
    /// Its newest message, whatever became of it.
    pub(super) newest: i64,
}

impl Arrival {
    pub(super) const NOWHERE: Self = Self {
        revision: 0,
        kind: ChannelKind::Unknown,
        is_open: false,
        chapters_end: 0,
        words_to: i64::MAX,
        number: 0,
        has_expired: false,
        newest: i64::MAX,
    };
}

/// A batch of events in progress.
pub(super) struct Batch<'a> {
    pub(super) channels: BTreeMap<ChannelId, Arrival>,
    pub(super) attention: Option<&'a Attention>,
    pub(super) left_out: NeverArchived<'a>,
    /// Whether secrets are masked when they are stored.
    pub(super) masks: bool,
    pub(super) grounds: EventGrounds,
    pub(super) now: Timestamp,
    pub(super) arrived: Arrived,
    pub(super) removed: Vec<Removed>,
    pub(super) words: WordChanges,
    pub(super) recall: RecallChanges,
    pub(super) new_rows: NewRows,
}

/// A message as it was before.
pub(super) struct MessageBefore {
    pub(super) user: UserId,
    kind: String,
    pub(super) text: String,
    pub(super) files: Vec<FileRef>,
    pub(super) thread: i64,
    pub(super) revision: i64,
    pub(super) edited_at: Option<MessageTs>,
    deleted: bool,
    /// Whether its words have expired: what was made from them stays.
    pub(super) is_expired: bool,
}

impl MessageBefore {
    /// Whether it is a tombstone.
    pub(super) fn is_tombstone(&self) -> bool {
        self.deleted && !self.is_expired
    }

    pub(super) fn is_talk(&self) -> bool {
        !self.deleted && self.kind == MessageKind::Talk.as_str()
    }

    /// Whether a message was talk, still is, and says the same as before.
    pub(super) fn is_said_by(&self, message: &Message) -> bool {
        self.is_talk()
            && message.is_talk()
            && self.text == message.text
            && self.files.len() == message.files.len()
            && message.files.iter().zip(&self.files).all(|(file, before)| file.still_says(before))
    }
}

row! {
    /// A message as it is stored.
    struct BeforeRow {
        user_id: String,
        kind: String,
        text: String,
        files: String,
        thread_ts: i64,
        revision: i64,
        edited_ts: i64,
        deleted: i64,
    }
}

pub(super) async fn message_before(
    tx: &mut Tx,
    channel: &ChannelId,
    ts: MessageTs,
) -> Result<Option<MessageBefore>, StoreError> {
    let row: Option<BeforeRow> = on!(tx, c => query_as(
        "SELECT user_id, kind, text, files, thread_ts, revision, edited_ts, deleted FROM messages
         WHERE channel_id = $1 AND ts = $2")
        .bind(channel.as_str()).bind(ts.as_micros()).fetch_optional(c).await)?;
    let Some(row) = row else { return Ok(None) };
    let files = rows::files_of_message(&row.files, channel.as_str(), ts.as_micros())?;
    Ok(Some(MessageBefore {
        user: UserId::new(row.user_id),
        kind: row.kind,
        text: row.text,
        files,
        thread: row.thread_ts,
        revision: row.revision,
        edited_at: opt_ts(row.edited_ts),
        deleted: row.deleted != 0,
        is_expired: row.deleted == 2,
    }))
}

/// What a live batch did, and which tasks have to be woken.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Arrived {
    /// What it changed.
    pub applied: Applied,
    /// Channels in which a message arrived, changed or was deleted.
    pub channels: BTreeSet<ChannelId>,
    /// Places where an answer is wanted because of this batch.
    pub places: BTreeSet<Place>,
    /// Places where somebody stopped what was being answered.
    pub stopped: BTreeSet<Place>,
}

/// What became of a message in the archive.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum MessageChange {
    /// It was not stored before.
    New,
    /// Its words replaced earlier ones.
    Changed,
    /// It says what it said before, and has more of its words, or its right author.
    ReadBetter,
    /// It was stored already, unchanged or in a newer form.
    Same,
}

/// Whether a user is known to be a bot. An unknown user is taken for a person: better one answer too many than a
/// newcomer without an answer.
pub(super) async fn is_bot(tx: &mut Tx, user: &UserId) -> Result<bool, StoreError> {
    if user.through().is_some() {
        return Ok(true);
    }
    let row: Option<(i64,)> = on!(tx, c => query_as("SELECT is_bot FROM users WHERE id = $1")
        .bind(user.as_str()).fetch_optional(c).await)?;
    Ok(row.is_some_and(|(is_bot,)| is_bot != 0))
}

/// The people and channels that a batch leaves out.
pub(super) struct NeverArchived<'a> {
    pub(super) opt_outs: Option<&'a OptOuts>,
    /// People who asked it themselves.
    pub(super) by_themselves: BTreeSet<String>,
    /// The ids they mean now; `None` if these have to be looked up again, since a name may have become known.
    pub(super) now: Option<OptedOut>,
}

/// How a batch of events is taken in.
#[derive(Clone, Copy)]
pub(crate) struct Taking<'a> {
    /// With it, what wants an answer is noted in the same transaction (design §5, T1).
    pub(crate) attention: Option<&'a Attention>,
    /// Who is never archived; `None` for what was archived before or is ours, which leaves nobody out.
    pub(crate) opt_outs: Option<&'a OptOuts>,
    /// Whether secrets are masked when they are stored.
    pub(crate) masks: bool,
    /// Why the events are what they are.
    pub(crate) grounds: EventGrounds,
}
