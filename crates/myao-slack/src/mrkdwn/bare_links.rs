//! Puts bare web addresses between angle brackets.
//!
//! To a parser of Markdown the underscores of `https://example.com/_a_b_` are italics; between angle
//! brackets they are part of the address.

const SCHEMES: [&str; 2] = ["https://", "http://"];
/// What every scheme ends with.
const MARK: &str = "://";
/// Characters right before an address that is already part of a link, of code or of HTML.
const TAKEN: [char; 6] = ['<', '[', '"', '\'', '=', '`'];

/// Writes one stretch of text without code to `out`, its bare addresses between angle brackets.
pub(super) fn wrap_bare_addresses(text: &str, out: &mut String) {
    let mut rest = text;
    while let Some((at, scheme)) = next_address(rest) {
        let Some((before, tail)) = rest.split_at_checked(at) else { break };
        out.push_str(before);
        let address = address_at_start(tail);
        let taken = before.ends_with(TAKEN)
            || before.ends_with("](")
            || before.chars().next_back().is_some_and(|c| c.is_ascii_alphanumeric());
        if taken || address.len() <= scheme.len() {
            out.push_str(address);
        } else {
            out.push('<');
            out.push_str(address);
            out.push('>');
        }
        rest = tail.strip_prefix(address).unwrap_or_default();
    }
    out.push_str(rest);
}

/// Where the next address begins, and its scheme. It looks for the mark behind a scheme, so that the text is searched
/// only once.
fn next_address(text: &str) -> Option<(usize, &'static str)> {
    text.match_indices(MARK).find_map(|(at, mark)| {
        let before = text.get(..at + mark.len())?;
        SCHEMES.into_iter().find_map(|scheme| Some((before.strip_suffix(scheme)?.len(), scheme)))
    })
}

/// The address at the beginning of `text`, without the punctuation that ends a sentence. Takes linear time: brackets are
/// counted once.
fn address_at_start(text: &str) -> &str {
    let is_part = |c: char| c.is_ascii_graphic() && !matches!(c, '<' | '>' | '"' | '`' | '|' | '\\');
    let end = text.find(|c| !is_part(c)).unwrap_or(text.len());
    let mut address = text.get(..end).unwrap_or_default();
    let mut unopened = address.matches(')').count().saturating_sub(address.matches('(').count());
    while let Some((shorter, last)) = address.char_indices().next_back() {
        match last {
            ')' if unopened > 0 => unopened -= 1,
            '.' | ',' | ':' | ';' | '!' | '?' | '\'' | '*' | '_' | '~' | ']' | '}' => {}
            _ => break,
        }
        address = address.get(..shorter).unwrap_or_default();
    }
    address
}
