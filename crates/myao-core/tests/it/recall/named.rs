//! Whom and which days a question names.

use jiff::{Timestamp, tz::TimeZone};
use myao_core::recall::{NamedInQuestion, name_parts};

/// Wednesday 18 March 2026, 08:30 in Tokyo; in UTC it is still Tuesday.
fn now() -> Timestamp {
    "2026-03-17T23:30:00Z".parse().expect("a time")
}

fn named(question: &str) -> NamedInQuestion {
    NamedInQuestion::new(question, now(), &TimeZone::get("Asia/Tokyo").expect("a zone"))
}

/// The first day and the one after the last, in Tokyo; an open end is none.
fn days(question: &str) -> Option<(String, Option<String>)> {
    let days = named(question).days?;
    let zone = TimeZone::get("Asia/Tokyo").expect("a zone");
    let day = |ts: myao_core::chat::MessageTs| ts.to_timestamp().to_zoned(zone.clone()).date().to_string();
    Some((day(days.start), days.end.map(day)))
}

#[test]
fn days_in_the_middle_of_a_question() {
    for (question, start, end) in [
        ("what did Noor say in March?", "2026-03-01", "2026-04-01"),
        ("what did Noor say in April", "2025-04-01", "2025-05-01"),
        ("did we ship anything in March 2024?", "2024-03-01", "2024-04-01"),
        ("who was there on March 5th", "2026-03-05", "2026-03-06"),
        ("the count of 24 December, please", "2025-12-24", "2025-12-25"),
        ("what was decided last week?", "2026-03-09", "2026-03-16"),
        ("what was decided two weeks ago", "2026-03-02", "2026-03-09"),
        ("anything about the boiler yesterday", "2026-03-17", "2026-03-18"),
        ("anything about the boiler the day before yesterday", "2026-03-16", "2026-03-17"),
        ("what broke 3 days ago", "2026-03-15", "2026-03-16"),
        ("what broke on Friday", "2026-03-13", "2026-03-14"),
        ("notes of last Monday", "2026-03-16", "2026-03-17"),
        ("who joined in 2024", "2024-01-01", "2025-01-01"),
        ("the log of 2026-03-01, the first one", "2026-03-01", "2026-03-02"),
        ("what did we see on 11 December, 2023?", "2023-12-11", "2023-12-12"),
        ("what happened on 3/1?", "2026-03-01", "2026-03-02"),
        ("3/1に決めたことは？", "2026-03-01", "2026-03-02"),
        ("令和8年3月1日の議事録", "2026-03-01", "2026-03-02"),
        ("三月五日に何を話した？", "2026-03-05", "2026-03-06"),
        ("先週決まったことは？", "2026-03-09", "2026-03-16"),
        ("先々週の会議", "2026-03-02", "2026-03-09"),
        ("昨日の障害の原因", "2026-03-17", "2026-03-18"),
        ("おとといの障害", "2026-03-16", "2026-03-17"),
        ("３月に山田さんが言ってたやつ", "2026-03-01", "2026-04-01"),
        ("4月の予定はどうだった", "2025-04-01", "2025-05-01"),
        ("3月5日に何を話した？", "2026-03-05", "2026-03-06"),
        ("2024年12月24日の議事録", "2024-12-24", "2024-12-25"),
        ("去年の3月の勉強会", "2025-03-01", "2025-04-01"),
        ("先週の月曜の議事録", "2026-03-09", "2026-03-10"),
        ("月曜日に話した件", "2026-03-16", "2026-03-17"),
        ("三日前の投稿", "2026-03-15", "2026-03-16"),
        ("十二日前の投稿", "2026-03-06", "2026-03-07"),
        ("二十日前の投稿", "2026-02-26", "2026-02-27"),
        ("一昨昨日の投稿", "2026-03-15", "2026-03-16"),
        ("さきおとといの投稿", "2026-03-15", "2026-03-16"),
        ("2週間前の投稿", "2026-03-02", "2026-03-09"),
        ("去年の目標", "2025-01-01", "2026-01-01"),
    ] {
        assert_eq!(days(question), Some((start.to_owned(), Some(end.to_owned()))), "{question}");
    }
}

#[test]
fn days_with_an_open_end() {
    assert_eq!(days("what changed since February?"), Some(("2026-02-01".to_owned(), None)));
    assert_eq!(days("what changed after March 5?"), Some(("2026-03-06".to_owned(), None)));
    assert_eq!(days("2月以降の変更"), Some(("2026-02-01".to_owned(), None)));
    let (_, end) = days("who led it before May 2025?").expect("days");
    assert_eq!(end.as_deref(), Some("2025-05-01"));
    let (_, end) = days("5月より前は誰が担当？").expect("days");
    assert_eq!(end.as_deref(), Some("2025-05-01"));
    for question in
        ["what was decided until 5 May 2025?", "2025年5月5日までの議事録", "2025年5月5日以前の議事録"]
    {
        let (_, end) = days(question).expect(question);
        assert_eq!(end.as_deref(), Some("2025-05-06"), "{question}: the day that is named is one of them");
    }
}

#[test]
fn what_only_looks_like_days_is_none() {
    for question in [
        "may I march with you?",
        "the second server",
        "port 8080 is taken",
        "べんきょうかいの場所",
        "3か月分のログ",
        "あと3月間待つ",
        "the sun is out, mark my words",
        "version 1.2.3 of base",
        "3/4 of the people",
        "the disk s3-1",
        "五月雨の句",
        "",
    ] {
        assert_eq!(days(question), None, "{question}");
    }
}

#[test]
fn names_where_names_stand() {
    for (question, name) in [
        ("what did noor say in March?", "noor"),
        ("What did Noor say about the boiler?", "noor"),
        ("noor said something about licences", "noor"),
        ("is this what Noor Haddad wanted?", "haddad"),
        ("山田さんが言ってたライブラリ", "山田"),
        ("先週山田さんは何て", "山田"),
        ("ハナさんのおすすめ", "はな"),
        ("のあちゃんが言ってたお店", "のあ"),
        ("igrepさんの資料", "igrep"),
        ("山田が言ってたライブラリ", "山田"),
        ("林さんの予定", "林"),
    ] {
        let names = named(question).names;
        assert!(names.contains(&name.to_owned()), "{question}: {names:?}");
    }
}

#[test]
fn usual_words_are_no_names() {
    for question in
        ["does it run from git?", "how do I install ubuntu", "この文字列の長さ", "なにかいい本は？"]
    {
        assert_eq!(named(question).names, Vec::<String>::new(), "{question}");
    }
}

/// Who knows how usual a word is decides whether it is a name.
#[test]
fn any_other_word_is_perhaps_a_name() {
    for (question, name) in [
        ("what is noor working on?", Some("noor")),
        ("does it run from git?", Some("git")),
        ("山田の担当は？", Some("山田")),
        ("what is it good for?", None),
        ("今日は何をする？", None),
    ] {
        let perhaps = named(question).perhaps;
        let holds = name.is_none_or(|name| perhaps.contains(&name.to_owned()));
        assert!(holds && (name.is_some() || perhaps.is_empty()), "{question}: {perhaps:?}");
    }
}

/// What is looked up is what is left: a word that only says that somebody spoke finds whatever somebody said so of.
#[test]
fn what_the_question_is_about_is_left() {
    for (question, name, rest) in [
        ("what did Noor say about the boiler last week?", "noor", Some("boiler")),
        ("what did Noor say in March?", "noor", None),
        ("先週山田さんがボイラーについて言ってたこと", "山田", Some("ぼいらー")),
        ("山田さんが先週言ってたこと", "山田", None),
    ] {
        let named = named(question);
        let left = named.without_names(&[name.to_owned()]);
        assert_eq!(NamedInQuestion::is_about_something(&left), rest.is_some(), "{question}: {left}");
        assert!(rest.is_none_or(|rest| left.contains(rest)) && !left.contains(name), "{question}: {left}");
    }
}

#[test]
fn parts_of_names() {
    let parts = |name: &str| name_parts(name).into_iter().collect::<Vec<_>>();
    assert_eq!(parts("Noor Haddad"), ["haddad", "noor", "noorhaddad"]);
    assert_eq!(parts("@ＩＧＲＥＰ"), ["igrep"]);
    let japanese = parts("山田太郎");
    for part in ["山田", "太郎", "山田太郎"] {
        assert!(japanese.contains(&part.to_owned()), "{japanese:?}");
    }
    assert!(!japanese.contains(&"田太".to_owned()));
    assert_eq!(parts(""), Vec::<String>::new());
}
