//! Signs in a message that something is done, given up, no longer needed, moved or taken on.

use std::sync::LazyLock;

use super::sentences::OwnSentence;
use crate::{
    memory::is_joke,
    text::{Lexicon, fold_for_comparison},
    worth::WordFinder,
};

static WITHDRAWN: LazyLock<WordFinder> = LazyLock::new(|| WordFinder::of("loops.withdrawn"));
static RELEASED: LazyLock<WordFinder> = LazyLock::new(|| WordFinder::of("loops.released"));
static NO_RELEASED: LazyLock<WordFinder> = LazyLock::new(|| WordFinder::of("loops.no_released"));
static SETTLED: LazyLock<WordFinder> = LazyLock::new(|| WordFinder::of("loops.settled"));
static RECEIPTS: LazyLock<WordFinder> = LazyLock::new(|| WordFinder::of("loops.receipts"));
static MOVED: LazyLock<WordFinder> = LazyLock::new(|| WordFinder::of("loops.moved"));
static CANCELLED: LazyLock<WordFinder> = LazyLock::new(|| WordFinder::of("loops.cancelled"));
static JOKES: Lexicon = Lexicon::of_all("loops.jokes");
static JOKING: LazyLock<WordFinder> = LazyLock::new(|| WordFinder::of("worth.joking"));
static ACCEPTANCES: Lexicon = Lexicon::of_all("loops.acceptances");
static ASKS_WHEN: LazyLock<WordFinder> = LazyLock::new(|| WordFinder::of("loops.asks_when"));
static REQUESTS: Lexicon = Lexicon::english("loops.requests");
static ASKING_ENDS: Lexicon = Lexicon::japanese("loops.asking_ends");
static COURTESIES: Lexicon = Lexicon::japanese("loops.courtesies");

/// The most characters of a message that only takes something on.
const LONGEST_ACCEPTANCE: usize = 60;

/// The most English words and the most characters of a sentence that says no more than one thing.
const SHORT_WORDS: usize = 6;
const SHORT_CHARACTERS: usize = 15;

/// Whether a sentence says one of these things.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Sign {
    /// Somebody will not do it after all.
    Withdrawn,
    /// Nothing is waited for any more.
    Released,
    /// Whoever asked has an answer.
    Settled,
    /// Something came.
    Received,
    /// Something is on another day.
    Moved,
    /// Something does not take place.
    Cancelled,
}

impl Sign {
    pub(super) const ALL: [Self; 6] =
        [Self::Withdrawn, Self::Released, Self::Settled, Self::Received, Self::Moved, Self::Cancelled];
}

/// Whether a sentence has a sign. A question has none.
pub(super) fn has_sign(sentence: &OwnSentence<'_>, sign: Sign) -> bool {
    let finder = match sign {
        Sign::Withdrawn => &WITHDRAWN,
        Sign::Released => &RELEASED,
        Sign::Settled => &SETTLED,
        Sign::Received => &RECEIPTS,
        Sign::Moved => &MOVED,
        Sign::Cancelled => &CANCELLED,
    };
    let is_opposite = || sign == Sign::Released && sentence.has(&NO_RELEASED);
    !sentence.asks && sentence.has(finder) && !is_opposite()
}

/// Whether a message bears the mark of a joke.
pub(super) fn is_in_jest(text: &str) -> bool {
    let folded = fold_for_comparison(text);
    is_joke(text) || JOKING.stands_in(&folded) || JOKES.words().any(|mark| folded.contains(mark))
}

/// Whether a sentence is so short that it says one thing.
pub(super) fn is_short(sentence: &OwnSentence<'_>) -> bool {
    let plain = sentence.plain.trim();
    if sentence.is_japanese {
        plain.chars().count() <= SHORT_CHARACTERS
    } else {
        sentence.spaced.trim().split(' ').count() <= SHORT_WORDS
    }
}

/// Whether a sentence asks only when something will be done.
pub(super) fn asks_when(sentence: &OwnSentence<'_>) -> bool {
    sentence.asks && is_short(sentence) && sentence.has(&ASKS_WHEN)
}

/// Whether a message says no more than that its author takes on what was asked.
pub(super) fn takes_on(sentences: &[OwnSentence<'_>]) -> bool {
    let length: usize = sentences.iter().map(|sentence| sentence.plain.chars().count()).sum();
    let is_end = |c: char| c.is_whitespace() || ",.!、。〜~ー♪:".contains(c);
    let parts = sentences.iter().flat_map(|sentence| sentence.plain.split([',', '、', '!', '.', '。']));
    let mut parts = parts.map(|part| part.trim_matches(is_end)).filter(|part| !part.is_empty()).peekable();
    let is_accepted = |part: &str| ACCEPTANCES.words().any(|words| words == part);
    length <= LONGEST_ACCEPTANCE
        && sentences.iter().all(|sentence| !sentence.asks)
        && parts.peek().is_some()
        && parts.all(is_accepted)
}

/// Whether a sentence asks somebody to do something.
pub(super) fn asks_for_deed(sentence: &OwnSentence<'_>) -> bool {
    let english = sentence.spaced.trim_start();
    let begins = |words: &str| english.strip_prefix(words).is_some_and(|rest| rest.starts_with(' '));
    if REQUESTS.words().any(begins) {
        return true;
    }
    let is_end = |c: char| c.is_whitespace() || "!。、〜~ー♪".contains(c);
    let plain = sentence.plain.trim_end_matches(is_end);
    let ends = |end: &str| plain.ends_with(end) || plain.trim_end_matches('?').ends_with(end);
    sentence.is_japanese
        && ASKING_ENDS.words().any(ends)
        && !COURTESIES.words().any(|words| plain.contains(words))
}
