//! Says which words of a message are counted.

use std::{borrow::Cow, collections::BTreeSet};

use myao_core::{
    chat::FileRef,
    recall::{is_dictionary_word, katakana_key, katakana_words},
    text::{key_of_term, terms_of_text, with_secrets_masked},
};

/// What is counted of a text.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum CountedWord {
    Term(String),
    /// A word of katakana, of which terms are only pieces.
    Katakana(String),
}

impl CountedWord {
    /// What it is counted under.
    pub(super) fn key(&self) -> i64 {
        match self {
            Self::Term(term) => key_of_term(term),
            Self::Katakana(word) => katakana_key(word),
        }
    }

    /// The word as a dictionary holds it.
    pub(super) fn word(&self) -> Option<&String> {
        match self {
            Self::Term(term) => Some(term).filter(|term| is_dictionary_word(term)),
            Self::Katakana(word) => Some(word),
        }
    }
}

/// The terms of a message that are counted: those of its text and of its files' words.
pub(crate) fn terms_of_message(text: &str, files: &[FileRef]) -> BTreeSet<String> {
    texts_of_message(text, files).flat_map(|text| terms_of_text(&with_secrets_masked(&text))).collect()
}

/// These terms, and the words of katakana.
pub(super) fn words_of_message(text: &str, files: &[FileRef]) -> BTreeSet<CountedWord> {
    let mut counted = BTreeSet::new();
    for text in texts_of_message(text, files) {
        let text = with_secrets_masked(&text);
        counted.extend(terms_of_text(&text).into_iter().map(CountedWord::Term));
        counted.extend(katakana_words(&text).into_iter().map(CountedWord::Katakana));
    }
    counted
}

/// The texts of a message. Their secrets are masked before they are counted.
fn texts_of_message<'a>(text: &'a str, files: &'a [FileRef]) -> impl Iterator<Item = Cow<'a, str>> {
    std::iter::once(Cow::Borrowed(text)).chain(files.iter().map(|file| Cow::Owned(file.words())))
}
