//! The words that show what a message wants, all in folded form (NFKC, lower case). They stand in
//! `lexicons/`.

use myao_core::{text::Lexicon, worth::words_with_spaces};

/// Words of both languages: Japanese ones are found as parts of a text, English ones as whole words.
pub(super) struct CueWords {
    japanese: Lexicon,
    english: Lexicon,
}

impl CueWords {
    /// The words of the lists of this key; a language without one has no words.
    const fn of(key: &'static str) -> Self {
        Self { japanese: Lexicon::japanese(key), english: Lexicon::english(key) }
    }

    /// Whether one of them is in a text, given folded and with single spaces around its English words.
    pub(super) fn are_in(&'static self, folded: &str, english: &str) -> bool {
        self.japanese.words().any(|word| folded.contains(word))
            || self.english.words().any(|word| {
                english.match_indices(word).any(|(at, _)| {
                    let before = english.get(..at).is_some_and(|head| head.ends_with(' '));
                    before && english.get(at + word.len()..).is_some_and(|tail| tail.starts_with(' '))
                })
            })
    }

    /// Whether a folded text ends with one of them.
    pub(super) fn end(&'static self, folded: &str) -> bool {
        let english = words_with_spaces(folded);
        self.japanese.words().any(|word| folded.ends_with(word))
            || self.english.words().any(|word| english.trim_end().ends_with(&format!(" {word}")))
    }

    /// Whether a folded text begins with one of them, in Japanese.
    pub(super) fn begin(&'static self, folded: &str) -> bool {
        self.japanese.words().any(|word| folded.starts_with(word))
    }
}

/// Thanks, goodbyes, solutions.
pub(super) static CLOSINGS: CueWords = CueWords::of("judge.closings");

/// Words of somebody who is stuck with a problem.
pub(super) static TROUBLE: CueWords = CueWords::of("judge.trouble");

/// Words of somebody who is sad or tired.
pub(super) static SORROW: CueWords = CueWords::of("judge.sorrow");

/// Announcements to everybody, and questions to everybody that want a vote.
pub(super) static NOTICES: CueWords = CueWords::of("judge.notices");

/// Ends of questions that are guesses, proposals, or ask for agreement.
pub(super) static SOFT: CueWords = CueWords::of("judge.soft");

/// Ends like those of `SOFT` that are real questions nevertheless.
pub(super) static FIRM: CueWords = CueWords::of("judge.firm");

/// Ends of sentences that ask somebody to do something, which we cannot do.
pub(super) static FAVOURS: CueWords = CueWords::of("judge.favours");

/// Requests that anybody can answer in words.
pub(super) static ADVICE: CueWords = CueWords::of("judge.advice");

/// Continuations of a Japanese sentence after a question that was only thought.
pub(super) static QUOTING: CueWords = CueWords::of("judge.quoting");
