//! Markdown to Slack's text and back takes work in proportion to the text, whatever it is made of.

use std::time::{Duration, Instant};

use myao_slack::{
    mrkdwn::{from_markdown, split_into_posts},
    text::markup_as_notation,
};

/// What is written once before, then again and again, then once behind. Each is what some reader of markup has
/// to look far ahead or far back for.
const SHAPES: [(&str, &str, &str); 64] = [
    ("", ")", ""),
    ("https://e.com/", ")", ""),
    ("https://e.com/", "(", ""),
    ("https://e.com/", "()", ")"),
    ("https://e.com/", "(", ")"),
    ("https://e.com/", ".", ""),
    ("https://e.com/", "])}*_~", ""),
    ("", "https://e.com) ", ""),
    ("", "https://", ""),
    ("", "http://", ""),
    ("", "http://e.com ", ""),
    ("", "http", ""),
    ("", "://", ""),
    ("", "(http://e.com/)", ""),
    ("", "(", ""),
    ("", "[", ""),
    ("", "]", ""),
    ("", "[]", ""),
    ("", "![", ""),
    ("", "[a](", ""),
    ("", "[a](<", ""),
    ("", "[a](b \"", ""),
    ("", "[a]: b\n", ""),
    ("[a]: b\n\n", "[a]", ""),
    ("", "[a](https://e.com)", ""),
    ("", "*", ""),
    ("", "**", " a"),
    ("", "*a ", ""),
    ("", "**a ", ""),
    ("", "a*", ""),
    ("", "a**", ""),
    ("", "*a **b ", ""),
    ("", "あ**「い」", ""),
    ("", "_", ""),
    ("", "_a ", ""),
    ("", "*a_ ", ""),
    ("", "~~", " a"),
    ("", "~~a ", ""),
    ("", "`", ""),
    ("", "` ", ""),
    ("", "a``b`", ""),
    ("", "```\n", ""),
    ("", "~~~", ""),
    ("", "<", ""),
    ("", "<a", ""),
    ("", "<a href=\"", ""),
    ("", "<!--", ""),
    ("", "<?", ""),
    ("", "<![CDATA[", ""),
    ("", "<!A ", ""),
    ("", "<@U1", ""),
    ("", "<@U1>", ""),
    ("", ">", ""),
    ("", "> ", "a"),
    ("", "&", ""),
    ("", "&amp;", ""),
    ("", "&#x1", ""),
    ("", "- ", "a"),
    ("", "1. ", "a"),
    ("", "|", ""),
    ("", "|a", "|\n|-|\n"),
    ("", "\\", ""),
    ("", "$", ""),
    ("", "# ", "a"),
];

/// Openings and closings, one within the other.
const NESTED: [(&str, &str); 9] = [
    ("*a ", " a*"),
    ("*a **b ", " b** a*"),
    ("[", "](https://e.com)"),
    ("![", "](https://e.com)"),
    ("(", ")"),
    ("https://e.com/(", ")"),
    ("<", ">"),
    ("「**", "**」"),
    ("`a ", " a`"),
];

/// What a model or a person may write at most at once, and more.
const LARGE: usize = 200_000;
/// Small enough to be looked at whole even where it grows with its square.
const SMALL: usize = 4_000;
/// The text written is at most so many times as long as what was read: a list in a list of two characters becomes a
/// line of its own, moved to the right as far as lists are.
const MOST_GROWTH: usize = 24;
/// Far more than work in proportion takes in a build without optimisation, far less than any other.
const MOST_TIME: Duration = Duration::from_mins(1);

/// Texts of about `length` bytes.
fn hostile(length: usize) -> impl Iterator<Item = (String, String)> {
    let repeated = SHAPES.into_iter().map(move |(before, unit, after)| {
        (
            format!("{before:?} {unit:?} {after:?}"),
            [before, &unit.repeat(length / unit.len()), after].concat(),
        )
    });
    let nested = NESTED.into_iter().map(move |(opening, closing)| {
        let times = length / (opening.len() + closing.len());
        (format!("{opening:?} {closing:?}"), [opening.repeat(times), closing.repeat(times)].concat())
    });
    let rows = "|b|c|\n".repeat(length / 12);
    let wide_table = format!("|{}|a|\n|-|-|\n{rows}", "x".repeat(length / 2));
    let narrow =
        format!("|{}\n|{}\n{}", "a|".repeat(length / 8), "-|".repeat(length / 8), "|\n".repeat(length / 4));
    let quotes = "> a\n>> b\n".repeat(length / 9);
    let tables = [("a wide table", wide_table), ("a table of short rows", narrow), ("quotations", quotes)];
    repeated.chain(nested).chain(tables.map(|(name, text)| (name.to_owned(), text)))
}

#[test]
fn the_text_grows_no_more_than_in_proportion() {
    for (name, text) in hostile(SMALL) {
        for text in [text.clone(), text.replace(' ', "\n"), format!("{text}\n").repeat(3)] {
            let written = from_markdown(&text).len();
            assert!(written <= MOST_GROWTH * text.len(), "{name}: {written} bytes of {}", text.len());
            let back = markup_as_notation(&text).len();
            assert!(back <= MOST_GROWTH * text.len(), "{name}, back: {back} bytes of {}", text.len());
        }
    }
}

/// No step is counted from outside, so that time has to stand for work: the bound is one that a square never keeps
/// for a text of this length.
#[test]
fn the_work_grows_no_more_than_in_proportion() {
    the_text_grows_no_more_than_in_proportion();
    for (name, text) in hostile(LARGE) {
        let began = Instant::now();
        let written = from_markdown(&text);
        assert!(began.elapsed() < MOST_TIME, "to Slack, {name}: {:?}", began.elapsed());
        for slack in [&written, &text] {
            let began = Instant::now();
            split_into_posts(slack);
            assert!(began.elapsed() < MOST_TIME, "in posts, {name}: {:?}", began.elapsed());
            let began = Instant::now();
            markup_as_notation(slack);
            assert!(began.elapsed() < MOST_TIME, "and back, {name}: {:?}", began.elapsed());
        }
    }
}

#[test]
fn a_list_in_a_list_is_moved_only_so_far() {
    let deep = from_markdown(&format!("{}end", "- ".repeat(40)));
    let longest = deep.lines().map(|line| line.len() - line.trim_start().len()).max();
    assert!(longest.is_some_and(|indent| (12..=64).contains(&indent)), "{longest:?}");
    assert!(deep.ends_with("end"), "{deep}");
}
