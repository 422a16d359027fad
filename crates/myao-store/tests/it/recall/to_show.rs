//! What was found comes with what it takes to show it, of one moment and through the same eyes.

use myao_core::{
    chat::{ChannelId, ChannelKind, Mentions, UserId, Visibility},
    memory::{MemoryScope, MemoryType},
};
use myao_store::{RecallRequest, RecallToShow, Recalled, Store};

use super::{index, request, run, tell};
use crate::{
    gather::statements_so_far,
    support::{World, at, by_hand, channel, draft, message, on_both, user, write_memory},
};

fn mentions(found: &[Recalled]) -> Mentions {
    let mut mentions = Mentions::default();
    for one in found {
        mentions.channels.insert(one.text.channel().clone());
        if let Some(message) = one.text.as_message() {
            mentions.users.insert(message.user.clone());
            mentions.add_talk(&message.text);
        }
    }
    mentions
}

async fn shown(store: &Store, seen: &Visibility, request: &RecallRequest) -> RecallToShow {
    store.recall().search_to_show(seen, request, mentions).await.expect("asked")
}

/// An open and a private channel, each of which names the other, and a memory of the open one.
async fn furnish(store: &Store) {
    let channels = [channel("C1", ChannelKind::Public), channel("G1", ChannelKind::Private)];
    store.intake().apply(channels.to_vec(), at(0)).await.expect("applied");
    store.intake().apply(vec![user("U1", "Hana")], at(0)).await.expect("applied");
    let said = ["the crocodile of <#G1> is asleep", "a heron sleeps as well", "crocodiles and herons"];
    tell(store, (1..).zip(said).map(|(second, text)| message("C1", second, text)).collect()).await;
    tell(store, vec![message("G1", 50, "a crocodile for <#C1>")]).await;
    let memory = draft(MemoryScope::Channel, "C1", MemoryType::LongTerm, "- Hana: the crocodile sleeps");
    write_memory(store, memory, by_hand(), at(60)).await;
    store.archive().note_team_url("https://example.slack.com/").await.expect("noted");
    index(store).await;
}

on_both! {
    what_is_found_is_shown_by_the_names_that_may_be_seen => async |world: &World| {
        let store = &world.store;
        furnish(store).await;
        for seen in [Visibility::Open, Visibility::Owner, Visibility::only(&ChannelId::new("G1"))] {
            for words in ["crocodile", "crocodile heron", "crocodils", "nothing says this"] {
                let shown = shown(store, &seen, &request(words)).await;
                let alone = store.recall().search_typed_words(&seen, &request(words)).await.expect("asked");
                let texts = |found: &[Recalled]| found.iter().map(|one| one.text.words()).collect::<Vec<_>>();
                assert_eq!(texts(&shown.recalled.found), texts(&alone.found), "{words} by {seen:?}");
                assert_eq!(shown.recalled.instead, alone.instead, "{words} by {seen:?}");
                assert!(shown.finds_all && shown.reaches_all, "{words} by {seen:?}");
                assert_eq!(shown.team_url.as_deref(), Some("https://example.slack.com/"));
                let names = store.archive().names_of_mentioned(&seen, &mentions(&alone.found)).await.expect("read");
                for id in ["C1", "G1"].map(ChannelId::new) {
                    assert_eq!(shown.names.channel(&id), names.channel(&id), "{words} by {seen:?}");
                }
                assert_eq!(shown.names.user(&UserId::new("U1")), names.user(&UserId::new("U1")));
            }
        }
        let open = shown(store, &Visibility::Open, &request("crocodile")).await;
        assert_eq!(open.names.channel(&ChannelId::new("C1")), "name-C1");
        assert_ne!(open.names.channel(&ChannelId::new("G1")), "name-G1", "nobody outside is told its name");
    };

    an_index_that_is_being_made_is_told => async |world: &World| {
        let store = &world.store;
        furnish(store).await;
        for undone in [
            "UPDATE settings SET value = 'another' WHERE key = 'names'",
            "INSERT INTO settings (key, value) VALUES ('names_after', 'U0')",
            "UPDATE settings SET value = 'another' WHERE key = 'lines'",
            "UPDATE settings SET value = 'another' WHERE key = 'house_words'",
            "INSERT INTO settings (key, value) VALUES ('recall_steps', '0')",
            "UPDATE channels SET recall_to = 0 WHERE id = 'C1'",
            "UPDATE settings SET value = 'another' WHERE key = 'recall'",
        ] {
            run(world, undone).await;
            assert!(!shown(store, &Visibility::Open, &request("heron")).await.finds_all, "{undone}");
            assert!(!store.recall().index_progress().await.expect("read").finds_all, "{undone}");
            index(store).await;
            assert!(shown(store, &Visibility::Open, &request("heron")).await.finds_all, "{undone}");
        }
    };
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_damaged_index_is_made_anew_and_finds_nothing_until_then() {
    let world = crate::support::sqlite().await;
    furnish(&world.store).await;
    tell(&world.store, (100..140).map(|n| message("C1", n, &format!("crocodile number {n}"))).collect())
        .await;
    run(&world, "DELETE FROM recall_data WHERE id > 10").await;
    let found = shown(&world.store, &Visibility::Open, &request("crocodile")).await;
    assert!(found.recalled.found.is_empty() && !found.finds_all);
    assert_eq!(found.recalled.words, "crocodile");
    index(&world.store).await;
    let found = shown(&world.store, &Visibility::Open, &request("crocodile")).await;
    assert!(found.recalled.found.len() > 40 && found.finds_all);
}

/// A search with all that it takes to show what it found, at most. Each statement is a trip between two threads, or to a
/// server.
const MOST_STATEMENTS: usize = 22;

/// PostgreSQL's driver reports its statements on the thread that awaits them, so one thread sees them all.
#[tokio::test]
async fn a_search_takes_few_statements() {
    let world = crate::support::postgres().await;
    furnish(&world.store).await;
    for words in ["crocodile", "crocodile heron", "when does the crocodile sleep"] {
        let before = statements_so_far();
        let found = shown(&world.store, &Visibility::Open, &request(words)).await.recalled.found;
        let taken = statements_so_far() - before;
        assert!(!found.is_empty(), "{words}");
        assert!((MOST_STATEMENTS / 2..=MOST_STATEMENTS).contains(&taken), "{words}: {taken} statements");
    }
}
