//! Reads what somebody says they did: "Picked up the cake", 「提出しておきました」.

use std::sync::LazyLock;

use aho_corasick::AhoCorasick;

use super::{
    deed::{DEEDS, NOUNS, VERBS, without_courtesies},
    sentences::OwnSentence,
};
use crate::{text::Lexicon, worth::WordFinder};

static DONE: LazyLock<WordFinder> = LazyLock::new(|| WordFinder::of("loops.done"));
static UNDONE: LazyLock<WordFinder> = LazyLock::new(|| WordFinder::of("loops.undone"));
static IRREGULAR: Lexicon<(&'static str, &'static str, &'static str)> = Lexicon::english("loops.deed_pasts");
static PAST_NOUN_ENDS: Lexicon = Lexicon::japanese("loops.deed_pasts");

/// What stands between a verb and the rest of its deed is at most so long: picked the heavy old thing up.
const MOST_BETWEEN: usize = 4;

/// Whether a sentence says that something was done.
pub(super) fn says_done(sentence: &OwnSentence<'_>) -> bool {
    if sentence.asks || UNDONE.stands_in(&sentence.plain) {
        return false;
    }
    // Whatever its author says they did may be it: 反映しました.
    let is_past =
        || without_courtesies(&sentence.plain).0.ends_with("ました") || has_past_deed(&sentence.plain);
    DONE.stands_in(&sentence.plain)
        || english_deeds_done(&sentence.spaced).next().is_some()
        || (sentence.is_japanese && is_past())
}

/// A deed in the past.
struct PastDeed {
    deed: &'static str,
    /// The past and the participle of its verb.
    forms: [String; 2],
    /// The word that tells it from other deeds of the same verb: the `back` of `get back to you`.
    also: Option<&'static str>,
    /// Whether the past is the verb itself, so that a request looks like it: let me know.
    is_base: bool,
}

static PAST_DEEDS: LazyLock<Vec<PastDeed>> = LazyLock::new(|| {
    let past_deed = |deed: &'static str| {
        let irregular = |verb: &str| IRREGULAR.iter().find(|(base, ..)| *base == verb);
        if let Some((_, past, participle)) = irregular(deed) {
            let is_base = *past == deed;
            return PastDeed {
                deed,
                forms: [(*past).to_owned(), (*participle).to_owned()],
                also: None,
                is_base,
            };
        }
        let (verb, rest) = deed.split_once(' ').unwrap_or((deed, ""));
        let forms = irregular(verb).map_or_else(
            || [regular_past(verb), regular_past(verb)],
            |(_, past, participle)| [(*past).to_owned(), (*participle).to_owned()],
        );
        let also = rest.split(' ').filter(|word| !word.is_empty()).max_by_key(|word| word.len());
        PastDeed { deed, is_base: forms.iter().all(|form| form == verb), forms, also }
    };
    DEEDS.iter().map(|(deed, ..)| past_deed(deed)).collect()
});

/// The deeds that stand in the past in English words with spaces around them.
fn english_deeds_done(spaced: &str) -> impl Iterator<Item = &'static str> {
    PAST_DEEDS.iter().filter(move |past| stands_in_past(past, spaced)).map(|past| past.deed)
}

fn stands_in_past(past: &PastDeed, spaced: &str) -> bool {
    past.forms.iter().any(|form| {
        spaced.match_indices(&format!(" {form} ")).any(|(at, found)| {
            let mut behind = spaced.get(at + found.len()..).unwrap_or_default().split(' ').peekable();
            let asks_for_it = past.is_base && behind.peek().is_some_and(|next| matches!(*next, "me" | "us"));
            !asks_for_it
                && past.also.is_none_or(|also| behind.take(MOST_BETWEEN + 1).any(|word| word == also))
        })
    })
}

/// The past of a verb by rule: share and shared, reply and replied, plan and planned, book and booked.
fn regular_past(verb: &str) -> String {
    let is_vowel = |c: &char| "aeiou".contains(*c);
    let mut back = verb.chars().rev();
    let (last, second, third) = (back.next(), back.next(), back.next());
    if last == Some('e') {
        return format!("{verb}d");
    }
    if let (Some('y'), Some(second)) = (last, second)
        && !is_vowel(&second)
    {
        return format!("{}ied", verb.trim_end_matches('y'));
    }
    // A last consonant is doubled behind the only vowel of the verb.
    let doubled = last.filter(|last| {
        let is_closed = !is_vowel(last) && !"wxy".contains(*last);
        let is_only = verb.chars().filter(is_vowel).count() == 1 && third.is_some();
        is_closed && is_only && second.as_ref().is_some_and(is_vowel)
    });
    doubled.map_or_else(|| format!("{verb}ed"), |last| format!("{verb}{last}ed"))
}

/// What says that one of the Japanese deeds was done: 送りました, 送っといた, 共有済み.
static JAPANESE_PASTS: LazyLock<Option<AhoCorasick>> = LazyLock::new(|| {
    let nouns =
        NOUNS.iter().flat_map(|(noun, _)| PAST_NOUN_ENDS.words().map(move |end| format!("{noun}{end}")));
    let verbs = VERBS.iter().flat_map(|(polite, te, ..)| {
        let mut forms = vec![
            format!("{polite}ました"),
            format!("{polite}済"),
            format!("{te}ある"),
            format!("{te}あります"),
        ];
        for (ending, past, short) in [('て', 'た', "と"), ('で', 'だ', "ど")] {
            let Some(stem) = te.strip_suffix(ending) else { continue };
            forms.extend([format!("{stem}{past}"), format!("{te}おいた"), format!("{te}おきました")]);
            forms.extend([format!("{stem}{short}いた"), format!("{stem}{short}きました")]);
        }
        forms
    });
    AhoCorasick::new(nouns.chain(verbs)).ok()
});

/// What makes a wish or a condition of a form that ends like a past: 送ったら, 出したい.
const NO_PAST: [&str; 8] = ["い", "く", "かった", "がっ", "がる", "けれ", "ら", "り"];

fn has_past_deed(plain: &str) -> bool {
    let is_past = |end: usize| {
        let behind = plain.get(end..).unwrap_or_default();
        !NO_PAST.iter().any(|words| behind.starts_with(words))
    };
    JAPANESE_PASTS
        .as_ref()
        .is_some_and(|pasts| pasts.find_overlapping_iter(plain).any(|found| is_past(found.end())))
}
