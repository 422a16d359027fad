//! Finds what may be names of people in a question: words that stand where a name stands.

use std::collections::BTreeSet;

use crate::{
    chat::name_in_talk,
    recall::{everyday::is_everyday_word, fold::FoldedText},
    text::{LetterKind, Lexicon, english_stem, letter_kind},
};

/// How many characters of a name in kanji or kana are looked at in front of さん.
const LONGEST_NAME: usize = 8;
/// The most names that are looked up for one question.
const MOST_NAMES: usize = 40;

static HONORIFICS: Lexicon = Lexicon::japanese("recall.honorifics");
static HONORIFICS_LATIN: Lexicon = Lexicon::english("recall.honorifics");
static SAID_JAPANESE: Lexicon = Lexicon::japanese("recall.said");
const PARTICLES: [&str; 5] = ["が", "は", "も", "って", "の"];
static SAID: Lexicon = Lexicon::english("recall.said");
static ASKS: Lexicon = Lexicon::english("recall.asks");

/// What may be somebody's name in a question, in the form in which names are compared: English words first, then what
/// stands before an honorific, then what stands before a particle.
pub(super) fn candidate_names(text: &str) -> Vec<String> {
    let mut found = Vec::new();
    add_english_names(text, &mut found);
    add_japanese_names(text, &mut found);
    let mut seen = BTreeSet::new();
    let mut names: Vec<String> = found.iter().map(|name| plain_name(name)).collect();
    names.retain(|name| !name.is_empty() && seen.insert(name.clone()));
    names.truncate(MOST_NAMES);
    names
}

/// The other words of a question that may be somebody's name: English words whatever stands around them, and what stands
/// before a particle. Whoever knows how usual a word is decides.
pub(super) fn unsure_names(text: &str, names: &[String]) -> Vec<String> {
    let is_part = |c: char| c.is_alphanumeric() && !is_unspaced(c) || matches!(c, '_' | '-' | '.');
    let words = text.split(|c: char| !is_part(c)).map(|word| word.trim_matches(['.', '-']));
    let mut found: Vec<String> = words.map(str::to_owned).collect();
    before_particles(text, &mut found);
    let mut seen: BTreeSet<String> = names.iter().cloned().collect();
    let mut unsure: Vec<String> = found.iter().map(|name| plain_name(name)).collect();
    unsure.retain(|name| {
        let is_long = name.chars().count() > if name.is_ascii() { 2 } else { 1 };
        is_long
            && !is_everyday_word(name)
            && !is_everyday_word(&english_stem(name))
            && seen.insert(name.clone())
    });
    unsure.truncate(MOST_NAMES);
    unsure
}

/// A plain name without the honorific behind it: 田中 of 田中さん, `tanaka` of `tanaka-san`. `None` if there is none, or
/// nothing in front of it.
pub(in crate::recall) fn without_honorific(name: &str) -> Option<&str> {
    let japanese = HONORIFICS.iter().find_map(|honorific| name.strip_suffix(honorific));
    let latin = || {
        let (bare, honorific) = name.rsplit_once(['-', ' '])?;
        HONORIFICS_LATIN.contains(&honorific).then_some(bare)
    };
    japanese.or_else(latin).map(str::trim_end).filter(|bare| !bare.is_empty())
}

/// The parts by which somebody with this name is found: the name, its words, and the beginnings and ends of words in
/// kanji or kana, which join several names: 山田 and 太郎 of 山田太郎.
pub fn name_parts(name: &str) -> BTreeSet<String> {
    let plain = plain_name(name);
    let mut parts = BTreeSet::from([plain.split_whitespace().collect::<String>()]);
    for word in plain.split(|c: char| !c.is_alphanumeric()).filter(|word| !word.is_empty()) {
        parts.insert(word.to_owned());
        let letters: Vec<char> = word.chars().collect();
        if !letters.iter().all(|c| is_unspaced(*c)) {
            continue;
        }
        for length in 2..letters.len().min(LONGEST_NAME) {
            parts.extend([
                letters.iter().take(length).collect(),
                letters.iter().rev().take(length).rev().collect(),
            ]);
        }
    }
    parts.retain(|part| part.chars().count() > 1 || part.chars().all(is_unspaced));
    parts.remove("");
    parts
}

fn is_unspaced(c: char) -> bool {
    matches!(letter_kind(c), LetterKind::Kanji | LetterKind::Unspaced)
}

/// Adds the words that may be names: those before a verb of saying, and those with a capital letter, except the first.
fn add_english_names(text: &str, found: &mut Vec<String>) {
    let is_part = |c: char| c.is_alphanumeric() && !is_unspaced(c) || matches!(c, '_' | '-' | '.');
    let pieces = text.split(|c: char| !is_part(c)).map(|word| word.trim_matches(['.', '-']));
    let words: Vec<&str> = pieces.filter(|word| !word.is_empty()).collect();
    let said: BTreeSet<&str> = SAID.words().collect();
    let lower: Vec<String> = words.iter().map(|word| word.to_lowercase()).collect();
    let is_said = |at: usize| lower.get(at).is_some_and(|word| said.contains(word.as_str()));
    for (at, word) in words.iter().enumerate() {
        let is_verb = is_said(at) || lower.get(at).is_some_and(|word| ASKS.contains(&word.as_str()));
        let is_asked =
            at.checked_sub(1).and_then(|at| lower.get(at)).is_some_and(|word| ASKS.contains(&word.as_str()));
        let speaks = is_said(at + 1) || (is_said(at + 2) && is_asked);
        let is_capital = word.chars().next().is_some_and(char::is_uppercase) && at > 0;
        if !is_verb && word.chars().count() > 1 && (speaks || is_capital) {
            found.push((*word).to_owned());
        }
    }
}

fn add_japanese_names(text: &str, found: &mut Vec<String>) {
    for honorific in HONORIFICS.words() {
        for (at, _) in text.match_indices(honorific) {
            let before: Vec<char> = text
                .get(..at)
                .unwrap_or_default()
                .trim_end()
                .chars()
                .rev()
                .take_while(|c| is_name_letter(*c))
                .collect();
            names_at_the_end(&before, found);
        }
    }
    if !SAID_JAPANESE.iter().any(|verb| text.contains(verb)) {
        return;
    }
    before_particles(text, found);
}

/// Adds the letters of one script that stand in front of a particle: names without さん.
fn before_particles(text: &str, found: &mut Vec<String>) {
    for particle in PARTICLES {
        for (at, _) in text.match_indices(particle) {
            let before = text.get(..at).unwrap_or_default();
            let kind = before.chars().next_back().map(script_of_letter);
            let run: Vec<char> =
                before.chars().rev().take_while(|c| Some(script_of_letter(*c)) == kind).collect();
            let is_name = kind.is_some_and(|kind| kind != NameScript::Other) && run.len() > 1;
            found.extend(is_name.then(|| run.iter().rev().collect::<String>()));
        }
    }
}

fn is_name_letter(c: char) -> bool {
    c.is_alphanumeric() || matches!(c, 'ー' | '_' | '-' | '.')
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum NameScript {
    Kanji,
    Katakana,
    Latin,
    Other,
}

fn script_of_letter(c: char) -> NameScript {
    match c {
        '\u{30a1}'..='\u{30fc}' => NameScript::Katakana,
        '々' => NameScript::Kanji,
        c if c.is_ascii_alphanumeric() || matches!(c, '_' | '-') => NameScript::Latin,
        c if letter_kind(c) == LetterKind::Kanji => NameScript::Kanji,
        _ => NameScript::Other,
    }
}

/// Adds the names that some letters may end with, the longest first. The letters are given in reverse order.
fn names_at_the_end(reversed: &[char], found: &mut Vec<String>) {
    let Some(last) = reversed.first() else { return };
    if script_of_letter(*last) == NameScript::Latin {
        let word: Vec<char> =
            reversed.iter().copied().take_while(|c| is_name_letter(*c) && !is_unspaced(*c)).collect();
        found.push(word.iter().rev().collect());
        return;
    }
    let longest = reversed.len().min(LONGEST_NAME);
    found.extend((1..=longest).rev().map(|length| reversed.iter().take(length).rev().collect::<String>()));
}

/// The folded text without these names and the honorifics behind them.
pub(super) fn without_names(text: &str, names: &[String]) -> String {
    let mut folded: String = FoldedText::new(text).chars().iter().collect();
    for name in names {
        for honorific in HONORIFICS.words() {
            folded = folded.replace(&format!("{name}{honorific}"), " ");
        }
        folded = folded.replace(name.as_str(), " ");
    }
    folded
}

/// A name in the form in which it is compared: width, case, kana and a leading `@` make no difference.
pub fn plain_name(name: &str) -> String {
    let bare = name.trim().trim_start_matches(['@', '＠']);
    FoldedText::new(&name_in_talk(bare)).chars().iter().collect()
}
