//! Compares two texts word by word, in Japanese too (specification §10 `diff`).
//!
//! Japanese is written without spaces, so a change of script ends a word: runs of kanji, of katakana, of hiragana, of
//! other letters, of digits and of spaces are words; every other character is a word by itself. That needs no
//! dictionary and puts the borders where a reader would.

use similar::{Algorithm, DiffOp, capture_diff_slices};

/// Two texts with at most this many words together are compared word by word. The work grows with words times
/// differences: at the limit, with nothing in common, it takes about a second. A memory has a few hundred words.
const MOST_WORDS: usize = 10_000;

/// In which of the two texts a piece stands.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Change {
    /// In both texts.
    Kept,
    /// In the old text alone.
    Removed,
    /// In the new text alone.
    Added,
}

impl Change {
    /// The name in JSON.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Kept => "kept",
            Self::Removed => "removed",
            Self::Added => "added",
        }
    }
}

/// A piece of text, and in which of the two texts it stands.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct DiffPiece {
    /// Whether it was kept, removed or added.
    pub change: Change,
    /// The text; never empty.
    pub text: String,
}

/// The pieces of both texts in order; where words were replaced, the removed ones come first.
///
/// Kept and removed pieces together are the old text, kept and added ones the new. If the texts have more than 10,000
/// words together, they are compared line by line; if they have more than 10,000 lines, as wholes.
pub fn diff_of_words(old: &str, new: &str) -> Vec<DiffPiece> {
    for split in [split_words, split_lines] {
        let old = split(old);
        let new = split(new);
        if old.len() + new.len() <= MOST_WORDS {
            return compare_words(&old, &new);
        }
    }
    let mut pieces = Vec::new();
    push_piece(&mut pieces, Change::Removed, old);
    push_piece(&mut pieces, Change::Added, new);
    pieces
}

fn compare_words(old: &[&str], new: &[&str]) -> Vec<DiffPiece> {
    let mut pieces = Vec::new();
    let mut old = old;
    let mut new = new;
    for run in bridge_short_gaps(capture_diff_slices(Algorithm::Myers, old, new), old) {
        let change = if run.is_kept { Change::Kept } else { Change::Removed };
        push_piece(&mut pieces, change, &take_words(&mut old, run.old));
        let added = take_words(&mut new, run.new);
        if !run.is_kept {
            push_piece(&mut pieces, Change::Added, &added);
        }
    }
    pieces
}

fn take_words(words: &mut &[&str], count: usize) -> String {
    let (taken, rest) = words.split_at_checked(count).unwrap_or((words, &[]));
    *words = rest;
    taken.concat()
}

/// How many words of the old and of the new text are kept here, or replaced by each other.
struct DiffRun {
    is_kept: bool,
    old: usize,
    new: usize,
}

/// Joins changes that only spaces or punctuation separate, so that a rewritten phrase is shown as one change. Line
/// breaks keep changes apart.
fn bridge_short_gaps(ops: Vec<DiffOp>, old: &[&str]) -> Vec<DiffRun> {
    let last = ops.len().saturating_sub(1);
    let mut runs: Vec<DiffRun> = Vec::with_capacity(ops.len());
    for (n, op) in ops.into_iter().enumerate() {
        let words = old.get(op.old_range()).unwrap_or_default();
        let is_bridge = (1..last).contains(&n)
            && words.iter().all(|word| !word.contains('\n') && !word.contains(char::is_alphanumeric));
        let is_kept = matches!(op, DiffOp::Equal { .. }) && !is_bridge;
        // Only the lengths are used, since the index of an empty range says little.
        let old = op.old_range().len();
        let new = op.new_range().len();
        match runs.last_mut() {
            Some(run) if run.is_kept == is_kept => {
                run.old += old;
                run.new += new;
            }
            Some(_) | None => runs.push(DiffRun { is_kept, old, new }),
        }
    }
    runs
}

fn push_piece(pieces: &mut Vec<DiffPiece>, change: Change, text: &str) {
    if !text.is_empty() {
        pieces.push(DiffPiece { change, text: text.to_owned() });
    }
}

fn split_lines(text: &str) -> Vec<&str> {
    text.split_inclusive('\n').collect()
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum WordClass {
    Kanji,
    Katakana,
    Hiragana,
    Letter,
    Digit,
    Space,
    /// Punctuation and line breaks: each character is a word by itself.
    Alone,
}

fn word_class(c: char) -> WordClass {
    match c {
        '\n' => WordClass::Alone,
        '\u{3400}'..='\u{9fff}' | '\u{f900}'..='\u{faff}' | '\u{20000}'..='\u{3ffff}' | '々' | '〆' => {
            WordClass::Kanji
        }
        // The long-vowel mark and half-width forms are katakana too; the middle dot and ゠ are punctuation.
        '\u{30a1}'..='\u{30fa}' | '\u{30fc}'..='\u{30ff}' | '\u{ff66}'..='\u{ff9f}' => WordClass::Katakana,
        '\u{3041}'..='\u{309f}' => WordClass::Hiragana,
        c if c.is_whitespace() => WordClass::Space,
        c if c.is_numeric() => WordClass::Digit,
        // An apostrophe is part of its word, a combining mark of its letter.
        '\'' | '’' | '_' | '\u{300}'..='\u{36f}' => WordClass::Letter,
        c if c.is_alphabetic() => WordClass::Letter,
        _ => WordClass::Alone,
    }
}

/// The words of a text; all of them together are the text.
fn split_words(text: &str) -> Vec<&str> {
    let mut words = Vec::new();
    let mut rest = text;
    while let Some(first) = rest.chars().next() {
        let kind = word_class(first);
        let end = rest
            .char_indices()
            .skip(1)
            .find(|(_, c)| kind == WordClass::Alone || word_class(*c) != kind)
            .map_or(rest.len(), |(at, _)| at);
        let (word, tail) = rest.split_at(end);
        words.push(word);
        rest = tail;
    }
    words
}
