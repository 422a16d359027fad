//! What a line of a memory lets whom say or do.

use std::sync::LazyLock;

use super::names::KnownPeople;
use crate::{
    text::fold_for_comparison,
    worth::{ARROW, WordFinder},
};

/// What stands between the names of several people.
const JOINTS: [&str; 6] = [", and ", " and ", " & ", ", ", "と", "、"];
/// What follows the name of whoever does something, in Japanese.
const SUBJECT_MARKS: [&str; 3] = ["は", "が", "も"];
/// What stands before the name of whoever said or did something, in English.
const SOURCES_BEFORE: [&str; 3] = [" by ", "according to ", " per "];
/// What follows the name of whoever said something, in Japanese.
const SOURCES_BEHIND: [&str; 3] = ["によると", "によれば", "いわく"];
/// Marks that end a sentence. Lines have no others that matter here.
const SENTENCE_ENDS: [&str; 8] = [". ", "。", "; ", "! ", "? ", "!", "?", ": "];

/// Words that a line lets people say, or of which it tells that they did so.
#[derive(Debug)]
pub(super) struct AttributedClaim {
    /// The people, as indices into [`KnownPeople`]. It is right if it is right of one of them.
    pub(super) who: Vec<usize>,
    /// The folded words.
    pub(super) words: String,
    /// Whether the words stand behind a name and a colon, as what was said does.
    pub(super) is_quoted: bool,
    /// Whether it tells that they said it, and not only that it is so: it stands behind a colon, or a verb says it.
    pub(super) is_said: bool,
}

static SPEECH: LazyLock<WordFinder> = LazyLock::new(|| WordFinder::of("attribution.speech"));

/// The claims of a line, which stands without bullet and date.
pub(super) fn claims_of_line(words: &str, people: &KnownPeople) -> Vec<AttributedClaim> {
    let folded = fold_for_comparison(&words.replace("**", ""));
    let bare = without_label(folded.trim());
    let parts: Vec<Option<AttributedClaim>> =
        bare.split(ARROW).map(|part| quoted_claim(part, people)).collect();
    if parts.first().is_some_and(Option::is_some) {
        return parts.into_iter().flatten().collect();
    }
    let mut sentences = vec![bare];
    for end in SENTENCE_ENDS {
        sentences = sentences.into_iter().flat_map(|sentence| sentence.split(end)).collect();
    }
    sentences.into_iter().filter_map(|sentence| told_claim(sentence.trim(), people)).collect()
}

/// A line without the channel that it begins with.
fn without_label(line: &str) -> &str {
    line.strip_prefix('#').and_then(|rest| rest.split_once(' ')).map_or(line, |(_, rest)| rest.trim_start())
}

/// `name: words`.
fn quoted_claim(part: &str, people: &KnownPeople) -> Option<AttributedClaim> {
    let (name, words) = part.split_once(':')?;
    let person = people.speaker(name.trim())?;
    Some(AttributedClaim {
        who: vec![person],
        words: words.trim().to_owned(),
        is_quoted: true,
        is_said: true,
    })
}

/// A sentence about somebody who does something, or according to whom it is so.
fn told_claim(sentence: &str, people: &KnownPeople) -> Option<AttributedClaim> {
    let who = subjects_at_start(sentence, people)
        .or_else(|| subject_within(sentence, people))
        .or_else(|| source_within(sentence, people))?;
    let is_said = SPEECH.stands_in(sentence);
    Some(AttributedClaim { who, words: sentence.to_owned(), is_quoted: false, is_said })
}

/// `Ann and Bob …`, 「アンさんとボブさんは…」. What belongs to somebody, "Ann's plan", does nothing.
fn subjects_at_start(sentence: &str, people: &KnownPeople) -> Option<Vec<usize>> {
    let mut who = Vec::new();
    let mut rest = sentence;
    loop {
        let (person, after) = people.at_start(rest)?;
        who.push(person);
        let next = JOINTS.iter().find_map(|joint| after.strip_prefix(joint));
        let Some(next) = next.filter(|next| people.at_start(next).is_some()) else {
            let is_subject =
                after.starts_with(' ') || SUBJECT_MARKS.iter().any(|mark| after.starts_with(mark));
            return is_subject.then_some(who);
        };
        rest = next;
    }
}

/// 「窯はアンさんが開ける」.
fn subject_within(sentence: &str, people: &KnownPeople) -> Option<Vec<usize>> {
    let mut named = people.within(sentence);
    let (_, person, _) = named.find(|(_, _, rest)| rest.starts_with('が'))?;
    Some(vec![person])
}

/// `opened by Ann`, `the kiln opens at nine (Ann)`, 「アンさんによると」.
fn source_within(sentence: &str, people: &KnownPeople) -> Option<Vec<usize>> {
    let is_source = |(at, _, rest): &(usize, usize, &str)| {
        let before = sentence.get(..*at).unwrap_or_default();
        SOURCES_BEFORE.iter().any(|words| before.ends_with(words))
            || SOURCES_BEHIND.iter().any(|words| rest.starts_with(words))
            || (before.ends_with('(') && matches!(*rest, ")" | ")."))
    };
    let (_, person, _) = people.within(sentence).find(is_source)?;
    Some(vec![person])
}
