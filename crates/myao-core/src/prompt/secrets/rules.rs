//! The rules by which secrets are told, as they are kept in `rules/secrets`.

use std::sync::{LazyLock, OnceLock};

use aho_corasick::{AhoCorasick, AhoCorasickKind};
use regex::bytes::{Regex, RegexBuilder};
use serde::Deserialize;

use super::numbers::NumberCheck;

/// gitleaks' rules, as `cargo xtask secret-rules` imported them.
const GITLEAKS: &str = include_str!("../../../../../rules/secrets/gitleaks.json");
/// Rules of other origins, in the same form.
const OTHERS: &str = include_str!("../../../../../rules/secrets/others.json");
/// How many of gitleaks' rules say that a token ends: at a quote, a semicolon, white space or the end. In files.
const END_IN_FILES: &str = r#"(?:[\x60'"\s;]|\\[nr]|$)"#;
/// In what people write it also ends at a stop, a bracket or what marks an address.
const END_IN_TALK: &str = r#"(?:[\x60'"\s;,.!?)\]}>|]|\\[nr]|$)"#;

/// A file of rules.
#[derive(Deserialize)]
struct RuleFile {
    version: String,
    #[serde(default)]
    allow: Vec<AllowList>,
    rules: Vec<SecretRule>,
}

/// What tells one kind of secret.
#[derive(Deserialize)]
pub(super) struct SecretRule {
    /// The kind, as people are told it.
    pub(super) id: String,
    #[serde(rename = "regex")]
    pattern: LazyPattern,
    /// Where one of these is not in a text, there is no secret of the kind. None: where no long number is.
    #[serde(default)]
    pub(super) keywords: Vec<String>,
    /// The bits that a character of the secret tells on average, at least: words of a language tell less.
    #[serde(default)]
    pub(super) entropy: f64,
    /// The group of the pattern that is the secret; 0: the first one that holds anything.
    #[serde(default)]
    pub(super) secret_group: usize,
    /// What is no secret all the same.
    #[serde(default)]
    pub(super) allow: Vec<AllowList>,
    /// The check that the digits have to pass.
    #[serde(default)]
    pub(super) check: Option<NumberCheck>,
    /// Words of which one has to stand near.
    #[serde(default)]
    pub(super) near: Vec<String>,
}

/// What is no secret: an example, a variable.
#[derive(Deserialize)]
pub(super) struct AllowList {
    #[serde(default)]
    regexes: Vec<LazyPattern>,
    #[serde(default)]
    target: AllowTarget,
    #[serde(default)]
    stopwords: Vec<String>,
}

/// What the expressions of a list are held against.
#[derive(Clone, Copy, Default, Deserialize)]
#[serde(rename_all = "snake_case")]
enum AllowTarget {
    #[default]
    Secret,
    Match,
    Line,
}

/// What was found, as far as a list looks at it.
pub(super) struct SecretCandidate<'a> {
    pub(super) secret: &'a [u8],
    pub(super) whole: &'a [u8],
    pub(super) line: &'a [u8],
}

impl AllowList {
    pub(super) fn allows(&self, candidate: &SecretCandidate<'_>) -> bool {
        let target = match self.target {
            AllowTarget::Secret => candidate.secret,
            AllowTarget::Match => candidate.whole,
            AllowTarget::Line => candidate.line,
        };
        if self.regexes.iter().any(|regex| regex.get().is_some_and(|regex| regex.is_match(target))) {
            return true;
        }
        let secret = String::from_utf8_lossy(candidate.secret).to_ascii_lowercase();
        self.stopwords.iter().any(|word| secret.contains(word.as_str()))
    }
}

/// An expression, compiled when a text first needs it: most never are.
#[derive(Deserialize)]
#[serde(from = "String")]
struct LazyPattern {
    text: String,
    compiled: OnceLock<Option<Regex>>,
}

impl From<String> for LazyPattern {
    fn from(text: String) -> Self {
        Self { text: text.replace(END_IN_FILES, END_IN_TALK), compiled: OnceLock::new() }
    }
}

impl LazyPattern {
    fn get(&self) -> Option<&Regex> {
        // Texts are looked at in ASCII, as Go does with these classes.
        let compile = || RegexBuilder::new(&self.text).unicode(false).build().ok();
        self.compiled.get_or_init(compile).as_ref()
    }
}

impl SecretRule {
    /// Its expression. A rule whose expression is none finds nothing: a test compiles all of them.
    pub(super) fn regex(&self) -> Option<&Regex> {
        self.pattern.get()
    }
}

/// All rules.
pub(super) struct SecretRules {
    pub(super) version: String,
    pub(super) all: Vec<SecretRule>,
    /// What is no secret, whatever rule tells it.
    pub(super) allow: Vec<AllowList>,
    /// Finds keywords, in upper and lower case.
    pub(super) keywords: Option<AhoCorasick>,
    /// The rules of each keyword.
    pub(super) by_keyword: Vec<Vec<usize>>,
}

static RULES: LazyLock<SecretRules> = LazyLock::new(read);

/// The rules, read once.
pub(super) fn all() -> &'static SecretRules {
    &RULES
}

fn read() -> SecretRules {
    let mut rules = SecretRules {
        version: String::new(),
        all: Vec::new(),
        allow: Vec::new(),
        keywords: None,
        by_keyword: Vec::new(),
    };
    for text in [OTHERS, GITLEAKS] {
        // A file that cannot be read would mask nothing: a test reads both.
        let Ok(file) = serde_json::from_str::<RuleFile>(text) else { continue };
        if !rules.version.is_empty() {
            rules.version.push_str(", ");
        }
        rules.version.push_str(&file.version);
        rules.allow.extend(file.allow);
        rules.all.extend(file.rules);
    }
    let mut words: Vec<&str> = rules.all.iter().flat_map(|rule| &rule.keywords).map(String::as_str).collect();
    words.sort_unstable();
    words.dedup();
    rules.by_keyword = words
        .iter()
        .map(|word| {
            let has = |rule: &SecretRule| rule.keywords.iter().any(|keyword| keyword == word);
            rules.all.iter().enumerate().filter(|(_, rule)| has(rule)).map(|(n, _)| n).collect()
        })
        .collect();
    let mut builder = AhoCorasick::builder();
    rules.keywords = builder.ascii_case_insensitive(true).kind(Some(AhoCorasickKind::DFA)).build(&words).ok();
    rules
}
