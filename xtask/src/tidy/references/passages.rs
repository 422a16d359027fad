//! Takes files apart into the passages that people read: paragraphs of documents, and comments.

use super::super::{SourceFile, markdown};

/// What a comment begins with, in each language of the repository.
const RUST: [&str; 3] = ["///", "//!", "//"];
const MARKS: [(&str, &[&str]); 6] =
    [("rs", &RUST), ("c", &RUST), ("sql", &["--"]), ("toml", &["#"]), ("yaml", &["#"]), ("sh", &["#"])];
/// Files without an extension that are shell scripts.
const SCRIPTS: &str = "scripts/";
/// What models read, and the guide to packages of others, cite nothing of ours; this rule tells of citations.
const LEFT_OUT: [&str; 3] = ["prompts/", "findings/", "xtask/src/tidy/references/"];

/// A piece of text whose lines belong together.
pub(super) struct CitingText {
    /// Its lines, joined by spaces.
    pub(super) text: String,
    /// Where each of its lines begins in `text`, with the line's number in the file.
    starts: Vec<(usize, usize)>,
}

impl CitingText {
    fn new() -> Self {
        Self { text: String::new(), starts: Vec::new() }
    }

    fn add(&mut self, number: usize, line: &str) {
        if !self.text.is_empty() {
            self.text.push(' ');
        }
        self.starts.push((self.text.len(), number));
        self.text.push_str(line);
    }

    /// The line of the file on which the byte `at` stands.
    pub(super) fn line_at(&self, at: usize) -> usize {
        let before = self.starts.iter().take_while(|(start, _)| *start <= at);
        before.last().map_or(1, |(_, number)| *number)
    }
}

/// Every passage of a file, in order.
pub(super) fn of(file: &SourceFile) -> Vec<CitingText> {
    if LEFT_OUT.iter().any(|folder| file.path.starts_with(folder)) {
        return Vec::new();
    }
    if file.is("md") {
        return documents(file);
    }
    let marks = MARKS.iter().find(|(extension, _)| file.is(extension)).map(|(_, marks)| *marks);
    match marks {
        Some(marks) => comments(file, marks),
        None if file.path.starts_with(SCRIPTS) => comments(file, &["#"]),
        None => Vec::new(),
    }
}

/// Whether a line is a comment of Rust, and nothing else.
pub(super) fn is_comment(line: &str) -> bool {
    line.trim_start().starts_with("//")
}

fn documents(file: &SourceFile) -> Vec<CitingText> {
    let lines = markdown::lines_of_prose(file).map(|(number, line)| {
        let mut passage = CitingText::new();
        passage.add(number, line);
        passage
    });
    lines.collect()
}

/// Comments on lines that follow one another are one passage; one behind code is a passage of its own.
fn comments(file: &SourceFile, marks: &[&str]) -> Vec<CitingText> {
    let (mut passages, mut open) = (Vec::new(), CitingText::new());
    for (number, line) in file.lines() {
        let whole = marks.iter().find_map(|mark| line.trim_start().strip_prefix(mark));
        if let Some(words) = whole {
            open.add(number, words.trim());
            continue;
        }
        if !open.text.is_empty() {
            passages.push(std::mem::replace(&mut open, CitingText::new()));
        }
        if let Some(words) = marks.last().and_then(|mark| behind(line, mark)) {
            let mut passage = CitingText::new();
            passage.add(number, words);
            passages.push(passage);
        }
    }
    passages.push(open);
    passages
}

/// What stands behind code, in a comment on the same line.
fn behind<'a>(line: &'a str, mark: &str) -> Option<&'a str> {
    let (code, words) = line.split_once(mark)?;
    words.strip_prefix(' ').filter(|_| code.ends_with(' '))
}
