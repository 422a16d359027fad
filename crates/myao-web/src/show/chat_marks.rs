//! Reads the marks of the chat in words: `*bold*`, `_italic_`, `~struck~`, `` `code` ``, blocks of code, quotes, lists and
//! addresses.
//!
//! A mark counts where the chat itself would count it: it begins a word or ends one, and letters of scripts without
//! spaces are letters of words, too. Models write `**bold**` and `~~struck~~` besides. Nothing within code or an address is
//! a mark. All of it takes time in proportion to the length of the words.

use std::ops::Range;

use super::marked_text::address_at;

/// Stands around a block of code.
const FENCE: &str = "```";
/// The marks, the longer ones first.
const MARKS: [(&str, DrawnStyle); 5] = [
    ("**", DrawnStyle::BOLD),
    ("~~", DrawnStyle::STRUCK),
    ("*", DrawnStyle::BOLD),
    ("_", DrawnStyle::ITALIC),
    ("~", DrawnStyle::STRUCK),
];
/// What an entry of a list begins with, besides numbers.
const BULLETS: [&str; 4] = ["• ", "◦ ", "▪ ", "- "];
/// The most digits of the number of an entry.
const MOST_DIGITS: usize = 3;

/// How a stretch of words is drawn.
#[expect(clippy::struct_excessive_bools, reason = "each mark is there or not, whatever the others are")]
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct DrawnStyle {
    pub(super) is_bold: bool,
    pub(super) is_italic: bool,
    pub(super) is_struck: bool,
    pub(super) is_code: bool,
}

impl DrawnStyle {
    const PLAIN: Self = Self { is_bold: false, is_italic: false, is_struck: false, is_code: false };
    const BOLD: Self = Self { is_bold: true, ..Self::PLAIN };
    const ITALIC: Self = Self { is_italic: true, ..Self::PLAIN };
    const STRUCK: Self = Self { is_struck: true, ..Self::PLAIN };
    const CODE: Self = Self { is_code: true, ..Self::PLAIN };

    const fn and(self, other: Self) -> Self {
        Self {
            is_bold: self.is_bold || other.is_bold,
            is_italic: self.is_italic || other.is_italic,
            is_struck: self.is_struck || other.is_struck,
            is_code: self.is_code || other.is_code,
        }
    }

    fn holds(self, other: Self) -> bool {
        self.and(other) == self
    }
}

/// Words that are drawn alike. The marks themselves are in no stretch.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct WordStretch {
    /// Where they stand, in bytes.
    pub(super) range: Range<usize>,
    pub(super) style: DrawnStyle,
    /// Whether they are an address that a link may lead to.
    pub(super) is_address: bool,
}

/// What a line is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum LineKind {
    Words,
    Quote,
    /// An entry of a list; its bullet or number is among its words.
    Entry,
    /// A block of code, all lines of it.
    Code,
}

/// A line of words, or a block of code.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct MarkedLine {
    pub(super) kind: LineKind,
    pub(super) stretches: Vec<WordStretch>,
    /// Where it ends, in bytes.
    pub(super) end: usize,
}

/// The lines of a text, with what its marks make of them.
pub(super) fn lines_with_marks(text: &str) -> Vec<MarkedLine> {
    let mut lines = Vec::new();
    let mut from = 0;
    while let Some(block) = next_block(text, from) {
        // A block has lines of its own: the breaks around it belong to it.
        let before = text.get(from..block.start).unwrap_or_default();
        if !before.trim_matches('\n').is_empty() {
            let end = block.start - usize::from(before.ends_with('\n'));
            add_lines(text, from..end, &mut lines);
        }
        lines.push(MarkedLine {
            kind: LineKind::Code,
            end: block.end,
            stretches: vec![WordStretch { range: block.inner, style: DrawnStyle::CODE, is_address: false }],
        });
        from = block.end + usize::from(text.get(block.end..).is_some_and(|rest| rest.starts_with('\n')));
    }
    if from < text.len() || lines.is_empty() {
        add_lines(text, from..text.len(), &mut lines);
    }
    lines
}

/// A block of code.
struct CodeBlock {
    start: usize,
    end: usize,
    /// What stands between the fences, without the breaks beside them.
    inner: Range<usize>,
}

fn next_block(text: &str, from: usize) -> Option<CodeBlock> {
    let start = from + text.get(from..)?.find(FENCE)?;
    let begins = start + FENCE.len();
    let inner = text.get(begins..)?;
    let length = inner.find(FENCE)?;
    let inner = inner.get(..length)?;
    let end = begins + length + FENCE.len();
    let begins = begins + usize::from(inner.starts_with('\n'));
    let ends = (end - FENCE.len() - usize::from(inner.len() > 1 && inner.ends_with('\n'))).max(begins);
    Some(CodeBlock { start, end, inner: begins..ends })
}

fn add_lines(text: &str, range: Range<usize>, lines: &mut Vec<MarkedLine>) {
    let mut from = range.start;
    for line in text.get(range).unwrap_or_default().split('\n') {
        let end = from + line.len();
        let kind = kind_of_line(line);
        let quoted = if kind == LineKind::Quote { line.len() - unquoted(line).len() } else { 0 };
        let mut reading = LineReading { text, stretches: Vec::new() };
        reading.read(from + quoted..end, DrawnStyle::PLAIN);
        lines.push(MarkedLine { kind, stretches: reading.stretches, end });
        from = end + 1;
    }
}

fn kind_of_line(line: &str) -> LineKind {
    if line.starts_with('>') {
        return LineKind::Quote;
    }
    let words = line.trim_start_matches(' ');
    let digits = words.bytes().take_while(u8::is_ascii_digit).count();
    let is_numbered =
        (1..=MOST_DIGITS).contains(&digits) && words.get(digits..).is_some_and(|rest| rest.starts_with(". "));
    if is_numbered || BULLETS.iter().any(|bullet| words.starts_with(bullet)) {
        LineKind::Entry
    } else {
        LineKind::Words
    }
}

fn unquoted(line: &str) -> &str {
    let words = line.trim_start_matches('>');
    words.strip_prefix(' ').unwrap_or(words)
}

/// Reads one line.
struct LineReading<'t> {
    text: &'t str,
    stretches: Vec<WordStretch>,
}

impl LineReading<'_> {
    fn read(&mut self, range: Range<usize>, style: DrawnStyle) {
        // A mark that nothing closes from one place on is closed from no later place either.
        let mut unclosed = [false; MARKS.len()];
        let mut has_code = true;
        let mut plain = range.start;
        let mut at = range.start;
        while let Some(rest) = self.text.get(at..range.end).filter(|rest| !rest.is_empty()) {
            if let Some(length) = address_at(rest, self.before(at)) {
                self.push(plain..at, style, false);
                self.push(at..at + length, style, true);
                at += length;
                plain = at;
                continue;
            }
            let code = if has_code && rest.starts_with('`') { code_at(rest) } else { None };
            if let Some(length) = code {
                self.push(plain..at, style, false);
                self.push(at + 1..at + length - 1, style.and(DrawnStyle::CODE), false);
                at += length;
                plain = at;
                continue;
            }
            has_code &= !rest.starts_with('`');
            let opens = self.opening(at, range.end, style, &unclosed);
            if let Some((nth, mark)) = opens {
                let inner = at + mark.len();
                if let Some(end) = self.closing(inner, range.end, mark) {
                    self.push(plain..at, style, false);
                    self.read(inner..end, style.and(style_of_mark(nth)));
                    at = end + mark.len();
                    plain = at;
                    continue;
                }
                if let Some(unclosed) = unclosed.get_mut(nth) {
                    *unclosed = true;
                }
                continue;
            }
            at += rest.chars().next().map_or(1, char::len_utf8);
        }
        self.push(plain..range.end, style, false);
    }

    fn push(&mut self, range: Range<usize>, style: DrawnStyle, is_address: bool) {
        if !range.is_empty() {
            self.stretches.push(WordStretch { range, style, is_address });
        }
    }

    fn before(&self, at: usize) -> Option<char> {
        self.text.get(..at).and_then(|before| before.chars().next_back())
    }

    /// The mark that opens here, with its number.
    fn opening(
        &self,
        at: usize,
        end: usize,
        style: DrawnStyle,
        unclosed: &[bool],
    ) -> Option<(usize, &'static str)> {
        if self.before(at).is_some_and(char::is_alphanumeric) {
            return None;
        }
        let rest = self.text.get(at..end)?;
        let marks = MARKS.iter().enumerate().zip(unclosed);
        let mut opening = marks.filter(|((_, (mark, made)), unclosed)| {
            let next = rest.strip_prefix(mark).and_then(|rest| rest.chars().next());
            let is_single = next.is_some_and(|next| !next.is_whitespace() && !mark.contains(next));
            !**unclosed && is_single && !style.holds(*made)
        });
        opening.next().map(|((nth, (mark, _)), _)| (nth, *mark))
    }

    /// Where the mark closes what was opened before `from`.
    fn closing(&self, from: usize, end: usize, mark: &str) -> Option<usize> {
        let mut at = from;
        let mut has_code = true;
        while let Some(rest) = self.text.get(at..end).filter(|rest| !rest.is_empty()) {
            let before = self.before(at);
            let code = if has_code && rest.starts_with('`') { code_at(rest) } else { None };
            if let Some(length) = code.or_else(|| address_at(rest, before)) {
                at += length;
                continue;
            }
            has_code &= !rest.starts_with('`');
            if at > from && !before.is_some_and(char::is_whitespace) {
                let next = rest.strip_prefix(mark).map(|rest| rest.chars().next());
                let sign = mark.chars().next();
                let is_end =
                    next.is_some_and(|next| !next.is_some_and(char::is_alphanumeric) && next != sign);
                if is_end && before != sign {
                    return Some(at);
                }
            }
            at += rest.chars().next().map_or(1, char::len_utf8);
        }
        None
    }
}

fn style_of_mark(nth: usize) -> DrawnStyle {
    MARKS.get(nth).map_or(DrawnStyle::PLAIN, |(_, style)| *style)
}

/// The length of the code that begins here, with its marks.
fn code_at(rest: &str) -> Option<usize> {
    let inner = rest.strip_prefix('`')?;
    let length = inner.find('`').filter(|length| *length > 0)?;
    Some(length + 2)
}
