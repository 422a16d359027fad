//! Reads a message for the value that is right and, if it is named, the one that is wrong.

use std::sync::LazyLock;

use super::super::values::{ValueToken, ValueTokenKind, tokens_of_value};
use crate::text::{Lexicon, fold_for_comparison};

/// A message of more characters than this does not put anything right without saying that something is wrong.
const LONGEST_WITHOUT_DENIAL: usize = 40;
/// The most words of courtesy and surprise before a denial: "oh, wait, no".
const MOST_BEFORE: usize = 3;
/// What ends a sentence, or sets its parts apart.
const MARKS: [char; 13] = [',', '.', '!', ':', ';', '-', '–', '—', '、', '。', '！', '：', '…'];

static DENIALS: Lexicon = Lexicon::of_all("corrections.denials");
static BEFORE_DENIALS: Lexicon = Lexicon::of_all("corrections.before_denials");
static DENIALS_BEHIND: Lexicon = Lexicon::of_all("corrections.denials_behind");
static LEADS: Lexicon = Lexicon::english("corrections.leads");
static ENDINGS: Lexicon = Lexicon::japanese("corrections.endings");
static NOT: Lexicon = Lexicon::english("corrections.not");
static JAPANESE_NOT: Lexicon = Lexicon::japanese("corrections.not");
static NOT_AT_END: Lexicon = Lexicon::japanese("corrections.not_at_end");
static NOT_IN_FRONT: Lexicon = Lexicon::english("corrections.not_in_front");
static IS_WRONG: Lexicon = Lexicon::of_all("corrections.is_wrong");
static ECHOES: Lexicon = Lexicon::of_all("corrections.echoes");
static ECHO_ENDS: Lexicon = Lexicon::of_all("corrections.echo_ends");
static JOKES: Lexicon = Lexicon::english("corrections.jokes");
static JAPANESE_JOKES: Lexicon = Lexicon::japanese("corrections.jokes");
static JOKE_SIGNS: Lexicon = Lexicon::english("corrections.joke_signs");
static SMILES: Lexicon = Lexicon::english("corrections.smiles");
/// The longest first, so that "that's not right" is not taken for "that's not".
static LONGEST_DENIALS: LazyLock<Vec<&str>> = LazyLock::new(|| {
    let mut denials: Vec<&str> = DENIALS.words().collect();
    denials.sort_by_key(|denial| std::cmp::Reverse(denial.len()));
    denials
});

/// The value that a message says is right, and the one that it says is wrong, if it names it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct NamedValues {
    pub(super) right: String,
    pub(super) wrong: Option<String>,
}

/// The values of a message that is no question, quotation or joke; `None` if it says neither that something is wrong nor
/// which value is.
pub(super) fn values_named(said: &str) -> Option<NamedValues> {
    let behind = behind_denial(said);
    if is_echo(said, behind.is_some()) {
        return None;
    }
    let rest = behind.unwrap_or_else(|| without_courtesies(said));
    if let Some(named) = wrong_then_right(rest) {
        return Some(named);
    }
    let (right, wrong) = right_and_wrong(rest);
    let named = NamedValues { right: value_alone(right), wrong: wrong.map(value_alone) };
    if behind.is_some() || (wrong.is_some() && said.chars().count() <= LONGEST_WITHOUT_DENIAL) {
        return named.adds_no_words().then_some(named);
    }
    let bare = without_end(rest);
    let right = DENIALS_BEHIND.words().find_map(|end| without_suffix(bare, end))?;
    (wrong.is_none() && bare.chars().count() <= LONGEST_WITHOUT_DENIAL)
        .then(|| NamedValues { right: value_alone(right), wrong: None })
}

/// Whether a message repeats what it was told, in surprise or for agreement, rather than to put it right.
fn is_echo(said: &str, is_denied: bool) -> bool {
    let end = fold_for_comparison(said);
    let end = end.trim_end_matches(|c: char| !c.is_alphanumeric());
    let ends = |echo: &str| {
        let is_word = |rest: &str| rest.ends_with([' ', ',']);
        without_suffix(end, echo).is_some_and(|rest| !echo.is_ascii() || is_word(rest))
    };
    // 「木曜か」, but not 「はるか」.
    let before = end.strip_suffix('か').and_then(|rest| rest.chars().next_back());
    let is_wondered = before.is_some_and(|c| !('ぁ'..='ん').contains(&c)) || end.ends_with("さんか");
    let begins = |echo: &str| {
        let is_word = |rest: &str| rest.is_empty() || rest.starts_with([' ', ',']);
        let is_apart = |rest: &str| rest.starts_with(['、', '。', '…', '！', ' ', '　']);
        without_start(said, echo)
            .is_some_and(|rest| if echo.is_ascii() { is_word(rest) } else { is_apart(rest) })
    };
    ECHO_ENDS.words().any(ends) || is_wondered || (!is_denied && ECHOES.words().any(begins))
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

/// Whether it bears a sign of laughing, which beside a promise or an explanation need not take it back.
pub(super) fn has_joke_sign(said: &str) -> bool {
    let folded = fold_for_comparison(said);
    JOKE_SIGNS.words().any(|sign| folded.contains(sign))
}

/// What stands behind the words that say that something is wrong; `None` if it does not begin so.
fn behind_denial(said: &str) -> Option<&str> {
    let mut rest = said;
    for _ in 0..=MOST_BEFORE {
        if let Some(behind) = behind_bare_denial(rest) {
            return Some(behind);
        }
        rest = BEFORE_DENIALS.words().find_map(|word| behind_courtesy(rest, word, false))?;
    }
    None
}

/// What stands behind a word of courtesy or surprise, set apart from it; in Japanese a denial may follow at once.
fn behind_courtesy<'t>(said: &'t str, word: &str, is_apart: bool) -> Option<&'t str> {
    let rest = without_start(said, word)?;
    let bare = rest.trim_start_matches(|c: char| c.is_whitespace() || MARKS.contains(&c));
    (bare.len() < rest.len() || !(is_apart || word.is_ascii()) || word.ends_with('は')).then_some(bare)
}

/// A text without the words of courtesy and surprise at its beginning.
fn without_courtesies(said: &str) -> &str {
    let mut rest = said;
    for _ in 0..MOST_BEFORE {
        let Some(bare) = BEFORE_DENIALS.words().find_map(|word| behind_courtesy(rest, word, true)) else {
            break;
        };
        rest = bare;
    }
    rest
}

fn behind_bare_denial(said: &str) -> Option<&str> {
    for denial in LONGEST_DENIALS.iter() {
        let Some(rest) = without_start(said, denial) else { continue };
        let bare = rest.trim_start_matches(|c: char| c.is_whitespace() || MARKS.contains(&c));
        let is_marked = rest.trim_start().starts_with(MARKS);
        let leads = |lead: &&str| without_lead(bare, lead).is_some();
        let is_apart = if denial.is_ascii() {
            rest.starts_with(' ') && LEADS.iter().any(leads)
        } else {
            // 「いや木曜です」, 「正しくは木曜です」, and not 「いやな天気だ」.
            rest.starts_with([' ', '　']) || denial.ends_with('は') || begins_with_value(rest)
        };
        if is_marked || is_apart {
            // "No, no, it's Thursday."
            return behind_denial(bare).or_else(|| Some(without_courtesies(bare)));
        }
    }
    None
}

/// Whether a day or a number stands at the beginning.
fn begins_with_value(words: &str) -> bool {
    let first = tokens_of_value(words).into_iter().next();
    first.is_some_and(|token| {
        token.from == 0 && matches!(token.kind, ValueTokenKind::Weekday | ValueTokenKind::Number)
    })
}

/// The text behind a beginning, whatever the case of its letters.
fn without_start<'t>(text: &'t str, start: &str) -> Option<&'t str> {
    let head = text.get(..start.len())?;
    head.eq_ignore_ascii_case(start).then(|| text.get(start.len()..)).flatten()
}

/// The text before an end, whatever the case of its letters.
fn without_suffix<'t>(text: &'t str, end: &str) -> Option<&'t str> {
    let at = text.len().checked_sub(end.len())?;
    let tail = text.get(at..)?;
    tail.eq_ignore_ascii_case(end).then(|| text.get(..at)).flatten()
}

/// The text behind a beginning of whole words.
fn without_lead<'t>(text: &'t str, lead: &str) -> Option<&'t str> {
    let rest = without_start(text, lead)?;
    rest.starts_with(' ').then(|| rest.trim_start())
}

/// The text without the marks at its end, and without the Japanese word that ends a statement.
fn without_end(text: &str) -> &str {
    let text = text.trim_end_matches(|c: char| c.is_whitespace() || MARKS.contains(&c));
    ENDINGS.words().find_map(|ending| text.strip_suffix(ending)).unwrap_or(text)
}

/// The first sentence of a text.
fn first_sentence(text: &str) -> &str {
    let sentence = text.split(['。', '！', '!']).next().unwrap_or_default();
    sentence.split(". ").next().unwrap_or_default().trim_end_matches('.').trim()
}

/// The wrong value where it is named first, and then the right one: "it's not Friday, it's Thursday", 「金曜じゃないよ。木曜だよ」.
/// Both are of one kind.
fn wrong_then_right(said: &str) -> Option<NamedValues> {
    let in_front = NOT_IN_FRONT.words().filter_map(|not| without_lead(said, not));
    let in_front = in_front.filter_map(|rest| {
        [", but ", " but ", ", ", "; ", " - ", " – ", " — ", ". "]
            .iter()
            .find_map(|mark| rest.split_once(mark))
    });
    let behind = IS_WRONG.words().filter_map(|is_wrong| said.split_once(is_wrong));
    let named = in_front.chain(behind).map(|(wrong, right)| NamedValues {
        right: value_alone(first_sentence(right)),
        wrong: Some(value_alone(wrong)),
    });
    named.into_iter().find(NamedValues::are_of_one_kind)
}

impl NamedValues {
    fn are_of_one_kind(&self) -> bool {
        let wrong = self.wrong.as_deref().map(kinds_of).unwrap_or_default();
        let right = tokens_of_value(&self.right);
        right.iter().any(ValueToken::is_value) && kinds_of(&self.right) == wrong
    }

    /// Whether the right value, in the place of a wrong one that is named, brings no words of another sentence with it:
    /// "I come on Thursday, not Friday".
    fn adds_no_words(&self) -> bool {
        let Some(wrong) = &self.wrong else { return true };
        let known = kinds_of(wrong);
        let joins = |word: &str| ["and", "or", "と", "や"].contains(&word);
        kinds_of(&self.right).iter().all(|kind| {
            let ValueTokenKind::Word(word) = kind else { return true };
            joins(word) || known.contains(kind)
        })
    }
}

fn kinds_of(words: &str) -> Vec<ValueTokenKind> {
    tokens_of_value(words).into_iter().map(|token| token.kind).collect()
}

/// The right value and, if it is named behind or before it, the wrong one.
fn right_and_wrong(said: &str) -> (&str, Option<&str>) {
    let sentence = first_sentence(said);
    // 「木曜だよ、金曜じゃなくて」
    let bare = said.trim_end_matches(|c: char| c.is_whitespace() || MARKS.contains(&c));
    for not in NOT_AT_END.words() {
        if let Some((right, wrong)) = bare.strip_suffix(not).and_then(|rest| rest.split_once(['、', '。']))
        {
            return (right, Some(wrong));
        }
    }
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

/// A value without the words around it: "it's Thursday", "the party is on Thursday", 「木曜だよ」, 「祭りは木曜だよ」.
fn value_alone(words: &str) -> String {
    let mut value = words.trim_matches(|c: char| c.is_whitespace() || "*_".contains(c));
    value = without_leads(value);
    while let Some(rest) = SMILES.words().find_map(|smile| without_suffix(value, smile)) {
        value = rest.trim_end();
    }
    let is_in_parentheses = value.contains(['(', '（']);
    let is_outside = |c: char| {
        let is_closing = is_in_parentheses && ")）".contains(c);
        !(c.is_alphanumeric() || is_closing || "%％°℃$€£¥".contains(c))
    };
    let value = without_end(value.trim_end_matches(is_outside)).trim();
    without_subject(value).unwrap_or(value).to_owned()
}

fn without_leads(value: &str) -> &str {
    let mut value = value;
    while let Some(rest) = LEADS.iter().find_map(|lead| without_lead(value, lead)) {
        value = rest;
    }
    value
}

/// A value without what it is told of; `None` where that is not told, or where it may be no value: "Bob is ill".
fn without_subject(value: &str) -> Option<&str> {
    let english = [" is ", " was ", " are "].iter().find_map(|verb| value.split_once(verb));
    let told = match english {
        Some((_, told)) => without_leads(told.trim()),
        None => value.split_once('は').filter(|(subject, _)| !subject.is_empty())?.1,
    };
    let kinds = kinds_of(told);
    let is_named = kinds.contains(&ValueTokenKind::Name);
    let is_told_of_person = kinds.contains(&ValueTokenKind::Title);
    let is_value = kinds.iter().any(|kind| !matches!(kind, ValueTokenKind::Word(_) | ValueTokenKind::Title));
    (is_value && (!is_named || is_told_of_person)).then_some(told)
}
