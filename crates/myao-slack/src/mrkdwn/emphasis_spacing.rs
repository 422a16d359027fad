//! Inserts the spaces without which CommonMark does not recognise bold text in Japanese.
//!
//! CommonMark takes `**` for the beginning or end of bold text by the spaces and punctuation around it, and
//! Japanese writes no spaces: in `これは**「大事」**です` it finds no bold at all. A thin space where one is missing
//! makes it bold; Slack needs a space there anyway. Addresses are put between angle brackets on the way (`bare_links`).

use super::bare_links;

/// Looks like a very narrow gap, and is a space to both CommonMark and Slack.
pub(super) const THIN_SPACE: char = '\u{2009}';

const FENCES: [&str; 2] = ["```", "~~~"];

/// The text with thin spaces around bold passages that CommonMark would not recognise otherwise, and with bare addresses
/// as links. Code is left alone.
pub(super) fn eased(markdown: &str) -> String {
    let mut out = String::with_capacity(markdown.len());
    let mut in_code = false;
    for line in markdown.split_inclusive('\n') {
        let is_fence = FENCES.iter().any(|fence| line.trim_start().starts_with(fence));
        if is_fence {
            in_code = !in_code;
        }
        let is_plain = !line.contains("**") && !line.contains("://");
        if is_fence || in_code || is_plain { out.push_str(line) } else { ease(line, &mut out) }
    }
    out
}

fn ease(line: &str, out: &mut String) {
    let mut opens = true;
    // Odd pieces stand between backticks.
    for (nth, piece) in line.split('`').enumerate() {
        if nth > 0 {
            out.push('`');
        }
        if nth % 2 == 1 {
            out.push_str(piece);
            continue;
        }
        let mut wrapped = String::with_capacity(piece.len());
        bare_links::wrap(piece, &mut wrapped);
        let mut pieces = wrapped.split("**").peekable();
        while let Some(words) = pieces.next() {
            out.push_str(words);
            let Some(next) = pieces.peek() else { break };
            let (before, after) = (words.chars().next_back(), next.chars().next());
            if opens && before.is_some_and(is_letter) && after.is_some_and(is_mark) {
                out.push(THIN_SPACE);
            }
            out.push_str("**");
            if !opens && before.is_some_and(is_mark) && after.is_some_and(is_letter) {
                out.push(THIN_SPACE);
            }
            opens = !opens;
        }
    }
}

fn is_letter(c: char) -> bool {
    c.is_alphanumeric()
}

/// Punctuation and symbols: neither letter nor space, and no asterisk of a longer run.
fn is_mark(c: char) -> bool {
    !c.is_alphanumeric() && !c.is_whitespace() && c != '*'
}
