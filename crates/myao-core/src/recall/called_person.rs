//! How people call somebody in talk, and whether a text names them.

use crate::{
    text::{WritingSystem, fold_for_comparison, writing_system},
    worth::words_with_spaces,
};

/// How many letters of a name in kanji, if it has twice as many, are the family's.
const FAMILY_NAME: usize = 2;

/// Somebody, and how people call them.
#[derive(Clone, Debug)]
pub struct CalledPerson {
    called: Vec<String>,
}

impl CalledPerson {
    /// Of somebody's name as it is shown.
    pub fn new(name: &str) -> Self {
        let folded = fold_for_comparison(name);
        let mut called: Vec<String> = folded
            .split(|c: char| !c.is_alphanumeric())
            .filter(|word| word.chars().nth(1).is_some())
            .map(str::to_owned)
            .collect();
        let is_kanji = |word: &&String| word.chars().all(|c| writing_system(c) == WritingSystem::Han);
        let families: Vec<String> = called
            .iter()
            .filter(is_kanji)
            .filter(|word| word.chars().count() >= 2 * FAMILY_NAME)
            .map(|word| word.chars().take(FAMILY_NAME).collect())
            .collect();
        called.extend(families);
        Self { called }
    }

    /// The same, also called as before: a former name.
    #[must_use]
    pub fn also_called(mut self, name: &str) -> Self {
        self.called.extend(Self::new(name).called);
        self
    }

    /// The same without what these people are called as well: a name that several bear means nobody for certain.
    #[must_use]
    pub fn told_from(mut self, others: &[Self]) -> Self {
        self.called.retain(|way| !others.iter().any(|other| other.called.contains(way)));
        self
    }

    /// Every way, folded.
    pub fn ways(&self) -> &[String] {
        &self.called
    }

    /// Whether a folded text names them: Latin letters as a whole word, with or without the s of a genitive.
    pub fn is_named_in(&self, said: &str) -> bool {
        self.called.iter().any(|way| is_name_in(said, way))
    }
}

/// Whether a folded name stands in a folded text.
fn is_name_in(said: &str, name: &str) -> bool {
    if !name.is_ascii() {
        return said.contains(name);
    }
    let spaced = words_with_spaces(said);
    ["", "'s"].iter().any(|end| spaced.contains(&format!(" {name}{end} ")))
}
