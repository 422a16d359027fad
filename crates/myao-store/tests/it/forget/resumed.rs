//! A forgetting that is interrupted after any step goes on to the same end; and what it would take is told before.

use myao_core::forget::ForgetScope;
use myao_store::{ForgetWork, Store};

use super::{
    everything, of_user,
    planted::{Extent, files_with, plant},
    with_words,
};
use crate::support::{World, at, general, on_both, ts};

const WORDS: &str = "Wacholder-4720";

/// Does `steps` pieces and is gone; then another process does the rest. Whether there was anything left for it.
async fn interrupted(store: &Store, scope: &ForgetScope, steps: usize) -> bool {
    let begun = store.begin_forgetting(scope, "alice", at(200)).await.expect("begun");
    let mut left = steps;
    'all: for mut work in begun {
        while left > 0 {
            left -= 1;
            if !store.forget_next(&mut work, at(201)).await.expect("forgotten") {
                continue 'all;
            }
        }
        break;
    }
    let unfinished = store.unfinished_forgettings().await.expect("read");
    let is_left = left == 0;
    for forgetting in unfinished {
        let mut work = ForgetWork::resume(forgetting.id);
        while store.forget_next(&mut work, at(202)).await.expect("forgotten") {}
    }
    let cleaned = store.clean_forgotten(at(203)).await.expect("cleaned");
    assert!(!cleaned.is_held, "nobody else reads it");
    is_left
}

async fn at_every_step(world: &World, scope: &ForgetScope) {
    for steps in 0..20 {
        let one = match world.target {
            myao_store::Target::Sqlite(_) => crate::support::sqlite().await,
            myao_store::Target::Postgres(_) => crate::support::postgres().await,
        };
        let words = format!("{WORDS}-{steps}");
        // A name is no message: only a person's forgetting takes it.
        let extent = if scope.words.is_some() { Extent::Channel } else { Extent::Person };
        plant(&one.store, &words, extent).await;
        let scope = if scope.words.is_some() { with_words(&words) } else { scope.clone() };
        let is_left = interrupted(&one.store, &scope, steps).await;
        assert_eq!(files_with(&one, &words).await, Vec::<String>::new(), "interrupted after {steps} steps");
        assert_eq!(one.store.unfinished_forgettings().await.expect("read"), []);
        if !is_left {
            return;
        }
    }
    panic!("it never came to its end");
}

on_both! {
    a_person_is_forgotten_wherever_it_was_interrupted => async |world: &World| {
        at_every_step(world, &of_user("U7")).await;
    };

    words_are_forgotten_wherever_it_was_interrupted => async |world: &World| {
        at_every_step(world, &with_words(WORDS)).await;
    };

    what_would_go_is_told_and_nothing_is_touched => async |world: &World| {
        plant(&world.store, WORDS, Extent::Person).await;
        let preview = world.store.preview_forgetting(&of_user("U7")).await.expect("read");
        let of_c1 = preview.channels.iter().find(|row| row.channel == general()).expect("C1");
        assert_eq!((of_c1.messages, of_c1.files), (3, 1), "what they said there, and a picture");
        assert_eq!((of_c1.versions.as_slice(), of_c1.long_term, of_c1.threads), ([1].as_slice(), true, 1));
        assert_eq!(preview.channels.iter().map(|row| row.messages).sum::<u64>(), 5, "our side of D1 included");
        assert!(preview.workspace);
        assert_eq!(preview.memos.len(), 1);
        assert_eq!(preview.answers, 1);
        assert_eq!(preview.first.first(), Some(&(general(), ts(2))));
        let by_words = world.store.preview_forgetting(&with_words(WORDS)).await.expect("read");
        assert_eq!((by_words.messages(), by_words.memos.len(), by_words.raw), (6, 1, 1), "our post too");
        let nothing = ForgetScope { from: ts(5000), to: ts(6000), ..everything() };
        assert_eq!(world.store.preview_forgetting(&nothing).await.expect("read").messages(), 0);
        assert_eq!(world.store.forgettings(9).await.expect("read"), []);
        assert!(!files_with(world, WORDS).await.is_empty());
    };
}
