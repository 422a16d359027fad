//! What a question names comes first: who said it, and when (ADR 54).

use jiff::tz::TimeZone;
use myao_core::{
    chat::{ChannelId, ChannelKind, Event, Message, MessageTs, User, UserId, Visibility},
    memory::{MemoryScope, MemoryType},
};
use myao_store::{RecallRequest, Store, Target};
use sqlx::{Connection as _, PgConnection, SqliteConnection};

use super::{index, request, run};
use crate::support::{World, channel, message, on_both, write_memory};

const ZONE: TimeZone = TimeZone::UTC;

/// Wednesday 18 March 2026.
fn now() -> MessageTs {
    MessageTs::from_timestamp("2026-03-18T12:00:00Z".parse().expect("a time"))
}

fn said(user: &str, day: &str, text: &str) -> Event {
    let ts = MessageTs::from_timestamp(format!("{day}T10:00:00Z").parse().expect("a time"));
    Event::Message(Message { ts, user: UserId::new(user), ..message("C1", 1, text) })
}

fn person(id: &str, name: &str) -> Event {
    Event::User(User { id: UserId::new(id), name: name.to_owned(), is_bot: false })
}

async fn furnish(store: &Store) {
    let mut events = vec![
        channel("C1", ChannelKind::Public),
        person("U1", "Noor Haddad"),
        person("U2", "山田太郎"),
        person("U3", "Mika"),
        said("U1", "2026-02-10", "the boiler is from 1998 and nobody has its manual"),
        said("U1", "2026-03-05", "the boiler gets a new valve, the plumber has it"),
        said("U3", "2026-03-06", "boiler boiler boiler: what did Noor say about the boiler in March?"),
        said("U3", "2026-03-07", "I will be away"),
        said("U2", "2026-03-10", "送料無料は来月で終わります"),
        said("U3", "2026-03-11", "送料無料の件、山田さんは何て言ってた？ 送料無料"),
        said("U2", "2026-02-01", "送料無料をはじめます"),
    ];
    events.extend((0..9).map(|n| said("U3", &format!("2026-01-1{n}"), "boiler 送料無料")));
    store.intake().apply(events, now().to_timestamp()).await.expect("applied");
}

async fn first(store: &Store, words: &str) -> String {
    let request = RecallRequest { now: now(), named_in: Some(ZONE), most: 5, ..request(words) };
    let found = store.recall().search(&Visibility::Owner, &request).await.expect("searched");
    found.first().map(|found| found.text.words()).unwrap_or_default()
}

on_both! {
    what_somebody_said_then_comes_before_who_asked_for_it => async |world: &World| {
        let store = &world.store;
        furnish(store).await;
        for (question, expected) in [
            ("what did Noor say about the boiler in March?", "the boiler gets a new valve, the plumber has it"),
            ("what did noor say about the boiler in february", "the boiler is from 1998 and nobody has its manual"),
            ("先週山田さんが送料無料について言ってたこと", "送料無料は来月で終わります"),
            ("2月に太郎さんは送料無料について何て言ってた？", "送料無料をはじめます"),
            // About nothing else: the newest of them.
            ("what did Noor say in March?", "the boiler gets a new valve, the plumber has it"),
            ("山田さんが言ってたこと", "送料無料は来月で終わります"),
        ] {
            assert_eq!(first(store, question).await, expected, "{question}");
        }
        // Somebody who is not known, and a day on which nothing was said, take nothing away.
        for question in ["what did Zoe say about the manual?", "was there a manual yesterday?"] {
            assert!(first(store, question).await.contains("manual"), "{question}");
        }
    };

    who_is_named_counts_as_speaker_and_a_day_restricts => async |world: &World| {
        let store = &world.store;
        furnish(store).await;
        store.intake().apply(vec![
            said("U3", "2026-02-20", "Noor, Noor! where is the ladder?"),
            said("U1", "2026-02-21", "I paint the fence with a ladder"),
            said("U3", "2026-02-22", "my ladder is older than Noor"),
            said("U2", "2026-02-23", "はしごは倉庫にあります"),
            said("U3", "2026-02-24", "山田さん、はしごは見ましたか"),
        ], now().to_timestamp()).await.expect("applied");
        for (question, expected) in [
            ("What has Noor to do with the ladder?", "I paint the fence with a ladder"),
            ("the ladder of noor", "I paint the fence with a ladder"),
            ("What is Noor working on?", "the boiler gets a new valve, the plumber has it"),
            ("山田の、はしごの件は？", "はしごは倉庫にあります"),
            ("the ladder on 2026-02-22", "my ladder is older than Noor"),
            ("the ladder, on 20 February, 2026", "Noor, Noor! where is the ladder?"),
            ("2月21日に何を塗った？ fence", "I paint the fence with a ladder"),
        ] {
            assert_eq!(first(store, question).await, expected, "{question}");
        }
    };

    a_name_in_front_of_a_line_is_no_word_of_it => async |world: &World| {
        let store = &world.store;
        furnish(store).await;
        let text = "- 2026-03-01 Noor Haddad: the cellar is dry\n- 2026-03-02 Mika: Noor Haddad likes plums\n- Cellar: wet";
        let memory = crate::support::draft(MemoryScope::Channel, "C1", MemoryType::LongTerm, text);
        write_memory(store, memory, crate::support::by_hand(), now().to_timestamp()).await;
        let lines = async |words: &str| {
            let request = RecallRequest { now: now(), named_in: Some(ZONE), most: 9, ..request(words) };
            let found = store.recall().search(&Visibility::Owner, &request).await.expect("searched");
            let lines = found.into_iter().filter(|one| one.text.as_message().is_none() && !one.is_incidental);
            lines.map(|one| one.text.words()).collect::<Vec<_>>()
        };
        assert_eq!(lines("does Noor Haddad eat plums?").await, ["2026-03-02 Mika: Noor Haddad likes plums"]);
        assert_eq!(lines("how is the cellar of Noor?").await[0], "2026-03-01 Noor Haddad: the cellar is dry");
        assert!(lines("the cellar").await.contains(&"Cellar: wet".to_owned()), "a heading is no name");
    };

    a_new_name_is_known_and_the_old_one_until_somebody_else_bears_it => async |world: &World| {
        let store = &world.store;
        furnish(store).await;
        store.intake().apply(vec![person("U1", "Nadia")], now().to_timestamp()).await.expect("applied");
        for name in ["Nadia", "Noor", "Haddad"] {
            let found = first(store, &format!("what did {name} say about the boiler in March?")).await;
            assert_eq!(found, "the boiler gets a new valve, the plumber has it", "{name}");
        }
        store.intake().apply(vec![person("U3", "Noor")], now().to_timestamp()).await.expect("applied");
        let found = first(store, "what did Nadia say about the boiler in March?").await;
        assert_eq!(found, "the boiler gets a new valve, the plumber has it");
        assert!(first(store, "what did Noor say about the boiler?").await.contains("boiler boiler"));
    };

    what_is_not_seen_is_not_named_either => async |world: &World| {
        let store = &world.store;
        furnish(store).await;
        store.intake().apply(vec![channel("C1", ChannelKind::Private)], now().to_timestamp()).await.expect("applied");
        store.intake().apply(vec![channel("C2", ChannelKind::Public)], now().to_timestamp()).await.expect("applied");
        let elsewhere = Visibility::Place { channel: ChannelId::new("C2"), open_channels: true };
        for words in ["what did Noor say in March?", "先週山田さんが送料無料について言ってたこと"] {
            let request = RecallRequest { now: now(), named_in: Some(ZONE), ..request(words) };
            assert!(store.recall().search(&elsewhere, &request).await.expect("searched").is_empty(), "{words}");
        }
    };

    names_that_were_known_before_are_cut_in_the_background => async |world: &World| {
        let store = &world.store;
        furnish(store).await;
        index(store).await;
        run(world, "DELETE FROM name_parts").await;
        run(world, "DELETE FROM settings WHERE key = 'names'").await;
        let question = "what did Noor say in March?";
        assert!(!store.recall().index_progress().await.expect("read").is_complete);
        index(store).await;
        assert_eq!(first(store, question).await, "the boiler gets a new valve, the plumber has it");
    };

    a_channel_keeps_its_number => async |world: &World| {
        let store = &world.store;
        furnish(store).await;
        let before = number(world).await;
        run(world, "UPDATE channels SET recall_to = 0").await;
        index(store).await;
        let memory = crate::support::draft(MemoryScope::Channel, "C1", MemoryType::LongTerm, "- the manual");
        write_memory(store, memory, crate::support::by_hand(), now().to_timestamp()).await;
        assert_eq!(number(world).await, before);
        assert!(first(store, "manual").await.contains("manual"));
    };
}

async fn number(world: &World) -> i64 {
    let sql = "SELECT number FROM channels WHERE id = 'C1'";
    match &world.target {
        Target::Sqlite(path) => {
            let mut c =
                SqliteConnection::connect(&format!("sqlite://{}", path.display())).await.expect("open");
            sqlx::query_scalar(sql).fetch_one(&mut c).await.expect("read")
        }
        Target::Postgres(url) => {
            let mut c = PgConnection::connect(url).await.expect("open");
            sqlx::query_scalar(sql).fetch_one(&mut c).await.expect("read")
        }
    }
}
