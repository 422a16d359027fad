//! A workspace with a memory of each sort, lineage and all, built through the store.

use myao_core::{
    chat::{ChannelId, ChannelKind},
    memory::{
        FoldMark, MemoryDraft, MemoryScope, MemoryType, Origin, StepId, StepKind, make_thread_scope_id,
    },
};
use myao_store::{Claim, EntryInput, MemoryKey, Range, StepDraft, StepOutcome, Store};

use crate::support::{at, channel, claim, cut_chapters, draft, general, long, said, short, step, ts};

/// The entries of [`build`].
pub(crate) struct Built {
    pub(crate) claim: Claim,
    /// On the workspace's memory.
    pub(crate) whole: Claim,
    /// Chapters 1 to 4.
    pub(crate) chapters: Vec<StepId>,
    /// Of chapters 1 and 2, then of chapter 3: the mark is at 3.
    pub(crate) merges: Vec<StepId>,
    pub(crate) thread: StepId,
    pub(crate) workspace: StepId,
}

/// C1, open, with five messages in four chapters of ten seconds each; C2, private, with a long-term memory of
/// its own.
pub(crate) async fn build(store: &Store) -> Built {
    let mut events = vec![channel("C1", ChannelKind::Public), channel("C2", ChannelKind::Private)];
    events.extend([
        said(1, "one"),
        said(2, "one more"),
        said(11, "two"),
        said(21, "three"),
        said(31, "four"),
    ]);
    store.intake().apply(events, at(0)).await.expect("applied");
    let claimed = claim(store, "channel:C1").await;
    cut_chapters(store, &claimed, 0, 4).await;
    let mut chapters = Vec::new();
    for (n, text) in (1_u32..).zip(["first", "second", "third", "fourth"]) {
        chapters.push(commit(store, &claimed, chapter(n, text)).await);
    }
    let first = merge("first and second", 2, &chapters[..2], None);
    let first = commit(store, &claimed, StepDraft { mark: mark(2, chapters[1]), ..first }).await;
    let second = merge("first to third", 3, &chapters[2..3], Some(first));
    let second = commit(store, &claimed, StepDraft { mark: mark(3, chapters[2]), ..second }).await;
    let thread = commit(store, &claimed, StepDraft { origin: by(StepKind::Summary), ..a_thread() }).await;
    let other = claim(store, "channel:C2").await;
    let private = draft(MemoryScope::Channel, "C2", MemoryType::LongTerm, "secret");
    commit(store, &other, step(private, 1, None)).await;
    let whole = claim(store, "workspace").await;
    let memory = draft(MemoryScope::Workspace, "default", MemoryType::LongTerm, "of C1");
    let workspace = StepDraft { origin: by(StepKind::Merge), hard: vec![second], ..step(memory, 1, None) };
    let workspace = commit(store, &whole, workspace).await;
    Built { claim: claimed, whole, chapters, merges: vec![first, second], thread, workspace }
}

pub(crate) async fn commit(store: &Store, claim: &Claim, draft: StepDraft) -> StepId {
    match store.memory().save_steps(claim, vec![draft], at(9)).await.expect("committed").remove(0) {
        StepOutcome::Written(step) => step,
        StepOutcome::Moved => panic!("it was not written"),
    }
}

pub(crate) fn steps(inputs: &[EntryInput]) -> Vec<StepId> {
    inputs.iter().map(|input| input.step).collect()
}

pub(crate) fn by(kind: StepKind) -> Origin {
    Origin { kind, actor: "builtin".to_owned(), reason: "it was due".to_owned() }
}

fn mark(version: u32, step: StepId) -> FoldMark {
    FoldMark { version, step: Some(step) }
}

/// Chapter `n` of [`cut_chapters`].
pub(crate) fn chapter(n: u32, text: &str) -> StepDraft {
    let from = i64::from(n - 1) * 10;
    StepDraft {
        origin: by(StepKind::Verbatim),
        range: Some(Range { channel: general(), from: ts(from), to: ts(from + 10) }),
        read_revision: 9,
        ..step(short(text), n, None)
    }
}

/// A merge of the chapters given into the text of `parent`.
pub(crate) fn merge(text: &str, through: u32, chapters: &[StepId], parent: Option<StepId>) -> StepDraft {
    StepDraft {
        origin: by(StepKind::Merge),
        hard: chapters.iter().copied().chain(parent).collect(),
        mark: FoldMark { version: through, step: chapters.last().copied() },
        ..step(long(text), 1, parent)
    }
}

fn a_thread() -> StepDraft {
    let memory: MemoryDraft = draft(
        MemoryScope::Thread,
        make_thread_scope_id(&general(), ts(1)).as_str(),
        MemoryType::ShortTerm,
        "a thread",
    );
    let range = Range { channel: general(), from: ts(0), to: ts(2) };
    StepDraft { range: Some(range), read_revision: 9, ..step(memory, 1, None) }
}

pub(crate) fn version(n: u32) -> MemoryKey {
    MemoryKey { memory_type: MemoryType::ShortTerm, version: n, ..MemoryKey::long_term(&general()) }
}

pub(crate) fn long_term() -> MemoryKey {
    MemoryKey::long_term(&ChannelId::new("C1"))
}

pub(crate) fn thread() -> MemoryKey {
    MemoryKey {
        scope: MemoryScope::Thread,
        scope_id: make_thread_scope_id(&general(), ts(1)),
        memory_type: MemoryType::ShortTerm,
        version: 1,
    }
}
