//! Lists of words and characters that tell apart languages of the same script.

use std::{collections::BTreeSet, sync::LazyLock};

use crate::text::Lexicon;

static ENGLISH: Lexicon = Lexicon::english("languages.common_words");

static OTHERS: Lexicon<Vec<&'static str>> = Lexicon::of_all("languages.others");

static SIMPLIFIED: Lexicon = Lexicon::of_all("languages.simplified");
static TRADITIONAL: Lexicon = Lexicon::of_all("languages.traditional");

/// How many words are looked at: these are enough to tell the language of a text, however long it is.
const MOST_WORDS: usize = 2000;

static CHINESE_ONLY: LazyLock<BTreeSet<char>> =
    LazyLock::new(|| SIMPLIFIED.iter().chain(TRADITIONAL.iter()).flat_map(|part| part.chars()).collect());

/// How many words of a text in Latin script are common in English, and in another language.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Common {
    /// How many words were looked at.
    pub(super) words: usize,
    /// How many of them are common words of English.
    pub(super) english: usize,
    /// How many of them are common words of that other language which has most of them. Names often hold such words (La
    /// Paz, Das Boot), so words that begin with a capital do not count.
    pub(super) other: usize,
}

impl Common {
    pub(super) fn of(text: &str) -> Self {
        let is_word = |c: char| c.is_alphabetic() && is_latin(c) || c == '\'' || c == '’';
        let words = text.split(|c| !is_word(c)).filter(|word| !word.is_empty());
        let words: Vec<&str> = words.take(MOST_WORDS).collect();
        let Sets { english, others } = &*SETS;
        let has =
            |list: &BTreeSet<&str>, word: &str| list.contains(word.to_lowercase().replace('’', "'").as_str());
        let hits = |list: &BTreeSet<&str>| words.iter().filter(|word| list.contains(**word)).count();
        Self {
            words: words.len(),
            english: words.iter().filter(|word| has(english, word)).count(),
            other: others.iter().map(hits).max().unwrap_or(0),
        }
    }
}

/// The common words of English, and of each of the other languages.
struct Sets {
    english: BTreeSet<&'static str>,
    others: Vec<BTreeSet<&'static str>>,
}

static SETS: LazyLock<Sets> = LazyLock::new(|| Sets {
    english: ENGLISH.words().collect(),
    others: OTHERS.iter().map(|list| list.iter().copied().collect()).collect(),
});

/// Whether `c` is written in Chinese and not in Japanese.
pub(super) fn is_chinese(c: char) -> bool {
    CHINESE_ONLY.contains(&c)
}

pub(super) fn is_latin(c: char) -> bool {
    matches!(c, '\u{0}'..='\u{24f}' | '\u{1e00}'..='\u{1eff}' | '\u{ff21}'..='\u{ff5a}') && c.is_alphabetic()
}
