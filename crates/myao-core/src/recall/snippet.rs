//! The passage of a text that shows why it was found, on one line.

use std::ops::Range;

use super::{highlight::Highlighter, passage::PassageLine};
use crate::text::{without_colour_codes, without_invisible_characters};

/// The usual length of a snippet in columns: two lines of a terminal.
pub const SNIPPET_COLUMNS: usize = 160;
/// Stands where text is left out.
const ELLIPSIS: &str = "…";

/// A passage of a text.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Snippet {
    /// One line, with `…` where it does not begin or end with the text.
    pub text: String,
    /// Where in it stands what was asked for, in bytes: ascending, without overlaps.
    pub marks: Vec<Range<usize>>,
}

impl Highlighter {
    /// The passage of a text in which most of what is asked for stands together, of at most `most` columns: a letter
    /// takes one, a full-width letter two. Colour codes and invisible characters are left out.
    pub fn snippet(&self, text: &str, most: usize) -> Snippet {
        let clean = one_line(text);
        let marks = self.marks(&clean);
        let line = PassageLine::new(&clean);
        let (begin, end) = line.passage(&marks, most);
        let mut text = String::new();
        let mut shown = Vec::new();
        if begin > 0 && most > 0 {
            text.push_str(ELLIPSIS);
        }
        let from = line.byte(begin);
        let to = line.byte(end);
        let shift = |byte: usize| byte.clamp(from, to) - from + text.len();
        shown.extend(marks.iter().map(|mark| shift(mark.range.start)..shift(mark.range.end)));
        shown.retain(|range| !range.is_empty());
        text.push_str(clean.get(from..to).unwrap_or_default());
        if end < line.length() && most > begin.min(1) {
            text.push_str(ELLIPSIS);
        }
        Snippet { text, marks: shown }
    }
}

fn one_line(text: &str) -> String {
    let lines = text
        .split(['\n', '\r'])
        .map(|line| without_invisible_characters(&without_colour_codes(line)).into_owned());
    lines.collect::<Vec<_>>().join(" ").split_whitespace().collect::<Vec<_>>().join(" ")
}
