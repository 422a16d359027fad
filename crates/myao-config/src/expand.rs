//! Fills in `${VAR}` in every string of the file, plain, quoted or block (specification §9).

use std::collections::HashMap;

use super::{
    error::ConfigFault,
    node::{Node, NodeEntry, Value},
    report::ProblemReport,
};

/// Looks up a variable's value.
pub(super) type Variables<'a> = &'a dyn Fn(&str) -> Option<String>;

/// `text` with its variables filled in; `$${` gives `${`. A variable's value is not expanded again.
///
/// # Errors
/// All references that can't be resolved.
pub(super) fn fill_in_variables(text: &str, variables: Variables<'_>) -> Result<String, Vec<ConfigFault>> {
    let mut full = String::with_capacity(text.len());
    let mut faults = Vec::new();
    let mut rest = text;
    while let Some((before, after)) = rest.split_once("${") {
        rest = after;
        if let Some(before) = before.strip_suffix('$') {
            full.push_str(before);
            full.push_str("${");
            continue;
        }
        full.push_str(before);
        match after.split_once('}').filter(|(name, _)| is_variable(name)) {
            Some((name, after)) => {
                rest = after;
                match variables(name) {
                    Some(value) => full.push_str(&value),
                    None => faults.push(ConfigFault::Unset { variable: name.to_owned() }),
                }
            }
            None => faults.push(ConfigFault::Reference),
        }
    }
    full.push_str(rest);
    if faults.is_empty() { Ok(full) } else { Err(faults) }
}

/// Whether `name` can be the name of an environment variable.
pub(super) fn is_variable(name: &str) -> bool {
    !name.starts_with(|c: char| c.is_ascii_digit())
        && !name.is_empty()
        && name.chars().all(|c| c.is_ascii_alphanumeric() || c == '_')
}

/// Fills in all variables below `node`, and reports missing variables and keys given twice. A value with a missing
/// variable becomes [`Value::Faulty`], so that it is not reported again.
pub(super) fn resolve_all_below(
    node: &mut Node,
    path: &str,
    variables: Variables<'_>,
    report: &mut ProblemReport,
) {
    match &mut node.value {
        Value::Text(text) if text.contains("${") => match fill_in_variables(text, variables) {
            Ok(full) if full == *text => {}
            Ok(full) => node.value = Value::Filled(full),
            Err(faults) => {
                for fault in faults {
                    report.problem(Some(node.line), path, fault);
                }
                node.value = Value::Faulty;
            }
        },
        Value::List(items) => {
            for (index, item) in items.iter_mut().enumerate() {
                resolve_all_below(item, &format!("{path}[{index}]"), variables, report);
            }
        }
        Value::Map(entries) => resolve_entries(entries, path, variables, report),
        Value::Null
        | Value::Flag(_)
        | Value::Number(_)
        | Value::Text(_)
        | Value::Filled(_)
        | Value::Faulty => {}
    }
}

fn resolve_entries(
    entries: &mut Vec<NodeEntry>,
    path: &str,
    variables: Variables<'_>,
    report: &mut ProblemReport,
) {
    let mut seen: HashMap<String, u64> = HashMap::with_capacity(entries.len());
    entries.retain_mut(|entry| {
        let full = join_keys(path, &entry.key);
        if let Some(first) = seen.get(&entry.key) {
            report.problem(Some(entry.line), &full, ConfigFault::Duplicate { first: *first });
            return false;
        }
        seen.insert(entry.key.clone(), entry.line);
        // A value may start below its key, and people look for the key.
        entry.node.line = entry.line;
        resolve_all_below(&mut entry.node, &full, variables, report);
        true
    });
}

/// The full key of `key` in the section `path`.
pub(super) fn join_keys(path: &str, key: &str) -> String {
    // An empty key is shown as people write it.
    let key = if key.is_empty() { "''" } else { key };
    if path.is_empty() { key.to_owned() } else { format!("{path}.{key}") }
}
