//! The errors of a configuration, worded for the person who wrote it.
//!
//! No message quotes text from the file or from a variable: the line says where to look, and a text in the wrong key
//! may be a secret (specification §6). Numbers and switches are quoted.

use std::{
    fmt, io,
    path::{Path, PathBuf},
};

/// How many characters of a key are shown: more than the longest known key has.
const LONGEST_KEY: usize = 100;

/// Why there is no configuration.
#[derive(Debug, thiserror::Error)]
pub enum ConfigError {
    /// The file that was asked for does not exist.
    #[error("{}: there is no such file", .0.display())]
    NotFound(PathBuf),
    /// A file exists and can't be read.
    #[error("{}: cannot be read: {source}", path.display())]
    Unreadable {
        /// The file.
        path: PathBuf,
        /// The system's reason.
        source: io::Error,
    },
    /// All problems, in the order of the file; printed one per line. Never empty.
    #[error("{}", lines_of_problems(.0))]
    Faulty(Vec<Problem>),
}

impl ConfigError {
    pub(super) fn one(problem: Problem) -> Self {
        Self::Faulty(vec![problem])
    }

    pub(super) fn unreadable(path: &Path, source: io::Error) -> Self {
        Self::Unreadable { path: path.to_owned(), source }
    }
}

/// One problem. Prints as `file:line: key: what is wrong and what is expected`.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Problem {
    /// The file, as it was asked for.
    pub file: PathBuf,
    /// The line, counted from 1; `None` when the problem is in no line.
    pub line: Option<u64>,
    /// The full key, as in `response.jitter_ratio`; `None` when the problem concerns the whole file.
    pub key: Option<String>,
    /// What is wrong.
    pub fault: ConfigFault,
}

/// What is wrong with a key or a file.
#[derive(Clone, Debug, PartialEq, Eq, Hash, thiserror::Error)]
pub enum ConfigFault {
    /// There is no such key.
    #[error("unknown key{}", did_you_mean(.suggestion.as_deref()))]
    Unknown {
        /// The known key that was probably meant.
        suggestion: Option<String>,
    },
    /// A key that the predecessor had, and what to write instead.
    #[error("{instead}")]
    Superseded {
        /// What to write.
        instead: &'static str,
    },
    /// A key without a default is missing.
    #[error("missing: expected {expected}")]
    Missing {
        /// What to write.
        expected: String,
    },
    /// The value has the wrong type, is out of range or has no meaning.
    #[error("expected {expected}, found {found}{}", did_you_mean(.suggestion.as_deref()))]
    Unexpected {
        /// What to write.
        expected: String,
        /// What is there: its type, or the number.
        found: String,
        /// The value that was probably meant.
        suggestion: Option<String>,
    },
    /// The value contradicts another one.
    #[error("{0}")]
    Contradiction(String),
    /// A key is given twice in one section.
    #[error("given twice, first in line {first}")]
    Duplicate {
        /// The line in which it was given first.
        first: u64,
    },
    /// A `${VAR}` that has no value.
    #[error(
        "`{variable}` is not set, neither in the environment nor in `.env` beside config.yaml (`myao init` writes one)"
    )]
    Unset {
        /// Its name.
        variable: String,
    },
    /// A `${` that is no reference to a variable.
    #[error("`${{` must be followed by a variable's name and `}}`; write `$${{` for `${{` itself")]
    Reference,
    /// The file is no YAML; nothing after this place was read.
    #[error("no valid YAML: {0}")]
    Yaml(String),
    /// The file is not UTF-8.
    #[error("the file is not UTF-8 text")]
    NotUtf8,
    /// The file has no keys at all, which is more likely an accident than meant.
    #[error(
        "the file holds no keys: `myao init` writes one, config.yaml.example lists all; or remove it to run with the defaults"
    )]
    Empty,
    /// A line of `.env` that cannot be read.
    #[error("expected NAME=value, NAME=\"value\", NAME='value' or # a comment")]
    EnvLine,
}

impl fmt::Display for Problem {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}:", self.file.display())?;
        if let Some(line) = self.line {
            write!(f, "{line}:")?;
        }
        if let Some(key) = &self.key {
            write!(f, " {}:", key_as_shown(key))?;
        }
        write!(f, " {}", self.fault)
    }
}

/// A key as messages show it: on one line, and cut after [`LONGEST_KEY`] characters.
fn key_as_shown(key: &str) -> String {
    let mut chars = key.chars();
    let head: String =
        chars.by_ref().take(LONGEST_KEY).map(|c| if c.is_control() { ' ' } else { c }).collect();
    if chars.next().is_some() { format!("{head}…") } else { head }
}

fn lines_of_problems(problems: &[Problem]) -> String {
    problems.iter().map(ToString::to_string).collect::<Vec<_>>().join("\n")
}

fn did_you_mean(suggestion: Option<&str>) -> String {
    suggestion.map(|known| format!(", did you mean `{known}`?")).unwrap_or_default()
}
