//! What people want of us besides an answer from what was said: to know who we are, why we remember, that we remember or
//! forget something.

use myao_core::{
    mandate::Intent,
    text::{Lexicon, fold_for_comparison},
    worth::words_with_spaces,
};

use super::asked::without_calls;

/// What somebody wants.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum AskedWish {
    /// To know who we are.
    Name,
    /// To know what we can do.
    Abilities,
    /// To know from what we know what we said last.
    Sources,
    /// That this is noted; empty if it is what was said before.
    Remember(String),
    /// That something is forgotten.
    Forget,
}

static NAME: Lexicon = Lexicon::english("wishes.name");
static NAME_JAPANESE: Lexicon = Lexicon::japanese("wishes.name");
static NAME_ALONE: Lexicon = Lexicon::japanese("wishes.name_alone");
static ABILITIES: Lexicon = Lexicon::english("wishes.abilities");
static ABILITIES_JAPANESE: Lexicon = Lexicon::japanese("wishes.abilities");
static SOURCES: Lexicon = Lexicon::english("wishes.sources");
static SOURCES_JAPANESE: Lexicon = Lexicon::japanese("wishes.sources");
/// The most words behind such words: `how do you know all that`.
const MOST_BEHIND: usize = 2;
/// The most characters of a Japanese message that asks for nothing else.
const LONGEST_JAPANESE: usize = 20;
static REMEMBER: Lexicon = Lexicon::english("wishes.remember");
static LINKING: Lexicon = Lexicon::english("wishes.linking");
static REMEMBER_JAPANESE: Lexicon = Lexicon::japanese("wishes.remember");
static LINKING_JAPANESE: Lexicon = Lexicon::japanese("wishes.linking");
static FORGET: Lexicon = Lexicon::english("wishes.forget");
static FORGET_JAPANESE: Lexicon = Lexicon::japanese("wishes.forget");

impl AskedWish {
    /// What a message to us wants; `None` if it is something to be looked up.
    pub(super) fn of(text: &str) -> Option<Self> {
        let said = without_calls(text);
        let folded = fold_for_comparison(&said);
        let english = words_with_spaces(&folded);
        let any = |list: &'static Lexicon, japanese: &'static Lexicon| {
            list.words().any(|word| english.contains(&format!(" {word} ")))
                || japanese.words().any(|word| folded.contains(word))
        };
        if let Some(what) = what_to_remember(&said, &english) {
            return Some(Self::Remember(what));
        }
        let is_forgetting = begins_with_any(&english, &FORGET)
            || (Intent::Forget.is_told_in(&said)
                && FORGET_JAPANESE.words().any(|word| folded.contains(word)));
        if is_forgetting {
            return Some(Self::Forget);
        }
        if asks_for_sources(&folded, &english) {
            return Some(Self::Sources);
        }
        if any(&NAME, &NAME_JAPANESE) || asks_for_name_alone(&folded) {
            return Some(Self::Name);
        }
        any(&ABILITIES, &ABILITIES_JAPANESE).then_some(Self::Abilities)
    }
}

/// Whether a message asks from what we know something, and nothing besides: `who said that the boxes are late?` is a
/// question of its own.
fn asks_for_sources(folded: &str, english: &str) -> bool {
    let ends_with = |word: &str| {
        let (_, behind) = english.split_once(&format!(" {word} "))?;
        Some(behind.split_whitespace().count() <= MOST_BEHIND)
    };
    let is_short = folded.chars().nth(LONGEST_JAPANESE).is_none();
    SOURCES.words().any(|word| ends_with(word) == Some(true))
        || (is_short && SOURCES_JAPANESE.words().any(|word| folded.contains(word)))
}

/// Whether a question for a name begins a sentence, so that it is nobody else's: not 「猫を飼っている方のお名前は？」.
fn asks_for_name_alone(folded: &str) -> bool {
    NAME_ALONE.words().any(|word| {
        folded
            .match_indices(word)
            .any(|(at, _)| !folded.get(..at).unwrap_or_default().trim_end().ends_with(char::is_alphanumeric))
    })
}

fn begins_with_any(english: &str, list: &'static Lexicon) -> bool {
    list.words().any(|word| english.starts_with(&format!(" {word} ")))
}

/// What a message asks to be remembered; `None` if it asks for no such thing.
fn what_to_remember(said: &str, english: &str) -> Option<String> {
    if !Intent::Remember.is_told_in(said) {
        return None;
    }
    if begins_with_any(english, &REMEMBER) {
        let longest = REMEMBER.words().filter(|word| english.starts_with(&format!(" {word} ")));
        let count = longest.map(|word| word.split(' ').count()).max().unwrap_or_default();
        return Some(without_linking(behind_words(said, count)).to_owned());
    }
    let at = REMEMBER_JAPANESE.words().filter_map(|word| said.find(word)).min()?;
    let before = said.get(..at).unwrap_or_default().trim_end();
    let linking = LINKING_JAPANESE.iter().find_map(|word| before.strip_suffix(word));
    Some(linking.unwrap_or(before).trim().trim_matches(['「', '」', '、']).to_owned())
}

/// What stands behind the first words of a text.
fn behind_words(text: &str, count: usize) -> &str {
    let mut rest = text.trim_start();
    for _ in 0..count {
        let end = rest.find(|c: char| c.is_whitespace() || c == ':').unwrap_or(rest.len());
        rest = rest.get(end..).unwrap_or_default().trim_start();
    }
    rest
}

fn without_linking(text: &str) -> &str {
    let mut rest = text.trim_start_matches([':', ',', ' ']);
    for word in LINKING.words() {
        let behind = rest.get(..word.len()).filter(|head| head.eq_ignore_ascii_case(word));
        let tail = behind.and_then(|_| rest.get(word.len()..));
        if let Some(tail) = tail.filter(|tail| !tail.starts_with(|c: char| c.is_alphanumeric() || c == '\''))
        {
            rest = tail.trim_start_matches([':', ',', ' ']);
        }
    }
    rest.trim()
}
