//! Addresses in running text.

use myao_companion::tools::web::addresses_in_order;
use proptest::prelude::*;

fn links(text: &str) -> Vec<String> {
    addresses_in_order(text).into_iter().map(String::from).collect()
}

#[test]
fn they_are_found_in_sentences_of_both_languages() {
    for (text, found) in [
        ("https://example.jp/a", "https://example.jp/a"),
        ("くわしくはhttps://example.jp/a。", "https://example.jp/a"),
        ("「https://example.jp/a」を見た？", "https://example.jp/a"),
        ("これ（https://example.jp/a?b=1&c=2）です", "https://example.jp/a?b=1&c=2"),
        ("https://example.jp/aを見て", "https://example.jp/a"),
        ("https://example.jp/を見て", "https://example.jp/"),
        ("https://example.jp見て", "https://example.jp/"),
        ("https://example.jp/a、https", "https://example.jp/a"),
        ("https://example.jp/a！", "https://example.jp/a"),
        ("https://example.jp/a　ここ", "https://example.jp/a"),
        ("https://ja.wikipedia.org/wiki/猫", "https://ja.wikipedia.org/wiki/%E7%8C%AB"),
        (
            "https://ja.wikipedia.org/wiki/東京タワー（塔）",
            "https://ja.wikipedia.org/wiki/%E6%9D%B1%E4%BA%AC%E3%82%BF%E3%83%AF%E3%83%BC",
        ),
        ("see <https://example.com/x|this page>.", "https://example.com/x"),
        ("<https://example.com/x>を", "https://example.com/x"),
        ("<https://example.com/x、y>を", "https://example.com/x%E3%80%81y"),
        ("<https://example.com/x を", "https://example.com/x"),
        ("label (https://example.com/x) and more", "https://example.com/x"),
        ("[text](https://example.com/x_(y))です", "https://example.com/x_(y)"),
        (
            "https://en.wikipedia.org/wiki/Cat_(disambiguation).",
            "https://en.wikipedia.org/wiki/Cat_(disambiguation)",
        ),
        ("HTTPS://Example.COM/Path", "https://example.com/Path"),
        ("(see http://example.com:8080/a/b.html#c)", "http://example.com:8080/a/b.html"),
        ("**https://example.com/a**", "https://example.com/a"),
        ("`https://example.com/a`", "https://example.com/a"),
        ("https://example.com/a\u{200b}", "https://example.com/a"),
        ("https://example.com/a, then", "https://example.com/a"),
    ] {
        assert_eq!(links(text), [found], "{text}");
    }
}

#[test]
fn each_is_found_once_and_others_not_at_all() {
    let text = "https://a.example/x#1 https://a.example/x#2 http://b.example ftp://c.example mailto:d@e.example \
                https:// http://,";
    assert_eq!(links(text), ["https://a.example/x", "http://b.example/"]);
    assert_eq!(links("www.example.com"), Vec::<String>::new());
    assert_eq!(links(&format!("https://example.com/{}", "x".repeat(10_000))), Vec::<String>::new());
    assert_eq!(addresses_in_order(&"https://example.com/a ".repeat(5000)).len(), 1);
}

proptest! {
    #[test]
    fn whatever_stands_around_an_address_it_is_found(
        before in "[ -~ぁ-ん一-龠、。「」]{0,20}", after in "([ 、。」）>|\n]\\PC{0,20})?",
    ) {
        // Between `<` and its end everything belongs to the address: Slack's `<https://…|label>`.
        prop_assume!(!before.contains("://") && !before.ends_with('<'));
        let text = format!("{before}https://example.jp/a/b?c=d{after}");
        prop_assert_eq!(&links(&text)[0], "https://example.jp/a/b?c=d", "{}", text);
    }
}
