//! People whom a question names who were called otherwise before, and the question with the name that they have instead
//! (ADR 147).

use std::collections::{BTreeMap, BTreeSet};

use myao_core::{
    chat::UserId,
    recall::{NamePair, NamedInQuestion, RenamedPerson, name_parts, plain_name, question_in_other_words},
};

use super::{named, request::RecallRequest};
use crate::{StoreError, archive::former_names, db::Tx};

/// People whom a question names by one of their names, and who have others.
#[derive(Clone, Debug, Default)]
pub(crate) struct RenamedInQuestion {
    /// The people.
    pub(crate) people: Vec<RenamedPerson>,
    /// The question with their other names.
    pub(super) other_questions: Vec<String>,
}

/// Reads it: one statement if nobody is named who was called otherwise.
pub(super) async fn renamed_in_question(
    tx: &mut Tx,
    request: &RecallRequest,
) -> Result<RenamedInQuestion, StoreError> {
    let Some(zone) = &request.named_in else { return Ok(RenamedInQuestion::default()) };
    let named = NamedInQuestion::new(&request.words, request.now.to_timestamp(), zone);
    let parts: Vec<String> = named.names.into_iter().chain(named.perhaps).collect();
    if parts.is_empty() {
        return Ok(RenamedInQuestion::default());
    }
    let mut people = former_names::renamed_with_parts(tx, &parts).await?;
    keep_pairs_of_their_own(tx, &mut people).await?;
    let all = people.iter().flat_map(|person| &person.pairs);
    let other_questions = question_in_other_words(&request.words, all.map(texts_of));
    people.retain(|person| {
        !question_in_other_words(&request.words, person.pairs.iter().map(texts_of)).is_empty()
    });
    Ok(RenamedInQuestion { people, other_questions })
}

fn texts_of(pair: &NamePair) -> (&str, &str) {
    (&pair.former, &pair.name)
}

/// Those of these people who were called otherwise before, without the names that mean somebody else as well.
pub(crate) async fn renamed_among(
    tx: &mut Tx,
    users: &BTreeSet<UserId>,
) -> Result<Vec<RenamedPerson>, StoreError> {
    let mut people = former_names::renamed_among(tx, users).await?;
    keep_pairs_of_their_own(tx, &mut people).await?;
    Ok(people)
}

/// Takes out the pairs of names by which, or by a word of which, somebody else is called: of two people who may be meant,
/// what is said of one is not said of the other.
async fn keep_pairs_of_their_own(tx: &mut Tx, people: &mut [RenamedPerson]) -> Result<(), StoreError> {
    let keys: BTreeSet<String> =
        people.iter().flat_map(|person| person.pairs.iter().flat_map(keys_of_pair)).collect();
    if keys.is_empty() {
        return Ok(());
    }
    let mut bearers: BTreeMap<String, BTreeSet<String>> = BTreeMap::new();
    for (part, user) in named::bearers_of_names(tx, keys.into_iter().collect()).await? {
        bearers.entry(part).or_default().insert(user);
    }
    for person in people {
        let user = person.user.as_str();
        let is_theirs = |key: String| {
            bearers.get(&key).is_none_or(|users| users.iter().all(|bearer| bearer.as_str() == user))
        };
        person.pairs.retain(|pair| keys_of_pair(pair).all(is_theirs));
    }
    Ok(())
}

/// What is looked up of a pair among the parts of names: both as wholes, and the words of both.
fn keys_of_pair(pair: &NamePair) -> impl Iterator<Item = String> {
    [&pair.former, &pair.name].into_iter().flat_map(|name| {
        let words = plain_name(name);
        let words = words.split(|c: char| !c.is_alphanumeric()).filter(|word| !word.is_empty());
        std::iter::once(joined(name)).chain(words.map(str::to_owned)).collect::<Vec<_>>()
    })
}

/// A name as the whole of it is kept among the parts of names ([`name_parts`]).
fn joined(name: &str) -> String {
    plain_name(name).split_whitespace().collect()
}

/// The parts of the names that somebody had before, without those of the name that they have.
pub(super) fn parts_of_former_names(name: &str, former: &[String]) -> BTreeSet<String> {
    let own = name_parts(name);
    let parts = former.iter().flat_map(|former| name_parts(former));
    parts.filter(|part| !own.contains(part)).collect()
}
