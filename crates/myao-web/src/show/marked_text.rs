//! The words that people and models wrote, which are always treated as plain text.
//!
//! All words are escaped when they are put into a page. Before that, control characters and characters that change the
//! direction of writing are removed, so that a line is read in its order.

use std::{borrow::Cow, ops::Range};

use maud::{Markup, html};
use myao_core::text::{without_colour_codes, without_invisible_characters};

/// What an address must begin with to become a link. Anything else, `javascript:` for example, stays plain text.
const SCHEMES: [&str; 3] = ["https://", "http://", "mailto:"];
/// Characters that do not belong to an address when they stand at its end.
const AFTER: [char; 12] = ['.', ',', ';', ':', '!', '?', ')', ']', '}', '\'', '…', '>'];
/// The `rel` of links to other sites: the other site does not learn from which page a visitor comes, and search engines
/// do not count the link for it.
pub(crate) const REL: &str = "noopener noreferrer nofollow ugc";

/// Words without the characters that nobody sees.
pub(crate) fn without_invisible(text: &str) -> String {
    let turned =
        |c: char| matches!(c, '\u{200e}' | '\u{200f}' | '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}');
    let clean: Cow<'_, str> =
        Cow::Owned(without_invisible_characters(&without_colour_codes(text)).into_owned());
    clean.replace(turned, "")
}

/// Words in which addresses are links.
pub(crate) fn with_links(text: &str) -> Markup {
    let text = without_invisible(text);
    let mut pieces: Vec<(&str, Option<&str>)> = Vec::new();
    let mut rest = text.as_str();
    while let Some(at) = SCHEMES.iter().filter_map(|scheme| rest.find(scheme)).min() {
        let (before, from) = rest.split_at(at);
        let end = from.find(|c: char| c.is_whitespace() || is_no_part(c)).unwrap_or(from.len());
        let (found, after) = from.split_at(end);
        let address = found.trim_end_matches(AFTER);
        let (address, after) = from.split_at_checked(address.len()).unwrap_or((found, after));
        pieces.push((before, None));
        let is_whole = SCHEMES.iter().all(|scheme| address.len() > scheme.len());
        pieces.push((address, is_whole.then_some(address)));
        rest = after;
    }
    html! {
        @for (words, address) in &pieces {
            @match address {
                Some(address) => { a href=(address) rel=(REL) { (words) } }
                None => { (words) }
            }
        }
        (rest)
    }
}

fn is_no_part(c: char) -> bool {
    matches!(c, '<' | '>' | '"' | '“' | '”' | '「' | '」' | '（' | '）' | '、' | '。' | '|')
}

/// Words with marks at the given ranges.
pub(crate) fn with_marks(text: &str, marks: &[Range<usize>]) -> Markup {
    let mut pieces: Vec<(&str, bool)> = Vec::new();
    let mut at = 0;
    for mark in marks {
        pieces.push((text.get(at..mark.start).unwrap_or_default(), false));
        pieces.push((text.get(mark.clone()).unwrap_or_default(), true));
        at = mark.end;
    }
    pieces.push((text.get(at..).unwrap_or_default(), false));
    html! {
        @for (words, is_mark) in &pieces {
            @if *is_mark { mark { (words) } } @else { (words) }
        }
    }
}
