//! Detects a text that repeats its instructions.

use std::collections::BTreeSet;

/// A run this heavy is no coincidence: 24 Japanese characters or 12 words of English. The sentences of our
/// prompts are longer, the headings that a summary may share with them shorter.
const RUN_WEIGHT: usize = 24;
const WORD_WEIGHT: usize = 2;
const CHAR_WEIGHT: usize = 1;

/// A word of a language with spaces, or one character of a language without.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
struct Unit {
    text: String,
    weight: usize,
}

/// Whether `text` and `instructions` share a run of [`RUN_WEIGHT`], ignoring case, punctuation, markup and line breaks.
pub(super) fn repeats(text: &str, instructions: &str) -> bool {
    let (text, instructions) = (units(text), units(instructions));
    let known: BTreeSet<&[Unit]> = runs(&instructions).collect();
    runs(&text).any(|run| known.contains(run))
}

/// The shortest run of sufficient weight from each unit on. Its length depends on its units alone, so that equal text
/// gives equal runs wherever it stands.
fn runs(units: &[Unit]) -> impl Iterator<Item = &[Unit]> {
    (0..units.len()).filter_map(|start| {
        let rest = units.get(start..)?;
        let mut weight = 0;
        let last = rest.iter().position(|unit| {
            weight += unit.weight;
            weight >= RUN_WEIGHT
        })?;
        rest.get(..=last)
    })
}

fn units(text: &str) -> Vec<Unit> {
    let mut units: Vec<Unit> = Vec::new();
    let mut in_word = false;
    for c in text.chars().flat_map(char::to_lowercase) {
        if !c.is_alphanumeric() {
            in_word = false;
        } else if is_spaceless(c) {
            units.push(Unit { text: c.to_string(), weight: CHAR_WEIGHT });
            in_word = false;
        } else if let Some(word) = units.last_mut().filter(|_| in_word) {
            word.text.push(c);
        } else {
            units.push(Unit { text: c.to_string(), weight: WORD_WEIGHT });
            in_word = true;
        }
    }
    units
}

/// Scripts written without spaces between words, as far as our prompts use them: kana and kanji. The ranges
/// are wide on purpose; everything in them is East Asian.
fn is_spaceless(c: char) -> bool {
    matches!(c, '\u{2e80}'..='\u{9fff}' | '\u{f900}'..='\u{faff}' | '\u{20000}'..='\u{3ffff}')
}
