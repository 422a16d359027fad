//! What it says when spoken to.

use insta::assert_snapshot;
use myao_core::{
    ports::{FoundIn, Material, Request, TalkLine, UNASKED},
    prompt::Language,
};

use crate::asking::{ask, day, line, request};

fn reply(lines: Vec<TalkLine>, language: Language) -> String {
    let mut request = request(Material::Conversation(lines), 300);
    request.language = language;
    ask(&request).unwrap().text
}

/// What it says though nobody asked.
fn remark(lines: Vec<TalkLine>) -> String {
    ask(&Request { purpose: UNASKED, ..request(Material::Conversation(lines), 300) }).unwrap().text
}

#[test]
fn unasked_it_says_something_only_where_it_has_something_to_say() {
    let known = "10:00 hana: 次の勉強会は4月10日に図書館で開催することに決まりました。
         11:00 mio: 次の勉強会は図書館で開催でしたっけ？";
    assert_snapshot!(remark(day("2026-03-02", known)), @r"2026-03-02にhanaさんが近い話をしていました：「次の勉強会は4月10日に図書館で開催することに決まりました。」");
    let known = "10:00 ann: The release freeze starts on March 9, so please merge your branches by Thursday.
         11:00 cy: when does the release freeze start?";
    assert_snapshot!(remark(day("2026-03-02", known)), @r"This may help: on 2026-03-02 ann wrote “The release freeze starts on March 9, so please merge your branches by Thursday.”");
    let unknown = "10:00 ken: お昼は蕎麦にします
         11:00 mio: 次の勉強会はいつでしたっけ？";
    assert_eq!(remark(day("2026-03-02", unknown)), "");
    assert_eq!(remark(day("2026-03-02", "10:00 ann: anybody?")), "");
}

#[test]
fn a_japanese_question_gets_the_closest_earlier_line() {
    let lines = day(
        "2026-03-02",
        "10:00 hana: 次の勉強会は4月10日に図書館で開催することに決まりました。
         10:05 ken: お昼は蕎麦にします
         11:00 mio: @myao 次の勉強会はいつでしたっけ？",
    );
    assert_snapshot!(reply(lines, Language::En), @r"言語モデルなしで動いているので、自分では答えられません。近い話では、2026-03-02にhanaさんが「次の勉強会は4月10日に図書館で開催することに決まりました。」と言っていました。");
}

#[test]
fn an_english_question_gets_the_closest_earlier_line() {
    let lines = day(
        "2026-03-02",
        "10:00 ann: The release freeze starts on March 9, so please merge your branches by Thursday.
         10:05 bob: lunch anyone?
         11:00 cy: @myao when does the release freeze start?",
    );
    assert_snapshot!(reply(lines, Language::Ja), @r"I run without a language model, so I can only point at what was said: on 2026-03-02 ann wrote “The release freeze starts on March 9, so please merge your branches by Thursday.”");
}

#[test]
fn a_bare_mention_is_answered_in_the_language_of_the_workspace() {
    for words in ["@myao", "@myao @hana !"] {
        let called = day("2026-03-02", &format!("10:00 hana: {words}"));
        assert!(reply(called.clone(), Language::Ja).contains("言語モデルなしで"), "{words}");
        assert!(reply(called, Language::En).contains("without a language model"), "{words}");
    }
}

/// What a search found is quoted with its mark, which becomes a link.
#[test]
fn what_was_found_elsewhere_answers_as_well() {
    let found = |at: &str, words: &str, mark: &str| TalkLine {
        mark: Some(mark.to_owned()),
        found: Some(FoundIn { exchange: 1, is_hit: true }),
        ..line(at, "hana", words)
    };
    let asked = |question: &str| {
        let mut lines = vec![
            found("2026-01-07 10:00", "次の勉強会は4月10日に図書館で開催することに決まりました。", "r1"),
            found(
                "2026-01-08 10:00",
                "The release freeze starts on March 9, so please merge by Thursday.",
                "r2",
            ),
        ];
        lines.extend(day("2026-03-02", &format!("10:05 ken: お昼は蕎麦にします\n11:00 mio: {question}")));
        reply(lines, Language::Ja)
    };
    assert_snapshot!(asked("@myao 次の勉強会はいつでしたっけ？"), @r"言語モデルなしで動いているので、自分では答えられません。近い話では、2026-01-07にhanaさんが「次の勉強会は4月10日に図書館で開催することに決まりました。」と言っていました。 [r1]");
    assert_snapshot!(asked("@myao when does the release freeze start?"), @r"I run without a language model, so I can only point at what was said: on 2026-01-08 hana wrote “The release freeze starts on March 9, so please merge by Thursday.” [r2]");
    assert_snapshot!(asked("@myao 猫の名前は何？"), @r"言語モデルなしで動いているので、うまく答えられません。");
}

/// Pointing at its own pointing, each answer would quote the one before.
#[test]
fn what_was_asked_before_is_no_answer() {
    let english = "10:00 ann: The Spring Count is now in April, from the 20th to the 24th.
10:05 bea: @myao when is the Spring Count now, and when do the boxes go out?
10:20 joe: @myao when is the Spring Count now?";
    let answer = reply(day("2026-03-02", english), Language::En);
    assert!(answer.contains("ann wrote “The Spring Count is now in April"), "{answer}");
    let japanese = "10:00 hana: 次の勉強会は4月10日に図書館で開催することに決まりました。
10:05 jun: 次の勉強会はいつ、どこで開催するのでしたっけ？
10:20 ken: 次の勉強会はいつでしたか？";
    let answer = reply(day("2026-03-02", japanese), Language::Ja);
    assert!(answer.contains("hanaさんが「次の勉強会は4月10日"), "{answer}");
}

#[test]
fn it_does_not_quote_itself() {
    let lines = day(
        "2026-03-02",
        "10:00 ann: The release freeze starts on March 9, so please merge your branches by Thursday.
         11:00 myao: I run without a language model, so I can only point at what was said: the release freeze, when does it start, merge
         11:05 cy: @myao when does the release freeze start?",
    );
    let answer = reply(lines, Language::En);
    assert!(answer.contains("ann wrote “The release freeze"), "{answer}");
}

#[test]
fn without_anything_to_point_at_it_says_so() {
    let ask = |text: &str, language| reply(day("2026-03-02", &format!("10:00 mio: {text}")), language);
    assert_snapshot!(ask("@myao 一番高い山はどこにありますか？", Language::Ja), @r"言語モデルなしで動いているので、うまく答えられません。");
    assert_snapshot!(ask("@myao what is the highest mountain?", Language::En), @r"I run without a language model, so I can't really answer that.");
    assert_snapshot!(ask("???", Language::Ja), @r"言語モデルなしで動いているので、うまく答えられません。");
}

#[test]
fn courtesies_are_returned() {
    let say = |text: &str| reply(day("2026-03-02", &format!("10:00 mio: {text}")), Language::Ja);
    assert_eq!(say("おはよう！"), "おはようございます。");
    assert_eq!(say("@myao ありがとう！"), "どういたしまして。");
    assert_eq!(say("thanks a lot"), "You're welcome.");
    assert_eq!(say("hello there"), "Hello.");
}

#[test]
fn nobody_spoke() {
    assert_eq!(reply(Vec::new(), Language::Ja), "");
}
