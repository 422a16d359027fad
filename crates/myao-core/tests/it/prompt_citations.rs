//! Marks in answers become links, or go; code stays as it is.

use std::collections::BTreeMap;

use myao_core::prompt::{cited_marks, with_citation_links};
use proptest::prelude::*;

fn links() -> BTreeMap<String, String> {
    let link = |n: u32| (format!("r{n}"), format!("https://x.example/p{n}"));
    [1, 3, 5].map(link).into()
}

fn cited(text: &str) -> String {
    with_citation_links(text, &links())
}

#[test]
fn a_known_mark_becomes_a_link_and_others_go() {
    for (text, expected) in [
        ("It opens at nine [r3].", "It opens at nine [[1]](https://x.example/p3)."),
        ("九時です【r3】。", "九時です[[1]](https://x.example/p3)。"),
        ("九時です［ｒ３］。", "九時です[[1]](https://x.example/p3)。"),
        ("九時（r3）です", "九時[[1]](https://x.example/p3)です"),
        ("a [R3] (r3)", "a [[1]](https://x.example/p3) [[1]](https://x.example/p3)"),
        ("a [r3, r5]", "a [[1]](https://x.example/p3)[[2]](https://x.example/p5)"),
        (
            "a [r5][r3][r5]",
            "a [[1]](https://x.example/p5)[[2]](https://x.example/p3)[[1]](https://x.example/p5)",
        ),
        ("a [r3、r9]", "a [[1]](https://x.example/p3)"),
        ("a [r03]", "a [[1]](https://x.example/p3)"),
        ("a \\[r3\\]", "a [[1]](https://x.example/p3)"),
        ("at nine [r9].", "at nine."),
        ("九時です [r9]。", "九時です。"),
        ("a [r9] b", "a b"),
        ("a [r9]b", "a b"),
        ("[r9] at nine\n [r8] and", "at nine\nand"),
        ("- one [r9]\n- two [r8, r7]", "- one\n- two"),
        ("a [r9](https://made.up/x) b", "a b"),
        ("a [r3](https://made.up/x) b", "a [[1]](https://x.example/p3) b"),
        ("Yes![r3]", "Yes! [[1]](https://x.example/p3)"),
        ("see https://a.example/b[r3]", "see https://a.example/b [[1]](https://x.example/p3)"),
        ("and it was cut [r3", "and it was cut"),
        ("nested [[r9]r8] end", "nested end"),
    ] {
        assert_eq!(cited(text), expected, "{text}");
    }
}

#[test]
fn what_is_no_mark_stays() {
    for text in [
        "Cloudflare の (R2)、令和三年（R3）",
        "a[0] = b[r]; [rx1] [r1x] [see r1] [r1 and r2]",
        "[link](https://a.example) [x] (see below)",
        "`[r1]` and ``a ` [r1]``",
        "```\n[r1]\n```",
        "~~~ rust\nlet a = [r1];\n\n```\n[r3]\n~~~\n",
        "- item:\n  ```\n  [r1]\n  ```\n",
        "> ```\n> [r1]\n> ```",
        "```\nnever closed [r1]",
        "  two  blanks \n\n\n and \t tabs ",
        "",
    ] {
        assert_eq!(cited(text), text);
        assert!(cited_marks(text).is_empty(), "{text}");
    }
}

#[test]
fn code_ends_where_markdown_ends_it() {
    let link = "[[1]](https://x.example/p3)";
    for (text, expected) in [
        ("a ` b [r3]", format!("a ` b {link}")),
        ("`a` [r3] `b`", format!("`a` {link} `b`")),
        ("one ` here\nand ` there [r3]", format!("one ` here\nand ` there {link}")),
        ("\\` [r3] `", format!("\\` {link} `")),
        ("```\nx\n```\n[r3]", format!("```\nx\n```\n{link}")),
        ("> ```\n> x\n\n[r3]", format!("> ```\n> x\n\n{link}")),
        ("- ```\n  x\n\nafter [r3]", format!("- ```\n  x\n\nafter {link}")),
        ("```a`b [r3]", format!("```a`b {link}")),
    ] {
        assert_eq!(cited(text), expected, "{text}");
    }
}

/// What stands in brackets behind a mark is only dropped with it if it is an address of the web.
#[test]
fn brackets_behind_a_mark_stay_if_they_hold_no_address() {
    assert_eq!(with_citation_links("so [r1](https://x.example/1) it is", &BTreeMap::new()), "so it is");
    assert_eq!(with_citation_links("so [r1](://`) it is", &BTreeMap::new()), "so(://`) it is");
}

#[test]
fn marks_are_listed_as_prompts_write_them() {
    let marks = cited_marks("a [R3, ｒ10] b 【r1】 `[r7]` (r2)(R8)");
    assert_eq!(marks.into_iter().collect::<Vec<_>>(), ["r1", "r10", "r2", "r3"]);
}

#[test]
fn a_hostile_text_takes_no_longer_than_its_length() {
    for piece in
        ["[", "[r1", "[r1,", "]", "`", "``` ", "\\[", "[r9](http://x", "[r9]", " ", "![r1]", "x://[r1]"]
    {
        let text = piece.repeat(200_000 / piece.len());
        assert!(cited(&text).len() < 40 * text.len());
    }
}

/// Pieces that marks, code and brackets are made of.
fn hostile() -> impl Strategy<Value = String> {
    let pieces = vec![
        "[", "]", "［", "】", "(", ")", "r1", "r9", "R3", "r", "1", "ｒ５", ",", " ", "\n", "`", "\\",
        "[r1]", "[r9]", "a", "!", "://", "> ", "- ", "~",
    ];
    prop::collection::vec(prop::sample::select(pieces), 0..40).prop_map(|pieces| pieces.concat())
}

proptest! {
    /// Whatever is dropped, no mark of ours is left outside of code.
    #[test]
    fn no_mark_is_left(text in hostile()) {
        let text = text.replace('`', "");
        let text = text.replace('~', "");
        let without = with_citation_links(&text, &BTreeMap::new());
        prop_assert!(cited_marks(&without).is_empty(), "{text:?} became {without:?}");
        prop_assert!(!["[r1]", "[r9]", "[R3]", "[r5]"].iter().any(|mark| without.contains(mark)), "{without:?}");
    }

    #[test]
    fn a_text_without_marks_stays(text in hostile()) {
        let text = text.replace(['r', 'R', 'ｒ'], "x");
        prop_assert_eq!(cited(&text), text);
    }

    /// Nothing but marks, blanks and escapes is ever lost, and nothing but links appears.
    #[test]
    fn words_stay(text in hostile()) {
        let letters = |text: &str| text.chars().filter(|c| *c == 'a' || *c == '`').count();
        prop_assert_eq!(letters(&with_citation_links(&text, &BTreeMap::new())), letters(&text));
    }
}
