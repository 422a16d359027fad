//! What was taken for deleted comes back when it is seen later, and as an ordinary message; what the platform or the owner
//! said stays deleted (ADR 82).

use std::collections::BTreeSet;

use myao_core::{
    chat::{ChannelId, ChannelKind, Event, FileRef, HeldState, Message, MessageTs, UserId, Visibility},
    memory::{MemoryScope, MemoryType, ScopeId},
};
use myao_store::{Applied, FirstSight, MissingIn, MissingSource, OptOuts, Store};

use crate::{
    built::build,
    forget::{forget, of_user, with_words},
    recall::{index, request, run},
    replies::{
        attention,
        talk::{edited, gone, mention, wanted},
    },
    support::{World, all_of, at, channel, general, message, on_both, said, ts},
};

/// Missing in an export of this second that holds everything.
fn export(second: i64) -> MissingIn {
    MissingIn { source: MissingSource::Export, at: ts(second), is_proven: true }
}

/// Missing in an export of this second, as a person says.
fn said_so(second: i64) -> MissingIn {
    MissingIn { is_proven: false, ..export(second) }
}

fn history(second: i64) -> MissingIn {
    MissingIn { source: MissingSource::History, ..export(second) }
}

async fn apply(store: &Store, events: Vec<Event>) -> Applied {
    store.intake().apply(events, at(1000)).await.expect("applied")
}

async fn seen(store: &Store, events: Vec<Event>, second: i64) -> Applied {
    store.intake().apply_seen(events, ts(second), at(1000)).await.expect("applied")
}

async fn missing(store: &Store, seconds: &[i64], missing_in: MissingIn) -> Applied {
    let missing: Vec<MessageTs> = seconds.iter().map(|second| ts(*second)).collect();
    store.intake().take_for_deleted(&general(), &missing, missing_in, at(1000)).await.expect("applied")
}

async fn back(store: &Store, messages: Vec<Message>) -> u64 {
    store.intake().bring_back(messages, at(1000)).await.expect("applied").brought_back
}

async fn texts(store: &Store) -> Vec<String> {
    let (_, talk) =
        store.archive().talk_in_range(&Visibility::Owner, &all_of(general())).await.expect("read");
    talk.into_iter().map(|message| message.text).collect()
}

async fn three(store: &Store) {
    apply(store, vec![channel("C1", ChannelKind::Public), said(1, "one"), said(2, "two"), said(3, "three")])
        .await;
}

/// What the index finds of a word, how often it is counted, and the texts: whatever must be as it was.
async fn traces(store: &Store, word: &str) -> (usize, u64, Vec<String>) {
    index(store).await;
    while !store.recall().count_older_messages().await.expect("counted") {}
    let found = store.recall().search(&Visibility::Owner, &request(word)).await.expect("asked").len();
    let terms: BTreeSet<String> = [word.to_owned()].into();
    let counts = store.recall().frequencies_of_terms(Some(&general()), &terms).await.expect("read");
    (found, counts.frequencies[word].messages, texts(store).await)
}

on_both! {
    a_later_sight_undoes_what_was_concluded => async |world: &World| {
        let store = &world.store;
        three(store).await;
        let before = traces(store, "two").await;
        for (missing_in, earlier, later) in [(export(100), 99, 100), (history(200), 199, 201)] {
            assert_eq!(missing(store, &[2], missing_in).await, Applied { deleted: 1, ..Applied::default() });
            assert_eq!(traces(store, "two").await, (0, 0, vec!["one".to_owned(), "three".to_owned()]));
            assert_eq!(missing(store, &[2], missing_in).await.deleted, 0, "once");
            assert_eq!(seen(store, vec![said(2, "two")], earlier).await.same, 1, "an earlier one proves nothing");
            assert_eq!(store.archive().taken_for_deleted().await.expect("read").into_values().collect::<Vec<_>>(), [missing_in]);
            let again = seen(store, vec![said(1, "one"), said(2, "two")], later).await;
            assert_eq!(again, Applied { brought_back: 1, same: 1, ..Applied::default() });
            assert_eq!(traces(store, "two").await, before);
            assert!(store.archive().taken_for_deleted().await.expect("read").is_empty());
            assert_eq!(store.verify().await.expect("read").faults, []);
        }
    };

    any_sight_undoes_what_a_person_said => async |world: &World| {
        let store = &world.store;
        three(store).await;
        missing(store, &[2, 3], said_so(100)).await;
        assert_eq!(seen(store, vec![said(2, "two")], 5).await.brought_back, 1);
        // Later it turned out that the other one was deleted indeed: it is missing where everything is.
        store.archive().confirm_deleted(&general(), &[ts(3)], export(150)).await.expect("noted");
        assert_eq!(seen(store, vec![said(3, "three")], 149).await.brought_back, 0);
        assert_eq!(seen(store, vec![said(3, "three")], 150).await.brought_back, 1);
        assert_eq!(texts(store).await, ["one", "two", "three"]);
    };

    /// What is delivered once more is as old as it is.
    a_redelivery_is_no_later_sight => async |world: &World| {
        let store = &world.store;
        three(store).await;
        missing(store, &[2], history(100)).await;
        assert_eq!(apply(store, vec![said(2, "two"), edited(2, 99, "two, edited")]).await.brought_back, 0);
        assert_eq!(texts(store).await, ["one", "three"]);
        assert_eq!(apply(store, vec![edited(2, 101, "two, edited since")]).await.brought_back, 1);
        assert_eq!(texts(store).await, ["one", "two, edited since", "three"]);
    };

    the_platforms_word_is_final_whenever_it_comes => async |world: &World| {
        let store = &world.store;
        three(store).await;
        missing(store, &[1], said_so(100)).await;
        assert_eq!(apply(store, vec![gone(1), gone(2)]).await.deleted, 1);
        assert_eq!(missing(store, &[2], said_so(100)).await.deleted, 0);
        // And where the message was never there.
        apply(store, vec![gone(4)]).await;
        let all = || vec![message("C1", 1, "one"), message("C1", 2, "two"), message("C1", 4, "four")];
        let events = || all().into_iter().map(Event::Message).collect();
        assert_eq!((seen(store, events(), 900).await.brought_back, back(store, all()).await), (0, 0));
        assert_eq!(texts(store).await, ["three"]);
        assert!(store.archive().taken_for_deleted().await.expect("read").is_empty());
        assert!(store.archive().deleted_without_grounds().await.expect("read").is_empty());
    };

    what_an_earlier_version_deleted_comes_back_when_a_person_wants_it => async |world: &World| {
        let store = &world.store;
        three(store).await;
        apply(store, vec![gone(2), gone(3), gone(9)]).await;
        run(world, "DELETE FROM deletions").await;
        assert_eq!(seen(store, vec![said(2, "two")], 900).await.brought_back, 0, "it counts as the platform's word");
        assert_eq!(missing(store, &[2], said_so(100)).await.deleted, 0, "and is not concluded anew");
        let unsaid = store.archive().deleted_without_grounds().await.expect("read");
        assert_eq!(unsaid, [(general(), ts(2)), (general(), ts(3))], "9 was never there");
        assert_eq!(back(store, vec![message("C1", 2, "two")]).await, 1);
        // The platform says it once more: now it is known to be its word.
        apply(store, vec![gone(3)]).await;
        assert_eq!(back(store, vec![message("C1", 3, "three")]).await, 0);
        assert_eq!(texts(store).await, ["one", "two"]);
        assert_eq!(store.verify().await.expect("read").faults, []);
    };

    what_is_forgotten_never_comes_back => async |world: &World| {
        let store = &world.store;
        let mine = |second, text: &str| Message { user: UserId::new("U7"), ..message("C1", second, text) };
        three(store).await;
        apply(store, [4, 5].map(|second| Event::Message(mine(second, "mine"))).to_vec()).await;
        apply(store, vec![said(6, "six")]).await;
        missing(store, &[2, 4], said_so(100)).await;
        apply(store, vec![gone(6)]).await;
        run(world, "DELETE FROM deletions WHERE grounds = 'told'").await;
        // Nobody knows any more whether the second and the sixth held the word.
        forget(store, &with_words("swordfish"), 200).await;
        forget(store, &of_user("U7"), 201).await;
        let all = vec![message("C1", 2, "two"), mine(4, "mine"), mine(5, "mine"), message("C1", 6, "six")];
        let events: Vec<Event> = all.iter().cloned().map(Event::Message).collect();
        assert_eq!(seen(store, events, 900).await.brought_back, 0);
        assert!(store.archive().deleted_without_grounds().await.expect("read").is_empty());
        assert_eq!(store.intake().may_come_back(all.clone()).await.expect("read").len(), 2, "hers are known to be forgotten");
        assert_eq!(back(store, all[..3].to_vec()).await, 0);
        assert_eq!(texts(store).await, ["one", "three"]);
        // What is taken for deleted later was searched.
        missing(store, &[1], said_so(300)).await;
        assert_eq!(seen(store, vec![said(1, "one")], 300).await.brought_back, 1);
    };

    whoever_opted_out_since_stays_out => async |world: &World| {
        let store = &world.store;
        three(store).await;
        missing(store, &[2], said_so(100)).await;
        let heeding = store.clone().heeding(OptOuts::new(&["U1".to_owned()], &[]));
        heeding.intake().apply(vec![channel("C1", ChannelKind::Public)], at(1000)).await.expect("applied");
        let again = seen(&heeding, vec![said(2, "two")], 900).await;
        assert_eq!((again.brought_back, again.left_out), (0, 1));
        assert!(heeding.intake().may_come_back(vec![message("C1", 2, "two")]).await.expect("read").is_empty());
        assert_eq!(back(&heeding, vec![message("C1", 2, "two")]).await, 0);
        assert_eq!(missing(&heeding, &[3], export(100)).await.deleted, 1, "what is deleted goes, whoever said it");
        assert_eq!(texts(store).await, ["one"]);
    };

    expired_words_do_not_come_back => async |world: &World| {
        let store = &world.store;
        build(store).await;
        while store.intake().expire_words(at(100), at(200)).await.expect("expired") {}
        let expired = async || {
            let held = store.archive().held_channel(&general()).await.expect("read").talk;
            held.iter().filter(|message| message.state == HeldState::Expired).count()
        };
        assert_eq!((texts(store).await, expired().await), (vec!["four".to_owned()], 4));
        missing(store, &[11], export(300)).await;
        assert_eq!(expired().await, 3);
        assert_eq!(seen(store, vec![said(11, "two")], 301).await.brought_back, 1);
        assert_eq!((texts(store).await, expired().await), (vec!["four".to_owned()], 4));
        let coverage = store.memory().coverage_by_channel().await.expect("read");
        assert!(coverage.iter().all(|one| one.uncovered == 0), "{coverage:?}");
    };

    /// Chapter, long-term, thread and workspace memory: each goes with the message, and is missing until it is written
    /// anew; after that the message comes late.
    memories_follow_there_and_back => async |world: &World| {
        let store = &world.store;
        build(store).await;
        let long_term = async || {
            let id = ScopeId::channel(&general());
            let head = store.memory().head(&Visibility::Owner, MemoryScope::Channel, &id, MemoryType::LongTerm).await;
            head.expect("read").map(|head| head.memory.content().to_owned())
        };
        let waiting = async || {
            let work = store.memory().chapters_to_write(&general()).await.expect("read");
            work.into_iter().map(|work| work.version).collect::<Vec<_>>()
        };
        assert_eq!((long_term().await.as_deref(), waiting().await), (Some("first to third"), vec![]));
        missing(store, &[11], export(300)).await;
        assert_eq!((long_term().await, waiting().await), (None, vec![2]));
        assert_eq!(seen(store, vec![said(11, "two")], 301).await.brought_back, 1);
        assert_eq!((long_term().await, waiting().await), (None, vec![2]), "it is written from both");
        let faults = store.verify().await.expect("read").faults;
        assert!(faults.is_empty(), "{faults:?}");
    };

    /// Told again it is the same question: answered once, or too old.
    nothing_that_comes_back_is_answered_late_or_twice => async |world: &World| {
        let store = &world.store;
        let history_tells = async |events, second| {
            store.intake().apply_history(events, &attention(), ts(second), at(second)).await.expect("applied").places.len()
        };
        store.intake().apply_live(vec![channel("C1", ChannelKind::Public), mention(1)], &attention(), at(5)).await.expect("applied");
        missing(store, &[1], history(10)).await;
        assert!(wanted(store).await.is_none());
        assert_eq!(history_tells(vec![mention(1)], 20).await, 1, "it was not answered, and is young");
        missing(store, &[1], history(30)).await;
        assert_eq!(history_tells(vec![mention(1)], 3700).await, 0, "now it is too old");
        assert_eq!(texts(store).await, ["<@UMYAO> hi"]);
    };

    /// Secrets and files are noted anew.
    everything_of_the_message_is_as_it_was => async |world: &World| {
        let store = &world.store;
        let key = "ghp_0123456789abcdefghijABCDEFGHIJ012345";
        let full = Message {
            thread_ts: Some(ts(1)),
            files: vec![FileRef { name: "plan.pdf".to_owned(), ..FileRef::default() }],
            edited_at: Some(ts(4)),
            ..message("C1", 2, &format!("the key is {key}"))
        };
        three(store).await;
        apply(store, vec![Event::Message(full.clone())]).await;
        let secrets = async || store.archive().messages_with_secrets(9).await.expect("read").0;
        let before = (store.archive().message(&Visibility::Owner, &general(), ts(2)).await.expect("read"), secrets().await);
        missing(store, &[2], export(100)).await;
        assert_eq!(secrets().await, 0);
        seen(store, vec![Event::Message(full)], 100).await;
        assert_eq!((store.archive().message(&Visibility::Owner, &general(), ts(2)).await.expect("read"), secrets().await), before);
    };

    a_changed_history_is_read_again_once => async |world: &World| {
        let store = &world.store;
        three(store).await;
        let changed = async || store.hearing().channels_to_read_again().await.expect("read");
        store.hearing().note_changed_history(&general(), ts(2)).await.expect("noted");
        assert!(changed().await.is_empty(), "we are not in it");
        store.hearing().join_channel(&general(), FirstSight::since(ts(0))).await.expect("joined");
        store.hearing().note_changed_history(&general(), ts(3)).await.expect("noted");
        store.hearing().note_changed_history(&general(), ts(1)).await.expect("noted");
        assert_eq!(changed().await, [(general(), ts(3))]);
        store.hearing().history_read_again(&general(), ts(2)).await.expect("noted");
        assert_eq!(changed().await.len(), 1, "it was changed again meanwhile");
        store.hearing().history_read_again(&general(), ts(3)).await.expect("noted");
        assert!(changed().await.is_empty());
    };

    a_channel_with_a_new_id_keeps_why => async |world: &World| {
        let store = &world.store;
        let shared = ChannelId::new("C9");
        three(store).await;
        apply(store, vec![said(4, "four"), said(5, "five")]).await;
        missing(store, &[1], export(100)).await;
        apply(store, vec![gone(2)]).await;
        // Some arrived under the new id already, of which some was concluded there.
        let early = |second, text: &str| Event::Message(message("C9", second, text));
        apply(store, vec![channel("C9", ChannelKind::Public), early(4, "four"), early(6, "six")]).await;
        store.intake().take_for_deleted(&shared, &[ts(4)], history(200), at(1000)).await.expect("applied");
        store.intake().rename_channel_everywhere(&general(), &shared, at(1000)).await.expect("renamed");
        let taken = store.archive().taken_for_deleted().await.expect("read");
        let expected = [((shared.clone(), ts(1)), export(100)), ((shared.clone(), ts(4)), history(200))];
        assert_eq!(taken.into_iter().collect::<Vec<_>>(), expected);
        let events = vec![early(1, "one"), early(2, "two"), early(4, "four")];
        assert_eq!(store.intake().apply_seen(events, ts(200), at(1000)).await.expect("applied").brought_back, 2);
    };
}
