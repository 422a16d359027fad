//! Checks that links between the documents lead to a file.

use super::{SourceFile, Violation, markdown};

const RULE: &str = "links";

pub(super) fn check(files: &[SourceFile]) -> Vec<Violation> {
    let mut violations = Vec::new();
    for file in files.iter().filter(|file| file.is("md")) {
        for (number, line) in markdown::lines_of_prose(file) {
            for target in markdown::targets_of_links(line).filter(|target| is_relative(target)) {
                let path = resolve_target(&file.path, target);
                let missing = if path_exists(files, &path) {
                    missing_heading(files, file, target).map(|heading| format!("heading #{heading}"))
                } else {
                    Some(path)
                };
                if let Some(missing) = missing {
                    let advice = format!("`{target}` leads nowhere: there is no {missing}");
                    violations.push(Violation::new(&file.path, number, RULE, advice));
                }
            }
        }
    }
    violations
}

/// Counts the links to files of the repository that lead somewhere.
pub(super) fn count(files: &[SourceFile]) -> usize {
    let documents = files.iter().filter(|file| file.is("md"));
    let lines = documents.flat_map(|file| markdown::lines_of_prose(file).map(move |(_, line)| (file, line)));
    let targets =
        lines.flat_map(|(file, line)| markdown::targets_of_links(line).map(move |target| (file, target)));
    let inside = targets.filter(|(_, target)| is_relative(target));
    inside.filter(|(file, target)| path_exists(files, &resolve_target(&file.path, target))).count()
}

/// Whether a link leads to a file of the repository, or to a heading of its own.
fn is_relative(target: &str) -> bool {
    !target.starts_with("mailto:") && !target.contains("://")
}

/// The path from the repository's root that `target` means in the document `from`.
fn resolve_target(from: &str, target: &str) -> String {
    let target = target.split_once('#').map_or(target, |(path, _)| path);
    let mut path: Vec<&str> = from.split('/').collect();
    path.pop();
    for part in target.split('/') {
        match part {
            "" | "." => {}
            ".." if path.last().is_some_and(|last| *last != "..") => {
                path.pop();
            }
            part => path.push(part),
        }
    }
    path.join("/")
}

/// The heading that a link means in a document that has none of this name.
fn missing_heading<'a>(files: &[SourceFile], from: &SourceFile, target: &'a str) -> Option<&'a str> {
    let (path, heading) = target.split_once('#')?;
    let path = if path.is_empty() { from.path.clone() } else { resolve_target(&from.path, target) };
    let document = files.iter().find(|file| file.path == path && file.is("md"))?;
    let is_known = markdown::lines_of_prose(document)
        .filter_map(|(_, line)| markdown::anchor(line))
        .any(|a| a == heading);
    (!is_known).then_some(heading)
}

fn path_exists(files: &[SourceFile], path: &str) -> bool {
    let is_inside =
        |file: &SourceFile| file.path.strip_prefix(path).is_some_and(|rest| rest.starts_with('/'));
    path.is_empty() || files.iter().any(|file| file.path == path || is_inside(file))
}
