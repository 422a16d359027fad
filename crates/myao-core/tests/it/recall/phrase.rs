//! Phrases stand in a text whatever is written around their words.

use myao_core::recall::{Highlighter, RecallFilter};

fn holds(text: &str, phrase: &str) -> bool {
    RecallFilter { phrases: vec![phrase.to_owned()], ..RecallFilter::default() }.holds_phrases(text)
}

#[test]
fn marks_breaks_links_and_invisible_spaces_divide_no_phrase() {
    for (text, phrase) in [
        ("that is the *big* deal", "the big deal"),
        ("that is the _big_ ~deal~", "the big deal"),
        ("the big\n  deal", "the big deal"),
        ("the <https://example.org/x|big> deal", "the big deal"),
        ("the\u{200b} big\u{2060} deal", "the big deal"),
        ("これは*大事*です", "これは大事です"),
        ("これは\u{200b}*大事*\u{200b}です", "これは大事です"),
        ("これは *大事* です", "これは大事です"),
        ("これは\n大事です", "これは大事です"),
        ("これは<https://example.org|大事>です", "これは大事です"),
        ("これは大事です", "これは *大事* です"),
        ("set `snake_case` to 2*3", "snake_case to 2*3"),
        ("1 < 2 > 0", "1 < 2"),
    ] {
        assert!(holds(text, phrase), "{text}: {phrase}");
    }
    for (text, phrase) in [
        ("the bigger deal", "the big deal"),
        ("thebigdeal", "the big deal"),
        ("これは大問題です", "これは大事です"),
        ("snakecase", "snake_case"),
    ] {
        assert!(!holds(text, phrase), "{text}: {phrase}");
    }
}

#[test]
fn the_words_of_a_divided_phrase_are_marked() {
    let highlighter = Highlighter::new("", &["the big deal".to_owned()]);
    let snippet = highlighter.snippet("that is the *big* deal", 80);
    let marked: Vec<&str> = snippet.marks.iter().filter_map(|mark| snippet.text.get(mark.clone())).collect();
    assert_eq!(marked, ["big", "deal"]);
}

/// What stands all over a long message does not say where the answer is.
#[test]
fn the_passage_that_answers_is_shown() {
    let around = "The release notes of the release list what the release brings. ".repeat(8);
    let text = format!("{around}The postcode of the depot is SW4 9XY since the release. {around}");
    let snippet = Highlighter::new("release release notes postcode", &[]).snippet(&text, 120);
    assert!(snippet.text.contains("SW4 9XY"), "{}", snippet.text);
}
