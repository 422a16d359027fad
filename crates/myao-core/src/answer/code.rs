//! The code in a Markdown text: marks in it are shown, not used.

use std::ops::Range;

/// Fewest backticks or tildes of a fence.
const FENCE: usize = 3;
/// Spaces before a line of an indented block of code.
const INDENT: &str = "    ";

/// Where a text has code.
pub(super) struct CodeSpans {
    spans: Vec<Range<usize>>,
    /// Where a fence begins that is never closed; what follows is code, too.
    open: Option<usize>,
}

/// A fence that is not closed yet.
struct OpenFence {
    mark: char,
    length: usize,
    start: usize,
}

impl CodeSpans {
    pub(super) fn of(text: &str) -> Self {
        let mut code = Self { spans: Vec::new(), open: None };
        let mut fence: Option<OpenFence> = None;
        let mut paragraph = 0..0;
        let mut at = 0;
        for line in text.split_inclusive('\n') {
            let end = at + line.len();
            let mark = fence_mark(line);
            match (&fence, mark) {
                (Some(open), Some((mark, length, ""))) if mark == open.mark && length >= open.length => {
                    code.spans.push(open.start..end);
                    fence = None;
                    paragraph = end..end;
                }
                (Some(_), _) => {}
                (None, Some((mark, length, _))) => {
                    code.note_inline_spans(text, paragraph.clone());
                    fence = Some(OpenFence { mark, length, start: at });
                }
                (None, None) if line.trim().is_empty() => {
                    code.note_inline_spans(text, paragraph.clone());
                    paragraph = end..end;
                }
                (None, None) if line.starts_with(INDENT) && paragraph.is_empty() => {
                    code.spans.push(at..end);
                    paragraph = end..end;
                }
                (None, None) => paragraph.end = end,
            }
            at = end;
        }
        code.note_inline_spans(text, paragraph);
        code.open = fence.map(|fence| fence.start);
        code
    }

    /// Whether there is code at this byte.
    pub(super) fn holds(&self, at: usize) -> bool {
        self.is_closed_at(at) || self.open.is_some_and(|start| start <= at)
    }

    /// Whether there is code at this byte that ends before the text does.
    pub(super) fn is_closed_at(&self, at: usize) -> bool {
        // They are in order, and none lies in another.
        let next = self.spans.partition_point(|span| span.end <= at);
        self.spans.get(next).is_some_and(|span| span.contains(&at))
    }

    /// Notes the spans between backticks in a paragraph: a run of backticks ends at the next run of the same length.
    fn note_inline_spans(&mut self, text: &str, paragraph: Range<usize>) {
        let mut runs = Vec::new();
        let mut at = paragraph.start;
        while let Some(next) = text.get(at..paragraph.end).and_then(|rest| rest.find('`')) {
            let start = at + next;
            let rest = text.get(start..paragraph.end).unwrap_or_default();
            at = start + (rest.len() - rest.trim_start_matches('`').len());
            runs.push(start..at);
        }
        let mut runs = runs.into_iter();
        while let Some(open) = runs.next() {
            let mut behind = runs.clone();
            if let Some(close) = behind.find(|run| run.len() == open.len()) {
                self.spans.push(open.start..close.end);
                runs = behind;
            }
        }
    }
}

/// A fence's mark, its length, and the word behind it.
fn fence_mark(line: &str) -> Option<(char, usize, &str)> {
    let line = line.trim();
    let mark = line.chars().next().filter(|c| matches!(c, '`' | '~'))?;
    let word = line.trim_start_matches(mark);
    let length = line.len() - word.len();
    (length >= FENCE && !word.contains(mark)).then_some((mark, length, word.trim()))
}
