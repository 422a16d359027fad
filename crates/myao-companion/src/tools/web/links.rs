//! Finds web addresses in running text.
//!
//! Japanese is written without spaces: `くわしくはhttps://example.jp/a。` and `https://example.jp/aを見て` are ordinary
//! sentences. So an address ends at full-width punctuation and brackets, and non-ASCII letters belong to it only at the
//! beginning of a part (`/wiki/猫`), unless they are hiragana, which are more likely to be a particle. Slack's
//! `<https://…|label>` and Markdown's `[label](https://…)` end at their marks.

use url::Url;

/// The longest address, in bytes; nobody writes a longer one by hand.
const LONGEST: usize = 4096;
/// The most addresses of one text that are looked at.
const MOST: usize = 1000;

/// The addresses in a text, in order, each once and without its fragment.
pub fn addresses_in_order(text: &str) -> Vec<Url> {
    let mut found: Vec<Url> = Vec::new();
    for run in address_runs(text) {
        if let Some(url) = parse_address(run.likely)
            && !found.contains(&url)
        {
            found.push(url);
        }
    }
    found
}

/// Every reading of the addresses in a text, in order: where it is unclear whether non-ASCII letters belong to an
/// address, with and without them. All of them count as addresses that stand in the text.
pub(super) fn possible_addresses(text: &str) -> impl Iterator<Item = Url> {
    address_runs(text).flat_map(|run| [run.likely, run.short, run.long]).filter_map(parse_address)
}

/// Parses an address and removes its fragment, so that it can be compared.
pub(super) fn parse_address(text: &str) -> Option<Url> {
    let mut url = Url::parse(text).ok()?;
    url.set_fragment(None);
    (matches!(url.scheme(), "http" | "https") && url.has_host()).then_some(url)
}

/// One place in a text where an address begins.
struct AddressRun<'a> {
    /// Where it most likely ends.
    likely: &'a str,
    /// Up to the first character that is not ASCII.
    short: &'a str,
    /// Up to a character that certainly ends it.
    long: &'a str,
}

fn address_runs(text: &str) -> impl Iterator<Item = AddressRun<'_>> {
    let mut rest = text;
    let next = move || loop {
        let at = ["https://", "http://"].iter().filter_map(|scheme| find_ascii(rest, scheme)).min()?;
        let (before, from) = rest.split_at(at);
        if before.ends_with('<')
            && let Some(exact) = marked_address(from)
        {
            rest = from.strip_prefix(exact).unwrap_or_default();
            return Some(AddressRun { likely: exact, short: exact, long: exact });
        }
        let long = without_punctuation(text_until(from, ends_address));
        let after = from.split_at(from.find("://")? + 3).1;
        rest = from.strip_prefix(long).filter(|_| !long.is_empty()).unwrap_or(after);
        if long.len() <= LONGEST {
            let likely =
                without_punctuation(text_until(long, |before, c| !c.is_ascii() && !may_begin(before, c)));
            let short = without_punctuation(text_until(long, |_, c| !c.is_ascii()));
            return Some(AddressRun { likely, short, long });
        }
    };
    std::iter::from_fn(next).take(MOST)
}

/// An address between `<` and `>`, or before `|` and a label.
fn marked_address(text: &str) -> Option<&str> {
    let end = text.find(|c: char| c.is_whitespace() || matches!(c, '<' | '>' | '|'))?;
    let (exact, after) = text.split_at(end);
    (after.starts_with(['>', '|']) && exact.len() <= LONGEST).then_some(exact)
}

/// The position of an ASCII word, in upper or lower case.
fn find_ascii(text: &str, word: &str) -> Option<usize> {
    text.as_bytes().windows(word.len()).position(|window| window.eq_ignore_ascii_case(word.as_bytes()))
}

/// The text up to the first character that does not belong to it, as `stop` tells from the previous one and this one.
fn text_until(text: &str, stop: impl Fn(Option<char>, char) -> bool) -> &str {
    let mut before = None;
    let mut open = 0_i32;
    for (at, c) in text.char_indices() {
        open += match c {
            '(' | '[' | '{' => 1,
            ')' | ']' | '}' => -1,
            _ => 0,
        };
        // It closes a bracket that was opened before the address.
        if open < 0 || stop(before, c) {
            return text.split_at(at).0;
        }
        before = Some(c);
    }
    text
}

/// Whether a character certainly ends an address.
fn ends_address(_before: Option<char>, c: char) -> bool {
    let is_mark = matches!(c, '<' | '>' | '"' | '`' | '|' | '\\' | '^');
    // CJK punctuation, general punctuation, full-width ASCII marks; not the iteration mark and the long vowel.
    let is_wide = matches!(c, '\u{3001}'..='\u{3004}' | '\u{3008}'..='\u{3020}' | '\u{200b}'..='\u{206f}')
        || matches!(c, '\u{ff01}'..='\u{ff0f}' | '\u{ff1a}'..='\u{ff20}' | '\u{ff3b}'..='\u{ff40}')
        || matches!(c, '\u{ff5b}'..='\u{ff65}' | '・' | '〜');
    c.is_whitespace() || c.is_control() || is_mark || is_wide
}

/// Whether a non-ASCII letter may stand after `before` in an address.
fn may_begin(before: Option<char>, c: char) -> bool {
    let is_hiragana = matches!(c, '\u{3041}'..='\u{309f}');
    match before {
        Some(before) if before.is_ascii() => {
            !is_hiragana && matches!(before, '/' | '=' | '-' | '_' | '?' | '&' | '+' | ',' | ':' | '(')
        }
        Some(_) => true,
        None => false,
    }
}

/// Removes punctuation at the end, which belongs to the sentence.
fn without_punctuation(text: &str) -> &str {
    text.trim_end_matches(['.', ',', ';', ':', '!', '?', '\'', '*', '_', '~'])
}
