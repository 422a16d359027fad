//! Finds the stretches of a Markdown text that are code: blocks between fences, and spans between backticks of one
//! line.

use std::collections::BTreeMap;

/// How many backticks or tildes open and close a block, at least.
const FENCE: usize = 3;
/// Columns by which the fence that closes a block may be indented more than the one that opened it.
const MOST_INDENT: usize = 3;

/// A block of code that is open.
struct Fence {
    letter: char,
    length: usize,
    /// Bytes before it in its line.
    column: usize,
    stands_in: Container,
}

/// What a block stands in. When that ends, the block ends, too.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Container {
    Text,
    Quote,
    ListItem,
}

/// A text in stretches, in order, each with whether it is code. A block that is never closed goes on to the end of what
/// it stands in. Takes linear time.
pub(super) fn stretches_with_code(text: &str) -> Vec<(bool, &str)> {
    let mut all = Vec::new();
    let mut open: Option<Fence> = None;
    for line in text.split_inclusive('\n') {
        if open.as_ref().is_some_and(|fence| fence.ends_before(line)) {
            open = None;
        }
        if let Some(fence) = &open {
            all.push((true, line));
            if fence.is_closed_by(line) {
                open = None;
            }
            continue;
        }
        open = Fence::opened_by(line);
        if open.is_some() {
            all.push((true, line));
        } else {
            add_line_spans(line, &mut all);
        }
    }
    all
}

impl Fence {
    fn opened_by(line: &str) -> Option<Self> {
        let (column, stands_in) = indent_of_line(line, true);
        let (letter, length, info) = opening_fence(line.get(column..)?)?;
        (letter != '`' || !info.contains('`')).then_some(Self { letter, length, column, stands_in })
    }

    fn is_closed_by(&self, line: &str) -> bool {
        let (column, _) = indent_of_line(line, false);
        let fence = line.get(column..).and_then(opening_fence);
        let is_same = |(letter, length, rest): (char, usize, &str)| {
            letter == self.letter && length >= self.length && rest.trim().is_empty()
        };
        column <= self.column + MOST_INDENT && fence.is_some_and(is_same)
    }

    /// Whether what the block stands in ends before this line, and so the block ends, too.
    fn ends_before(&self, line: &str) -> bool {
        let blanks = line.len() - line.trim_start().len();
        match self.stands_in {
            Container::Text => false,
            Container::Quote => !line.trim_start().starts_with('>'),
            Container::ListItem => !line.trim().is_empty() && blanks < self.column,
        }
    }
}

/// The fence that a text begins with: its letter, its length, and what follows.
fn opening_fence(text: &str) -> Option<(char, usize, &str)> {
    let letter = text.chars().next().filter(|c| matches!(c, '`' | '~'))?;
    let rest = text.trim_start_matches(letter);
    let length = text.len() - rest.len();
    (length >= FENCE).then_some((letter, length, rest))
}

/// How many bytes of blanks and quote signs a line begins with, list signs included if `with_lists`; and what the text
/// behind them stands in.
fn indent_of_line(line: &str, with_lists: bool) -> (usize, Container) {
    let mut rest = line;
    let mut container = Container::Text;
    loop {
        rest = rest.trim_start_matches([' ', '\t']);
        if let Some(quoted) = rest.strip_prefix('>') {
            (rest, container) = (quoted, Container::Quote);
        } else if let Some(item) = list_item(rest).filter(|_| with_lists) {
            (rest, container) = (item, Container::ListItem);
        } else {
            return (line.len() - rest.len(), container);
        }
    }
}

/// What follows the sign of a list item: `- `, `1. `.
fn list_item(text: &str) -> Option<&str> {
    let after = text.trim_start_matches(|c: char| c.is_ascii_digit());
    let signs: &[char] = if after.len() < text.len() { &['.', ')'] } else { &['-', '*', '+'] };
    after.strip_prefix(signs).filter(|rest| rest.starts_with(' '))
}

/// Adds the stretches of a line that stands outside of blocks to `all`.
fn add_line_spans<'t>(line: &'t str, all: &mut Vec<(bool, &'t str)>) {
    let runs = backtick_runs(line);
    let mut closes: Vec<Option<usize>> = Vec::new();
    let mut next: BTreeMap<usize, usize> = BTreeMap::new();
    for (nth, (start, end)) in runs.iter().enumerate().rev() {
        closes.push(next.insert(end - start, nth));
    }
    closes.reverse();
    let mut done = 0;
    let mut skipped = 0;
    for (nth, ((start, _), close)) in runs.iter().zip(&closes).enumerate() {
        let is_escaped = line.get(done..*start).is_some_and(|before| before.ends_with('\\'));
        let Some((close, (_, end))) = close.and_then(|close| Some((close, *runs.get(close)?))) else {
            continue;
        };
        if nth < skipped || is_escaped {
            continue;
        }
        all.push((false, line.get(done..*start).unwrap_or_default()));
        all.push((true, line.get(*start..end).unwrap_or_default()));
        (done, skipped) = (end, close + 1);
    }
    all.push((false, line.get(done..).unwrap_or_default()));
}

/// Where the runs of backticks of a line begin and end.
fn backtick_runs(line: &str) -> Vec<(usize, usize)> {
    let mut runs: Vec<(usize, usize)> = Vec::new();
    for (at, sign) in line.match_indices('`') {
        match runs.last_mut() {
            Some((_, end)) if *end == at => *end = at + sign.len(),
            Some(_) | None => runs.push((at, at + sign.len())),
        }
    }
    runs
}
