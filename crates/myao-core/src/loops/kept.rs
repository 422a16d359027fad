//! Whether what its author says later may be that a promise was kept.
//!
//! Only what is surely something else leaves it open: another deed that a list has, done to another thing; and for a
//! promise without a day, talk of another thing in which nothing was done. A verb that no list has may be the deed.

use std::{
    collections::{BTreeSet, HashSet},
    sync::LazyLock,
};

use super::{
    arrived::{arrived_in, seen_in, things_in},
    clauses::clauses_of,
    deed::{DEEDS, Deed, NOUNS, VERBS, names_deed},
    done::{deeds_done, is_not_yet, past_words, says_any_deed, tells_deed},
    empty::emptiness_of_sentence,
    sentences::OwnSentence,
    signs::{Sign, has_sign},
    topic::topics_of,
};
use crate::{
    text::{Lexicon, english_stem},
    worth::WordFinder,
};

static KIN: Lexicon<Vec<&'static str>> = Lexicon::of_all("loops.deed_kin");
static MEANS: Lexicon = Lexicon::of_all("loops.means");
static ANY: Lexicon = Lexicon::of_all("loops.any_deeds");
static VERB_ENDS: Lexicon = Lexicon::japanese("loops.verb_ends");
static TELLING: Lexicon = Lexicon::of_all("loops.telling_deeds");
static RECEIPTS: Lexicon = Lexicon::of_all("loops.receipts");
static UNDERSTOOD_WORDS: Lexicon = Lexicon::of_all("loops.understood");
static UNDERSTOOD: LazyLock<WordFinder> = LazyLock::new(|| WordFinder::of("loops.understood"));
static BACK: LazyLock<WordFinder> = LazyLock::new(|| WordFinder::of("loops.refers_back"));
static WHEREABOUTS: LazyLock<WordFinder> = LazyLock::new(|| WordFinder::of("loops.whereabouts"));
/// The deeds that hand something over.
static HANDING: LazyLock<HashSet<&str>> = LazyLock::new(|| {
    let english = DEEDS.iter().filter(|(.., hands_over)| *hands_over == 1).map(|(word, ..)| *word);
    let verbs = VERBS.iter().filter(|(.., hands_over)| *hands_over == 1).map(|(word, ..)| *word);
    let nouns = NOUNS.iter().filter(|(_, hands_over)| *hands_over == 1).map(|(word, _)| *word);
    english.chain(verbs).chain(nouns).collect()
});
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
    /// Whether it has a verb in the past that no list has, or tells it by none.
    tells_deed: bool,
    deeds: Vec<Deed>,
    topics: BTreeSet<String>,
    /// Its topics but what was done.
    pub(super) things: BTreeSet<String>,
    refers_back: bool,
    /// The things that each clause says have come; none if it does not name them.
    arrived: Vec<BTreeSet<String>>,
    pub(super) receipt: Option<Receipt>,
    /// What a clause is about whose author has seen it.
    seen: BTreeSet<String>,
    /// Whether it tells where a thing is, what is to be done, or how many: it may tell what came of a promise.
    tells_outcome: bool,
}

impl LaterSentence {
    /// Whether it names no thing.
    pub(super) fn names_nothing(&self) -> bool {
        self.topics.is_empty()
    }

    pub(super) fn of(sentence: &OwnSentence<'_>) -> Self {
        let tells_deed = tells_deed(sentence);
        let clauses = clauses_of(sentence);
        let arrived = if is_not_yet(sentence) { Vec::new() } else { things_arrived(&clauses) };
        let topics = topics_of([sentence]);
        let mut things = topics.clone();
        for word in past_words(sentence) {
            things.remove(english_stem(word).as_ref());
        }
        Self {
            asks: sentence.asks,
            is_empty: emptiness_of_sentence(sentence).is_some(),
            is_done: says_any_deed(sentence, &clauses),
            tells_deed,
            deeds: deeds_done(sentence),
            topics,
            receipt: receipt_in(sentence),
            things,
            arrived,
            seen: things_seen(&clauses),
            refers_back: sentence.has(&BACK),
            // "Have a look", 見てください.
            tells_outcome: names_deed(sentence)
                || sentence.plain.contains(char::is_numeric)
                || sentence.has(&WHEREABOUTS),
        }
    }
}

/// The things that clauses say have come.
fn things_arrived(clauses: &[OwnSentence<'_>]) -> Vec<BTreeSet<String>> {
    let told = clauses.iter().enumerate().filter_map(|(at, clause)| Some((at, arrived_in(clause)?)));
    let named_before = |at| clause_that_names(clauses, at).map(|before| things_in(&before.plain));
    told.map(|(at, things)| if things.is_empty() { named_before(at).unwrap_or(things) } else { things })
        .collect()
}

/// What those clauses are about that tell what their author has seen.
fn things_seen(clauses: &[OwnSentence<'_>]) -> BTreeSet<String> {
    let mut seen = BTreeSet::new();
    for (at, clause) in clauses.iter().enumerate() {
        let Some(topics) = seen_in(clause) else { continue };
        seen.extend(topics);
        seen.extend(clause_that_names(clauses, at).iter().flat_map(|before| topics_of([*before])));
    }
    seen
}

/// The Japanese clause before this one, if it only names what this one speaks of: スライド、ドライブに入ってます.
fn clause_that_names<'c, 't>(clauses: &'c [OwnSentence<'t>], at: usize) -> Option<&'c OwnSentence<'t>> {
    let before = clauses.get(at.checked_sub(1)?)?;
    let says_something = || VERB_ENDS.words().any(|end| before.plain.ends_with(end));
    (before.is_japanese && !says_something()).then_some(before)
}

/// What somebody says to whom something came, and who does not name it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Receipt {
    /// It may as well mean that they understood: got it.
    Understood,
    /// It came: received.
    Came,
}

/// What a sentence says in this way.
fn receipt_in(sentence: &OwnSentence<'_>) -> Option<Receipt> {
    let (receipt, words) = if has_sign(sentence, Sign::Received) {
        (Receipt::Came, &RECEIPTS)
    } else if !sentence.asks && sentence.has(&UNDERSTOOD) {
        (Receipt::Understood, &UNDERSTOOD_WORDS)
    } else {
        return None;
    };
    let mut rest = sentence.plain.clone();
    for words in words.words() {
        rest = rest.replace(words, " ");
    }
    things_in(&rest).is_empty().then_some(receipt)
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
        let was_done = || told.is_done && !self.is_other_deed(told);
        let has_come = || told.arrived.iter().any(|things| self.may_be_of(things));
        (was_done() || has_come()) && !self.is_of_another(told)
    }

    /// Whether somebody else says that the thing was handed over, or has seen it. In its thread it need not be named.
    pub(super) fn is_shown_by(self, told: &LaterSentence, is_in_thread: bool) -> bool {
        let is_it = |things: &BTreeSet<String>| !things.is_disjoint(self.topics);
        let has_come = told.arrived.iter().any(|things| is_it(things) || (is_in_thread && things.is_empty()));
        has_come || is_it(&told.seen)
    }

    /// Whether these things may be what was promised, or none is named.
    fn may_be_of(self, things: &BTreeSet<String>) -> bool {
        things.is_empty() || self.topics.is_empty() || !things.is_disjoint(self.topics)
    }

    /// Whether it is kept by handing something over.
    pub(super) fn hands_over(self) -> bool {
        let is_handing = |word: &str| HANDING.contains(word);
        self.deed.is_none_or(|deed| {
            let is_kin = |kin: &&Vec<&str>| kin.contains(&deed.word);
            is_handing(deed.word) || KIN.iter().filter(is_kin).flatten().any(|word| is_handing(word))
        })
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
