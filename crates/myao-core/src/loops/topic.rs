//! The words by which two messages are known to speak of the same thing.

use std::{
    collections::{BTreeSet, HashMap, HashSet},
    sync::LazyLock,
};

use super::sentences::OwnSentence;
use crate::{
    text::{Lexicon, WritingSystem, english_stem, runs_of_one_kind},
    worth::is_common_word,
};

static NO_TOPICS: Lexicon = Lexicon::of_all("loops.no_topics");
static EMPTY: LazyLock<HashSet<&str>> = LazyLock::new(|| NO_TOPICS.words().collect());

/// Things that people call by several words, each as the first of its row: the slides are the deck.
static THING_KIN: Lexicon<Vec<&'static str>> = Lexicon::of_all("loops.thing_kin");
static KIN: LazyLock<HashMap<String, String>> = LazyLock::new(|| {
    let stem = |word: &str| english_stem(word).into_owned();
    let row = |row: &'static Vec<&'static str>| {
        let first = row.first().map(|first| stem(first)).unwrap_or_default();
        row.iter().map(move |word| (stem(word), first.clone()))
    };
    THING_KIN.iter().flat_map(row).collect()
});

/// A Latin word of fewer letters tells nothing.
const SHORTEST_WORD: usize = 3;

/// The words of some sentences that tell what they are about: stems of English words, runs of katakana, kanji by twos.
pub(super) fn topics_of<'t>(sentences: impl IntoIterator<Item = &'t OwnSentence<'t>>) -> BTreeSet<String> {
    let mut topics = BTreeSet::new();
    for sentence in sentences {
        add_topics(&mut topics, &sentence.plain);
    }
    topics
}

/// The same of a folded text.
pub(super) fn topics_of_text(plain: &str) -> BTreeSet<String> {
    let mut topics = BTreeSet::new();
    add_topics(&mut topics, plain);
    topics
}

/// The topic of an English word, if it tells anything.
pub(super) fn topic_of_word(word: &str) -> Option<String> {
    topics_of_text(word).into_iter().next()
}

/// Whether a word tells nothing of what is spoken about, as the days do.
pub(super) fn tells_nothing(word: &str) -> bool {
    EMPTY.contains(word)
}

fn add_topics(topics: &mut BTreeSet<String>, plain: &str) {
    for (kind, run) in runs_of_one_kind(plain) {
        match kind {
            WritingSystem::Latin if run.len() >= SHORTEST_WORD => {
                if !is_common_word(run) && !EMPTY.contains(run) {
                    let stem = english_stem(run);
                    topics.insert(KIN.get(stem.as_ref()).map_or_else(|| stem.into_owned(), Clone::clone));
                }
            }
            WritingSystem::Katakana if run.chars().nth(1).is_some() => add_topic(topics, run),
            WritingSystem::Han => add_kanji(topics, run),
            WritingSystem::Latin
            | WritingSystem::Katakana
            | WritingSystem::Hiragana
            | WritingSystem::Digit
            | WritingSystem::Other => {}
        }
    }
}

fn add_kanji(topics: &mut BTreeSet<String>, run: &str) {
    let letters: Vec<char> = run.chars().collect();
    if letters.len() == 1 {
        add_topic(topics, run);
    }
    for pair in letters.windows(2) {
        add_topic(topics, &pair.iter().collect::<String>());
    }
}

fn add_topic(topics: &mut BTreeSet<String>, topic: &str) {
    if !EMPTY.contains(topic) {
        topics.insert(KIN.get(topic).map_or(topic, String::as_str).to_owned());
    }
}
