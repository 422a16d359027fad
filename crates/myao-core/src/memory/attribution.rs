//! Finds what a memory's text puts into the wrong mouth: words, promises, decisions and deeds of somebody else
//! (specification §2.2, Guard).
//!
//! A line that lets a named person say or do something is compared with what that person said, and with what others said.
//! It is wrong where one of the others said nearly all of it and the named person hardly any of it, and where nothing in
//! the talk shows why it may be told of that person all the same. Facts about third people stay: whoever says "Ann moves
//! to Lyon" names Ann.
//!
//! What may be right counts as right, so that hardly any right text is refused. Read in this order: `sayings` (what was
//! said, and by whom), `names` (how people are called), `claims` (what a line says of whom), `excuses`.

mod claims;
mod excuses;
mod names;
mod sayings;

use std::collections::BTreeSet;

use self::{
    claims::{AttributedClaim, claims_of_line},
    names::KnownPeople,
    sayings::{Saying, TellingWords, sayings_of_material},
};
use super::line::lines_of_text;
use crate::ports::Request;

/// A claim of fewer telling words than this is about too little to be told apart from what others said.
const LEAST_WORDS: usize = 3;
/// The share of a claim's telling words, in percent, that one of the others has to have said in one message.
const SAID_BY_OTHER: usize = 75;
/// The share of them, in percent, up to which the named person hardly said any of it.
const HARDLY_SAID: usize = 34;

/// The same where the claim holds a sentence of somebody else's word for word.
const PARTLY_SAID: usize = 66;

/// The lines of `text`, which answers `request`, that put something into the wrong mouth, without bullets and dates.
pub fn misattributed_lines(text: &str, request: &Request) -> Vec<String> {
    let mut sayings = sayings_of_material(&request.material);
    let people = KnownPeople::of(&mut sayings);
    let talk = AttributedTalk { sayings, people };
    let wrong = |words: &String| {
        let claims = claims_of_line(words, &talk.people);
        claims.iter().any(|claim| talk.is_somebody_elses(claim))
    };
    lines_of_text(text).into_iter().map(|line| line.words).filter(wrong).collect()
}

/// What was said, and who was there.
struct AttributedTalk {
    sayings: Vec<Saying>,
    people: KnownPeople,
}

impl AttributedTalk {
    /// Whether a claim tells of somebody what only others said.
    fn is_somebody_elses(&self, claim: &AttributedClaim) -> bool {
        let mut words = TellingWords::of(&claim.words).without(&self.people.terms);
        if !claim.is_quoted {
            words = words.without_reporting();
        }
        let is_own = |saying: &&Saying| saying.by.is_some_and(|by| claim.who.contains(&by));
        if self.sayings.iter().filter(is_own).any(|saying| saying.shares_sentence(claim)) {
            return false;
        }
        let own: BTreeSet<&String> = self
            .sayings
            .iter()
            .filter(is_own)
            .flat_map(|saying| saying.words_if(!claim.is_quoted))
            .flat_map(TellingWords::iter)
            .collect();
        let own_share = words.share(|word| own.contains(word));
        let mut is_said_by_other = false;
        for (at, saying) in self.sayings.iter().enumerate().filter(|(_, saying)| !is_own(saying)) {
            let is_verbatim = claim.is_said && saying.shares_sentence(claim);
            let is_told =
                words.len() >= LEAST_WORDS && words.share(|word| saying.words.has(word)) >= SAID_BY_OTHER;
            let most_own = if is_verbatim { PARTLY_SAID } else { HARDLY_SAID };
            if (is_verbatim || is_told) && own_share <= most_own {
                if self.may_be_told_of(claim, at, is_verbatim) {
                    return false;
                }
                is_said_by_other = true;
            }
        }
        is_said_by_other
    }
}
