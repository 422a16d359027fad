//! The reads behind a prompt: a fixed number of statements, and nothing that may not be seen (specification §3, §6).

use std::{cell::Cell, collections::BTreeSet};

use jiff::tz::TimeZone;
use myao_core::{
    chat::{Channel, ChannelId, ChannelKind, Event, Message, Place},
    memory::{MemoryScope, MemoryType},
    text::estimate_tokens,
};
use myao_store::{ChapterText, GatherRequest, Gathered, Store};

use crate::planted::plant;
use crate::support::{
    World, at, by_hand, channel, claim, cut_chapters, draft, general, message, on_both, said, ts,
    write_memory,
};

thread_local! {
    static STATEMENTS: Cell<usize> = const { Cell::new(0) };
}

/// Counts the statements the driver runs, each on the thread that it reports it on: not the calls of our
/// methods.
pub(crate) fn count_statement() {
    STATEMENTS.set(STATEMENTS.get() + 1);
}

/// How many were counted on this thread.
pub(crate) fn statements_so_far() -> usize {
    STATEMENTS.get()
}

pub(crate) fn request(channel: &ChannelId) -> GatherRequest {
    GatherRequest {
        place: Place { channel: channel.clone(), thread: None },
        versions: 5,
        messages: 20,
        most_remembered: usize::MAX,
        most_messages: 1000,
        most_channels: 1000,
        most_tokens: 1_000_000,
        recent_seconds: i64::MAX,
        beside: None,
        most_recalled: 0,
        most_lines: 50,
        most_person_lines: 10,
        as_if_said: None,
        as_of: None,
        record: None,
        meaning: None,
        left_out: BTreeSet::new(),
        only_own: false,
        in_view: BTreeSet::new(),
        zone: TimeZone::UTC,
        threads_seconds: 7 * 86_400,
        now: at(86_400),
    }
}

async fn gather(store: &Store, channel: &ChannelId) -> Gathered {
    store.gather().for_prompt(&request(channel)).await.expect("read").expect("a known channel")
}

/// A workspace of `count` channels, each with talk, a long-term memory and so many versions.
async fn fill(store: &Store, count: usize, versions: usize) {
    for n in 0..count {
        let id = format!("C{n}");
        let mut events = vec![channel(&id, ChannelKind::Public)];
        events.extend((0..3).map(|s| Event::Message(message(&id, s, "hello"))));
        store.intake().apply(events, at(0)).await.expect("applied");
        let save = |memory_type, text: String| draft(MemoryScope::Channel, &id, memory_type, &text);
        write_memory(store, save(MemoryType::LongTerm, format!("long {n}")), by_hand(), at(1)).await;
        for v in 0..versions {
            let memory = save(MemoryType::ShortTerm, format!("version {v}"));
            write_memory(store, memory, by_hand(), at(2)).await;
        }
    }
}

async fn statements_of(store: &Store) -> usize {
    let before = STATEMENTS.get();
    gather(store, &ChannelId::new("C0")).await;
    STATEMENTS.get() - before
}

/// A public, a private and a shared channel, each with a memory; and the workspace's.
async fn mixed(store: &Store) {
    let shared = Channel {
        id: ChannelId::new("CX"),
        name: "shared".into(),
        kind: ChannelKind::Public,
        external: true,
    };
    let events = vec![
        channel("C1", ChannelKind::Public),
        channel("G1", ChannelKind::Private),
        Event::Channel(shared),
        channel("C2", ChannelKind::Public),
    ];
    store.intake().apply(events, at(0)).await.expect("applied");
    for id in ["C1", "G1", "CX", "C2"] {
        store.intake().apply(vec![Event::Message(message(id, 1, "words"))], at(0)).await.expect("applied");
        for memory_type in [MemoryType::LongTerm, MemoryType::ShortTerm] {
            let memory = draft(MemoryScope::Channel, id, memory_type, &format!("of {id}"));
            write_memory(store, memory, by_hand(), at(1)).await;
        }
    }
    let workspace = draft(MemoryScope::Workspace, "default", MemoryType::LongTerm, "of all");
    write_memory(store, workspace, by_hand(), at(1)).await;
}

/// Two chapters that are merged, and two messages after them: a thread from second 1 on (`r`), and what is said at top
/// level (`t`).
async fn a_thread_and_more(store: &Store) {
    let reply = |second| Message { thread_ts: Some(ts(1)), ..message("C1", second, &format!("r{second}")) };
    let mut events = vec![channel("C1", ChannelKind::Public), Event::Message(message("C1", 1, "root"))];
    events.extend([2, 3, 4, 5, 13, 22].map(|second| Event::Message(reply(second))));
    events.extend([11, 12, 21].map(|second| Event::Message(message("C1", second, &format!("t{second}")))));
    store.intake().apply(events, at(0)).await.expect("applied");
    let claimed = claim(store, "channel:C1").await;
    cut_chapters(store, &claimed, 0, 2).await;
    let mut chapters = Vec::new();
    for (n, text) in (1_u32..).zip(["first", "second"]) {
        chapters.push(crate::built::commit(store, &claimed, crate::built::chapter(n, text)).await);
    }
    crate::built::commit(store, &claimed, crate::built::merge("both", 2, &chapters, None)).await;
}

fn numbers(versions: &[ChapterText]) -> Vec<u32> {
    versions.iter().map(|version| version.version).collect()
}

fn seen(gathered: &Gathered) -> Vec<&str> {
    gathered.long_term.keys().map(ChannelId::as_str).collect()
}

on_both! {
    /// Chapters and what is said after them, on both databases.
    the_places_own_chapters_are_read => async |world: &World| {
        crate::built::build(&world.store).await;
        let request = GatherRequest { messages: 1, ..request(&general()) };
        let gathered = world.store.gather().for_prompt(&request).await.expect("read").expect("a known channel");
        assert_eq!(numbers(&gathered.own_versions), [1, 2, 3]);
        assert_eq!(gathered.messages.iter().map(|m| m.text.as_str()).collect::<Vec<_>>(), ["four"]);
    };

    /// What is in no memory yet is always shown; of what memory holds, so many of the channel and of the place's thread.
    what_memory_holds_is_shown_up_to_a_bound => async |world: &World| {
        a_thread_and_more(&world.store).await;
        let thread = Place { channel: general(), thread: Some(ts(1)) };
        let top = Place { channel: general(), thread: None };
        let shown = async |place: &Place, messages, most_remembered| {
            let place = place.clone();
            let request = GatherRequest { place, messages, most_remembered, ..request(&general()) };
            let gathered = world.store.gather().for_prompt(&request).await.expect("read").expect("a known channel");
            assert_eq!(gathered.unread_messages, 0);
            gathered.messages.into_iter().map(|message| message.text).collect::<Vec<_>>().join(" ")
        };
        let new = "t21 r22";
        assert_eq!(shown(&top, 2, 50).await, new);
        assert_eq!(shown(&top, 5, 50).await, format!("t11 t12 r13 {new}"));
        assert_eq!(shown(&top, 5, 3).await, format!("r13 {new}"), "the bound wins");
        assert_eq!(shown(&top, 5, 1).await, new);
        assert_eq!(shown(&top, 5, 0).await, new);
        for (most, earlier) in [
            (50, "r2 r3 r4 r5 t12 r13"), (6, "r2 r3 r4 r5 t12 r13"), (5, "r3 r4 r5 t12 r13"), (4, "r4 r5 t12 r13"),
            (3, "r4 r5 r13"), (2, "r5 r13"), (1, "r13"), (0, ""),
        ] {
            let told = shown(&thread, 4, most).await;
            let expected = ["root", earlier, new].into_iter().filter(|part| !part.is_empty());
            assert_eq!(told, expected.collect::<Vec<_>>().join(" "), "{most}");
        }
    };

    /// Also where the conversation begins with the first message of a chapter. What a prompt shows word for word needs no
    /// version; one that has no room for the conversation shows these instead.
    versions_that_stand_in_the_conversation_are_read_apart => async |world: &World| {
        crate::built::build(&world.store).await;
        let of = async |messages| {
            let request = GatherRequest { messages, ..request(&general()) };
            let gathered = world.store.gather().for_prompt(&request).await.expect("read").expect("a known channel");
            (numbers(&gathered.own_versions), numbers(&gathered.versions_in_conversation))
        };
        assert_eq!(of(1).await, (vec![1, 2, 3], vec![4]));
        assert_eq!(of(3).await, (vec![1], vec![2, 3, 4]));
        assert_eq!(of(4).await, (vec![1], vec![2, 3, 4]), "a chapter that stands in it in part is shown");
        assert_eq!(of(20).await, (vec![], vec![1, 2, 3, 4]));
    };

    /// Other channels are shown because they are recent: those that fell silent long before the newest talk are not read.
    channels_that_fell_silent_are_not_read => async |world: &World| {
        mixed(&world.store).await;
        let day = 86_400;
        world.store.intake().apply(vec![Event::Message(message("C1", 30 * day, "later"))], at(0)).await.expect("applied");
        let of = async |own: &str, days: i64| {
            let now = at(40 * day);
            let request = GatherRequest { recent_seconds: days * day, now, ..request(&ChannelId::new(own)) };
            let found = world.store.gather().for_prompt(&request).await.expect("read").expect("a known channel");
            let ids: Vec<String> = found.ranking.iter().map(|channel| channel.id.to_string()).collect();
            assert_eq!(found.long_term.keys().map(ToString::to_string).collect::<BTreeSet<_>>(), ids.iter().cloned().collect());
            ids
        };
        assert_eq!(of("C1", 31).await, ["C1", "C2"]);
        assert_eq!(of("C1", 14).await, ["C1"]);
        assert_eq!(of("C2", 14).await, ["C1", "C2"], "the place's own channel is there, however long it was silent");
    };

    a_public_place_sees_public_channels => async |world: &World| {
        mixed(&world.store).await;
        let gathered = gather(&world.store, &general()).await;
        assert_eq!(seen(&gathered), ["C1", "C2"]);
        assert_eq!(gathered.versions.keys().map(ChannelId::as_str).collect::<Vec<_>>(), ["C2"]);
        assert_eq!(gathered.ranking.len(), 2);
        assert_eq!(gathered.workspace.as_deref(), Some("of all"));
    };

    a_private_place_sees_itself_as_well => async |world: &World| {
        mixed(&world.store).await;
        let gathered = gather(&world.store, &ChannelId::new("G1")).await;
        assert_eq!(seen(&gathered), ["C1", "C2", "G1"]);
    };

    a_place_with_outsiders_sees_itself_only => async |world: &World| {
        mixed(&world.store).await;
        let gathered = gather(&world.store, &ChannelId::new("CX")).await;
        assert_eq!(seen(&gathered), ["CX"]);
        assert!(gathered.versions.is_empty());
        assert_eq!(gathered.workspace, None, "the workspace's memory is of channels they may not see");
    };

    /// The kind it has now decides, not the one it had when it was remembered.
    a_channel_that_turns_private_is_out_at_once => async |world: &World| {
        mixed(&world.store).await;
        world.store.intake().apply(vec![channel("C2", ChannelKind::Private)], at(2)).await.expect("applied");
        let gathered = gather(&world.store, &general()).await;
        assert_eq!(seen(&gathered), ["C1"]);
        assert!(gathered.versions.is_empty());
    };

    /// A name is hidden as it is read, not as it is written.
    a_private_name_with_something_invisible_in_it_is_hidden => async |world: &World| {
        mixed(&world.store).await;
        // As an older version may have kept it.
        plant(world, "UPDATE memories SET content = '- of #name-\u{200b}G1' WHERE scope_id = 'C1'").await;
        let gathered = gather(&world.store, &general()).await;
        let shown = gathered.names.show(&gathered.long_term[&general()]);
        assert_eq!(shown, "- of a private channel");
    };

    at_most_five_versions_oldest_first => async |world: &World| {
        mixed(&world.store).await;
        for n in 2..=10 {
            let memory = draft(MemoryScope::Channel, "C2", MemoryType::ShortTerm, &format!("version {n}"));
            write_memory(&world.store, memory, by_hand(), at(n)).await;
        }
        let gathered = gather(&world.store, &general()).await;
        let shown: Vec<u32> = gathered.versions[&ChannelId::new("C2")].iter().map(|v| v.version).collect();
        assert_eq!(shown, [6, 7, 8, 9, 10]);
    };

    a_thread_is_gathered_with_its_root => async |world: &World| {
        let reply = |second| Event::Message(Message { thread_ts: Some(ts(1)), ..message("C1", second, "reply") });
        let mut events = vec![channel("C1", ChannelKind::Public), said(1, "root"), reply(2)];
        events.extend((10..60).map(|second| said(second, "later")));
        world.store.intake().apply(events, at(0)).await.expect("applied");
        let mut request = request(&general());
        request.place.thread = Some(ts(1));
        request.most_messages = 40;
        let gathered = world.store.gather().for_prompt(&request).await.expect("read").expect("C1");
        assert_eq!(gathered.messages.len(), 40);
        assert_eq!(gathered.unread_messages, 12, "nothing is remembered: the whole channel is conversation");
    };

    ranked_by_the_last_talk_before_today => async |world: &World| {
        mixed(&world.store).await;
        world.store.intake().apply(vec![Event::Message(message("C2", 100, "yesterday"))], at(0)).await.expect("applied");
        world.store.intake().apply(vec![Event::Message(message("C1", 90_000, "today"))], at(0)).await.expect("applied");
        let gathered = gather(&world.store, &general()).await;
        let order: Vec<&str> = gathered.ranking.iter().map(|c| c.id.as_str()).collect();
        assert_eq!(order, ["C2", "C1"]);
    };

    /// Of a large workspace no more is read than twice what a prompt holds, in the order of the ranking, and of each
    /// channel the newest version; of a small one everything. The place's own channel is there, wherever it ranks.
    channels_beyond_the_room_of_a_prompt_are_not_read => async |world: &World| {
        let store = &world.store;
        fill(store, 12, 6).await;
        let text = "a memory of a hundred letters ".repeat(14);
        for n in 0..12 {
            let memory = draft(MemoryScope::Channel, &format!("C{n}"), MemoryType::LongTerm, &text);
            write_memory(store, memory, by_hand(), at(3)).await;
        }
        let of = async |own: &str, most_tokens| {
            let request = GatherRequest { most_tokens, ..request(&ChannelId::new(own)) };
            let found = store.gather().for_prompt(&request).await.expect("read").expect("a known channel");
            let ranking: Vec<String> = found.ranking.iter().map(|one| one.id.to_string()).collect();
            let versions: BTreeSet<usize> = found.versions.values().map(Vec::len).collect();
            assert_eq!(found.long_term.len(), ranking.len());
            assert_eq!(found.versions.len() + 1, ranking.len());
            (ranking, versions)
        };
        let (all, versions) = of("C0", 1_000_000).await;
        assert_eq!((all.len(), versions), (12, [5].into()));
        let tokens = estimate_tokens(text.trim_end());
        let (some, versions) = of("C0", tokens * 4).await;
        assert_eq!((&*some, versions), (&all[..9], [1].into()), "eight times a quarter is twice the whole");
        let (some, _) = of(&all[11], tokens * 4).await;
        assert_eq!((&some[..8], &some[8..]), (&all[..8], &all[11..]));
        let (some, _) = of("C0", tokens).await;
        assert_eq!(some, all[..9], "a long one may be cut to a quarter");
    };

    /// Long-term memories and newest versions go before older versions. If there are as many of them as a prompt may hold,
    /// older versions need not be read.
    where_channels_fill_a_prompt_no_older_version_is_read => async |world: &World| {
        let store = &world.store;
        fill(store, 6, 6).await;
        for (most_channels, versions) in [(6, 5), (5, 1)] {
            let request = GatherRequest { most_channels, ..request(&ChannelId::new("C0")) };
            let found = store.gather().for_prompt(&request).await.expect("read").expect("a known channel");
            assert_eq!(found.versions.values().map(Vec::len).collect::<Vec<_>>(), [versions; 5]);
        }
    };
}

/// Left out by `scripts/test fast`.
mod slow_tests {
    use super::*;

    /// PostgreSQL's driver reports its statements on the thread that awaits them, so one thread sees them all.
    /// SQLite's does on a thread of its own: there `myao prompt` is counted from outside.
    #[tokio::test]
    async fn as_many_statements_for_500_channels_as_for_two() {
        let world = crate::support::postgres().await;
        // Of one alone nothing else is read.
        fill(&world.store, 2, 6).await;
        let with_two = statements_of(&world.store).await;
        fill(&world.store, 500, 1).await;
        let with_many = statements_of(&world.store).await;
        assert!(with_two > 5, "the counter saw {with_two} statements");
        assert_eq!(with_two, with_many);
    }
}
