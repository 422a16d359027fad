//! What an older `config.yaml` says that `init` does not ask about: it goes on to hold, and stands in the new file as it stood.

/// The sections that `init` writes anew.
const WRITTEN: [&str; 5] = ["agents", "budget", "locale", "persona", "slack"];

/// The other sections of a file, with the comments above them; `None` if it is no plain list of sections, so that they cannot
/// be told apart by their lines.
pub(super) fn sections_to_keep(file: &str) -> Option<String> {
    let mut kept = String::new();
    // Comments and blank lines belong to what comes below them.
    let mut above = String::new();
    let mut is_kept = None;
    for line in file.lines().filter(|line| line.trim_end() != "---") {
        if line.trim().is_empty() || line.starts_with('#') {
            above.push_str(line);
            above.push('\n');
            continue;
        }
        if !line.starts_with([' ', '\t', '-']) {
            is_kept = Some(!WRITTEN.contains(&name_of_section(line)?));
        }
        let above = std::mem::take(&mut above);
        if is_kept? {
            kept.extend([above.as_str(), line, "\n"]);
        }
    }
    Some(kept)
}

fn name_of_section(line: &str) -> Option<&str> {
    let name = line.split_once(':')?.0.trim_matches(['"', '\'']);
    let is_plain = !name.is_empty() && name.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'_');
    is_plain.then_some(name)
}
