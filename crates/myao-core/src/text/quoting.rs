//! Words of others inside a text of ours: nothing in them can pass for a line, a heading or a mark of ours.

use super::{
    hidden::{breaks_line, without_invisible_characters},
    terminal_codes::without_colour_codes,
};

/// How many characters of a name are shown: platforms allow no longer names.
const NAME_LIMIT: usize = 80;
/// Written before every line of a message but its first.
const CONTINUATION: &str = "\n  ";

/// A name as prompts show it: cut to 80 characters, without line breaks, brackets or `: `, so that it cannot look like
/// what stands around it.
pub fn name_as_label(name: &str) -> String {
    match in_line(name, NAME_LIMIT) {
        name if name.is_empty() => "?".to_owned(),
        name => name,
    }
}

/// The words of somebody else inside a line of ours: at most `limit` characters, with line breaks, square brackets and
/// `: ` replaced.
pub(crate) fn in_line(text: &str, limit: usize) -> String {
    let harmless = |c: char| match c {
        '[' => '(',
        ']' => ')',
        c if c.is_control() || breaks_line(c) => ' ',
        c => c,
    };
    let text = without_invisible_characters(text);
    let text: String = text.trim().chars().take(limit).map(harmless).collect();
    text.trim().replace(": ", "：")
}

/// Text under one of our headings. A line of it that begins with `#` is indented, so that it cannot pass for a heading.
pub(crate) fn text_under_heading(text: &str) -> String {
    let text = without_invisible_characters(text);
    let lines = text.trim().split(breaks_line).map(str::trim_end);
    let guarded = lines.map(|line| if line.starts_with('#') { format!("  {line}") } else { line.to_owned() });
    guarded.collect::<Vec<_>>().join("\n")
}

/// Text behind a mark of ours: every line but the first is indented; blank lines, colour codes and invisible characters
/// are dropped.
pub(crate) fn text_behind_mark(text: &str) -> String {
    let clean = |line: &str| without_invisible_characters(&without_colour_codes(line)).into_owned();
    let lines = text.trim().split(breaks_line).map(|line| clean(line.trim_end()));
    lines.filter(|line| !line.trim().is_empty()).collect::<Vec<_>>().join(CONTINUATION)
}
