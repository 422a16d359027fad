//! What was remembered and held at an instant of talk, through what may be seen now, and what changed between two (ADR 135).

use std::collections::BTreeSet;

use jiff::tz::TimeZone;
use myao_core::{
    chat::{ChannelId, ChannelKind, Event, Message, MessageTs, Place, UserId, Visibility},
    memory::{ChapterPolicy, ClosedBy, Cut, MemoryScope, MemoryType, StepId, make_thread_scope_id},
    recall::RecallFilter,
};
use myao_store::{
    AsOfQuery, ChannelAsOf, Chapters, Claim, GatherRequest, LineChange, LineChanges, NewChapter, NewChapters,
    Range, RecallRequest, Recalled, RecalledText, StepDraft, Store,
};

use crate::{
    built::{by, chapter, commit, merge},
    gather::request,
    support::{
        World, at, by_hand, channel, claim, draft, general, message, on_both, said, step, ts, user,
        write_memory,
    },
};

const FAIR: &str = "2026-03-02\n- Ana: The Lindwell fair is on 2 May.";
const BEES: &str = "2026-03-03\n- Ken: Decided: Ana keeps the twelve hives in Holm.";
const MOVED: &str = "2026-03-09\n- Ken: The Lindwell fair has been moved: it is now on 9 June.";

/// Chapters of C1 of ten seconds each, each filled by its last message but the last: silence ended that one.
pub(crate) async fn cut(store: &Store, claim: &Claim, count: u32) {
    let row = store.archive().talk_after(&general(), MessageTs::MIN).await.expect("read").expect("C1").0;
    let policy = ChapterPolicy { message_threshold: 1, conversation_idle_seconds: 100 };
    let cut = |n: u32| Cut {
        from: ts(i64::from(n) * 10),
        to: ts(i64::from(n) * 10 + 10),
        count: 1,
        closed_by: if n + 1 == count { ClosedBy::Idle } else { ClosedBy::Threshold },
    };
    let new = NewChapters {
        channel: general(),
        read_revision: row.revision,
        after: Chapters::NONE,
        cuts: (0..count).map(|n| NewChapter { cut: cut(n), policy }).collect(),
    };
    assert!(store.memory().save_as_new_version(claim, new).await.expect("added"), "the channel moved");
}

/// C1 with a message every ten seconds, four chapters and a fold of the first and of the third; C2, private, with a line.
async fn lived(store: &Store) -> Vec<StepId> {
    let mut events = vec![channel("C1", ChannelKind::Public), channel("C2", ChannelKind::Private)];
    events.extend([user("U1", "Ana"), user("U2", "Ken"), user("U3", "Zoe")]);
    events.extend((0..6).map(|n| said(n * 10 + 1, &format!("talk number{n} of the fair"))));
    store.intake().apply(events, at(0)).await.expect("applied");
    while !store.recall().index_some().await.expect("indexed").is_complete {}
    let claimed = claim(store, "channel:C1").await;
    cut(store, &claimed, 4).await;
    let mut steps = Vec::new();
    for (n, text) in (1..).zip([FAIR, BEES, MOVED, "- Zoe: the last"]) {
        let until = i64::from(n) * 10;
        let draft = chapter(n, text);
        let memory = myao_core::memory::create_memory(
            MemoryScope::Channel,
            myao_core::memory::ScopeId::new("C1"),
            MemoryType::ShortTerm,
            text,
            1,
            Some(ts(until)),
        );
        steps.push(commit(store, &claimed, StepDraft { memory: memory.expect("valid"), ..draft }).await);
    }
    let first = commit(store, &claimed, merge("folded: one", 1, &steps[..1], None)).await;
    let third = commit(store, &claimed, merge("folded: three", 3, &steps[1..3], Some(first))).await;
    let thread = draft(
        MemoryScope::Thread,
        make_thread_scope_id(&general(), ts(1)).as_str(),
        MemoryType::ShortTerm,
        "a thread of then",
    );
    let range = Range { channel: general(), from: ts(0), to: ts(7) };
    commit(store, &claimed, StepDraft { range: Some(range), read_revision: 9, ..step(thread, 1, None) })
        .await;
    let secret =
        draft(MemoryScope::Channel, "C2", MemoryType::ShortTerm, "- Zoe: Decided: Ana gets 500 euros.");
    write_memory(store, secret, by_hand(), at(2)).await;
    let whole = claim(store, "workspace").await;
    let memory = draft(MemoryScope::Workspace, "default", MemoryType::LongTerm, "of the whole");
    let workspace = StepDraft {
        origin: by(myao_core::memory::StepKind::Merge),
        hard: vec![third],
        ..step(memory, 1, None)
    };
    commit(store, &whole, workspace).await;
    steps
}

async fn stood(store: &Store, to: &Visibility, channel: &str, second: i64) -> Option<ChannelAsOf> {
    let query = AsOfQuery { instant: ts(second), versions: 9, most_talk: 9 };
    store.memory().channel_as_of(to, &ChannelId::new(channel), query).await.expect("read")
}

async fn of_c1(store: &Store, second: i64) -> ChannelAsOf {
    stood(store, &Visibility::Owner, "C1", second).await.expect("known")
}

fn ended(stood: &ChannelAsOf) -> Vec<(u32, u32)> {
    let lines = stood.versions.iter().flat_map(|v| v.ended.iter().map(|line| (v.version, line.end.version)));
    lines.collect()
}

fn versions(stood: &ChannelAsOf) -> Vec<u32> {
    stood.versions.iter().map(|version| version.version).collect()
}

fn said_then(stood: &ChannelAsOf) -> Vec<MessageTs> {
    stood.talk.iter().map(|message| message.ts).collect()
}

async fn found(store: &Store, to: &Visibility, words: &str, second: Option<i64>) -> Vec<Recalled> {
    let filter = RecallFilter::default();
    let filter = match second {
        Some(second) => filter.with_as_of(ts(second)),
        None => filter,
    };
    let request = RecallRequest {
        words: words.to_owned(),
        filter,
        most: 30,
        with_memories: true,
        now: ts(500_000),
        meaning: None,
        named_in: Some(TimeZone::UTC),
    };
    store.recall().search(to, &request).await.expect("searched")
}

/// The versions of the lines that were found, each with whether it is told as ended.
fn lines(found: &[Recalled]) -> BTreeSet<(u32, bool)> {
    let line = |found: &Recalled| match &found.text {
        RecalledText::Line(line) if line.memory_type == MemoryType::ShortTerm => {
            Some((line.version, line.ended.is_some()))
        }
        RecalledText::Line(_) | RecalledText::Message(_) => None,
    };
    found.iter().filter_map(line).collect()
}

fn words(line: &LineChange) -> (u32, &str) {
    (line.version, line.words.as_str())
}

on_both! {
    chapters_that_had_ended_are_told_with_what_was_folded_of_them => async |world: &World| {
        let store = &world.store;
        lived(store).await;
        let early = of_c1(store, 5).await;
        assert_eq!((early.through, versions(&early), early.long_term.is_some()), (0, vec![], false));
        assert_eq!(said_then(&early), [ts(1)]);

        let second = of_c1(store, 25).await;
        assert_eq!((second.through, versions(&second)), (2, vec![1, 2]));
        assert_eq!(second.long_term.as_ref().and_then(|entry| entry.content.as_deref()), Some("folded: one"));
        assert_eq!((said_then(&second), ended(&second)), (vec![ts(21)], vec![]), "the fair still held");

        let third = of_c1(store, 35).await;
        assert_eq!((third.through, ended(&third)), (3, vec![(1, 3)]));
        assert_eq!(third.long_term.as_ref().and_then(|entry| entry.content.as_deref()), Some("folded: three"));

        // Silence ended the fourth, and nobody knew that before it had lasted.
        assert_eq!((of_c1(store, 139).await.through, of_c1(store, 140).await.through), (3, 4));
        assert_eq!(said_then(&of_c1(store, 140).await), [ts(41), ts(51)]);
        let few = AsOfQuery { instant: ts(140), versions: 1, most_talk: 1 };
        let few = store.memory().channel_as_of(&Visibility::Owner, &general(), few).await.expect("read").expect("C1");
        assert_eq!((versions(&few), said_then(&few), few.earlier_talk), (vec![4], vec![ts(51)], 1));
    };

    what_was_removed_since_stays_gone_and_is_counted => async |world: &World| {
        let store = &world.store;
        lived(store).await;
        let deleted = Event::Deleted { channel: general(), ts: ts(11) };
        let edited = Event::Message(Message { edited_at: Some(ts(300)), ..message("C1", 21, "talk, put otherwise") });
        store.intake().apply(vec![deleted, edited], at(301)).await.expect("applied");
        let then = of_c1(store, 25).await;
        assert_eq!(versions(&then), [1], "the second chapter is to be written anew");
        assert_eq!((then.removed.messages, then.removed.edited, then.removed.chapters), (1, 1, 1));
        assert_eq!(then.talk[0].text, "talk, put otherwise");
        assert_eq!(then.long_term.and_then(|entry| entry.content).as_deref(), Some("folded: one"));
        let all = store.memory().removed_as_of(&Visibility::Owner, &[], ts(25)).await.expect("read");
        assert_eq!((all.messages, all.edited, all.expired), (1, 1, 0));
        let other = store.memory().removed_as_of(&Visibility::Owner, &[ChannelId::new("C2")], ts(25)).await.expect("read");
        assert_eq!(other.messages, 0);
    };

    lines_are_found_as_they_held_then => async |world: &World| {
        let store = &world.store;
        lived(store).await;
        let owner = Visibility::Owner;
        assert_eq!(lines(&found(store, &owner, "Lindwell fair", None).await), [(1, true), (3, false)].into());
        assert_eq!(lines(&found(store, &owner, "Lindwell fair", Some(25)).await), [(1, false)].into());
        assert_eq!(lines(&found(store, &owner, "Lindwell fair", Some(35)).await), [(1, true), (3, false)].into());
        let messages = found(store, &owner, "talk of the fair", Some(25)).await;
        assert!(messages.iter().all(|found| found.text.said_at() <= ts(25)), "{messages:?}");
        // `at(0)` is 2 February 2026, 02:40; what is asked for in words is bounded in the same way.
        let asked = found(store, &owner, "the Lindwell fair as of 1 February 2026", None).await;
        assert!(asked.is_empty(), "{asked:?}");
        let asked = found(store, &owner, "what was the plan for the Lindwell fair on 2 February 2026", None).await;
        assert_eq!(lines(&asked), [(1, true), (3, false)].into());
    };

    lines_about_somebody_are_told_as_they_held_then => async |world: &World| {
        let store = &world.store;
        lived(store).await;
        let of = async |to: &Visibility, second| {
            let person = UserId::new("U1");
            let told = store.recall().lines_of_person_as_of(to, &person, 9, ts(second)).await.expect("read");
            assert_eq!(told.all, told.lines.len() as u64);
            told.lines.iter().map(|line| (line.channel.to_string(), line.version, line.ended.is_some())).collect::<Vec<_>>()
        };
        let c1 = |version, ended| ("C1".to_owned(), version, ended);
        let open = Visibility::only(&general());
        assert_eq!(of(&open, 15).await, [c1(1, false)]);
        assert_eq!(of(&open, 25).await, [c1(2, false), c1(1, false)]);
        assert_eq!(of(&open, 35).await, [c1(2, false), c1(1, true)]);
        assert!(of(&Visibility::Owner, 35).await.iter().any(|(channel, ..)| channel == "C2"));
    };

    what_changed_between_two_instants_is_told_with_what_it_replaced => async |world: &World| {
        let store = &world.store;
        lived(store).await;
        let changed = async |to: &Visibility, since, until| {
            store.recall().lines_changed(to, &general(), (ts(since), ts(until))).await.expect("read")
        };
        let owner = Visibility::Owner;
        let both = changed(&owner, 25, 35).await;
        let new: Vec<_> = both.new.iter().map(words).collect();
        assert_eq!(new, [(3, "Ken: The Lindwell fair has been moved: it is now on 9 June.")]);
        let replaced: Vec<_> = both.replaced.iter().map(|(was, is)| (words(was), is.version)).collect();
        assert_eq!(replaced, [((1, "Ana: The Lindwell fair is on 2 May."), 3)]);
        let before = changed(&owner, 5, 25).await;
        assert_eq!((before.new.len(), before.replaced.len()), (2, 0));
        assert_eq!(changed(&owner, 35, 39).await, LineChanges::default());
        assert_eq!(changed(&Visibility::only(&ChannelId::new("C2")), 0, 500).await, LineChanges::default());
    };

    a_prompt_is_made_from_what_was_known_then => async |world: &World| {
        let store = &world.store;
        lived(store).await;
        let gathered = async |place: Place, second| {
            let request = GatherRequest {
                place,
                versions: 1,
                messages: 1,
                most_recalled: 9,
                as_of: Some(ts(second)),
                now: at(second),
                as_if_said: Some(message("C1", second, "when is the Lindwell fair?")),
                ..request(&general())
            };
            assert!(!store.gather().words_to_recall(&request).await.expect("read").is_empty());
            store.gather().for_prompt(&request).await.expect("read").expect("C1")
        };
        let place = |thread| Place { channel: general(), thread };
        let then = gathered(place(None), 25).await;
        assert_eq!(then.long_term.get(&general()).map(String::as_str), Some("folded: one"));
        assert!(then.messages.iter().all(|message| message.ts <= ts(25)), "{:?}", then.messages);
        assert!(then.recalled.iter().all(|found| found.text.said_at() <= ts(25)), "{:?}", then.recalled);
        assert!(then.around.iter().all(|message| message.ts <= ts(25)));
        let shown: Vec<u32> = then.own_versions.iter().map(|version| version.version).collect();
        assert!(shown.iter().all(|version| *version <= 2), "{shown:?}");
        assert_eq!(then.workspace.as_deref(), Some("of the whole"));
        assert_eq!(then.threads.len(), 1);
        let held: Vec<&str> = then.lines_in_force.iter().map(|line| line.words.as_str()).collect();
        assert!(held.iter().all(|words| !words.contains("9 June")), "{held:?}");
        let about: Vec<&str> = then.person_lines.iter().map(|line| line.words.as_str()).collect();
        assert_eq!(about, ["Ken: Decided: Ana keeps the twelve hives in Holm.", "Ana: The Lindwell fair is on 2 May."]);

        let later = gathered(place(Some(ts(1))), 140).await;
        assert_eq!(later.long_term.get(&general()).map(String::as_str), Some("folded: three"));
        let held: Vec<&str> = later.lines_in_force.iter().map(|line| line.words.as_str()).collect();
        assert!(held.iter().all(|words| !words.contains("2 May")), "it had ended: {held:?}");
        let before = gathered(place(None), 5).await;
        assert_eq!((before.long_term.len(), before.threads.len(), before.workspace), (0, 0, None));
    };

    who_may_see_it_is_decided_now => async |world: &World| {
        let store = &world.store;
        lived(store).await;
        let from_c2 = async || store.hearing().seen_from(&ChannelId::new("C2")).await.expect("known");
        assert!(stood(store, &from_c2().await, "C1", 25).await.is_some());
        assert!(stood(store, &Visibility::only(&general()), "C2", 25).await.is_none());
        assert!(stood(store, &Visibility::Owner, "C9", 25).await.is_none(), "nobody knows it");
        let first = async |to: &Visibility| store.memory().first_said(to, None).await.expect("read");
        assert_eq!(first(&from_c2().await).await, Some(ts(1)));
        let workspace = store.memory().workspace_as_of(&from_c2().await, ts(25)).await.expect("read");
        assert_eq!(workspace.and_then(|entry| entry.content).as_deref(), Some("of the whole"));
        store.intake().apply(vec![channel("C1", ChannelKind::Private)], at(70)).await.expect("applied");
        assert!(stood(store, &from_c2().await, "C1", 25).await.is_none(), "it is private now");
        assert_eq!(first(&from_c2().await).await, None);
        let only = Visibility::only(&ChannelId::new("C2"));
        assert!(store.memory().workspace_as_of(&only, ts(25)).await.expect("read").is_none());
    };
}
