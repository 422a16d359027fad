//! Sections of our two books, as `specification §2.1` or `design §5`.

use std::collections::BTreeSet;

use super::{super::SourceFile, Citation, CitedKind, words};

const SPECIFICATION: &str = "docs/specification.md";
const DESIGN: &str = "docs/design.md";
const MARK: char = '§';
/// Migrations are never changed, since databases hold their checksums. They cite the books as they were called before,
/// and the design's sections by letters.
const MIGRATIONS: &str = "migrations/";
const OLD_SPECIFICATION: &str = "SPEC";
const OLD_DESIGN: &str = "DESIGN";
const OLD_LETTERS: [&str; 6] = ["A", "B", "C", "D", "E", "F"];
/// Papers that no reader of the repository has.
const ELSEWHERE: [&str; 6] = [OLD_SPECIFICATION, OLD_DESIGN, "HOUSE", "CRATES", "PITFALLS", "FACTS"];

/// The numbers of the sections of both books.
pub(super) struct Books {
    specification: BTreeSet<String>,
    design: BTreeSet<String>,
}

/// One of the two books.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Book {
    Specification,
    Design,
}

impl Book {
    const fn path(self) -> &'static str {
        match self {
            Self::Specification => SPECIFICATION,
            Self::Design => DESIGN,
        }
    }
}

impl Books {
    pub(super) fn of(files: &[SourceFile]) -> Self {
        let sections = |path: &str| {
            let file = files.iter().find(|file| file.path == path);
            file.map(|file| headings(&file.text).collect()).unwrap_or_default()
        };
        Self { specification: sections(SPECIFICATION), design: sections(DESIGN) }
    }

    pub(super) fn cited(&self, file: &SourceFile, text: &str) -> Vec<Citation> {
        if text.trim_start().starts_with('#') && [SPECIFICATION, DESIGN].contains(&file.path.as_str()) {
            // The heading of a section itself.
            return Vec::new();
        }
        let mut found = self.by_number(file, text);
        found.extend(by_old_names(file, text));
        found
    }

    /// What is cited by a number behind `§`.
    fn by_number(&self, file: &SourceFile, text: &str) -> Vec<Citation> {
        let (mut found, mut last) = (Vec::new(), None);
        for (at, _) in text.match_indices(MARK) {
            let number = number_at(text, at + MARK.len_utf8());
            let before = text.get(..at).unwrap_or_default();
            let book = named_before(before).or_else(|| continued(before, last)).or_else(|| own(file));
            let complaint = match book {
                None => Some(format!("`{MARK}{number}`: say of which book, as in `specification {MARK}2.1`")),
                Some(book) if self.has(book, number) => None,
                Some(book) => Some(format!("`{MARK}{number}`: {} has no such section", book.path())),
            };
            found.push(Citation { kind: CitedKind::Section, at, complaint });
            last = book.map(|book| (book, at + MARK.len_utf8() + number.len()));
        }
        found
    }

    fn has(&self, book: Book, number: &str) -> bool {
        match book {
            Book::Specification => self.specification.contains(number),
            Book::Design => self.design.contains(number),
        }
    }
}

/// The numbers in headings such as `### §2.1 Chapters`.
fn headings(text: &str) -> impl Iterator<Item = String> {
    let titles = text.lines().filter_map(|line| line.trim_start_matches('#').trim_start().strip_prefix(MARK));
    titles.map(|title| number_at(title, 0).to_owned())
}

/// The number that begins at a byte: digits, and points between them.
fn number_at(text: &str, at: usize) -> &str {
    let rest = text.get(at..).unwrap_or_default();
    let end = rest.find(|letter: char| !letter.is_ascii_digit() && letter != '.').unwrap_or(rest.len());
    rest.get(..end).unwrap_or_default().trim_end_matches('.')
}

/// The book that is named right before a `§`.
fn named_before(before: &str) -> Option<Book> {
    let before = before.trim_end().trim_end_matches(['`', '[', '(']).trim_end();
    let ends = |names: [&str; 2]| names.iter().any(|name| before.to_lowercase().ends_with(name));
    if ends(["specification", "specification.md"]) || before.ends_with(OLD_SPECIFICATION) {
        Some(Book::Specification)
    } else if ends(["design", "design.md"]) {
        Some(Book::Design)
    } else {
        None
    }
}

/// The book of the `§` before, where only a comma or an "and" stands between.
fn continued(before: &str, last: Option<(Book, usize)>) -> Option<Book> {
    let (book, end) = last?;
    let between = before.get(end..)?;
    [",", "and", ", and", "–", "to", ""].contains(&between.trim()).then_some(book)
}

/// The book that a file itself is.
fn own(file: &SourceFile) -> Option<Book> {
    [Book::Specification, Book::Design].into_iter().find(|book| book.path() == file.path)
}

/// What migrations cite by the names of before; elsewhere these names lead nowhere.
fn by_old_names(file: &SourceFile, text: &str) -> Vec<Citation> {
    if !ELSEWHERE.iter().any(|name| text.contains(name)) {
        return Vec::new();
    }
    let named = words(text, |letter| letter.is_ascii_alphanumeric() || letter == '_');
    let named = named.filter(|(_, word)| ELSEWHERE.contains(word));
    named
        .filter_map(|(at, word)| {
            let complaint = if file.path == DESIGN {
                // It tells what the old names mean.
                return None;
            } else if !file.path.starts_with(MIGRATIONS) {
                Some(format!(
                    "`{word}` is not in the repository: cite the specification, the design or an ADR"
                ))
            } else if word == OLD_DESIGN {
                let letter = text.get(at + word.len()..)?.trim_start().get(..1)?;
                (!OLD_LETTERS.contains(&letter)).then(|| format!("`{word} {letter}`: there is no such part"))
            } else {
                // `specification §4` is resolved by its number.
                return None;
            };
            Some(Citation { kind: CitedKind::Section, at, complaint })
        })
        .collect()
}
