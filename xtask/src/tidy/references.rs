//! Resolves what comments and documents cite: sections of our books, decisions, files, tests and other names.

mod decisions;
mod names;
mod passages;
mod paths;
mod sections;

use std::fmt;

use self::{
    decisions::Decisions, names::KnownNames, passages::CitingText, paths::KnownPaths, sections::Books,
};
use super::{SourceFile, Violation, links};

const RULE: &str = "references";
const DECISIONS: &str = "docs/adr/";

/// What something that is cited is.
#[derive(Clone, Copy, PartialEq, Eq)]
enum CitedKind {
    Section,
    Decision,
    Path,
    Name,
}

/// One thing that a comment or document cites.
struct Citation {
    kind: CitedKind,
    /// Where it stands in its passage, in bytes.
    at: usize,
    /// What is wrong with it, if it leads nowhere.
    complaint: Option<String>,
}

/// What the citations of a repository may lead to.
struct Cited<'a> {
    books: Books,
    decisions: Decisions,
    paths: KnownPaths<'a>,
    names: KnownNames<'a>,
}

/// How many citations were resolved, by what they lead to.
#[derive(Default)]
pub(super) struct Resolved {
    sections: usize,
    decisions: usize,
    paths: usize,
    names: usize,
    links: usize,
}

impl fmt::Display for Resolved {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { sections, decisions, paths, names, links } = self;
        let all = sections + decisions + paths + names + links;
        write!(
            f,
            "{all} references resolved ({sections} sections, {decisions} decisions, {paths} paths, {names} names, {links} links)"
        )
    }
}

/// What is cited and leads nowhere, and how much leads somewhere.
pub(super) fn check(files: &[SourceFile]) -> (Vec<Violation>, Resolved) {
    let mut open = Vec::new();
    let mut resolved = Resolved { links: links::count(files), ..Resolved::default() };
    for (path, line, citation) in citations(files) {
        match (citation.complaint, citation.kind) {
            (Some(complaint), _) => open.push(Violation::new(path, line, RULE, complaint)),
            (None, CitedKind::Section) => resolved.sections += 1,
            (None, CitedKind::Decision) => resolved.decisions += 1,
            (None, CitedKind::Path) => resolved.paths += 1,
            (None, CitedKind::Name) => resolved.names += 1,
        }
    }
    (open, resolved)
}

/// Every citation, with the path and line of the file that it stands in.
fn citations(files: &[SourceFile]) -> Vec<(&str, usize, Citation)> {
    let cited = Cited {
        books: Books::of(files),
        decisions: Decisions::of(files),
        paths: KnownPaths::of(files),
        names: KnownNames::of(files),
    };
    let mut found = Vec::new();
    for file in files {
        for passage in passages::of(file) {
            for citation in cited.in_passage(file, &passage) {
                found.push((file.path.as_str(), passage.line_at(citation.at), citation));
            }
        }
    }
    found
}

impl Cited<'_> {
    fn in_passage(&self, file: &SourceFile, passage: &CitingText) -> Vec<Citation> {
        let mut found = self.books.cited(file, &passage.text);
        found.extend(self.decisions.cited(&passage.text));
        // Decisions describe the past: a file or function that they name may be gone.
        if !file.path.starts_with(DECISIONS) {
            found.extend(self.paths.cited(&passage.text));
            found.extend(self.names.cited(&passage.text));
        }
        found
    }
}

/// The pieces of code in backticks, each with the place where it begins.
fn code(text: &str) -> impl Iterator<Item = (usize, &str)> {
    let mut at = 0;
    text.split('`').enumerate().filter_map(move |(number, piece)| {
        let start = at;
        at += piece.len() + 1;
        (number % 2 == 1).then_some((start, piece))
    })
}

/// The words of a text that consist of the letters that `is_part` takes, each with the place where it begins.
fn words(text: &str, is_part: fn(char) -> bool) -> impl Iterator<Item = (usize, &str)> {
    let mut at = 0;
    text.split(move |letter: char| !is_part(letter)).filter_map(move |word| {
        let start = at;
        let behind = text.get(start + word.len()..).and_then(|rest| rest.chars().next());
        at = start + word.len() + behind.map_or(0, char::len_utf8);
        (!word.is_empty()).then_some((start, word))
    })
}

/// Every word of letters, digits and `_` in the lines of a file that are no comments.
fn identifiers(file: &SourceFile) -> impl Iterator<Item = &str> {
    let is_part = |letter: char| letter.is_ascii_alphanumeric() || letter == '_';
    file.lines()
        .map(|(_, line)| line)
        .filter(|line| !passages::is_comment(line))
        .flat_map(move |line| {
            line.split(" // ").next().unwrap_or_default().split(move |letter| !is_part(letter))
        })
        .filter(|word| !word.is_empty())
}
