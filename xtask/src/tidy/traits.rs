//! Checks that each trait has two implementations, so that it stands for something and not for a single thing.

use super::{SourceFile, Violation};

const RULE: &str = "traits";
const THIS_FILE: &str = "xtask/src/tidy/traits.rs";
const FEWEST: usize = 2;
/// Traits with fewer, and why.
const EXCEPTIONS: [(&str, &str); 2] = [
    ("SharedPace", "`myao-slack` knows no database: whoever has one gives it the pace that processes share"),
    ("ReadRow", "a macro implements it for the rows of both databases"),
];

pub(super) fn check(files: &[SourceFile]) -> Vec<Violation> {
    let sources: Vec<&SourceFile> = files
        .iter()
        .filter(|file| file.is("rs") && file.path.starts_with("crates/") && file.path.contains("/src/"))
        .collect();
    let lines = sources.iter().flat_map(|file| file.lines());
    let impls: Vec<&str> =
        lines.map(|(_, line)| line.trim_start()).filter(|line| line.starts_with("impl")).collect();
    let mut violations = Vec::new();
    let mut names = Vec::new();
    for (file, (number, line)) in sources.iter().flat_map(|file| file.lines().map(move |line| (file, line))) {
        let Some(name) = defined(line) else { continue };
        names.push(name);
        let implemented = impls.iter().filter(|line| implements(line, name));
        if implemented.count() < FEWEST && !EXCEPTIONS.iter().any(|(exception, _)| *exception == name) {
            let advice = format!(
                "`{name}` has fewer than {FEWEST} implementations: do without the trait, or list it in {THIS_FILE} with a reason"
            );
            violations.push(Violation::new(&file.path, number, RULE, advice));
        }
    }
    let is_here = files.iter().any(|file| file.path == THIS_FILE);
    let gone = EXCEPTIONS.iter().filter(|(exception, _)| is_here && !names.contains(exception));
    violations.extend(gone.map(|(exception, _)| {
        Violation::new(
            THIS_FILE,
            1,
            RULE,
            format!("there is no trait `{exception}` any more: take it from the list"),
        )
    }));
    violations
}

/// The name of the trait that a line declares.
fn defined(line: &str) -> Option<&str> {
    let line = line.trim_start();
    let rest = line.strip_prefix("trait ").or_else(|| {
        let (public, rest) = line.split_once("trait ")?;
        (public.starts_with("pub") && public.ends_with(' ')).then_some(rest)
    })?;
    rest.split(|letter: char| !letter.is_alphanumeric()).next().filter(|name| !name.is_empty())
}

/// Whether a line that begins with `impl` is one of the trait `name`.
fn implements(line: &str, name: &str) -> bool {
    let Some((before, _)) = line.trim_start().split_once(" for ") else { return false };
    before.starts_with("impl") && before.strip_suffix(name).is_some_and(|before| before.ends_with([' ', ':']))
}
