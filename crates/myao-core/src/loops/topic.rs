//! The words by which two messages are known to speak of the same thing.

use std::{
    collections::{BTreeSet, HashSet},
    sync::LazyLock,
};

use super::sentences::OwnSentence;
use crate::{
    text::{Lexicon, WritingSystem, english_stem, runs_of_one_kind},
    worth::is_common_word,
};

static NO_TOPICS: Lexicon = Lexicon::of_all("loops.no_topics");
static EMPTY: LazyLock<HashSet<&str>> = LazyLock::new(|| NO_TOPICS.words().collect());

/// A Latin word of fewer letters tells nothing.
const SHORTEST_WORD: usize = 3;

/// The words of some sentences that tell what they are about: stems of English words, runs of katakana, kanji by twos.
pub(super) fn topics_of<'t>(sentences: impl IntoIterator<Item = &'t OwnSentence<'t>>) -> BTreeSet<String> {
    let mut topics = BTreeSet::new();
    for sentence in sentences {
        for (kind, run) in runs_of_one_kind(&sentence.plain) {
            match kind {
                WritingSystem::Latin if run.len() >= SHORTEST_WORD => {
                    if !is_common_word(run) && !EMPTY.contains(run) {
                        topics.insert(english_stem(run).into_owned());
                    }
                }
                WritingSystem::Katakana if run.chars().nth(1).is_some() => add_topic(&mut topics, run),
                WritingSystem::Han => add_kanji(&mut topics, run),
                WritingSystem::Latin
                | WritingSystem::Katakana
                | WritingSystem::Hiragana
                | WritingSystem::Digit
                | WritingSystem::Other => {}
            }
        }
    }
    topics
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
        topics.insert(topic.to_owned());
    }
}
