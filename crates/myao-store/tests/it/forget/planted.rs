//! Words planted wherever a database can hold them.

use std::path::{Path, PathBuf};

use myao_core::{
    chat::{Channel, ChannelId, ChannelKind, Event, FileRef, Message, Own, Place, User, UserId},
    context::MemoDraft,
    memory::{MemoryScope, MemoryType, make_thread_scope_id},
};
use myao_store::{JUDGING, MemoAudience, MemoHand, Range, StepDraft, Store, Target, VerdictOutcome};
use sqlx::{Connection as _, PgConnection};

use crate::{
    built::{self, by},
    memos::noted,
    replies::talk::{self, arrive, draft as reply, top, verdict},
    support::{World, at, channel, claim, cut_chapters, draft, general, message, step, ts},
};

/// Which messages hold the words.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Extent {
    /// One of U7 in C1.
    OneMessage,
    /// Several of U7 in C1, our answer to one among them.
    Channel,
    /// These, and direct messages with U7, who is called by the words as well.
    Person,
}

fn by_u7(message: Message) -> Event {
    Event::Message(Message { user: UserId::new("U7"), ..message })
}

/// A workspace in which the words stand in messages, every memory made from them, memos, their log, reasons, raw copies,
/// replies, and notes on failures.
pub(super) async fn plant(store: &Store, words: &str, extent: Extent) {
    store.recall().note_own(&Own { user: UserId::new("UMYAO"), bot: None }).await.expect("noted");
    while !store.recall().count_older_messages().await.expect("counted") {}
    let called = if extent == Extent::Person { words } else { "Kim" };
    let user =
        |id: &str, name: &str| Event::User(User { id: UserId::new(id), name: name.into(), is_bot: false });
    let direct =
        Channel { id: ChannelId::new("D1"), name: "D1".into(), kind: ChannelKind::Dm, external: false };
    let events = vec![
        channel("C1", ChannelKind::Public),
        channel("C2", ChannelKind::Public),
        Event::Channel(direct),
        user("U1", "Ann"),
        user("U7", called),
        Event::Message(message("C1", 1, "good morning")),
        by_u7(Message {
            files: vec![FileRef { name: format!("{words}.png"), ..FileRef::default() }],
            ..message("C1", 2, &format!("the word is {words} today"))
        }),
        Event::Message(message("C1", 11, "thank you")),
        Event::Message(message("C1", 21, "and good night")),
        Event::Message(message("C2", 5, "elsewhere")),
    ];
    store.intake().apply(events, at(0)).await.expect("applied");
    remember(store, words).await;
    note_down(store, words).await;
    if extent != Extent::OneMessage {
        by_reply(store, words).await;
    }
    if extent == Extent::Person {
        let own =
            Message { user: UserId::new("UMYAO"), ..message("D1", 61, &format!("I keep {words} to myself")) };
        let events = vec![by_u7(message("D1", 60, &format!("{words}, between us"))), Event::Message(own)];
        store.intake().apply(events, at(61)).await.expect("applied");
    }
}

/// Memories of each sort, made from the message.
async fn remember(store: &Store, words: &str) {
    let claimed = claim(store, "channel:C1").await;
    cut_chapters(store, &claimed, 0, 2).await;
    let first = built::commit(store, &claimed, built::chapter(1, &format!("they spoke of {words}"))).await;
    let second = built::commit(store, &claimed, built::chapter(2, "they thanked each other")).await;
    let merged = built::merge(&format!("{words} matters to them"), 2, &[first, second], None);
    let merged = built::commit(store, &claimed, merged).await;
    let thread = make_thread_scope_id(&general(), ts(2));
    let memory =
        draft(MemoryScope::Thread, thread.as_str(), MemoryType::ShortTerm, &format!("about {words}"));
    let range = Range { channel: general(), from: ts(1), to: ts(2) };
    built::commit(
        store,
        &claimed,
        StepDraft { range: Some(range), read_revision: 9, ..step(memory, 1, None) },
    )
    .await;
    let whole = claim(store, "workspace").await;
    let memory =
        draft(MemoryScope::Workspace, "default", MemoryType::LongTerm, &format!("everybody says {words}"));
    let workspace = StepDraft {
        origin: by(myao_core::memory::StepKind::Merge),
        hard: vec![merged],
        ..step(memory, 1, None)
    };
    built::commit(store, &whole, workspace).await;
    // A model that repeats what it was only shown beside: no lineage leads there.
    let other = claim(store, "channel:C2").await;
    let leaked =
        draft(MemoryScope::Channel, "C2", MemoryType::LongTerm, &format!("elsewhere they say {words}"));
    built::commit(store, &other, step(leaked, 1, None)).await;
}

/// A reason, a raw copy, a failure.
async fn note_down(store: &Store, words: &str) {
    let judging = store.claim(JUDGING, at(40), at(50)).await.expect("asked").expect("free");
    let outcome = VerdictOutcome::Quiet {
        reason: format!("{words} needs no answer"),
        confidence: 0.9,
        until: at(9000),
    };
    store.replies().write_verdict(&judging, verdict(top(), 21, outcome), at(40)).await.expect("decided");
    let raw = format!("{{\"ts\":\"{}\",\"user\":\"U7\",\"text\":\"{words}\"}}", ts(2));
    let odd = Event::Unread { key: "event/Ev1".to_owned(), raw, error: "odd".to_owned() };
    store.intake().apply(vec![odd], at(41)).await.expect("kept");
    store
        .memory()
        .flag_for_person("odd:work", &format!("the provider said: {words}"))
        .await
        .expect("flagged");
}

/// What replies made of it: a memo, a post of ours.
async fn by_reply(store: &Store, words: &str) {
    noted(store, "C1", 44, (&format!("remember {words}"), "word", words)).await.expect("noted");
    let asked =
        Message { user: UserId::new("U7"), ..message("C1", 50, &format!("<@UMYAO> what is {words}?")) };
    let also =
        Message { user: UserId::new("U7"), ..message("C1", 44, &format!("<@UMYAO> remember {words}")) };
    arrive(store, vec![Event::Message(asked), by_u7(Message { edited_at: Some(ts(45)), ..also })]).await;
    let wanted = store.replies().find_wanted(&top(), at(100)).await.expect("read").expect("wanted");
    let place = talk::take(store, &top(), at(100)).await;
    let said = format!("{words} is a word");
    assert!(
        store
            .replies()
            .write_parts(&place, reply(wanted.id, &wanted.triggers, &[&said]), at(101))
            .await
            .expect("written")
    );
    assert!(store.intake().mark_part_sending(&place, wanted.id, 1, at(102)).await.expect("sent"));
    assert!(
        store
            .intake()
            .note_part_posted(&place, wanted.id, 1, talk::own(103, &said), at(103))
            .await
            .expect("posted")
    );
    store.release(&place).await.expect("released");
}

/// The words where nothing says that they come from the message: notes of the owner, and an answer elsewhere that waits to
/// be posted.
pub(super) async fn plant_beside(store: &Store, words: &str) {
    let owner = MemoHand::Owner { name: "alice".to_owned(), audience: MemoAudience::Owner };
    for name in ["kept", "dropped"] {
        let memo = MemoDraft::new(name, &format!("{words} is theirs")).expect("within the bounds");
        store.memos().add(&owner, &memo, at(70)).await.expect("added");
    }
    store.memos().remove(&owner, "dropped", at(71)).await.expect("removed");
    let place = Place { channel: ChannelId::new("C2"), thread: None };
    arrive(store, vec![Event::Message(message("C2", 72, "<@UMYAO> what do they say?"))]).await;
    let wanted = store.replies().find_wanted(&place, at(100)).await.expect("read").expect("wanted");
    let claim = talk::take(store, &place, at(100)).await;
    let said = format!("they say {words}");
    assert!(
        store
            .replies()
            .write_parts(&claim, reply(wanted.id, &wanted.triggers, &[&said]), at(101))
            .await
            .expect("written")
    );
    store.release(&claim).await.expect("released");
}

/// The files in which these bytes stand: those beside an SQLite database, or every file of a server's databases.
pub(crate) async fn files_with(world: &World, words: &str) -> Vec<PathBuf> {
    match &world.target {
        Target::Sqlite(path) => myao_testkit::files_with(path.parent().expect("a folder"), words),
        Target::Postgres(url) => {
            let mut c = PgConnection::connect(url).await.expect("connected");
            sqlx::query("CHECKPOINT").execute(&mut c).await.expect("written to the disk");
            let (folder, own): (String, String) = sqlx::query_as(
                "SELECT current_setting('data_directory'), 'base/' || oid FROM pg_database
                 WHERE datname = current_database()",
            )
            .fetch_one(&mut c)
            .await
            .expect("a folder");
            [&own, "base/pgsql_tmp", "global", "pg_stat", "pg_stat_tmp"]
                .iter()
                .map(|part| Path::new(&folder).join(part))
                // PostgreSQL makes the folder of temporary files when it first needs one.
                .filter(|part| !part.ends_with("pgsql_tmp") || part.exists())
                .flat_map(|part| myao_testkit::files_with(&part, words))
                .collect()
        }
    }
}
