//! What kind of answer a question wants, by its question word, and whether a text gives one.

use myao_core::{
    text::Lexicon,
    worth::{has_number, words_with_spaces},
};

use super::{places::tells_place, somebody::may_tell_somebody, topics::Topic};

/// How well a statement fits a question for a person that tells nobody but by who said it.
const NOBODY: f64 = 0.6;
/// The same if it speaks of somebody who was named before, "he has unplugged it", or of its author and others, or may do so.
pub(super) const SOMEBODY: f64 = 0.7;
/// How well a statement without a word of reason fits a question for one; more if it answers one.
const UNREASONED: f64 = 0.6;
pub(super) const ANSWERS_WHY: f64 = 0.85;

/// What a question asks for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum AnswerKind {
    When,
    Where,
    Who,
    /// A number: how much, how many, how long.
    Amount,
    Why,
    /// Anything else: what, which, how, yes or no.
    Other,
}

/// The words that ask for a kind, in both languages.
struct KindWords {
    kind: AnswerKind,
    japanese: Lexicon,
    english: Lexicon,
}

impl KindWords {
    const fn of(kind: AnswerKind, key: &'static str) -> Self {
        Self { kind, japanese: Lexicon::japanese(key), english: Lexicon::english(key) }
    }
}

/// Question words, the more special ones first: 「いつから」 asks for a time, `how much` for a number.
static ASKING: [KindWords; 6] = [
    KindWords::of(AnswerKind::Amount, "kind.asks_amount"),
    KindWords::of(AnswerKind::When, "kind.asks_when"),
    KindWords::of(AnswerKind::Where, "kind.asks_where"),
    KindWords::of(AnswerKind::Who, "kind.asks_who"),
    KindWords::of(AnswerKind::Why, "kind.asks_why"),
    KindWords::of(AnswerKind::Other, "kind.asks_other"),
];

static MONTHS: Lexicon = Lexicon::english("kind.months");
static TIMES: Lexicon = Lexicon::english("kind.times");
static TIMES_JAPANESE: Lexicon = Lexicon::japanese("kind.times");
static RELATIVE: Lexicon = Lexicon::english("kind.relative");
static RELATIVE_JAPANESE: Lexicon = Lexicon::japanese("kind.relative");
static REASONS: Lexicon = Lexicon::english("kind.reasons");
static REASONS_JAPANESE: Lexicon = Lexicon::japanese("kind.reasons");
static FIRST_PERSON: Lexicon = Lexicon::english("kind.first_person");
static FIRST_PERSON_JAPANESE: Lexicon = Lexicon::japanese("kind.first_person");
static BEING: Lexicon = Lexicon::english("kind.first_person_being");
static BEING_JAPANESE: Lexicon = Lexicon::japanese("kind.first_person_being");
static TITLES: Lexicon = Lexicon::english("kind.titles");
static TITLES_JAPANESE: Lexicon = Lexicon::japanese("kind.titles");

impl AnswerKind {
    /// The kind that a folded question asks for, and the question word.
    pub(super) fn of(folded: &str) -> (Self, Option<&'static str>) {
        let english = words_with_spaces(folded);
        for asking in &ASKING {
            let japanese = asking.japanese.words().find(|word| folded.contains(word));
            let word = japanese.or_else(|| asking.english.words().find(|word| holds_word(&english, word)));
            if let Some(word) = word {
                return (asking.kind, Some(word));
            }
        }
        (Self::Other, None)
    }

    /// Every question word.
    pub(super) fn question_words() -> impl Iterator<Item = &'static str> {
        ASKING.iter().flat_map(|asking| asking.japanese.words().chain(asking.english.words()))
    }

    /// How well a folded statement fits the kind, from 0 to 1. `names` tells whether it names somebody of the workspace
    /// besides those of the question, and `topics` are what it is about.
    pub(super) fn fit(self, folded: &str, names: bool, topics: &[Topic]) -> f64 {
        let english = words_with_spaces(folded);
        let any = |list: &'static Lexicon, japanese: &'static Lexicon| {
            list.words().any(|word| holds_word(&english, word))
                || japanese.words().any(|word| folded.contains(word))
        };
        let share = |holds: bool, without: f64| if holds { 1.0 } else { without };
        match self {
            Self::When if has_date(folded) => 1.0,
            Self::When => {
                if any(&TIMES, &TIMES_JAPANESE) {
                    0.95
                } else {
                    0.7
                }
            }
            Self::Amount => share(has_number(folded), 0.4),
            Self::Where => share(tells_place(folded, topics), 0.5),
            Self::Why => share(has_reason(folded), UNREASONED),
            Self::Who => {
                let tells =
                    names || any(&FIRST_PERSON, &FIRST_PERSON_JAPANESE) || any(&TITLES, &TITLES_JAPANESE);
                share(tells, if may_tell_somebody(folded, topics) { SOMEBODY } else { NOBODY })
            }
            Self::Other => 1.0,
        }
    }
}

/// Whether an English word is one of time.
pub(super) fn is_time(word: &str) -> bool {
    TIMES.contains(&word)
}

/// Whether a folded text tells a time, in numbers or in words.
pub(super) fn tells_time(folded: &str) -> bool {
    let english = words_with_spaces(folded);
    has_date(folded)
        || TIMES.words().any(|word| holds_word(&english, word))
        || TIMES_JAPANESE.words().any(|word| folded.contains(word))
}

/// Whether a folded text has a word of a reason.
pub(super) fn has_reason(folded: &str) -> bool {
    let english = words_with_spaces(folded);
    REASONS.words().any(|word| holds_word(&english, word))
        || REASONS_JAPANESE.words().any(|word| folded.contains(word))
}

/// Whether a folded text says who somebody is that is asked for by what they are: by a title, or by themselves.
pub(super) fn tells_who_is(folded: &str) -> bool {
    let english = words_with_spaces(folded);
    let any = |list: &'static Lexicon, japanese: &'static Lexicon| {
        list.words().any(|word| holds_word(&english, word))
            || japanese.words().any(|word| folded.contains(word))
    };
    any(&BEING, &BEING_JAPANESE) || any(&TITLES, &TITLES_JAPANESE)
}

/// Whether a text tells a time only as seen from when it was said.
pub(super) fn is_relative(folded: &str) -> bool {
    let english = words_with_spaces(folded);
    let tells = RELATIVE.words().any(|word| holds_word(&english, word))
        || RELATIVE_JAPANESE.words().any(|word| folded.contains(word));
    tells && !has_date(folded)
}

/// Whether words with single spaces around them hold a word.
fn holds_word(spaced: &str, word: &str) -> bool {
    spaced.contains(&format!(" {word} "))
}

/// Whether a text has a day or a time of day in numbers: `3/27`, `14:02`, 4月10日, `27 March`.
fn has_date(folded: &str) -> bool {
    let words: Vec<&str> =
        folded.split(|c: char| !c.is_alphanumeric()).filter(|word| !word.is_empty()).collect();
    let is_month = |word: &str| words_of_months().any(|month| month == word);
    let is_number = |word: &str| word.len() <= 2 && word.bytes().all(|b| b.is_ascii_digit());
    let is_day = words.windows(2).any(|two| match two {
        [one, other] => (is_number(one) && is_month(other)) || (is_month(one) && is_number(other)),
        _ => false,
    });
    is_day || has_numeric_date(folded)
}

fn words_of_months() -> impl Iterator<Item = &'static str> {
    MONTHS.words()
}

fn has_numeric_date(folded: &str) -> bool {
    let letters: Vec<char> = folded.chars().collect();
    letters.windows(3).any(|three| match three {
        [before, '/' | ':', after] => before.is_ascii_digit() && after.is_ascii_digit(),
        [before, '月' | '日' | '時', _] | [_, before, '月' | '日' | '時'] => before.is_ascii_digit(),
        _ => false,
    })
}
