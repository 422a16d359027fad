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
const HOW: &str = "how ";
const HOW_MUCH: &str = " how much ";
/// What Japanese words begin with that ask for a number by themselves.
const JAPANESE_QUESTIONS: [char; 3] = ['何', 'ど', '週'];
static HOW_MUCH_MONEY: Lexicon = Lexicon::english("measures.how_much_money");
static PAYING: Lexicon = Lexicon::english("measures.paying");
static NO_MONEY: Lexicon = Lexicon::english("measures.no_money");
static TIMES: Lexicon = Lexicon::english("kind.times");
const CLAUSE_ENDS: [char; 6] = [',', ';', '.', '?', '!', ':'];
static STREET_SHORT: Lexicon = Lexicon::english("measures.street_short");
static DIFFERENCES: ByLanguage = ByLanguage::of("measures.differences");
/// How many words a street's name has at most.
const LONGEST_STREET: usize = 3;
/// How many digits an age or a sum has at most that is told without its unit: more are the number of something.
const BARE_DIGITS: usize = 4;
/// The fewest letters of a number that is a word; `a` is none.
const SHORTEST_NUMBER: usize = 3;
static BARE_AFTER: Lexicon = Lexicon::english("measures.bare_after");
static AGE_UNITS: Lexicon = Lexicon::english("measures.age_units");
static OLD: Lexicon = Lexicon::english("measures.old");
const KANJI_NUMBERS: &str = "〇一二三四五六七八九十百千万億";

/// Something that is told in units of its own, or in words of its own.
pub(super) struct AskedMeasure {
    asked: ByLanguage,
    units: [Option<ByLanguage>; 2],
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

/// How much something is, where no measure of its own is asked for: money, or a share.
static SUM: AskedMeasure = AskedMeasure {
    asked: ByLanguage::of("measures.money_asked"),
    units: [Some(ByLanguage::of("measures.money_units")), Some(ByLanguage::of("measures.sum_units"))],
    told: Some(ByLanguage::of("measures.money_told")),
    besides: is_bare_number,
};

static MEASURES: [AskedMeasure; 14] = [
    AskedMeasure {
        asked: ByLanguage::of("measures.money_asked"),
        units: [Some(ByLanguage::of("measures.money_units")), None],
        told: Some(ByLanguage::of("measures.money_told")),
        besides: nothing,
    },
    AskedMeasure {
        asked: ByLanguage::of("measures.weight_asked"),
        units: [Some(ByLanguage::of("measures.weight_units")), None],
        told: None,
        besides: nothing,
    },
    AskedMeasure {
        asked: ByLanguage::of("measures.length_asked"),
        units: [Some(ByLanguage::of("measures.length_units")), None],
        told: None,
        besides: nothing,
    },
    AskedMeasure {
        asked: ByLanguage::of("measures.distance_asked"),
        units: [Some(ByLanguage::of("measures.length_units")), Some(ByLanguage::of("measures.travel_units"))],
        told: None,
        besides: nothing,
    },
    AskedMeasure {
        asked: ByLanguage::of("measures.duration_asked"),
        units: [Some(ByLanguage::of("measures.duration_units")), None],
        told: Some(ByLanguage::of("measures.duration_told")),
        besides: is_span,
    },
    AskedMeasure {
        asked: ByLanguage::of("measures.phone_asked"),
        units: [None, None],
        told: None,
        besides: has_phone_number,
    },
    AskedMeasure {
        asked: ByLanguage::of("measures.email_asked"),
        units: [None, None],
        told: None,
        besides: has_mail_address,
    },
    AskedMeasure {
        asked: ByLanguage::of("measures.frequency_asked"),
        units: [None, None],
        told: Some(ByLanguage::of("measures.frequency_told")),
        besides: nothing,
    },
    AskedMeasure {
        asked: ByLanguage::of("measures.times_asked"),
        units: [None, None],
        told: Some(ByLanguage::of("measures.times_told")),
        besides: nothing,
    },
    AskedMeasure {
        asked: ByLanguage::of("measures.age_asked"),
        units: [None, None],
        told: Some(ByLanguage::of("measures.age_told")),
        besides: is_age,
    },
    AskedMeasure {
        asked: ByLanguage::of("measures.size_asked"),
        units: [Some(ByLanguage::of("measures.length_units")), Some(ByLanguage::of("measures.size_units"))],
        told: Some(ByLanguage::of("measures.size_told")),
        besides: nothing,
    },
    AskedMeasure {
        asked: ByLanguage::of("measures.address_asked"),
        units: [None, None],
        told: Some(ByLanguage::of("measures.address_told")),
        besides: is_address,
    },
    AskedMeasure {
        asked: ByLanguage::of("measures.colour_asked"),
        units: [None, None],
        told: Some(ByLanguage::of("measures.colour_told")),
        besides: nothing,
    },
    AskedMeasure {
        asked: ByLanguage::of("measures.temperature_asked"),
        units: [Some(ByLanguage::of("measures.temperature_units")), None],
        told: None,
        besides: nothing,
    },
];

impl AskedMeasure {
    /// What a folded question wants measured; `None` if that is nothing of which we know how it is told.
    pub(super) fn asked_by(folded: &str) -> Option<&'static Self> {
        let measure = MEASURES.iter().find(|measure| measure.is_asked_by(folded));
        measure.or_else(|| asks_for_sum(&words_with_spaces(folded)).then_some(&SUM))
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
        let is_counted = || {
            self.units.iter().flatten().flat_map(ByLanguage::words).any(|unit| is_counted_in(folded, unit))
        };
        is_counted() || is_told() || (self.besides)(folded)
    }
}

/// Whether a question asks for this, and not for something of it: "what is the price of tea?", not "price list".
fn asks_in_english(spaced: &str, asked: &str) -> bool {
    let sought = format!(" {asked} ");
    spaced.match_indices(&sought).any(|(at, _)| {
        let behind = spaced.get(at + sought.len()..).unwrap_or_default();
        let next = behind.split_whitespace().next();
        asked.starts_with(HOW) || next.is_none_or(|next| !is_word(next))
    })
}

/// 「棚の値段は？」, not 「値段の決め方は？」.
fn asks_in_japanese(folded: &str, asked: &str) -> bool {
    folded.match_indices(asked).any(|(at, _)| {
        let behind = folded.get(at + asked.len()..).unwrap_or_default().trim_start();
        let is_question_word = asked.starts_with(JAPANESE_QUESTIONS);
        is_question_word || behind.is_empty() || ASKED_BEFORE.words().any(|link| behind.starts_with(link))
    })
}

/// Whether an English question asks how much something is, or how much is paid: not how much of something.
fn asks_for_sum(spaced: &str) -> bool {
    let Some((_, behind)) = spaced.split_once(HOW_MUCH) else { return false };
    let mut words = behind.split_whitespace();
    let is_first = words.next().is_some_and(|next| HOW_MUCH_MONEY.contains(&next));
    let is_paid = behind.split_whitespace().any(|word| PAYING.contains(&word));
    (is_first || is_paid) && !behind.split_whitespace().any(|word| NO_MONEY.contains(&word))
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
                && !is_difference(behind)
                && (number.ends_with(is_of_number) || (is_apart && ends_with_number_word(number)));
        }
        (before.trim_end().ends_with(is_of_number) && !is_difference(behind))
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

/// Whether what stands behind a measure makes it one by which something differs: 2,800円やすく, `two hours later`.
fn is_difference(behind: &str) -> bool {
    let word = behind.trim_start().split(|c: char| !c.is_ascii_alphanumeric()).next().unwrap_or_default();
    DIFFERENCES.english.contains(&word) || DIFFERENCES.japanese.words().any(|word| behind.starts_with(word))
}

/// Whether a number alone is what something is: `the oldest volunteer is 81`, not `it is 81 km`.
fn is_bare_number(folded: &str) -> bool {
    let spaced = words_with_spaces(folded);
    let words: Vec<&str> = spaced.split_whitespace().collect();
    words.iter().enumerate().any(|(at, number)| {
        let before = at.checked_sub(1).and_then(|at| words.get(at));
        let is_said = before.is_some_and(|word| BARE_AFTER.contains(word) || word.ends_with("'s"));
        let is_short = number.len() <= BARE_DIGITS && number.bytes().all(|b| b.is_ascii_digit());
        let next = words.get(at + 1).filter(|next| is_word(next));
        is_said
            && next.is_none()
            && (is_short || (number.len() >= SHORTEST_NUMBER && NUMBERS.contains(number)))
    })
}

/// `six years old`, `nine-year-olds`, `is 81`.
fn is_age(folded: &str) -> bool {
    let spaced = words_with_spaces(folded);
    let words: Vec<&str> = spaced.split_whitespace().collect();
    let is_old =
        |three: &[&str]| matches!(three, [_, unit, old] if AGE_UNITS.contains(unit) && OLD.contains(old));
    words.windows(3).any(is_old) || is_bare_number(folded)
}

/// `12 Mill St`: a number, a name and the short word of a street.
fn is_address(folded: &str) -> bool {
    folded.split(CLAUSE_ENDS).map(words_with_spaces).any(|spaced| {
        let words: Vec<&str> = spaced.split_whitespace().collect();
        words.iter().enumerate().any(|(at, word)| {
            let name = words.get(at.saturating_sub(LONGEST_STREET)..at).unwrap_or_default();
            let has_number = name.iter().any(|word| word.starts_with(|c: char| c.is_ascii_digit()));
            let ends = words.get(at + 1).is_none_or(|next| !is_word(next));
            STREET_SHORT.contains(word) && has_number && ends && !name.iter().any(|word| TIMES.contains(word))
        })
    })
}

/// `hello@example.com`.
fn has_mail_address(folded: &str) -> bool {
    folded.split_whitespace().any(|word| {
        word.split_once('@').is_some_and(|(name, place)| {
            name.ends_with(|c: char| c.is_ascii_alphanumeric()) && place.trim_end_matches('.').contains('.')
        })
    })
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
