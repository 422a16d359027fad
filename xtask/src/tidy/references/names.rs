//! Names of tests, functions and keys, as `keeper::nothing_new_means_no_call_and_no_version`.

use std::collections::HashSet;

use super::{super::SourceFile, Citation, CitedKind, code, identifiers};

/// A name of as many words as a test's has them cannot be meant as anything else.
const WORDS_OF_A_NAME: usize = 4;
/// Files that names may stand in, beside Rust: keys, columns, variables of templates.
const OTHERS: [&str; 8] = ["sql", "yaml", "toml", "json", "jsonl", "c", "html", "js"];

/// Every name that the source has.
pub(super) struct KnownNames<'a> {
    names: HashSet<&'a str>,
}

impl<'a> KnownNames<'a> {
    pub(super) fn of(files: &'a [SourceFile]) -> Self {
        let mut names: HashSet<&str> = HashSet::new();
        for file in files.iter().filter(|file| file.is("rs") || OTHERS.iter().any(|other| file.is(other))) {
            names.extend(identifiers(file));
            let stem = file.path.rsplit('/').next().and_then(|name| name.split('.').next());
            names.extend(stem);
            names.extend(file.path.split('/').nth(1).and_then(|name| name.strip_prefix("myao-")));
        }
        Self { names }
    }

    pub(super) fn cited(&self, text: &str) -> Vec<Citation> {
        let named = code(text).map(|(at, piece)| (at, piece.trim_end_matches("()")));
        named
            .filter(|(_, name)| is_cited(name))
            .map(|(at, name)| {
                let unknown = name.split("::").find(|part| !self.names.contains(part));
                let complaint =
                    unknown.map(|unknown| format!("`{name}`: there is no `{unknown}` in the source"));
                Citation { kind: CitedKind::Name, at, complaint }
            })
            .collect()
    }
}

/// Whether something in backticks is a path of lower-case names, or a name of many words.
fn is_cited(name: &str) -> bool {
    let is_part = |part: &str| {
        part.starts_with(|letter: char| letter.is_ascii_lowercase())
            && part
                .chars()
                .all(|letter| letter.is_ascii_lowercase() || letter.is_ascii_digit() || letter == '_')
    };
    let words = name.split('_').filter(|word| !word.is_empty()).count();
    name.split("::").all(is_part) && (name.contains("::") || words >= WORDS_OF_A_NAME)
}
