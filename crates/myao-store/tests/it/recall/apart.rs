//! What a place may not see takes no room in what it looks up, and is not counted for it (ADR 87).

use myao_core::{
    chat::{Channel, ChannelId, ChannelKind, Event, Message, UserId, Visibility},
    memory::{MemoryScope, MemoryType},
    recall::terms_to_index,
};
use myao_store::{GatherRequest, RecalledText, Store};

use super::{asked, index, rebuilt, request, rows, run, sampled, tell};
use crate::{
    gather,
    support::{World, at, by_hand, channel, draft, message, on_both, said, ts, write_memory},
};

fn place(id: &str) -> Visibility {
    Visibility::Place { channel: ChannelId::new(id), open_channels: true }
}

const ASKED_FOR: [&str; 3] =
    ["the budget for chairs is small", "we doubled the budget", "who signs the budget?"];

/// C1 and C2, open, and three private channels after them. In C1 three messages hold a word that the private ones hold
/// 4,500 times.
async fn furnish(store: &Store) {
    let open = ["C1", "C2"].map(|id| channel(id, ChannelKind::Public));
    let private = ["G1", "G2", "G3"].map(|id| channel(id, ChannelKind::Private));
    store.intake().apply(open.into_iter().chain(private).collect(), at(0)).await.expect("applied");
    tell(store, (1..).zip(ASKED_FOR).map(|(second, text)| message("C1", second, text)).collect()).await;
    tell(store, vec![message("C2", 4, "good morning")]).await;
    for id in ["G1", "G2", "G3"] {
        let hidden = |n: i64| message(id, 10 + n, &format!("a budget of number {n} in {id}"));
        tell(store, (0..1500).map(hidden).collect()).await;
    }
}

/// What a prompt in a channel recalls for somebody who asks this there.
async fn in_a_prompt(store: &Store, id: &str, words: &str) -> Vec<String> {
    let question = Message { user: UserId::new("U9"), ..message(id, 50_000, words) };
    let request = GatherRequest {
        most_recalled: 20,
        as_if_said: Some(question),
        ..gather::request(&ChannelId::new(id))
    };
    let gathered = store.gather().for_prompt(&request).await.expect("read").expect("a known channel");
    gathered.recalled.into_iter().map(|found| found.text.words()).collect()
}

/// Puts rows of the index where no message is, `count` of them from an address on, that hold these words.
async fn crowd(world: &World, from: i64, count: i64, words: &str) {
    let terms: Vec<String> = terms_to_index(words).iter().map(ToString::to_string).collect();
    let terms = terms.join(" ");
    let to = from + count;
    let sql = match &world.target {
        myao_store::Target::Sqlite(_) => format!(
            "WITH RECURSIVE n (x) AS (SELECT {from} UNION ALL SELECT x + 1 FROM n WHERE x + 1 < {to})
             INSERT INTO recall (rowid, terms) SELECT x, '{terms}' FROM n"
        ),
        myao_store::Target::Postgres(_) => format!(
            "INSERT INTO recall (id, terms) SELECT x, cast('{terms}' AS tsvector)
             FROM generate_series(CAST({from} AS bigint), {to} - 1) AS x"
        ),
    };
    run(world, &sql).await;
}

/// The first address of the channel that was spoken in as the third one.
const OF_THE_THIRD: i64 = 3 << 45;

on_both! {
    however_often_hidden_places_say_a_word => async |world: &World| {
        let store = &world.store;
        furnish(store).await;
        let mut expected = ASKED_FOR.map(str::to_owned).to_vec();
        expected.sort();
        let sorted = async |visibility: &Visibility, request| {
            let mut found = asked(store, visibility, &request).await;
            found.sort();
            found
        };
        for seen in [place("C2"), place("C1"), Visibility::Open] {
            assert_eq!(sorted(&seen, request("budget")).await, expected, "{seen:?}");
            let mut aimed = request("budget");
            aimed.filter.users = vec![UserId::new("U1")];
            assert_eq!(sorted(&seen, aimed.clone()).await, expected);
            aimed.filter.channels = vec![ChannelId::new("C1")];
            assert_eq!(sorted(&seen, aimed).await, expected);
            let mut quoted = request("");
            quoted.filter.phrases = vec!["the budget".to_owned()];
            assert_eq!(sorted(&seen, quoted).await.len(), 3);
            assert_eq!(sorted(&seen, request("a budget of chairs in")).await, expected, "several words");
        }
        let mut recalled = in_a_prompt(store, "C2", "what about the budget?").await;
        recalled.sort();
        assert_eq!(recalled, expected);
        // Whoever sees them finds them.
        let mut many = request("budget");
        many.most = 10_000;
        assert_eq!(asked(store, &place("G1"), &many).await.len(), 300, "as many as are ranked");
        assert!(asked(store, &Visibility::Owner, &many).await.len() >= 300);
        assert_eq!(asked(store, &place("G1"), &request("chairs")).await.len(), 1);
    };

    a_channel_is_found_while_it_is_opened_and_after => async |world: &World| {
        let store = &world.store;
        store.intake().apply(vec![channel("C1", ChannelKind::Public), channel("G1", ChannelKind::Private)], at(0)).await.expect("applied");
        let talk = |second| message("G1", second, &format!("crocodile {second}"));
        tell(store, (1..1200).map(talk).collect()).await;
        for n in 0..120 {
            let line = draft(MemoryScope::Channel, "G1", MemoryType::ShortTerm, &format!("- a platypus {n}"));
            write_memory(store, line, by_hand(), at(2)).await;
        }
        index(store).await;
        let found = async || {
            let words = ["crocodile 7", "crocodile 1100", "platypus 3", "platypus 110"];
            let mut there = 0;
            for words in words {
                let found = asked(store, &place("C1"), &request(words)).await;
                there += usize::from(found.iter().any(|text| text.ends_with(words)));
            }
            there
        };
        assert_eq!(found().await, 0);
        for kind in [ChannelKind::Public, ChannelKind::Private, ChannelKind::Public] {
            store.intake().apply(vec![channel("G1", kind)], at(3)).await.expect("applied");
            let expected = if kind == ChannelKind::Public { 4 } else { 0 };
            let mut steps = 0;
            loop {
                assert_eq!(found().await, expected, "{kind:?} after {steps} steps");
                assert_eq!(asked(store, &place("G1"), &request("crocodile 7")).await[0], "crocodile 7");
                let progress = store.recall().index_some().await.expect("moved");
                assert!(progress.finds_all);
                steps += 1;
                if progress.is_complete { break; }
            }
            assert!(steps > 5, "{steps} steps");
            assert_eq!(found().await, expected);
            let counted = sampled(world).await;
            assert_eq!(rows(world).await, rebuilt(world).await);
            assert_eq!(counted, sampled(world).await);
        }
    };

    /// Of an open channel it may be unknown for a while whether it still is: it hides as a closed one does.
    a_channel_in_doubt_takes_nobodys_place => async |world: &World| {
        let store = &world.store;
        store.intake().apply(["C1", "C2", "C3"].map(|id| channel(id, ChannelKind::Public)).to_vec(), at(0)).await.expect("applied");
        tell(store, vec![message("C1", 1, "a wombat"), message("C2", 2, "hello"), message("C3", 3, "hello")]).await;
        crowd(world, OF_THE_THIRD, 4_100, "a wombat").await;
        store.hearing().doubt_channels(&[ChannelId::new("C3")], at(10)).await.expect("doubted");
        assert_eq!(asked(store, &place("C2"), &request("wombat")).await, ["a wombat"]);
    };

    /// A word of every day is looked up together with others, by the rows that come first.
    words_of_every_day_are_found_beside_hidden_ones => async |world: &World| {
        let store = &world.store;
        let channels = vec![channel("C1", ChannelKind::Public), channel("C2", ChannelKind::Public), channel("G1", ChannelKind::Private)];
        store.intake().apply(channels, at(0)).await.expect("applied");
        tell(store, vec![message("C1", 1, "a wombat"), message("C2", 2, "hello"), message("G1", 3, "hello")]).await;
        crowd(world, OF_THE_THIRD, 4_100, "a wombat").await;
        for term in terms_to_index("wombat") {
            run(world, &format!("INSERT INTO recall_samples (term, sampled) VALUES ('{term}', 9000)")).await;
        }
        // Rows of an older version, which stand among those of open channels until they are moved.
        assert_eq!(asked(store, &place("C2"), &request("wombat")).await, ["a wombat"]);
    };

    /// What was said later, or before, than asked for is out of the way before the best are chosen.
    a_day_is_found_however_much_was_said_on_others => async |world: &World| {
        let store = &world.store;
        store.intake().apply(vec![channel("C1", ChannelKind::Public)], at(0)).await.expect("applied");
        let talk = |second| message("C1", second, &format!("the wombat of second {second}"));
        tell(store, (1..800).map(talk).collect()).await;
        let mut query = request("wombat");
        (query.filter.since, query.filter.before) = (Some(ts(10)), Some(ts(13)));
        assert_eq!(asked(store, &Visibility::Owner, &query).await.len(), 3);
    };

    lines_of_hidden_places_take_nobodys_place => async |world: &World| {
        let store = &world.store;
        let mut events = vec![channel("C1", ChannelKind::Public), channel("C2", ChannelKind::Public), channel("G1", ChannelKind::Private)];
        events.extend([crate::support::user("U1", "Ana"), said(1, "hello")]);
        store.intake().apply(events, at(0)).await.expect("applied");
        tell(store, vec![message("C2", 2, "hello"), message("G1", 2, "hello")]).await;
        index(store).await;
        let decided = |id: &str, what: &str| draft(MemoryScope::Channel, id, MemoryType::ShortTerm, what);
        write_memory(store, decided("C1", "- Ken: Decided: Ana keeps the twelve hives in Holm."), by_hand(), at(2)).await;
        let many: Vec<String> =
            (0..450).map(|n| format!("- Ken: Decided: Ana gets {n} euros for the house in Holm.")).collect();
        let many = many.join("\n");
        write_memory(store, decided("G1", &many), by_hand(), at(3)).await;
        let lines = async |id: &str| {
            let request = GatherRequest { most_person_lines: 3, ..gather::request(&ChannelId::new(id)) };
            let gathered = store.gather().for_prompt(&request).await.expect("read").expect("known");
            gathered.person_lines.into_iter().map(|line| line.words).collect::<Vec<_>>()
        };
        let hives = ["Ken: Decided: Ana keeps the twelve hives in Holm."];
        assert_eq!(lines("C2").await, hives);
        assert_eq!(lines("G1").await.len(), 3);
        store.intake().apply(vec![channel("G1", ChannelKind::Public)], at(9)).await.expect("applied");
        assert_eq!(lines("C2").await.len(), 3);
        let shared = Channel { id: ChannelId::new("G1"), name: "g1".to_owned(), kind: ChannelKind::Public, external: true };
        store.intake().apply(vec![Event::Channel(shared)], at(10)).await.expect("applied");
        assert_eq!(lines("C2").await, hives);
    };

    entries_of_hidden_places_take_nobodys_place => async |world: &World| {
        let store = &world.store;
        store.intake().apply(vec![channel("C1", ChannelKind::Public), channel("C2", ChannelKind::Private)], at(0)).await.expect("applied");
        tell(store, vec![message("C1", 1, "keep it"), message("C2", 1, "keep it")]).await;
        let noted = async |id: &str, second: i64| {
            let texts = (&*format!("keep it {second}"), &*format!("note {second}"), "a memo");
            crate::memos::noted(store, id, second, texts).await.expect("noted");
        };
        noted("C1", 10).await;
        for second in 20..24 {
            noted("C2", second).await;
        }
        assert_eq!(store.memos().newest_entries(&place("C1"), None, 2).await.expect("read").len(), 1);
        assert_eq!(store.memos().newest_entries(&Visibility::Owner, None, 2).await.expect("read").len(), 2);
    };

    what_is_found_is_in_the_archive => async |world: &World| {
        let store = &world.store;
        furnish(store).await;
        let found = store.recall().search(&place("G2"), &request("budget")).await.expect("asked");
        let here = |text: &RecalledText| ["C1", "G2"].contains(&text.channel().as_str());
        assert!(!found.is_empty() && found.iter().all(|found| here(&found.text)), "{found:?}");
    };
}
