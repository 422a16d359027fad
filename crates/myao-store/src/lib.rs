//! Rows in, rows out: one [`Store`] over SQLite and PostgreSQL (specification §7).
//!
//! Read in this order:
//! 1. `db`: the two databases, and `on!`, which runs one statement on either.
//! 2. `open`: creating and opening a database; `migrations`: bringing it to this program's form, `backup`: the
//!    copies made before; `adopt`: taking over a database of the predecessor; `foreign`: finding what in it is not
//!    ours; `owner`: who else works on it; `link`: how safe the way to a server is.
//! 3. `archive`: [`Store::apply`], the one way in for everything that happens; what is read back from it.
//! 4. `chapters`, `memories`, `journal`: what the memory engine writes, each write conditional on what it read.
//! 5. `gather`: the reads behind a prompt, each through a `Visibility`; `names`: what people and channels are
//!    called; `memos`: notes, and where they are seen.
//! 6. `replies`: answers, from the wish to the post; `inputs`: what each was shown, and whether it still stands; `gaps`: what was said while nobody listened; `unnamed`: people
//!    and channels known by id only; `judgments`: what is said unasked, and why not; `rename`: a channel with a new
//!    id; `team`: a database of another workspace.
//! 7. `unread_events`: events that were not understood, kept raw for a while; `removals`: records that words were
//!    removed, for copies outside the database; `opt_outs`, `passing`: who is never remembered, and what they ask us
//!    until it is answered; `expiry`: words that leave the archive, while memories stay.
//! 8. `due`: which channels are due; `shared_time`: the clock that processes share; `claims`: who works on what;
//!    `setbacks`: which steps failed; `calls`: what models cost; `coverage`: which talk is in a memory; `processes`:
//!    which are alive, which hear, and when none did; `limits`: how often all of them together may do something;
//!    `waking`: hints to the others.
//! 9. `word_counts`: how often each term is said, and where.
//! 10. `recall`: the index by which messages and memories are found again.
//! 11. `local`: what a workspace of our own knows beyond the archive.
//! 12. `verify`: checks whether everything fits together.
//! 13. `web_sessions`: who is signed in to the pages.
//! 14. `copy`: moving an installation to another database.
//!
//! Invariants: every statement is the same text on both databases unless the fork is visible at the query;
//! write transactions run to their end even when their caller goes away; a message enters through `apply`
//! alone; a memory's text is always that of the journal entry it points to.
//!
//! `#[boxed]` on an `async fn` has it compiled here, once, and not in every crate that calls it (ADR 66).

#[macro_use]
mod db;
mod adopt;
mod archive;
mod backup;
mod calls;
mod changed_histories;
mod chapters;
mod claims;
mod clock_steps;
mod copy;
mod coverage;
mod due;
mod error;
mod expiry;
mod followed_server;
mod foreign;
mod forget;
mod gaps;
mod gather;
mod inputs;
mod journal;
mod judgments;
mod limits;
mod link;
mod local;
mod memories;
mod memos;
mod migrations;
mod names;
mod open;
mod opt_outs;
mod outside;
mod owner;
mod passing;
mod processes;
mod recall;
mod refold;
mod removals;
mod rename;
mod replies;
mod restart;
mod rewriting;
mod rows;
mod setbacks;
mod shared_time;
mod sight;
mod team;
mod threads;
mod unnamed;
mod unread_events;
mod verify;
mod waking;
mod web_sessions;
mod word_counts;
mod workspace;

use std::sync::Arc;

pub use adopt::{Adopter, Adoption};
pub use archive::{
    Applied, Arrived, ChannelRow, DeletedAddress, HeldChannel, MissingIn, MissingSource, Range, SecretMessage,
};
pub use backup::DatabaseBeside;
pub use calls::{CallGroup, CallOutcome, CallSums, CallTotals, DaySpent, NewCall, Started};
pub use chapters::{ChapterWork, Chapters, NewChapter, NewChapters};
pub use claims::Claim;
pub use copy::{CopiedDatabase, CopyError, CopyProgress, TableDigest};
pub use coverage::{Coverage, MemoryTotals};
pub use due::JournalMark;
pub use error::StoreError;
pub use followed_server::FollowedServer;
pub use forget::{
    BegunForgetting, Compacted, ForgetCount, ForgetPreview, ForgetPreviewChannel, ForgetStage, ForgetWork,
    Forgetting, ForgottenMemory, ForgottenOfChannel, ForgottenText, TextPlace,
};
pub use gaps::{Gap, ThreadSize};
pub use gather::{ChapterText, GatherRequest, Gathered, GatheredInputs};
pub use inputs::{LostInput, ReplyInput, ReplyInputs};
pub use journal::by_hand::{ByHand, ByHandError};
pub use journal::lineage::{LineageLimits, LineageNode};
pub use journal::read::{EntryCall, EntryInput, JournalEntry, JournalWindow, MemoryKey};
pub use journal::{CallRecord, StepDraft, StepOutcome, VersionLog};
pub use judgments::{
    Decided, JUDGING, LedgerQuery, OpenTalk, VerdictDraft, VerdictId, VerdictKind, VerdictOutcome,
    VerdictRecord, VerdictReply,
};
pub use limits::SharedLimit;
pub use link::{DatabaseLink, LinkSafety};
pub use local::{LocalAnswerCall, LocalReaction};
pub use memories::{ChannelFold, Head};
pub use memos::{
    Grounds, MOST_LISTED, MOST_MEMOS, MemoActor, MemoAudience, MemoDeed, MemoEntry, MemoError, MemoHand,
    MemoId, MemoMaker, MemoPage, MemoPlacement, MemoQuery, SharedInputs, StoredMemo,
};
pub use open::Target;
pub use opt_outs::{OptOut, OptOuts};
pub use processes::{Beat, ProcessCard, SeenProcess};
pub use recall::{
    EmbeddingProgress, EndedLine, IndexProgress, LineEnd, MOST_OF_A_CHANNEL, MemoryLine, PersonLine,
    PersonLines, QuestionVector, RecallRequest, Recalled, RecalledText, Searchable, TypedRecall,
    UnembeddedText, WordInstead,
};
pub use removals::Removal;
pub use replies::{
    ANSWERED_ENOUGH, AnswerCount, PartBody, PartState, RepliesAtHand, ReplyDraft, ReplyId, ReplyPart,
    ReplyStep, TALK_WENT_ON, TroubledReply, WantedReply, WrittenReply, place_subject,
};
pub use restart::RestartFrom;
pub use rewriting::RewritingCall;
pub use setbacks::{LOOKUP_OF_ALL, Setback, WorkSubject, lookup_subject};
pub use sight::Sight;
pub use unnamed::Unnamed;
pub use unread_events::RawCopies;
pub use verify::{Checked, Fault, FaultKind, Verification};
pub use waking::Waking;
pub use web_sessions::{PageSession, WebRole};
pub use word_counts::WordCounts;
pub use workspace::WorkspaceInput;

/// A workspace's database. Cheap to clone; all clones share its connections.
#[derive(Clone, Debug)]
pub struct Store {
    db: Arc<db::Db>,
    owner: Arc<owner::Owner>,
    adoption: Option<Arc<Adoption>>,
    hearing: Arc<sight::Hearing>,
    time: Arc<shared_time::SharedTime>,
    /// Whether secrets are masked when they are stored.
    masks_archive: bool,
    vectors: recall::VectorCache,
    opt_outs: Arc<OptOuts>,
}
