//! What can be a word of the house, and what can be its meaning.

use super::places::letters_of;
use crate::{
    recall::terms::is_everywhere,
    text::{
        Lexicon, WritingSystem, fold_for_comparison, is_japanese_char, month_of, weekday_of, writing_system,
    },
};

static NO_NAMES: Lexicon = Lexicon::of_all("house_words.no_names");
static ARTICLES: Lexicon = Lexicon::english("house_words.articles");

/// The most characters of a word, and of a meaning.
const LONGEST_WORD: usize = 32;
const LONGEST_MEANING: usize = 60;
/// The most English words of each.
const MOST_IN_A_WORD: usize = 3;
const MOST_IN_A_MEANING: usize = 7;
/// How many characters an abbreviation has.
const SHORTEST_SIGN: usize = 2;
const LONGEST_SIGN: usize = 12;
/// Units behind a number: 3月, 200円.
const UNITS: [char; 12] = ['月', '日', '年', '時', '分', '秒', '円', '人', '個', '回', '階', '本'];

/// Something that is called a name: as written, and whether it stood between quotation marks.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Name {
    pub(super) text: String,
    pub(super) is_quoted: bool,
}

impl Name {
    /// A name that English text writes; `None` if this can be none.
    pub(super) fn english(text: &str) -> Option<Self> {
        let text = text.trim().trim_end_matches(['.', ',', ';', ':']).trim();
        let bare = text.trim_matches(['"', '“', '”', '\'']);
        let is_quoted = bare.len() < text.len();
        let bare = without_article(bare.trim());
        let words: Vec<&str> = bare.split_whitespace().collect();
        let is_word = |word: &&str| {
            word.chars().any(char::is_alphanumeric)
                && word.chars().all(|c| c.is_alphanumeric() || "-.&'/+".contains(c))
                && !word.starts_with(['/', '.', '-', '&', '+', '\''])
                && !word.contains("//")
        };
        let is_grammar = |word: Option<&&str>| word.is_none_or(|word| is_everyday(word));
        if !words.iter().all(is_word) || is_grammar(words.first()) || is_grammar(words.last()) {
            return None;
        }
        Self::checked(bare, is_quoted)
    }

    /// A name that stands in Japanese text; `None` if this can be none.
    pub(super) fn japanese(text: &str, is_quoted: bool) -> Option<Self> {
        let text = text.trim().trim_matches(['・', '-', '.', '&', '_', ' ', '　']);
        Self::checked(text, is_quoted)
    }

    fn checked(text: &str, is_quoted: bool) -> Option<Self> {
        let folded = fold_for_comparison(text);
        let has_letter = text.chars().any(char::is_alphabetic) && text.chars().nth(1).is_some();
        let is_day = weekday_of(text).is_some() || month_of(text).is_some();
        let is_no_name = NO_NAMES.words().any(|word| word == folded);
        (has_letter
            && !is_day
            && !is_no_name
            && !is_amount(text)
            && text.chars().nth(LONGEST_MEANING).is_none())
        .then(|| Self { text: text.to_owned(), is_quoted })
    }

    /// Whether it is short enough for a word that is explained.
    pub(super) fn may_be_word(&self) -> bool {
        self.text.chars().nth(LONGEST_WORD).is_none()
            && self.text.split_whitespace().nth(MOST_IN_A_WORD).is_none()
            && (self.is_sign() || !self.text.split_whitespace().any(is_everyday))
    }

    /// Whether it is short enough for a meaning.
    pub(super) fn may_be_meaning(&self) -> bool {
        self.text.split_whitespace().nth(MOST_IN_A_MEANING).is_none()
    }

    /// Whether it is written as an abbreviation is: `PJ-K`, `K8s`, `NHC`.
    pub(super) fn is_sign(&self) -> bool {
        is_sign(&self.text)
    }

    /// Whether it is written as the name of something: with a capital letter, in a script without such, or between
    /// quotation marks.
    pub(super) fn is_named(&self) -> bool {
        self.is_quoted || self.text.chars().any(|c| c.is_uppercase() || is_japanese_char(c))
    }

    /// Whether every word of it is written as names are, so that nothing of it describes: `Kanda Office`, 神田.
    pub(super) fn is_named_throughout(&self) -> bool {
        let is_name = |word: &str| {
            word.starts_with(|c: char| c.is_uppercase() || c.is_numeric() || is_japanese_char(c))
                || is_everyday(word)
        };
        self.is_quoted || self.text.split_whitespace().all(is_name)
    }

    /// Whether it is a single name in Japanese letters: no phrase, no number.
    pub(super) fn is_single_japanese_name(&self) -> bool {
        self.text.chars().all(|c| {
            matches!(writing_system(c), WritingSystem::Han | WritingSystem::Katakana)
                || matches!(c, '々' | 'ヶ')
        })
    }

    /// Whether it consists of the first letters of these words: NHC of Northern Harbour Committee.
    pub(super) fn abbreviates(&self, words: &str) -> bool {
        let sign: String = letters_of(&self.text);
        let words = words.split(|c: char| c.is_whitespace() || c == '-' || c == '/');
        let words: Vec<&str> = words.filter(|word| !word.is_empty()).collect();
        let initials = |all: bool| -> String {
            let told = words.iter().filter(|word| all || !is_everywhere(&fold_for_comparison(word)));
            told.filter_map(|word| fold_for_comparison(word).chars().next()).collect()
        };
        words.len() > 1 && (initials(true) == sign || initials(false) == sign)
    }

    /// Whether two are names of something else each: neither holds the other.
    pub(super) fn differs_from(&self, other: &Self) -> bool {
        !holds(&self.text, &other.text) && !holds(&other.text, &self.text)
    }
}

/// Whether a name holds another one: as a word of it, or in Japanese anywhere.
fn holds(name: &str, other: &str) -> bool {
    let letters = letters_of(other);
    let is_word = |word: &str| letters_of(word) == letters;
    letters_of(name) == letters
        || name.split(|c: char| !c.is_alphanumeric()).any(is_word)
        || other.contains(is_japanese_char) && letters_of(name).contains(&letters)
}

/// Whether a word is written as an abbreviation is: two capital letters or more, or one and digits, and few small ones.
pub(super) fn is_sign(word: &str) -> bool {
    let length = word.chars().count();
    let capitals = word.chars().filter(char::is_ascii_uppercase).count();
    let letters = word.chars().filter(char::is_ascii_alphabetic).count();
    let has_digit = word.chars().any(|c| c.is_ascii_digit());
    let is_written = word.chars().all(|c| c.is_ascii_alphanumeric() || matches!(c, '-' | '&'));
    is_written
        && (SHORTEST_SIGN..=LONGEST_SIGN).contains(&length)
        && capitals * 2 >= letters
        && (capitals > 1 || capitals > 0 && has_digit)
}

/// A name without the article in front of it.
pub(super) fn without_article(name: &str) -> &str {
    match name.split_once(' ') {
        Some((first, rest)) if ARTICLES.iter().any(|article| first.eq_ignore_ascii_case(article)) => {
            rest.trim_start()
        }
        Some(_) | None => name,
    }
}

/// Whether a word stands in every text, and is not written as an abbreviation is.
fn is_everyday(word: &str) -> bool {
    !is_sign(word) && is_everywhere(&fold_for_comparison(word))
}

/// Whether it is a number with a unit, or begins with one: 3月, 200円.
fn is_amount(text: &str) -> bool {
    let rest =
        text.trim_start_matches(|c: char| writing_system(c) == WritingSystem::Digit || ",.".contains(c));
    rest.len() < text.len() && rest.starts_with(UNITS)
}
