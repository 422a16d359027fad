//! A forgetting takes what it says: words of our own, dates and names take nothing, and what goes was listed before.

use std::collections::{BTreeMap, BTreeSet};

use myao_core::{
    chat::{ChannelId, ChannelKind, Message, Own, Place, UserId},
    forget::ForgetScope,
    memory::{MemoryScope, MemoryType},
};
use myao_store::{BegunForgetting, JUDGING, Store, Target, TextPlace, VerdictOutcome};
use sqlx::{AssertSqlSafe, Connection as _, PgConnection, SqliteConnection};

use super::{
    everything, forget, of_channel, of_user,
    planted::{Extent, plant, plant_beside},
    with_words,
};
use crate::{
    built,
    replies::talk::{top, verdict},
    support::{World, at, channel, claim, draft, general, message, on_both, step, ts, user},
};

/// The texts of each kind, with the keys by which a preview names them.
const TEXTS: [(&str, &str); 7] = [
    ("posts", "SELECT channel_id || '/' || ts FROM messages WHERE user_id = 'UMYAO' AND text <> ''"),
    ("steps", "SELECT CAST(id AS TEXT) FROM memory_steps WHERE content IS NOT NULL"),
    ("verdicts", "SELECT CAST(id AS TEXT) FROM verdicts WHERE reason <> ''"),
    ("memos", "SELECT id FROM memos"),
    ("memo log", "SELECT CAST(id AS TEXT) FROM memo_log WHERE wiped_at IS NULL"),
    ("setbacks", "SELECT subject FROM setbacks WHERE reason <> ''"),
    ("raw", "SELECT key FROM unread_events"),
];

/// The texts that stand besides what others said, by kind.
pub(super) async fn standing(world: &World) -> BTreeMap<&'static str, BTreeSet<String>> {
    let mut found = BTreeMap::new();
    for (kind, query) in TEXTS {
        let rows: Vec<(String,)> = match &world.target {
            Target::Sqlite(path) => {
                let mut c = SqliteConnection::connect(path.to_str().expect("UTF-8")).await.expect("opened");
                sqlx::query_as(query).fetch_all(&mut c).await.expect("read")
            }
            Target::Postgres(url) => {
                let mut c = PgConnection::connect(url).await.expect("connected");
                sqlx::query_as(AssertSqlSafe(query)).fetch_all(&mut c).await.expect("read")
            }
        };
        found.insert(kind, rows.into_iter().map(|(key,)| key).collect());
    }
    found
}

fn own(channel: &str, second: i64, text: &str) -> Message {
    Message { user: UserId::new("UMYAO"), ..message(channel, second, text) }
}

/// Five places in which we answered, a memory of each, a reason, and a note of a failure; all with the date and names.
async fn much_of_ours(store: &Store) {
    store.recall().note_own(&Own { user: UserId::new("UMYAO"), bot: None }).await.expect("noted");
    let mut events = vec![user("U1", "Ann"), user("U2", "Sakura")];
    for place in ["C1", "C2", "C3", "C4", "C5"] {
        let said = format!("From what was written down, 2026-02-02 12:41: {place} has nothing new, Sakura.");
        events.push(channel(place, ChannelKind::Public));
        events.push(myao_core::chat::Event::Message(message(place, 1, "how are things?")));
        events.push(myao_core::chat::Event::Message(own(place, 2, &said)));
    }
    store.intake().apply(events, at(3)).await.expect("applied");
    for place in ["C2", "C3", "C4", "C5"] {
        let claimed = claim(store, &format!("channel:{place}")).await;
        let text = format!("- 2026-02-02 Sakura: nothing new at {place}, as was written down");
        let memory = draft(MemoryScope::Channel, place, MemoryType::LongTerm, &text);
        built::commit(store, &claimed, step(memory, 1, None)).await;
    }
    let judging = store.claim(JUDGING, at(40), at(50)).await.expect("asked").expect("free");
    let reason = "what was written down on 2026-02-02 answers it; Sakura knows".to_owned();
    let outcome = VerdictOutcome::Quiet { reason, confidence: 0.9, until: at(9000) };
    let place = Place { channel: ChannelId::new("C1"), ..top() };
    store.replies().write_verdict(&judging, verdict(place, 1, outcome), at(40)).await.expect("decided");
}

/// Forgets these messages of C1, and nothing else goes.
async fn takes_nothing_else(store: &World, messages: &[Message]) {
    let world = store;
    let store = &store.store;
    much_of_ours(store).await;
    let events = messages.iter().cloned().map(myao_core::chat::Event::Message).collect();
    store.intake().apply(events, at(100)).await.expect("applied");
    while !store.recall().count_older_messages().await.expect("counted") {}
    let mut before = standing(world).await;
    let said: Vec<_> = messages.iter().map(|message| message.ts).collect();
    let from = *said.first().expect("some");
    let to = *said.last().expect("some");
    forget(store, &ForgetScope { channel: Some(general()), from, to, ..of_channel("C1") }, 20_000).await;
    let posts = before.get_mut("posts").expect("posts");
    posts.retain(|key| !said.iter().any(|ts| *key == format!("C1/{}", ts.as_micros())));
    assert_eq!(standing(world).await, before);
}

/// Whatever goes was listed, whatever was listed goes, and the numbers that are told afterwards are those told before.
async fn goes_as_listed(world: &World, scope: &ForgetScope) {
    let store = &world.store;
    let preview = store.forget().preview(scope).await.expect("read");
    let before = standing(world).await;
    let numbers = |done: &[myao_store::Forgetting]| {
        let of = |number: fn(&myao_store::Forgetting) -> u64| done.iter().map(number).sum::<u64>();
        (of(|one| one.messages), of(|one| one.texts), of(|one| one.memos))
    };
    forget(store, scope, 200).await;
    let after = standing(world).await;
    let gone = |kind: &str| -> BTreeSet<String> { before[kind].difference(&after[kind]).cloned().collect() };
    let listed = |place: TextPlace| -> BTreeSet<String> { preview.text_keys(place).cloned().collect() };
    for (kind, place) in [
        ("steps", TextPlace::Steps),
        ("verdicts", TextPlace::Verdicts),
        ("memos", TextPlace::Memos),
        ("memo log", TextPlace::MemoLog),
        ("setbacks", TextPlace::Setbacks),
        ("raw", TextPlace::Raw),
    ] {
        assert_eq!(gone(kind), listed(place), "{kind}, {scope:?}");
    }
    let posts = preview.answers.iter().map(|(channel, ts)| format!("{channel}/{}", ts.as_micros()));
    let posts: BTreeSet<String> = posts.chain(listed(TextPlace::Posts)).collect();
    assert!(gone("posts").is_superset(&posts), "{posts:?} of {:?}, {scope:?}", gone("posts"));
    let done = store.forget().list_newest(100).await.expect("read");
    let others = u64::try_from(posts.len()).expect("few");
    let expected = (
        preview.message_count() + others,
        preview.text_count(TextPlace::Steps),
        preview.text_count(TextPlace::Memos),
    );
    assert_eq!(numbers(&done), expected, "{scope:?}");
    let left = store.forget().preview(scope).await.expect("read");
    assert!(left.is_empty(), "nothing is left: {left:?}");
}

on_both! {
    one_message_goes_as_it_was_listed => async |world: &World| {
        plant(&world.store, "Zimtstern-4721", Extent::OneMessage).await;
        plant_beside(&world.store, "Zimtstern-4721").await;
        goes_as_listed(world, &ForgetScope::message(general(), ts(2))).await;
    };

    a_person_goes_as_was_listed => async |world: &World| {
        plant(&world.store, "Zimtstern-4722", Extent::Person).await;
        goes_as_listed(world, &of_user("U7")).await;
    };

    a_channel_goes_as_it_was_listed => async |world: &World| {
        plant(&world.store, "Zimtstern-4723", Extent::Channel).await;
        goes_as_listed(world, &of_channel("C1")).await;
    };

    words_go_as_was_listed => async |world: &World| {
        plant(&world.store, "Zimtstern-4724", Extent::Channel).await;
        plant_beside(&world.store, "Zimtstern-4724").await;
        goes_as_listed(world, &with_words("Zimtstern-4724")).await;
    };

    a_time_goes_as_it_was_listed_where_words_are_not_counted_yet => async |world: &World| {
        plant(&world.store, "Zimtstern-4725", Extent::Channel).await;
        let uncounted = "UPDATE channels SET words_to = 0";
        match &world.target {
            Target::Sqlite(path) => {
                let mut c = SqliteConnection::connect(path.to_str().expect("UTF-8")).await.expect("opened");
                sqlx::raw_sql(uncounted).execute(&mut c).await.expect("written");
                sqlx::raw_sql("DELETE FROM words").execute(&mut c).await.expect("written");
            }
            Target::Postgres(url) => {
                let mut c = PgConnection::connect(url).await.expect("connected");
                sqlx::raw_sql(uncounted).execute(&mut c).await.expect("written");
                sqlx::raw_sql("DELETE FROM words").execute(&mut c).await.expect("written");
            }
        }
        let until = ForgetScope { to: ts(20), until_now: false, ..everything() };
        goes_as_listed(world, &until).await;
    };

    /// Of expired words nobody knows which reasons hold them: all since then go, and are listed.
    what_expired_words_take_is_listed => async |world: &World| {
        plant(&world.store, "Zimtstern-4726", Extent::Channel).await;
        while world.store.intake().expire_words(at(30), at(150)).await.expect("expired") {}
        goes_as_listed(world, &of_channel("C1")).await;
    };

    nothing_goes_where_something_else_would_than_was_shown => async |world: &World| {
        let store = &world.store;
        plant(store, "Zimtstern-4727", Extent::OneMessage).await;
        let scope = ForgetScope::message(general(), ts(2));
        let shown = store.forget().preview(&scope).await.expect("read").fingerprint();
        assert_eq!(store.forget().preview(&scope).await.expect("read").fingerprint(), shown);
        plant_beside(store, "Zimtstern-4727").await;
        let begun = store.forget().begin_as_shown(&scope, &shown, "alice", at(200)).await.expect("asked");
        let BegunForgetting::Differs(now) = begun else { panic!("it has begun") };
        assert!(now.text_count(TextPlace::Memos) > 0, "{now:?}");
        assert_eq!(store.forget().list_newest(9).await.expect("read"), []);
        let shown = now.fingerprint();
        let begun = store.forget().begin_as_shown(&scope, &shown, "alice", at(200)).await.expect("asked");
        assert!(matches!(begun, BegunForgetting::Begun(_)), "{begun:?}");
    };

    words_of_our_own_take_nothing => async |world: &World| {
        let answer = "From what was written down, 2026-02-02 12:41: the gate has nothing new, Sakura.";
        let talk = [message("C1", 10_060, "the gate?"), own("C1", 10_061, answer), message("C1", 10_062, "thank you")];
        takes_nothing_else(world, &talk).await;
    };

    dates_names_and_words_that_we_say_anyway_take_nothing => async |world: &World| {
        let talk = [
            message("C1", 10_060, "2026-02-02 12:41, by what Sakura has written"),
            message("C1", 10_061, "nothing down here since 02"),
        ];
        takes_nothing_else(world, &talk).await;
    };

    what_somebody_else_says_takes_nothing => async |world: &World| {
        let others = [message("C1", 59, "the kumquat"), message("C2", 60, "the kumquat again")];
        let events = others.iter().cloned().map(myao_core::chat::Event::Message).collect();
        world.store.intake().apply(vec![channel("C1", ChannelKind::Public), channel("C2", ChannelKind::Public)], at(0))
            .await.expect("applied");
        world.store.intake().apply(events, at(60)).await.expect("applied");
        takes_nothing_else(world, &[message("C1", 10_061, "kumquat")]).await;
    };
}
