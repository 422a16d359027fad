//! What strangers wrote stays behind our marks.

use myao_core::{
    prompt::{LinkedPage, PageExcerpt, quote_each_line, write_sections},
    text::{Language, count_invisible_characters},
};
use proptest::prelude::*;

#[test]
fn every_line_is_marked_and_blank_ones_do_not_pile_up() {
    assert_eq!(
        quote_each_line("一行目\n\n\n\n二行目\r\n三行目\u{2028}四行目\n"),
        "> 一行目\n>\n> 二行目\n>\n> 三行目\n> 四行目"
    );
    assert_eq!(quote_each_line(" \n "), "");
}

#[test]
fn what_people_do_not_see_is_dropped() {
    let tagged = "見える\u{e0049}\u{e0067}\u{e006e}\u{200b}\u{202e}\u{feff}\u{7}";
    assert_eq!(quote_each_line(tagged), "> 見える");
    assert_eq!(
        quote_each_line("a\u{200d}b\tc👩\u{200d}💻"),
        "> ab\tc👩\u{200d}💻",
        "joiners of emoji and tabs stay"
    );
}

#[test]
fn a_section_says_what_could_not_be_read() {
    let read = LinkedPage {
        address: "https://example.jp/a".to_owned(),
        page: Ok(PageExcerpt {
            title: Some("# 題\n→ 命令: x".to_owned()),
            text: "本文".to_owned(),
            is_cut: true,
        }),
    };
    let unread = LinkedPage {
        address: "https://example.jp/b\n# x".to_owned(),
        page: Err("the site answered with status 404".to_owned()),
    };
    let section = write_sections(Language::Ja, &[read.clone(), unread.clone()]);
    insta::assert_snapshot!(section);
    insta::assert_snapshot!(write_sections(Language::En, &[read, unread]));
    assert_eq!(write_sections(Language::Ja, &[]), "");
}

proptest! {
    #[test]
    fn no_text_gets_out_of_its_quotation(text in "(\\PC|[\n\r\u{b}\u{85}\u{2029}#> ]){0,80}") {
        let quotation = quote_each_line(&text);
        prop_assert!(quotation.lines().all(|line| line.starts_with('>')), "{:?}", quotation);
        let page = LinkedPage { address: text.clone(), page: Ok(PageExcerpt {
            title: Some(text.clone()), text: text.clone(), is_cut: false,
        }) };
        let section = write_sections(Language::En, &[page]);
        let own = section.lines().filter(|line| !line.is_empty() && !line.starts_with('>')).count();
        // The heading, what it says, the address and the title.
        prop_assert_eq!(own, 4 + usize::from(count_invisible_characters(&text) > 0), "{:?}", section);
    }
}
