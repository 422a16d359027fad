//! What a round of the keeper asks and notes: which channels are due, what it reads, and what it gives up.

use std::collections::BTreeSet;

use myao_core::{
    chat::{ChannelKind, Event, Message, MessageTs, Visibility},
    memory::{
        ChapterPolicy, ClosedBy, Cut, FoldMark, MemoryScope, MemoryType, StepId, create_memory,
        make_thread_scope_id,
    },
    ports::{DayLimits, Role, StopReason, Usage},
};
use myao_store::{
    CallOutcome, CallRecord, ChannelRow, FirstSight, NewCall, NewChapter, Range, RestartFrom, Started,
    StepDraft, StepOutcome, Store,
};

use crate::support::{
    World, at, by_hand, channel, claim, cut_chapters, draft, general, long, message, on_both, said, short,
    step, ts, write_memory,
};

fn ids(rows: &[ChannelRow]) -> Vec<&str> {
    rows.iter().map(|row| row.channel.id.as_str()).collect()
}

async fn written(store: &Store, claim: &myao_store::Claim, draft: StepDraft) -> StepId {
    match store.memory().save_steps(claim, vec![draft], at(9)).await.expect("committed").remove(0) {
        StepOutcome::Written(step) => step,
        StepOutcome::Moved => panic!("it was not written"),
    }
}

/// C1 with three chapters, each of which has a text, and the first two of which are in its long-term memory.
async fn remembered(store: &Store) -> (myao_store::Claim, Vec<StepId>) {
    let talk = [1, 11, 21].map(|second| said(second, "words"));
    let events = [channel("C1", ChannelKind::Public)].into_iter().chain(talk).collect();
    store.intake().apply(events, at(0)).await.expect("applied");
    let claim = claim(store, "channel:C1").await;
    cut_chapters(store, &claim, 0, 3).await;
    let mut versions = Vec::new();
    for number in 1..=3_u32 {
        let from = i64::from(number - 1) * 10;
        let range = Some(Range { channel: general(), from: ts(from), to: ts(from + 10) });
        let chapter = StepDraft { range, read_revision: 9, ..step(short("a version"), number, None) };
        versions.push(written(store, &claim, chapter).await);
    }
    let mut parent = None;
    for (number, version) in (1..=2_u32).zip(&versions) {
        let fold = StepDraft {
            hard: parent.into_iter().chain([*version]).collect(),
            mark: FoldMark { version: number, step: Some(*version) },
            ..step(long(&format!("up to {number}")), 1, parent)
        };
        parent = Some(written(store, &claim, fold).await);
    }
    (claim, parent.into_iter().collect())
}

async fn long_term(store: &Store) -> Vec<String> {
    let all = store.memory().all_memories(&Visibility::Owner).await.expect("read").into_iter();
    let channels = all.filter(|(_, memory)| {
        memory.scope() == MemoryScope::Channel && memory.memory_type() == MemoryType::LongTerm
    });
    channels.map(|(_, memory)| memory.content().to_owned()).collect()
}

on_both! {
    channels_rest_until_something_happens => async |world: &World| {
        let store = &world.store;
        store.intake().apply(vec![channel("C1", ChannelKind::Public), channel("C2", ChannelKind::Private)], at(0)).await.expect("applied");
        let due = store.memory().channels_due_at(at(0)).await.expect("read");
        assert_eq!(ids(&due), ["C1", "C2"]);
        store.memory().rest_channel(&due[0], at(100)).await.expect("noted");
        assert_eq!(ids(&store.memory().channels_due_at(at(99)).await.expect("read")), ["C2"]);
        assert_eq!(store.memory().next_due_time(at(0)).await.expect("read"), Some(at(100)));
        assert_eq!(store.memory().next_due_time(at(100)).await.expect("read"), None);
        store.intake().apply(vec![said(1, "news")], at(1)).await.expect("applied");
        store.memory().rest_channel(&due[0], at(200)).await.expect("asked");
        assert_eq!(ids(&store.memory().channels_due_at(at(2)).await.expect("read")), ["C1", "C2"], "it moved since it was read");
        let row = store.memory().channels_due_at(at(2)).await.expect("read").remove(0);
        store.memory().rest_channel(&row, at(200)).await.expect("noted");
        store.memory().look_at_all().await.expect("noted");
        assert_eq!(ids(&store.memory().channels_due_at(at(2)).await.expect("read")), ["C1", "C2"]);
    };

    /// Another process may have cut a chapter and failed to write it, and hold the channel no more: whoever looked at it
    /// before must not put that off.
    a_channel_that_another_process_worked_on_does_not_rest => async |world: &World| {
        let store = &world.store;
        store.intake().apply(vec![channel("C1", ChannelKind::Public), said(1, "words")], at(0)).await.expect("applied");
        let row = store.memory().channels_due_at(at(0)).await.expect("read").remove(0);
        let claim = claim(store, "channel:C1").await;
        cut_chapters(store, &claim, 0, 1).await;
        store.release(&claim).await.expect("released");
        store.memory().rest_unheld(vec![(row, at(900))], at(1)).await.expect("asked");
        let again = store.memory().channels_due_at(at(0)).await.expect("read");
        assert_eq!(ids(&again), ["C1"], "a chapter waits for its text");
        store.memory().rest_unheld(vec![(again[0].clone(), at(100))], at(1)).await.expect("noted");
        assert_eq!(ids(&store.memory().channels_due_at(at(99)).await.expect("read")), Vec::<&str>::new());
        let row = store.memory().channels_due_at(at(100)).await.expect("read").remove(0);
        store.memory().look_at_all().await.expect("noted");
        store.memory().rest_unheld(vec![(row, at(900))], at(101)).await.expect("asked");
        assert_eq!(ids(&store.memory().channels_due_at(at(101)).await.expect("read")), ["C1"], "somebody wants all of them looked at");
    };

    the_journal_has_a_mark_that_moves => async |world: &World| {
        let before = world.store.memory().journal_mark().await.expect("read");
        world.store.intake().apply(vec![channel("C1", ChannelKind::Public), said(1, "words")], at(0)).await.expect("applied");
        assert_eq!(world.store.memory().journal_mark().await.expect("read"), before);
        write_memory(&world.store, long("text"), by_hand(), at(1)).await;
        assert_ne!(world.store.memory().journal_mark().await.expect("read"), before);
    };

    a_round_that_was_not_ended_goes_on => async |world: &World| {
        let store = &world.store;
        assert_eq!(store.memory().begin_round(at(5)).await.expect("begun"), at(5));
        assert_eq!(store.memory().begin_round(at(9)).await.expect("begun"), at(5));
        store.memory().end_round().await.expect("ended");
        assert_eq!(store.memory().begin_round(at(12)).await.expect("begun"), at(12));
    };

    threads_are_read_with_their_root => async |world: &World| {
        let store = &world.store;
        let answer = |second| Event::Message(Message { thread_ts: Some(ts(1)), ..message("C1", second, "an answer") });
        let events = vec![channel("C1", ChannelKind::Public), said(1, "a question"), said(2, "beside"), answer(3), answer(9)];
        store.intake().apply(events, at(0)).await.expect("applied");
        assert_eq!(store.memory().threads_active_between(&general(), ts(3), ts(9)).await.expect("read"), [ts(1)]);
        assert_eq!(store.memory().threads_active_between(&general(), ts(3), ts(8)).await.expect("read"), []);
        let with_news = async |since, until| store.memory().threads_with_news(&general(), ts(since), ts(until)).await.expect("read");
        assert_eq!(with_news(2, 8).await, [ts(1)], "it has no memory");
        let memory = |latest| {
            let id = make_thread_scope_id(&general(), ts(1));
            create_memory(MemoryScope::Thread, id, MemoryType::ShortTerm, "a thread", 2, Some(ts(latest))).expect("valid")
        };
        write_memory(store, memory(3), by_hand(), at(4)).await;
        assert_eq!(with_news(2, 8).await, []);
        assert_eq!((with_news(2, 9).await, with_news(4, 9).await), (vec![ts(1)], vec![ts(1)]), "since then it went on");
        write_memory(store, memory(9), by_hand(), at(10)).await;
        assert_eq!((with_news(2, 9).await, with_news(9, 99).await), (vec![], vec![]));
        let (revision, talk) = store.memory().talk_of_thread(&Visibility::Owner, &general(), ts(1), ts(8)).await.expect("read");
        assert!(revision > 0);
        assert_eq!(talk.iter().map(|message| message.ts).collect::<Vec<_>>(), [ts(1), ts(3)]);
    };

    a_reply_that_is_said_to_have_replies_is_in_its_own_thread_only => async |world: &World| {
        let store = &world.store;
        let answer = |root, second| {
            Event::Message(Message { thread_ts: Some(ts(root)), ..message("C1", second, "an answer") })
        };
        let events =
            vec![channel("C1", ChannelKind::Public), said(1, "a question"), answer(1, 2), answer(2, 3), answer(4, 4)];
        store.intake().apply(events, at(0)).await.expect("applied");
        for (root, held) in [(1, vec![ts(1), ts(2)]), (2, vec![ts(3)]), (4, vec![ts(4)])] {
            let (_, talk) = store.memory().talk_of_thread(&Visibility::Owner, &general(), ts(root), ts(8)).await.expect("read");
            assert_eq!(talk.iter().map(|message| message.ts).collect::<Vec<_>>(), held, "{root}");
        }
    };

    the_last_chapter_reaches_further => async |world: &World| {
        let store = &world.store;
        let (claim, _) = remembered(store).await;
        let policy = ChapterPolicy { message_threshold: 50, conversation_idle_seconds: 7200 };
        let after = store.memory().chapters_in_channel(&general()).await.expect("read");
        let window = |to| NewChapter { cut: Cut { from: ts(20), to: ts(to), count: 2, closed_by: ClosedBy::Idle }, policy };
        assert!(store.memory().extend_last_chapter(&claim, &general(), after, window(40)).await.expect("asked"));
        assert_eq!(store.memory().chapters_in_channel(&general()).await.expect("read").end, Some(ts(40)));
        assert!(!store.memory().extend_last_chapter(&claim, &general(), after, window(39)).await.expect("asked"), "it shrinks never");
        assert_eq!(store.memory().first_of_version(&general(), 2).await.expect("read"), Some(ts(11)));
        assert_eq!(store.memory().first_of_version(&general(), 4).await.expect("read"), None);
    };

    memories_are_counted_by_kind => async |world: &World| {
        let store = &world.store;
        remembered(store).await;
        write_memory(store, draft(MemoryScope::Workspace, "workspace", MemoryType::LongTerm, "all"), by_hand(), at(9)).await;
        let totals = store.memory().totals().await.expect("read");
        assert_eq!((totals.chapters, totals.versions, totals.verbatim), (3, 3, 0));
        assert_eq!((totals.long_term, totals.threads, totals.workspace), (1, 0, true));
    };

    /// What was refused costs what it costs, and changes no memory.
    a_refused_text_is_written_down_with_its_calls => async |world: &World| {
        let store = &world.store;
        let (_, heads) = remembered(store).await;
        let call = NewCall {
            at: at(5), day: "2026-02-02".to_owned(), role: Role::Memory, purpose: "merge",
            channel: Some(general()), thread: None, model: "scripted".to_owned(), attempt: 1, reserved: 100,
        };
        let usage = Usage { input: 40, cached: 0, output: 2, estimated: true };
        let with = |outcome| CallRecord::With(call.clone(), CallOutcome { outcome, usage, millis: 1, stop: Some(StopReason::End) });
        let refused = |calls| StepDraft { calls, ..step(long("no"), 1, heads.first().copied()) };
        store.memory().record_refusal(refused(vec![with("ok")]), at(6)).await.expect("recorded");
        let Started::Call(asked) = store.memory().record_call_start(call.clone(), DayLimits::default()).await.expect("asked") else { panic!("spent") };
        store.memory().record_call_end(asked, CallOutcome { outcome: "ok", usage, millis: 1, stop: None }).await.expect("settled");
        store.memory().record_borrowed(refused(vec![CallRecord::Recorded(asked), with("ok")]), at(7)).await.expect("recorded");
        let totals = store.memory().sum_all_calls().await.expect("read");
        assert_eq!((totals.calls, totals.borrowed), (3, 2));
        assert_eq!(long_term(store).await, ["up to 2"]);
    };

    a_restart_goes_back_to_before_its_first_chapter => async |world: &World| {
        let store = &world.store;
        let (claim, _) = remembered(store).await;
        store.memory().drop_from(&claim, &general(), RestartFrom::Chapter(2), by_hand(), at(10)).await.expect("restarted");
        assert_eq!(long_term(store).await, ["up to 1"]);
        let waiting = store.memory().chapters_to_write(&general()).await.expect("read");
        assert_eq!(waiting.iter().map(|chapter| chapter.version).collect::<Vec<_>>(), [2, 3]);
    };

    a_restart_from_the_start_forgets_the_borders => async |world: &World| {
        let store = &world.store;
        let (claim, _) = remembered(store).await;
        let thread = format!("C1:{}", ts(1));
        write_memory(store, draft(MemoryScope::Thread, &thread, MemoryType::ShortTerm, "a thread"), by_hand(), at(9)).await;
        store.memory().drop_from(&claim, &general(), RestartFrom::Start, by_hand(), at(10)).await.expect("restarted");
        assert_eq!(store.memory().chapters_in_channel(&general()).await.expect("read").end, None);
        assert!(store.memory().all_memories(&Visibility::Owner).await.expect("read").is_empty());
    };

    the_workspace_is_made_from_open_channels => async |world: &World| {
        let store = &world.store;
        let (claim, heads) = remembered(store).await;
        store.intake().apply(vec![channel("G1", ChannelKind::Private)], at(0)).await.expect("applied");
        write_memory(store, draft(MemoryScope::Channel, "G1", MemoryType::LongTerm, "private"), by_hand(), at(9)).await;
        assert!(store.memory().workspace_is_open().await.expect("read"));
        let inputs = store.memory().for_workspace().await.expect("read");
        let told: Vec<_> = inputs.iter().map(|one| (one.channel.id.as_str(), one.content.as_str(), one.integrated)).collect();
        assert_eq!(told, [("C1", "up to 2", false)]);
        let all = draft(MemoryScope::Workspace, "workspace", MemoryType::LongTerm, "all");
        written(store, &claim, StepDraft { hard: heads, ..step(all, 1, None) }).await;
        let inputs = store.memory().for_workspace().await.expect("read");
        assert!(inputs.iter().all(|one| one.integrated && one.contained), "{inputs:?}");
    };

    /// Its memory was read while it was open, and everybody would see what is made from it.
    a_channel_that_closed_meanwhile_is_in_no_memory_of_the_workspace => async |world: &World| {
        let store = &world.store;
        let (claim, heads) = remembered(store).await;
        let all = || draft(MemoryScope::Workspace, "workspace", MemoryType::LongTerm, "all");
        let from_it = || StepDraft { hard: heads.clone(), ..step(all(), 1, None) };
        let outsiders = |external| {
            let Event::Channel(one) = channel("C1", ChannelKind::Public) else { panic!("another event") };
            Event::Channel(myao_core::chat::Channel { external, ..one })
        };
        for closed in [channel("C1", ChannelKind::Private), outsiders(true)] {
            store.intake().apply(vec![closed], at(8)).await.expect("applied");
            let outcome = store.memory().save_steps(&claim, vec![from_it()], at(9)).await.expect("committed");
            assert_eq!(outcome, [StepOutcome::Moved]);
        }
        store.intake().apply(vec![outsiders(false)], at(10)).await.expect("applied");
        written(store, &claim, from_it()).await;
    };

    removals_that_are_dealt_with_are_done => async |world: &World| {
        let store = &world.store;
        remembered(store).await;
        store.intake().apply(vec![Event::Deleted { channel: general(), ts: ts(1) }], at(20)).await.expect("applied");
        let row = store.memory().channels_due_at(at(20)).await.expect("read").remove(0);
        assert!(row.removed.is_some());
        store.archive().removals_done(&row).await.expect("noted");
        assert_eq!(store.memory().channels_due_at(at(20)).await.expect("read")[0].removed, None);
    };

    /// C1 is not C10, and what is no refusal stays.
    the_flags_of_one_channel_are_cleared => async |world: &World| {
        let store = &world.store;
        for subject in ["refused:channel:C1:1", "refused:channel:C10:1", "refused:thread:C1:1.000000", "channel:C1"] {
            store.memory().flag_for_person(subject, "a person should look").await.expect("flagged");
        }
        store.memory().clear_flags(&general()).await.expect("cleared");
        let left: BTreeSet<String> = store.memory().list_open_setbacks().await.expect("read").into_iter().map(|one| one.subject).collect();
        assert_eq!(left, ["channel:C1", "refused:channel:C10:1"].map(str::to_owned).into());
    };

    channels_of_one_name_are_found => async |world: &World| {
        let named = |id: &str, kind| {
            let Event::Channel(one) = channel(id, kind) else { panic!("another event") };
            Event::Channel(myao_core::chat::Channel { name: "general".to_owned(), ..one })
        };
        let events = vec![named("C2", ChannelKind::Private), named("C1", ChannelKind::Public), channel("C3", ChannelKind::Public)];
        world.store.intake().apply(events, at(0)).await.expect("applied");
        let found = world.store.archive().channels_named("general").await.expect("read");
        assert_eq!(found.iter().map(|one| one.id.as_str()).collect::<Vec<_>>(), ["C1", "C2"]);
        assert!(world.store.archive().channels_named("General").await.expect("read").is_empty());
    };

    the_archive_tells_what_it_holds_of_a_channel => async |world: &World| {
        let store = &world.store;
        let gone = Event::Deleted { channel: general(), ts: ts(2) };
        store.intake().apply(vec![channel("C1", ChannelKind::Public), said(3, "c"), said(1, "a"), said(2, "b"), gone], at(0)).await.expect("applied");
        let held = store.archive().held_channel(&general()).await.expect("read");
        let talk = held.talk.into_iter().map(|message| message.ts).collect::<Vec<_>>();
        let known = held.known;
        assert_eq!((talk, known.live, known.heard_until), (vec![ts(1), ts(3)], false, MessageTs::MIN));
        store.hearing().join_channel(&general(), FirstSight::since(ts(9))).await.expect("joined");
        assert!(store.archive().held_channel(&general()).await.expect("read").known.live);
    };
}
