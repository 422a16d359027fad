//! Reads `.env` beside the configuration file: variables that the environment does not have.
//!
//! No library is used for this, so that `.env` never changes the process's environment, and errors name the wrong line
//! without printing it. Understood: `NAME=value` with or without `export`, comments, values in single quotes (taken as
//! they are) or double quotes (with `\n`, `\t`, `\"`, `\\`, `\$`), which may go over several lines, and `${OTHER}`
//! outside single quotes. If a name is given several times, the last one counts.

use std::{collections::HashMap, path::Path};

use super::{
    error::{ConfigError, ConfigFault},
    expand::{Variables, fill_in_variables, is_variable},
    read_text,
    report::ProblemReport,
};

/// The variables of `.env` in the directory of `config`; empty when there is no such file.
pub(super) fn read_beside(
    config: &Path,
    environment: Variables<'_>,
) -> Result<HashMap<String, String>, ConfigError> {
    let file = config.with_file_name(".env");
    // A directory of that name may be a Python environment.
    let text = if file.is_dir() { None } else { read_text(&file)? };
    let mut report = ProblemReport::new(&file);
    let variables = text.map(|text| parse_variables(&text, environment, &mut report)).unwrap_or_default();
    report.finish()?;
    Ok(variables)
}

/// The variables of the file's `text`; lines that can't be read are reported.
fn parse_variables(
    text: &str,
    environment: Variables<'_>,
    report: &mut ProblemReport,
) -> HashMap<String, String> {
    let mut variables = HashMap::new();
    let mut lines = (1_u64..).zip(text.trim_start_matches('\u{feff}').lines());
    while let Some((number, line)) = lines.next() {
        let line = line.trim();
        if line.is_empty() || line.starts_with('#') {
            continue;
        }
        let mut more = || lines.next().map(|(_, line)| line);
        let Some((name, value)) = parse_assignment(line, &mut more) else {
            report.problem(Some(number), "", ConfigFault::EnvLine);
            continue;
        };
        let full = match value {
            Quoted::Literal(value) => Ok(value),
            Quoted::Open(value) => {
                fill_in_variables(&value, &|name| environment(name).or_else(|| variables.get(name).cloned()))
            }
        };
        match full {
            Ok(full) => {
                variables.insert(name.to_owned(), full);
            }
            Err(faults) => {
                for fault in faults {
                    report.problem(Some(number), name, fault);
                }
            }
        }
    }
    variables
}

enum Quoted {
    /// Used as it is.
    Literal(String),
    /// References in it are still to be resolved.
    Open(String),
}

fn parse_assignment<'l>(
    line: &'l str,
    more: &mut dyn FnMut() -> Option<&'l str>,
) -> Option<(&'l str, Quoted)> {
    let line = line.strip_prefix("export ").unwrap_or(line);
    let (name, value) = line.split_once('=')?;
    let name = name.trim();
    let value = value.trim();
    if !is_variable(name) {
        return None;
    }
    let value = match value.chars().next() {
        Some('\'') => Quoted::Literal(quoted_value(value, '\'', more)?),
        Some('"') => Quoted::Open(quoted_value(value, '"', more)?),
        _ => Quoted::Open(bare_value(value).to_owned()),
    };
    Some((name, value))
}

/// A value without quotes ends where a comment begins.
fn bare_value(value: &str) -> &str {
    if value.starts_with('#') {
        return "";
    }
    value.split_once(" #").map_or(value, |(value, _)| value.trim_end())
}

/// The text between two `quote`s; only a comment may follow.
fn quoted_value<'l>(
    value: &'l str,
    quote: char,
    more: &mut dyn FnMut() -> Option<&'l str>,
) -> Option<String> {
    let mut text = String::new();
    let mut rest = value.chars();
    rest.next();
    loop {
        let Some(c) = rest.next() else {
            text.push('\n');
            rest = more()?.chars();
            continue;
        };
        if c == quote {
            let behind = rest.as_str().trim();
            return (behind.is_empty() || behind.starts_with('#')).then_some(text);
        }
        if c == '\\' && quote == '"' {
            unescape_next(&mut rest, &mut text);
        } else {
            text.push(c);
        }
    }
}

fn unescape_next(rest: &mut std::str::Chars<'_>, text: &mut String) {
    match rest.next() {
        Some('n') => text.push('\n'),
        Some('t') => text.push('\t'),
        // `expand` turns `$$` in front of a brace back into `$`.
        Some('$') if rest.as_str().starts_with('{') => text.push_str("$$"),
        Some(c @ ('"' | '\\' | '$')) => text.push(c),
        Some(c) => text.extend(['\\', c]),
        None => text.push('\\'),
    }
}
