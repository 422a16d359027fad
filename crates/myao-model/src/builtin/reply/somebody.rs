//! Whom a question asks for, and whether a text tells who that is without a name: "he has it", "we took it".

use myao_core::{
    text::{Lexicon, english_stem, is_japanese},
    worth::words_with_spaces,
};

use super::{
    kind::AnswerKind,
    topics::{Topic, is_slight},
};

static THIRD: Lexicon = Lexicon::english("kind.third_person");
static THIRD_JAPANESE: Lexicon = Lexicon::japanese("kind.third_person");
static GROUP: Lexicon = Lexicon::english("kind.first_persons");
static PERSON: Lexicon = Lexicon::english("asked.person");
static HOLDING: Lexicon = Lexicon::english("owner.holding");
static ROLES: Lexicon = Lexicon::english("asked.roles");
static ROLES_JAPANESE: Lexicon = Lexicon::japanese("asked.roles");
/// So many words may stand between somebody and what they do: we have now printed.
const BEFORE_DEED: usize = 3;

/// Whom a question asks for.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum AskedPerson {
    /// Whoever is something: the supplier.
    Role,
    /// Whoever has something: then where it is tells that.
    Holder,
    /// Anybody else, or nobody.
    Other,
}

impl AskedPerson {
    /// Of a folded question of this kind.
    pub(super) fn of(kind: AnswerKind, question: &str) -> Self {
        if kind != AnswerKind::Who {
            Self::Other
        } else if asks_for_role(question) {
            Self::Role
        } else if asks_who_has(question) {
            Self::Holder
        } else {
            Self::Other
        }
    }
}

/// Whether a folded text speaks of somebody who was named before, of what its author did with others, or may do so: no
/// letters tell Japanese names. `topics` are what the question is about.
pub(super) fn may_tell_somebody(folded: &str, topics: &[Topic]) -> bool {
    let spaced = words_with_spaces(folded);
    THIRD.words().any(|word| spaced.contains(&format!(" {word} ")))
        || THIRD_JAPANESE.words().any(|word| folded.contains(word))
        || is_japanese(folded) == Some(true)
        || is_deed_of_group(&spaced, topics)
}

/// Whether whoever speaks and others did what is asked for, or have something: `we have the key`, not `we met; the key is
/// lost`.
fn is_deed_of_group(spaced: &str, topics: &[Topic]) -> bool {
    let is_asked = |word: &&str| {
        let stem = english_stem(word);
        !is_slight(&stem) && topics.contains(&Topic::Word(stem.into_owned()))
    };
    let words: Vec<&str> = spaced.split_whitespace().collect();
    words.iter().enumerate().filter(|(_, word)| GROUP.contains(word)).any(|(at, _)| {
        let behind = words.get(at + 1..).unwrap_or_default();
        behind.iter().take(BEFORE_DEED).any(|word| HOLDING.contains(word) || is_asked(word))
    })
}

/// Whether a folded question asks who somebody is who is something.
fn asks_for_role(folded: &str) -> bool {
    let spaced = words_with_spaces(folded);
    ROLES.words().any(|role| spaced.contains(&format!(" {role} ")))
        || ROLES_JAPANESE.words().any(|role| folded.contains(role))
}

/// Whether a folded English question asks who has something.
fn asks_who_has(question: &str) -> bool {
    let spaced = words_with_spaces(question);
    let words: Vec<&str> = spaced.split_whitespace().collect();
    words.iter().enumerate().filter(|(_, word)| PERSON.contains(word)).any(|(at, _)| {
        let behind = words.get(at + 1..).unwrap_or_default();
        behind.iter().take(BEFORE_DEED).any(|word| HOLDING.contains(word))
    })
}
