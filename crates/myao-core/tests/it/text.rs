//! Texts in the form in which they are compared.

use myao_core::text::fold_for_comparison;
use proptest::prelude::*;
use unicode_normalization::UnicodeNormalization as _;

#[test]
fn forms_that_look_alike_are_one() {
    assert_eq!(fold_for_comparison("Ｔｅａｍ"), "team");
    assert_eq!(fold_for_comparison("ﾌﾟﾘﾝ"), "プリン");
    assert_eq!(fold_for_comparison("か\u{3099}"), "が");
    assert_eq!(fold_for_comparison("It’s"), "it's");
}

proptest! {
    /// The quick ways for texts that need no resolving lead to the same as resolving them.
    #[test]
    fn folding_is_resolving_and_lowering(
        text in prop_oneof!["\\PC{0,20}", "[ -~]{0,20}", "[a-zA-Zｱ-ﾝﾞﾟ０-９Ａ-Ｚか-こ\u{3099}\u{301}éİ’ㇱ㌔ ]{0,12}"],
    ) {
        let lowered = text.nfkc().flat_map(char::to_lowercase);
        let plain: String = lowered.map(|c| if c == '’' { '\'' } else { c }).collect();
        prop_assert_eq!(fold_for_comparison(&text), plain);
    }
}
