//! Takes off what our own lines begin with in a prompt: a time and our name, `[2026-11-27 08:20] myao: …`. A model writes
//! as it reads, whatever it is told.

use crate::ports::Request;

/// Marks in front of a line of talk.
const MARKS: [char; 2] = ['→', '●'];
/// What our format puts before each further line of a message.
const CONTINUATION: &str = "  ";

/// The words of an answer: without time and name in front, and up to where the model goes on as somebody else.
pub(super) fn first_words(text: &str, request: &Request) -> String {
    let text = text.trim();
    let names: Vec<&str> = request.own_names.iter().map(String::as_str).collect();
    let Some(said) = without_head(text, &names) else { return without_own_name(text, &names).to_owned() };
    let mut lines: Vec<&str> = Vec::new();
    for line in said.lines() {
        match (without_head(line, &names), behind_moment(line)) {
            (Some(own), _) => lines.push(own),
            (None, Some(_)) => break,
            (None, None) => lines.push(line),
        }
    }
    let further = lines.get(1..).unwrap_or_default();
    let is_hanging = |line: &&str| line.is_empty() || line.starts_with(CONTINUATION);
    if further.iter().all(is_hanging) {
        lines.iter_mut().skip(1).for_each(|line| *line = line.strip_prefix(CONTINUATION).unwrap_or(line));
    }
    lines.join("\n").trim().to_owned()
}

/// An answer without its speaker's name in front.
pub fn without_own_name<'a>(text: &'a str, names: &[&str]) -> &'a str {
    names.iter().find_map(|name| behind_name(text, name)).unwrap_or(text).trim()
}

/// What is behind the time and one of our names.
fn without_head<'a>(line: &'a str, names: &[&str]) -> Option<&'a str> {
    let rest = behind_moment(line)?;
    names.iter().find_map(|name| behind_name(rest, name)).map(str::trim_start)
}

/// What is behind `[2026-11-27 08:20]`.
fn behind_moment(line: &str) -> Option<&str> {
    let line = line.trim_start_matches(|c: char| c == ' ' || MARKS.contains(&c));
    let (moment, rest) = line.strip_prefix('[')?.split_once(']')?;
    let is_moment = moment.len() == "2026-11-27 08:20".len()
        && moment.chars().zip("0000-00-00 00:00".chars()).all(|(c, form)| match form {
            '0' => c.is_ascii_digit(),
            sign => c == sign,
        });
    is_moment.then(|| rest.trim_start())
}

/// What is behind a name and its colon, in bold or not.
fn behind_name<'a>(text: &'a str, name: &str) -> Option<&'a str> {
    let bare = text.strip_prefix("**").unwrap_or(text);
    let rest = bare.strip_prefix(name)?.trim_start_matches("**").trim_start();
    let said = rest.strip_prefix([':', '：'])?;
    // `**myao:** hello`
    Some(if bare.len() < text.len() { said.strip_prefix("**").unwrap_or(said) } else { said })
}
