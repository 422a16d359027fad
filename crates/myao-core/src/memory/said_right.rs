//! Reads messages that put right what was said before: "No, it's Thursday", 「ちがうよ、木曜だよ」.
//!
//! No model is asked. A message counts only if it begins by saying that something is wrong, or names the wrong value beside
//! the right one, and then gives a value. A question, a quotation and a joke with its mark put nothing right.

use std::sync::LazyLock;

use crate::{
    text::{Lexicon, fold_for_comparison, letters_and_digits},
    worth::is_question,
};

use super::values::{ValueToken, tokens_of_statement, tokens_of_value};

/// A message of more characters says more than that something is wrong.
const LONGEST: usize = 120;
/// A message of more characters than this does not put anything right without saying that something is wrong.
const LONGEST_WITHOUT_DENIAL: usize = 40;
/// The most characters of a value.
const LONGEST_VALUE: usize = 40;

static DENIALS: Lexicon = Lexicon::of_all("corrections.denials");
static LEADS: Lexicon = Lexicon::english("corrections.leads");
static ENDINGS: Lexicon = Lexicon::japanese("corrections.endings");
static JOKES: Lexicon = Lexicon::english("corrections.jokes");
static JAPANESE_JOKES: Lexicon = Lexicon::japanese("corrections.jokes");
static NOT: Lexicon = Lexicon::english("corrections.not");
static JAPANESE_NOT: Lexicon = Lexicon::japanese("corrections.not");
/// The longest first, so that "that's not right" is not taken for "that's not".
static LONGEST_DENIALS: LazyLock<Vec<&str>> = LazyLock::new(|| {
    let mut denials: Vec<&str> = DENIALS.words().collect();
    denials.sort_by_key(|denial| std::cmp::Reverse(denial.len()));
    denials
});

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
        let said = said.trim();
        let is_quoted = said.contains(['"', '“', '”', '「', '」', '『', '`', '\n']) || said.starts_with('>');
        if said.chars().count() > LONGEST || is_quoted || said.contains(['?', '？']) {
            return None;
        }
        if is_question(said) || is_joke(said) {
            return None;
        }
        let behind = behind_denial(said);
        let rest = behind.unwrap_or(said);
        let sentence = rest.split(['。', '！', '!']).next().unwrap_or_default();
        let sentence = sentence.split(". ").next().unwrap_or_default().trim_end_matches('.').trim();
        let (right, wrong) = match right_and_wrong(sentence) {
            (right, None) if behind.is_some() => (right, None),
            (right, Some(wrong)) if behind.is_some() || said.chars().count() <= LONGEST_WITHOUT_DENIAL => {
                (right, Some(value_alone(wrong)))
            }
            (_, None | Some(_)) => return None,
        };
        let right = value_alone(right);
        let is_value = !right.is_empty() && right.chars().count() <= LONGEST_VALUE;
        is_value.then_some(Self { right, wrong })
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

fn comparable(words: &str) -> String {
    letters_and_digits(&fold_for_comparison(words))
}

/// The text without the names of those whom it addresses.
fn without_mentions(text: &str) -> String {
    let words = text.split(' ').filter(|word| !word.starts_with("<@") && !word.starts_with('@'));
    words.collect::<Vec<_>>().join(" ")
}

/// Whether it bears the mark of a joke.
pub(crate) fn is_joke(said: &str) -> bool {
    let folded = fold_for_comparison(said);
    let mut words = folded.split(|c: char| c.is_whitespace() || ",.!()、。".contains(c));
    if words.any(|word| JOKES.contains(&word))
        || ["just kidding", "冗談"].iter().any(|mark| folded.contains(mark))
    {
        return true;
    }
    let end = folded.trim_end_matches(|c: char| c.is_whitespace() || ")!。、".contains(c));
    let laughs = end.trim_end_matches('w');
    let is_laughed =
        laughs.len() < end.len() && laughs.chars().next_back().is_none_or(|c| !c.is_ascii_alphanumeric());
    is_laughed || JAPANESE_JOKES.words().filter(|mark| !mark.is_ascii()).any(|mark| end.ends_with(mark))
}

/// What stands behind the words that say that something is wrong; `None` if it does not begin so.
fn behind_denial(said: &str) -> Option<&str> {
    for denial in LONGEST_DENIALS.iter() {
        let Some(head) = said.get(..denial.len()).filter(|head| head.eq_ignore_ascii_case(denial)) else {
            continue;
        };
        let rest = said.get(head.len()..).unwrap_or_default();
        let bare = rest.trim_start_matches(|c: char| c.is_whitespace() || ",.!:;-–—、。！：".contains(c));
        let is_marked =
            rest.trim_start().starts_with([',', '.', '!', ':', ';', '-', '–', '—', '、', '。', '！', '：']);
        let leads = |lead: &&str| without_prefix(bare, lead).is_some();
        if is_marked || (rest.starts_with(' ') && LEADS.iter().any(leads)) {
            // "No, no, it's Thursday."
            return behind_denial(bare).or(Some(bare));
        }
        if !denial.is_ascii() && (rest.starts_with([' ', '　'])) {
            return Some(bare);
        }
    }
    None
}

/// The text behind a beginning of whole words.
fn without_prefix<'t>(text: &'t str, prefix: &str) -> Option<&'t str> {
    let head = text.get(..prefix.len())?;
    let rest = text.get(prefix.len()..)?;
    (head.eq_ignore_ascii_case(prefix) && rest.starts_with(' ')).then(|| rest.trim_start())
}

/// The right value and, if it is named, the wrong one.
fn right_and_wrong(sentence: &str) -> (&str, Option<&str>) {
    for not in NOT.words() {
        if let Some((right, wrong)) = sentence.split_once(not) {
            return (right, Some(wrong));
        }
    }
    for not in JAPANESE_NOT.words() {
        if let Some((wrong, right)) = sentence.split_once(not) {
            return (right, Some(wrong));
        }
    }
    (sentence, None)
}

/// A value without the words around it: "it's Thursday", 「木曜だよ」.
fn value_alone(words: &str) -> String {
    let mut value = words.trim();
    while let Some(rest) = LEADS.iter().find_map(|lead| without_prefix(value, lead)) {
        value = rest;
    }
    let value = value.trim_end_matches(|c: char| c.is_whitespace() || ",.!、。！".contains(c));
    let value = ENDINGS.iter().find_map(|ending| value.strip_suffix(ending)).unwrap_or(value);
    value.trim().to_owned()
}
