//! Checks that nothing in the repository is marked as unfinished.

use super::{SourceFile, Violation};

const RULE: &str = "finished";
/// The beginning of a comment in each language, by file extension.
const COMMENTS: [(&str, &str); 5] = [("rs", "//"), ("sql", "--"), ("toml", "#"), ("sh", "#"), ("yaml", "#")];
/// Written in parts, so that this file does not break its own rule.
const MARKS: [&str; 3] = [concat!("TO", "DO"), concat!("FIX", "ME"), concat!("XX", "X")];
const MACROS: [&str; 2] = [concat!("unimplemented", "!"), concat!("todo", "!")];

pub(super) fn check(files: &[SourceFile]) -> Vec<Violation> {
    let mut violations = Vec::new();
    for file in files {
        let Some((_, comment)) = COMMENTS.iter().find(|(extension, _)| file.is(extension)) else { continue };
        for (number, line) in file.lines() {
            let (code, remark) = line.split_once(comment).unwrap_or((line, ""));
            let mut words = remark.split(|c: char| !c.is_alphanumeric());
            let mark = words.find(|word| MARKS.contains(word));
            let call = MACROS.iter().copied().find(|call| file.is("rs") && code.contains(call));
            if let Some(found) = mark.or(call) {
                let advice =
                    format!("`{found}`: finish it, or open an issue and say here what holds until then");
                violations.push(Violation::new(&file.path, number, RULE, advice));
            }
        }
    }
    violations
}
