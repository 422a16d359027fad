//! Markdown, as models write it, as Slack's text: nobody is notified, nothing is markup that was not meant, and
//! work and text grow in proportion.

use myao_slack::{
    mrkdwn::{MOST_CHARS, from_markdown, split_into_posts},
    text::markup_as_notation,
};

use super::{effort, markup, material};

/// Where a mark of a post may lead.
const SCHEMES: [&str; 4] = ["https://", "http://", "mailto:", "tel:"];
/// What calls everybody.
const CALLS: [&str; 4] = ["@here", "@channel", "@everyone", "@group"];
/// The text written is at most so many times as long as what was read, as in the tests of `myao-slack`.
const MOST_GROWTH: usize = 24;
/// Bytes that a text of any length may grow by.
const SPARE: usize = 256;

pub(crate) fn run(data: &[u8]) {
    let text = material::text(data);
    let written = from_markdown(&text);
    assert!(written.len() <= MOST_GROWTH * text.len() + SPARE, "{} bytes of {text:?}", written.len());
    assert!(!written.contains('\0'), "NUL: {text:?}");
    let posts = split_into_posts(&written);
    for post in &posts {
        check(post);
    }
    markup::names_nobody(&markup_as_notation(&posts.join("\n\n")));
    effort::grows_in_proportion("Markdown", &text, |text| {
        split_into_posts(&from_markdown(text));
    });
}

fn check(post: &str) {
    assert!(post.chars().count() <= MOST_CHARS, "a post of {} characters", post.chars().count());
    assert!(!post.trim().is_empty(), "an empty post");
    for tail in post.split('<').skip(1) {
        let mark = tail.split_once('>').map(|(mark, _)| mark);
        let mark = mark.unwrap_or_else(|| panic!("an open mark in {post:?}")).to_ascii_lowercase();
        let leads = SCHEMES.iter().any(|scheme| mark.starts_with(scheme)) && !mark.contains('\n');
        assert!(leads, "<{mark}> in {post:?}");
    }
    // In code nobody is called.
    if !post.contains('`') {
        let words = post.split('<').map(|piece| piece.split_once('>').map_or(piece, |(_, words)| words));
        let words = words.collect::<String>().to_lowercase();
        assert!(!CALLS.iter().any(|call| words.contains(call)), "everybody is called by {post:?}");
    }
}
