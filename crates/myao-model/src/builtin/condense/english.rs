//! English: interjections, fillers and adverbs of emphasis.

use std::{collections::HashSet, sync::LazyLock};

use crate::builtin::score::words;

/// Left out where a sentence begins.
const OPENINGS: &str = "\
    well, so, ok, okay, k, yeah, yep, yup, oh, ah, ahh, aha, hmm, hm, hmmm, mmm, um, uh, uhm, uhoh, er, erm, hey, hi, hello, \
    btw, fyi, anyway, anyways, also, and, then, lol, haha, hehe, heh, basically, actually, honestly, ugh, please";
/// Left out where a sentence begins, with a comma or the like behind them: without it they belong to what follows.
const EXCLAMATIONS: &str = "\
    right, sure, great, nice, cool, wow, awesome, sorry, thanks, thx, guys, folks, man, dude, plus, alright, good, perfect, \
    welcome, congrats, congratulations, yay, ooh, gosh, omg";
/// Left out anywhere.
const FILLERS: &str = "\
    actually, basically, really, just, very, quite, literally, simply, definitely, totally, honestly, obviously, certainly, \
    kinda, sorta, somehow, anyway, anyways, lol, haha, hehe, heh, btw, um, uh, hmm";
/// Left out where a sentence ends.
const ENDINGS: &str = "\
    lol, haha, hehe, heh, though, tho, thanks, thx, ty, please, pls, plz, btw, anyway, anyways, man, dude, guys, folks, cheers";
/// Words behind which a filler means something: `not really`, `if only just`.
const NEGATIONS: &str = "not, never, no, only, cannot";

static OPENING: LazyLock<HashSet<&str>> = LazyLock::new(|| words(OPENINGS).collect());
static FILLER: LazyLock<HashSet<&str>> = LazyLock::new(|| words(FILLERS).collect());
static ENDING: LazyLock<HashSet<&str>> = LazyLock::new(|| words(ENDINGS).collect());
static NEGATION: LazyLock<HashSet<&str>> = LazyLock::new(|| words(NEGATIONS).collect());
static EXCLAMATION: LazyLock<HashSet<&str>> = LazyLock::new(|| words(EXCLAMATIONS).collect());

/// A sentence without them.
pub(super) fn condense(text: &str) -> String {
    let all: Vec<&str> = text.split_whitespace().collect();
    let start = all.iter().take_while(|word| is_opening(word)).count();
    let left = all.get(start..).unwrap_or_default();
    let end = left.iter().rev().take_while(|word| ENDING.contains(core(word).as_str())).count();
    let left = left.get(..left.len() - end).unwrap_or_default();
    let mut kept: Vec<String> = Vec::new();
    let mut quoted = false;
    for word in left {
        let was_quoted = quoted;
        quoted ^= word.matches(['`', '"', '“', '”']).count() % 2 == 1;
        let plain = core(word);
        let before = kept.last().map(|word| core(word)).unwrap_or_default();
        let filler = FILLER.contains(plain.as_str())
            && !NEGATION.contains(before.as_str())
            && !before.ends_with("n't");
        if was_quoted || quoted || !filler {
            kept.push((*word).to_owned());
        }
    }
    kept.join(" ")
}

fn is_opening(word: &str) -> bool {
    let plain = core(word);
    OPENING.contains(plain.as_str())
        || (EXCLAMATION.contains(plain.as_str()) && word.ends_with([',', '!', '.', '…']))
        || (plain.is_empty() && !word.contains(['`', '"']))
}

fn core(word: &str) -> String {
    word.trim_matches(|c: char| !c.is_alphanumeric()).to_lowercase().replace('’', "'")
}
