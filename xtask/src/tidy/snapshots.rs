//! Checks that every snapshot belongs to a test, and that none waits to be accepted.

use super::{SourceFile, Violation};

const RULE: &str = "snapshot";

pub(super) fn check(files: &[SourceFile]) -> Vec<Violation> {
    let waiting =
        files.iter().filter(|file| file.path.ends_with(".snap.new") || file.path.ends_with(".pending-snap"));
    let waiting =
        waiting.map(|file| (file, "look at it, then accept it (rename it to .snap) or delete it".to_owned()));
    let orphans =
        files.iter().filter(|file| file.is("snap")).filter_map(|file| Some((file, why_orphan(file, files)?)));
    waiting.chain(orphans).map(|(file, advice)| Violation::new(&file.path, 1, RULE, advice)).collect()
}

/// Why a snapshot belongs to no test. `None` if it belongs to one.
fn why_orphan(snapshot: &SourceFile, files: &[SourceFile]) -> Option<String> {
    let Some(source) = snapshot.text.lines().find_map(|line| line.strip_prefix("source: ")) else {
        return Some("its head names no source: let insta write it again".to_owned());
    };
    let source = source.trim().trim_matches('"');
    if !files.iter().any(|file| file.path == source) {
        return Some(format!("the test in {source} is gone: delete the snapshot"));
    }
    // The name is given in the file of the assertion, or in a file beside it if several tests share the assertion.
    let folder = source.rsplit_once('/').map_or("", |(folder, _)| folder);
    let mut beside = files.iter().filter(|file| file.is("rs") && file.path.starts_with(folder));
    let names = possible_names(&snapshot.path, source);
    let has_test = beside.any(|file| names.iter().any(|name| names_this_snapshot(&file.text, name)));
    (!has_test).then(|| format!("no test beside {source} has this name: delete the snapshot"))
}

/// What a snapshot's name may be. Insta writes `modules__name.snap`, where `source` is the last module or the
/// one around it, and a name may hold `__` itself; a suffix (`@…`) and the number of a repeated nameless
/// snapshot (`-2`) are not part of it.
fn possible_names<'a>(path: &'a str, source: &str) -> Vec<&'a str> {
    let file = path.rsplit('/').next().unwrap_or(path).trim_end_matches(".snap");
    let stem = file.split_once('@').map_or(file, |(stem, _)| stem);
    let module =
        source.trim_end_matches(".rs").trim_end_matches("/main").rsplit('/').next().unwrap_or(source);
    let inside = stem.split_once(&format!("{module}__")).map_or(stem, |(_, inside)| inside);
    let ends = inside.match_indices("__").filter_map(|(at, mark)| inside.get(at + mark.len()..));
    std::iter::once(inside).chain(ends).flat_map(|name| [name, without_number(name)]).collect()
}

fn without_number(name: &str) -> &str {
    match name.rsplit_once('-') {
        Some((stem, number)) if number.bytes().all(|byte| byte.is_ascii_digit()) => stem,
        Some(_) | None => name,
    }
}

/// Whether the source has a test of this name, or a string that becomes the name once its `{holes}` are filled.
fn names_this_snapshot(source: &str, name: &str) -> bool {
    source.lines().any(|line| {
        let function = line.split_once("fn ").and_then(|(_, rest)| rest.split_once('('));
        function.is_some_and(|(function, _)| function.trim_start_matches("test_") == name)
            || string_literals(line).any(|string| fills_pattern(string, name))
    })
}

/// The string literals of a line.
fn string_literals(line: &str) -> impl Iterator<Item = &str> {
    line.split('"').skip(1).step_by(2)
}

/// Whether `name` is `pattern` with something put into each of its `{holes}`. A pattern that is only holes would fit
/// every name, so it fits none.
fn fills_pattern(pattern: &str, name: &str) -> bool {
    let Some((before, rest)) = pattern.split_once('{') else { return pattern == name };
    let after = rest.split_once('}').map_or(rest, |(_, after)| after);
    let Some(filled) = name.strip_prefix(before) else { return false };
    let is_text = !before.is_empty() || !after.is_empty();
    let ends = filled.char_indices().map(|(at, c)| at + c.len_utf8());
    is_text && ends.filter_map(|at| filled.get(at..)).any(|rest| fills_pattern(after, rest))
}
