//! A channel with a new id: everything of it goes along (design §2).

use myao_core::{
    chat::{ChannelId, ChannelKind, Event, Message, MessageTs, Place, Visibility},
    judgment::{Cause, Decision, ReplyState},
    memory::{MemoryScope, MemoryType, ScopeId, make_thread_scope_id},
};
use myao_store::{FirstSight, LedgerQuery, Range, StepDraft, Store, StoreError, VerdictRecord};

use crate::{
    replies::{
        attention,
        talk::{speak_up, speak_up_in},
    },
    support::{
        World, all_of, at, channel, claim, cut_chapters, draft, general, long, message, on_both, said, short,
        step, ts,
    },
};

fn shared() -> ChannelId {
    ChannelId::new("C9")
}

/// C1 with talk, a chapter, memories of channel and thread, a wanted reply and things to look at.
async fn furnish(store: &Store) {
    let mention = Event::Message(Message { thread_ts: Some(ts(1)), ..message("C1", 5, "<@UMYAO> hi") });
    let events = vec![channel("C1", ChannelKind::Public), said(1, "one"), said(2, "two"), mention];
    store.intake().apply_live(events, &attention(), at(10)).await.expect("applied");
    let held = claim(store, "channel:C1").await;
    cut_chapters(store, &held, 0, 1).await;
    let whole = Range { channel: general(), from: ts(0), to: ts(10) };
    let chapter = StepDraft { range: Some(whole), read_revision: 100, ..step(short("the chapter"), 1, None) };
    let thread = make_thread_scope_id(&general(), ts(1));
    let thread = draft(MemoryScope::Thread, thread.as_str(), MemoryType::ShortTerm, "the thread");
    let steps = vec![chapter, step(long("the past"), 1, None), step(thread, 1, None)];
    store.memory().save_steps(&held, steps, at(10)).await.expect("committed");
    store.memory().set_back("channel:C1", "no answer", at(10)).await.expect("noted");
    store.memory().flag_for_person("refused:channel:C1:long_term:1", "an echo").await.expect("noted");
    store
        .memory()
        .flag_for_person("refused:channel:C10:long_term:1", "another channel's")
        .await
        .expect("noted");
}

/// We are in these channels, and hear them without a gap.
async fn listening(store: &Store, channels: &[&str]) {
    store.recall().note_own(&attention().own).await.expect("noted");
    for id in channels {
        store.intake().apply(vec![channel(id, ChannelKind::Public)], at(0)).await.expect("applied");
        store.hearing().join_channel(&ChannelId::new(*id), FirstSight::since(ts(0))).await.expect("joined");
    }
    for gap in store.hearing().gaps().await.expect("read") {
        assert!(store.hearing().close_filled_gap(&gap).await.expect("asked"));
    }
}

async fn ledger(store: &Store, channel: ChannelId) -> Vec<VerdictRecord> {
    let all = LedgerQuery { channel: Some(channel), since: at(-1000), limit: 100 };
    store.replies().list_verdicts(&Visibility::Owner, &all).await.expect("read")
}

async fn texts(store: &Store, id: &ChannelId) -> Vec<String> {
    let (_, talk) =
        store.archive().talk_in_range(&Visibility::Owner, &all_of(id.clone())).await.expect("read");
    talk.into_iter().map(|message| message.text).collect()
}

on_both! {
    everything_goes_along => async |world: &World| {
        let store = &world.store;
        furnish(store).await;
        assert!(store.intake().rename_channel_everywhere(&general(), &shared(), at(20)).await.expect("renamed"));
        assert_eq!(texts(store, &shared()).await, ["one", "two", "<@UMYAO> hi"]);
        assert!(texts(store, &general()).await.is_empty());
        let rows = store.archive().channels(&Visibility::Owner).await.expect("read");
        assert_eq!(rows.iter().map(|row| row.channel.id.as_str()).collect::<Vec<_>>(), ["C9"]);
        let text = async |scope, id: &ScopeId, memory_type| {
            let memory = store.memory().find_latest(&Visibility::Owner, scope, id, memory_type).await.expect("read");
            memory.map(|memory| memory.content().to_owned())
        };
        let id = ScopeId::channel(&shared());
        let thread = make_thread_scope_id(&shared(), ts(1));
        let short = text(MemoryScope::Channel, &id, MemoryType::ShortTerm).await;
        assert_eq!(short.as_deref(), Some("the chapter"));
        let long = text(MemoryScope::Channel, &id, MemoryType::LongTerm).await;
        assert_eq!(long.as_deref(), Some("the past"));
        let thread = text(MemoryScope::Thread, &thread, MemoryType::ShortTerm).await;
        assert_eq!(thread.as_deref(), Some("the thread"));
        let place = Place { channel: shared(), thread: Some(ts(1)) };
        let reply = store.replies().find_wanted(&place, at(20)).await.expect("read").expect("wanted");
        assert_eq!(reply.triggers, [ts(5)]);
        let subjects: Vec<String> =
            store.memory().list_open_setbacks().await.expect("read").into_iter().map(|setback| setback.subject).collect();
        assert_eq!(subjects, ["refused:channel:C10:long_term:1", "refused:channel:C9:long_term:1"]);
        assert!(!store.intake().rename_channel_everywhere(&general(), &shared(), at(21)).await.expect("asked"), "it is done");
        let verified = store.verify().await.expect("verified");
        assert!(verified.faults.is_empty(), "{:?}", verified.faults);
        // A removal finds what was made from its words.
        let gone = Event::Deleted { channel: shared(), ts: ts(1) };
        store.intake().apply(vec![gone], at(30)).await.expect("applied");
        let left = store.memory().find_latest(&Visibility::Owner, MemoryScope::Channel, &id, MemoryType::ShortTerm).await;
        assert!(left.expect("read").is_none());
    };

    /// An archive without memories, whose channel we first see under a new id.
    where_its_memory_begins_comes_along => async |world: &World| {
        let store = &world.store;
        store.intake().apply(vec![channel("C1", ChannelKind::Public)], at(0)).await.expect("applied");
        let sight = FirstSight { read_from: ts(0), remember_from: ts(500) };
        store.hearing().join_channel(&shared(), sight).await.expect("joined");
        assert!(store.intake().rename_channel_everywhere(&general(), &shared(), at(901)).await.expect("renamed"));
        let row = store.archive().channel_row(&shared()).await.expect("read").expect("a channel");
        assert_eq!((row.memory_from, row.member), (Some(ts(500)), true));
    };

    whoever_works_on_it_loses_the_claim => async |world: &World| {
        let store = &world.store;
        furnish(store).await;
        let held = store.claim("channel:C1", at(100), at(200)).await.expect("asked").expect("free");
        store.intake().rename_channel_everywhere(&general(), &shared(), at(101)).await.expect("renamed");
        let refused = store.memory().save_steps(&held, vec![step(short("late"), 2, None)], at(102)).await;
        assert!(matches!(refused, Err(StoreError::ClaimLost(_))), "{refused:?}");
    };

    /// The platform told of the new id before it told that it is the old channel.
    what_arrived_under_the_new_id_is_taken_in => async |world: &World| {
        let store = &world.store;
        furnish(store).await;
        let told = |second, text: &str| Event::Message(message("C9", second, text));
        let edited = Event::Message(Message { edited_at: Some(ts(50)), ..message("C9", 2, "two!") });
        let mention = Event::Message(Message { thread_ts: Some(ts(1)), ..message("C9", 40, "<@UMYAO> and?") });
        let again = Event::Message(Message { thread_ts: Some(ts(1)), ..message("C9", 5, "<@UMYAO> hi") });
        let gone = Event::Deleted { channel: shared(), ts: ts(1) };
        let kind = Event::Channel(myao_core::chat::Channel {
            id: shared(), name: "shared".to_owned(), kind: ChannelKind::Private, external: true,
        });
        let events = vec![kind, told(30, "new"), edited, gone, mention, again];
        store.intake().apply_live(events, &attention(), at(60)).await.expect("applied");
        assert!(store.intake().rename_channel_everywhere(&general(), &shared(), at(61)).await.expect("renamed"));
        assert_eq!(texts(store, &shared()).await, ["two!", "<@UMYAO> hi", "new", "<@UMYAO> and?"]);
        let rows = store.archive().channels(&Visibility::Owner).await.expect("read");
        assert_eq!((rows.len(), rows[0].channel.name.as_str(), rows[0].channel.external), (1, "shared", true));
        assert_eq!(rows[0].memory_from, Some(ts(0)));
        let all = store.replies().list_wanted(at(61)).await.expect("read");
        assert_eq!(all.len(), 1, "{all:?}");
        assert_eq!(all[0].triggers, [ts(5), ts(40)]);
        // The chapter was made from what is gone.
        let id = ScopeId::channel(&shared());
        let left = store.memory().find_latest(&Visibility::Owner, MemoryScope::Channel, &id, MemoryType::ShortTerm).await;
        assert!(left.expect("read").is_none());
        let verified = store.verify().await.expect("verified");
        assert!(verified.faults.is_empty(), "{:?}", verified.faults);
    };

    decisions_go_along_with_what_came_of_them => async |world: &World| {
        let store = &world.store;
        listening(store, &["C1"]).await;
        store.intake().apply_live(vec![said(1, "anybody?")], &attention(), at(1)).await.expect("applied");
        let reply = speak_up(store, 1, at(900), at(10)).await.expect("opened");
        assert!(store.intake().rename_channel_everywhere(&general(), &shared(), at(20)).await.expect("renamed"));
        assert!(ledger(store, general()).await.is_empty());
        let records = ledger(store, shared()).await;
        assert_eq!(records.len(), 1, "{records:?}");
        assert_eq!((records[0].place.channel.clone(), records[0].latest_ts), (shared(), ts(1)));
        let came = records[0].reply.as_ref().map(|reply| (reply.id, reply.state, reply.due));
        assert_eq!(came, Some((reply, ReplyState::Wanted, Some(at(900)))));
        let open = store.replies().open_talk(ts(-10)).await.expect("read");
        let open = open.iter().find(|open| *open.talk.channel() == shared()).expect("we listen there");
        assert!(open.busy.contains(&None), "nothing else is decided meanwhile");
        assert_eq!(open.decided.get(&(None, ts(1))), Some(&Decision::Speak));
        // And it is given under the new id.
        let place = Place { channel: shared(), thread: None };
        let wanted = store.replies().find_wanted(&place, at(900)).await.expect("read").expect("due");
        assert_eq!(wanted.id, reply);
        assert!(store.replies().is_left_alone(&place, ts(1)).await.expect("read"));
    };

    /// What somebody asked for is not lost in what nobody did.
    a_mention_that_joins_an_unasked_reply_is_answered_at_once => async |world: &World| {
        let store = &world.store;
        listening(store, &["C1", "C9"]).await;
        let early = Event::Message(message("C9", 1, "anybody?"));
        store.intake().apply_live(vec![early], &attention(), at(1)).await.expect("applied");
        let place = Place { channel: shared(), thread: None };
        let unasked = speak_up_in(store, place.clone(), 1, at(900), at(10)).await.expect("opened");
        let mention = Event::Message(message("C1", 12, "<@UMYAO> hi"));
        store.intake().apply_live(vec![mention], &attention(), at(12)).await.expect("applied");
        assert!(store.intake().rename_channel_everywhere(&general(), &shared(), at(20)).await.expect("renamed"));
        let wanted = store.replies().list_wanted(at(21)).await.expect("read");
        assert_eq!(wanted.len(), 1, "{wanted:?}");
        assert_eq!((wanted[0].id, wanted[0].cause, wanted[0].triggers.clone()), (unasked, Cause::Mention, vec![ts(12)]));
    };

    two_memories_are_not_mixed => async |world: &World| {
        let store = &world.store;
        furnish(store).await;
        store.intake().apply(vec![channel("C9", ChannelKind::Public)], at(10)).await.expect("applied");
        let held = claim(store, "channel:C9").await;
        let other = draft(MemoryScope::Channel, "C9", MemoryType::LongTerm, "another past");
        store.memory().save_steps(&held, vec![step(other, 1, None)], at(10)).await.expect("committed");
        let refused = store.intake().rename_channel_everywhere(&general(), &shared(), at(20)).await;
        assert!(matches!(refused, Err(StoreError::TwoMemories { .. })), "{refused:?}");
        assert_eq!(texts(store, &general()).await.len(), 3);
    };

    a_channel_nobody_knows_is_not_renamed => async |world: &World| {
        world.store.intake().apply(vec![channel("C9", ChannelKind::Public)], at(10)).await.expect("applied");
        assert!(!world.store.intake().rename_channel_everywhere(&general(), &shared(), at(20)).await.expect("asked"));
        assert_eq!(world.store.archive().talk_after(&shared(), MessageTs::MIN).await.expect("read").map(|r| r.1.len()), Some(0));
    };
}
