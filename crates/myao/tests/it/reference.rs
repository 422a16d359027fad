//! The pages of all commands and options are those that the program prints.

use std::{env, fs, path::Path};

use crate::binary::Home;

/// What the program prints, against the page of the documentation. `INSTA_UPDATE=always` writes the page.
fn page(language: &str, path: &str) -> String {
    let printed = Home::new().done(&["man", "--markdown", "--lang", language]).out;
    let file = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..").join(path);
    if env::var("INSTA_UPDATE").is_ok_and(|update| update == "always") {
        fs::write(&file, &printed).expect("the page is written");
    }
    let page = fs::read_to_string(&file).expect("the page is there");
    assert!(
        page == printed,
        "{path} is not what `myao man --markdown --lang {language}` prints: INSTA_UPDATE=always writes it"
    );
    page
}

#[test]
fn the_english_page_is_what_the_program_prints() {
    let page = page("en", "docs/options.md");
    assert!(page.contains("\n## `myao memory show`\n") && page.contains("| `--version N` |"), "{page}");
}

/// Help that was changed asks for its Japanese words in `help/ja.json`; those that nothing says any more go.
#[test]
fn the_japanese_page_is_what_the_program_prints_and_all_of_it_is_japanese() {
    let page = page("ja", "docs/ja/options.md");
    let is_japanese = |text: &str| text.chars().any(|letter| ('\u{3040}'..='\u{9fff}').contains(&letter));
    let mut in_text = false;
    let mut english = Vec::new();
    for line in page.lines() {
        in_text ^= line.starts_with("```");
        let is_words =
            !in_text && !line.is_empty() && !line.starts_with(['`', '#']) && !line.starts_with("|---");
        if is_words && !is_japanese(line) {
            english.push(line);
        }
    }
    assert!(english.is_empty(), "without a translation in help/ja.json: {english:#?}");
    let known: serde_json::Map<String, serde_json::Value> =
        serde_json::from_str(include_str!("../../help/ja.json")).expect("a list of words");
    let unused: Vec<&String> = known
        .iter()
        .filter(|(_, japanese)| !page.contains(&japanese.as_str().unwrap_or_default().replace('|', "\\|")))
        .map(|(english, _)| english)
        .collect();
    assert!(unused.is_empty(), "nothing says this any more: {unused:#?}");
}
