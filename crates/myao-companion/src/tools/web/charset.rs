//! Decodes the bytes of a page.
//!
//! The encoding is taken, in this order, from a byte order mark, the header, what the page declares at its beginning, or
//! else from which one decodes the bytes without an error. Older Japanese pages are in `Shift_JIS`, EUC-JP or
//! ISO-2022-JP, and not all of them say so.

use std::borrow::Cow;

use encoding_rs::{EUC_JP, Encoding, ISO_2022_JP, SHIFT_JIS, UTF_8, UTF_16BE, UTF_16LE, WINDOWS_1252};

/// How many bytes at the beginning are searched for a declaration, as in browsers.
const BEGINNING: usize = 1024;
/// The longest name of an encoding, in characters.
const LONGEST_NAME: usize = 40;

/// The text of a body; `header` is the header's `charset`.
pub(super) fn decode_body(bytes: &[u8], header: Option<&str>) -> String {
    let declared = Encoding::for_bom(bytes)
        .map(|(encoding, _)| encoding)
        .or_else(|| Encoding::for_label(header?.as_bytes()))
        .or_else(|| declared_inside(bytes));
    let encoding = declared.unwrap_or_else(|| guess_encoding(bytes));
    let (text, _, _) = encoding.decode(bytes);
    Cow::into_owned(text)
}

/// `<meta charset="…">`, `<meta … content="text/html; charset=…">`, `<?xml … encoding="…"?>`.
fn declared_inside(bytes: &[u8]) -> Option<&'static Encoding> {
    let beginning = bytes.get(..BEGINNING.min(bytes.len()))?.to_ascii_lowercase();
    let beginning = String::from_utf8_lossy(&beginning);
    ["charset=", "encoding="].iter().find_map(|key| {
        let (_, rest) = beginning.split_once(key)?;
        let is_name = |c: &char| c.is_ascii_alphanumeric() || matches!(c, '-' | '_' | ':' | '.');
        let rest = rest.trim_start().trim_start_matches(['"', '\'']);
        let name: String = rest.chars().take_while(is_name).take(LONGEST_NAME).collect();
        let found = Encoding::for_label(name.as_bytes())?;
        // This declaration was readable as ASCII, so that the page cannot be in UTF-16.
        Some(if found == UTF_16LE || found == UTF_16BE { UTF_8 } else { found })
    })
}

fn guess_encoding(bytes: &[u8]) -> &'static Encoding {
    let is_utf8 = match str::from_utf8(bytes) {
        Ok(_) => true,
        // UTF-8 that was cut off within its last character.
        Err(error) => {
            let read = bytes.get(..error.valid_up_to()).unwrap_or_default();
            error.error_len().is_none() && !read.is_ascii()
        }
    };
    if is_utf8 && !bytes.contains(&0x1b) {
        return UTF_8;
    }
    let reads = |encoding: &&'static Encoding| !encoding.decode_without_bom_handling(bytes).1;
    [ISO_2022_JP, EUC_JP, SHIFT_JIS].into_iter().find(reads).unwrap_or(WINDOWS_1252)
}
