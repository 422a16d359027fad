//! What a prompt shows of what was found: what bears on the question, and what was replaced with its end (ADR 143).

use jiff::civil::{Date, date};
use myao_core::chat::{ChannelKind, Message};
use myao_store::{GatherRequest, Gathered, Recalled};

use super::tell;
use crate::support::{World, at, channel, general, message, on_both, ts};

const DAY: i64 = 86_400;

/// Says each of these in C2, a day after the other; the last number tells on which day.
async fn say(world: &World, texts: &[&str]) {
    let channels = vec![channel("C1", ChannelKind::Public), channel("C2", ChannelKind::Public)];
    world.store.intake().apply(channels, at(0)).await.expect("applied");
    let said = |(day, text): (i64, &&str)| Message { ts: ts(day * DAY), ..message("C2", 1, text) };
    tell(&world.store, (1..).zip(texts).map(said).collect()).await;
}

/// What was gathered for somebody who asks this in C1, a month later.
async fn gathered(world: &World, words: &str) -> Gathered {
    let asked = Message { ts: ts(60 * DAY), ..message("C1", 1, words) };
    let request = GatherRequest {
        most_recalled: 30,
        as_if_said: Some(asked),
        now: at(60 * DAY),
        ..crate::gather::request(&general())
    };
    world.store.gather().for_prompt(&request).await.expect("read").expect("a known channel")
}

async fn found(world: &World, words: &str) -> Vec<String> {
    gathered(world, words).await.recalled.iter().map(|found| found.text.words()).collect()
}

async fn below_floor(world: &World, words: &str) -> Vec<String> {
    gathered(world, words).await.below_floor.iter().map(|found| found.text.words()).collect()
}

async fn ends(world: &World, words: &str) -> Vec<(String, Option<Date>)> {
    let told = |found: &Recalled| (found.text.words(), found.replaced_on);
    gathered(world, words).await.recalled.iter().map(told).collect()
}

on_both! {
    what_holds_much_less_than_the_best_is_not_shown => async |world: &World| {
        let audits = ["The Palewater audit takes place on 3 May.", "The Palewater van is late again.", "The audit of the Brackenford books takes long."];
        let kanri = ["霧ヶ浦の監査は5月3日に行われます。", "霧ヶ浦の荷物がまた遅れています。", "白樺台の監査の資料は長いです。"];
        say(world, &[audits, kanri].concat()).await;
        assert_eq!(found(world, "When does the Palewater audit take place?").await, [audits[0]]);
        assert_eq!(found(world, "霧ヶ浦の監査はいつ行われる？").await, [kanri[0]]);
        // A question that shares only the name with its answer gets all that was said of the name, and nothing else.
        let mut named = found(world, "On which day do the inspectors come to Palewater?").await;
        named.sort();
        assert_eq!(named, audits[..2]);
    };

    what_is_below_the_floor_is_told_apart => async |world: &World| {
        let audits = ["The Palewater audit takes place on 3 May.", "The Palewater van is late again."];
        say(world, &audits).await;
        let words = "When does the Palewater audit take place?";
        assert_eq!(below_floor(world, words).await, audits[1..]);
        let all = gathered(world, words).await;
        assert_eq!(all.found().map(|found| found.text.words()).collect::<Vec<_>>(), audits);
        assert!(all.around.is_empty(), "days apart, they belong to nothing");
    };

    whoever_asks_about_two_things_gets_the_best_of_each => async |world: &World| {
        let said = ["The Palewater audit takes place on 3 May.", "Noor waters the plants of Brackenford on Mondays.", "The plants of Palewater are dry."];
        say(world, &said).await;
        let mut both = found(world, "When does the Palewater audit take place? And who waters the plants of Brackenford?").await;
        both.sort();
        assert_eq!(both, ["Noor waters the plants of Brackenford on Mondays.", "The Palewater audit takes place on 3 May."]);
    };

    nothing_is_shown_for_a_name_that_nobody_said => async |world: &World| {
        say(world, &["The Palewater audit takes place on 3 May.", "霧ヶ浦の監査は5月3日に行われます。"]).await;
        for words in ["When does the Zedlitz audit take place?", "霜台の監査はいつ行われる？", "霜月台の監査はいつ行われる？", "来春蓬生町の監査はいつ行われる？"] {
            assert_eq!(found(world, words).await, Vec::<String>::new(), "{words}");
        }
    };

    a_greeting_brings_nothing => async |world: &World| {
        let said = ["good morning Palewater", "おはようございます、霧ヶ浦です", "got it, Palewater", "霧ヶ浦、了解です"];
        say(world, &said).await;
        for words in ["good morning!", "おはようございます！", "ok, got it", "了解です！"] {
            assert_eq!(found(world, words).await, Vec::<String>::new(), "{words}");
        }
    };

    what_the_conversation_tells_needs_not_be_found => async |world: &World| {
        let words = "When does the Palewater audit take place?";
        let said = ["The Palewater van is late."];
        say(world, &said).await;
        assert_eq!(found(world, words).await, said);
        let told = Message { ts: ts(59 * DAY), ..message("C1", 1, "The Palewater audit takes place on 3 May.") };
        tell(&world.store, vec![told]).await;
        assert_eq!(found(world, words).await, Vec::<String>::new());
    };

    what_was_replaced_comes_with_its_end => async |world: &World| {
        let english = ["The Palewater audit takes place on 12 April.", "Correction: the Palewater audit takes place on 3 May."];
        let japanese = ["霧ヶ浦の監査は4月12日に行われます。", "訂正：霧ヶ浦の監査は5月3日に行われます。"];
        say(world, &[english, japanese].concat()).await;
        for ([old, new], words, day) in [
            (english, "When does the Palewater audit take place?", date(2026, 2, 4)),
            (japanese, "霧ヶ浦の監査はいつ行われる？", date(2026, 2, 6)),
        ] {
            let mut told = ends(world, words).await;
            told.sort();
            let mut expected = [(old.to_owned(), Some(day)), (new.to_owned(), None)];
            expected.sort();
            assert_eq!(told, expected, "{words}");
        }
    };
}
