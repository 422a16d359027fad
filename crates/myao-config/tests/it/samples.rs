//! What the documents show as configuration can be read as one, in both books, and so can their JSON.

use std::{fs, path::Path};

use serde_json::Value;

use crate::loaded::load;

/// YAML that is no configuration of ours, by how it begins.
const OF_OTHERS: [&str; 1] = ["livenessProbe:"];
/// Values for the variables that samples name.
const VARIABLES: [(&str, &str); 3] = [
    ("SLACK_BOT_TOKEN", "xoxb-1"),
    ("SLACK_APP_TOKEN", "xapp-1"),
    ("DATABASE_URL", "postgres://localhost/myao"),
];

/// The blocks of this language in the READMEs and in both books, each with the file it stands in.
fn blocks(language: &str) -> Vec<(String, String)> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let mut files = vec![root.join("README.md"), root.join("README.ja.md")];
    for folder in ["docs", "docs/ja"] {
        let entries = fs::read_dir(root.join(folder)).expect("the book is there");
        files.extend(entries.map(|entry| entry.expect("an entry").path()));
    }
    let mut found = Vec::new();
    let begin = format!("```{language}\n");
    for file in files.iter().filter(|file| file.extension().is_some_and(|extension| extension == "md")) {
        let text = fs::read_to_string(file).expect("a document");
        let blocks = text.split(&begin).skip(1).filter_map(|rest| rest.split_once("\n```"));
        found.extend(blocks.map(|(block, _)| (file.display().to_string(), block.to_owned())));
    }
    found
}

/// The part of a role, such as `model_id: openai/gpt-4o`, as a whole file.
fn whole(block: &str) -> String {
    if block.starts_with("model_id:") {
        let lines: Vec<String> = block.lines().map(|line| format!("    {line}")).collect();
        return format!("agents:\n  response:\n{}\n", lines.join("\n"));
    }
    block.to_owned()
}

#[test]
fn every_sample_is_a_configuration() {
    let samples = blocks("yaml");
    assert!(samples.len() > 40, "{} samples", samples.len());
    for (file, block) in samples {
        if OF_OTHERS.iter().any(|begin| block.starts_with(begin)) {
            continue;
        }
        let named = block.split("${").skip(1).filter_map(|rest| rest.split_once('}').map(|(name, _)| name));
        let mut env: Vec<(&str, &str)> = named.map(|name| (name, name)).collect();
        env.retain(|(name, _)| !VARIABLES.iter().any(|(known, _)| known == name));
        env.extend(VARIABLES);
        let loaded = load(&whole(&block), &env);
        assert!(loaded.is_ok(), "{file}: {block}\n{}", loaded.unwrap_err());
    }
}

#[test]
fn every_json_sample_is_json() {
    let samples = blocks("json");
    assert!(samples.len() > 8, "{} samples", samples.len());
    for (file, block) in samples {
        let value: Result<Value, _> = serde_json::from_str(&block);
        assert!(value.is_ok(), "{file}: {block}");
    }
}

/// The Japanese personas are those of the English page, word for word.
#[test]
fn the_personas_of_both_books_are_the_same() {
    let personas = |path: &str| {
        let of_page = blocks("yaml").into_iter().filter(|(file, _)| file.ends_with(path));
        of_page.map(|(_, block)| block).collect::<Vec<_>>()
    };
    let english = personas("docs/personas.md");
    let japanese: Vec<String> = english.into_iter().skip(1).step_by(2).collect();
    assert_eq!(personas("docs/ja/personas.md"), japanese);
    assert_eq!(japanese.len(), 4);
}
