//! No query fails, whatever is in it.

use myao_core::chat::{ChannelKind, Visibility};
use proptest::prelude::*;

use super::{asked, found, request, tell};
use crate::support::{World, at, channel, message, on_both, sqlite};

const RUBBISH: [&str; 12] = [
    "",
    " \t\n",
    "🦕🦖",
    "\" OR * NEAR(",
    "a\0b \u{200b}\u{202e}",
    "rowid:1 terms:x -y +z ^a",
    "' & | ! <-> ( ) :* \\",
    "{\"a\": [1,",
    "🏳️‍🌈 👨‍👩‍👧",
    "の",
    "<@U1> <#C1> :smile:",
    "ｱﾞ ゛ ー っ",
];

on_both! {
    rubbish_is_only_not_found => async |world: &World| {
        let store = &world.store;
        store.intake().apply(vec![channel("C1", ChannelKind::Public)], at(0)).await.expect("applied");
        tell(store, vec![message("C1", 1, "a crocodile, 鰐")]).await;
        let long = ["crocodile 鰐", "x", "a b c d e f ", "あいうえお漢字"].map(|words| words.repeat(40_000 / words.chars().count()));
        for words in RUBBISH.into_iter().chain(long.iter().map(String::as_str)) {
            found(store, words).await;
            let mut phrase = request(words);
            phrase.filter.phrases = vec![words.to_owned()];
            asked(store, &Visibility::Owner, &phrase).await;
            phrase.words = "crocodile".to_owned();
            asked(store, &Visibility::Owner, &phrase).await;
        }
        assert_eq!(found(store, &long[0]).await, ["a crocodile, 鰐"]);
    };
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(8))]

    #[test]
    fn any_text_may_be_asked_for(texts in prop::collection::vec((".{0,40}", ".{0,20}"), 1..20)) {
        tokio::runtime::Runtime::new().expect("a runtime").block_on(async {
            let world = sqlite().await;
            for (second, (words, phrase)) in (1..).zip(&texts) {
                tell(&world.store, vec![message("C1", second, words)]).await;
                let mut asked_for = request(words);
                asked_for.filter.phrases = vec![phrase.clone()];
                asked(&world.store, &Visibility::Owner, &asked_for).await;
                found(&world.store, words).await;
            }
        });
    }
}
