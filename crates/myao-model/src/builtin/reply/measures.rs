//! What a question wants measured, and whether a text gives that: a price in money, a weight in grams. A number of anything
//! else is no answer: "I have found the 2.5 mm hex key" does not say what it costs.

use myao_core::{
    text::{Lexicon, WritingSystem, english_stem, writing_system},
    worth::words_with_spaces,
};

use super::topics::{Topic, is_word};

static NUMBERS: Lexicon = Lexicon::english("measures.numbers");
static IMPLIED: Lexicon = Lexicon::english("measures.implied");
static IMPLIED_JAPANESE: Lexicon = Lexicon::japanese("measures.implied");
static PHONE_WORDS: ByLanguage = ByLanguage::of("measures.phone_words");
static ASKED_BEFORE: Lexicon = Lexicon::japanese("measures.asked_before");
/// The fewest digits of a telephone number, and of an extension where it is called one.
const PHONE_DIGITS: usize = 7;
const EXTENSION_DIGITS: usize = 3;
/// The times of day that a span has: from 14:02 to 15:47.
const TIMES_OF_SPAN: usize = 2;
const KANJI_NUMBERS: &str = "〇一二三四五六七八九十百千万億";

/// Something that is told in units of its own, or in words of its own.
pub(super) struct AskedMeasure {
    asked: ByLanguage,
    units: Option<ByLanguage>,
    told: Option<ByLanguage>,
    /// What tells it besides.
    besides: fn(&str) -> bool,
}

/// The lists of a key in both languages.
struct ByLanguage {
    english: Lexicon,
    japanese: Lexicon,
}

impl ByLanguage {
    const fn of(key: &'static str) -> Self {
        Self { english: Lexicon::english(key), japanese: Lexicon::japanese(key) }
    }

    fn words(&'static self) -> impl Iterator<Item = &'static str> {
        self.english.words().chain(self.japanese.words())
    }
}

static MEASURES: [AskedMeasure; 8] = [
    AskedMeasure {
        asked: ByLanguage::of("measures.money_asked"),
        units: Some(ByLanguage::of("measures.money_units")),
        told: Some(ByLanguage::of("measures.money_told")),
        besides: nothing,
    },
    AskedMeasure {
        asked: ByLanguage::of("measures.weight_asked"),
        units: Some(ByLanguage::of("measures.weight_units")),
        told: None,
        besides: nothing,
    },
    AskedMeasure {
        asked: ByLanguage::of("measures.length_asked"),
        units: Some(ByLanguage::of("measures.length_units")),
        told: None,
        besides: nothing,
    },
    AskedMeasure {
        asked: ByLanguage::of("measures.duration_asked"),
        units: Some(ByLanguage::of("measures.duration_units")),
        told: Some(ByLanguage::of("measures.duration_told")),
        besides: is_span,
    },
    AskedMeasure {
        asked: ByLanguage::of("measures.phone_asked"),
        units: None,
        told: None,
        besides: has_phone_number,
    },
    AskedMeasure {
        asked: ByLanguage::of("measures.address_asked"),
        units: None,
        told: Some(ByLanguage::of("measures.address_told")),
        besides: nothing,
    },
    AskedMeasure {
        asked: ByLanguage::of("measures.colour_asked"),
        units: None,
        told: Some(ByLanguage::of("measures.colour_told")),
        besides: nothing,
    },
    AskedMeasure {
        asked: ByLanguage::of("measures.temperature_asked"),
        units: Some(ByLanguage::of("measures.temperature_units")),
        told: None,
        besides: nothing,
    },
];

impl AskedMeasure {
    /// What a folded question wants measured; `None` if that is nothing of which we know how it is told.
    pub(super) fn asked_by(folded: &str) -> Option<&'static Self> {
        MEASURES.iter().find(|measure| measure.is_asked_by(folded))
    }

    /// Whether a topic of the question is a word for what is measured that need not be said where that is told: who gives
    /// it in grams need not say "weight".
    pub(super) fn is_implied(&'static self, topic: &Topic) -> bool {
        let implied = |asked: &&'static str| IMPLIED.contains(asked) || IMPLIED_JAPANESE.contains(asked);
        let mut words = self.asked.words().filter(implied);
        match topic {
            Topic::Word(stem) => words.any(|asked| {
                let last = asked.rsplit(' ').next().unwrap_or_default();
                english_stem(last) == stem.as_str()
            }),
            Topic::Part(part) => words.any(|asked| asked == part),
            Topic::Verb(letter) => words.any(|asked| {
                // 重 of 重さ, and 色.
                let mut letters = asked.chars();
                letters.next() == Some(*letter)
                    && letters.all(|rest| writing_system(rest) == WritingSystem::Hiragana)
            }),
            Topic::NumberOf(_) | Topic::Person(_) => false,
        }
    }

    fn is_asked_by(&'static self, folded: &str) -> bool {
        let spaced = words_with_spaces(folded);
        self.asked.english.words().any(|asked| asks_in_english(&spaced, asked))
            || self.asked.japanese.words().any(|asked| asks_in_japanese(folded, asked))
    }

    /// Whether a folded text gives one.
    pub(super) fn is_given_in(&'static self, folded: &str) -> bool {
        let is_told = || {
            let spaced = words_with_spaces(folded);
            let tells = |word: &str| {
                let is_words = word.is_ascii() && word.starts_with(char::is_alphanumeric);
                if is_words { spaced.contains(&format!(" {word} ")) } else { folded.contains(word) }
            };
            self.told.as_ref().is_some_and(|told| told.words().any(tells))
        };
        let is_counted =
            || self.units.as_ref().is_some_and(|units| units.words().any(|unit| is_counted_in(folded, unit)));
        is_counted() || is_told() || (self.besides)(folded)
    }
}

/// Whether a question asks for this, and not for something of it: "what is the price of tea?", not "price list".
fn asks_in_english(spaced: &str, asked: &str) -> bool {
    let sought = format!(" {asked} ");
    spaced.match_indices(&sought).any(|(at, _)| {
        let behind = spaced.get(at + sought.len()..).unwrap_or_default();
        let next = behind.split_whitespace().next();
        asked.starts_with("how ") || next.is_none_or(|next| !is_word(next))
    })
}

/// 「棚の値段は？」, not 「値段の決め方は？」.
fn asks_in_japanese(folded: &str, asked: &str) -> bool {
    folded.match_indices(asked).any(|(at, _)| {
        let behind = folded.get(at + asked.len()..).unwrap_or_default().trim_start();
        behind.is_empty() || ASKED_BEFORE.words().any(|link| behind.starts_with(link))
    })
}

/// Whether a number of this unit stands in a folded text: `640 g`, `£4.15`, `two weeks`, 690円.
fn is_counted_in(folded: &str, unit: &str) -> bool {
    let is_word = unit.starts_with(|c: char| c.is_ascii_alphanumeric());
    folded.match_indices(unit).any(|(at, _)| {
        let before = folded.get(..at).unwrap_or_default();
        let behind = folded.get(at + unit.len()..).unwrap_or_default();
        if is_word {
            let number = before.trim_end_matches([' ', '-']);
            let is_whole = !behind.starts_with(|c: char| c.is_ascii_alphanumeric());
            let is_apart = number.len() < before.len();
            return is_whole
                && (number.ends_with(is_of_number) || (is_apart && ends_with_number_word(number)));
        }
        before.trim_end().ends_with(is_of_number)
            || behind.trim_start().starts_with(|c: char| c.is_ascii_digit())
    })
}

fn is_of_number(c: char) -> bool {
    c.is_ascii_digit() || KANJI_NUMBERS.contains(c)
}

fn ends_with_number_word(text: &str) -> bool {
    let last = text.rsplit(|c: char| !c.is_ascii_alphanumeric()).next().unwrap_or_default();
    NUMBERS.words().any(|number| number == last)
}

/// From one time of day to another.
fn is_span(folded: &str) -> bool {
    let letters: Vec<char> = folded.chars().collect();
    let times = letters.windows(3).filter(
        |three| matches!(three, [before, ':', after] if before.is_ascii_digit() && after.is_ascii_digit()),
    );
    times.count() >= TIMES_OF_SPAN
}

fn has_phone_number(folded: &str) -> bool {
    let may_be_in = |c: char| c.is_ascii_digit() || " -()+.".contains(c);
    let numbers = folded.split(|c: char| !may_be_in(c));
    let most = numbers.map(|number| number.chars().filter(char::is_ascii_digit).count()).max();
    let is_called_one = || {
        let spaced = words_with_spaces(folded);
        PHONE_WORDS.english.words().any(|word| spaced.contains(&format!(" {word} ")))
            || PHONE_WORDS.japanese.words().any(|word| folded.contains(word))
    };
    most.is_some_and(|most| most >= PHONE_DIGITS || (most >= EXTENSION_DIGITS && is_called_one()))
}

const fn nothing(_folded: &str) -> bool {
    false
}
