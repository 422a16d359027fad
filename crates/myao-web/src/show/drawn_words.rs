//! Draws words that people and models wrote: with their marks, addresses as links, and what was found or changed in
//! them. Every page draws words with this.

use std::ops::Range;

use maud::{Markup, html};

use super::{
    chat_marks::{DrawnStyle, LineKind, MarkedLine, WordStretch, lines_with_marks},
    marked_text::{REL, without_invisible},
};

/// What a part of words is besides.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum PartMeaning {
    /// It was looked for.
    Found,
    /// It was added since the text before.
    Added {
        /// Whether it is drawn as if its ink were still wet.
        is_new: bool,
    },
    /// It was removed, and is drawn as it was written.
    Removed,
}

/// A part of words that is drawn apart.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct DrawnPart<'t> {
    /// Where it stands, in bytes. Parts are given in their order and do not overlap.
    pub(super) range: Range<usize>,
    pub(super) meaning: PartMeaning,
    /// The words that stood at the beginning of `range`, which is empty then.
    pub(super) removed: &'t str,
}

/// Words with their marks drawn, and addresses as links.
pub(crate) fn drawn_words(text: &str) -> Markup {
    words_with_parts(text, &[])
}

/// The same, with marks at the given ranges.
pub(crate) fn drawn_words_found(text: &str, found: &[Range<usize>]) -> Markup {
    words_with_parts(text, &parts_found(found))
}

/// Words as they stand, with marks at the given ranges and nothing else: for places that are links themselves.
pub(crate) fn words_found_in_line(text: &str, found: &[Range<usize>]) -> Markup {
    let all = WordStretch { range: 0..text.len(), style: DrawnStyle::default(), is_address: false };
    let line = MarkedLine { kind: LineKind::Words, stretches: vec![all], end: text.len() };
    line_with_parts(text, &line, 0, &parts_found(found))
}

fn parts_found(found: &[Range<usize>]) -> Vec<DrawnPart<'static>> {
    let part =
        |range: &Range<usize>| DrawnPart { range: range.clone(), meaning: PartMeaning::Found, removed: "" };
    found.iter().map(part).collect()
}

/// Words without their marks, in one line or several, as a voice reads them.
pub(crate) fn words_without_marks(text: &str) -> String {
    let lines = lines_with_marks(text);
    let words = lines.iter().map(|line| {
        let pieces = line.stretches.iter().filter_map(|stretch| text.get(stretch.range.clone()));
        without_invisible(&pieces.collect::<String>())
    });
    words.collect::<Vec<_>>().join("\n")
}

/// Words with their marks drawn, and parts of them apart.
pub(super) fn words_with_parts(text: &str, parts: &[DrawnPart<'_>]) -> Markup {
    let lines = lines_with_marks(text);
    let before = std::iter::once(None).chain(lines.iter().map(Some));
    html! {
        @for (line, before) in lines.iter().zip(before) {
            @let is_below_words = before.is_some_and(|before| before.kind == LineKind::Words);
            @if is_below_words && line.kind == LineKind::Words { "\n" }
            @let words = line_with_parts(text, line, before.map_or(0, |before| before.end + 1), parts);
            @match line.kind {
                LineKind::Words => { (words) }
                LineKind::Quote => { span.quote { (words) } }
                LineKind::Entry => { span.entry { (words) } }
                LineKind::Code => { code.block { (words) } }
            }
        }
    }
}

/// A line, cut where a part begins or ends. `from` is where the line before it ended.
fn line_with_parts(text: &str, line: &MarkedLine, from: usize, parts: &[DrawnPart<'_>]) -> Markup {
    let first = parts.partition_point(|part| part.range.end < from);
    let here = parts.iter().skip(first).take_while(|part| part.range.start <= line.end);
    let ends = std::iter::once(0).chain(parts.iter().skip(first).map(|part| part.range.end));
    let last = here.clone().last().map_or(0, |part| part.range.end);
    html! {
        @for (part, end) in here.zip(ends) {
            (drawn_stretches(text, line, end..part.range.start))
            @let words = drawn_stretches(text, line, part.range.clone());
            @match part.meaning {
                PartMeaning::Removed => { del { (without_invisible(part.removed)) } }
                // A part may hold nothing but marks here, or go on from another line.
                _ if words.0.is_empty() => {}
                PartMeaning::Found => { mark { (words) } }
                PartMeaning::Added { is_new } => { ins.now[is_new] { (words) } }
            }
        }
        (drawn_stretches(text, line, last..text.len()))
    }
}

/// The stretches of a line as far as they stand in a range.
fn drawn_stretches(text: &str, line: &MarkedLine, within: Range<usize>) -> Markup {
    let clipped = line.stretches.iter().filter_map(|stretch| {
        let start = stretch.range.start.max(within.start);
        let end = stretch.range.end.min(within.end);
        let words = text.get(start..end).filter(|words| !words.is_empty())?;
        Some((stretch, words))
    });
    let is_block = line.kind == LineKind::Code;
    html! {
        @for (stretch, words) in clipped {
            @if stretch.is_address { (address_as_link(text, stretch, words)) }
            @else if is_block { (without_invisible(words)) }
            @else { (styled(&without_invisible(words), stretch.style)) }
        }
    }
}

/// An address, or a part of one: each part leads to the whole.
fn address_as_link(text: &str, stretch: &WordStretch, words: &str) -> Markup {
    let address = without_invisible(text.get(stretch.range.clone()).unwrap_or_default());
    html! { a href=(address) rel=(REL) { (styled(&without_invisible(words), stretch.style)) } }
}

fn styled(words: &str, style: DrawnStyle) -> Markup {
    let DrawnStyle { is_bold, is_italic, is_struck, is_code } = style;
    if is_code {
        return html! { code { (styled(words, DrawnStyle { is_code: false, ..style })) } };
    }
    if is_bold {
        return html! { strong { (styled(words, DrawnStyle { is_bold: false, ..style })) } };
    }
    if is_italic {
        return html! { em { (styled(words, DrawnStyle { is_italic: false, ..style })) } };
    }
    if is_struck {
        return html! { s { (words) } };
    }
    html! { (words) }
}
