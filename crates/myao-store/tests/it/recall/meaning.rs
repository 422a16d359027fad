//! What means the same is found (ADR 43): as messages stand, by whom it may be seen, and only for the model that is named.

use myao_core::{
    chat::{ChannelId, ChannelKind, Event, User, UserId, Visibility},
    recall::{RecallFilter, TextVector},
};
use myao_store::{GatherRequest, QuestionVector, RecallRequest, Store};

use super::{asked, edited, index, request, run, tell};
use crate::support::{World, at, channel, general, message, on_both, ts};

const MODEL: &str = "embeddings/fake";

/// Animals with scales lie in one direction, those with manes in another; all else somewhere else.
fn vector(text: &str) -> TextVector {
    let holds = |words: &[&str]| words.iter().any(|word| text.contains(word));
    let scales = if holds(&["crocodile", "alligator", "ワニ"]) { 1.0 } else { 0.0 };
    let mane = if holds(&["lion", "big cat"]) { 1.0 } else { 0.0 };
    TextVector::new(&[scales, mane, 0.2]).expect("a direction")
}

/// Finds out what everything means that waits; how many texts a model was asked about.
async fn embed(store: &Store, model: &str) -> usize {
    let mut all = 0;
    while !store.recall().line_up_some(model).await.expect("lined up") {}
    loop {
        let texts = store.recall().texts_to_embed(3).await.expect("read");
        if texts.is_empty() {
            return all;
        }
        let vectors = texts.into_iter().map(|text| {
            let vector = text.words.as_deref().map(vector);
            (text, vector)
        });
        let vectors: Vec<_> = vectors.collect();
        all += vectors.iter().filter(|(_, vector)| vector.is_some()).count();
        store.recall().put_vectors(model, vectors).await.expect("stored");
    }
}

fn meaning(words: &str) -> RecallRequest {
    let vector = vector(words);
    let question = QuestionVector { model: MODEL.to_owned(), words: words.to_owned(), vector };
    RecallRequest { meaning: Some(question), most: 3, ..request(words) }
}

/// What is found for these words and their meaning, best first.
async fn meant(store: &Store, words: &str) -> Vec<String> {
    asked(store, &Visibility::Owner, &meaning(words)).await
}

/// Rows with a vector, and rows that wait.
async fn rows(store: &Store) -> (u64, u64) {
    let progress = store.recall().progress_with_model(MODEL).await.expect("read");
    (progress.embedded, progress.waiting)
}

on_both! {
    other_words_are_found => async |world: &World| {
        let store = &world.store;
        tell(store, vec![message("C1", 1, "a crocodile"), message("C1", 2, "a lion"), message("C1", 3, "tea")]).await;
        assert!(meant(store, "alligator").await.is_empty(), "nobody was asked yet");
        assert_eq!(embed(store, MODEL).await, 3);
        assert_eq!(meant(store, "alligator").await[0], "a crocodile");
        assert!(asked(store, &Visibility::Owner, &request("alligator")).await.is_empty(), "by words alone it is not");
        assert_eq!(meant(store, "big cat tea").await[..2], ["tea", "a lion"], "words first, then what they mean");
        // What is said later is found as soon as a model was asked about it.
        tell(store, vec![message("C1", 4, "ワニ")]).await;
        assert_eq!(embed(store, MODEL).await, 1);
        assert_eq!(meant(store, "alligator").await[..2], ["ワニ", "a crocodile"]);
    };

    an_edit_takes_the_vector_with_it => async |world: &World| {
        let store = &world.store;
        tell(store, vec![message("C1", 1, "a crocodile"), message("C1", 2, "a lion"), message("C1", 3, "tea")]).await;
        embed(store, MODEL).await;
        assert_eq!(meant(store, "alligator").await[0], "a crocodile");
        tell(store, vec![edited(message("C1", 1, "a teapot"), 9)]).await;
        assert_eq!(rows(store).await, (2, 1));
        let request = RecallRequest { most: 50, ..meaning("alligator") };
        let found = asked(store, &Visibility::Owner, &request).await;
        assert!(!found.contains(&"a teapot".to_owned()), "not by what it meant before: {found:?}");
        embed(store, MODEL).await;
        assert_eq!(rows(store).await, (3, 0));
        assert_ne!(meant(store, "alligator").await[0], "a crocodile");
    };

    a_deletion_takes_the_vector_with_it => async |world: &World| {
        let store = &world.store;
        tell(store, vec![message("C1", 1, "a crocodile"), message("C1", 2, "a lion")]).await;
        embed(store, MODEL).await;
        assert_eq!(meant(store, "alligator").await[0], "a crocodile");
        store.intake().apply(vec![Event::Deleted { channel: general(), ts: ts(1) }], at(5)).await.expect("applied");
        assert_eq!(rows(store).await, (1, 1));
        assert_eq!(meant(store, "alligator").await, ["a lion"]);
        assert_eq!(embed(store, MODEL).await, 0, "nobody is asked about what is gone");
        assert_eq!(rows(store).await, (1, 0));
    };

    what_changed_meanwhile_gets_no_vector_of_its_old_words => async |world: &World| {
        let store = &world.store;
        tell(store, vec![message("C1", 1, "a crocodile"), message("C1", 2, "a lion")]).await;
        while !store.recall().line_up_some(MODEL).await.expect("lined up") {}
        let read = store.recall().texts_to_embed(9).await.expect("read");
        assert_eq!(read[0].words.as_deref(), Some("(2 Feb 2026) U1: a lion"), "the newest first, with who and when");
        tell(store, vec![edited(message("C1", 1, "a teapot"), 9)]).await;
        let read = read.into_iter().map(|text| {
            let vector = text.words.as_deref().map(vector);
            (text, vector)
        });
        assert_eq!(store.recall().put_vectors(MODEL, read.collect()).await.expect("stored"), 1);
        assert_eq!(rows(store).await, (1, 1));
    };

    vectors_of_words_alone_are_made_anew => async |world: &World| {
        let store = &world.store;
        tell(store, vec![message("C1", 1, "a crocodile"), message("C1", 2, "a lion")]).await;
        assert_eq!(embed(store, MODEL).await, 2);
        // As an older version left them.
        run(world, &format!("UPDATE settings SET value = '{MODEL}' WHERE key = 'embeddings'")).await;
        assert!(!store.recall().progress_with_model(MODEL).await.expect("read").is_lined_up);
        assert_eq!(asked(store, &Visibility::Owner, &meaning("alligator")).await, Vec::<String>::new(), "they are not compared");
        assert_eq!(embed(store, MODEL).await, 2);
        assert_eq!(meant(store, "alligator").await[0], "a crocodile");
    };

    a_private_channel_lies_near_nobody_elsewhere => async |world: &World| {
        let store = &world.store;
        store.intake().apply(vec![channel("C1", ChannelKind::Public), channel("C2", ChannelKind::Private)], at(0)).await.expect("applied");
        tell(store, vec![message("C1", 1, "a lion"), message("C2", 2, "a crocodile")]).await;
        embed(store, MODEL).await;
        let place = |id: &str| Visibility::Place { channel: ChannelId::new(id), open_channels: true };
        let words = meaning("alligator");
        assert_eq!(asked(store, &Visibility::Owner, &words).await[0], "a crocodile");
        assert_eq!(asked(store, &place("C2"), &words).await[0], "a crocodile");
        assert_eq!(asked(store, &place("C1"), &words).await, ["a lion"]);
        let aimed = RecallFilter { channels: vec![ChannelId::new("C2")], ..RecallFilter::default() };
        let aimed = RecallRequest { filter: aimed, ..words.clone() };
        assert!(asked(store, &place("C1"), &aimed).await.is_empty(), "naming it does not open it");
        // One that is open and closes is closed at once.
        store.intake().apply(vec![channel("C2", ChannelKind::Public)], at(3)).await.expect("applied");
        assert_eq!(asked(store, &place("C1"), &words).await[0], "a crocodile");
        store.intake().apply(vec![channel("C2", ChannelKind::Private)], at(4)).await.expect("applied");
        assert_eq!(asked(store, &place("C1"), &words).await, ["a lion"]);
    };

    bounds_hold => async |world: &World| {
        let store = &world.store;
        tell(store, vec![message("C1", 1, "a crocodile"), message("C2", 2, "a crocodile too"), message("C1", 3, "ワニ")]).await;
        embed(store, MODEL).await;
        let within = async |filter: RecallFilter| {
            asked(store, &Visibility::Owner, &RecallRequest { filter, ..meaning("alligator") }).await
        };
        let all = RecallFilter::default();
        assert_eq!(within(RecallFilter { channels: vec![ChannelId::new("C2")], ..all.clone() }).await, ["a crocodile too"]);
        assert_eq!(within(RecallFilter { before: Some(ts(2)), ..all.clone() }).await, ["a crocodile"]);
        assert_eq!(within(RecallFilter { since: Some(ts(3)), ..all.clone() }).await, ["ワニ"]);
        assert!(within(RecallFilter { users: vec![UserId::new("U9")], ..all.clone() }).await.is_empty());
        assert!(within(RecallFilter { phrases: vec!["lion".to_owned()], ..all }).await.is_empty());
    };

    nobody_is_asked_about_programs_and_signs => async |world: &World| {
        let store = &world.store;
        let program = Event::User(User { id: UserId::new("B1"), name: "build".to_owned(), is_bot: true });
        store.intake().apply(vec![program], at(0)).await.expect("applied");
        let mut by_program = message("C1", 1, "a crocodile");
        by_program.user = UserId::new("B1");
        tell(store, vec![by_program, message("C1", 2, ":)"), message("C1", 3, "a lion")]).await;
        assert_eq!(embed(store, MODEL).await, 1);
        assert_eq!(rows(store).await, (1, 0));
    };

    another_model_begins_anew => async |world: &World| {
        let store = &world.store;
        tell(store, vec![message("C1", 1, "a crocodile"), message("C1", 2, "a lion")]).await;
        embed(store, MODEL).await;
        assert_eq!(embed(store, "embeddings/other").await, 2);
        assert!(meant(store, "alligator").await.is_empty(), "these are another model's");
        assert!(!store.recall().progress_with_model(MODEL).await.expect("read").is_lined_up);
        assert_eq!(embed(store, MODEL).await, 2);
        assert_eq!(meant(store, "alligator").await[0], "a crocodile");
    };

    vectors_of_another_length_begin_anew => async |world: &World| {
        let store = &world.store;
        tell(store, vec![message("C1", 1, "a crocodile"), message("C1", 2, "a lion")]).await;
        embed(store, MODEL).await;
        tell(store, vec![message("C1", 3, "tea")]).await;
        let text = store.recall().texts_to_embed(1).await.expect("read").remove(0);
        let longer = TextVector::new(&[1.0, 0.0, 0.0, 0.0]).expect("a direction");
        store.recall().put_vectors(MODEL, vec![(text, Some(longer))]).await.expect("stored");
        assert!(meant(store, "alligator").await.is_empty(), "by words alone");
        assert_eq!(embed(store, MODEL).await, 3);
        assert_eq!(meant(store, "alligator").await[0], "a crocodile");
    };

    a_prompt_finds_what_means_the_same => async |world: &World| {
        let store = &world.store;
        store.intake().apply(vec![channel("C1", ChannelKind::Public), channel("C2", ChannelKind::Public)], at(0)).await.expect("applied");
        tell(store, vec![message("C2", 1, "a crocodile"), message("C2", 2, "a lion"), message("C1", 3, "what of the alligator?")]).await;
        embed(store, MODEL).await;
        let request = GatherRequest { most_recalled: 9, ..crate::gather::request(&general()) };
        let words = store.gather().words_to_recall(&request).await.expect("read");
        assert_eq!(words.trim(), "what of the alligator?");
        let recalled = async |meaning: RecallRequest| {
            let request = GatherRequest { meaning: meaning.meaning, ..request.clone() };
            let gathered = store.gather().for_prompt(&request).await.expect("read").expect("a known channel");
            gathered.recalled.into_iter().map(|found| found.text.words()).collect::<Vec<_>>()
        };
        assert_eq!(recalled(meaning(&words)).await[0], "a crocodile");
        assert!(recalled(meaning("alligator")).await.is_empty(), "those are not the words any more");
    };

    an_index_made_anew_keeps_them => async |world: &World| {
        let store = &world.store;
        tell(store, vec![message("C1", 1, "a crocodile"), message("C1", 2, "a lion")]).await;
        embed(store, MODEL).await;
        run(world, "DELETE FROM settings WHERE key = 'recall'").await;
        index(store).await;
        assert_eq!(rows(store).await, (2, 0));
    };

    without_a_model_there_are_no_rows => async |world: &World| {
        let store = &world.store;
        tell(store, vec![message("C1", 1, "a crocodile")]).await;
        tell(store, vec![edited(message("C1", 1, "a teapot"), 9)]).await;
        assert_eq!(rows(store).await, (0, 0));
    };

    garbage_lies_near_nothing => async |world: &World| {
        let store = &world.store;
        tell(store, vec![message("C1", 1, "a crocodile"), message("C1", 2, "a lion")]).await;
        embed(store, MODEL).await;
        let none = if matches!(world.target, myao_store::Target::Sqlite(_)) { "x''" } else { "''" };
        run(world, &format!("UPDATE embeddings SET vector = {none}")).await;
        assert!(meant(store, "alligator").await.is_empty());
        assert_eq!(meant(store, "lion").await, ["a lion"], "words are found all the same");
    };
}
