//! What kind of answer a question wants, by its question word, and whether a text gives one.

use myao_core::worth::{has_number, words_of_list, words_with_spaces};

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
    japanese: &'static str,
    english: &'static str,
}

/// Question words, the more special ones first: 「いつから」 asks for a time, `how much` for a number.
const ASKING: [KindWords; 6] = [
    KindWords {
        kind: AnswerKind::Amount,
        japanese: "いくら, いくつ, 何円, 何件, 何人, 何個, 何枚, 何本, 何回, 何缶, 何名, 何%, 何パーセント, 何度, 何キロ, 何歳, \
            何番, 何分, 何時間, 何台, 何種類, 何箱, どれくらい, どれぐらい, どのくらい, どのぐらい",
        english: "how much, how many, how long, how old, how far, how often, how big, how heavy, how fast",
    },
    KindWords {
        kind: AnswerKind::When,
        japanese: "いつ, 何日, 何時, 何曜, 何月, 何年",
        english: "when, when's, whens, what time, what day, which day, what date, which date, what month",
    },
    KindWords { kind: AnswerKind::Where, japanese: "どこ, どちら", english: "where, where's, wheres" },
    KindWords {
        kind: AnswerKind::Who,
        japanese: "誰, だれ, どなた, どの人",
        english: "who, who's, whos, whose, whom",
    },
    KindWords {
        kind: AnswerKind::Why,
        japanese: "なぜ, 何故, なんで, 何で, どうして, 理由, 原因",
        english: "why, why's, how come, what caused, the reason",
    },
    KindWords {
        kind: AnswerKind::Other,
        japanese: "何, なに, なん, どの, どれ, どう, どっち, どんな",
        english: "what, what's, whats, which, how, how's, hows",
    },
];

const MONTHS: &str = "january, february, march, april, may, june, july, august, september, october, november, december, jan, feb, \
    mar, apr, jun, jul, aug, sep, oct, nov, dec";
/// Words in which a text tells a time, besides digits with their signs.
const TIMES: &str = "monday, tuesday, wednesday, thursday, friday, saturday, sunday, january, february, march, april, may, june, \
    july, august, september, october, november, december, today, tomorrow, yesterday, tonight, noon, midnight, week, \
    month, morning, afternoon, evening, easter, christmas";
const TIMES_JAPANESE: &str = "今日, 明日, 昨日, 今週, 来週, 先週, 今月, 来月, 先月, 月曜, 火曜, 水曜, 木曜, 金曜, 土曜, 日曜, 午前, 午後, 上旬, 中旬, 下旬, 月末";
const RELATIVE: &str = "today, tomorrow, tonight, next week, this week, next month";
const RELATIVE_JAPANESE: &str = "今日, 明日, 来週, 今週, 来月, 今月";
/// Words before a place.
const PLACES: &str = "in, at, on, behind, under, near, by, inside, outside, above, below, next to, opposite";
const PLACES_JAPANESE: &str = "に, で, へ, の上, の下, の中, の横, の裏, の前";
/// Words of reasons.
const REASONS: &str = "because, since, so that, due to, cause, caused, reason, that's why, otherwise, which is why, as a result";
const REASONS_JAPANESE: &str = "ので, から, ため, 原因, 理由, せい, おかげ, 認め, すぎ";
/// Words by which somebody speaks of their own deeds: then whoever says it is the answer to a question for somebody.
const FIRST_PERSON: &str = "i, i'm, i've, i'll, i'd, me, mine, my";
const FIRST_PERSON_JAPANESE: &str = "私, わたし, 僕, ぼく, 自分, 俺";
/// Titles before or behind a name.
const TITLES: &str = "mr, mrs, ms, dr, miss";
const TITLES_JAPANESE: &str = "さん, 様, 氏, くん, 先生";

impl AnswerKind {
    /// The kind that a folded question asks for, and the question word.
    pub(super) fn of(folded: &str) -> (Self, Option<&'static str>) {
        let english = words_with_spaces(folded);
        for asking in &ASKING {
            let japanese = words_of_list(asking.japanese).find(|word| folded.contains(word));
            let word =
                japanese.or_else(|| words_of_list(asking.english).find(|word| holds_word(&english, word)));
            if let Some(word) = word {
                return (asking.kind, Some(word));
            }
        }
        (Self::Other, None)
    }

    /// Every question word.
    pub(super) fn question_words() -> impl Iterator<Item = &'static str> {
        ASKING.iter().flat_map(|asking| words_of_list(asking.japanese).chain(words_of_list(asking.english)))
    }

    /// How well a folded statement fits the kind, from 0 to 1. `names` tells whether it names somebody of the workspace
    /// besides those of the question.
    pub(super) fn fit(self, folded: &str, names: bool) -> f64 {
        let english = words_with_spaces(folded);
        let any = |list: &'static str, japanese: &'static str| {
            words_of_list(list).any(|word| holds_word(&english, word))
                || words_of_list(japanese).any(|word| folded.contains(word))
        };
        let share = |holds: bool, without: f64| if holds { 1.0 } else { without };
        match self {
            Self::When if has_date(folded) => 1.0,
            Self::When => {
                if any(TIMES, TIMES_JAPANESE) {
                    0.95
                } else {
                    0.7
                }
            }
            Self::Amount => share(has_number(folded), 0.4),
            Self::Where => share(any(PLACES, PLACES_JAPANESE), 0.5),
            Self::Why => share(any(REASONS, REASONS_JAPANESE), 0.85),
            Self::Who => {
                let tells = names || any(FIRST_PERSON, FIRST_PERSON_JAPANESE) || any(TITLES, TITLES_JAPANESE);
                share(tells, 0.7)
            }
            Self::Other => 1.0,
        }
    }
}

/// Whether a text tells a time only as seen from when it was said.
pub(super) fn is_relative(folded: &str) -> bool {
    let english = words_with_spaces(folded);
    let tells = words_of_list(RELATIVE).any(|word| holds_word(&english, word))
        || words_of_list(RELATIVE_JAPANESE).any(|word| folded.contains(word));
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
    words_of_list(MONTHS)
}

fn has_numeric_date(folded: &str) -> bool {
    let letters: Vec<char> = folded.chars().collect();
    letters.windows(3).any(|three| match three {
        [before, '/' | ':', after] => before.is_ascii_digit() && after.is_ascii_digit(),
        [before, '月' | '日' | '時', _] | [_, before, '月' | '日' | '時'] => before.is_ascii_digit(),
        _ => false,
    })
}
