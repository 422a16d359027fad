//! Decisions, as `ADR 40`, or `ADR 81, 82 and 85`.

use std::collections::BTreeSet;

use super::{super::SourceFile, Citation, CitedKind, DECISIONS, words};

const NAMES: [&str; 2] = ["ADR", "ADRs"];

/// The numbers of the decisions that are recorded.
pub(super) struct Decisions {
    numbers: BTreeSet<u32>,
}

impl Decisions {
    pub(super) fn of(files: &[SourceFile]) -> Self {
        let names = files.iter().filter_map(|file| file.path.strip_prefix(DECISIONS));
        let numbers = names.filter_map(|name| name.split('-').next()?.parse().ok());
        Self { numbers: numbers.collect() }
    }

    pub(super) fn cited(&self, text: &str) -> Vec<Citation> {
        if !text.contains(NAMES[0]) {
            return Vec::new();
        }
        let named =
            words(text, |letter| letter.is_ascii_alphanumeric()).filter(|(_, word)| NAMES.contains(word));
        named.flat_map(|(at, word)| self.list(text, at + word.len())).collect()
    }

    /// The numbers that follow one another from a byte on.
    fn list(&self, text: &str, from: usize) -> Vec<Citation> {
        let (mut found, mut at) = (Vec::new(), from);
        while let Some((start, number)) = next_number(text, at) {
            let digits = text
                .get(start..)
                .map_or(0, |rest| rest.len() - rest.trim_start_matches(|c: char| c.is_ascii_digit()).len());
            let is_known = self.numbers.contains(&number);
            let complaint = (!is_known).then(|| format!("ADR {number} does not exist"));
            found.push(Citation { kind: CitedKind::Decision, at: start, complaint });
            at = start + digits;
        }
        found
    }
}

/// The next number of a list, and where it stands; `None` where the list ends.
fn next_number(text: &str, at: usize) -> Option<(usize, u32)> {
    let rest = text.get(at..)?;
    let begun = ["", " ", ", ", " and ", "–"].iter().find_map(|between| {
        let rest = rest.strip_prefix(between)?;
        rest.starts_with(|letter: char| letter.is_ascii_digit()).then_some(between.len())
    })?;
    let digits: String = rest.get(begun..)?.chars().take_while(char::is_ascii_digit).collect();
    Some((at + begun, digits.parse().ok()?))
}
