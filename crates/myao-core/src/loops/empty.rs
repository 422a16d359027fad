//! What leaves a question as open as it was: courtesies, that somebody does not know, and that they will look later.
//!
//! A message is that only if nothing else stands in it. A number, a day, a "but": whatever is left over is an answer.

use std::sync::LazyLock;

use super::sentences::OwnSentence;
use crate::{chat::UserId, text::Lexicon};

static PLEASANTRIES: Lexicon = Lexicon::of_all("loops.pleasantries");
static NO_ANSWERS: Lexicon = Lexicon::of_all("loops.no_answers");
static PUT_OFF: Lexicon = Lexicon::of_all("loops.puts_off");
static FILLERS: Lexicon = Lexicon::of_all("loops.fillers");

/// All of them, the longer ones first.
static EMPTY: LazyLock<Vec<(&str, Emptiness)>> = LazyLock::new(|| {
    let of = |list: &'static Lexicon, said| list.words().map(move |words| (words, said));
    let all = of(&NO_ANSWERS, Emptiness::NoAnswer).chain(of(&PUT_OFF, Emptiness::PutOff));
    let all = all.chain(of(&PLEASANTRIES, Emptiness::Courtesy)).chain(of(&FILLERS, Emptiness::Courtesy));
    let mut all: Vec<(&str, Emptiness)> = all.collect();
    all.sort_by_key(|(words, _)| std::cmp::Reverse(words.len()));
    all
});

/// What a message says that answers nothing; of several, the last one counts.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Emptiness {
    /// Only courtesies.
    Courtesy,
    /// That its author does not know.
    NoAnswer,
    /// That its author will look later.
    PutOff,
}

/// What a message says if it answers nothing; `None` if anything in it may be an answer.
pub(super) fn emptiness(sentences: &[OwnSentence<'_>]) -> Option<Emptiness> {
    let said: Vec<Emptiness> = sentences.iter().map(emptiness_of_sentence).collect::<Option<_>>()?;
    said.into_iter().max()
}

pub(super) fn emptiness_of_sentence(sentence: &OwnSentence<'_>) -> Option<Emptiness> {
    let mut kind = Emptiness::Courtesy;
    let mut rest = sentence.plain.as_str();
    loop {
        rest = rest.trim_start_matches(|c: char| !c.is_alphanumeric() || "ー〜".contains(c));
        if rest.is_empty() {
            return Some(kind);
        }
        let (words, said) = EMPTY.iter().find(|(words, _)| begins(rest, words))?;
        kind = kind.max(*said);
        rest = rest.get(words.len()..)?;
    }
}

/// Whether a text begins with these words, and a Latin one ends where they end.
fn begins(text: &str, words: &str) -> bool {
    let is_letter = |c: char| c.is_ascii_alphanumeric() || c == '\'';
    text.strip_prefix(words)
        .is_some_and(|after| !(words.ends_with(is_letter) && after.starts_with(is_letter)))
}

/// Whether a message does nothing but ask others than `asker`, as who hands a question on: "@bob do you know?"
pub(super) fn hands_on(sentences: &[OwnSentence<'_>], called: &[UserId], asker: Option<&UserId>) -> bool {
    let asks_or_is_empty =
        |sentence: &OwnSentence<'_>| sentence.asks || emptiness_of_sentence(sentence).is_some();
    !called.is_empty()
        && asker.is_none_or(|asker| !called.contains(asker))
        && sentences.iter().any(|sentence| sentence.asks)
        && sentences.iter().all(asks_or_is_empty)
}
