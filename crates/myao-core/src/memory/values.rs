//! Takes statements apart into values and what stands between them: a value is put in the place of another of its kind.

use crate::{
    text::{Lexicon, WritingSystem, fold_for_comparison, writing_system},
    worth::is_common_word,
};

static WEEKDAYS: Lexicon = Lexicon::english("corrections.weekdays");
static JAPANESE_WEEKDAYS: Lexicon = Lexicon::japanese("corrections.weekdays");
static MONTHS: Lexicon = Lexicon::english("corrections.months");
static HONORIFICS: Lexicon = Lexicon::japanese("corrections.honorifics");
static FOLLOWED_BY: Lexicon = Lexicon::japanese("corrections.followed_by");
/// Characters that go on a number: 2万5千.
const OF_NUMBERS: &str = "万千百億";
/// Signs that may stand within a number.
const WITHIN_NUMBERS: &str = ".,:";

/// What a piece of a statement is.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum ValueTokenKind {
    Number,
    Weekday,
    Month,
    /// Of a person, a thing or a place.
    Name,
    /// What stands behind a person's name.
    Title,
    /// Anything else, folded: it has to be the same in both.
    Word(String),
}

/// A piece of a statement, from and to in bytes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct ValueToken {
    pub(super) kind: ValueTokenKind,
    pub(super) from: usize,
    pub(super) to: usize,
}

impl ValueToken {
    /// Whether it is a value.
    pub(super) fn is_value(&self) -> bool {
        !matches!(self.kind, ValueTokenKind::Word(_) | ValueTokenKind::Title)
    }
}

/// The pieces of a statement. A name is known by its capital, or by what stands behind it.
pub(super) fn tokens_of_statement(text: &str) -> Vec<ValueToken> {
    tokens(text, false)
}

/// The pieces of a value that somebody gave alone: what is no number and no day is a name.
pub(super) fn tokens_of_value(text: &str) -> Vec<ValueToken> {
    tokens(text, true)
}

fn tokens(text: &str, is_value: bool) -> Vec<ValueToken> {
    let mut found = Vec::new();
    let mut at = 0;
    while let Some(rest) = text.get(at..).filter(|rest| !rest.is_empty()) {
        let length = length_of_piece(rest);
        let piece = rest.get(..length).unwrap_or(rest);
        let to = at + piece.len().max(1);
        if piece.chars().next().is_some_and(char::is_alphanumeric) {
            let behind = text.get(to..).unwrap_or_default();
            add_piece(&mut found, (piece, at, behind), is_value);
        }
        at = to;
    }
    found
}

/// How many bytes of the text are one piece.
fn length_of_piece(text: &str) -> usize {
    if let Some(day) = JAPANESE_WEEKDAYS.iter().find(|day| text.starts_with(**day)) {
        let rest = text.get(day.len()..).unwrap_or_default();
        return day.len() + if rest.starts_with('日') { '日'.len_utf8() } else { 0 };
    }
    let Some(first) = text.chars().next() else { return 0 };
    if first.is_numeric() {
        return length_of_number(text);
    }
    let kind = writing_system(first);
    let goes_on = |(at, c): &(usize, char)| {
        let is_day =
            JAPANESE_WEEKDAYS.iter().any(|day| text.get(*at..).is_some_and(|rest| rest.starts_with(day)));
        let is_within = kind == WritingSystem::Latin && "-'".contains(*c);
        *at == 0 || (!is_day && (writing_system(*c) == kind || is_within) && !c.is_numeric())
    };
    let end =
        text.char_indices().find(|piece| !goes_on(piece) || kind == WritingSystem::Other && piece.0 > 0);
    end.map_or(text.len(), |(at, _)| at)
}

fn length_of_number(text: &str) -> usize {
    let mut end = 0;
    let mut chars = text.char_indices().peekable();
    while let Some((at, c)) = chars.next() {
        let is_before_digit = chars.peek().is_some_and(|(_, next)| next.is_ascii_digit());
        if !(c.is_numeric() || OF_NUMBERS.contains(c) || (WITHIN_NUMBERS.contains(c) && is_before_digit)) {
            break;
        }
        end = at + c.len_utf8();
    }
    end
}

fn add_piece(found: &mut Vec<ValueToken>, (piece, from, behind): (&str, usize, &str), is_value: bool) {
    let to = from + piece.len();
    let mut add = |kind, from, to| found.push(ValueToken { kind, from, to });
    let folded = fold_for_comparison(piece);
    let first = piece.chars().next().unwrap_or(' ');
    if first.is_numeric() {
        return add(ValueTokenKind::Number, from, to);
    }
    if WEEKDAYS.contains(&folded.as_str()) || JAPANESE_WEEKDAYS.iter().any(|day| piece.starts_with(day)) {
        return add(ValueTokenKind::Weekday, from, to);
    }
    if MONTHS.contains(&folded.as_str()) {
        return add(ValueTokenKind::Month, from, to);
    }
    match writing_system(first) {
        WritingSystem::Latin => {
            let is_capital = piece.starts_with(char::is_uppercase);
            let is_alone = from == 0 && behind.is_empty();
            let is_in_japanese = behind.chars().next().is_some_and(|c| !c.is_ascii());
            let is_marked = is_capital || is_in_japanese || (is_value && is_alone);
            let is_name = piece.len() > 1 && !is_common_word(&folded) && is_marked;
            add(if is_name { ValueTokenKind::Name } else { ValueTokenKind::Word(folded) }, from, to);
        }
        WritingSystem::Han | WritingSystem::Katakana => {
            let title = HONORIFICS.iter().find(|title| piece.len() > title.len() && piece.ends_with(**title));
            if let Some(title) = title {
                let cut = to - title.len();
                add(ValueTokenKind::Name, from, cut);
                return add(ValueTokenKind::Title, cut, to);
            }
            let is_long = piece.chars().nth(1).is_some();
            let is_told = FOLLOWED_BY.iter().chain(HONORIFICS.iter()).any(|end| behind.starts_with(end));
            let is_name = is_long && (is_told || (is_value && behind.is_empty()));
            add(if is_name { ValueTokenKind::Name } else { ValueTokenKind::Word(folded) }, from, to);
        }
        WritingSystem::Hiragana | WritingSystem::Digit | WritingSystem::Other => {
            add_hiragana(&mut add, (piece, from, to));
        }
    }
}

/// A title in hiragana is a piece of its own: さん before が.
fn add_hiragana(add: &mut impl FnMut(ValueTokenKind, usize, usize), (piece, from, to): (&str, usize, usize)) {
    let title = HONORIFICS.iter().find(|title| piece.starts_with(**title));
    if let Some(title) = title {
        add(ValueTokenKind::Title, from, from + title.len());
        if piece.len() > title.len() {
            add(
                ValueTokenKind::Word(piece.get(title.len()..).unwrap_or_default().to_owned()),
                from + title.len(),
                to,
            );
        }
        return;
    }
    add(ValueTokenKind::Word(piece.to_owned()), from, to);
}
