//! Turns names in what people type into references. Like a chat platform, the workspace keeps who is meant, not what
//! they are called.

use std::collections::BTreeMap;

/// A text as somebody typed it, in Slack's markup: `@name` and `#name` become references, all else is escaped. Names are
/// matched as they stand, the longest first; one of ASCII letters ends where the word ends. Takes time linear in the text,
/// times the number of names.
pub(super) fn slack_markup(
    typed: &str,
    people: &BTreeMap<String, String>,
    channels: &BTreeMap<String, String>,
) -> String {
    let mut out = String::with_capacity(typed.len());
    let mut rest = typed;
    let mut before = None;
    while let Some(first) = rest.chars().next() {
        let after = rest.get(first.len_utf8()..).unwrap_or_default();
        let named = match first {
            // The `@` of a mail address is no mention.
            '@' | '＠' if !before.is_some_and(char::is_alphanumeric) => {
                longest_name(after, people).map(|hit| ('@', hit))
            }
            '#' | '＃' if !before.is_some_and(char::is_alphanumeric) => {
                longest_name(after, channels).map(|hit| ('#', hit))
            }
            _ => None,
        };
        if let Some((sign, (id, tail))) = named {
            out.extend(['<', sign]);
            out.push_str(id);
            out.push('>');
            rest = tail;
            before = Some('>');
            continue;
        }
        match first {
            '&' => out.push_str("&amp;"),
            '<' => out.push_str("&lt;"),
            '>' => out.push_str("&gt;"),
            other => out.push(other),
        }
        rest = after;
        before = Some(first);
    }
    out
}

/// The id of the longest name that a text begins with, and what follows it.
fn longest_name<'n, 't>(text: &'t str, names: &'n BTreeMap<String, String>) -> Option<(&'n str, &'t str)> {
    let hits = names.iter().filter_map(|(name, id)| {
        let tail = text.strip_prefix(name.as_str()).filter(|_| !name.is_empty())?;
        let is_ascii = |c: Option<char>| c.is_some_and(|c| c.is_ascii_alphanumeric());
        (!(is_ascii(name.chars().next_back()) && is_ascii(tail.chars().next())))
            .then_some((id.as_str(), tail))
    });
    hits.min_by_key(|(_, tail)| tail.len())
}
