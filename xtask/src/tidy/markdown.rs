//! Parses as much of Markdown as the rules need.

use super::SourceFile;

/// A text file's lines outside fenced code, with their numbers.
pub(super) fn lines_of_prose(file: &SourceFile) -> impl Iterator<Item = (usize, &str)> {
    file.lines()
        .scan(false, |fenced, (number, line)| {
            let is_fence = line.trim_start().starts_with("```");
            let inside = *fenced || is_fence;
            *fenced ^= is_fence;
            Some((!inside).then_some((number, line)))
        })
        .flatten()
}

/// The name by which links lead to a heading; `None` for another line.
pub(super) fn anchor(line: &str) -> Option<String> {
    let title = line.trim_start_matches('#').strip_prefix(' ').filter(|_| line.starts_with('#'))?;
    let letters = title.trim().chars().filter(|letter| letter.is_alphanumeric() || " -_".contains(*letter));
    Some(letters.map(|letter| if letter == ' ' { '-' } else { letter }).collect::<String>().to_lowercase())
}

/// The pieces of code in backticks.
pub(super) fn pieces_of_code(line: &str) -> impl Iterator<Item = &str> {
    line.split('`').skip(1).step_by(2)
}

/// The targets of the inline links and images of a line.
pub(super) fn targets_of_links(line: &str) -> impl Iterator<Item = &str> {
    let after = line.split("](").skip(1);
    after.filter_map(|rest| rest.split([')', ' ']).next()).filter(|target| !target.is_empty())
}
