//! Takes words of a query that nothing says for the beginning of words that are said, or for a slip of one (ADR 104).

use std::{cmp::Reverse, collections::BTreeMap};

use unicode_normalization::UnicodeNormalization as _;

use super::{
    dictionary::{LONGEST_WORD, is_katakana, is_letter_of_a_word},
    terms::is_everywhere,
};
use crate::text::{LetterKind, english_stem, letter_kind};

/// The most words of a query that are looked at.
const MOST_WORDS: usize = 16;
/// The fewest letters of a beginning.
const SHORTEST_BEGINNING: usize = 3;
const SHORTEST_KATAKANA_BEGINNING: usize = 2;
/// The most words that are shown for one beginning.
const MOST_SHOWN: usize = 3;
/// How many letters at the beginning of a word are looked up together with what one slip makes of them.
const HEAD: usize = 3;
/// Signs that make one word of what stands on both sides: parts of addresses, paths and identifiers are not guessed at.
const JOINING: [char; 11] = ['.', '-', '_', '\'', '’', '/', '@', '#', ':', '+', '&'];

/// Signs in front of names of people, channels and emoji.
const NAMING: [char; 3] = ['@', '#', ':'];

/// How a word is written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum WordScript {
    /// With spaces around it.
    Spaced,
    Katakana,
}

/// A word of a query.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TypedWord {
    /// In lower case.
    word: String,
    script: WordScript,
    /// Where it begins and ends in the query, in bytes.
    place: (usize, usize),
}

/// A word that is said somewhere.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SaidWord {
    /// The word, as a dictionary holds it.
    pub word: String,
    /// How many messages say it.
    pub messages: u64,
}

/// Words of a dictionary from `first` to before `after`, in the order of their characters.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct WordRange {
    /// The first word that there may be.
    pub first: String,
    /// What comes after the last.
    pub after: String,
}

impl WordRange {
    fn beginning_with(letters: &str) -> Self {
        Self { first: letters.to_owned(), after: format!("{letters}{}", char::MAX) }
    }
}

/// The words of a query that may be beginnings or slips.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct TypedWords {
    text: String,
    words: Vec<TypedWord>,
}

impl TypedWords {
    /// Reads the words of a query, which are given without its phrases: these stand as they were typed.
    pub fn new(words: &str) -> Self {
        let text: String = words.nfkc().collect();
        let letters: Vec<(usize, char)> = text.char_indices().collect();
        let mut typed = Vec::new();
        let mut at = 0;
        for run in letters.chunk_by(|(_, a), (_, b)| kind_of_letter(*a) == kind_of_letter(*b)) {
            let end = at + run.len();
            let is_named = char_at(&letters, at.checked_sub(1)).is_some_and(|c| NAMING.contains(&c));
            let is_joined = is_named
                || joins_word(&letters, at.checked_sub(1), at.checked_sub(2))
                || joins_word(&letters, Some(end), Some(end + 1));
            at = end;
            let (Some((start, first)), Some((last, c))) = (run.first(), run.last()) else { continue };
            let word: String = run.iter().flat_map(|(_, c)| c.to_lowercase()).collect();
            let Some(script) = script_of_word(*first).filter(|script| is_word(&word, *script)) else {
                continue;
            };
            if script == WordScript::Katakana || !is_joined {
                typed.push(TypedWord { word, script, place: (*start, last + c.len_utf8()) });
            }
        }
        typed.truncate(MOST_WORDS);
        Self { text, words: typed }
    }

    /// The same without words that do not stand in `rest`: what is left of the query when names of days are taken out.
    #[must_use]
    pub fn only_of(mut self, rest: &str) -> Self {
        let kept = Self::new(rest);
        self.words.retain(|typed| kept.words.iter().any(|kept| kept.word == typed.word));
        self
    }

    /// The words, in the order of the query.
    pub fn words(&self) -> &[TypedWord] {
        &self.words
    }

    /// The query with other words in place of some of its own, which are given by their place in the list. A word of
    /// katakana stays beside them, since texts are found by its letters too.
    pub fn with(&self, others: &BTreeMap<usize, Vec<String>>) -> String {
        let mut text = String::new();
        let mut from = 0;
        for (at, typed) in self.words.iter().enumerate() {
            let Some(shown) = others.get(&at) else { continue };
            let (start, end) = typed.place;
            let before = if typed.script == WordScript::Katakana { end } else { start };
            text.push_str(self.text.get(from..before).unwrap_or_default());
            if before == end {
                text.push(' ');
            }
            text.push_str(&shown.join(" "));
            if self.text.get(end..).is_some_and(|rest| !rest.starts_with(char::is_whitespace)) {
                text.push(' ');
            }
            from = end;
        }
        text.push_str(self.text.get(from..).unwrap_or_default());
        text.trim_end().to_owned()
    }
}

impl TypedWord {
    /// The word, in lower case.
    pub fn word(&self) -> &str {
        &self.word
    }

    /// Whether it is a word of katakana.
    pub fn is_katakana(&self) -> bool {
        self.script == WordScript::Katakana
    }

    /// How many letters it has.
    pub fn letters(&self) -> usize {
        self.word.chars().count()
    }

    /// Whether it is a pair of letters as an index holds it, of any word.
    pub fn is_one_pair(&self) -> bool {
        self.is_katakana() && self.letters() <= 2
    }

    /// The word itself.
    pub fn itself(&self) -> WordRange {
        WordRange { first: self.word.clone(), after: format!("{}\u{1}", self.word) }
    }

    /// The words that begin with it, and itself.
    pub fn beginning(&self) -> WordRange {
        WordRange::beginning_with(&self.word)
    }

    /// How many slips there may be between it and the word that was meant.
    pub fn slips(&self) -> usize {
        match (self.script, self.letters()) {
            (WordScript::Spaced | WordScript::Katakana, 0..=3) => 0,
            (WordScript::Spaced, 4..=7) | (WordScript::Katakana, 4..=6) => 1,
            (WordScript::Spaced | WordScript::Katakana, _) => 2,
        }
    }

    /// Where the words are that it may be a slip of: those that begin like it, or as one slip in the first letters would
    /// make it.
    pub fn near(&self) -> Vec<WordRange> {
        let letters: Vec<char> = self.word.chars().collect();
        let part = |from: usize, to: usize| -> String { letters.iter().take(to).skip(from).collect() };
        let picked =
            |places: [usize; HEAD]| -> String { places.iter().filter_map(|at| letters.get(*at)).collect() };
        // As it stands; two letters exchanged; one letter too many.
        let places = [[0, 1, 2], [1, 0, 2], [0, 2, 1], [0, 1, 3], [1, 2, 3], [0, 2, 3]];
        let mut heads: Vec<String> = places.into_iter().map(picked).collect();
        for other in self.alphabet() {
            for at in 0..HEAD {
                let before = part(0, at);
                heads.push(format!("{before}{other}{}", part(at + 1, HEAD)));
                // One letter missing.
                heads.push(format!("{before}{other}{}", part(at, HEAD - 1)));
            }
        }
        heads.retain(|head| head.chars().count() == HEAD);
        heads.sort_unstable();
        heads.dedup();
        heads.iter().map(|head| WordRange::beginning_with(head)).collect()
    }

    /// The letters that may stand where a wrong one was typed, or none.
    fn alphabet(&self) -> Vec<char> {
        match self.script {
            WordScript::Katakana => ('\u{30a1}'..='\u{30f4}').chain(['ー']).collect(),
            WordScript::Spaced => ('a'..='z').chain(self.word.chars().filter(|c| !c.is_ascii())).collect(),
        }
    }

    /// The words that it stands for: those that begin with it, or else the nearest one. `begun` are words of
    /// [`Self::beginning`], `near` those of [`Self::near`]. Where two letters of a word are exchanged that is said more often
    /// than all that begin so, it is that word: `monda` is `monad`, and not `monday`.
    pub fn meant(&self, begun: &[SaidWord], near: &[SaidWord]) -> Vec<String> {
        let often: u64 = begun.iter().filter(|one| self.begins(&one.word)).map(|one| one.messages).sum();
        let is_meant = |one: &&SaidWord| one.messages > often && self.has_exchanged_letters_of(&one.word);
        if let Some(one) = near.iter().filter(is_meant).max_by_key(|one| (one.messages, Reverse(&one.word))) {
            return vec![one.word.clone()];
        }
        let shown = self.begun(begun);
        if shown.is_empty() { self.nearest(near).into_iter().collect() } else { shown }
    }

    fn begins(&self, word: &str) -> bool {
        word.len() > self.word.len() && word.starts_with(&self.word)
    }

    /// Whether it is this word with two neighbouring letters exchanged.
    fn has_exchanged_letters_of(&self, word: &str) -> bool {
        strsim::osa_distance(&self.word, word) == 1 && strsim::levenshtein(&self.word, word) == 2
    }

    /// The words that begin with it, those that most messages say first, at most three. Of words that a search
    /// takes for one, the one that is said most stands for all.
    pub fn begun(&self, said: &[SaidWord]) -> Vec<String> {
        let mut by_stem: BTreeMap<String, (u64, &SaidWord)> = BTreeMap::new();
        for one in said.iter().filter(|one| self.begins(&one.word)) {
            let (messages, best) = by_stem.entry(english_stem(&one.word).into_owned()).or_insert((0, one));
            *messages += one.messages;
            if (one.messages, Reverse(&one.word)) > (best.messages, Reverse(&best.word)) {
                *best = one;
            }
        }
        let mut begun: Vec<(u64, &SaidWord)> = by_stem.into_values().collect();
        begun.sort_by_key(|(messages, best)| (Reverse(*messages), best.word.as_str()));
        begun.into_iter().take(MOST_SHOWN).map(|(_, best)| best.word.clone()).collect()
    }

    /// The word that it is a slip of: the nearest, one with the same first letter before others, then the one that most
    /// messages say. `None` if none is near.
    pub fn nearest(&self, said: &[SaidWord]) -> Option<String> {
        let first = self.word.chars().next();
        let key = |one: &&SaidWord| {
            let slips = strsim::osa_distance(&self.word, &one.word);
            let begins_otherwise = one.word.chars().next() != first;
            (slips, begins_otherwise, Reverse(one.messages), one.word.clone())
        };
        let near = said.iter().filter(|one| {
            let slips = strsim::osa_distance(&self.word, &one.word);
            (1..=self.slips()).contains(&slips)
        });
        near.min_by_key(key).map(|one| one.word.clone())
    }
}

/// Letters of one kind make a word.
fn kind_of_letter(c: char) -> Option<(LetterKind, bool)> {
    match letter_kind(c) {
        kind @ (LetterKind::Spaced | LetterKind::Unspaced) => Some((kind, is_katakana(c))),
        LetterKind::Kanji | LetterKind::Emoji | LetterKind::Between => None,
    }
}

fn script_of_word(first: char) -> Option<WordScript> {
    match letter_kind(first) {
        LetterKind::Spaced => Some(WordScript::Spaced),
        LetterKind::Unspaced if is_katakana(first) && first != 'ー' => Some(WordScript::Katakana),
        LetterKind::Kanji | LetterKind::Unspaced | LetterKind::Emoji | LetterKind::Between => None,
    }
}

fn is_word(word: &str, script: WordScript) -> bool {
    let letters = word.chars().count();
    match script {
        WordScript::Katakana => (SHORTEST_KATAKANA_BEGINNING..=LONGEST_WORD).contains(&letters),
        WordScript::Spaced => {
            (SHORTEST_BEGINNING..=LONGEST_WORD).contains(&letters)
                && word.chars().all(is_letter_of_a_word)
                && !is_everywhere(word)
        }
    }
}

/// Whether the character at `at` joins a word to what stands at `beyond`.
fn joins_word(letters: &[(usize, char)], at: Option<usize>, beyond: Option<usize>) -> bool {
    char_at(letters, at).is_some_and(|c| JOINING.contains(&c))
        && char_at(letters, beyond).is_some_and(|c| letter_kind(c) != LetterKind::Between)
}

fn char_at(letters: &[(usize, char)], at: Option<usize>) -> Option<char> {
    at.and_then(|at| letters.get(at)).map(|(_, c)| *c)
}
