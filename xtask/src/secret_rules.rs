//! Imports gitleaks' rules for secrets into `rules/secrets/gitleaks.json` (ADR 50), in the form that the core reads.
//!
//! Rules that look at text are imported. Rules for files with certain names are left out, and so are a rule's
//! exceptions for such files, since a chat has no files of that kind.

use std::fs;

use anyhow::{Context, bail};
use serde_json::{Map, Value, json};
use toml::{Table, Value as Toml};

/// The file that holds the imported rules.
const RULES: &str = "rules/secrets/gitleaks.json";
/// The repository that the rules come from.
const ORIGIN: &str = "https://github.com/gitleaks/gitleaks";

/// Imports the rules of the file `gitleaks.toml` of a commit.
///
/// # Errors
/// When the file cannot be read, or is no such file.
pub fn import_from_file(arguments: &[String]) -> anyhow::Result<bool> {
    let [path, commit] = arguments else {
        bail!("usage: cargo xtask secret-rules PATH/gitleaks.toml COMMIT");
    };
    let rules = convert_to_json(&fs::read_to_string(path).with_context(|| path.clone())?, commit)?;
    fs::write(RULES, rules).context(RULES)?;
    Ok(true)
}

/// Converts the rules of `gitleaks.toml` to JSON, one rule a line.
///
/// # Errors
/// When it has no rules.
pub fn convert_to_json(text: &str, commit: &str) -> anyhow::Result<String> {
    let file: Table = text.parse()?;
    let rules = file.get("rules").and_then(Toml::as_array).context("there are no rules")?;
    let rules: Vec<String> =
        rules.iter().filter_map(convert_one_entry).map(|rule| format!("    {rule}")).collect();
    let allow: Vec<Value> = file.get("allowlist").into_iter().filter_map(allow_list).collect();
    Ok(format!(
        "{{\n  \"origin\": {},\n  \"version\": {},\n  \"allow\": {},\n  \"rules\": [\n{}\n  ]\n}}\n",
        json!(format!("{ORIGIN} at {commit}, config/gitleaks.toml, MIT: LICENSE.gitleaks")),
        json!(format!("gitleaks {}", commit.get(..12).unwrap_or(commit))),
        Value::from(allow),
        rules.join(",\n")
    ))
}

/// A rule in our form. `None` for one that looks at the names of files.
fn convert_one_entry(rule: &Toml) -> Option<Value> {
    if rule.get("path").is_some() {
        return None;
    }
    let mut imported = Map::new();
    imported.insert("id".to_owned(), text_of_key(rule, "id")?.into());
    imported.insert("regex".to_owned(), translate_go_regex(text_of_key(rule, "regex")?).into());
    imported.insert("keywords".to_owned(), texts_of_key(rule, "keywords").into());
    if let Some(entropy) =
        rule.get("entropy").and_then(|n| n.as_float().or_else(|| n.as_integer().map(whole_as_float)))
    {
        imported.insert("entropy".to_owned(), entropy.into());
    }
    if let Some(group) = rule.get("secretGroup").and_then(Toml::as_integer) {
        imported.insert("secret_group".to_owned(), group.into());
    }
    let allow: Vec<Value> = (rule.get("allowlists").and_then(Toml::as_array))
        .map(|lists| lists.iter().filter_map(allow_list).collect())
        .unwrap_or_default();
    if !allow.is_empty() {
        imported.insert("allow".to_owned(), allow.into());
    }
    Some(imported.into())
}

/// Converts an entropy that is a whole number of bits.
fn whole_as_float(number: i64) -> f64 {
    i32::try_from(number).map_or(f64::INFINITY, f64::from)
}

/// A list of texts that are no secrets. `None` for a list that holds only for files with certain names.
fn allow_list(list: &Toml) -> Option<Value> {
    let wants_all =
        text_of_key(list, "condition").is_some_and(|condition| condition.eq_ignore_ascii_case("and"));
    let regexes: Vec<String> =
        texts_of_key(list, "regexes").iter().map(|regex| translate_go_regex(regex)).collect();
    let stopwords: Vec<String> =
        texts_of_key(list, "stopwords").iter().map(|word| word.to_lowercase()).collect();
    if (wants_all && list.get("paths").is_some()) || (regexes.is_empty() && stopwords.is_empty()) {
        return None;
    }
    let target = text_of_key(list, "regexTarget").unwrap_or("secret");
    Some(json!({ "regexes": regexes, "target": target, "stopwords": stopwords }))
}

fn text_of_key<'a>(table: &'a Toml, key: &str) -> Option<&'a str> {
    table.get(key)?.as_str()
}

fn texts_of_key(table: &Toml, key: &str) -> Vec<String> {
    let list = table.get(key).and_then(Toml::as_array);
    list.map(|list| list.iter().filter_map(Toml::as_str).map(str::to_owned).collect()).unwrap_or_default()
}

/// Translates an expression from Go's dialect to Rust's. In Go's, a brace that gives no count stands for itself.
fn translate_go_regex(regex: &str) -> String {
    let mut out = String::with_capacity(regex.len());
    let mut rest = regex;
    let mut in_class = false;
    while let Some(c) = rest.chars().next() {
        let width = match c {
            '\\' => c.len_utf8() + rest.chars().nth(1).map_or(0, char::len_utf8),
            '{' if !in_class => length_of_count(rest).unwrap_or_else(|| {
                out.push('\\');
                1
            }),
            '}' if !in_class => {
                out.push('\\');
                1
            }
            c => {
                in_class = (in_class && c != ']') || c == '[';
                c.len_utf8()
            }
        };
        let (now, later) = rest.split_at(width);
        out.push_str(now);
        rest = later;
    }
    out
}

/// The length in bytes of a count at the beginning of a text: `{3}`, `{3,}`, `{3,5}`.
fn length_of_count(text: &str) -> Option<usize> {
    let (inner, _) = text.strip_prefix('{')?.split_once('}')?;
    let is_count = inner.starts_with(|c: char| c.is_ascii_digit())
        && inner.chars().all(|c| c.is_ascii_digit() || c == ',')
        && inner.matches(',').count() <= 1;
    is_count.then(|| inner.len() + 2)
}
