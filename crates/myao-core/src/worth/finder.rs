//! Searches a text for many words at once.

use crate::text::Lexicon;

/// How many groups words are kept in, by the lowest byte of their first character.
const GROUPS: usize = 256;

/// Words, kept by how they begin, so that a text is read once however many words there are.
pub(super) struct Finder<T> {
    groups: Vec<Vec<FindableWord<T>>>,
}

/// A word, with the two characters by which nearly every other one is passed over.
struct FindableWord<T> {
    first: char,
    second: Option<char>,
    word: &'static str,
    value: T,
}

fn group_of(first: char) -> usize {
    usize::try_from(u32::from(first)).unwrap_or_default() % GROUPS
}

impl<T: Copy> Finder<T> {
    /// Finds `words`, each of which stands for a value.
    pub(super) fn new(words: impl IntoIterator<Item = (&'static str, T)>) -> Self {
        let mut groups: Vec<Vec<FindableWord<T>>> = (0..GROUPS).map(|_| Vec::new()).collect();
        for (word, value) in words {
            let mut chars = word.chars();
            if let Some(first) = chars.next()
                && let Some(group) = groups.get_mut(group_of(first))
            {
                group.push(FindableWord { first, second: chars.next(), word, value });
            }
        }
        for words in &mut groups {
            words.sort_by_key(|known| (std::cmp::Reverse(known.word.len()), known.word));
        }
        Self { groups }
    }

    /// The words `text` begins with, the longest first.
    pub(super) fn at_start<'t>(
        &self,
        text: &'t str,
    ) -> impl Iterator<Item = (&'static str, T)> + use<'_, 't, T> {
        let mut chars = text.chars();
        let first = chars.next();
        let second = chars.next();
        let group = first.and_then(|first| self.groups.get(group_of(first))).map_or(&[][..], Vec::as_slice);
        let begins = move |known: &&FindableWord<T>| {
            Some(known.first) == first
                && (known.second.is_none() || known.second == second)
                && text.starts_with(known.word)
        };
        group.iter().filter(begins).map(|known| (known.word, known.value))
    }

    /// The words anywhere in `text`, with where they begin.
    pub(super) fn within<'t>(
        &self,
        text: &'t str,
    ) -> impl Iterator<Item = (usize, &'static str, T)> + use<'_, 't, T> {
        text.char_indices().flat_map(move |(at, _)| {
            self.at_start(text.get(at..).unwrap_or_default()).map(move |(word, value)| (at, word, value))
        })
    }

    /// The words that begin behind a space in `text`, with where they begin: those of [`Self::within`] that may be whole
    /// words of a text from [`words_with_spaces`].
    pub(super) fn behind_spaces<'t>(
        &self,
        text: &'t str,
    ) -> impl Iterator<Item = (usize, &'static str, T)> + use<'_, 't, T> {
        text.match_indices(' ').flat_map(move |(space, _)| {
            let at = space + 1;
            self.at_start(text.get(at..).unwrap_or_default()).map(move |(word, value)| (at, word, value))
        })
    }

    /// `text` with a space in place of each word in it, longer words before shorter.
    pub(super) fn without(&self, text: &str) -> String {
        let mut out = String::with_capacity(text.len());
        let mut rest = text;
        while let Some(c) = rest.chars().next() {
            let (kept, length) = match self.at_start(rest).next() {
                Some((word, _)) => (' ', word.len()),
                None => (c, c.len_utf8()),
            };
            out.push(kept);
            rest = rest.get(length..).unwrap_or_default();
        }
        out
    }
}

/// Words of both languages: Japanese ones are found as parts of a text, English ones as whole words.
pub struct WordFinder {
    japanese: Finder<()>,
    english: Finder<()>,
}

impl WordFinder {
    /// Finds the words of the lists of this key; a language without one has no words.
    pub fn of(key: &'static str) -> Self {
        let finder = |list: Lexicon| Finder::new(list.into_words().into_iter().map(|word| (word, ())));
        Self { japanese: finder(Lexicon::japanese(key)), english: finder(Lexicon::english(key)) }
    }

    /// Whether one of them stands in a folded text.
    pub fn stands_in(&self, folded: &str) -> bool {
        self.japanese.within(folded).next().is_some() || self.stands_in_english(&words_with_spaces(folded))
    }

    /// The same of a text whose English words are known, as [`words_with_spaces`] makes them.
    pub fn stands_in_words(&self, folded: &str, english: &str) -> bool {
        self.japanese.within(folded).next().is_some() || self.stands_in_english(english)
    }

    fn stands_in_english(&self, english: &str) -> bool {
        let begins = |rest: &str| {
            let ends = |word: &str| rest.get(word.len()..).is_some_and(|after| after.starts_with(' '));
            self.english.at_start(rest).any(|(word, ())| ends(word))
        };
        english.match_indices(' ').filter_map(|(at, _)| english.get(at + 1..)).any(begins)
    }
}

/// The English words of a text with single spaces around each, so that whole words can be looked for.
pub fn words_with_spaces(folded: &str) -> String {
    let mut out = String::with_capacity(folded.len() + 2);
    out.push(' ');
    for c in folded.chars() {
        let kept = (c.is_ascii_alphanumeric() || c == '\'').then_some(c);
        if kept.is_some() || !out.ends_with(' ') {
            out.push(kept.unwrap_or(' '));
        }
    }
    if !out.ends_with(' ') {
        out.push(' ');
    }
    out
}
