//! Checks that the commands and options that documents name exist, by the page that is written from the program.

use std::collections::{BTreeMap, BTreeSet};

use super::{SourceFile, Violation, markdown};

const RULE: &str = "samples";
/// What `myao man --markdown` prints.
const REFERENCE: &str = "docs/options.md";
/// Decisions and changes tell of the past too.
const PAST: [&str; 2] = ["docs/adr/", "CHANGELOG.md"];
/// Options that stand behind every command.
const EVERYWHERE: [&str; 3] = ["--config", "--help", "--version"];

/// The options of each command: `memory show`.
type KnownCommands<'a> = BTreeMap<&'a str, BTreeSet<&'a str>>;

pub(super) fn check(files: &[SourceFile]) -> Vec<Violation> {
    let Some(reference) = files.iter().find(|file| file.path == REFERENCE) else { return Vec::new() };
    let commands = commands_of(reference);
    let mut violations = Vec::new();
    let documents = files.iter().filter(|file| file.is("md") && file.path != REFERENCE);
    for file in documents.filter(|file| !PAST.iter().any(|past| file.path.starts_with(past))) {
        for (number, sample) in samples(file) {
            if let Some(advice) = complaint(&commands, &sample) {
                violations.push(Violation::new(&file.path, number, RULE, advice));
            }
        }
    }
    violations
}

fn commands_of(reference: &SourceFile) -> KnownCommands<'_> {
    let mut commands = KnownCommands::new();
    let mut current = "";
    for (_, line) in markdown::lines_of_prose(reference) {
        if let Some(heading) = line.strip_prefix("## `myao ") {
            current = heading.trim_end_matches('`');
            commands.entry(current).or_default();
        } else if let Some(cell) = line.strip_prefix("| ").and_then(|row| row.split(" | ").next()) {
            commands.entry(current).or_default().extend(options(cell));
        }
    }
    commands
}

/// The calls of the program in a document: lines of fenced shell, and pieces of code.
fn samples(file: &SourceFile) -> Vec<(usize, String)> {
    let mut found: Vec<(usize, String)> = Vec::new();
    let mut fence = None;
    for (number, line) in file.lines() {
        if let Some(language) = line.trim_start().strip_prefix("```") {
            fence = if fence.is_some() { None } else { Some(language) };
        } else if fence == Some("sh") {
            let is_more = line.starts_with(' ') && found.last().is_some_and(|(last, _)| last + 1 == number);
            match call_of(line) {
                Some(call) => found.push((number, call.to_owned())),
                None if is_more => {
                    if let Some((last, call)) = found.last_mut() {
                        *last = number;
                        call.push_str(line);
                    }
                }
                None => {}
            }
        } else if fence.is_none() {
            found.extend(
                markdown::pieces_of_code(line).filter_map(call_of).map(|call| (number, call.to_owned())),
            );
        }
    }
    found
}

/// What stands behind `myao` in a line that begins with it, or with a prompt or variables in front; without a comment.
fn call_of(line: &str) -> Option<&str> {
    let mut rest = line.trim_start_matches("$ ");
    while let Some((word, behind)) = rest.split_once(' ')
        && word.contains('=')
    {
        rest = behind;
    }
    let call = rest.strip_prefix("myao ")?;
    Some(call.split(" # ").next().unwrap_or_default())
}

/// What is wrong with a call, if its command or an option of it does not exist.
fn complaint(commands: &KnownCommands<'_>, call: &str) -> Option<String> {
    let mut words = call.split_whitespace().peekable();
    if words.peek() == Some(&"--config") {
        words.nth(1);
    }
    let first = *words.peek()?;
    if !first.starts_with(|letter: char| letter.is_ascii_lowercase()) {
        return None;
    }
    let mut command = String::new();
    for word in words {
        let longer = if command.is_empty() { word.to_owned() } else { format!("{command} {word}") };
        let longer = longer.trim_end_matches([',', ':']).to_owned();
        if !commands.contains_key(longer.as_str()) {
            break;
        }
        command = longer;
    }
    let Some(known) = commands.get(command.as_str()) else {
        return Some(format!("there is no command `myao {first}`"));
    };
    let mut unknown = options(call).filter(|option| !known.contains(option) && !EVERYWHERE.contains(option));
    unknown.next().map(|option| format!("`myao {command}` has no option `{option}`"))
}

/// The words with two hyphens in front.
fn options(text: &str) -> impl Iterator<Item = &str> {
    let words = text.split(|letter: char| !letter.is_ascii_alphanumeric() && letter != '-');
    words.filter(|word| word.starts_with("--") && word.len() > 2)
}
