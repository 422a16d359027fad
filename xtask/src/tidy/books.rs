//! Checks that the Japanese book has the pages of the English one, and what both are made from.

use std::collections::BTreeSet;

use super::{SourceFile, Violation, markdown};
use crate::keys::{self, KeyRow};

const RULE: &str = "books";
const ENGLISH: &str = "docs/";
const JAPANESE: &str = "docs/ja/";
const SUMMARY: &str = "SUMMARY.md";
/// Pages for those who change the program or judge it: in English only, as the Japanese book says.
const ENGLISH_ONLY: [&str; 9] = [
    "design.md",
    "differences.md",
    "fuzzing.md",
    "glossary.md",
    "measurements.md",
    "performance.md",
    "promises.md",
    "specification.md",
    "threat-model.md",
];
/// The key whose value is words, which the Japanese example has in Japanese.
const WORDS: &str = "system_prompt";

pub(super) fn check(files: &[SourceFile]) -> Vec<Violation> {
    if !files.iter().any(|file| file.path.starts_with(JAPANESE)) {
        return Vec::new();
    }
    [pages(files), summaries(files), examples(files), key_pages(files), bold(files)].concat()
}

/// The pages of a book, without its table of contents.
fn pages_below<'a>(files: &'a [SourceFile], folder: &str) -> BTreeSet<&'a str> {
    let documents = files.iter().filter(|file| file.is("md"));
    let names = documents.filter_map(|file| file.path.strip_prefix(folder));
    names.filter(|name| !name.contains('/') && *name != SUMMARY).collect()
}

fn pages(files: &[SourceFile]) -> Vec<Violation> {
    let (english, japanese) = (pages_below(files, ENGLISH), pages_below(files, JAPANESE));
    let left_out = |page: &str| ENGLISH_ONLY.contains(&page);
    let untranslated = english.difference(&japanese).filter(|page| !left_out(page)).map(|page| {
        let advice = format!("the Japanese book has no such page: write {JAPANESE}{page}");
        Violation::new(&format!("{ENGLISH}{page}"), 1, RULE, advice)
    });
    let alone = japanese.difference(&english).map(|page| {
        let advice = format!("the English book has no such page: write {ENGLISH}{page}");
        Violation::new(&format!("{JAPANESE}{page}"), 1, RULE, advice)
    });
    let twice = japanese.iter().filter(|page| left_out(page)).map(|page| {
        let advice = "it is listed in xtask/src/tidy/books.rs as English only: remove it there";
        Violation::new(&format!("{JAPANESE}{page}"), 1, RULE, advice)
    });
    untranslated.chain(alone).chain(twice).collect()
}

/// Each page stands in its book's table of contents, and both tables have the same order.
fn summaries(files: &[SourceFile]) -> Vec<Violation> {
    let mut violations = Vec::new();
    let listed = |folder: &str| {
        let path = format!("{folder}{SUMMARY}");
        let summary = files.iter().find(|file| file.path == path);
        let lines = summary.into_iter().flat_map(markdown::lines_of_prose);
        lines.flat_map(|(_, line)| markdown::targets_of_links(line)).collect::<Vec<_>>()
    };
    let (english, japanese) = (listed(ENGLISH), listed(JAPANESE));
    for (folder, listed) in [(ENGLISH, &english), (JAPANESE, &japanese)] {
        for page in pages_below(files, folder).iter().filter(|page| !listed.contains(page)) {
            let advice = format!("it does not stand in {folder}{SUMMARY}");
            violations.push(Violation::new(&format!("{folder}{page}"), 1, RULE, advice));
        }
    }
    let in_both = english.iter().filter(|page| japanese.contains(page));
    let own = japanese.iter().filter(|page| !page.starts_with(".."));
    if let Some((expected, found)) = in_both.zip(own).find(|(one, other)| one != other) {
        let advice = format!("{found} stands where the English book has {expected}: keep one order");
        violations.push(Violation::new(&format!("{JAPANESE}{SUMMARY}"), 1, RULE, advice));
    }
    violations
}

/// Both examples of the configuration have the same keys and values.
fn examples(files: &[SourceFile]) -> Vec<Violation> {
    let [english, japanese] = keys::PAGES.map(|page| page.example);
    let rows =
        |path: &str| files.iter().find(|file| file.path == path).map(|file| keys::rows(&file.text, ""));
    let (Some(english_rows), Some(japanese_rows)) = (rows(english), rows(japanese)) else {
        return Vec::new();
    };
    let same = |one: &KeyRow, other: &KeyRow| {
        let is_words = one.path.ends_with(WORDS);
        one.path == other.path && one.is_off == other.is_off && (is_words || one.value == other.value)
    };
    let of_english = english_rows.iter().filter(|row| !japanese_rows.iter().any(|other| same(row, other)));
    let of_japanese = japanese_rows.iter().filter(|row| !english_rows.iter().any(|other| same(row, other)));
    let complain = |path: &'static str, other: &'static str| {
        move |row: &KeyRow| Violation::new(path, 1, RULE, format!("`{}` is not so in {other}", row.path))
    };
    of_english.map(complain(english, japanese)).chain(of_japanese.map(complain(japanese, english))).collect()
}

/// The pages of keys are those that the examples make.
fn key_pages(files: &[SourceFile]) -> Vec<Violation> {
    let text_of = |path: &str| files.iter().find(|file| file.path == path).map(|file| file.text.as_str());
    let mut violations = Vec::new();
    for page in &keys::PAGES {
        let Some(example) = text_of(page.example) else { continue };
        if text_of(page.page) != Some(page.text(example).as_str()) {
            let advice = format!("{} was changed since: run `cargo xtask keys`", page.example);
            violations.push(Violation::new(page.page, 1, RULE, advice));
        }
    }
    violations
}

/// Marks of bold text that Markdown does not take for such: one that ends behind punctuation and has a letter behind it,
/// or begins in front of punctuation with a letter before it. Between Japanese words a space is needed there.
fn bold(files: &[SourceFile]) -> Vec<Violation> {
    let is_mark = |letter: char| "。、：；！？「」『』（）".contains(letter);
    let mut violations = Vec::new();
    for file in files.iter().filter(|file| file.path.starts_with(JAPANESE) || file.path == "README.ja.md") {
        for (number, line) in markdown::lines_of_prose(file) {
            let pieces: Vec<&str> = line.split("**").collect();
            let is_wrong = pieces.windows(2).enumerate().any(|(at, pair)| {
                let [before, after] = pair else { return false };
                let (before, after) = (before.chars().next_back(), after.chars().next());
                // Every second mark ends what another began.
                let (inside, outside) = if at % 2 == 1 { (before, after) } else { (after, before) };
                inside.is_some_and(is_mark) && outside.is_some_and(char::is_alphanumeric)
            });
            if is_wrong {
                let advice = "a mark of bold text stands between punctuation and a letter: put a space there";
                violations.push(Violation::new(&file.path, number, RULE, advice));
            }
        }
    }
    violations
}
