//! A text as units that two texts can be compared by: words, and characters of what is written without spaces.

const WORD_WEIGHT: usize = 2;
const CHAR_WEIGHT: usize = 1;

/// A word of a language with spaces, or one character of a language without.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Unit {
    pub(super) text: String,
    /// 2 for a word, 1 for a character: two characters of Japanese say as much as a word.
    pub(super) weight: usize,
}

/// The units of a text, ignoring case, punctuation, markup and line breaks.
pub(super) fn units_of_text(text: &str) -> Vec<Unit> {
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

/// The weight of all these units together.
pub(super) fn total_weight(of: &[Unit]) -> usize {
    of.iter().map(|unit| unit.weight).sum()
}

/// The shortest run of at least `wanted` weight from each unit on. Its length depends on its units alone, so that equal
/// text gives equal runs wherever it stands.
pub(super) fn shortest_runs(of: &[Unit], wanted: usize) -> impl Iterator<Item = &[Unit]> {
    (0..of.len()).filter_map(move |start| {
        let rest = of.get(start..)?;
        let mut weight = 0;
        let last = rest.iter().position(|unit| {
            weight += unit.weight;
            weight >= wanted
        })?;
        rest.get(..=last)
    })
}

/// Scripts written without spaces between words, as far as our prompts use them: kana and kanji. The ranges
/// are wide on purpose; everything in them is East Asian.
fn is_spaceless(c: char) -> bool {
    matches!(c, '\u{2e80}'..='\u{9fff}' | '\u{f900}'..='\u{faff}' | '\u{20000}'..='\u{3ffff}')
}
