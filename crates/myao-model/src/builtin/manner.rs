//! Scores a sentence by whether its speaker tells of themselves, or only speaks to the other person.

use std::{collections::HashSet, sync::LazyLock};

use myao_core::{
    text::{Lexicon, fold_for_comparison},
    worth::words_with_spaces,
};

/// Points for what people tell of themselves, which others ask about later.
const OF_ONESELF: i64 = 20;
/// Further points for what has happened to them or what they have done: `I went to the museum`.
const EVENT: i64 = 40;
/// Points off for what is only about the person spoken to (`you are an inspiration`), who knows it.
const OF_THE_OTHER: i64 = 40;
/// Points off for what only keeps a talk going: thanks, praise, comfort, questions back.
const COURTEOUS: i64 = 40;

static ONESELF: Lexicon = Lexicon::english("manner.oneself");
static OTHER: Lexicon = Lexicon::english("manner.other");
static PAST: Lexicon = Lexicon::english("manner.past");
/// Fewest letters of a past form that ends in `ed`: `need` is none.
const SHORTEST_PAST: usize = 5;
static COURTESIES: Lexicon = Lexicon::english("manner.courtesies");

static ONESELF_WORDS: LazyLock<HashSet<&str>> = LazyLock::new(|| ONESELF.words().collect());
static PAST_WORDS: LazyLock<HashSet<&str>> = LazyLock::new(|| PAST.words().collect());
static OTHER_WORDS: LazyLock<HashSet<&str>> = LazyLock::new(|| OTHER.words().collect());

/// The points of an English sentence for its manner; 0 in other languages, whose sentences mostly have no subject.
pub(super) fn points_for_manner(text: &str) -> i64 {
    let spoken = words_with_spaces(&fold_for_comparison(text));
    let has = |list: &HashSet<&str>| spoken.split_whitespace().any(|word| list.contains(word));
    let points = match (has(&ONESELF_WORDS), has(&OTHER_WORDS)) {
        (true, _) => OF_ONESELF,
        (false, true) => -OF_THE_OTHER,
        (false, false) => 0,
    };
    let event = if is_event(&spoken) { EVENT } else { 0 };
    points + event - if begins_courteously(&spoken) { COURTEOUS } else { 0 }
}

/// Whether a text begins with thanks, praise, comfort or the like.
pub(super) fn is_courteous(text: &str) -> bool {
    begins_courteously(&words_with_spaces(&fold_for_comparison(text)))
}

fn begins_courteously(spoken: &str) -> bool {
    let begins = |start: &str| {
        spoken
            .strip_prefix(' ')
            .and_then(|said| said.strip_prefix(start))
            .is_some_and(|rest| rest.starts_with(' '))
    };
    COURTESIES.words().any(begins)
}

/// Whether somebody says what they did: `I met`, `we all went`.
pub(super) fn tells_an_event(text: &str) -> bool {
    is_event(&words_with_spaces(&fold_for_comparison(text)))
}

/// The same of words with single spaces between them.
fn is_event(spoken: &str) -> bool {
    let words: Vec<&str> = spoken.split_whitespace().collect();
    let is_past =
        |word: &str| PAST_WORDS.contains(word) || (word.len() >= SHORTEST_PAST && word.ends_with("ed"));
    words.iter().enumerate().any(|(at, word)| {
        let next = words.iter().skip(at + 1).take(2);
        matches!(*word, "i" | "we") && next.into_iter().any(|word| is_past(word))
    })
}
