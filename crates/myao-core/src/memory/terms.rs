//! Which words of a removed text give it away in another (SPEC §6, soft lineage).

use std::collections::BTreeSet;

/// Letters of a window over text that is written without spaces: shorter ones are grammar.
const WINDOW: usize = 4;
/// A run of kanji or katakana is a word from here on.
const LEAST_IDEOGRAPHS: usize = 2;
/// Latin letters of a word; shorter ones are everywhere.
const LEAST_LATIN: usize = 3;
/// Digits of a number that means something.
const LEAST_DIGITS: usize = 2;

/// So much of a removed text is looked at: a paste of a megabyte has its terms many times over.
const MOST_CHARS: usize = 20_000;

#[derive(Clone, Copy, PartialEq, Eq)]
enum Class {
    Kanji,
    Katakana,
    Hiragana,
    Latin,
    Digit,
    Other,
}

fn class(c: char) -> Class {
    match c {
        '\u{3400}'..='\u{9fff}' | '\u{f900}'..='\u{faff}' | '々' => Class::Kanji,
        '\u{30a0}'..='\u{30ff}' => Class::Katakana,
        '\u{3040}'..='\u{309f}' => Class::Hiragana,
        _ if c.is_ascii_digit() || c.is_numeric() => Class::Digit,
        _ if c.is_alphabetic() => Class::Latin,
        _ => Class::Other,
    }
}

/// The terms of a text: words and numbers, runs of kanji and katakana, and windows over what is written
/// without spaces. Lower case.
pub fn terms(text: &str) -> BTreeSet<String> {
    let mut terms = BTreeSet::new();
    let lower: String = text.chars().take(MOST_CHARS).flat_map(char::to_lowercase).collect();
    for run in runs(&lower, |a, b| class(a) == class(b)) {
        let least = match run.first().map_or(Class::Other, |c| class(*c)) {
            Class::Kanji | Class::Katakana => LEAST_IDEOGRAPHS,
            Class::Latin => LEAST_LATIN,
            Class::Digit => LEAST_DIGITS,
            Class::Hiragana | Class::Other => usize::MAX,
        };
        if run.len() >= least {
            terms.insert(run.iter().collect());
        }
    }
    let unspaced = |c: char| matches!(class(c), Class::Kanji | Class::Katakana | Class::Hiragana);
    for run in runs(&lower, |a, b| unspaced(a) == unspaced(b)) {
        if run.first().copied().is_some_and(unspaced) {
            terms.extend(run.windows(WINDOW).map(|window| window.iter().collect::<String>()));
        }
    }
    terms
}

/// Whether `content` holds one of `removed` that none of `sources` holds: then it has it from elsewhere.
pub fn gives_away(content: &str, removed: &BTreeSet<String>, sources: &[String]) -> bool {
    let content = content.to_lowercase();
    let mut held: Vec<&String> = removed.iter().filter(|term| content.contains(term.as_str())).collect();
    for source in sources {
        if held.is_empty() {
            return false;
        }
        let source = source.to_lowercase();
        held.retain(|term| !source.contains(term.as_str()));
    }
    !held.is_empty()
}

fn runs(text: &str, together: impl Fn(char, char) -> bool) -> Vec<Vec<char>> {
    let mut runs: Vec<Vec<char>> = Vec::new();
    for c in text.chars() {
        match runs.last_mut() {
            Some(run) if run.last().is_some_and(|last| together(*last, c)) => run.push(c),
            Some(_) | None => runs.push(vec![c]),
        }
    }
    runs
}
