//! The lists of words in `lexicons/`: all are understood, every language has them, and the code asks for each.

use std::{
    collections::{BTreeMap, BTreeSet},
    fs,
    mem::discriminant,
    path::{Path, PathBuf},
};

use myao_core::text::embedded_lexicons;
use serde::Deserialize;
use serde_json::Value;

/// The folder of what counts beside every language.
const ANY: &str = "any";
/// What asks for a list, and the folder that has to have it; `None` is any.
const CALLS: [(&str, Option<&str>); 5] = [
    ("::english(\"", Some("en")),
    ("::japanese(\"", Some("ja")),
    ("::of_all(\"", None),
    ("WordFinder::of(\"", None),
    ("CueWords::of(\"", None),
];

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct StoredList {
    about: String,
    only: Option<String>,
    words: Vec<Value>,
}

/// The lists of each folder, by their keys.
type Lists = BTreeMap<&'static str, BTreeMap<String, StoredList>>;

fn stored_lists() -> Lists {
    let mut lists = Lists::new();
    for file in embedded_lexicons() {
        let of_file: BTreeMap<String, StoredList> =
            serde_json::from_str(file.text).unwrap_or_else(|e| panic!("{}/{}: {e}", file.folder, file.topic));
        let keyed = of_file.into_iter().map(|(name, list)| (format!("{}.{name}", file.topic), list));
        lists.entry(file.folder).or_default().extend(keyed);
    }
    lists
}

pub(crate) fn repository() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

/// The files below a folder whose names end in this, each with its text.
fn files_below(folder: &Path, ending: &str) -> Vec<(PathBuf, String)> {
    let mut found = Vec::new();
    for entry in fs::read_dir(folder).expect("a folder") {
        let path = entry.expect("an entry").path();
        if path.is_dir() {
            found.extend(files_below(&path, ending));
        } else if path.to_string_lossy().ends_with(ending) {
            let text = fs::read_to_string(&path).expect("a text");
            found.push((path, text));
        }
    }
    found
}

/// The source of all crates, tests left out.
pub(crate) fn source() -> String {
    let crates = fs::read_dir(repository().join("crates")).expect("a folder");
    let folders = crates.map(|entry| entry.expect("an entry").path().join("src"));
    folders.flat_map(|folder| files_below(&folder, ".rs")).map(|(_, text)| text).collect()
}

#[test]
fn every_file_is_embedded() {
    let root = repository().join("lexicons");
    let there: BTreeSet<PathBuf> = files_below(&root, "").into_iter().map(|(path, _)| path).collect();
    let path_of = |folder: &str, topic: &str| root.join(folder).join(format!("{topic}.json"));
    let embedded: BTreeSet<PathBuf> =
        embedded_lexicons().iter().map(|file| path_of(file.folder, file.topic)).collect();
    assert_eq!(there, embedded);
}

#[test]
fn every_list_says_what_it_is_about_and_has_entries_of_one_form() {
    for (folder, lists) in stored_lists() {
        for (key, list) in lists {
            assert!(!list.about.is_empty(), "{folder}: {key} says nothing of what it is about");
            assert!(list.only.is_none_or(|why| !why.is_empty()), "{folder}: {key} gives no reason");
            let first = list.words.first().unwrap_or_else(|| panic!("{folder}: {key} is empty"));
            let is_alike = |word: &Value| discriminant(word) == discriminant(first);
            assert!(list.words.iter().all(is_alike), "{folder}: {key} mixes forms");
        }
    }
}

/// A list that one language alone has says why; no other has one then.
#[test]
fn every_language_has_every_list() {
    let mut lists = stored_lists();
    let apart = lists.remove(ANY).unwrap_or_default();
    let keys: BTreeSet<&String> = lists.values().flat_map(BTreeMap::keys).collect();
    let mut faults = Vec::new();
    for key in keys {
        let having: Vec<&StoredList> =
            lists.values().filter_map(|of_language| of_language.get(key)).collect();
        let is_declared = having.iter().any(|list| list.only.is_some());
        match having.len() {
            1 if is_declared => {}
            1 => faults.push(format!("{key} is missing in a language, and has no reason for it (`only`)")),
            count if count < lists.len() => faults.push(format!("{key} is missing in a language")),
            _ if is_declared => {
                faults.push(format!("{key} is said to be of one language, and is of several"));
            }
            _ => {}
        }
    }
    assert_eq!(faults, Vec::<String>::new());
    assert!(apart.values().all(|list| list.only.is_none()), "`{ANY}` is of no language");
}

#[test]
fn every_list_is_asked_for_and_every_list_asked_for_is_there() {
    let lists = stored_lists();
    let source = source();
    let keys: BTreeSet<&String> = lists.values().flat_map(BTreeMap::keys).collect();
    let unused: Vec<&&String> = keys.iter().filter(|key| !source.contains(&format!("\"{key}\""))).collect();
    assert_eq!(unused, Vec::<&&String>::new(), "no code asks for these lists");
    let mut missing = Vec::new();
    for (call, folder) in CALLS {
        for (_, behind) in source.match_indices(call).map(|(at, _)| source.split_at(at + call.len())) {
            let key = behind.split('"').next().unwrap_or_default();
            let is_there = match folder {
                Some(folder) => lists[folder].contains_key(key),
                None => keys.iter().any(|known| *known == key),
            };
            if !is_there {
                missing.push(format!("{call}{key}"));
            }
        }
    }
    assert_eq!(missing, Vec::<String>::new(), "no file has these lists");
}
