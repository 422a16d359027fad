//! People who were called otherwise before, as a question may name them: what was said of Yamada is said of Suzuki, who was
//! called so (ADR 147).

use super::named::plain_name;
use crate::{
    chat::{UserId, name_in_talk},
    text::{LetterKind, letter_kind},
};

/// Somebody who was called otherwise before.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RenamedPerson {
    /// Who it is.
    pub user: UserId,
    /// What they are called.
    pub name: String,
    /// What they were called before, the latest first.
    pub former: Vec<String>,
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
    /// Whole names, then the parts in which they differ: `Haddad` and `Smith` of `Noor Haddad` and `Noor Smith`, 山田 and 鈴木
    /// of 山田花子 and 鈴木花子.
    pub fn name_pairs(&self) -> Vec<NamePair> {
        let name = name_in_talk(&self.name);
        let mut pairs: Vec<NamePair> = Vec::new();
        for former in &self.former {
            let former = name_in_talk(former);
            if plain_name(&former) == plain_name(&name) {
                continue;
            }
            let whole = NamePair { former: former.clone(), name: name.clone() };
            for pair in std::iter::once(whole).chain(differing_parts(&former, &name)) {
                if !pairs.contains(&pair) {
                    pairs.push(pair);
                }
            }
        }
        pairs
    }
}

/// The parts in which two names differ that share others.
fn differing_parts(former: &str, name: &str) -> Vec<NamePair> {
    let pair = |former: &str, name: &str| NamePair { former: former.to_owned(), name: name.to_owned() };
    let (before, after) = (words_of(former), words_of(name));
    if let ([before], [after]) = (&before[..], &after[..]) {
        return parts_of_joined_names(before, after)
            .map(|(before, after)| pair(&before, &after))
            .into_iter()
            .collect();
    }
    if before.len() == after.len() {
        let both =
            before.iter().zip(&after).filter(|(before, after)| plain_name(before) != plain_name(after));
        return both.map(|(before, after)| pair(before, after)).collect();
    }
    let is_in = |words: &[&str], word: &str| words.iter().any(|other| plain_name(other) == plain_name(word));
    let gone = before.iter().filter(|word| !is_in(&after, word)).map(|word| pair(word, name));
    let new = after.iter().filter(|word| !is_in(&before, word)).map(|word| pair(former, word));
    gone.chain(new).collect()
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
