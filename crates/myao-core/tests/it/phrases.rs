//! The phrases beside the prompts: every language has all of them, with the same values, and the code asks for each.

use std::{collections::BTreeMap, fs};

use minijinja::Environment;
use myao_core::text::{Language, phrase, phrase_with};
use serde_json::json;

use crate::lexicons::{repository, source};

fn phrases_of(language: &str) -> BTreeMap<String, String> {
    let path = repository().join(format!("prompts/{language}/phrases.json"));
    serde_json::from_str(&fs::read_to_string(path).expect("a file")).expect("an object of texts")
}

#[test]
fn every_language_has_every_phrase_with_the_same_values() {
    let values_of = |text: &String| {
        let environment = Environment::new();
        environment.template_from_str(text).expect("a template").undeclared_variables(false)
    };
    let all = |language| -> BTreeMap<_, _> {
        phrases_of(language).iter().map(|(key, text)| (key.clone(), values_of(text))).collect()
    };
    assert_eq!(all("en"), all("ja"));
}

#[test]
fn every_phrase_is_asked_for() {
    let source = source();
    let is_unused = |key: &String| !source.contains(&format!("\"{key}\""));
    let unused: Vec<String> = phrases_of("en").into_keys().filter(is_unused).collect();
    assert_eq!(unused, Vec::<String>::new(), "no code asks for these phrases");
}

#[test]
fn values_are_put_in_as_they_are() {
    let values = json!({ "title": "a {{ b }} <c>" });
    assert_eq!(phrase_with(Language::En, "page-title", &values), "Title: a {{ b }} <c>");
    assert_eq!(phrase(Language::Ja, "memo-list"), "メモの一覧。");
    let of = |count: u64| phrase_with(Language::En, "span-hours", &json!({ "count": count }));
    assert_eq!([of(1), of(2)], ["1 hour", "2 hours"]);
}

/// A value that is a list goes through every filter, loop and comparison; the program would show the key instead.
#[test]
fn every_phrase_with_values_can_be_filled_in() {
    for (key, text) in phrases_of("en").into_iter().filter(|(_, text)| text.contains("{{")) {
        let environment = Environment::new();
        let names = environment.template_from_str(&text).expect("a template").undeclared_variables(false);
        let values: BTreeMap<String, [&str; 2]> = names.into_iter().map(|name| (name, ["a", "b"])).collect();
        let key: &'static str = key.leak();
        for language in [Language::En, Language::Ja] {
            assert_ne!(phrase_with(language, key, &values), key, "{language:?}");
        }
    }
}

#[test]
fn a_phrase_with_a_list_is_filled_in() {
    let values = json!({ "typed": "x", "shown": ["a", "b"] });
    let told = phrase_with(Language::En, "recall-shown-instead", &values);
    assert_eq!(told, "Nothing says `x`; shown are `a` and `b`.", "it needs what Jinja brings along");
}
