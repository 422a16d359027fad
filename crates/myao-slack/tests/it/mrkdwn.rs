//! Markdown as Slack's text, and long texts as several posts.

use myao_slack::{
    mrkdwn::{MOST_CHARS, from_markdown, split_into_posts},
    text::{ZERO_WIDTH_SPACE, markup_as_notation},
};
use proptest::prelude::*;

/// With the invisible space made visible.
fn shown(markdown: &str) -> String {
    from_markdown(markdown).replace(ZERO_WIDTH_SPACE, "·").replace('\u{2009}', "˙")
}

#[test]
fn marks() {
    let table = [
        ("plain words", "plain words"),
        ("**bold** and *italic* and ~~struck~~ and `code`", "*bold* and _italic_ and ~struck~ and `code`"),
        ("***both***", "_*both*_"),
        ("**bold with *italic* inside**", "*bold with _italic_ inside*"),
        ("# Heading with **bold**\n\nText", "*Heading with bold*\n\nText"),
        ("**over\ntwo lines**", "*over*\n*two lines*"),
        ("line\nline  \nline", "line\nline\nline"),
        ("a\n\n\n\nb", "a\n\nb"),
        ("---", "———"),
        ("a<br>b", "a\nb"),
        ("**a***b*", "*a*·_b_"),
    ];
    for (markdown, expected) in table {
        assert_eq!(shown(markdown), expected, "{markdown}");
    }
}

#[test]
fn japanese_needs_boundaries() {
    let table = [
        ("これは**太字**です", "これは·*太字*·です"),
        ("これは **太字** です", "これは *太字* です"),
        ("これは**「大事」**です", "これは˙*「大事」*˙です"),
        ("**結論：**明日です。", "*結論：*˙明日です。"),
        ("値は`x`です", "値は·`x`·です"),
        ("`**「x」**`を**「y」**と", "`**「x」**`·を˙*「y」*˙と"),
        ("案は~~「旧案」~~です", "案は˙~「旧案」~˙です"),
        ("~~旧案：~~新案", "~旧案：~˙新案"),
        ("これは*「大事」*です", "これは˙_「大事」_˙です"),
        ("* 品目は*「茶」*と**「豆」**です", "• 品目は˙_「茶」_˙と˙*「豆」*˙です"),
        ("値は3*(4+5)*2です", "値は3*(4+5)*2です"),
        ("10~20人、3~5時", "10~20人、3~5時"),
    ];
    for (markdown, expected) in table {
        assert_eq!(shown(markdown), expected, "{markdown}");
    }
}

#[test]
fn links() {
    let table = [
        ("[docs](https://example.com/a?b=1&c=2)", "<https://example.com/a?b=1&amp;c=2|docs>"),
        ("see https://example.com/_a_b_/c.", "see <https://example.com/_a_b_/c>."),
        ("（https://example.com/あ）", "（<https://example.com/>あ）"),
        ("(https://example.com/x_(y))", "(<https://example.com/x_(y)>)"),
        ("**https://example.com**", "*<https://example.com>*"),
        ("[https://example.com](https://example.com)", "<https://example.com>"),
        ("<mailto:a@example.com>", "<mailto:a@example.com>"),
        ("![a cat](https://example.com/cat.png)", "<https://example.com/cat.png|a cat>"),
        ("[x](javascript:alert(1))", "x (javascript:alert(1))"),
        ("[x](!here)", "x (!here)"),
        ("[x](@U1)", "x (@U1)"),
        ("[a > b | c](https://example.com/|>)", "<https://example.com/%7C%3E|a &gt; b | c>"),
        ("[**bold** `code`](https://example.com)", "<https://example.com|bold code>"),
    ];
    for (markdown, expected) in table {
        assert_eq!(shown(markdown), expected, "{markdown}");
    }
}

#[test]
fn a_label_that_looks_like_another_address_does_not_hide_where_the_link_leads() {
    for label in [
        "https://bank.example",
        "bank.example",
        "BANK.EXAMPLE/login",
        "ｂａｎｋ．ｅｘａｍｐｌｅ",
        "bank。example",
        "bank․example",
        "ba\u{200b}nk.example",
        "bank.example:8080",
        "公式サイトはbank.exampleへ",
        "（bank.example）",
        "evil.example.bank.example",
        "xevil.example",
        "еvil.example",
        "https://evil.example@bank.example",
        "//bank.example",
        "bank.example/evil.example",
        "93.184.216.34",
        "a@bank.example",
        "https://evil.example/other",
        "https://evil.example:8443/page",
    ] {
        let shown = shown(&format!("[{label}](https://evil.example/page)"));
        let clean = label.replace('\u{200b}', "");
        assert_eq!(shown.replace('·', ""), format!("{clean} (<https://evil.example/page>)"), "{label}");
    }
    // The host is the last part of what stands before the path, whoever is named before it.
    assert_eq!(
        shown("[bank.example](https://bank.example@evil.example/)"),
        "bank.example (<https://bank.example@evil.example/>)"
    );
    assert_eq!(shown("[a@bank.example](mailto:a@evil.example)"), "a@bank.example (<mailto:a@evil.example>)");
    assert_eq!(
        shown("| a |\n|---|\n| [b.example](https://e.example) |").matches("https://e.example").count(),
        1
    );
}

#[test]
fn a_label_that_says_where_it_leads_stays_one() {
    for (label, address) in [
        ("evil.example", "https://evil.example/page?x=1"),
        ("Evil.Example", "https://www.evil.example/"),
        ("https://evil.example/pa…", "https://evil.example/page"),
        ("http://evil.example", "https://evil.example/"),
        ("例え.example", "https://例え.example/"),
        ("ja.wikipedia.org/wiki/猫", "https://ja.wikipedia.org/wiki/%E7%8C%AB"),
        ("はい。いいえ。", "https://evil.example/"),
        ("v1.2.3, e.g. 3.14", "https://evil.example/"),
        ("資料 No. 5", "https://evil.example/"),
    ] {
        assert_eq!(shown(&format!("[{label}]({address})")), format!("<{address}|{label}>"));
    }
}

#[test]
fn what_nobody_sees_is_not_posted() {
    for (markdown, expected) in [
        ("安\u{200b}全\u{e0068}\u{e0069}です\u{202e}", "安全です"),
        ("&#x200b;x&#xe0068;y&zwnj;z", "xyz"),
        ("`a\u{2062}b`", "`ab`"),
        ("[d\u{ad}ocs](https://example.com/\u{2060}a)", "<https://example.com/a|docs>"),
        ("👩\u{200d}💻 ❤\u{fe0f} می\u{200c}خواهم", "👩\u{200d}💻 ❤\u{fe0f} می\u{200c}خواهم"),
    ] {
        assert_eq!(shown(markdown), expected, "{markdown:?}");
    }
}

#[test]
fn blocks() {
    insta::assert_snapshot!(shown(
        "Steps:\n\n1. first\n   - inner **one**\n   - inner two\n     goes on\n2. second\n\n- [x] done\n- [ ] open\n\n> quoted\n> more\n>\n> last\n\nAfter\n\n```rust\nlet a = b < c && d;\n```\n\n| 名前 | n |\n|---|---|\n| 東京 | 10 |\n| x | 2 |\n\nend"
    ), @r"
    Steps:

    1. first
        ◦ inner *one*
        ◦ inner two
          goes on
    2. second

    • ☑ done
    • ☐ open

    > quoted
    > more
    >
    > last

    After

    ```
    let a = b &lt; c &amp;&amp; d;
    ```

    ```
    名前 | n
    -----|---
    東京 | 10
    x    | 2
    ```

    end
    ");
}

#[test]
fn words_stay_words() {
    let table = [
        ("a < b & c > d", "a &lt; b &amp; c &gt; d"),
        ("1 \\* 2 \\*x\\* snake_case_name", "1 * 2 *·x* snake_case_name"),
        ("\\> no quotation", "·&gt; no quotation"),
        ("約~100円~くらい", "約~100円~くらい"),
        ("<@U1> <!here> <!subteam^S1> <#C1>", "&lt;@U1&gt; &lt;!here&gt; &lt;!subteam^S1&gt; &lt;#C1&gt;"),
        (
            "@here @channel @Everyone @group a@hereford.com",
            "@·here @·channel @·Everyone @·group a@·hereford.com",
        ),
        ("``a ` b``", "a ` b"),
        ("<div>x</div>", "&lt;div&gt;x&lt;/div&gt;"),
    ];
    for (markdown, expected) in table {
        assert_eq!(shown(markdown), expected, "{markdown}");
    }
}

#[test]
fn what_comes_back_as_an_echo_is_what_was_said() {
    let said = "**結論**は `a < b` です。<@U1> & [資料](https://example.com/x)";
    let echo = markup_as_notation(&from_markdown(said)).replace(ZERO_WIDTH_SPACE, "");
    assert_eq!(echo, "*結論*は `a < b` です。<@U1> & 資料 (https://example.com/x)");
    assert_eq!(
        markup_as_notation(&from_markdown("<@U1>")),
        format!("<{ZERO_WIDTH_SPACE}@U1>"),
        "nobody is named"
    );
}

#[test]
fn a_long_code_block_is_closed_and_opened_again() {
    let code: Vec<String> = (0..400).map(|n| format!("line number {n}\n")).collect();
    let code = code.concat();
    let posts = split_into_posts(&from_markdown(&format!("Before\n\n```\n{code}```\n\nAfter")));
    assert!(posts.len() > 2, "{}", posts.len());
    for post in &posts {
        assert!(post.chars().count() <= MOST_CHARS);
        assert_eq!(post.matches("```").count() % 2, 0, "{post}");
    }
    let lines: Vec<&str> = posts.iter().flat_map(|post| post.lines()).filter(|line| *line != "```").collect();
    let expected = code.lines().map(str::to_owned).collect::<Vec<_>>();
    assert_eq!(lines.iter().filter(|line| line.starts_with("line")).count(), expected.len());
    assert_eq!((lines.first(), lines.last()), (Some(&"Before"), Some(&"After")));
}

#[test]
fn cuts_are_made_where_it_hurts_least() {
    let paragraph = "あ".repeat(2_000);
    let two = split_into_posts(&format!("{paragraph}\n\n{paragraph}"));
    assert_eq!(two, [paragraph.clone(), paragraph.clone()]);
    assert_eq!(split_into_posts(""), Vec::<String>::new());
    assert_eq!(split_into_posts(" \n\n "), Vec::<String>::new());
    let link = format!("<https://example.com/{}|x>", "a".repeat(1_000));
    for post in split_into_posts(&format!("{}{link}{}", "あ".repeat(3_000), "&amp;".repeat(2_000))) {
        assert_eq!(post.matches('<').count(), post.matches('>').count(), "{post}");
        assert!(post.trim_end_matches("&amp;").find("&amp").is_none() || post.ends_with(';'), "{post}");
    }
}

/// Text made of what is dangerous.
fn markdown() -> impl Strategy<Value = String> {
    let piece = prop_oneof![
        4 => "[a-z あ漢。、「」]{1,6}",
        2 => prop::sample::select(vec![
            "<", ">", "&", "@", "#", "!", "|", "*", "**", "_", "~~", "`", "```", "\n", "\n\n", "\n- ", "\n> ",
            "\n1. ", "\n# ", "[", "](", ")", "<@U1>", "<!here>", "<!channel|x>", "@here", "@channel", "<#C1>",
            "https://e.com/_a_", "&lt;!here&gt;", "&#60;!here>", "\\<!here>", "<br>", "<!--", "-->", "|---|",
            "\n|a|b|\n|-|-|\n", "~~~", "\u{200b}", "\0", "    ",
        ]).prop_map(str::to_owned),
        1 => any::<char>().prop_map(String::from),
    ];
    prop::collection::vec(piece, 0..40).prop_map(|pieces| pieces.concat())
}

/// What stands between `<` and `>`.
fn marks_in(text: &str) -> Vec<&str> {
    text.split('<').skip(1).map(|tail| tail.split_once('>').map_or(tail, |(inside, _)| inside)).collect()
}

proptest! {
    #[test]
    fn nobody_is_ever_notified(markdown in markdown()) {
        let posts = split_into_posts(&from_markdown(&markdown));
        for post in &posts {
            for mark in marks_in(post) {
                prop_assert!(["https://", "http://", "mailto:", "tel:"].iter().any(|s| mark.to_ascii_lowercase().starts_with(s)), "{mark:?}");
                prop_assert!(!mark.contains('\n'), "{mark:?}");
            }
            let unmarked = marks_in(post).iter().fold(post.clone(), |post, mark| post.replace(mark, ""));
            let words = unmarked.split("```").step_by(2).flat_map(|piece| piece.split('`').step_by(2));
            for words in words {
                for call in ["@here", "@channel", "@everyone", "@group"] {
                    prop_assert!(!words.contains(call) || post.contains('`'), "{post:?}");
                }
            }
            prop_assert!(post.chars().count() <= MOST_CHARS);
        }
        // The core sees no reference in what comes back, either.
        let echo = markup_as_notation(&posts.join("\n\n"));
        prop_assert!(!echo.contains("<@U1>") && !echo.contains("<#C1>"), "{echo:?}");
    }

    #[test]
    fn parts_lose_nothing(pieces in prop::collection::vec(prop_oneof!["[a-zあ ]{1,900}", Just("\n".to_owned()), Just("\n\n".to_owned()), Just("```".to_owned()), Just("\n```\n".to_owned()), Just("&lt;".to_owned()), Just("<https://e.com|x>".to_owned())], 0..30)) {
        let text = pieces.concat();
        let posts = split_into_posts(&text);
        for post in &posts {
            prop_assert!(post.chars().count() <= MOST_CHARS, "{}", post.chars().count());
            prop_assert!(!post.trim().is_empty());
        }
        // Fences aside, which are written again where a block is cut.
        let bare = |text: &str| {
            text.lines().filter(|line| *line != "```").flat_map(str::chars).filter(|c| !c.is_whitespace()).collect::<String>()
        };
        prop_assert_eq!(bare(&posts.join("\n")), bare(&text));
    }

    #[test]
    fn words_survive(words in prop::collection::vec("[a-zA-Z0-9あ-ん漢字<>&.,!?]{1,12}", 1..20)) {
        // Nothing in it is markup of Markdown's: a reader sees what was written.
        let text = format!("a {}", words.join(" "));
        // But for the one tag that means something.
        prop_assume!(!text.to_ascii_lowercase().contains("<br>"));
        let echo = markup_as_notation(&from_markdown(&text)).replace(ZERO_WIDTH_SPACE, "");
        prop_assert_eq!(echo, text);
    }
}
