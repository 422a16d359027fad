//! Reads what somebody takes on: "I'll send it by Friday", 「金曜までに送ります」.
//!
//! Only the author's own plain words count: a hope, a condition, a refusal and what others said are no promise.

use std::{borrow::Cow, sync::LazyLock};

use aho_corasick::AhoCorasick;
use jiff::civil::Date;

use super::{
    day::{day_of_sentence, names_vague_time, says_deadline},
    sentences::OwnSentence,
};
use crate::{
    text::Lexicon,
    worth::{WordFinder, words_with_spaces},
};

static COMMITMENTS: Lexicon = Lexicon::english("loops.commitments");
static BETWEEN: Lexicon = Lexicon::english("loops.between");
pub(super) static DEEDS: Lexicon<(&'static str, i32, i32)> = Lexicon::english("loops.deeds");
pub(super) static VERBS: Lexicon<(&'static str, &'static str, &'static str, i32)> =
    Lexicon::japanese("loops.verbs");
pub(super) static NOUNS: Lexicon<(&'static str, i32)> = Lexicon::japanese("loops.nouns");
static ENDS_ALONE: Lexicon = Lexicon::japanese("loops.deed_ends_alone");
static ENDS: Lexicon = Lexicon::japanese("loops.deed_ends");
static NO_DEEDS: Lexicon = Lexicon::japanese("loops.no_deeds");
static LASTING: Lexicon = Lexicon::of_all("loops.lasting_deeds");
static UNTIL: Lexicon = Lexicon::japanese("loops.until");
static ENGLISH_UNTIL: Lexicon = Lexicon::english("loops.until");
static UNTIL_ONLY: Lexicon = Lexicon::japanese("loops.until_only");
static REASONS: Lexicon = Lexicon::japanese("loops.reasons");
static PLAIN_ENDS: Lexicon = Lexicon::japanese("loops.plain_ends");
static TRIES: Lexicon = Lexicon::japanese("loops.deed_ends_tried");
static PLANS: Lexicon = Lexicon::japanese("loops.deed_ends_planned");
static BEHIND: Lexicon = Lexicon::japanese("loops.courtesies_behind");
static NO_DOUBTS: Lexicon = Lexicon::japanese("loops.no_doubts");
static DOUBTS: LazyLock<WordFinder> = LazyLock::new(|| WordFinder::of("loops.doubts"));
static AT_ONCE: LazyLock<WordFinder> = LazyLock::new(|| WordFinder::of("loops.at_once"));
static REPORTED: LazyLock<WordFinder> = LazyLock::new(|| WordFinder::of("loops.reported"));

/// A deed that counts as promised without a day has this strength.
const COUNTS_ALONE: i32 = 2;

/// What somebody promises to do, by the word that stands for it in a lexicon.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Deed {
    /// Two deeds of the same word may be the same.
    pub(super) word: &'static str,
    /// Whether it hands something over, so that a file or a link keeps the promise.
    pub(super) hands_over: bool,
}

/// A promise in a sentence.
#[derive(Clone, Debug)]
pub(super) struct SaidPromise {
    pub(super) deed: Deed,
    pub(super) by: Option<Date>,
    /// Whether it names a day or a time.
    pub(super) is_dated: bool,
    /// Whether it is more than that its author will try (今度やってみます), or do at once (これからやります).
    pub(super) is_firm: bool,
}

/// What the sentence promises, if it promises anything.
pub(super) fn promise_of_sentence(sentence: &OwnSentence<'_>, said_on: Date) -> Option<SaidPromise> {
    if sentence.asks {
        return None;
    }
    let (deed, counts_alone) = english_promise(sentence)
        .or_else(|| japanese_promise(sentence))
        .filter(|_| !is_doubtful(sentence))?;
    let by = day_of_sentence(sentence, said_on);
    // What somebody does on the same day for themselves is a plan: 今日はテストを書きます.
    let is_plan = by == Some(said_on) && !deed.hands_over && !says_deadline(sentence);
    let is_vague = names_vague_time(sentence);
    let is_meant = counts_alone || (by.is_some() && !is_plan) || is_vague;
    let is_firm = !TRIES.words().any(|end| sentence.plain.contains(end)) && !sentence.has(&AT_ONCE);
    is_meant.then_some(SaidPromise { deed, by, is_dated: by.is_some() || is_vague, is_firm })
}

/// Whether a sentence is a hope, a condition, a refusal or what somebody else said.
pub(super) fn is_doubtful(sentence: &OwnSentence<'_>) -> bool {
    let mut plain = Cow::Borrowed(sentence.plain.as_str());
    for words in NO_DOUBTS.words() {
        if plain.contains(words) {
            plain = Cow::Owned(plain.replace(words, " "));
        }
    }
    let english = words_with_spaces(&plain);
    DOUBTS.stands_in_words(&plain, &english) || REPORTED.stands_in_words(&plain, &english)
}

/// Whether a sentence names something that one may promise to do: what somebody takes on who is asked for it.
pub(super) fn names_deed(sentence: &OwnSentence<'_>) -> bool {
    let stands = |deeds: &LazyLock<Option<AhoCorasick>>, text: &str| {
        deeds.as_ref().is_some_and(|deeds| deeds.is_match(text))
    };
    stands(&ENGLISH_ASKED_DEEDS, &sentence.spaced)
        || (sentence.is_japanese && stands(&ASKED_DEEDS, &sentence.plain))
}

/// The same in English: send, and "would you mind sending it?"
static ENGLISH_ASKED_DEEDS: LazyLock<Option<AhoCorasick>> = LazyLock::new(|| {
    let forms = DEEDS
        .iter()
        .flat_map(|(word, ..)| [format!(" {word} "), format!(" {}ing ", word.trim_end_matches('e'))]);
    AhoCorasick::new(forms).ok()
});

/// What names a deed where it is asked for: 注文してもらえますか, 点検をお願いします, 送って.
static ASKED_DEEDS: LazyLock<Option<AhoCorasick>> = LazyLock::new(|| {
    let nouns = NOUNS.iter().map(|(noun, _)| *noun);
    AhoCorasick::new(nouns.chain(VERBS.iter().map(|(_, te, ..)| *te))).ok()
});

fn english_promise(sentence: &OwnSentence<'_>) -> Option<(Deed, bool)> {
    let spaced = sentence.spaced.as_str();
    let behind = COMMITMENTS.words().find_map(|words| Some(spaced.split_once(&format!(" {words} "))?.1));
    // "Will send it by Friday."
    let mut rest = behind.or_else(|| spaced.strip_prefix(" will "))?;
    while let Some(shorter) = BETWEEN.words().find_map(|word| rest.strip_prefix(word)?.strip_prefix(' ')) {
        rest = shorter;
    }
    let is_deed = |word: &str| rest.strip_prefix(word).is_some_and(|rest| rest.starts_with(' '));
    let deeds = DEEDS.iter().filter(|(word, ..)| is_deed(word));
    let (word, strength, hands_over) = deeds.max_by_key(|(word, ..)| word.len())?;
    // "I'll work on it until five."
    let lasts = LASTING.words().any(|lasting| lasting == *word);
    if lasts && ENGLISH_UNTIL.words().any(|until| rest.contains(&format!(" {until} "))) {
        return None;
    }
    // A promise to somebody: "I'll check it and let you know".
    let tells = rest.contains(" let you know ") || rest.contains(" get back to you ");
    Some((Deed { word, hands_over: *hands_over == 1 }, *strength >= COUNTS_ALONE || tells))
}

/// How a clause ends that promises something.
struct PromisedEnd {
    end: String,
    deed: Deed,
    /// Whether it counts without a day.
    is_alone: bool,
    /// Whether the plain form counts only with what softens it behind it: 送るね.
    needs_softening: bool,
}

static PROMISED_ENDS: LazyLock<Vec<PromisedEnd>> = LazyLock::new(|| {
    let mut ends = Vec::new();
    for (noun, hands_over) in NOUNS.iter().copied() {
        let deed = Deed { word: noun, hands_over: hands_over == 1 };
        let mut add = |end: String, is_alone| {
            ends.push(PromisedEnd { end: format!("{noun}{end}"), deed, is_alone, needs_softening: false });
        };
        for end in ENDS_ALONE.words() {
            add(format!("して{end}"), true);
            add(format!("し{}", without_e(end)), true);
        }
        TRIES.words().for_each(|end| add(format!("して{end}"), false));
        ENDS.words().for_each(|end| add(end.to_owned(), false));
    }
    for (polite, te, plain, hands_over) in VERBS.iter().copied() {
        let deed = Deed { word: polite, hands_over: hands_over == 1 };
        let mut add = |end: String, is_alone, needs_softening| {
            ends.push(PromisedEnd { end, deed, is_alone, needs_softening });
        };
        for end in ENDS_ALONE.words() {
            add(format!("{te}{end}"), true, false);
            add(format!("{}{}", without_te(te), without_e(end)), true, false);
        }
        add(format!("{polite}ます"), false, false);
        TRIES.words().for_each(|end| add(format!("{te}{end}"), false, false));
        PLANS.words().for_each(|end| add(format!("{plain}{end}"), false, false));
        add(plain.to_owned(), false, true);
    }
    ends
});

fn japanese_promise(sentence: &OwnSentence<'_>) -> Option<(Deed, bool)> {
    if !sentence.is_japanese {
        return None;
    }
    sentence.plain.split('、').rev().find_map(|clause| {
        let (clause, is_softened) = without_courtesies(clause);
        if !PLAIN_ENDS.words().any(|end| clause.ends_with(end)) {
            return None;
        }
        let is_said =
            |end: &&PromisedEnd| (is_softened || !end.needs_softening) && clause.ends_with(end.end.as_str());
        let end = PROMISED_ENDS.iter().filter(is_said).max_by_key(|end| end.end.len())?;
        if NO_DEEDS.words().any(|words| clause.contains(words)) {
            return None;
        }
        let before = clause.strip_suffix(end.end.as_str()).unwrap_or_default();
        (!goes_on_until(before, end.deed)).then_some((end.deed, end.is_alone))
    })
}

/// Whether a deed is only done until a time, so that nothing is due then: 17時まで対応します, それまではやります. What stands
/// before a reason is of that: 金曜までは無理なので来週送ります.
fn goes_on_until(before: &str, deed: Deed) -> bool {
    let lasts = LASTING.words().any(|word| word == deed.word);
    let mut only = UNTIL_ONLY.words().filter_map(|words| Some(before.rsplit_once(words)?.1));
    only.any(|behind| !REASONS.words().any(|words| behind.contains(words)))
        || (lasts && UNTIL.words().any(|words| before.ends_with(words)))
}

/// て and お run together: ときます, とく.
fn without_e(end: &str) -> String {
    end.strip_prefix('お').map_or_else(|| end.to_owned(), |rest| format!("と{rest}"))
}

/// A form before おきます without its て, which runs together with it.
fn without_te(te: &str) -> &str {
    te.strip_suffix(['て', 'で']).unwrap_or(te)
}

/// A clause without what softens its end, and whether anything did.
pub(super) fn without_courtesies(clause: &str) -> (&str, bool) {
    let mut rest = clause.trim_end();
    let mut is_softened = false;
    while let Some(shorter) = BEHIND.words().find_map(|end| rest.strip_suffix(end)) {
        rest = shorter.trim_end();
        is_softened = true;
    }
    (rest, is_softened)
}
