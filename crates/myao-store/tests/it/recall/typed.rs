//! A word that nothing says is taken for the beginning of one that is said, or for a slip of one: only of words that may be
//! seen, and only while a message says them (ADR 104).

use myao_core::{
    chat::{ChannelId, ChannelKind, Event, Message, UserId, Visibility},
    memory::{MemoryScope, MemoryType},
};
use myao_store::{OptOuts, RecallRequest, Store, TypedRecall};

use super::{edited, request, run, tell};
use crate::{
    forget,
    support::{World, at, by_hand, channel, draft, message, on_both, ts, user, write_memory},
};

fn place(id: &str) -> Visibility {
    Visibility::Place { channel: ChannelId::new(id), open_channels: true }
}

async fn asked(store: &Store, seen: &Visibility, request: &RecallRequest) -> TypedRecall {
    store.recall().search_typed_words(seen, request).await.expect("asked")
}

/// Which words are shown in whose place, as `defualt: default`.
async fn instead(store: &Store, seen: &Visibility, words: &str) -> Vec<String> {
    let told = asked(store, seen, &request(words)).await;
    let told = told.instead.iter().map(|word| format!("{}: {}", word.typed, word.shown.join(" ")));
    told.collect()
}

/// The texts that are found.
async fn texts(store: &Store, seen: &Visibility, words: &str) -> Vec<String> {
    let told = asked(store, seen, &request(words)).await;
    told.found.into_iter().filter(|found| !found.is_incidental).map(|found| found.text.words()).collect()
}

const NONE: [&str; 0] = [];

/// An open channel and a private one.
async fn furnish(store: &Store) {
    let channels = [channel("C1", ChannelKind::Public), channel("G1", ChannelKind::Private)];
    store.intake().apply(channels.to_vec(), at(0)).await.expect("applied");
    let said = [
        "The default port of postgres is 5432",
        "postgresql was upgraded, postgres too",
        "we ran the migration twice",
        "デプロイの手順を書きました",
        "サーバーが落ちました",
        "Kenta waters the plants",
    ];
    tell(store, (1..).zip(said).map(|(second, text)| message("C1", second, text)).collect()).await;
    tell(store, vec![message("G1", 50, "the severance package")]).await;
}

on_both! {
    beginnings_and_slips_find_words => async |world: &World| {
        let store = &world.store;
        furnish(store).await;
        let seen = place("C1");
        for (typed, told) in [
            ("postg", "postg: postgres postgresql"),
            ("Postgress", "postgress: postgres"),
            ("defualt", "defualt: default"),
            ("migratoin", "migratoin: migration"),
            ("デプ", "デプ: デプロイ"),
            ("ﾃﾞﾌﾟﾛｲﾝ", "デプロイン: デプロイ"),
            ("サバー", ""),
        ] {
            let expected: Vec<&str> = Some(told).filter(|told| !told.is_empty()).into_iter().collect();
            assert_eq!(instead(store, &seen, typed).await, expected, "{typed}");
            assert_eq!(texts(store, &seen, typed).await.is_empty(), expected.is_empty(), "{typed}");
        }
        // Stems and letters of a longer word are found as they are.
        assert_eq!(texts(store, &seen, "postgr").await.len(), 2);
        assert_eq!(texts(store, &seen, "デプロ").await, ["デプロイの手順を書きました"]);
        assert_eq!(texts(store, &seen, "サーバ").await, ["サーバーが落ちました"]);
        // Among other words; what is said stays as it is.
        let told = asked(store, &seen, &request("which port is the defualt?")).await;
        assert_eq!(told.words, "which port is the default ?");
        assert_eq!(told.found[0].text.words(), "The default port of postgres is 5432");
        // At most three words.
        let many = instead(store, &seen, "defualt migratoin postgress upgraed plnats").await;
        assert_eq!(many, ["defualt: default", "migratoin: migration", "postgress: postgres"]);
    };

    what_is_said_is_never_replaced => async |world: &World| {
        let store = &world.store;
        furnish(store).await;
        store.intake().apply(vec![user("U5", "Ken")], at(0)).await.expect("applied");
        tell(store, vec![message("C1", 60, "defualt is how he writes it"), message("C1", 61, "バスで")]).await;
        let seen = place("C1");
        let line = draft(MemoryScope::Channel, "C1", MemoryType::ShortTerm, "- Ann: the migratoin is over");
        write_memory(store, line, by_hand(), at(70)).await;
        for words in ["defualt", "ports", "upgrading", "migratoin", "バス", "default", "Ken?", "po 5432", "would"] {
            assert_eq!(instead(store, &seen, words).await, NONE, "{words}");
        }
        // Not within quotes, not in names of other things.
        let mut quoted = request("");
        quoted.filter.phrases = vec!["postg".to_owned()];
        assert!(asked(store, &seen, &quoted).await.found.is_empty());
        assert_eq!(instead(store, &seen, "defualt-postg /postg/x @postg").await, NONE);
    };

    only_words_that_the_place_sees_are_shown => async |world: &World| {
        let store = &world.store;
        furnish(store).await;
        let open = place("C1");
        let own = place("G1");
        let alone = Visibility::Place { channel: ChannelId::new("G1"), open_channels: false };
        for (seen, severance, default) in
            [(&open, false, true), (&own, true, true), (&alone, true, false), (&Visibility::Open, false, true), (&Visibility::Owner, true, true)]
        {
            assert_eq!(!instead(store, seen, "severan").await.is_empty(), severance, "{seen:?}");
            assert_eq!(!instead(store, seen, "sevrance").await.is_empty(), severance, "{seen:?}");
            assert_eq!(!instead(store, seen, "defualt").await.is_empty(), default, "{seen:?}");
        }
        // What is said where it is not seen changes nothing: neither that a slip is one, nor which word is near.
        tell(store, vec![message("G1", 51, "defualt defauts"), message("G1", 52, "defauts")]).await;
        assert_eq!(instead(store, &open, "defualt").await, ["defualt: default"]);
        assert_eq!(instead(store, &open, "defaut").await, ["defaut: default"]);
        assert_eq!(instead(store, &own, "defualt").await, NONE);
        // A channel that is opened shows its words, one that is closed none.
        store.intake().apply(vec![channel("G1", ChannelKind::Public)], at(2000)).await.expect("opened");
        assert_eq!(instead(store, &open, "severan").await, ["severan: severance"]);
        store.intake().apply(vec![channel("G1", ChannelKind::Private)], at(2001)).await.expect("closed");
        assert_eq!(instead(store, &open, "severan").await, NONE);
    };

    a_word_goes_with_its_last_message => async |world: &World| {
        let store = &world.store;
        furnish(store).await;
        let two = [message("C1", 70, "a zwiebelturm"), message("C1", 71, "the zwiebelturm again")];
        tell(store, two.to_vec()).await;
        let seen = Visibility::Owner;
        let both = async || [instead(store, &seen, "zwiebelt").await, instead(store, &seen, "zweibelturm").await].concat();
        let told = ["zwiebelt: zwiebelturm", "zweibelturm: zwiebelturm"];
        assert_eq!(both().await, told);
        let gone = Event::Deleted { channel: ChannelId::new("C1"), ts: ts(70) };
        store.intake().apply(vec![gone], at(80)).await.expect("deleted");
        assert_eq!(both().await, told);
        tell(store, vec![edited(message("C1", 71, "nothing of the kind"), 90)]).await;
        assert_eq!(both().await, NONE);
        // Expired.
        tell(store, vec![edited(message("C1", 71, "a zwiebelturm after all"), 91)]).await;
        assert_eq!(both().await, told);
        run(world, &format!("UPDATE channels SET memory_from = {} WHERE id = 'C1'", ts(1000).as_micros())).await;
        while store.intake().expire_words(at(500), at(600)).await.expect("expired") {}
        assert_eq!(both().await, NONE);
    };

    what_is_forgotten_is_never_shown_again => async |world: &World| {
        let store = &world.store;
        furnish(store).await;
        let by_u7 = |second, text: &str| Message { user: UserId::new("U7"), ..message("C1", second, text) };
        tell(store, vec![by_u7(70, "a zwiebelturm"), by_u7(71, "ツヴィーベルを切る")]).await;
        let seen = Visibility::Owner;
        assert_eq!(instead(store, &seen, "zwiebelt").await.len(), 1);
        assert_eq!(instead(store, &seen, "ツヴィーペル").await.len(), 1);
        forget::forget(store, &forget::of_user("U7"), 200).await;
        for typed in ["zwiebelt", "zweibelturm", "ツヴィー", "ツヴィーペル"] {
            assert_eq!(instead(store, &seen, typed).await, NONE, "{typed}");
        }
        for word in ["zwiebelturm", "ツヴィーベル"] {
            assert_eq!(forget::files_with(world, word).await, Vec::<std::path::PathBuf>::new(), "{word}");
        }
    };

    /// Whoever opted out says nothing to others, and the word of a filter's person is that person's.
    words_of_hits_only => async |world: &World| {
        let store = &world.store;
        furnish(store).await;
        let by = |id: &str, second, text: &str| Message { user: UserId::new(id), ..message("C1", second, text) };
        tell(store, vec![by("U7", 70, "the zwiebelturm"), by("U8", 71, "the crocodile")]).await;
        let seen = Visibility::Owner;
        let mut of_u8 = request("zwiebelt crocod");
        of_u8.filter.users = vec![UserId::new("U8")];
        let told = asked(store, &seen, &of_u8).await;
        assert_eq!((told.instead.len(), told.words.as_str()), (1, "zwiebelt crocodile"));
        store.intake().apply(vec![user("U7", "Kim")], at(75)).await.expect("applied");
        let store = store.clone().heeding(OptOuts::new(&["U7".to_owned()], &[]));
        store.intake().note_opted_out(at(80)).await.expect("noted");
        assert_eq!(instead(&store, &seen, "zwiebelt").await, NONE);
        assert_eq!(instead(&store, &seen, "crocod").await, ["crocod: crocodile"]);
    };

    /// What was counted before there was a dictionary is counted anew.
    older_counts_are_made_anew => async |world: &World| {
        let store = &world.store;
        store.recall().count_older_messages().await.expect("counted");
        furnish(store).await;
        run(world, "UPDATE words SET word = NULL; UPDATE settings SET value = 'visible; without secrets by 3' WHERE key = 'terms'").await;
        assert_eq!(instead(store, &place("C1"), "postg").await, NONE);
        while !store.recall().count_older_messages().await.expect("counted") {}
        assert_eq!(instead(store, &place("C1"), "postg").await, ["postg: postgres postgresql"]);
    };
}
