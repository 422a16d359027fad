//! Texts in the form in which they are compared, and cut short.

use myao_core::text::{clip_to_characters, fold_for_comparison};
use proptest::prelude::*;
use unicode_normalization::UnicodeNormalization as _;

#[test]
fn forms_that_look_alike_are_one() {
    assert_eq!(fold_for_comparison("Ｔｅａｍ"), "team");
    assert_eq!(fold_for_comparison("ﾌﾟﾘﾝ"), "プリン");
    assert_eq!(fold_for_comparison("か\u{3099}"), "が");
    assert_eq!(fold_for_comparison("It’s"), "it's");
}

/// Every character by itself, and behind and before one that joins with a mark.
#[test]
fn every_character_is_folded_as_it_is_resolved_and_lowered() {
    for c in '\0'..=char::MAX {
        for text in [String::from(c), format!("あ{c}"), format!("か{c}A"), format!("{c}\u{3099}")] {
            let plain: String =
                text.nfkc().flat_map(char::to_lowercase).map(|c| if c == '’' { '\'' } else { c }).collect();
            assert_eq!(fold_for_comparison(&text), plain, "{c:?}");
        }
    }
}

proptest! {
    /// The quick ways for texts that need no resolving lead to the same as resolving them.
    #[test]
    fn folding_is_resolving_and_lowering(
        text in prop_oneof!["\\PC{0,20}", "[ -~]{0,20}", "[a-zA-Zｱ-ﾝﾞﾟ０-９Ａ-Ｚか-こ\u{3099}\u{301}éİ’ㇱ㌔ ]{0,12}",
            "[a-zA-Z！-～か-こア-ヶー一-三　…「」’“\u{301}\u{3099}]{0,8}"],
    ) {
        let lowered = text.nfkc().flat_map(char::to_lowercase);
        let plain: String = lowered.map(|c| if c == '’' { '\'' } else { c }).collect();
        prop_assert_eq!(fold_for_comparison(&text), plain);
    }
}

#[test]
fn a_text_is_clipped_to_so_many_characters() {
    for (text, most, expected) in
        [("", 3, ""), ("abc", 3, "abc"), ("abcd", 3, "ab…"), ("神田のビル", 3, "神田…"), ("ab", 1, "…")]
    {
        assert_eq!(clip_to_characters(text, most), expected);
    }
}
