//! Tells whether somebody asks for what is open: "who still owes what?", 「まだ返事待ちのものは？」

use std::collections::BTreeSet;

use super::{LoopKind, OpenLoop, sentences::people_called};
use crate::{
    chat::{Names, UserId},
    recall::plain_name,
    text::{Lexicon, fold_for_comparison},
    worth::words_with_spaces,
};

static OPEN: Lexicon = Lexicon::of_all("loops.asks_open");
static PROMISES: Lexicon = Lexicon::of_all("loops.asks_promises");
static QUESTIONS: Lexicon = Lexicon::of_all("loops.asks_questions");
static COMING: Lexicon = Lexicon::of_all("loops.asks_coming");
static OWN: Lexicon = Lexicon::english("loops.asks_own");
static JAPANESE_OWN: Lexicon = Lexicon::japanese("loops.asks_own");
static BEHIND_PERSON: Lexicon = Lexicon::of_all("loops.asks_behind_person");

/// A longer message asks for something else besides.
const LONGEST: usize = 60;

/// What somebody wants to know of what is open.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum LoopsAsked {
    /// Everything.
    All,
    /// What was promised.
    Promises,
    /// What waits for an answer.
    Questions,
    /// What is to come.
    Coming,
}

/// A question for what is open.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LoopsAskedFor {
    /// What is asked for.
    pub what: LoopsAsked,
    /// Whose it is; `None` for everybody's.
    pub of: Option<UserId>,
}

impl LoopsAskedFor {
    /// What `asker` asks for; `None` if the message asks for something else. `names` knows whom it may name.
    pub fn of_message(text: &str, asker: &UserId, names: &Names) -> Option<Self> {
        let own = names.own_name().map(plain_name);
        let called = people_called(text)
            .into_iter()
            .find(|user| plain_name(names.user(user)) != own.clone().unwrap_or_default());
        let plain = without_calls(text);
        if plain.chars().count() > LONGEST || plain.lines().nth(1).is_some() {
            return None;
        }
        let what = what_is_asked(&plain)?;
        let spaced = words_with_spaces(&plain);
        let is_own = OWN.words().any(|word| spaced.contains(&format!(" {word} ")))
            || JAPANESE_OWN.words().any(|word| plain.starts_with(word));
        let person = called.or_else(|| person_named(&plain, &spaced, names));
        let of = if is_own { Some(asker.clone()) } else { person };
        // "What did the landlord promise?" asks for somebody whom we do not know.
        let is_of_somebody = spaced.contains(" what did ");
        (!is_of_somebody || of.is_some()).then_some(Self { what, of })
    }

    /// Whether the question asks for this.
    pub fn wants(&self, open: &OpenLoop) -> bool {
        let is_kind = match (self.what, open.kind) {
            (LoopsAsked::All, _) => self.of.is_none() || open.kind != LoopKind::Coming,
            (LoopsAsked::Promises, kind) => kind == LoopKind::Promise,
            (LoopsAsked::Questions, kind) => kind == LoopKind::Question,
            (LoopsAsked::Coming, kind) => {
                kind == LoopKind::Coming || (kind == LoopKind::Promise && open.by.is_some())
            }
        };
        let is_theirs = |user: &UserId| match self.what {
            LoopsAsked::Promises => open.is_owed_by(user),
            LoopsAsked::All | LoopsAsked::Questions | LoopsAsked::Coming => open.is_of(user),
        };
        is_kind && self.of.as_ref().is_none_or(is_theirs)
    }
}

/// The message folded and without whom it calls.
fn without_calls(text: &str) -> String {
    let mut plain = String::new();
    let mut rest = text;
    while let Some((before, call)) = rest.split_once("<@") {
        plain.push_str(before);
        rest = call.split_once('>').map_or("", |(_, after)| after);
    }
    plain.push_str(rest);
    fold_for_comparison(plain.trim())
}

fn what_is_asked(plain: &str) -> Option<LoopsAsked> {
    let spaced = words_with_spaces(plain);
    let stands = |words: &str| {
        if words.is_ascii() { spaced.contains(&format!(" {words} ")) } else { plain.contains(words) }
    };
    if QUESTIONS.words().any(stands) {
        return Some(LoopsAsked::Questions);
    }
    let is_promised = BEHIND_PERSON.words().any(stands);
    if PROMISES.words().any(|words| stands(words) && (words != "what did" || is_promised)) {
        return Some(LoopsAsked::Promises);
    }
    if OPEN.words().any(stands) {
        return Some(LoopsAsked::All);
    }
    // Anything else before it is what the question is about.
    COMING.words().any(|words| plain.starts_with(words)).then_some(LoopsAsked::Coming)
}

/// The one person whom the question names, or else names as they were called before.
fn person_named(plain: &str, spaced: &str, names: &Names) -> Option<UserId> {
    let is_named = |name: &str| {
        let name = plain_name(name);
        !name.is_empty()
            && BEHIND_PERSON.words().any(|behind| {
                if behind.is_ascii() {
                    spaced.contains(&format!(" {name} {behind} "))
                } else {
                    plain.contains(&format!("{name}{behind}"))
                }
            })
    };
    let bearing = |all: &mut dyn Iterator<Item = (&UserId, &str)>| -> BTreeSet<UserId> {
        all.filter(|(_, name)| is_named(name)).map(|(user, _)| user.clone()).collect()
    };
    let mut found = bearing(&mut names.users());
    if found.is_empty() {
        found = bearing(&mut names.former());
    }
    let first = found.pop_first()?;
    found.is_empty().then_some(first)
}
