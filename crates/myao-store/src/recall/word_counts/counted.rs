//! Says which words of a message are counted.

use std::{borrow::Cow, collections::BTreeSet};

use myao_core::{
    chat::{FileRef, UserId},
    recall::{is_dictionary_word, katakana_key, katakana_words},
    text::{key_of_term, terms_of_text, visit_terms_of_text, with_secrets_masked},
};

/// Whose words are counted, from which text and which files.
pub(crate) struct WordSource<'a> {
    pub(crate) user: &'a UserId,
    pub(crate) text: &'a str,
    pub(crate) files: &'a [FileRef],
    /// Whether the text is known to hold no secret: then it is not looked for one again.
    pub(crate) is_without_secrets: bool,
}

impl<'a> WordSource<'a> {
    /// The words of a message of which it is not known whether it holds secrets.
    pub(crate) fn of(user: &'a UserId, text: &'a str, files: &'a [FileRef]) -> Self {
        Self { user, text, files, is_without_secrets: false }
    }
}

/// What is counted of a text: a term, or a word of katakana, of which terms are only pieces.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct CountedWord {
    /// What it is counted under.
    pub(super) key: i64,
    /// The word as a dictionary holds it, if one does.
    pub(super) word: Option<String>,
}

impl CountedWord {
    fn of_term(term: &str) -> Self {
        Self { key: key_of_term(term), word: is_dictionary_word(term).then(|| term.to_owned()) }
    }

    fn of_katakana(word: String) -> Self {
        Self { key: katakana_key(&word), word: Some(word) }
    }
}

/// The terms of a message that are counted: those of its text and of its files' words.
pub(crate) fn terms_of_message(text: &str, files: &[FileRef]) -> BTreeSet<String> {
    texts_of_message(text, files).flat_map(|text| terms_of_text(&with_secrets_masked(&text))).collect()
}

/// These terms, and the words of katakana, each once and in the order of their keys.
pub(super) fn words_of_message(source: &WordSource<'_>) -> Vec<CountedWord> {
    let mut counted = Vec::new();
    if source.is_without_secrets {
        add_words(source.text, &mut counted);
    } else {
        add_words(&with_secrets_masked(source.text), &mut counted);
    }
    for file in source.files {
        add_words(&with_secrets_masked(&file.words()), &mut counted);
    }
    counted.sort_unstable();
    counted.dedup_by_key(|word| word.key);
    counted
}

fn add_words(text: &str, counted: &mut Vec<CountedWord>) {
    visit_terms_of_text(text, |term| counted.push(CountedWord::of_term(term)));
    counted.extend(katakana_words(text).into_iter().map(CountedWord::of_katakana));
}

/// The texts of a message. Their secrets are masked before they are counted.
fn texts_of_message<'a>(text: &'a str, files: &'a [FileRef]) -> impl Iterator<Item = Cow<'a, str>> {
    std::iter::once(Cow::Borrowed(text)).chain(files.iter().map(|file| Cow::Owned(file.words())))
}
