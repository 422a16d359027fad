//! A memory's text in which a person puts one statement right.

use super::line::parts_of_text;

/// A text in which one statement was replaced.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CorrectedText {
    /// The whole text.
    pub text: String,
    /// What the statement said before.
    pub previous: String,
}

/// The text with other words in place of the statement that holds the line `nth` (counted from 0); its bullet stays. Without
/// words the statement goes. `None` if no statement holds that line.
pub fn text_with_statement(text: &str, nth: usize, words: &str) -> Option<CorrectedText> {
    let part = parts_of_text(text).into_iter().find(|part| part.nth <= nth && nth <= part.last)?;
    let words = words.split_whitespace().collect::<Vec<_>>().join(" ");
    let mut lines: Vec<String> = Vec::new();
    for (at, line) in text.lines().enumerate() {
        if at == part.nth && !words.is_empty() {
            let bullet = line.find(|c: char| c.is_alphanumeric() || c == '[').unwrap_or(0);
            let bullet = line.get(..bullet).filter(|bullet| bullet.ends_with(' ')).unwrap_or_default();
            lines.push(format!("{bullet}{words}"));
        } else if at < part.nth || at > part.last {
            lines.push(line.to_owned());
        }
    }
    Some(CorrectedText { text: lines.join("\n"), previous: part.text })
}
