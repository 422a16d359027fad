//! Escapes words so that Slack shows them as they are.

use crate::text::ZERO_WIDTH_SPACE;

/// Escapes the three characters that Slack requires to be escaped.
pub(super) fn escape_for_slack(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for c in text.chars() {
        match c {
            '&' => out.push_str("&amp;"),
            '<' => out.push_str("&lt;"),
            '>' => out.push_str("&gt;"),
            c => out.push(c),
        }
    }
    out
}

/// Characters that begin markup, and the words behind `@` that notify people.
const MARKS: [char; 4] = ['*', '_', '~', '`'];
const CALLS: [&str; 4] = ["here", "channel", "everyone", "group"];

/// Escapes words, and puts an invisible space behind anything that would begin markup or notify everybody. `before` is
/// the character in front of them.
pub(super) fn escape_words(text: &str, before: Option<char>) -> String {
    let mut out = String::with_capacity(text.len());
    let mut before = before;
    let mut rest = text;
    while let Some(c) = rest.chars().next() {
        rest = rest.strip_prefix(c).unwrap_or_default();
        // Slack takes this for a quotation, escaped or not.
        if c == '>' && before.is_none_or(|before| before == '\n') {
            out.push(ZERO_WIDTH_SPACE);
        }
        match c {
            '&' => out.push_str("&amp;"),
            '<' => out.push_str("&lt;"),
            '>' => out.push_str("&gt;"),
            c => out.push(c),
        }
        let begins = MARKS.contains(&c)
            && before.is_none_or(|before| !before.is_alphanumeric())
            && rest.chars().next().is_some_and(|next| !next.is_whitespace());
        let calls = c == '@' && CALLS.iter().any(|call| starts_with_word(rest, call));
        if begins || calls {
            out.push(ZERO_WIDTH_SPACE);
        }
        before = Some(c);
    }
    out
}

fn starts_with_word(text: &str, word: &str) -> bool {
    let mut letters = text.chars();
    word.chars().all(|expected| letters.next().is_some_and(|c| c.eq_ignore_ascii_case(&expected)))
}
