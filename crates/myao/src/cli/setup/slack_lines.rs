//! The lines of a configuration that name Slack's tokens, found and put in place without touching any other.

/// A line that the section `slack` is to have.
pub(super) struct WantedLine<'a> {
    pub(super) key: &'static str,
    pub(super) variable: &'a str,
}

/// Where a text names a token.
pub(super) struct TokenLine {
    /// The line, from 0.
    line: usize,
    /// Whether the line is switched off by a `#`.
    is_off: bool,
    /// The variable that it is read from; `None` where it stands there itself.
    pub(super) variable: Option<String>,
}

impl TokenLine {
    /// The place of a key in the section `slack`: a line that holds rather than one that is switched off.
    pub(super) fn find(text: &str, key: &str) -> Option<Self> {
        let section = lines_of_section(text);
        let places = || section.iter().filter_map(|(line, words)| Self::in_line(*line, words, key));
        places().find(|place| !place.is_off).or_else(|| places().next())
    }

    fn in_line(line: usize, words: &str, key: &str) -> Option<Self> {
        let off = words.trim_start().strip_prefix('#');
        let words = off.unwrap_or(words);
        let (before, value) = words.split_once(&format!("{key}:"))?;
        // In one line with the section's name, or with other keys, something stands before it.
        if off.is_some() && !before.trim().is_empty() {
            return None;
        }
        let value = value.trim_start().trim_start_matches(['"', '\'']);
        let variable = value.strip_prefix("${").and_then(|rest| rest.split_once('}')).map(|(name, _)| name);
        if off.is_some() && variable.is_none() {
            return None;
        }
        Some(Self { line, is_off: off.is_some(), variable: variable.map(str::to_owned) })
    }
}

/// The lines of the section `slack` with their numbers, that of its name first.
fn lines_of_section(text: &str) -> Vec<(usize, &str)> {
    let is_of_section =
        |line: &&(usize, &str)| line.1.trim().is_empty() || line.1.starts_with([' ', '\t', '#']);
    let lines: Vec<(usize, &str)> = text.lines().enumerate().collect();
    let Some(begin) = lines.iter().position(|(_, line)| line.starts_with("slack:")) else {
        return Vec::new();
    };
    let rest = lines.iter().skip(begin + 1).take_while(is_of_section);
    lines.iter().skip(begin).take(1).chain(rest).copied().collect()
}

/// The text with a section `slack` that reads the tokens from variables; `None` where it says them in another way.
/// `comment` and `api_base_url` are for a section that is new.
pub(super) fn with_token_lines(
    text: &str,
    wanted: &[WantedLine<'_>],
    comment: &str,
    api_base_url: Option<&str>,
) -> Option<String> {
    let section = lines_of_section(text);
    let Some((begin, name)) = section.first().copied() else {
        return Some(with_new_section(text, wanted, comment, api_base_url));
    };
    let is_block =
        name.trim_start_matches("slack:").split('#').next().is_none_or(|rest| rest.trim().is_empty());
    let indent = indent_of_section(&section);
    let mut lines: Vec<String> = text.lines().map(str::to_owned).collect();
    let mut added = Vec::new();
    let mut is_changed = false;
    for WantedLine { key, variable } in wanted {
        match TokenLine::find(text, key) {
            Some(TokenLine { variable: None, .. }) => return None,
            Some(TokenLine { is_off: false, .. }) => {}
            Some(TokenLine { line, .. }) => {
                is_changed = true;
                let line = lines.get_mut(line)?;
                *line = format!("{indent}{}", line.trim_start().trim_start_matches('#').trim_start());
            }
            None if is_block => added.push(format!("{indent}{key}: ${{{variable}}}")),
            None => return None,
        }
    }
    if added.is_empty() && !is_changed {
        return Some(text.to_owned());
    }
    let below = lines.split_off(begin + 1);
    Some([lines, added, below].concat().join("\n") + "\n")
}

/// The indentation of the keys of a section.
fn indent_of_section(section: &[(usize, &str)]) -> String {
    let keys = section.iter().skip(1).map(|(_, line)| line);
    let first = keys.clone().find(|line| !line.trim().is_empty() && !line.trim_start().starts_with('#'));
    let indent = first.map(|line| line.chars().take_while(|c| *c == ' ').collect());
    indent.filter(|indent: &String| !indent.is_empty()).unwrap_or_else(|| "  ".to_owned())
}

fn with_new_section(
    text: &str,
    wanted: &[WantedLine<'_>],
    comment: &str,
    api_base_url: Option<&str>,
) -> String {
    let end = if text.is_empty() || text.ends_with('\n') { "" } else { "\n" };
    let keys: Vec<String> =
        wanted.iter().map(|WantedLine { key, variable }| format!("  {key}: ${{{variable}}}\n")).collect();
    let address = api_base_url.map(|address| {
        format!("  api_base_url: {}\n", serde_json::Value::from(address.replace("${", "$${")))
    });
    format!("{text}{end}\n# {comment}\nslack:\n{}{}", keys.concat(), address.unwrap_or_default())
}
