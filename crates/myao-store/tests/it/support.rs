//! A store of either kind, and the shorthand to fill it.

use jiff::{SignedDuration, Timestamp};
use myao_core::{
    chat::{
        Channel, ChannelId, ChannelKind, Event, Message, MessageKind, MessageTs, User, UserId, Visibility,
    },
    memory::{
        ChapterPolicy, ClosedBy, Cut, FoldMark, Memory, MemoryDraft, MemoryScope, MemoryType, Origin,
        ScopeId, StepId, StepKind, create_memory,
    },
};
use myao_store::{Chapters, Claim, NewChapter, NewChapters, Range, StepDraft, StepOutcome, Store, Target};
use myao_testkit::FreshDatabase;
use tempfile::TempDir;

use crate::{gather, statements::ran};

/// A store and the folder it lives in.
pub(crate) struct World {
    pub(crate) store: Store,
    pub(crate) target: Target,
    _folder: TempDir,
    _database: Option<FreshDatabase>,
}

pub(crate) async fn sqlite() -> World {
    ran::note(gather::count_statement);
    let folder = tempfile::tempdir().expect("a folder");
    let target = Target::Sqlite(folder.path().join("memory.db"));
    World {
        store: Store::open(&target).await.expect("a new database"),
        target,
        _folder: folder,
        _database: None,
    }
}

pub(crate) async fn postgres() -> World {
    ran::note(gather::count_statement);
    let folder = tempfile::tempdir().expect("a folder");
    let database = FreshDatabase::create().await;
    let target = Target::Postgres(database.url().to_owned());
    let store = Store::open(&target).await.expect("a new database");
    World { store, target, _folder: folder, _database: Some(database) }
}

/// Declares tests that run on both databases: `on_both! { name => async |world: &World| { … }; }`.
macro_rules! on_both {
    ($($(#[$doc:meta])* $name:ident => $test:expr;)*) => {
        $(
            $(#[$doc])*
            mod $name {
                use super::*;

                #[tokio::test(flavor = "multi_thread", worker_threads = 2)]
                async fn on_sqlite() {
                    let world = $crate::support::sqlite().await;
                    let test = $test;
                    test(&world).await;
                }

                #[tokio::test(flavor = "multi_thread", worker_threads = 2)]
                async fn on_postgres() {
                    let world = $crate::support::postgres().await;
                    let test = $test;
                    test(&world).await;
                }
            }
        )*
    };
}
pub(crate) use on_both;

pub(crate) fn at(second: i64) -> Timestamp {
    Timestamp::from_second(1_770_000_000 + second).expect("a time")
}

pub(crate) fn ts(second: i64) -> MessageTs {
    MessageTs::from_timestamp(at(second))
}

pub(crate) fn general() -> ChannelId {
    ChannelId::new("C1")
}

pub(crate) fn channel(id: &str, kind: ChannelKind) -> Event {
    Event::Channel(Channel { id: ChannelId::new(id), name: format!("name-{id}"), kind, external: false })
}

pub(crate) fn user(id: &str, name: &str) -> Event {
    Event::User(User { id: UserId::new(id), name: name.to_owned(), is_bot: false })
}

pub(crate) fn message(channel: &str, second: i64, text: &str) -> Message {
    Message {
        channel: ChannelId::new(channel),
        ts: ts(second),
        thread_ts: None,
        user: UserId::new("U1"),
        kind: MessageKind::Talk,
        text: text.to_owned(),
        files: Vec::new(),
        edited_at: None,
        deleted: false,
    }
}

pub(crate) fn said(second: i64, text: &str) -> Event {
    Event::Message(message("C1", second, text))
}

pub(crate) fn all_of(channel: ChannelId) -> Range {
    Range { channel, from: MessageTs::MIN, to: MessageTs::MAX }
}

pub(crate) fn draft(scope: MemoryScope, id: &str, memory_type: MemoryType, content: &str) -> MemoryDraft {
    create_memory(scope, ScopeId::new(id), memory_type, content, 3, Some(ts(7))).expect("valid")
}

pub(crate) fn short(content: &str) -> MemoryDraft {
    draft(MemoryScope::Channel, "C1", MemoryType::ShortTerm, content)
}

pub(crate) fn long(content: &str) -> MemoryDraft {
    draft(MemoryScope::Channel, "C1", MemoryType::LongTerm, content)
}

pub(crate) fn by_hand() -> Origin {
    Origin { kind: StepKind::Edit, actor: "test".to_owned(), reason: "because".to_owned() }
}

/// A step that is committed when everything stands as it is.
pub(crate) fn step(memory: MemoryDraft, version: u32, parent: Option<StepId>) -> StepDraft {
    StepDraft {
        memory,
        version,
        origin: by_hand(),
        parent,
        hard: Vec::new(),
        soft: Vec::new(),
        range: None,
        read_revision: 0,
        mark: FoldMark::default(),
        calls: Vec::new(),
    }
}

/// Writes a memory by the door that the keeper uses: over the one there is, or as a channel's next version. No chapter
/// belongs to such a version.
pub(crate) async fn write_memory(
    store: &Store,
    memory: MemoryDraft,
    origin: Origin,
    now: Timestamp,
) -> Memory {
    let scope = memory.scope();
    let id = memory.scope_id().clone();
    let memory_type = memory.memory_type();
    let channel = ChannelId::new(id.as_str());
    let mut version = 1;
    let mut parent = None;
    let mut mark = FoldMark::default();
    if (scope, memory_type) == (MemoryScope::Channel, MemoryType::ShortTerm) {
        version = store.memory().chapters_in_channel(&channel).await.expect("read").latest_version + 1;
    } else {
        let head = store.memory().head(&Visibility::Owner, scope, &id, memory_type).await.expect("read");
        parent = head.map(|head| head.step);
        if scope == MemoryScope::Channel {
            mark = store.memory().channel_fold(&Visibility::Owner, &channel).await.expect("read").mark;
        }
    }
    let step = StepDraft {
        memory,
        version,
        origin,
        parent,
        hard: parent.into_iter().collect(),
        soft: Vec::new(),
        range: None,
        read_revision: 0,
        mark,
        calls: Vec::new(),
    };
    let until = now + SignedDuration::from_mins(1);
    let claim = store.claim("a test", now, until).await.expect("asked").expect("free");
    let outcome = store.memory().save_steps(&claim, vec![step], now).await.expect("saved");
    assert!(matches!(outcome[..], [StepOutcome::Written(_)]), "{outcome:?}");
    store.release(&claim).await.expect("given back");
    let written =
        store.memory().find_latest(&Visibility::Owner, scope, &id, memory_type).await.expect("read");
    written.expect("it was written")
}

pub(crate) async fn claim(store: &Store, subject: &str) -> Claim {
    store.claim(subject, at(0), at(60)).await.expect("a claim").expect("nobody else holds it")
}

/// Chapters of C1, each of ten seconds, the first from second `first` on (exclusive).
pub(crate) async fn cut_chapters(store: &Store, claim: &Claim, first: i64, count: u32) {
    let revision =
        store.archive().talk_after(&general(), MessageTs::MIN).await.expect("read").expect("C1").0.revision;
    let policy = ChapterPolicy { message_threshold: 50, conversation_idle_seconds: 7200 };
    let cut = |n: u32| Cut {
        from: ts(first + i64::from(n) * 10),
        to: ts(first + i64::from(n) * 10 + 10),
        count: 1,
        closed_by: ClosedBy::Idle,
    };
    let new = NewChapters {
        channel: general(),
        read_revision: revision,
        after: Chapters::NONE,
        cuts: (0..count).map(|n| NewChapter { cut: cut(n), policy }).collect(),
    };
    assert!(store.memory().save_as_new_version(claim, new).await.expect("added"), "the channel moved");
}
