//! Rows in, rows out: one [`Store`] over SQLite and PostgreSQL (specification §7).
//!
//! Each folder is a floor and uses only those before it. What one does is asked of its handle, `store.memory()`;
//! [`Store`] itself has what is of the database (ADR 109).
//!
//! 1. `db`: the two databases, `on!`, which runs one statement on either, and what processes share: claims, limits,
//!    time, and who is at work.
//! 2. `archive`: the rows of messages, channels and people, and reading them.
//! 3. `hearing`: what is heard of places and people: what may be seen from where, what was missed, who opted out.
//! 4. `recall`: the index by which messages and memories are found again, and how often each term is said.
//! 5. `memory`: what the memory engine writes, each write conditional on what it read; what is due, and what it cost.
//! 6. `verify`: checks whether everything fits together.
//! 7. `replies`: answers, from the wish to the post; what each was shown, and what is said unasked.
//! 8. `memos`: notes, and where they are seen.
//! 9. `interactions`: what people ask by commands and buttons, from the row to the answer.
//! 10. `intake`: [`IntakeHandle::apply`], the one way in for everything that happens, and everything that follows from it.
//! 11. `gather`: the reads behind a prompt, each through a `Visibility`.
//! 12. `local`: what a workspace of our own knows beyond the archive.
//! 13. `forget`: messages and every text that holds their words, removed for good.
//! 14. `schema`: creating and opening a database, and bringing it to this program's form.
//! 15. `copy`: moving an installation to another database, and backups.
//!
//! Invariants: every statement is the same text on both databases unless the fork is visible at the query;
//! write transactions run to their end even when their caller goes away; a message enters through `apply`
//! alone; a memory's text is always that of the journal entry it points to.
//!
//! `#[boxed]` on an `async fn` has it compiled here, once, and not in every crate that calls it (ADR 66).

#[macro_use]
mod db;
mod archive;
mod copy;
mod forget;
mod gather;
mod hearing;
mod intake;
mod interactions;
mod local;
mod memory;
mod memos;
mod recall;
mod replies;
mod schema;
mod verify;

use std::sync::Arc;

pub use archive::{
    ArchiveHandle, ChannelRow, DeletedAddress, HeldChannel, KnownLocale, MissingIn, MissingSource,
    NotedLocale, Range, SecretMessage,
};
pub use copy::{Backup, BackupError, BackupFolder, CopiedDatabase, CopyError, CopyProgress, TableDigest};
pub use db::{
    claims::Claim,
    error::StoreError,
    limits::SharedLimit,
    link::{DatabaseLink, LinkSafety},
    server::FollowedServer,
    target::Target,
    waking::Waking,
};
pub use forget::{
    BegunForgetting, Compacted, ForgetCount, ForgetHandle, ForgetPreview, ForgetPreviewChannel, ForgetStage,
    ForgetWork, Forgetting, ForgottenMemory, ForgottenOfChannel, ForgottenText, TextPlace,
};
pub use gather::{ChapterText, GatherHandle, GatherRequest, Gathered, GatheredInputs, NewestTalkQuery};
pub use hearing::{
    HearingHandle,
    behind::{CatchingUp, ChannelTalkCount},
    gaps::{FirstSight, Gap, ThreadSize},
    opt_outs::{AskedBy, OptOut, OptOuts, PlaceKeys},
    processes::{Beat, ProcessCard, SeenProcess},
    removals::Removal,
    sight::Sight,
    threads_to_recheck::ThreadToRecheck,
    unnamed::Unnamed,
    unread_events::RawCopies,
};
pub use intake::{
    IntakeHandle,
    batch::{Applied, Arrived},
    unfinished_imports::UnfinishedImport,
};
pub use interactions::{InteractionOutcome, InteractionState, InteractionsHandle, OpenInteraction};
pub use local::{
    AgentTokenError, LocalAnswerCall, LocalHandle, LocalProgress, LocalReaction, LocalWalk, StoredAgentToken,
    web_sessions::{PageSession, WebRole},
};
pub use memory::{
    MemoryHandle,
    as_of::{AsOfQuery, ChannelAsOf, RemovedSince, VersionAsOf},
    calls::{
        CallOutcome, CallTotals, DaySpent, EndedCall, NewCall, Started,
        costs::{CallGroup, CallSums},
    },
    chapters::{ChapterWork, Chapters, NewChapter, NewChapters},
    coverage::{Coverage, MemoryTotals},
    due::JournalMark,
    figures::{CallFigures, JournalFigures, TIME_BOUNDS, TimeSpread},
    growth::SpanGrowth,
    journal::{
        CallRecord, StepDraft, StepOutcome, VersionLog,
        by_hand::{ByHand, ByHandError},
        corrections::{StoredCorrection, told::ToldCorrection},
        lineage::{LineageLimits, LineageNode},
        read::{EntryCall, EntryInput, JournalEntry, JournalWindow, MemoryKey},
    },
    memo_id::MemoId,
    memories::{ChannelFold, Head},
    restart::RestartFrom,
    rewriting::RewritingCall,
    setbacks::{LOOKUP_OF_ALL, Setback, WorkSubject, lookup_subject},
    workspace::WorkspaceInput,
};
pub use memos::{
    Grounds, MOST_LISTED, MOST_MEMOS, MemoActor, MemoAudience, MemoDeed, MemoEntry, MemoError, MemoHand,
    MemoMaker, MemoPage, MemoPlacement, MemoQuery, MemosHandle, SharedInputs, StoredMemo,
};
pub use recall::{
    BearingHouseWord, EmbeddingProgress, EndedLine, HouseWordEnd, HouseWordQuery, IndexProgress, LineChange,
    LineChanges, LineEnd, MOST_OF_A_CHANNEL, MemoryLine, MentionsOf, PersonLine, PersonLines, QuestionVector,
    RecallHandle, RecallRequest, RecallToShow, Recalled, RecalledText, Searchable, StoredHouseWord,
    TypedRecall, UnembeddedText, WordInstead, word_counts::WordCounts,
};
pub use replies::{
    ANSWERED_ENOUGH, ASKED_FOR_QUIET, AnswerCount, AnswerStream, InputStanding, ModelOfPost, PartBody,
    PartState, PostOrigin, RepliesAtHand, RepliesHandle, ReplyDraft, ReplyId, ReplyPart, ReplyRecord,
    ReplyStep, ShownTalk, ShownThing, ShownWords, StoppedReply, TALK_WENT_ON, TroubledReply, UnaskedReason,
    VoteCount, VotedReply, WantedReply, WrittenReply,
    figures::{ReplyFigures, ReplyTimes},
    inputs::{LostInput, ReplyInput, ReplyInputs},
    judgments::{
        JUDGING,
        decide::{Decided, VerdictDraft, VerdictOutcome},
        ledger::{LedgerQuery, VerdictId, VerdictKind, VerdictRecord, VerdictReply},
        speakers::OpenTalk,
        statements::JudgedStatement,
    },
    place_subject,
};
pub use schema::{
    adopt::adoption::{Adopter, Adoption},
    backup::DatabaseBeside,
};
pub use verify::{Checked, Fault, FaultKind, Verification};

/// A workspace's database. Cheap to clone; all clones share its connections. Each floor is asked through its handle:
/// [`Store::memory`] and the like.
#[derive(Clone, Debug)]
pub struct Store {
    db: Arc<db::Db>,
    owner: Arc<db::owner::Owner>,
    adoption: Option<Arc<Adoption>>,
    hearing: Arc<hearing::sight::Hearing>,
    time: Arc<db::shared_time::SharedTime>,
    /// Whether secrets are masked when they are stored.
    masks_archive: bool,
    vectors: recall::VectorCache,
    opt_outs: Arc<OptOuts>,
    uses_noted: Arc<local::NotedUses>,
}
