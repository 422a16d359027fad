//! What the heuristics know of a language: lists of words, kept as data in `lexicons/`.
//!
//! A folder is a language, by its tag; `any` holds what belongs to no language of ours and counts beside all of them. A
//! file is a topic: a JSON object of named lists, each with what it is `about` and, if only one language has it, why
//! (`only`). The files are embedded and parsed once; a list is taken from them where it is first used.

use std::{
    collections::BTreeMap,
    ops::Deref,
    sync::{LazyLock, OnceLock},
};

use serde::Deserialize;
use serde_json::Value;

use super::Language;

/// A file of `lexicons/`.
#[derive(Clone, Copy, Debug)]
pub struct LexiconFile {
    /// The folder: the tag of a language, or `any`.
    pub folder: &'static str,
    /// The name of the file, without `.json`; the first part of its lists' keys.
    pub topic: &'static str,
    /// What it holds.
    pub text: &'static str,
}

macro_rules! files {
    ($($folder:literal: $($topic:literal)*;)*) => {
        &[$($(LexiconFile {
            folder: $folder,
            topic: $topic,
            text: include_str!(concat!("../../../../lexicons/", $folder, "/", $topic, ".json")),
        }),*),*]
    };
}

const FILES: &[LexiconFile] = files! {
    "any": "errors" "languages";
    "en": "another" "asked" "aspects" "attribution" "brief" "changes" "check" "commands" "condense" "corrections" "dates" "enduring" "errors" "house_words" "judge" "kind" "languages" "loops" "mandate" "manner" "marks" "measures" "merge" "names" "owner" "passages" "quoted" "recall" "refusal" "relative" "replies" "sentences" "topics" "wishes" "worth" "wrapper";
    "ja": "another" "asked" "aspects" "attribution" "brief" "changes" "check" "commands" "condense" "corrections" "dates" "enduring" "errors" "house_words" "judge" "kana" "kind" "loops" "mandate" "marks" "measures" "merge" "owner" "passages" "quoted" "recall" "refusal" "relative" "replies" "sentences" "topics" "wishes" "worth" "wrapper";
};

/// A list of a file.
#[derive(Debug, Deserialize)]
struct StoredList {
    words: Vec<Value>,
}

/// All lists, by folder and key (`topic.name`).
static LISTS: LazyLock<BTreeMap<(&'static str, String), StoredList>> = LazyLock::new(|| {
    let mut lists = BTreeMap::new();
    for file in FILES {
        // A file that cannot be read would leave its lists empty, so a test reads all of them.
        let stored = serde_json::from_str::<BTreeMap<String, StoredList>>(file.text).unwrap_or_default();
        lists.extend(
            stored.into_iter().map(|(name, list)| ((file.folder, format!("{}.{name}", file.topic)), list)),
        );
    }
    lists
});

/// The files that are embedded, for tests that compare them with what there is.
pub const fn embedded_lexicons() -> &'static [LexiconFile] {
    FILES
}

/// A list of words, or of entries with more than a word (`T`), in their order. It is found by its key, `topic.name`.
///
/// Meant for statics: the list is taken from its file at its first use, and after that a slice.
#[derive(Debug)]
pub struct Lexicon<T: 'static = &'static str> {
    key: &'static str,
    /// `None` is the lists of all languages, one after the other.
    language: Option<Language>,
    entries: OnceLock<Vec<T>>,
}

impl<T> Lexicon<T> {
    /// The English list.
    pub const fn english(key: &'static str) -> Self {
        Self::of(key, Some(Language::En))
    }

    /// The Japanese list.
    pub const fn japanese(key: &'static str) -> Self {
        Self::of(key, Some(Language::Ja))
    }

    /// The lists of all languages together, for what is said in any of them.
    pub const fn of_all(key: &'static str) -> Self {
        Self::of(key, None)
    }

    const fn of(key: &'static str, language: Option<Language>) -> Self {
        Self { key, language, entries: OnceLock::new() }
    }
}

impl<T: Deserialize<'static>> Lexicon<T> {
    fn read(&self) -> Vec<T> {
        let key = self.key;
        debug_assert!(LISTS.keys().any(|(_, known)| known == key), "no file of lexicons/ has the list {key}");
        let is_meant = |folder: &str| self.language.is_none_or(|language| language.as_str() == folder);
        let mut entries = Vec::new();
        let lists = LISTS.iter().filter(|((folder, known), _)| known == key && is_meant(folder));
        for word in lists.flat_map(|(_, list)| &list.words) {
            let entry = T::deserialize(word);
            debug_assert!(entry.is_ok(), "{key} has an entry of another form than the others: {word}");
            entries.extend(entry);
        }
        entries
    }
}

impl<T: Deserialize<'static>> Deref for Lexicon<T> {
    type Target = [T];

    fn deref(&self) -> &[T] {
        self.entries.get_or_init(|| self.read())
    }
}

impl Lexicon {
    /// The words, for whoever puts them in a form of their own.
    pub fn into_words(self) -> Vec<&'static str> {
        self.read()
    }

    /// The words, one after the other.
    pub fn words(&'static self) -> impl Iterator<Item = &'static str> {
        self.iter().copied()
    }
}
