//! The rules by which secrets are found, as they are kept in `rules/secrets`.

use std::sync::{LazyLock, OnceLock};

use aho_corasick::{AhoCorasick, AhoCorasickKind};
use regex::bytes::{Regex, RegexBuilder};
use serde::Deserialize;

use super::checks::SecretCheck;

/// gitleaks' rules, as `cargo xtask secret-rules` imported them.
const GITLEAKS: &str = include_str!("../../../../../rules/secrets/gitleaks.json");
/// Rules of other origins, in the same form.
const OTHERS: &str = include_str!("../../../../../rules/secrets/others.json");
/// How many of gitleaks' rules, which are made for files, say where a token ends: at a quote, a semicolon, white space
/// or the end of the text.
const END_IN_FILES: &str = r#"(?:[\x60'"\s;]|\\[nr]|$)"#;
/// What takes the place of `END_IN_FILES`: in what people write, a token also ends at punctuation, at a closing
/// bracket, or at what ends an address in markup (`>`, `|`).
const END_IN_TALK: &str = r#"(?:[\x60'"\s;,.!?)\]}>|]|\\[nr]|$)"#;

/// A file of rules.
#[derive(Deserialize)]
struct RuleFile {
    version: String,
    #[serde(default)]
    allow: Vec<AllowList>,
    rules: Vec<SecretRule>,
}

/// The rule for one kind of secret.
#[derive(Deserialize)]
pub(super) struct SecretRule {
    /// The name of the kind, which people are shown.
    pub(super) id: String,
    #[serde(rename = "regex")]
    pattern: LazyPattern,
    /// A text without any of these words holds no secret of the kind. If there are no words, `check` tells what the text
    /// has to hold.
    #[serde(default)]
    pub(super) keywords: Vec<String>,
    /// The least entropy of the secret, in bits per character: ordinary words have less.
    #[serde(default)]
    pub(super) entropy: f64,
    /// The group of the pattern that is the secret; 0 means the first group that is not empty.
    #[serde(default)]
    pub(super) secret_group: usize,
    /// What matches the pattern and is no secret all the same.
    #[serde(default)]
    pub(super) allow: Vec<AllowList>,
    /// The check that the secret has to pass.
    #[serde(default)]
    pub(super) check: Option<SecretCheck>,
    /// What has to stand directly before the secret: words that announce it, and what joins them to it. It is held
    /// against the text as people wrote it, up to the secret, and has to end with `$`.
    #[serde(default)]
    behind: Option<WrittenPattern>,
    /// Words of which at least one has to stand near the secret; if there are none, nothing has to.
    #[serde(default)]
    pub(super) near: Vec<String>,
}

/// Describes what is no secret: an example, a variable.
#[derive(Deserialize)]
pub(super) struct AllowList {
    #[serde(default)]
    regexes: Vec<LazyPattern>,
    #[serde(default)]
    target: AllowTarget,
    #[serde(default)]
    stopwords: Vec<String>,
}

/// What the expressions of a list are compared with.
#[derive(Clone, Copy, Default, Deserialize)]
#[serde(rename_all = "snake_case")]
enum AllowTarget {
    #[default]
    Secret,
    Match,
    Line,
}

/// What a pattern matched, as an [`AllowList`] looks at it.
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

/// An expression, compiled when a text first needs it. Most are never needed.
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
        // Texts are searched as ASCII: in Go, for which gitleaks' rules are written, these character classes are ASCII.
        let compile = || RegexBuilder::new(&self.text).unicode(false).build().ok();
        self.compiled.get_or_init(compile).as_ref()
    }
}

/// An expression for text as people write it, in any script.
#[derive(Deserialize)]
#[serde(from = "String")]
struct WrittenPattern {
    text: String,
    compiled: OnceLock<Option<regex::Regex>>,
}

impl From<String> for WrittenPattern {
    fn from(text: String) -> Self {
        Self { text, compiled: OnceLock::new() }
    }
}

impl SecretRule {
    /// Whether a secret that stands behind this text is announced by it. With an expression that cannot be compiled
    /// nothing would be, so a test compiles all of them.
    pub(super) fn is_announced_by(&self, before: &str) -> bool {
        self.behind.as_ref().is_none_or(|behind| {
            let compile = || regex::Regex::new(&behind.text).ok();
            behind.compiled.get_or_init(compile).as_ref().is_some_and(|regex| regex.is_match(before))
        })
    }

    /// Its expression. A rule whose expression cannot be compiled would find nothing, so a test compiles all of them.
    pub(super) fn regex(&self) -> Option<&Regex> {
        self.pattern.get()
    }
}

/// All rules.
pub(super) struct SecretRules {
    pub(super) version: String,
    pub(super) all: Vec<SecretRule>,
    /// What is no secret, whatever rule matches it.
    pub(super) allow: Vec<AllowList>,
    /// Finds keywords, in upper and lower case.
    pub(super) keywords: Option<AhoCorasick>,
    /// For each keyword, the indexes of its rules in `all`.
    pub(super) by_keyword: Vec<Vec<usize>>,
    /// The indexes of the rules that have no keywords: every text is looked at for these.
    pub(super) without_keywords: Vec<usize>,
}

static RULES: LazyLock<SecretRules> = LazyLock::new(read_all_rules);

/// The rules, read once.
pub(super) fn rules_read_once() -> &'static SecretRules {
    &RULES
}

fn read_all_rules() -> SecretRules {
    let mut rules = SecretRules {
        version: String::new(),
        all: Vec::new(),
        allow: Vec::new(),
        keywords: None,
        by_keyword: Vec::new(),
        without_keywords: Vec::new(),
    };
    for text in [OTHERS, GITLEAKS] {
        // With a file that cannot be read nothing would be masked by its rules, so a test reads both.
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
    let all = rules.all.iter().enumerate();
    rules.without_keywords =
        all.filter(|(_, rule)| rule.keywords.is_empty()).map(|(number, _)| number).collect();
    let mut builder = AhoCorasick::builder();
    rules.keywords = builder.ascii_case_insensitive(true).kind(Some(AhoCorasickKind::DFA)).build(&words).ok();
    rules
}
