//! What a prompt looks up by itself.

use std::collections::BTreeSet;

use myao_core::{chat::Place, recall::words_to_recall};

use crate::prompt_sample::said;

/// The words that are looked up when `asked` is said after talk about something else.
fn looked_up(asked: &str) -> String {
    looked_up_after(10, asked)
}

/// The same when it is said so many seconds after that talk.
fn looked_up_after(seconds: i64, asked: &str) -> String {
    let earlier = said(10, 1, "the checkout session fails with an undefined redirect");
    let messages = [earlier, said(10 + seconds, 2, asked)];
    let place = Place { channel: messages[1].channel.clone(), thread: None };
    words_to_recall(&messages, &BTreeSet::from([messages[1].ts]), &place)
}

/// Long talk about something else would outweigh the question.
#[test]
fn a_question_with_three_telling_words_is_looked_up_alone() {
    let question = "Who is responsible for the Tarnwick backups?";
    assert_eq!(looked_up(question), question);
    let question = "合宿の宿はどこ？";
    assert_eq!(looked_up(question), question);
}

#[test]
fn a_question_that_says_less_is_looked_up_with_what_was_said_before() {
    for question in ["and when does it happen?", "それはどうして？"] {
        let words = looked_up(question);
        assert!(words.starts_with(question) && words.contains("undefined redirect"), "{words}");
    }
}

#[test]
fn what_was_said_hours_ago_is_not_looked_up_with_a_question() {
    let question = "What do we get for Palewater?";
    assert!(looked_up_after(3_600, question).contains("undefined redirect"));
    assert_eq!(looked_up_after(3_601, question), question);
}

#[test]
fn a_greeting_looks_up_nothing() {
    for greeting in [
        "good morning everybody",
        "<@U9> thanks a lot, that helped!",
        "how are you today?",
        "おはようございます",
        "<@U9> ありがとうございます、助かりました！",
        "いま聞こえますか？",
        "ok, got it",
        "了解です",
    ] {
        assert_eq!(looked_up(greeting), "", "{greeting}");
    }
}

#[test]
fn what_is_asked_behind_a_greeting_is_looked_up() {
    for asked in [
        "thanks, and the audit?",
        "hello, when does the van come to Palewater?",
        "ありがとう、監査は？",
        "おはよう、荷物はいつ着く？",
        // Who says yes wants what was offered.
        "yes please",
        "got it, but when does the van come to Palewater?",
        "了解です。監査はいつですか？",
        "はい、そうしてください",
    ] {
        assert!(looked_up(asked).starts_with(asked), "{asked}");
    }
}
