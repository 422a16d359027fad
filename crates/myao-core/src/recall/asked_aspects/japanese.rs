//! 「棚の値段」「旅行先の好み」「おすすめの歯医者」「保険会社はどこに決定した」

use super::AskedAspect;
use crate::{
    recall::sentence_names::tells_when,
    text::{LetterKind, Lexicon, letter_kind},
};

static NOUNS: Lexicon = Lexicon::japanese("aspects.nouns");
static BEFORE_SUBJECT: Lexicon = Lexicon::japanese("aspects.before_subject");
static NO_SUBJECTS: Lexicon = Lexicon::japanese("aspects.no_subjects");
static NO_NAMES: Lexicon = Lexicon::japanese("another.no_names");

/// The most letters of hiragana at the end of a noun.
const LONGEST_ENDING: usize = 2;
/// Particles behind what a sentence is about.
const TOPIC: [&str; 3] = ["は", "って", "を"];
/// What stands behind an aspect that is said of the topic: 保険会社はどこに決定した.
const SAID_OF_TOPIC: [&str; 8] = ["です", "でし", "だ", "する", "した", "して", "しま", "か"];

/// The aspects of a Japanese sentence that says of what they are asked.
pub(super) fn japanese_aspects(sentence: &str) -> Vec<AskedAspect<'_>> {
    let mut aspects: Vec<AskedAspect<'_>> = Vec::new();
    for word in NOUNS.words() {
        for (at, _) in sentence.match_indices(word) {
            let place = at..at + word.len();
            let is_known = aspects.iter().any(|known| known.place.contains(&at));
            let (Some(before), Some(behind)) = (sentence.get(..at), sentence.get(place.end..)) else {
                continue;
            };
            if is_known || !ends_word(word, behind) {
                continue;
            }
            if let Some(subject) = subject_of(word, before, behind) {
                aspects.push(AskedAspect { place, subject });
            }
        }
    }
    aspects
}

/// Whether the word ends here: 構成員 is no 構成.
fn ends_word(word: &str, behind: &str) -> bool {
    let kind = |c: Option<char>| c.map(letter_kind).filter(|kind| *kind != LetterKind::Unspaced);
    let is_katakana = |c: Option<char>| c.is_some_and(|c| matches!(c, 'ァ'..='ヺ' | 'ー'));
    let (last, next) = (word.chars().next_back(), behind.chars().next());
    let goes_on = kind(last).is_some() && kind(last) == kind(next);
    !(goes_on || (is_katakana(last) && is_katakana(next)))
}

/// The thing of which the aspect between these two is asked.
fn subject_of<'a>(word: &str, before: &'a str, behind: &'a str) -> Option<&'a str> {
    let owner = before.strip_suffix('の').map(owner_name);
    // A single letter makes a word of its own with what stands before it: 景色.
    let is_word = word.chars().nth(1).is_some();
    let of_compound = || Some(last_name(before)).filter(|name| is_word && name.chars().nth(1).is_some());
    let is_adjective = || BEFORE_SUBJECT.words().any(|adjective| adjective == word);
    let described = || is_adjective().then(|| behind.strip_prefix('の').map(first_name)).flatten();
    let is_said = || behind.is_empty() || SAID_OF_TOPIC.iter().any(|end| behind.starts_with(end));
    let topic = || is_said().then(|| topic_of(before)).flatten();
    let found = owner.filter(|name| is_subject(name));
    let found = found.or_else(|| of_compound().filter(|name| is_subject(name)));
    let found = found.or_else(|| described().filter(|name| is_subject(name)));
    found.or_else(topic)
}

/// What a sentence is about that goes on behind `before`.
fn topic_of(before: &str) -> Option<&str> {
    let names = TOPIC.iter().flat_map(|particle| before.match_indices(particle));
    let mut names = names.filter_map(|(at, _)| Some(last_name(before.get(..at)?)));
    names.find(|name| is_subject(name))
}

/// Letters of which names are written without spaces: kanji, katakana, and those of Latin words among them.
fn is_letter(c: char) -> bool {
    letter_kind(c) == LetterKind::Kanji || matches!(c, 'ァ'..='ヺ' | 'ー' | '々') || c.is_ascii_alphanumeric()
}

fn last_name(text: &str) -> &str {
    text.strip_prefix(text.trim_end_matches(is_letter)).unwrap_or_default()
}

/// The name before の, with the hiragana that its last word may end with: 手引き.
fn owner_name(text: &str) -> &str {
    let is_hiragana = |c: &char| matches!(c, 'ぁ'..='ん');
    let ending = text.chars().rev().take_while(is_hiragana).count();
    let without = text.trim_end_matches(|c| is_hiragana(&c));
    if ending <= LONGEST_ENDING { last_name(without) } else { "" }
}

fn first_name(text: &str) -> &str {
    text.strip_suffix(text.trim_start_matches(is_letter)).unwrap_or_default()
}

/// Whether a name may be that of a thing of which something is asked.
fn is_subject(name: &str) -> bool {
    // 先 is a time in 先週, and where something is done in 旅行先.
    let tells_when = tells_when(name) && !(name.ends_with('先') && name.chars().nth(2).is_some());
    let mut lists = NO_SUBJECTS.words().chain(NO_NAMES.words()).chain(NOUNS.words());
    !name.is_empty()
        && !name.ends_with(|c: char| c.is_ascii_digit())
        && !tells_when
        && !lists.any(|word| word == name)
}
