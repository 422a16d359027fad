//! Takes off what our own lines begin with in a prompt: a time and our name, `[2026-11-27 08:20] myao: …`. A model writes
//! as it reads, whatever it is told.

use super::spoken::is_quoted_from;
use crate::ports::Request;

/// Marks in front of a line of talk.
const MARKS: [char; 2] = ['→', '●'];
/// The role of a model, as some write it in front of what they say.
const ROLES: [&str; 3] = ["Assistant", "assistant", "アシスタント"];
/// The role of whoever talks to a model: with both, it is a conversation that was asked for.
const OTHER_ROLES: [&str; 4] = ["\nUser:", "\nuser:", "\nHuman:", "\nユーザー"];
/// Most lines of others that are repeated in front of an answer.
const MOST_REPEATED: usize = 20;
/// What our format puts before each further line of a message.
const CONTINUATION: &str = "  ";

/// The words of an answer: without time and name in front, and up to where the model goes on as somebody else.
pub(super) fn first_words(text: &str, request: &Request) -> String {
    let names: Vec<&str> = request.own_names.iter().map(String::as_str).collect();
    let text = behind_repeated(text.trim(), &names, request);
    let Some(said) = without_head(text, &names) else {
        return without_role(without_own_name(text, &names), request).to_owned();
    };
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

/// An answer without its model's role in front, unless the talk is about such roles.
fn without_role<'a>(text: &'a str, request: &Request) -> &'a str {
    let said = ROLES.iter().find_map(|role| behind_name(text, role)).map(str::trim);
    let is_about = || ROLES.iter().any(|role| is_quoted_from(request, role));
    let is_script = |said: &str| OTHER_ROLES.iter().any(|role| said.contains(role));
    said.filter(|said| !said.is_empty() && !is_script(said) && !is_about()).unwrap_or(text)
}

/// An answer without the lines that it repeats before its own: what others said last.
fn behind_repeated<'a>(text: &'a str, names: &[&str], request: &Request) -> &'a str {
    let mut at = 0;
    for line in text.split_inclusive('\n').take(MOST_REPEATED) {
        let bare = line.trim_end();
        if without_head(bare, names).is_some() {
            return text.get(at..).unwrap_or(text);
        }
        let said = behind_moment(bare).and_then(|rest| rest.split_once([':', '：']));
        if !said.is_some_and(|(_, said)| !said.trim().is_empty() && is_quoted_from(request, said.trim())) {
            break;
        }
        at += line.len();
    }
    text
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
