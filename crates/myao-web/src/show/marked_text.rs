//! The words that people and models wrote, which are always treated as plain text.
//!
//! All words are escaped when they are put into a page. Before that, control characters and characters that change the
//! direction of writing are removed, so that a line is read in its order.

use std::borrow::Cow;

use myao_core::text::{without_colour_codes, without_invisible_characters};

/// What an address must begin with to become a link. Anything else, `javascript:` for example, stays plain text.
const SCHEMES: [&str; 3] = ["https://", "http://", "mailto:"];
/// Characters that do not belong to an address when they stand at its end; marks of the chat are among them.
const AFTER: [char; 15] = ['.', ',', ';', ':', '!', '?', ')', ']', '}', '\'', '…', '>', '*', '~', '`'];
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

/// The length of the address that begins here, after the character before it.
pub(super) fn address_at(rest: &str, before: Option<char>) -> Option<usize> {
    if before.is_some_and(|before| before.is_ascii_alphanumeric()) {
        return None;
    }
    let scheme = SCHEMES.iter().find(|scheme| rest.starts_with(**scheme))?;
    let end = rest.find(|c: char| c.is_whitespace() || is_no_part(c)).unwrap_or(rest.len());
    let address = rest.get(..end)?.trim_end_matches(AFTER);
    (address.len() > scheme.len()).then_some(address.len())
}

fn is_no_part(c: char) -> bool {
    matches!(c, '<' | '>' | '"' | '“' | '”' | '「' | '」' | '（' | '）' | '、' | '。' | '|')
}
