//! Rules for secrets, imported from the form their authors publish.

use serde_json::{Value, json};
use xtask::secret_rules::convert_to_json;

const PUBLISHED: &str = r#"
title = "rules"

[allowlist]
paths = ['''go\.mod''']
regexes = ['''^true$''']
stopwords = ["Example"]

[[rules]]
id = "some-token"
regex = '''\b(tok_[a-z]{8}\.{x}[}{])'''
keywords = ["tok_"]
entropy = 3
secretGroup = 1

[[rules.allowlists]]
condition = "AND"
paths = ['''\.lock$''']
regexes = ['''ignored''']

[[rules.allowlists]]
regexTarget = "line"
regexes = ['''fine''']

[[rules]]
id = "a-key-file"
path = '''(?i)\.p12$'''
"#;

#[test]
fn rules_that_look_at_text_are_taken_over() {
    let imported = convert_to_json(PUBLISHED, "0123456789abcdef").expect("rules");
    let imported: Value = serde_json::from_str(&imported).expect("JSON");
    assert_eq!(imported["version"], "gitleaks 0123456789ab");
    assert_eq!(
        imported["allow"],
        json!([{ "regexes": ["^true$"], "target": "secret", "stopwords": ["example"] }])
    );
    assert_eq!(
        imported["rules"],
        json!([{
            "id": "some-token", "keywords": ["tok_"], "entropy": 3.0, "secret_group": 1,
            // Braces that count nothing stand for themselves.
            "regex": r"\b(tok_[a-z]{8}\.\{x\}[}{])",
            "allow": [{ "regexes": ["fine"], "target": "line", "stopwords": [] }],
        }])
    );
}

#[test]
fn what_holds_no_rules_is_refused() {
    assert!(convert_to_json("title = 1", "0").is_err());
    assert!(convert_to_json("no = toml = at all", "0").is_err());
}
