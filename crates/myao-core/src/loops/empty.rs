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
static HALF_ANSWERS: Lexicon = Lexicon::of_all("loops.half_answers");

/// All of them, the longer ones first.
static EMPTY: LazyLock<Vec<(&str, EmptyPiece)>> = LazyLock::new(|| {
    let of = |list: &'static Lexicon, piece| list.words().map(move |words| (words, piece));
    let all = of(&NO_ANSWERS, EmptyPiece::Says(Emptiness::NoAnswer));
    let all = all.chain(of(&PUT_OFF, EmptyPiece::Says(Emptiness::PutOff)));
    let all = all.chain(of(&PLEASANTRIES, EmptyPiece::Says(Emptiness::Courtesy)));
    let all = all.chain(of(&FILLERS, EmptyPiece::Filler)).chain(of(&HALF_ANSWERS, EmptyPiece::HalfAnswer));
    let mut all: Vec<(&str, EmptyPiece)> = all.collect();
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

/// What words are of which nothing is left over in a message.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum EmptyPiece {
    Says(Emptiness),
    /// It may stand beside the others, and answers alone: everyone.
    Filler,
    /// It answers beside courtesies too: sorry; later.
    HalfAnswer,
}

/// What a message says if it answers nothing; `None` if anything in it may be an answer.
pub(super) fn emptiness(sentences: &[OwnSentence<'_>]) -> Option<Emptiness> {
    let pieces: Vec<Vec<EmptyPiece>> = sentences.iter().map(pieces_of).collect::<Option<_>>()?;
    let kind = pieces.iter().flatten().filter_map(|piece| match piece {
        EmptyPiece::Says(said) => Some(*said),
        EmptyPiece::Filler | EmptyPiece::HalfAnswer => None,
    });
    let kind = kind.max()?;
    let answers =
        kind == Emptiness::Courtesy && pieces.iter().flatten().any(|one| *one == EmptyPiece::HalfAnswer);
    (!answers).then_some(kind)
}

/// What a sentence says that tells nothing of anything.
pub(super) fn emptiness_of_sentence(sentence: &OwnSentence<'_>) -> Option<Emptiness> {
    let said = pieces_of(sentence)?.into_iter().map(|piece| match piece {
        EmptyPiece::Says(said) => said,
        EmptyPiece::Filler | EmptyPiece::HalfAnswer => Emptiness::Courtesy,
    });
    Some(said.max().unwrap_or(Emptiness::Courtesy))
}

/// The pieces of a sentence that has nothing else.
fn pieces_of(sentence: &OwnSentence<'_>) -> Option<Vec<EmptyPiece>> {
    let mut pieces = Vec::new();
    let mut rest = sentence.plain.as_str();
    loop {
        rest = rest.trim_start_matches(|c: char| !c.is_alphanumeric() || "ー〜".contains(c));
        if rest.is_empty() {
            return Some(pieces);
        }
        let (words, piece) = EMPTY.iter().find(|(words, _)| begins(rest, words))?;
        pieces.push(*piece);
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
