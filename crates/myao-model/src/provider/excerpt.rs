//! Makes excerpts of a provider's messages for errors: short, on one line, and without the key.

/// Most characters of a provider's message that an error repeats: enough for its first sentence or two.
const MOST_CHARS: usize = 240;
/// Characters of a key's beginning that count as the key in a message, since some providers echo part of it.
const KEY_PREFIX_CHARS: usize = 8;
/// Replaces the key.
const HIDDEN: &str = "[key]";

/// The message on one line, cut, after every trace of the key is taken out.
pub(super) fn excerpt_without_key(message: &str, key: Option<&str>) -> String {
    let message = key.map_or_else(|| message.to_owned(), |key| hide_key(message, key));
    let words: Vec<&str> = message.split(|c: char| c.is_whitespace() || c.is_control()).collect();
    let line = words.into_iter().filter(|word| !word.is_empty()).collect::<Vec<_>>().join(" ");
    if line.chars().count() <= MOST_CHARS {
        return line;
    }
    line.chars().take(MOST_CHARS).chain(['…']).collect()
}

/// Replaces every stretch that begins like the key, as far as it agrees with the key.
fn hide_key(message: &str, key: &str) -> String {
    let key = key.trim();
    let prefix: String = key.chars().take(KEY_PREFIX_CHARS).collect();
    if prefix.is_empty() {
        return message.to_owned();
    }
    let mut shown = String::new();
    let mut rest = message;
    while let Some((before, after)) = rest.split_once(prefix.as_str()) {
        shown.push_str(before);
        shown.push_str(HIDDEN);
        let tail: String = key.chars().skip(KEY_PREFIX_CHARS).collect();
        let same: usize =
            after.chars().zip(tail.chars()).take_while(|(a, b)| a == b).map(|(c, _)| c.len_utf8()).sum();
        rest = after.get(same..).unwrap_or_default();
    }
    shown.push_str(rest);
    shown
}
