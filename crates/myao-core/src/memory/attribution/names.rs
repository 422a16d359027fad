//! What the people of a talk are called.

use std::collections::{BTreeMap, BTreeSet};

use super::sayings::{Saying, TellingWords};
use crate::{
    text::{fold_for_comparison, head_of_text, is_japanese_char},
    worth::is_common_word,
};

/// The fewest characters of a name by which a line is told to speak of somebody.
const SHORTEST_NAME: usize = 2;
/// The characters of a name that a memory's line shows at most.
const LONGEST_NAME: usize = 32;
/// Polite titles that follow a name.
const TITLES: [&str; 7] = ["さん", "くん", "君", "ちゃん", "さま", "様", "氏"];

/// The people who said something, or who were called with an `@`.
#[derive(Default)]
pub(super) struct KnownPeople {
    /// The folded names under which people speak, and which person that is.
    labels: BTreeMap<String, usize>,
    /// All folded names, and whose they are: whole names, first names, names without the id behind them. A name that
    /// several people share is nobody's.
    names: BTreeMap<String, Option<usize>>,
    /// The telling words of all names: they say who is spoken of, and not what.
    pub(super) terms: BTreeSet<String>,
}

impl KnownPeople {
    /// The people of `sayings`. Each saying gets its speaker.
    pub(super) fn of(sayings: &mut [Saying]) -> Self {
        let mut people = Self::default();
        for saying in &mut *sayings {
            saying.by = people.add(&saying.name);
        }
        for called in sayings.iter().flat_map(|saying| people_called(&saying.folded)) {
            // A first name is called as often as a whole one.
            if !people.names.contains_key(called) {
                people.add(called);
            }
        }
        people
    }

    fn add(&mut self, name: &str) -> Option<usize> {
        let label = fold_for_comparison(name.trim());
        if label.is_empty() {
            return None;
        }
        if let Some(known) = self.labels.get(&label) {
            return Some(*known);
        }
        let person = self.labels.len();
        let bare = label.split(" (").next().unwrap_or_default();
        let first = bare.split([' ', '\u{3000}']).next().unwrap_or_default();
        // Memories write no marks in front of a name, and cut a long one.
        let plain = label.trim_start_matches(|c: char| !c.is_alphanumeric());
        let cut = head_of_text(plain, LONGEST_NAME).trim_end();
        for name in BTreeSet::from([label.as_str(), bare, first, plain, cut]) {
            let owner = self.names.entry(name.to_owned()).or_insert(Some(person));
            if *owner != Some(person) {
                *owner = None;
            }
        }
        self.terms.extend(TellingWords::of(&label).iter().cloned());
        self.labels.insert(label, person);
        Some(person)
    }

    /// Who speaks under a folded name, which may have a title behind it.
    pub(super) fn speaker(&self, name: &str) -> Option<usize> {
        let known = |name: &str| self.labels.get(name).copied().or_else(|| *self.names.get(name)?);
        known(name).or_else(|| known(TITLES.iter().find_map(|title| name.strip_suffix(title))?))
    }

    /// The person whom a folded text begins with, and what follows the name and its title. The longest name counts; a
    /// common word and a single character are no names.
    pub(super) fn at_start<'t>(&self, text: &'t str) -> Option<(usize, &'t str)> {
        let text = text.strip_prefix('@').unwrap_or(text);
        let found = self.names.iter().filter_map(|(name, person)| {
            let rest = text.strip_prefix(name.as_str())?;
            let tells = name.chars().nth(SHORTEST_NAME - 1).is_some() && !is_common_word(name);
            (tells && ends_name(name, rest)).then_some((name.len(), (*person, rest)))
        });
        let (_, (person, rest)) = found.max_by_key(|(length, _)| *length)?;
        let rest = TITLES.iter().find_map(|title| rest.strip_prefix(title)).unwrap_or(rest);
        Some((person?, rest))
    }

    /// Everybody whom a folded text names, with where the name begins, in bytes, and what follows it.
    pub(super) fn within<'s, 't>(
        &'s self,
        text: &'t str,
    ) -> impl Iterator<Item = (usize, usize, &'t str)> + use<'s, 't> {
        let mut before = None;
        text.char_indices().filter_map(move |(at, c)| {
            let begins = !before.replace(c).is_some_and(|before: char| is_one_word(before, c));
            let (person, rest) =
                begins.then(|| self.at_start(text.get(at..).unwrap_or_default())).flatten()?;
            Some((at, person, rest))
        })
    }

    /// Whether a folded text names one of these people.
    pub(super) fn names_one(&self, text: &str, people: &[usize]) -> bool {
        self.within(text).any(|(_, person, _)| people.contains(&person))
    }
}

/// The names that a folded text calls with an `@`.
fn people_called(folded: &str) -> impl Iterator<Item = &str> {
    let pieces = folded.split('@').skip(1);
    let ends = |c: char| c.is_whitespace() || ",:;!?、。".contains(c);
    let names = pieces.filter_map(move |piece| piece.split(ends).next());
    names.filter(|name| name.starts_with(char::is_alphabetic))
}

/// Whether a name ends where `rest` begins. Japanese writes no space behind it.
fn ends_name(name: &str, rest: &str) -> bool {
    let last = name.chars().next_back();
    !last.zip(rest.chars().next()).is_some_and(|(last, next)| is_one_word(last, next))
}

/// Whether two characters belong to one word: both of a script with spaces, or both katakana or kanji.
fn is_one_word(one: char, other: char) -> bool {
    let is_spaced = |c: char| (c.is_alphanumeric() && !is_japanese_char(c)) || matches!(c, '_' | '-');
    let is_katakana = |c: char| matches!(c, '\u{30a1}'..='\u{30fa}' | 'ー');
    let is_kanji = |c: char| matches!(c, '\u{3400}'..='\u{9fff}');
    let titled = matches!(other, '様' | '君' | '氏');
    (is_spaced(one) && is_spaced(other))
        || (is_katakana(one) && is_katakana(other))
        || (is_kanji(one) && is_kanji(other) && !titled)
}
