//! A forgetting that is interrupted after any step goes on to the same end; and what it would take is told before.

use std::{path::PathBuf, time::Duration};

use myao_core::forget::ForgetScope;
use myao_store::{ForgetStage, ForgetWork, Store, Target, TextPlace};
use sqlx::{Connection as _, Executor as _, PgConnection, SqliteConnection, sqlite::SqliteConnectOptions};

use crate::forget::{
    PATIENCE, everything, of_user,
    planted::{Extent, files_with, plant},
    with_words,
};
use crate::support::{World, at, general, on_both, sqlite, ts};

const WORDS: &str = "Wacholder-4720";
/// Of a test whose files are searched beside those of the others.
const HELD: &str = "Holunder-3391";

/// Does `steps` pieces and is gone; then another process does the rest. Whether there was anything left for it.
async fn interrupted(store: &Store, scope: &ForgetScope, steps: usize) -> bool {
    let begun = store.forget().begin(scope, "alice", at(200)).await.expect("begun");
    let mut left = steps;
    'all: for mut work in begun {
        while left > 0 {
            left -= 1;
            if !store.forget().do_next_piece(&mut work, at(201)).await.expect("forgotten") {
                continue 'all;
            }
        }
        break;
    }
    let unfinished = store.forget().list_unfinished().await.expect("read");
    let is_left = left == 0;
    for forgetting in unfinished {
        let mut work = ForgetWork::resume(forgetting.id);
        while store.forget().do_next_piece(&mut work, at(202)).await.expect("forgotten") {}
    }
    let cleaned = store.forget().clean_database(at(203), PATIENCE).await.expect("cleaned");
    assert!(!cleaned.is_held, "nobody else reads it");
    is_left
}

async fn at_every_step(world: &World, scope: &ForgetScope) {
    for steps in 0..20 {
        let one = match world.target {
            Target::Sqlite(_) => sqlite().await,
            Target::Postgres(_) => crate::support::postgres().await,
        };
        let words = format!("{WORDS}-{steps}");
        // A name is no message: only a person's forgetting takes it.
        let extent = if scope.words.is_some() { Extent::Channel } else { Extent::Person };
        plant(&one.store, &words, extent).await;
        let scope = if scope.words.is_some() { with_words(&words) } else { scope.clone() };
        let is_left = interrupted(&one.store, &scope, steps).await;
        assert_eq!(files_with(&one, &words).await, Vec::<PathBuf>::new(), "interrupted after {steps} steps");
        assert_eq!(one.store.forget().list_unfinished().await.expect("read"), []);
        if !is_left {
            return;
        }
    }
    panic!("it never came to its end");
}

/// Forgets while somebody reads an older state of the database, without waiting for them.
async fn held_by_a_reader(world: &World, scope: &ForgetScope) {
    let forget = async || {
        for mut work in world.store.forget().begin(scope, "alice", at(200)).await.expect("begun") {
            while world.store.forget().do_next_piece(&mut work, at(201)).await.expect("forgotten") {}
        }
        world.store.forget().clean_database(at(202), Duration::ZERO).await.expect("cleaned")
    };
    let cleaned = match &world.target {
        Target::Sqlite(path) => {
            let options = SqliteConnectOptions::new().filename(path).read_only(true);
            let mut reader = SqliteConnection::connect_with(&options).await.expect("opened");
            let mut reading = reader.begin().await.expect("begun");
            let count = sqlx::query_scalar::<_, i64>("SELECT count(*) FROM messages");
            count.fetch_one(&mut *reading).await.expect("read");
            forget().await
        }
        Target::Postgres(url) => {
            let mut reader = PgConnection::connect(url).await.expect("opened");
            let begin = "BEGIN ISOLATION LEVEL REPEATABLE READ";
            let mut reading = reader.begin_with(begin).await.expect("begun");
            let count = sqlx::query_scalar::<_, i64>("SELECT count(*) FROM messages");
            count.fetch_one(&mut *reading).await.expect("read");
            forget().await
        }
    };
    assert!(cleaned.is_held);
}

/// A message with the words that another process stores after they were looked for, and before the forgetting has its row.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn words_that_arrive_while_they_are_looked_for_go_as_well() {
    let world = sqlite().await;
    plant(&world.store, WORDS, Extent::Channel).await;
    let Target::Sqlite(path) = &world.target else { panic!("a file") };
    let options = SqliteConnectOptions::new().filename(path);
    let mut other = SqliteConnection::connect_with(&options).await.expect("opened");
    let mut writing = other.begin_with("BEGIN IMMEDIATE").await.expect("begun");
    let copy =
        "CREATE TEMP TABLE late AS SELECT * FROM messages WHERE channel_id = 'C1' AND user_id = 'U7' LIMIT 1;
                UPDATE late SET ts = ts + 1;
                INSERT INTO messages SELECT * FROM late";
    writing.execute(copy).await.expect("written");
    let store = world.store.clone();
    let scope = with_words(WORDS);
    let mut begun = tokio::spawn(async move { store.forget().begin(&scope, "alice", at(200)).await });
    let waited = tokio::time::timeout(Duration::from_millis(500), &mut begun).await;
    assert!(waited.is_err(), "it waits for the other to be done with writing");
    writing.commit().await.expect("committed");
    for mut work in begun.await.expect("joined").expect("begun") {
        while world.store.forget().do_next_piece(&mut work, at(201)).await.expect("forgotten") {}
    }
    drop(other);
    world.store.forget().clean_database(at(202), PATIENCE).await.expect("cleaned");
    assert_eq!(files_with(&world, WORDS).await, Vec::<PathBuf>::new());
}

on_both! {
    what_somebody_still_reads_is_cleaned_when_they_are_done => async |world: &World| {
        plant(&world.store, HELD, Extent::Channel).await;
        held_by_a_reader(world, &with_words(HELD)).await;
        let left = world.store.forget().list_unfinished().await.expect("read");
        assert_eq!(left.iter().map(|one| one.stage).collect::<Vec<_>>(), [ForgetStage::Cleaning]);
        let cleaned = world.store.forget().clean_database(at(203), PATIENCE).await.expect("cleaned");
        assert!(!cleaned.is_held, "the reader is gone");
        assert_eq!(world.store.forget().list_unfinished().await.expect("read"), []);
        assert_eq!(files_with(world, HELD).await, Vec::<PathBuf>::new());
    };

    a_person_is_forgotten_wherever_it_was_interrupted => async |world: &World| {
        at_every_step(world, &of_user("U7")).await;
    };

    words_are_forgotten_wherever_it_was_interrupted => async |world: &World| {
        at_every_step(world, &with_words(WORDS)).await;
    };

    what_would_go_is_told_and_nothing_is_touched => async |world: &World| {
        plant(&world.store, WORDS, Extent::Person).await;
        let preview = world.store.forget().preview(&of_user("U7")).await.expect("read");
        let of_c1 = preview.channels.iter().find(|row| row.channel == general()).expect("C1");
        assert_eq!((of_c1.messages, of_c1.files), (3, 1), "what they said there, and a picture");
        let memories = preview.by_channel()[&general()].clone();
        assert_eq!((memories.versions.as_slice(), memories.long_term, memories.threads), ([1].as_slice(), true, 1));
        assert_eq!(preview.channels.iter().map(|row| row.messages).sum::<u64>(), 5, "our side of D1 included");
        assert!(preview.reaches_workspace());
        assert_eq!(preview.text_count(TextPlace::Memos), 1);
        assert_eq!(preview.answers.len(), 1);
        assert_eq!(preview.first.first(), Some(&(general(), ts(2))));
        let by_words = world.store.forget().preview(&with_words(WORDS)).await.expect("read");
        assert_eq!((by_words.message_count(), by_words.text_count(TextPlace::Memos), by_words.text_count(TextPlace::Raw)), (6, 1, 1), "our post too");
        let nothing = ForgetScope { from: ts(5000), to: ts(6000), ..everything() };
        assert_eq!(world.store.forget().preview(&nothing).await.expect("read").message_count(), 0);
        assert_eq!(world.store.forget().list_newest(9).await.expect("read"), []);
        assert!(!files_with(world, WORDS).await.is_empty());
    };
}
