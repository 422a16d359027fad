//! Short words of ours around what a model or a person is shown: marks in talk, headings of results, descriptions of
//! tools, excuses.
//!
//! They stand in `prompts/`, in a file `phrases.json` for each language: a phrase for each key, in Jinja where it has
//! values. Unlike the prompts beside them they cannot be replaced: the program reads some of them again.

use std::{collections::BTreeMap, sync::LazyLock};

use minijinja::{
    AutoEscape, Environment, UndefinedBehavior,
    value::{Serde, Value},
};
use serde::Serialize;

use super::Language;

/// The phrases of a language.
#[derive(Debug)]
struct Phrases {
    /// Those without values.
    plain: BTreeMap<&'static str, String>,
    /// Those with values, as templates.
    filled: Environment<'static>,
}

static ENGLISH: LazyLock<Phrases> =
    LazyLock::new(|| Phrases::read(include_str!("../../../../prompts/en/phrases.json")));
static JAPANESE: LazyLock<Phrases> =
    LazyLock::new(|| Phrases::read(include_str!("../../../../prompts/ja/phrases.json")));

/// The phrase of this key, which has no values.
pub fn phrase(language: Language, key: &'static str) -> &'static str {
    let found = Phrases::of(language).plain.get(key);
    debug_assert!(found.is_some(), "prompts/ has no phrase `{key}` without values");
    found.map_or(key, String::as_str)
}

/// The phrase of this key with its values, the fields of `values`.
pub fn phrase_with(language: Language, key: &'static str, values: &impl Serialize) -> String {
    let template = Phrases::of(language).filled.get_template(key);
    let text = template.and_then(|template| template.render(Value::from(Serde(values))));
    debug_assert!(text.is_ok(), "the phrase `{key}` cannot be filled in: {text:?}");
    text.unwrap_or_else(|_| key.to_owned())
}

impl Phrases {
    fn of(language: Language) -> &'static Self {
        match language {
            Language::En => &ENGLISH,
            Language::Ja => &JAPANESE,
        }
    }

    /// Reads a file. Tests refuse one that cannot be read; in production its phrases show as their keys.
    fn read(text: &'static str) -> Self {
        let mut phrases = Self { plain: BTreeMap::new(), filled: Environment::new() };
        phrases.filled.set_undefined_behavior(UndefinedBehavior::Strict);
        phrases.filled.set_auto_escape_callback(|_| AutoEscape::None);
        let stored = serde_json::from_str::<BTreeMap<&'static str, String>>(text);
        debug_assert!(stored.is_ok(), "a file of phrases cannot be read: {stored:?}");
        for (key, phrase) in stored.unwrap_or_default() {
            if !phrase.contains("{{") {
                phrases.plain.insert(key, phrase);
            } else if let Err(error) = phrases.filled.add_template_owned(key, phrase) {
                debug_assert!(false, "the phrase `{key}` is no template: {error}");
            }
        }
        phrases
    }
}
