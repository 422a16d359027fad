//! Divides turns into parts by whom they address: somebody called by name, or everybody.

use std::collections::BTreeSet;

use myao_core::{
    text::{fold_for_comparison, letters_and_digits},
    worth::{EVERYBODY, is_common_word},
};

use super::{lines::SpeakerTurn, passages::readable_message};

/// Characters of a line in which names are looked for: a name at its beginning, `@name` anywhere.
const LONGEST_LINE: usize = 600;
/// Most characters of a word before a colon that is taken for somebody's name, known or not.
const LONGEST_WORD: usize = 24;
/// Marks behind a name, or behind its title, by which a line calls the person.
const CALL_MARKS: [&str; 6] = [": ", " : ", ", ", "、", "，", "： "];
/// Polite titles that follow a name.
pub(super) const TITLES: [&str; 6] = ["さん", "くん", "ちゃん", "さま", "様", "氏"];

/// A part of a turn that is said to the same people.
pub(super) struct AddressedPart {
    /// The turn it belongs to.
    pub(super) turn: usize,
    /// The people it calls, by what they are called; empty when it is said to everybody.
    pub(super) to: BTreeSet<String>,
    /// The words, without code and quotations.
    pub(super) text: String,
    /// The letters of what it quotes.
    pub(super) quotes: String,
}

impl AddressedPart {
    /// Whether it calls the person with this name.
    pub(super) fn calls(&self, called: &str) -> bool {
        self.to.contains(called)
    }
}

/// The parts of all turns, in order.
pub(super) fn parts_of_turns(turns: &[SpeakerTurn]) -> Vec<AddressedPart> {
    let names: BTreeSet<&str> = turns.iter().map(|turn| turn.called.as_str()).collect();
    // Longer names first, so that `@anna` is not read as `@ann`.
    let mut names: Vec<&str> = names.into_iter().filter(|name| !name.is_empty()).collect();
    names.sort_by_key(|name| (std::cmp::Reverse(name.len()), *name));
    turns.iter().enumerate().flat_map(|(at, turn)| parts_of_turn(at, turn, &names)).collect()
}

fn parts_of_turn(turn: usize, said: &SpeakerTurn, names: &[&str]) -> Vec<AddressedPart> {
    let prose: Vec<&str> = said.text.split("```").step_by(2).collect();
    let mut parts: Vec<AddressedPart> = Vec::new();
    for line in prose.join("\n").lines().filter(|line| !line.trim().is_empty()) {
        let quoted = line.trim_start().strip_prefix('>');
        let to = if quoted.is_some() { BTreeSet::new() } else { people_called(line, names) };
        let goes_on = parts.last().is_some_and(|part| match quoted {
            Some(_) => part.text.is_empty(),
            None => to.is_empty() || to == part.to,
        });
        if !goes_on {
            let to = match (quoted, parts.last()) {
                (Some(_), Some(before)) => before.to.clone(),
                _ => to,
            };
            parts.push(AddressedPart { turn, to, text: String::new(), quotes: String::new() });
        }
        let Some(part) = parts.last_mut() else { continue };
        if let Some(quoted) = quoted {
            part.quotes.push_str(&letters_and_digits(&fold_for_comparison(quoted)));
        } else {
            part.text.push_str(line);
            part.text.push('\n');
        }
    }
    for part in &mut parts {
        part.text = readable_message(&part.text);
    }
    parts
}

/// The people that a line calls, by their folded names. Somebody unknown counts too, so that words to them are not taken
/// as said to another.
fn people_called(line: &str, names: &[&str]) -> BTreeSet<String> {
    let line = fold_for_comparison(myao_core::text::head_of_text(line.trim(), LONGEST_LINE));
    let mut called = BTreeSet::new();
    for (at, _) in line.match_indices('@') {
        let before = line.get(..at).and_then(|before| before.chars().next_back());
        let tail = line.get(at + 1..).unwrap_or_default();
        let is_free = !before.is_some_and(|c| c.is_ascii_alphanumeric());
        let known =
            names.iter().find(|name| tail.strip_prefix(**name).is_some_and(|rest| ends_name(name, rest)));
        match known {
            Some(name) if is_free => drop(called.insert((*name).to_owned())),
            None if at == 0 && !EVERYBODY.iter().any(|all| tail.starts_with(all)) => {
                called.insert(tail.split(char::is_whitespace).next().unwrap_or_default().to_owned());
            }
            Some(_) | None => {}
        }
    }
    called.extend(called_first(&line, names));
    called
}

/// The name, without an `@`, by which a folded line calls somebody at its beginning.
fn called_first(line: &str, names: &[&str]) -> Option<String> {
    let known = names.iter().find(|name| {
        let Some(rest) = line.strip_prefix(**name) else { return false };
        let titled = TITLES.iter().find_map(|title| rest.strip_prefix(title));
        let after = titled.unwrap_or(rest);
        let is_called = CALL_MARKS.iter().any(|mark| after.starts_with(mark));
        is_called && (!is_common_word(name) || after.starts_with([':', '：']))
    });
    let stranger = || {
        let (word, _) = line.split_once(": ")?;
        let is_word = !word.is_empty() && !word.contains(char::is_whitespace) && !word.starts_with('@');
        (is_word && word.chars().nth(LONGEST_WORD).is_none()).then(|| word.to_owned())
    };
    known.map(|name| (*name).to_owned()).or_else(stranger)
}

/// Whether a name ends where `rest` begins.
fn ends_name(name: &str, rest: &str) -> bool {
    let is_ascii = name.chars().next_back().is_some_and(|c| c.is_ascii());
    !is_ascii || !rest.starts_with(|c: char| c.is_ascii_alphanumeric() || "_-^`|[]{}\\".contains(c))
}
