//! Queries as people type them.

use jiff::{Timestamp, tz::TimeZone};
use myao_core::{
    chat::MessageTs,
    recall::{FoldedText, QueryError, RecallQuery, terms_to_index},
};
use proptest::prelude::*;

fn parsed(text: &str) -> Result<RecallQuery, QueryError> {
    let now: Timestamp = "2026-03-18T12:00:00Z".parse().expect("a time");
    RecallQuery::parse(text, now, &TimeZone::UTC)
}

fn of(text: &str) -> RecallQuery {
    parsed(text).unwrap_or_else(|error| panic!("{text}: {error}"))
}

fn day(text: &str) -> MessageTs {
    let midnight: Timestamp = format!("{text}T00:00:00Z").parse().expect("a day");
    MessageTs::from_timestamp(midnight)
}

#[test]
fn words_phrases_and_filters_are_told_apart() {
    let query = of("licence from:noor \"free postage\" in:#web of data from:\"Noor K\" has:link");
    assert_eq!(query.words, "licence of data");
    assert_eq!(query.phrases, ["free postage"]);
    assert_eq!(query.from, ["noor", "Noor K"]);
    assert_eq!(query.channels, ["#web"]);
    assert!(query.with_link && !query.with_file);
    assert_eq!((query.since, query.before), (None, None));
}

#[test]
fn japanese_keyboards_type_wide_signs() {
    let query = of("納期　from：森下　in：＃web　「送料　無料」　has：ファイル");
    assert_eq!((query.words.as_str(), query.phrases), ("納期", vec!["送料　無料".to_owned()]));
    assert_eq!((query.from, query.channels), (vec!["森下".to_owned()], vec!["＃web".to_owned()]));
    assert!(query.with_file);
    assert_eq!(of("from:「森下 由美」").from, ["森下 由美"]);
}

#[test]
fn phrases_begin_within_unspaced_text_as_well() {
    let query = of("彼が「納期」と“just so”言った");
    assert_eq!(
        (query.words.as_str(), query.phrases),
        ("彼が と 言った", vec!["納期".to_owned(), "just so".to_owned()])
    );
    let query = of("a 27\" screen and 「an open end");
    assert_eq!((query.words.as_str(), query.phrases.len()), ("a 27\" screen and 「an open end", 0));
}

#[test]
fn days_bound_a_query() {
    for (text, since, before) in [
        ("x before:2026-03-01", None, Some(day("2026-03-01"))),
        ("x after:2026-03-01", Some(day("2026-03-02")), None),
        ("x since:2026-03-01", Some(day("2026-03-01")), None),
        ("x on:2026-03", Some(day("2026-03-01")), Some(day("2026-04-01"))),
        ("x after:7d", Some(day("2026-03-12")), None),
        ("x since:7d", Some(day("2026-03-12")), None),
        ("x before:7d", None, Some(day("2026-03-12"))),
        ("x on:7d", Some(day("2026-03-12")), None),
        ("x after:\"last week\"", Some(day("2026-03-16")), None),
        ("x since:先週 before:昨日", Some(day("2026-03-09")), Some(day("2026-03-17"))),
        (
            "x since:2026 since:2026-02 before:2026-05 before:today",
            Some(day("2026-02-01")),
            Some(day("2026-03-18")),
        ),
        ("SINCE:2026-03-01", Some(day("2026-03-01")), None),
    ] {
        let query = of(text);
        assert_eq!((query.since, query.before), (since, before), "{text}");
    }
}

#[test]
fn what_is_no_filter_is_words() {
    for text in ["note:foo", "12:30", "https://example.com/a:b", "re:from:aki", "in box", "C:\\x"] {
        let query = of(text);
        assert_eq!(query.words, text);
        assert_eq!(query, RecallQuery { words: text.to_owned(), ..RecallQuery::default() });
    }
}

#[test]
fn what_cannot_be_searched_is_explained() {
    for (text, expected) in [
        ("", "the query is empty: give words, a \"phrase\", or a filter such as from:NAME or after:7d"),
        ("  　 ", "the query is empty"),
        ("\"\" 「」", "the query is empty"),
        ("the of", "`the of` holds only words or signs that stand in every text"),
        ("?!", "`?!` holds only words or signs"),
        ("x before:2026-13", "`before:2026-13` names no day; a day is 2026-03-01, 2026-03, 2026, 7d"),
        ("since:last week", "`since:last` names no day"),
        ("has:star x", "`has:star`: there are has:link and has:file"),
        ("mail from:", "`from:` needs a name"),
        ("mail in: the box", "`in:` needs a channel"),
        ("from：「」 mail", "`from:` needs a name"),
        ("mail before:", "`before:` needs a day"),
        ("after: mail", "`after:` needs a day"),
        ("on:", "`on:` needs a day"),
        ("since:\"  \"", "`since:` needs a day"),
        ("has:", "`has:` needs `link` or `file`"),
    ] {
        let error = parsed(text).expect_err(text).to_string();
        assert!(error.starts_with(expected), "{text}: {error}");
    }
}

#[test]
fn filters_alone_are_a_query() {
    for text in ["from:noor", "in:web", "after:7d", "has:file", "from:noor the", "\"to be or not to be\""] {
        assert!(!of(text).has_terms(), "{text}");
    }
    assert!(of("from:noor tea").has_terms() && of("\"free postage\"").has_terms() && of("茶").has_terms());
}

fn folded(text: &str) -> String {
    FoldedText::new(text).chars().iter().filter(|c| c.is_alphanumeric()).collect()
}

proptest! {
    #[test]
    fn any_text_is_a_query_or_explained(text in any::<String>()) {
        drop(parsed(&text));
    }

    /// Texts of plain letters are folded by a shorter way, which a letter of another script behind them closes.
    #[test]
    fn plain_letters_fold_as_among_others(text in "[ -~]{0,80}") {
        let alone = FoldedText::new(&text);
        let among = FoldedText::new(&format!("{text}。"));
        prop_assert_eq!(alone.chars(), &among.chars()[..text.len()]);
        for at in 0..text.len() {
            prop_assert_eq!(alone.original(at, at + 1), among.original(at, at + 1));
        }
        prop_assert_eq!(terms_to_index(&text), terms_to_index(&format!("{text}。")));
    }

    /// What stands before and behind every other piece is kept, in its order.
    #[test]
    fn words_survive(
        pieces in prop::collection::vec(prop_oneof![
            "[a-z0-9./:_-]{1,8}",
            "[ぁ-んァ-ン一-龠]{1,6}",
            Just("from:aki".to_owned()),
            Just("in：「b c」".to_owned()),
            Just("since:昨日".to_owned()),
            Just("\"two words\"".to_owned()),
            Just("「二 語」".to_owned()),
        ], 1..12),
        blank in prop_oneof![Just(" "), Just("　"), Just("\n ")],
    ) {
        let is_filter = |piece: &&String| {
            ["from:", "in:", "in：", "before:", "after:", "on:", "since:", "has:"].iter().any(|key| piece.starts_with(key))
        };
        let text = pieces.join(blank);
        let Ok(query) = parsed(&text) else { return Ok(()) };
        let is_phrase = |piece: &&String| piece.starts_with(['"', '「']);
        let words: String = pieces.iter().filter(|p| !is_filter(p) && !is_phrase(p)).map(|p| folded(p)).collect();
        let kept: Vec<String> = pieces.iter().filter(|p| is_phrase(p)).map(|p| folded(p)).collect();
        let free = !pieces.iter().any(|p| is_filter(&p) && !["from:aki", "in：「b c」", "since:昨日"].contains(&p.as_str()));
        if free {
            prop_assert_eq!(folded(&query.words), words);
        }
        prop_assert_eq!(query.phrases.iter().map(|p| folded(p)).collect::<Vec<_>>(), kept);
    }
}
