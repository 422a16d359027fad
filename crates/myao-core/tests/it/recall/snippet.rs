//! The passage that shows why a text was found.

use myao_core::recall::Highlighter;
use proptest::prelude::*;

/// The passage, with what is marked between brackets.
fn marked(words: &str, text: &str, most: usize) -> String {
    let snippet = Highlighter::new(words, &[]).snippet(text, most);
    bracketed(&snippet.text, &snippet.marks)
}

fn bracketed(text: &str, marks: &[std::ops::Range<usize>]) -> String {
    let mut out = text.to_owned();
    for mark in marks.iter().rev() {
        out.insert(mark.end, ']');
        out.insert(mark.start, '[');
    }
    out
}

#[test]
fn a_short_text_is_shown_whole_on_one_line() {
    assert_eq!(marked("postage", "Free\n  postage\tfrom £30", 80), "Free [postage] from £30");
    assert_eq!(marked("tea", "", 80), "");
    assert_eq!(marked("tea", "nothing of it", 80), "nothing of it");
}

#[test]
fn words_are_marked_by_their_stems() {
    assert_eq!(
        marked("deploy", "Deployed it; the DEPLOYS of ｄｅｐｌｏｙ", 80),
        "[Deployed] it; the [DEPLOYS] of [ｄｅｐｌｏｙ]"
    );
    assert_eq!(
        marked("map", "Data.Map and foo_map, not mapper.", 80),
        "Data.[Map] and foo_[map], not mapper."
    );
    assert_eq!(marked("o'clock", "9 o’clock sharp", 80), "9 [o’clock] sharp");
    assert_eq!(marked("the tea", "the tea", 80), "the [tea]");
}

#[test]
fn pairs_that_overlap_are_one_mark() {
    assert_eq!(marked("東京都", "東京都庁は京都にない", 80), "[東京都]庁は[京都]にない");
    assert_eq!(marked("ラーメン", "らーめんとﾗｰﾒﾝ", 80), "[らーめん]と[ﾗｰﾒﾝ]");
    assert_eq!(marked("茶", "お茶の時間", 80), "お[茶]の時間");
}

#[test]
fn grammar_is_marked_only_behind_what_tells_more() {
    assert_eq!(marked("納期はいつですか", "いつですか。納期はまだです", 80), "いつですか。[納期は]まだです");
    assert_eq!(marked("納期はいつ", "納期はいつ？", 80), "[納期はいつ]？");
    assert_eq!(
        marked("どうですか", "それはどうですか", 80),
        "それは[どうですか]",
        "there is nothing else in it"
    );
}

#[test]
fn phrases_are_marked_as_a_whole() {
    let highlighter = Highlighter::new("", &["Free  Postage".to_owned(), "送料無料".to_owned()]);
    // Blanks divide no phrase, however many there are.
    let snippet = highlighter.snippet("free postage? free  postage! 送料無料、送料", 80);
    assert_eq!(
        bracketed(&snippet.text, &snippet.marks),
        "[free] [postage]? [free] [postage]! [送料無料]、送料"
    );
}

#[test]
fn the_densest_passage_is_shown() {
    let far = "Nothing to see here. ".repeat(20);
    let text = format!("{far}One postage. {far}Free postage from thirty pounds on. {far}");
    assert_eq!(
        marked("free postage pounds", &text, 70),
        "…[Free] [postage] from thirty [pounds] on. Nothing to see here.…"
    );
    let far = "ここには何も書いてありません。".repeat(10);
    let text = format!("{far}送料の話。{far}三千円から送料無料にします。{far}");
    assert_eq!(
        marked("送料無料 三千円", &text, 50),
        "…[三千円]から[送料無料]にします。ここには何も書いてあ…"
    );
}

#[test]
fn it_begins_and_ends_with_words() {
    let text = "one two three four five six seven eight nine ten";
    assert_eq!(marked("six", text, 20), "…five [six] seven…");
    assert_eq!(marked("one", text, 20), "[one] two three four…");
    assert_eq!(marked("ten", text, 20), "…eight nine [ten]");
    assert_eq!(marked("zero", text, 20), "one two three four…");
    assert_eq!(
        marked("x", &"a".repeat(50), 10),
        format!("{}…", "a".repeat(9)),
        "a word that is too long is cut"
    );
}

/// What people write must not reach a terminal.
#[test]
fn codes_and_hidden_characters_are_left_out() {
    let text = "\u{1b}[31mred\u{1b}[0m te\u{200b}a \u{202e}evil\u{7} [1;31mFAILED[0m\r\nend";
    assert_eq!(marked("tea", text, 80), "red [tea] evil FAILED end");
}

fn columns(text: &str) -> usize {
    text.chars().map(|c| if ('\u{3000}'..='\u{9fff}').contains(&c) { 2 } else { 1 }).sum()
}

proptest! {
    #[test]
    fn marks_lie_within_and_it_is_never_too_long(
        text in prop_oneof![any::<String>(), "[a-f ]{0,300}", "[あ-お茶納期。 a-c\n]{0,200}"],
        words in "[a-c茶納期あ-お ]{0,12}",
        phrase in "[a-c茶あ ]{0,4}",
        most in 0_usize..200,
    ) {
        let snippet = Highlighter::new(&words, &[phrase]).snippet(&text, most);
        prop_assert!(columns(&snippet.text) <= most, "{:?}", snippet);
        let breaks = snippet.text.contains(['\n', '\r', '\u{1b}']);
        prop_assert!(!breaks, "{:?}", snippet);
        let mut end = 0;
        for mark in &snippet.marks {
            prop_assert!(mark.start >= end && mark.end > mark.start, "{:?}", snippet);
            prop_assert!(snippet.text.get(mark.clone()).is_some(), "{:?}", snippet);
            end = mark.end;
        }
    }

    /// A word that was asked for is in the passage, wherever it stands.
    #[test]
    fn what_was_asked_for_is_shown(before in "[b-d ]{0,200}", behind in "[b-d ]{0,200}", most in 30_usize..120) {
        let text = format!("{before} needle {behind}");
        let snippet = Highlighter::new("needle", &[]).snippet(&text, most);
        prop_assert_eq!(snippet.marks.len(), 1);
        prop_assert_eq!(snippet.text.get(snippet.marks[0].clone()), Some("needle"));
    }
}
