//! Whether what its author says later may be that a promise was kept.
//!
//! Only what is surely something else leaves it open: another deed that a list has, done to another thing; and for a
//! promise without a day, talk of another thing in which nothing was done. A verb that no list has may be the deed.

use std::{
    collections::{BTreeSet, HashSet},
    sync::LazyLock,
};

use super::{
    deed::Deed,
    done::{deeds_done, is_undone, past_words, says_done, tells_deed},
    empty::emptiness_of_sentence,
    sentences::OwnSentence,
    topic::topics_of,
};
use crate::{
    text::{Lexicon, english_stem},
    worth::WordFinder,
};

static KIN: Lexicon<Vec<&'static str>> = Lexicon::of_all("loops.deed_kin");
static ANY: Lexicon = Lexicon::of_all("loops.any_deeds");
static TELLING: Lexicon = Lexicon::of_all("loops.telling_deeds");
static BACK: LazyLock<WordFinder> = LazyLock::new(|| WordFinder::of("loops.refers_back"));
static WHEREABOUTS: LazyLock<WordFinder> = LazyLock::new(|| WordFinder::of("loops.whereabouts"));
static ANY_DEEDS: LazyLock<HashSet<&str>> = LazyLock::new(|| ANY.words().collect());

/// What was promised, as far as later talk is compared with it.
#[derive(Clone, Copy, Debug)]
pub(super) struct Promised<'p> {
    pub(super) deed: Option<Deed>,
    pub(super) topics: &'p BTreeSet<String>,
    /// What all open promises of its author are about.
    pub(super) all_topics: &'p BTreeSet<String>,
}

impl Promised<'_> {
    /// Whether a sentence says that something was done which may be it.
    pub(super) fn may_be_done(self, sentence: &OwnSentence<'_>) -> bool {
        let tells = says_done(sentence) || (!sentence.asks && !is_undone(sentence) && tells_deed(sentence));
        tells && !self.is_other_deed(sentence) && !self.is_of_another(sentence)
    }

    /// Whether a sentence can have nothing to do with it, said of a promise without a day.
    pub(super) fn is_beside(self, sentence: &OwnSentence<'_>) -> bool {
        if emptiness_of_sentence(sentence).is_some()
            || self.is_other_deed(sentence)
            || self.is_of_another(sentence)
        {
            return true;
        }
        if sentence.asks {
            return true;
        }
        deeds_done(sentence).is_empty()
            && !says_done(sentence)
            && !tells_deed(sentence)
            && !WHEREABOUTS.stands_in(&sentence.plain)
            && !self.is_told()
            && self.is_of_other_thing(sentence)
            && !BACK.stands_in(&sentence.plain)
    }

    /// Whether it is of another promise of the same person, and only of that.
    fn is_of_another(self, sentence: &OwnSentence<'_>) -> bool {
        let topics = topics_of([sentence]);
        topics.is_disjoint(self.topics)
            && !self.topics.is_empty()
            && !topics.is_disjoint(self.all_topics)
            && !BACK.stands_in(&sentence.plain)
    }

    /// Whether a deed was done that is surely another, to another thing.
    fn is_other_deed(self, sentence: &OwnSentence<'_>) -> bool {
        let Some(promised) = self.deed else { return false };
        let done = deeds_done(sentence);
        !done.is_empty()
            && !done.iter().any(|done| is_alike(promised, *done))
            && !tells_deed(sentence)
            && self.is_of_other_thing(sentence)
            && !BACK.stands_in(&sentence.plain)
    }

    /// Whether a sentence names things, and none that was spoken of.
    fn is_of_other_thing(self, sentence: &OwnSentence<'_>) -> bool {
        let mut topics = topics_of([sentence]);
        for word in past_words(sentence) {
            topics.remove(english_stem(word).as_ref());
        }
        !self.topics.is_empty() && !topics.is_empty() && topics.is_disjoint(self.topics)
    }

    /// Whether it is kept by telling something, which may be whatever is said next: I'll let you know.
    fn is_told(self) -> bool {
        self.deed.is_none_or(|deed| TELLING.words().any(|word| word == deed.word))
    }
}

/// Whether one deed may be what somebody calls by the other: write up and draft, book and reserve.
fn is_alike(one: Deed, other: Deed) -> bool {
    let is_any = |deed: Deed| ANY_DEEDS.contains(deed.word);
    one.word == other.word
        || (one.hands_over && other.hands_over)
        || is_any(one)
        || is_any(other)
        || KIN.iter().any(|kin| kin.contains(&one.word) && kin.contains(&other.word))
}
