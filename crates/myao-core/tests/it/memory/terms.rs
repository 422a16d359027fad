//! Terms: what of a text can be looked for in another, in every language.

use std::collections::BTreeSet;

use myao_core::{
    memory::Frequency,
    text::{key_of_term, made_up, terms_borrowed_from, terms_of_text},
};
use proptest::prelude::*;

fn of(text: &str) -> Vec<String> {
    terms_of_text(text).into_iter().collect()
}

#[test]
fn a_term_is_the_smallest_piece_that_can_be_told() {
    for (text, expected) in [
        ("Deploy v2 on ＡＷＳ, 10 h!", &["10", "aws", "deploy", "h", "on", "v2"][..]),
        ("鰐", &["鰐"]),
        ("東京都", &["京", "京都", "東", "東京", "都"]),
        ("ね", &["ね"]),
        ("ひまわり", &["ひまわ", "まわり"]),
        ("カメラと鰐", &["カメラ", "メラと", "鰐"]),
        ("🦕🎉", &["🎉", "🦕"]),
        ("don't — naïve…", &["don", "naïve", "t"]),
        ("… 、。！", &[]),
    ] {
        let mut expected = expected.to_vec();
        expected.sort_unstable();
        assert_eq!(of(text), expected, "{text}");
    }
}

/// A word that reads the same is the same word.
#[test]
fn what_nobody_sees_makes_no_other_word() {
    for (text, plain) in [
        ("se\u{200b}cr\u{34f}et", "secret"),
        ("se\u{ad}cr\u{e0041}et\u{fe0f}", "secret"),
        ("暗\u{200b}号 ひま\u{2060}わり", "暗号 ひまわり"),
        ("کت\u{200c}اب", "کتاب"),
        ("क्\u{200d}ष", "क्ष"),
        ("👩\u{200d}💻❤\u{fe0f}", "👩💻❤"),
    ] {
        assert_eq!(of(text), of(plain), "{text:?}");
        assert_eq!(
            terms_borrowed_from(text, [plain], []),
            terms_of_text(plain),
            "a model hides it: {text:?}"
        );
        assert_eq!(terms_borrowed_from(plain, [text], []), terms_of_text(plain), "somebody hid it: {text:?}");
        assert!(terms_borrowed_from(text, [plain], [text]).is_empty(), "one's own: {text:?}");
    }
}

#[test]
fn a_long_text_is_read_to_its_end() {
    let text = format!("{} 鰐", "word ".repeat(50_000));
    assert!(terms_of_text(&text).contains("鰐"));
}

#[test]
fn borrowed_is_what_stands_beside_and_in_nothing_of_ones_own() {
    let found =
        terms_borrowed_from("鰐 was seen by Ann at the zoo", ["Ann saw the 鰐"], ["Ann went to the zoo"]);
    assert_eq!(found, BTreeSet::from(["鰐".to_owned()]));
    assert!(terms_borrowed_from("made up", ["something else"], []).is_empty());
}

#[test]
fn what_nobody_showed_is_made_up() {
    let found = made_up("Ann discussed 3 locks", ["Ann changed the lock", "locks"]);
    assert_eq!(found, BTreeSet::from(["discussed".to_owned()]));
}

/// A short piece of unspaced writing is grammar wherever it stands.
#[test]
fn a_short_piece_inside_a_longer_run_of_ones_own_is_ones_own() {
    assert!(terms_borrowed_from("会議です", ["予定です"], ["会議でした。そうですね"]).is_empty());
}

#[test]
fn what_is_everywhere_tells_nothing() {
    let everywhere =
        Frequency { messages: 10, channels: 4, is_said_here: false, is_name: true, is_models_own: false };
    for (frequency, channels, tells) in [
        (everywhere, 16, false),
        (everywhere, 17, true),
        (Frequency { is_models_own: true, ..everywhere }, 16, false),
        (Frequency { messages: 9, ..everywhere }, 4, true),
        (Frequency { channels: 3, ..everywhere }, 3, true),
        (Frequency::default(), 5, false),
        (Frequency { is_name: true, ..Frequency::default() }, 5, true),
        (Frequency { messages: 1, channels: 1, is_models_own: true, ..Frequency::default() }, 5, false),
        (Frequency { messages: 1, is_models_own: true, is_name: true, ..Frequency::default() }, 5, true),
    ] {
        assert_eq!(frequency.tells(channels), tells, "{frequency:?} of {channels}");
    }
}

#[test]
fn keys_are_the_same_for_ever() {
    // They are stored: another hash would need every word counted anew.
    assert_eq!(key_of_term(""), 0xcbf2_9ce4_8422_2325_u64.cast_signed());
    assert_eq!(key_of_term("a"), 0xaf63_dc4c_8601_ec8c_u64.cast_signed());
}

proptest! {
    /// Whatever stands in both and in nothing of one's own is found, wherever it stands.
    #[test]
    fn no_word_slips_through(
        before in "[a-z 。、！]{0,40}", after in "[a-z 。、！]{0,40}", word in "[鰐🦕]|zq[0-9]{1,3}|[0-9]{5}",
    ) {
        let text = format!("{before} {word} {after}");
        let found = terms_borrowed_from(&text, [format!("beside {word}").as_str()], ["of one's own"]);
        prop_assert_eq!(found, BTreeSet::from([word]));
    }

    #[test]
    fn nothing_is_borrowed_from_oneself(text in "\\PC{0,200}") {
        prop_assert!(terms_borrowed_from(&text, [text.as_str()], [text.as_str()]).is_empty());
    }
}
