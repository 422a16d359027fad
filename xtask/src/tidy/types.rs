//! Checks that no two types have the same name, so that a name alone tells which type is meant.

use std::collections::BTreeMap;

use super::{SourceFile, Violation};

const RULE: &str = "types";
const KEYWORDS: [&str; 5] = ["struct ", "enum ", "trait ", "union ", "type "];

pub(super) fn check(files: &[SourceFile]) -> Vec<Violation> {
    let mut first: BTreeMap<&str, (&str, usize)> = BTreeMap::new();
    let mut violations = Vec::new();
    let sources = files.iter().filter(|file| is_shipped(file));
    for (file, (number, line)) in sources.flat_map(|file| file.lines().map(move |line| (file, line))) {
        let Some(name) = type_defined_by(line) else { continue };
        match first.get(name) {
            None => {
                first.insert(name, (&file.path, number));
            }
            Some((path, at)) => {
                let advice = format!("`{name}` is a type in {path}:{at} already: say which one this is");
                violations.push(Violation::new(&file.path, number, RULE, advice));
            }
        }
    }
    violations
}

/// The name of the type that a line defines. An associated type of a trait does not count. It is recognised by its
/// indentation, together with the keyword `type`.
fn type_defined_by(line: &str) -> Option<&str> {
    let is_inside = line.starts_with(' ');
    let mut rest = line.trim_start();
    if let Some(public) = rest.strip_prefix("pub") {
        rest = match public.strip_prefix('(') {
            Some(restricted) => restricted.split_once(") ")?.1,
            None => public.strip_prefix(' ')?,
        };
    }
    let (keyword, rest) =
        KEYWORDS.iter().find_map(|keyword| Some((*keyword, rest.strip_prefix(keyword)?)))?;
    let name = rest.split(|letter: char| !letter.is_alphanumeric() && letter != '_').next()?;
    // In a macro the name is missing: it is given where the macro is used.
    (!name.is_empty() && (!is_inside || keyword != "type ")).then_some(name)
}

fn is_shipped(file: &SourceFile) -> bool {
    let is_ours = file.path.starts_with("crates/") || file.path.starts_with("xtask/");
    is_ours && file.is("rs") && file.path.contains("/src/")
}
