//! Reads messages that put right what was said before: "No, it's Thursday", 「ちがうよ、木曜だよ」.
//!
//! No model is asked. A message counts only if it begins by saying that something is wrong, or names the wrong value beside
//! the right one, and then gives a value. A question, a quotation and a joke with its mark put nothing right.

mod reading;

use crate::{
    text::{Lexicon, fold_for_comparison, letters_and_digits},
    worth::is_question,
};

pub(crate) use self::reading::is_joke;
use self::reading::{NamedValues, has_joke_sign, values_named};
use super::values::{ValueToken, ValueTokenKind, tokens_of_statement, tokens_of_value};

/// A message of more characters says more than that something is wrong.
const LONGEST: usize = 120;
/// The most characters of a value.
const LONGEST_VALUE: usize = 40;

static HONORIFICS: Lexicon = Lexicon::japanese("corrections.honorifics");
static NO_VALUES: Lexicon = Lexicon::of_all("corrections.no_values");

/// What a message says is right.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SaidRight {
    /// The value that is right.
    right: String,
    /// The value that is wrong, if the message names it.
    wrong: Option<String>,
}

impl SaidRight {
    /// What a message says is right; `None` if it does not read as if it put anything right.
    pub fn of_message(text: &str) -> Option<Self> {
        let said = without_mentions(text).replace('’', "'");
        let said = said.trim_matches(|c: char| c.is_whitespace() || "*_".contains(c));
        let is_quoted = said.contains(['"', '“', '”', '「', '」', '『', '`', '~', '\n'])
            || [">", "＞", "&gt;"].iter().any(|mark| said.starts_with(mark));
        if said.chars().count() > LONGEST || is_quoted || said.contains(['?', '？']) {
            return None;
        }
        if is_question(said) || is_joke(said) || has_joke_sign(said) {
            return None;
        }
        let NamedValues { right, wrong } = values_named(said)?;
        let is_value = !right.is_empty()
            && right.chars().count() <= LONGEST_VALUE
            && !NO_VALUES.contains(&fold_for_comparison(&right).as_str());
        // Whoever writes all in small letters may mean anything: "no, cheaper".
        let is_small = said.is_ascii() && right.chars().all(|c| c.is_ascii_lowercase());
        let is_day = tokens_of_value(&right).iter().all(|token| token.kind == ValueTokenKind::Weekday);
        (is_value && (wrong.is_some() || !is_small || is_day)).then_some(Self { right, wrong })
    }

    /// The value that is right.
    pub fn value(&self) -> &str {
        &self.right
    }

    /// A statement with the right value in place of the wrong one, or of the one of its kind that the answer repeated.
    /// `None` if there is none, or if there are several and nothing tells which. A question states nothing.
    pub fn put_into(&self, statement: &str, answer: &str) -> Option<String> {
        if is_question(statement) || statement.contains(['?', '？']) {
            return None;
        }
        let tokens = tokens_of_statement(statement);
        let found = match &self.wrong {
            // Who says what the answer said agrees with it.
            Some(wrong) if says(answer, &self.right) && !says(answer, wrong) => return None,
            Some(wrong) => self.spans_of_wrong(statement, &tokens, wrong),
            None => self.spans_of_kind(statement, &tokens, answer),
        };
        let [(from, to)] = found[..] else { return None };
        Some(format!("{}{}{}", statement.get(..from)?, self.right, statement.get(to..)?))
    }

    /// Where a statement says the value that the message calls wrong.
    fn spans_of_wrong(&self, statement: &str, tokens: &[ValueToken], wrong: &str) -> Vec<(usize, usize)> {
        let length = tokens_of_value(wrong).len();
        let wrong = comparable(wrong);
        let is_wrong =
            |(_, words): &((usize, usize), String)| *words == wrong && *words != comparable(&self.right);
        let spans = tokens.windows(length.max(1)).filter_map(|window| span_of_window(statement, window));
        spans.filter(is_wrong).map(|(span, _)| span).collect()
    }

    /// Where a statement has a value of the same kind that the answer repeated, and that is not the right one.
    fn spans_of_kind(&self, statement: &str, tokens: &[ValueToken], answer: &str) -> Vec<(usize, usize)> {
        let value = tokens_of_value(&self.right);
        if !value.iter().any(ValueToken::is_value) {
            return Vec::new();
        }
        let (answer, right) = (comparable(answer), comparable(&self.right));
        let is_same_kind = |window: &&[ValueToken]| window.iter().zip(&value).all(|(a, b)| a.kind == b.kind);
        let spans = tokens.windows(value.len()).filter(is_same_kind);
        let spans = spans.filter_map(|window| span_of_window(statement, window));
        let is_wrong =
            |(_, words): &((usize, usize), String)| *words != right && answer.contains(words.as_str());
        spans.filter(is_wrong).map(|(span, _)| span).collect()
    }
}

/// Where a stretch of pieces stands, and its letters and digits.
fn span_of_window(statement: &str, window: &[ValueToken]) -> Option<((usize, usize), String)> {
    let (from, to) = (window.first()?.from, window.last()?.to);
    Some(((from, to), comparable(statement.get(from..to)?)))
}

/// Whether a text holds these words.
fn says(text: &str, words: &str) -> bool {
    comparable(text).contains(&comparable(words))
}

fn comparable(words: &str) -> String {
    letters_and_digits(&fold_for_comparison(words))
}

/// The text without the names of those whom it addresses.
fn without_mentions(text: &str) -> String {
    let mut plain = String::new();
    let mut rest = text;
    while let Some((before, mention)) = rest.split_once("<@") {
        plain.push_str(before);
        rest = mention.split_once('>').map_or("", |(_, behind)| behind);
    }
    plain.push_str(rest);
    let words: Vec<&str> = plain.split(' ').filter(|word| !word.starts_with('@')).collect();
    let plain = words.join(" ");
    let is_apart = |c: char| c.is_whitespace() || ",:、：".contains(c);
    let plain = plain.trim_start_matches(is_apart);
    // Who is addressed may have a title: 「<@U1>さん、ちがうよ」.
    let title = HONORIFICS.words().find_map(|title| plain.strip_prefix(title));
    title.filter(|_| text.starts_with("<@")).unwrap_or(plain).trim_start_matches(is_apart).to_owned()
}
