//! Whether what its author says later may be that a promise was kept.
//!
//! Only what is surely something else leaves it open: another deed that a list has, done to another thing; and for a
//! promise without a day, talk of another thing in which nothing was done. A verb that no list has may be the deed.

use std::{
    collections::{BTreeSet, HashSet},
    sync::LazyLock,
};

use super::{
    deed::{Deed, names_deed},
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
static MEANS: Lexicon = Lexicon::of_all("loops.means");
static ANY: Lexicon = Lexicon::of_all("loops.any_deeds");
static TELLING: Lexicon = Lexicon::of_all("loops.telling_deeds");
static BACK: LazyLock<WordFinder> = LazyLock::new(|| WordFinder::of("loops.refers_back"));
static WHEREABOUTS: LazyLock<WordFinder> = LazyLock::new(|| WordFinder::of("loops.whereabouts"));
static ANY_DEEDS: LazyLock<HashSet<&str>> = LazyLock::new(|| ANY.words().collect());

/// What somebody owes: the deed, if it is known, and what it is about.
pub(super) type Owed = (Option<Deed>, BTreeSet<String>);

/// What a sentence tells, read once for all that is open.
#[expect(clippy::struct_excessive_bools, reason = "each is a reading of its own")]
#[derive(Clone, Debug)]
pub(super) struct LaterSentence {
    asks: bool,
    /// Whether nothing in it says anything of anything.
    is_empty: bool,
    /// Whether it says that something was done.
    is_done: bool,
    /// Whether it says so by a verb that no list has, or by none.
    tells_deed: bool,
    deeds: Vec<Deed>,
    topics: BTreeSet<String>,
    /// Its topics but what was done.
    things: BTreeSet<String>,
    refers_back: bool,
    /// Whether it tells where a thing is, what is to be done, or how many: it may tell what came of a promise.
    tells_outcome: bool,
}

impl LaterSentence {
    pub(super) fn of(sentence: &OwnSentence<'_>) -> Self {
        let tells_deed = tells_deed(sentence);
        let topics = topics_of([sentence]);
        let mut things = topics.clone();
        for word in past_words(sentence) {
            things.remove(english_stem(word).as_ref());
        }
        Self {
            asks: sentence.asks,
            is_empty: emptiness_of_sentence(sentence).is_some(),
            is_done: says_done(sentence) || (!sentence.asks && !is_undone(sentence) && tells_deed),
            tells_deed,
            deeds: deeds_done(sentence),
            topics,
            things,
            refers_back: BACK.stands_in(&sentence.plain),
            // "Have a look", 見てください.
            tells_outcome: names_deed(sentence)
                || sentence.plain.contains(char::is_numeric)
                || WHEREABOUTS.stands_in(&sentence.plain),
        }
    }
}

/// What was promised, as far as later talk is compared with it.
#[derive(Clone, Copy, Debug)]
pub(super) struct Promised<'p> {
    pub(super) deed: Option<Deed>,
    pub(super) topics: &'p BTreeSet<String>,
    /// All open promises of its author: what is to be done, and what it is about.
    pub(super) all: &'p [Owed],
}

impl Promised<'_> {
    /// Whether a sentence says that something was done which may be it.
    pub(super) fn may_be_done(self, told: &LaterSentence) -> bool {
        told.is_done && !self.is_other_deed(told) && !self.is_of_another(told)
    }

    /// Whether a sentence can have nothing to do with it, said of a promise without a day.
    pub(super) fn is_beside(self, told: &LaterSentence) -> bool {
        if told.is_empty || self.is_other_deed(told) || self.is_of_another(told) {
            return true;
        }
        // "Did you get it?" may be of it.
        let is_of_other_thing = self.is_of_other_thing(told) && !told.refers_back;
        let tells_nothing = || {
            let was_done = told.is_done || told.tells_deed || !told.deeds.is_empty();
            !was_done && !told.tells_outcome && !self.is_told()
        };
        is_of_other_thing && (told.asks || tells_nothing())
    }

    /// Whether it is of another promise of the same person, and only of that.
    fn is_of_another(self, told: &LaterSentence) -> bool {
        if self.topics.is_empty() || told.refers_back || !told.topics.is_disjoint(self.topics) {
            return false;
        }
        let is_like =
            |deed: Option<Deed>| deed.is_some_and(|deed| told.deeds.iter().any(|one| is_alike(deed, *one)));
        // "I'll book a hotel" may be kept by what was booked for the trip, whose budget is promised as well.
        let is_rather = |deed: Option<Deed>| is_like(deed) || !is_like(self.deed);
        self.all.iter().any(|(deed, owed)| !told.topics.is_disjoint(owed) && is_rather(*deed))
    }

    /// Whether a deed was done that is surely another, to another thing.
    fn is_other_deed(self, told: &LaterSentence) -> bool {
        let Some(promised) = self.deed else { return false };
        !told.deeds.is_empty()
            && !told.tells_deed
            && !told.refers_back
            && self.is_of_other_thing(told)
            && !told.deeds.iter().any(|done| is_alike(promised, *done) || is_means(*done))
    }

    /// Whether a sentence names things, and none that was spoken of.
    fn is_of_other_thing(self, told: &LaterSentence) -> bool {
        !self.topics.is_empty() && !told.things.is_empty() && told.things.is_disjoint(self.topics)
    }

    /// Whether it is kept by telling something, which may be whatever is said next: I'll let you know.
    fn is_told(self) -> bool {
        self.deed.is_none_or(|deed| TELLING.words().any(|word| word == deed.word))
    }
}

/// Whether nearly anything may be done by a deed: "I'll fix the whiteboard", "ordered a new one".
fn is_means(done: Deed) -> bool {
    done.hands_over || MEANS.words().any(|word| word == done.word)
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
