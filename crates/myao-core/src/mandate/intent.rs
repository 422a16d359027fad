//! Recognises messages that ask for something to be noted, changed or forgotten, by their words (ADR 34).
//!
//! No model is asked. If a request is missed, the person can make it again in other words. If one is seen where there
//! is none, nothing but people's own words can be written ([`super::permission::Mandate`]).

use crate::text::Lexicon;

/// What a message wants done with something that is kept.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Intent {
    /// Something is to be kept that was not.
    Remember,
    /// Something that is kept is to be changed.
    Change,
    /// Something is to be kept no longer.
    Forget,
}

pub(super) static REMEMBER: Lexicon = Lexicon::english("mandate.remember");
pub(super) static REMEMBER_JA: Lexicon = Lexicon::japanese("mandate.remember");
static CHANGE: Lexicon = Lexicon::english("mandate.change");
static CHANGE_JA: Lexicon = Lexicon::japanese("mandate.change");
static FORGET: Lexicon = Lexicon::english("mandate.forget");
static FORGET_JA: Lexicon = Lexicon::japanese("mandate.forget");

static NOT_BEFORE: Lexicon = Lexicon::english("mandate.not_before");
static STATES: Lexicon = Lexicon::japanese("mandate.states");
static ASKING: Lexicon = Lexicon::japanese("mandate.asking");
static NEGATIONS: Lexicon = Lexicon::japanese("mandate.negations");
/// A negation within this many characters behind a beginning belongs to it.
const NEAR: usize = 10;

impl Intent {
    /// Whether a message asks for it in its author's own words, not in a quotation or in code. Words that ask to
    /// remember count as asking for a change, too.
    pub fn is_told_in(self, text: &str) -> bool {
        let said = without_quotes(text).to_lowercase();
        let (words, stems): (&[&Lexicon], &[&Lexicon]) = match self {
            Self::Remember => (&[&REMEMBER], &[&REMEMBER_JA]),
            Self::Change => (&[&REMEMBER, &CHANGE], &[&REMEMBER_JA, &CHANGE_JA]),
            Self::Forget => (&[&FORGET], &[&FORGET_JA]),
        };
        let spaced = words_with_blanks(&said);
        words.iter().flat_map(|list| list.iter()).any(|word| is_asked_in(&spaced, word))
            || stems.iter().flat_map(|list| list.iter()).any(|stem| is_begun_in(&said, stem))
    }
}

/// A message without quoted lines and code.
pub(super) fn without_quotes(text: &str) -> String {
    let outside = text.split("```").step_by(2).collect::<Vec<_>>().join("\n");
    let own = |line: &&str| !line.trim_start().starts_with(['>', '＞']);
    outside.lines().filter(own).collect::<Vec<_>>().join("\n")
}

/// The words of a text with one blank around each; apostrophes are dropped.
pub(super) fn words_with_blanks(text: &str) -> String {
    let letters = text.chars().filter(|c| !matches!(c, '\'' | '’'));
    let plain: String = letters.map(|c| if c.is_ascii_alphanumeric() { c } else { ' ' }).collect();
    let words: Vec<&str> = plain.split_whitespace().collect();
    format!(" {} ", words.join(" "))
}

fn is_asked_in(spaced: &str, word: &str) -> bool {
    asked_around(spaced, word).next().is_some()
}

/// What stands before and behind each place where `word` asks for something, in a text that is [`words_with_blanks`].
pub(super) fn asked_around<'t>(
    spaced: &'t str,
    word: &str,
) -> impl Iterator<Item = (&'t str, &'t str)> + use<'t> {
    let found = format!(" {word} ");
    let length = found.len();
    let places: Vec<usize> = spaced.match_indices(&found).map(|(at, _)| at).collect();
    places.into_iter().filter_map(move |at| {
        let (before, rest) = spaced.split_at_checked(at)?;
        let (_, behind) = rest.split_at_checked(length)?;
        let before = before.trim();
        let is_no_request = NOT_BEFORE.iter().any(|not| format!(" {before} ").ends_with(&format!(" {not} ")));
        (!is_no_request).then_some((before, behind.trim()))
    })
}

fn is_begun_in(said: &str, stem: &str) -> bool {
    begun_around(said, stem).next().is_some()
}

/// What stands before and behind each place where `stem` begins a request.
pub(super) fn begun_around<'t>(
    said: &'t str,
    stem: &str,
) -> impl Iterator<Item = (&'t str, &'t str)> + use<'t> {
    let places: Vec<usize> = said.match_indices(stem).map(|(at, _)| at).collect();
    let length = stem.len();
    let ends_in_te = stem.ends_with('て');
    places.into_iter().filter_map(move |at| {
        let (before, rest) = said.split_at_checked(at)?;
        let (_, rest) = rest.split_at_checked(length)?;
        let clause: String = rest
            .chars()
            .take_while(|c| !matches!(c, '。' | '！' | '？' | '!' | '?' | '\n'))
            .take(NEAR)
            .collect();
        let follows = if ends_in_te { Some(clause.as_str()) } else { clause.strip_prefix('て') };
        let is_state = follows.is_some_and(|follows| {
            let follows = follows.strip_prefix('い').unwrap_or(follows);
            STATES.iter().any(|state| follows.starts_with(state))
        });
        let is_negated = NEGATIONS.iter().any(|not| clause.contains(not))
            && !ASKING.iter().any(|asking| clause.contains(asking));
        (!is_state && !is_negated).then_some((before, rest))
    })
}
