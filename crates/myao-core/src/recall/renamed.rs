//! People who were called otherwise before, as a question may name them: what was said of Yamada is said of Suzuki, who was
//! called so (ADR 147).

use super::named::plain_name;
use crate::{
    chat::{UserId, name_in_talk},
    text::{LetterKind, Lexicon, letter_kind},
};

static NO_NAMES: Lexicon = Lexicon::of_all("recall.beside_names");

/// Pairs of brackets in which people tell something beside their names: where they work, or that they are away.
const BRACKETS: [(char, char); 8] = [
    ('(', ')'),
    ('[', ']'),
    ('{', '}'),
    ('<', '>'),
    ('\u{3010}', '\u{3011}'),
    ('\u{3008}', '\u{3009}'),
    ('\u{ff08}', '\u{ff09}'),
    ('\u{ff3b}', '\u{ff3d}'),
];
/// Signs behind which the same is told.
const SIGNS: [char; 9] = ['_', '|', '/', '@', ':', '\u{ff3f}', '\u{ff5c}', '\u{ff0f}', '\u{ff20}'];

/// Somebody who was called otherwise before.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RenamedPerson {
    /// Who it is.
    pub user: UserId,
    /// What they are called.
    pub name: String,
    /// What they were called before, the latest first.
    pub former: Vec<String>,
    /// Former names, and parts of them, with what they are called in their place. Those that mean somebody else as well may
    /// be taken out.
    pub pairs: Vec<NamePair>,
}

/// A former name, or a part of one, and what a person is called in its place.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NamePair {
    /// What they were called.
    pub former: String,
    /// What they are called.
    pub name: String,
}

impl RenamedPerson {
    /// With the pairs of whole names, then of the part in which two names differ: `Haddad` and `Smith` of `Noor Haddad` and
    /// `Noor Smith`, 山田 and 鈴木 of 山田花子 and 鈴木花子.
    pub fn new(user: UserId, name: String, former: Vec<String>) -> Self {
        let pairs = name_pairs(&name, &former);
        Self { user, name, former, pairs }
    }

    /// The former names that mean nobody else, the latest first, without other ways to write one that is told.
    pub fn names_to_tell(&self) -> Vec<&str> {
        let whole = bare_name(&self.name);
        let means_them = |former: &str| {
            let bare = bare_name(former);
            self.pairs.iter().any(|pair| pair.name == whole && pair.former == bare)
        };
        let mut told: Vec<String> = Vec::new();
        let mut names = Vec::new();
        for former in self.former.iter().filter(|former| means_them(former)) {
            let plain = plain_name(&bare_name(former));
            if !told.contains(&plain) {
                told.push(plain);
                names.push(former.as_str());
            }
        }
        names
    }
}

fn name_pairs(name: &str, former: &[String]) -> Vec<NamePair> {
    let name = bare_name(name);
    let mut pairs: Vec<NamePair> = Vec::new();
    for former in former.iter().map(|former| bare_name(former)) {
        if former.is_empty() || name.is_empty() || plain_name(&former) == plain_name(&name) {
            continue;
        }
        let part = changed_part(&former, &name);
        for pair in std::iter::once(NamePair { former, name: name.clone() }).chain(part) {
            if !pairs.contains(&pair) {
                pairs.push(pair);
            }
        }
    }
    pairs
}

/// A name without what people tell beside it: `Noor (on holiday)`, `山田花子_営業部`. A name that is nothing else stays.
pub fn bare_name(name: &str) -> String {
    let name = name_in_talk(name);
    let mut bare = String::new();
    let mut closes: Vec<char> = Vec::new();
    for c in name.chars() {
        if let Some((_, close)) = BRACKETS.iter().find(|(open, _)| *open == c) {
            closes.push(*close);
        } else if closes.last() == Some(&c) {
            closes.pop();
        } else if closes.is_empty() {
            if SIGNS.contains(&c) && !bare.trim().is_empty() {
                break;
            }
            bare.push(c);
        }
    }
    let bare = bare.trim();
    if bare.is_empty() { name } else { bare.to_owned() }
}

/// The one part in which two names differ that share the others. Where more is another one, or something was added, nobody
/// can tell what stands for what.
fn changed_part(former: &str, name: &str) -> Option<NamePair> {
    let (before, after) = (words_of(former), words_of(name));
    let (former, name) = match (&before[..], &after[..]) {
        ([before], [after]) => parts_of_joined_names(before, after)?,
        _ if before.len() == after.len() => {
            let mut differing =
                before.iter().zip(&after).filter(|(before, after)| plain_name(before) != plain_name(after));
            let (before, after) = differing.next().filter(|_| before.len() > 1)?;
            if differing.next().is_some() {
                return None;
            }
            ((*before).to_owned(), (*after).to_owned())
        }
        _ => return None,
    };
    let may_be_name = |word: &str| {
        let plain = plain_name(word);
        !NO_NAMES.words().any(|no| if no.is_ascii() { plain == no } else { plain.ends_with(no) })
    };
    (may_be_name(&former) && may_be_name(&name)).then_some(NamePair { former, name })
}

fn words_of(name: &str) -> Vec<&str> {
    name.split(|c: char| !c.is_alphanumeric()).filter(|word| !word.is_empty()).collect()
}

/// What is left of two names in kanji or kana without what both begin or end with, whichever is longer; `None` if they share
/// nothing.
fn parts_of_joined_names(former: &str, name: &str) -> Option<(String, String)> {
    let is_unspaced = |c: &char| matches!(letter_kind(*c), LetterKind::Kanji | LetterKind::Unspaced);
    let (before, after): (Vec<char>, Vec<char>) = (former.chars().collect(), name.chars().collect());
    if !before.iter().chain(&after).all(is_unspaced) {
        return None;
    }
    let ending = before.iter().rev().zip(after.iter().rev()).take_while(|(one, other)| one == other).count();
    let beginning = before.iter().zip(&after).take_while(|(one, other)| one == other).count();
    let shared = ending.max(beginning);
    if shared == 0 || shared >= before.len().min(after.len()) {
        return None;
    }
    let rest = |letters: &[char]| -> Option<String> {
        let left = letters.len().checked_sub(shared)?;
        let rest = if ending >= beginning { letters.get(..left) } else { letters.get(shared..) };
        Some(rest?.iter().collect())
    };
    Some((rest(&before)?, rest(&after)?))
}
