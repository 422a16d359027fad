//! Who said it: what messages say of people never overrules the directory, and a wrong name leaves the memories (ADR 78).

use std::collections::BTreeSet;

use myao_core::{
    chat::{ChannelKind, Event, Hearsay, HearsaySource, Message, MessageTs, User, UserId, Visibility},
    memory::{MemoryScope, MemoryType, ScopeId, StepId, make_thread_scope_id},
};
use myao_store::{Claim, OptOuts, StepDraft, Store};

use crate::{
    built::{chapter, commit, merge},
    replies::talk::{arrive, attention},
    support::{World, at, channel, claim, cut_chapters, draft, general, message, on_both, step, ts, user},
};

fn hearsay(source: HearsaySource, id: &str, name: &str, is_bot: bool) -> Event {
    let user = User { id: UserId::new(id), name: name.to_owned(), is_bot };
    Event::Hearsay(Hearsay { user, source, said_at: ts(1) })
}

fn through_app(id: &str, name: &str) -> Event {
    hearsay(HearsaySource::App, id, name, true)
}

fn bot(id: &str, name: &str) -> Event {
    Event::User(User { id: UserId::new(id), name: name.to_owned(), is_bot: true })
}

fn by(user: &str, second: i64, text: &str) -> Event {
    Event::Message(Message { user: UserId::new(user), ..message("C1", second, text) })
}

async fn known(store: &Store, id: &str) -> Option<(String, bool)> {
    let people = store.recall().named_users().await.expect("read");
    people.into_iter().find(|user| user.id.as_str() == id).map(|user| (user.name, user.is_bot))
}

fn called(name: &str, is_bot: bool) -> (String, bool) {
    (name.to_owned(), is_bot)
}

/// The texts of C1's chapters that are to be written, by number.
async fn to_write(store: &Store) -> Vec<u32> {
    let work = store.memory().chapters_to_write(&general()).await.expect("read");
    work.into_iter().map(|chapter| chapter.version).collect()
}

/// All memories that are shown.
async fn shown(store: &Store) -> usize {
    store.memory().all_memories(&Visibility::Owner).await.expect("read").len()
}

/// What the workspace's memory says.
async fn workspace_text(store: &Store) -> Option<String> {
    let scope = MemoryScope::Workspace;
    let id = ScopeId::workspace();
    let found =
        store.memory().find_latest(&Visibility::Owner, scope, &id, MemoryType::LongTerm).await.expect("read");
    found.map(|memory| memory.content().to_owned())
}

/// Writes chapter `n` as the keeper does: from the channel as it stands.
async fn write(store: &Store, claimed: &Claim, n: u32, text: &str) -> StepId {
    let (row, _) = store.archive().talk_after(&general(), MessageTs::MIN).await.expect("read").expect("C1");
    commit(store, claimed, StepDraft { read_revision: row.revision, ..chapter(n, text) }).await
}

async fn mend(store: &Store) {
    while !store.intake().mend_names(at(90)).await.expect("looked") {}
}

on_both! {
    the_directory_is_right_whatever_a_message_says => async |world: &World| {
        let store = &world.store;
        let told = [
            through_app("U1", "Helper"),
            hearsay(HearsaySource::Label, "U1", "annie", false),
            hearsay(HearsaySource::Profile, "U1", "Other", false),
        ];
        store.intake().apply(vec![user("U1", "Ann")], at(0)).await.expect("applied");
        store.intake().apply(told.to_vec(), at(1)).await.expect("applied");
        assert_eq!(known(store, "U1").await, Some(called("Ann", false)));
        for order in [[0, 1, 2], [2, 1, 0], [1, 2, 0], [0, 2, 1]] {
            let id = format!("U{}{}{}", order[0], order[1], order[2]);
            for nth in order {
                let Event::Hearsay(mut one) = told[nth].clone() else { unreachable!() };
                one.user.id = UserId::new(&*id);
                store.intake().apply(vec![Event::Hearsay(one)], at(2)).await.expect("applied");
            }
            let name = "Other";
            assert_eq!(known(store, &id).await, Some(called(name, true)), "in whatever order: {order:?}");
            store.intake().apply(vec![user(&id, "Bob")], at(3)).await.expect("applied");
            assert_eq!(known(store, &id).await, Some(called("Bob", false)));
        }
    };

    who_posts_through_an_app_is_answered => async |world: &World| {
        let store = &world.store;
        store.intake().apply(vec![channel("C1", ChannelKind::Public), user("U1", "Ann"), bot("U7", "ci")], at(0)).await.expect("applied");
        let arrived = arrive(store, vec![through_app("U1", "Helper"), by("U1", 1, "<@UMYAO> hi")]).await;
        assert_eq!(arrived.places.len(), 1, "a person who posts through an app");
        let arrived = arrive(store, vec![through_app("U7", "ci"), by("U7", 2, "<@UMYAO> hi")]).await;
        assert_eq!(arrived.places.len(), 0, "a bot");
        let bridged = Event::User(User { id: UserId::new("B7:alice"), name: "alice".to_owned(), is_bot: true });
        let arrived = arrive(store, vec![bridged.clone(), by("B7:alice", 3, "<@UMYAO> hi")]).await;
        assert_eq!(arrived.places.len(), 0, "a name under which a bot posts");
        let mut answering = attention();
        answering.bots = BTreeSet::from([UserId::new("B7")]);
        let again = store.intake().apply_live(vec![bridged, by("B7:alice", 4, "<@UMYAO> hi")], &answering, at(100)).await;
        assert_eq!(again.expect("applied").places.len(), 1, "a bot that is answered, under whatever name");
    };

    an_unknown_author_counts_as_a_bot_until_the_directory_answers => async |world: &World| {
        let store = &world.store;
        store.intake().apply(vec![channel("C1", ChannelKind::Public), channel("D1", ChannelKind::Dm)], at(0)).await.expect("applied");
        let dm = Event::Message(Message { user: UserId::new("U1"), ..message("D1", 3, "are you there?") });
        let told = vec![through_app("U1", "Helper"), by("U1", 1, "<@UMYAO> hi"), by("U1", 2, "just talk"), dm];
        assert_eq!(arrive(store, told).await.places.len(), 0);
        let people = store.hearing().people_and_channels_to_name().await.expect("read").people;
        assert_eq!(people, [UserId::new("U1")], "it is still to be looked up");
        assert_eq!(arrive(store, vec![user("U1", "Ann")]).await.places.len(), 2, "a person after all");
        assert_eq!(store.hearing().people_and_channels_to_name().await.expect("read").people, []);
        let told = vec![through_app("U8", "Builds"), by("U8", 5, "<@UMYAO> hi")];
        assert_eq!(arrive(store, told).await.places.len(), 0);
        assert_eq!(arrive(store, vec![bot("U8", "builds-bot")]).await.places.len(), 0, "a bot indeed");
        assert_eq!(arrive(store, vec![user("U1", "Ann")]).await.places.len(), 0, "told again, nothing is new");
    };

    memories_under_a_wrong_name_are_written_anew => async |world: &World| {
        let store = &world.store;
        let events = vec![channel("C1", ChannelKind::Public), through_app("U1", "Helper"), user("U2", "Ben"),
            by("U1", 1, "the lorry is late"), by("U2", 11, "Helper is a good app"), by("U1", 21, "it is here"),
            by("U1", 31, "thanks")];
        store.intake().apply(events, at(0)).await.expect("applied");
        let claimed = claim(store, "channel:C1").await;
        cut_chapters(store, &claimed, 0, 4).await;
        let texts = ["[2026-02-02 02:40] Helper: the lorry is late", "[2026-02-02 02:40] Ben: Helper is a good app",
            "- Helper: the lorry is here", "- The lorry was unloaded"];
        for (n, text) in (1..).zip(texts) {
            write(store, &claimed, n, text).await;
        }
        let steps: Vec<_> = store.memory().all_memories(&Visibility::Owner).await.expect("read").iter().map(|(step, _)| *step).collect();
        let folded = commit(store, &claimed, merge("Helper said that the lorry is late", 4, &steps, None)).await;
        let whole = claim(store, "workspace").await;
        let memory = draft(MemoryScope::Workspace, "default", MemoryType::LongTerm, "Helper has a lorry");
        commit(store, &whole, StepDraft { hard: vec![folded], ..step(memory, 1, None) }).await;
        let before = shown(store).await;
        mend(store).await;
        assert_eq!(to_write(store).await, [0_u32; 0], "nothing is wrong yet");

        store.intake().apply(vec![user("U1", "Ann")], at(50)).await.expect("applied");
        mend(store).await;
        assert_eq!(to_write(store).await, [1, 3], "where Ann spoke and is called Helper");
        assert_eq!(shown(store).await, before - 1, "shown until then, but for what is made of all channels");
        assert_eq!(workspace_text(store).await, None);
        mend(store).await;
        store.intake().apply(vec![through_app("U1", "Helper")], at(51)).await.expect("applied");
        mend(store).await;
        assert_eq!(to_write(store).await, [1, 3]);
    };

    what_an_older_version_wrote_is_mended_once_an_app_is_seen_again => async |world: &World| {
        let store = &world.store;
        let events = vec![channel("C1", ChannelKind::Public), user("U1", "Ann"), by("U1", 1, "the lorry is late"),
            by("U1", 11, "I use Helper")];
        store.intake().apply(events, at(0)).await.expect("applied");
        let claimed = claim(store, "channel:C1").await;
        cut_chapters(store, &claimed, 0, 2).await;
        write(store, &claimed, 1, "[2026-02-02 02:40] Helper: the lorry is late").await;
        store.intake().apply(vec![through_app("U1", "Helper")], at(50)).await.expect("applied");
        mend(store).await;
        assert_eq!(to_write(store).await, [2], "in a database of this version an app is nobody's name");
        let older = "INSERT INTO settings (key, value) SELECT 'older_names', CAST(max(id) AS TEXT) FROM memory_steps";
        crate::planted::plant(world, older).await;
        write(store, &claimed, 2, "[2026-02-02 02:40] Ann: I use Helper").await;
        store.intake().apply(vec![through_app("U1", "Helper")], at(51)).await.expect("applied");
        mend(store).await;
        assert_eq!(to_write(store).await, [1], "what this version wrote says it as it is");
    };

    an_id_that_an_older_version_spoilt_is_mended => async |world: &World| {
        let store = &world.store;
        store.intake().apply(vec![channel("C1", ChannelKind::Public), by("U1", 1, "hi")], at(0)).await.expect("applied");
        crate::planted::plant(world, "INSERT INTO users (id, name, called, is_bot) VALUES ('U1', 'Helper', 'Helper', 1)").await;
        assert_eq!(store.hearing().people_and_channels_to_name().await.expect("read").people, [UserId::new("U1")], "it is looked up");
        store.intake().apply(vec![through_app("U1", "Helper"), user("U1", "Ann")], at(1)).await.expect("applied");
        assert_eq!(known(store, "U1").await, Some(called("Ann", false)));
    };

    the_memory_of_a_thread_under_a_wrong_name_is_written_anew => async |world: &World| {
        let store = &world.store;
        let root = ts(1);
        let other = ts(2);
        let reply = |second, root, words| Event::Message(Message {
            user: UserId::new("U1"), thread_ts: Some(root), ..message("C1", second, words) });
        let events = vec![channel("C1", ChannelKind::Public), through_app("U1", "Helper"), by("U1", 1, "the lorry is late"),
            by("U1", 2, "lunch?"), reply(3, root, "very late"), reply(4, other, "at noon")];
        store.intake().apply(events, at(0)).await.expect("applied");
        let claimed = claim(store, "channel:C1").await;
        for (root, text) in [(root, "Helper says that the lorry is late"), (other, "Lunch is at noon")] {
            let id = make_thread_scope_id(&general(), root);
            let memory = draft(MemoryScope::Thread, id.as_str(), MemoryType::ShortTerm, text);
            let (row, _) = store.archive().talk_after(&general(), MessageTs::MIN).await.expect("read").expect("C1");
            commit(store, &claimed, StepDraft { read_revision: row.revision, ..step(memory, 1, None) }).await;
        }
        store.intake().apply(vec![user("U1", "Ann")], at(50)).await.expect("applied");
        mend(store).await;
        assert_eq!(store.memory().threads_with_outdated_memory(&general()).await.expect("read"), [root], "where Ann is called Helper");
    };

    each_name_of_a_bridge_is_found_by_itself => async |world: &World| {
        let store = &world.store;
        let alice = bot("B7:alice (irc)", "alice (irc)");
        let bob = bot("B7:bob (irc)", "bob (irc)");
        store.intake().apply(vec![channel("C1", ChannelKind::Public), alice, by("B7:alice (irc)", 1, "I am alice and keep bees"),
            bob, by("B7:bob (irc)", 2, "I am bob and keep hens")], at(0)).await.expect("applied");
        while !store.recall().index_some().await.expect("indexed").is_complete {}
        let claimed = claim(store, "channel:C1").await;
        cut_chapters(store, &claimed, 0, 1).await;
        write(store, &claimed, 1, "2026-03-02\n- alice (irc): Decided: alice keeps 12 bees.\n- bob (irc): Decided: 30 hens.").await;
        for (id, words) in [("B7:alice (irc)", "alice (irc): Decided: alice keeps 12 bees."), ("B7:bob (irc)", "bob (irc): Decided: 30 hens.")] {
            let lines = store.recall().lines_of_person(&Visibility::Owner, &UserId::new(id), 9).await.expect("read").lines;
            assert_eq!(lines.iter().map(|line| line.words.as_str()).collect::<Vec<_>>(), [words]);
        }
        let names = store.archive().names(&Visibility::Owner).await.expect("read");
        assert_eq!(names.user(&UserId::new("B7:bob (irc)")), "bob (irc)");
        let opted = store.clone().heeding(OptOuts::new(&["B7".to_owned()], &[]));
        let out = opted.intake().apply(vec![by("B7:alice (irc)", 40, "no")], at(41)).await.expect("applied");
        assert_eq!(out.left_out, 1, "who opts out for a bot opts out for all of its names");
    };
}
