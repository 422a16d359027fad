//! What is found tells something of what was asked for.

use myao_core::chat::{ChannelKind, Message, Visibility};

use super::{asked, found, request, tell};
use crate::support::{World, at, channel, message, on_both, ts};

/// The hits that tell something, best first.
async fn told(world: &World, words: &str) -> Vec<String> {
    let found = world.store.recall().search(&Visibility::Owner, &request(words)).await.expect("asked");
    found.into_iter().filter(|one| !one.is_incidental).map(|one| one.text.words()).collect()
}

/// Messages an hour apart, so that none stands beside another.
fn hourly(texts: &[&str]) -> Vec<Message> {
    (1..).zip(texts).map(|(hour, text)| Message { ts: ts(hour * 3600), ..message("C1", 1, text) }).collect()
}

on_both! {
    a_word_of_everyday_brings_nothing => async |world: &World| {
        let uses = ["I use the red one", "we could use some rain", "which one do you use", "good to have a way out", "without a good reason"];
        let mut texts = vec!["Redis holds the sessions", "GHA runs the tests", "it runs on k8s", "ask the IT people"];
        texts.extend(uses);
        tell(&world.store, hourly(&texts)).await;
        for (words, expected) in [
            ("What are we using Redis for?", "Redis holds the sessions"),
            ("is there a good way to use GHA without it?", "GHA runs the tests"),
            ("who uses k8s?", "it runs on k8s"),
            ("is IT there?", "ask the IT people"),
        ] {
            assert_eq!(told(world, words).await, [expected], "{words}");
        }
        assert!(told(world, "what would be a great thing to do with that?").await.is_empty());
        // Two of them that stand together, and all that was asked for.
        assert_eq!(told(world, "did anybody give a good reason?").await, ["without a good reason"]);
        assert_eq!(told(world, "use").await.len(), 3);
    };

    contractions_are_no_rare_words => async |world: &World| {
        tell(&world.store, hourly(&["that wasnt me", "the boiler broke", "youre right, it isnt"])).await;
        for words in ["why wasn't the boiler repaired?", "why wasnt the boiler repaired, you're asking?", "isn\u{2019}t it the boiler?"] {
            assert_eq!(found(&world.store, words).await, ["the boiler broke"], "{words}");
        }
    };

    a_time_of_day_is_one_word => async |world: &World| {
        tell(&world.store, hourly(&["dinner at 19:00", "the gate closes at 23:00", "up at 9:05", "起床は０７：３０", "23 people came"])).await;
        for (words, expected) in [
            ("23:00", "the gate closes at 23:00"),
            ("what is at 09:05?", "up at 9:05"),
            ("7:30に何がある？", "起床は０７：３０"),
        ] {
            assert_eq!(found(&world.store, words).await, [expected], "{words}");
        }
        assert_eq!(found(&world.store, "23").await, ["23 people came"]);
    };

    what_stands_within_minutes_counts => async |world: &World| {
        let store = &world.store;
        store.intake().apply(vec![channel("C1", ChannelKind::Public)], at(0)).await.expect("applied");
        let asked = Message { ts: ts(40), ..message("C1", 1, "the kiln?") };
        let mut messages = hourly(&["glaze it at noon", "glaze it by hand", "glaze nothing today"]);
        messages.push(asked);
        messages.push(Message { ts: ts(80), ..message("C1", 1, "glaze it twice") });
        tell(store, messages).await;
        let found = found(store, "how to glaze the plates of the kiln").await;
        assert_eq!(found.iter().find(|text| text.starts_with("glaze")).map(String::as_str), Some("glaze it twice"), "{found:?}");
    };

    // What was said at or after the time of the question stands beside nothing.
    nothing_later_counts => async |world: &World| {
        let store = &world.store;
        let glaze = |hour: i64| Message { ts: ts(hour * 3600), ..message("C1", 1, "glaze it") };
        tell(store, vec![glaze(1), glaze(2)]).await;
        let mut asked_for = request("glaze the kiln");
        asked_for.filter.before = Some(ts(2 * 3600 + 30));
        let scores = async || {
            let found = store.recall().search(&Visibility::Owner, &asked_for).await.expect("asked");
            found.iter().map(|one| one.score.to_bits()).collect::<Vec<_>>()
        };
        let before = scores().await;
        tell(store, vec![Message { ts: ts(2 * 3600 + 30), ..message("C1", 1, "it is about the kiln") }]).await;
        assert_eq!(scores().await.len(), 2);
        assert_eq!(scores().await, before);
    };

    a_phrase_goes_on_behind_marks => async |world: &World| {
        let store = &world.store;
        let texts = ["that is the *big* deal", "これは*大事*です", "これは\n重要です", "no deal is big"];
        tell(store, hourly(&texts)).await;
        for (phrase, text) in [("the big deal", texts[0]), ("これは大事です", texts[1]), ("これは重要です", texts[2])] {
            let mut quoted = request("");
            quoted.filter.phrases = vec![phrase.to_owned()];
            assert_eq!(asked(store, &Visibility::Owner, &quoted).await, [text], "{phrase}");
        }
    };
}
