//! Finds the people and days that a question names: "what did Noor say in March?", 「山田さんが先週言ってたやつ」.
//!
//! Neither is certain: the question may be about what others said of the person, and earlier messages may be about the
//! day. So what was said by the people and on the days that the question names comes first, and the rest is found as
//! always.

mod as_of;
mod days;
mod people;

use jiff::{Timestamp, tz::TimeZone};
use unicode_normalization::UnicodeNormalization as _;

use super::{day::DayRange, fold::FoldedText, question::RecallQuestion};
use crate::{
    chat::MessageTs,
    text::{LetterKind, Lexicon, letter_kind},
};
pub(super) use days::days_of_whole_text as named_days;
pub(super) use people::without_honorific;
pub use people::{name_parts, plain_name};

/// Names and days are looked for in a question of at most this many characters: a longer one tells a story.
const LONGEST_QUESTION: usize = 400;
static SAYING: Lexicon = Lexicon::japanese("recall.saying");
static SAYING_VERBS: Lexicon = Lexicon::japanese("recall.saying_verbs");
static SAYING_ENGLISH: Lexicon = Lexicon::english("recall.saying");

/// What a question names besides what it is about.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct NamedInQuestion {
    /// What may be the name of somebody, in the form that [`name_parts`] gives.
    pub names: Vec<String>,
    /// Words that are the name of somebody only if hardly anybody uses them as a word, in the same form.
    pub perhaps: Vec<String>,
    /// Whether it asks for what somebody said.
    pub asks_what_was_said: bool,
    /// The days that it names.
    pub days: Option<DayRange>,
    /// The end of these days, if it asks how things stood then: "as of 1 March", 「3月1日の時点では」. It is included.
    pub as_of: Option<MessageTs>,
    /// The question without its days.
    rest: String,
}

impl NamedInQuestion {
    /// Reads a question. Days are those of `zone`; `now` says which one is today.
    pub fn new(question: &str, now: Timestamp, zone: &TimeZone) -> Self {
        let plain: String = question.nfkc().take(LONGEST_QUESTION + 1).collect();
        if plain.chars().count() > LONGEST_QUESTION {
            return Self::default();
        }
        // Only ASCII letters change, so that a byte position in one text is the same position in the other.
        let lower = plain.to_ascii_lowercase();
        let days = days::find_first_days(&lower, now, zone);
        let stood = days.as_ref().and_then(|(days, place)| as_of::find_state(&lower, *days, place, now));
        let mut rest = plain;
        if let Some((_, place)) = &days {
            let place = stood.as_ref().map_or(place, |stood| &stood.place);
            rest.replace_range(place.clone(), " ");
        }
        let names = people::candidate_names(&rest);
        let perhaps = people::unsure_names(&rest, &names);
        let said = rest.split_whitespace().any(is_saying);
        let asks_what_was_said = said || SAYING_VERBS.iter().any(|verb| rest.contains(verb));
        let as_of = stood.map(|stood| stood.end);
        Self { names, perhaps, asks_what_was_said, days: days.map(|(days, _)| days), as_of, rest }
    }

    /// The instant as of which a question asks ([`NamedInQuestion::as_of`]), without the rest of what it names.
    pub fn as_of_question(question: &str, now: Timestamp, zone: &TimeZone) -> Option<MessageTs> {
        let plain: String = question.nfkc().take(LONGEST_QUESTION + 1).collect();
        if plain.chars().count() > LONGEST_QUESTION {
            return None;
        }
        let lower = plain.to_ascii_lowercase();
        if !as_of::may_ask(&lower) {
            return None;
        }
        let (days, place) = days::find_first_days(&lower, now, zone)?;
        as_of::find_state(&lower, days, &place, now).map(|stood| stood.end)
    }

    /// The days that a text names, as if it were a question asked at `now`. A longer text names none.
    pub fn days_of(text: &str, now: Timestamp, zone: &TimeZone) -> Option<DayRange> {
        let plain: String = text.nfkc().take(LONGEST_QUESTION + 1).collect();
        if plain.chars().count() > LONGEST_QUESTION {
            return None;
        }
        days::find_first_days(&plain.to_ascii_lowercase(), now, zone).map(|(days, _)| days)
    }

    /// The question without its days; empty if it is too long to be looked at.
    pub fn without_days(&self) -> &str {
        &self.rest
    }

    /// What the question is about: its text without its days, without these names of people, and without words that
    /// only say that they spoke.
    pub fn without_names(&self, names: &[String]) -> String {
        let is_unspaced = |c: char| matches!(letter_kind(c), LetterKind::Kanji | LetterKind::Unspaced);
        let mut rest = self.rest.clone();
        if rest.contains(is_unspaced) {
            rest = people::without_names(&rest, names);
            for saying in SAYING.words() {
                let folded: String = FoldedText::new(saying).chars().iter().collect();
                rest = rest.replace(&folded, " ");
            }
        }
        // Capitals stay: they tell names of things from other words.
        let is_name = |word: &str| {
            let plain = plain_name(word.trim_matches(|c: char| !c.is_alphanumeric()));
            let bare = ["'s", "’s"].iter().find_map(|ending| plain.strip_suffix(ending)).unwrap_or(&plain);
            names.iter().any(|name| name == bare)
        };
        let words = rest.split_whitespace().filter(|word| !is_saying(word) && !is_name(word));
        words.collect::<Vec<_>>().join(" ")
    }

    /// Whether a word that tells is left of a question: `rest` is what [`NamedInQuestion::without_names`] gives.
    pub fn is_about_something(rest: &str) -> bool {
        RecallQuestion::new(rest).has_telling_terms()
    }
}

/// Whether an English word only says that somebody said something.
fn is_saying(word: &str) -> bool {
    let bare = word.trim_matches(|c: char| !c.is_alphanumeric());
    SAYING_ENGLISH.iter().any(|saying| bare.eq_ignore_ascii_case(saying))
}
