//! The questions, and whether an answer is right.

use std::{fs, path::Path};

use serde::Deserialize;

/// How builtin says that it does not know.
const UNKNOWING: [&str; 2] = ["I don't know", "わかりません"];

/// A question, as a file of `examples/questions` has it.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Question {
    pub(super) ask: String,
    /// What is asked first in the same place, if anything is.
    pub(super) after: Option<String>,
    pub(super) channel: String,
    /// The first name of whoever asks.
    pub(super) by: String,
    /// The right answer, for people; `None` if nobody whom the place hears said it.
    pub(super) answer: Option<String>,
    /// A right answer has one of the words of each group.
    pub(super) right: Vec<Vec<String>>,
    /// Values that hold no more: an answer that names one names the right one before it.
    #[serde(default)]
    pub(super) old: Vec<String>,
    /// What the place may not be told.
    #[serde(default)]
    pub(super) wrong: Vec<String>,
    /// What is asked for, if it is nothing that was said: `self`, `remember`, `forget`, `why-remember`.
    pub(super) kind: Option<String>,
    /// What the memo says that is to be kept.
    pub(super) memo: Option<String>,
    pub(super) held_out: bool,
}

/// What came of a question.
#[derive(Debug)]
pub(super) struct SampleAnswer {
    pub(super) text: String,
    /// What the memos of the place say afterwards.
    pub(super) memos: Vec<String>,
    /// Whether everything that people said before still stands.
    pub(super) stands: bool,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Outcome {
    Right,
    /// It says that it does not know, though somebody said it.
    Unknowing,
    /// It answers something else.
    Misleading,
}

/// All questions of a language.
pub(super) fn questions(language: &str) -> Vec<Question> {
    let path = format!("../../examples/questions/{language}.json");
    let text = fs::read_to_string(Path::new(env!("CARGO_MANIFEST_DIR")).join(path)).expect("the questions");
    serde_json::from_str(&text).expect("questions")
}

impl Question {
    /// Whether an answer is right, by the words that were written down for it.
    pub(super) fn judge(&self, answer: &SampleAnswer) -> Outcome {
        let text = &answer.text;
        let at = |words: &[String]| words.iter().filter_map(|word| text.find(word.as_str())).min();
        if !answer.stands || at(&self.wrong).is_some() {
            return Outcome::Misleading;
        }
        let says_unknown = UNKNOWING.iter().any(|words| text.contains(words));
        if self.answer.is_none() {
            return if says_unknown { Outcome::Right } else { Outcome::Misleading };
        }
        let places: Option<Vec<usize>> = self.right.iter().map(|group| at(group)).collect();
        let is_new_first = |places: &Vec<usize>| {
            let old = at(&self.old);
            old.is_none_or(|old| places.iter().all(|place| *place < old))
        };
        let is_kept =
            self.memo.as_ref().is_none_or(|memo| answer.memos.iter().any(|kept| kept.contains(memo)));
        match places {
            Some(places) if is_new_first(&places) && is_kept => Outcome::Right,
            Some(_) | None if says_unknown => Outcome::Unknowing,
            Some(_) | None => Outcome::Misleading,
        }
    }
}
