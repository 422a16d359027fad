//! The form in which phrases are compared: without the marks of bold and the like, the addresses behind words, and what
//! only divides lines. `the *big* deal` holds "the big deal", and 「これは*大事*です」 holds 「これは大事です」.

use crate::text::{LetterKind, is_invisible, letter_kind};

/// Marks of bold, struck and code; `_` is one only at the edge of a word.
const MARKS: [char; 4] = ['*', '~', '`', '_'];

/// A text in the form in which phrases are compared.
pub(super) fn comparable_form(text: &str) -> String {
    let plain: Vec<char> = without_addresses(text).chars().filter(|c| !is_invisible(*c)).collect();
    let plain: Vec<char> =
        plain.iter().enumerate().filter(|(at, _)| !is_mark(&plain, *at)).map(|(_, c)| *c).collect();
    let mut joined = String::with_capacity(text.len());
    let mut at = 0;
    while let Some(c) = plain.get(at) {
        let blanks = plain.iter().skip(at).take_while(|c| c.is_whitespace()).count();
        if blanks == 0 {
            joined.push(*c);
            at += 1;
            continue;
        }
        at += blanks;
        // Between letters that are written without spaces, a blank divides nothing.
        let is_unspaced = |c: &char| matches!(letter_kind(*c), LetterKind::Kanji | LetterKind::Unspaced);
        let before = joined.chars().next_back();
        if !(before.is_some_and(|c| is_unspaced(&c)) && plain.get(at).is_some_and(is_unspaced)) {
            joined.push(' ');
        }
    }
    joined
}

/// Whether the character at `at` is a mark: one that does not stand inside of a word, as in `foo_bar` and `2*3`.
fn is_mark(text: &[char], at: usize) -> bool {
    let is_word = |at: Option<usize>| {
        at.and_then(|at| text.get(at)).is_some_and(|c| letter_kind(*c) == LetterKind::Spaced)
    };
    let is_inside = || is_word(at.checked_sub(1)) && is_word(Some(at + 1));
    text.get(at).is_some_and(|c| MARKS.contains(c)) && !is_inside()
}

/// A text with the words of its links instead of `<https://example.org|words>`.
fn without_addresses(text: &str) -> String {
    let mut plain = String::with_capacity(text.len());
    let mut rest = text;
    while let Some(at) = rest.find('<') {
        let (before, link) = rest.split_at_checked(at).unwrap_or((rest, ""));
        plain.push_str(before);
        let inner = link.strip_prefix('<').and_then(|link| link.split_once('>'));
        if let Some((inner, after)) = inner.filter(|(inner, _)| is_address(inner)) {
            plain.push_str(inner.split_once('|').map_or(inner, |(_, words)| words));
            rest = after;
        } else {
            plain.push('<');
            rest = link.strip_prefix('<').unwrap_or_default();
        }
    }
    plain.push_str(rest);
    plain
}

fn is_address(inner: &str) -> bool {
    ["http://", "https://", "mailto:", "tel:"].iter().any(|scheme| inner.starts_with(scheme))
}
