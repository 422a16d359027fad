//! Words of the house in the store: through every visibility, and gone with the messages that explain them, on both
//! databases (specification §5, §6).

use myao_core::{
    chat::{ChannelId, ChannelKind, Event, Message, User, UserId, Visibility},
    recall::HouseWordState,
};
use myao_store::{GatherRequest, HouseWordEnd, HouseWordQuery, OptOuts, Store, StoredHouseWord, Target};
use sqlx::{Connection as _, PgConnection, SqliteConnection};

use super::{edited, found, index, rebuilt, rows, run, tell};
use crate::{
    forget::{forget, of_channel, of_user, with_words},
    gather,
    support::{World, at, channel, message, on_both, ts, user},
};

/// The words that count, as `word=meaning`, with their channels.
async fn terms(store: &Store, visibility: &Visibility) -> Vec<String> {
    let words = store.recall().house_words(visibility, &HouseWordQuery::default()).await.expect("read");
    let standing = words.into_iter().filter(|one| one.state == HouseWordState::Stands);
    let told = |one: StoredHouseWord| {
        format!("{} {}={}", one.said.channel, one.said.said.word, one.said.said.meaning)
    };
    standing.map(told).collect()
}

async fn all_terms(store: &Store) -> Vec<String> {
    terms(store, &Visibility::Owner).await
}

async fn end(store: &Store, id: &str, word: &str, meaning: &str) -> u64 {
    let channel = ChannelId::new(id);
    let ended = HouseWordEnd::Ended;
    store.recall().end_house_word(&channel, word, meaning, ended, at(900)).await.expect("ended")
}

/// How many meanings are ended, as stored.
async fn stored_ends(world: &World) -> i64 {
    let count = "SELECT count(*) FROM house_word_ends";
    match &world.target {
        Target::Sqlite(path) => {
            let url = format!("sqlite://{}", path.display());
            let mut connection = SqliteConnection::connect(&url).await.expect("open");
            sqlx::query_scalar(count).fetch_one(&mut connection).await.expect("read")
        }
        Target::Postgres(url) => {
            let mut connection = PgConnection::connect(url).await.expect("open");
            sqlx::query_scalar(count).fetch_one(&mut connection).await.expect("read")
        }
    }
}

const KINDS: [ChannelKind; 3] = [ChannelKind::Public, ChannelKind::Private, ChannelKind::Dm];

/// In every workspace of three channels of any kinds, no place is told a word of one that it does not see, nor finds what
/// is said there by it, nor anything of its own by such a word.
async fn no_place_learns_what_it_does_not_see(world: &World) {
    let store = &world.store;
    let mut all: Vec<(String, ChannelKind)> = Vec::new();
    for (at_once, kinds) in
        (0..).zip(KINDS.iter().flat_map(|a| KINDS.iter().flat_map(move |b| KINDS.map(|c| [*a, *b, c]))))
    {
        let ids = ["A", "B", "D"].map(|letter| format!("{letter}{at_once}"));
        let sign = format!("QX{at_once}");
        all.extend(ids.iter().cloned().zip(kinds));
        for ((id, kind), name) in ids.iter().zip(kinds).zip(["Alder", "Birch", "Dogwood"]) {
            store.intake().apply(vec![channel(id, kind)], at(0)).await.expect("applied");
            let explained = message(id, 1, &format!("{sign} = {name}"));
            let said = message(id, 2, &format!("The gate of {name} is shut in {id}"));
            tell(store, vec![explained, said]).await;
        }
        for own in &ids {
            let place = Visibility::Place { channel: ChannelId::new(own.as_str()), open_channels: true };
            let sees = |id: &str| {
                all.iter().any(|(other, kind)| other == id && (other == own || *kind == ChannelKind::Public))
            };
            for told in terms(store, &place).await.iter().filter(|told| told.contains(&sign)) {
                let (id, _) = told.split_once(' ').expect("a channel");
                assert!(sees(id), "{kinds:?}: {own} is told {told}");
            }
            let question = message(own, 50_000, &format!("is the gate of {sign} shut?"));
            let request = GatherRequest {
                most_recalled: 20,
                as_if_said: Some(question),
                ..gather::request(&ChannelId::new(own.as_str()))
            };
            let gathered = store.gather().for_prompt(&request).await.expect("read").expect("known");
            for word in &gathered.house_words {
                assert!(sees(word.channel.as_str()), "{kinds:?}: {own} asks with {word:?}");
                // The own word goes before all others.
                assert_eq!(word.channel.as_str(), own, "{kinds:?}");
            }
            for one in &gathered.recalled {
                let id = one.text.channel().as_str();
                assert!(sees(id), "{kinds:?}: {own} finds {}", one.text.words());
            }
        }
    }
}

/// A channel in which a word was explained, and that was ended, so that nothing else keeps it.
async fn with_an_ended_word(world: &World) {
    let store = &world.store;
    let known = vec![channel("C1", ChannelKind::Public), user("U1", "Ann")];
    store.intake().apply(known, at(0)).await.expect("applied");
    tell(store, vec![message("C1", 1, "QX = Alder"), message("C1", 2, SAID)]).await;
    assert_eq!(all_terms(store).await, ["C1 QX=Alder"]);
    assert!(found(store, "what about QX?").await.contains(&SAID.to_owned()));
    assert_eq!(end(store, "C1", "qx", "alder").await, 1);
    assert_eq!(all_terms(store).await, <[String; 0]>::default());
    assert!(!found(store, "what about QX?").await.contains(&SAID.to_owned()));
    assert_eq!(stored_ends(world).await, 1);
}

/// Nothing is left of the word: neither to be read nor in a row.
async fn is_gone(world: &World) {
    let query = HouseWordQuery::default();
    let left = world.store.recall().house_words(&Visibility::Owner, &query).await.expect("read");
    assert!(left.is_empty(), "{left:?}");
    assert_eq!(stored_ends(world).await, 0);
    assert_eq!(rows(world).await, rebuilt(world).await);
}

const SAID: &str = "The gate of Alder is shut";

on_both! {
    no_place_learns => async |world: &World| no_place_learns_what_it_does_not_see(world).await;

    a_word_goes_with_its_deleted_message => async |world: &World| {
        with_an_ended_word(world).await;
        let gone = Event::Deleted { channel: ChannelId::new("C1"), ts: ts(1) };
        world.store.intake().apply(vec![gone], at(2000)).await.expect("applied");
        is_gone(world).await;
    };

    a_word_goes_with_an_edit_that_says_it_no_more => async |world: &World| {
        with_an_ended_word(world).await;
        tell(&world.store, vec![edited(message("C1", 1, "QX is late"), 30)]).await;
        is_gone(world).await;
    };

    a_word_is_forgotten_with_what_is_sought => async |world: &World| {
        with_an_ended_word(world).await;
        forget(&world.store, &with_words("Alder"), 3000).await;
        is_gone(world).await;
    };

    a_word_is_forgotten_with_its_author => async |world: &World| {
        with_an_ended_word(world).await;
        forget(&world.store, &of_user("U1"), 3000).await;
        is_gone(world).await;
    };

    a_word_is_forgotten_with_its_channel => async |world: &World| {
        with_an_ended_word(world).await;
        forget(&world.store, &of_channel("C1"), 3000).await;
        is_gone(world).await;
    };

    a_word_is_hidden_while_whoever_explained_it_wants_no_part_in_memory => async |world: &World| {
        let store = &world.store;
        let known = vec![channel("C1", ChannelKind::Public), user("U1", "Ann"), user("U2", "Ben")];
        store.intake().apply(known, at(0)).await.expect("applied");
        let said_by_another = Message { user: UserId::new("U2"), ..message("C1", 2, SAID) };
        tell(store, vec![message("C1", 1, "QX = Alder"), said_by_another]).await;
        assert_eq!(all_terms(store).await, ["C1 QX=Alder"]);
        let heeding = store.clone().heeding(OptOuts::new(&["U1".to_owned()], &[]));
        heeding.intake().note_opted_out(at(80)).await.expect("noted");
        assert_eq!(all_terms(&heeding).await, <[String; 0]>::default());
        assert!(!found(&heeding, "what about QX?").await.contains(&SAID.to_owned()));
        store.intake().note_opted_out(at(90)).await.expect("noted");
        assert_eq!(all_terms(store).await, ["C1 QX=Alder"], "hidden, and not lost");
    };

    a_word_of_a_channel_that_closes_is_known_there_alone => async |world: &World| {
        let store = &world.store;
        let known = vec![channel("C1", ChannelKind::Public), channel("C2", ChannelKind::Public)];
        store.intake().apply(known, at(0)).await.expect("applied");
        tell(store, vec![message("C1", 1, "QX = Alder"), message("C2", 2, SAID)]).await;
        let place = |id: &str| Visibility::Place { channel: ChannelId::new(id), open_channels: true };
        assert_eq!(terms(store, &place("C2")).await, ["C1 QX=Alder"]);
        for (kind, is_seen) in [(ChannelKind::Private, false), (ChannelKind::Public, true), (ChannelKind::Private, false)] {
            store.intake().apply(vec![channel("C1", kind)], at(100)).await.expect("applied");
            assert_eq!(!terms(store, &place("C2")).await.is_empty(), is_seen, "{kind:?}");
            assert_eq!(terms(store, &place("C1")).await, ["C1 QX=Alder"], "{kind:?}");
        }
    };

    what_a_bot_or_we_explain_is_not_learned => async |world: &World| {
        let store = &world.store;
        store.recall().note_own(&crate::replies::attention().own).await.expect("noted");
        let bot = User { id: UserId::new("B1"), name: "Bot".to_owned(), is_bot: true };
        store.intake().apply(vec![channel("C1", ChannelKind::Public), Event::User(bot)], at(0)).await.expect("applied");
        for (second, by) in [(1, "B1"), (2, "UMYAO")] {
            tell(store, vec![Message { user: UserId::new(by), ..message("C1", second, "QX = Alder") }]).await;
        }
        assert_eq!(all_terms(store).await, <[String; 0]>::default());
    };

    an_end_stays_through_what_is_indexed_anew => async |world: &World| {
        let store = &world.store;
        store.intake().apply(vec![channel("C1", ChannelKind::Public)], at(0)).await.expect("applied");
        tell(store, vec![message("C1", 1, "QX = Alder"), message("C1", 2, "The gate of Alder is shut")]).await;
        assert_eq!(end(store, "C1", "QX", "Alder").await, 1);
        for _ in 0..3 {
            run(world, "DELETE FROM settings WHERE key IN ('recall', 'house_words')").await;
            index(store).await;
            assert_eq!(all_terms(store).await, <[String; 0]>::default());
        }
        assert!(!found(store, "what about QX?").await.contains(&SAID.to_owned()));
        // An edit that says it still leaves the end, another one takes it along.
        tell(store, vec![edited(message("C1", 1, "QX = Alder."), 40)]).await;
        assert_eq!(all_terms(store).await, <[String; 0]>::default());
        store.intake().rename_channel_everywhere(&ChannelId::new("C1"), &ChannelId::new("C9"), at(950)).await.expect("renamed");
        assert_eq!(all_terms(store).await, <[String; 0]>::default());
        tell(store, vec![message("C9", 60, "QX = Alder")]).await;
        assert_eq!(all_terms(store).await, ["C9 QX=Alder"]);
    };

    an_older_archive_is_read_for_words_and_found_meanwhile => async |world: &World| {
        let store = &world.store;
        store.intake().apply(vec![channel("C1", ChannelKind::Public)], at(0)).await.expect("applied");
        tell(store, vec![message("C1", 1, "QX = Alder"), message("C1", 2, "The gate of Alder is shut")]).await;
        index(store).await;
        let before = rows(world).await;
        run(world, "UPDATE settings SET value = 'an older rule' WHERE key = 'house_words'").await;
        assert!(!store.recall().index_progress().await.expect("read").finds_all);
        assert_eq!(found(store, "gate").await, ["The gate of Alder is shut"]);
        index(store).await;
        assert_eq!(rows(world).await, before);
        assert_eq!(all_terms(store).await, ["C1 QX=Alder"]);
    };
}
