//! Finds the people and days that a question names: "what did Noor say in March?", 「山田さんが先週言ってたやつ」.
//!
//! Neither is certain: the question may be about what others said of the person, and earlier messages may be about the
//! day. So what was said by the people and on the days that the question names comes first, and the rest is found as
//! always.

mod days;
mod people;

use jiff::{Timestamp, tz::TimeZone};
use unicode_normalization::UnicodeNormalization as _;

use super::{DayRange, FoldedText, RecallQuestion};
pub(super) use days::whole as named_days;
pub use people::name_parts;

/// Names and days are looked for in a question of at most this many characters: a longer one tells a story.
const LONGEST_QUESTION: usize = 400;
/// Words that only say that somebody said something.
const SAYING: [&str; 24] = [
    "言っていた",
    "言ってた",
    "言ってる",
    "言っている",
    "言った",
    "言って",
    "話していた",
    "話してた",
    "話した",
    "話して",
    "書いていた",
    "書いてた",
    "書いた",
    "書いて",
    "教えてくれた",
    "教えて",
    "何を",
    "なんて",
    "何て",
    "何か",
    "こと",
    "やつ",
    "くれた",
    "って",
];
const SAYING_ENGLISH: [&str; 24] = [
    "say",
    "says",
    "said",
    "saying",
    "tell",
    "tells",
    "told",
    "mention",
    "mentioned",
    "write",
    "wrote",
    "post",
    "posted",
    "talk",
    "talked",
    "think",
    "thought",
    "anything",
    "something",
    "thing",
    "remember",
    "ask",
    "asked",
    "know",
];

/// What a question names besides what it is about.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct NamedInQuestion {
    /// What may be the name of somebody, in the form that [`name_parts`] gives.
    pub names: Vec<String>,
    /// The days that it names.
    pub days: Option<DayRange>,
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
        let days = days::find(&lower, now, zone);
        let mut rest = plain;
        if let Some((_, place)) = &days {
            rest.replace_range(place.clone(), " ");
        }
        Self { names: people::candidates(&rest), days: days.map(|(days, _)| days), rest }
    }

    /// What the question is about: its text without its days, without these names of people, and without words that
    /// only say that they spoke.
    pub fn without(&self, names: &[String]) -> String {
        let mut rest = people::without(&self.rest, names);
        for saying in SAYING {
            let folded: String = FoldedText::new(saying).chars().iter().collect();
            rest = rest.replace(&folded, " ");
        }
        let words = rest.split_whitespace();
        let tells =
            |word: &&str| !SAYING_ENGLISH.contains(&word.trim_matches(|c: char| !c.is_alphanumeric()));
        words.filter(tells).collect::<Vec<_>>().join(" ")
    }

    /// Whether more than grammar is left of a question: `rest` is what [`NamedInQuestion::without`] gives.
    pub fn is_about_something(rest: &str) -> bool {
        RecallQuestion::new(rest).has_strong_terms()
    }
}
