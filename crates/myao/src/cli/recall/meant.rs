//! Finds the people whom a name in a query means.

use myao_core::{
    chat::{User, UserId, name_in_talk},
    recall::plain_name,
};

use crate::{app::App, cli::Failure};

/// The similarity (Jaro-Winkler, 0 to 1) from which on a name is suggested in place of an unknown one.
const ALIKE: f64 = 0.75;
/// The most names that are suggested.
const MOST_SUGGESTED: usize = 3;
/// The most people with the same name that are listed.
const MOST_LISTED: usize = 10;

/// Everybody whom one of these names means ([`myao_core::recall::NamedPeople::with_name`]).
///
/// # Errors
/// When a name means nobody; similar ones are named.
pub(super) async fn find_people(app: &App, names: &[String]) -> Result<Vec<UserId>, Failure> {
    if names.is_empty() {
        return Ok(Vec::new());
    }
    let people = app.store.recall().named_people().await?;
    let mut meant: Vec<UserId> = Vec::new();
    for name in names {
        let found = people.with_name(name);
        if found.is_empty() {
            return Err(nobody_called(name, &people.people));
        }
        meant.extend(found.into_iter().map(|user| user.id.clone()));
    }
    meant.sort();
    meant.dedup();
    Ok(meant)
}

/// The one person whom a name means. It may be a name or an id, with or without `@`.
///
/// # Errors
/// When it means nobody, or several people; these are named with their ids.
pub(in crate::cli) async fn find_person(app: &App, name: &str) -> Result<User, Failure> {
    Ok(find_person_with_names(app, name).await?.0)
}

/// The same, with what they were called before, the latest first.
///
/// # Errors
/// As [`find_person`].
pub(in crate::cli) async fn find_person_with_names(
    app: &App,
    name: &str,
) -> Result<(User, Vec<String>), Failure> {
    let people = app.store.recall().named_people().await?;
    match &people.with_name(name)[..] {
        [] => Err(nobody_called(name, &people.people)),
        [one] => {
            let former = people.former_names_of(one).into_iter().map(name_in_talk).collect();
            Ok(((*one).clone(), former))
        }
        several => {
            let one = |user: &&User| format!("{} ({})", user.id, name_in_talk(&user.name));
            let listed: Vec<String> = several.iter().take(MOST_LISTED).map(one).collect();
            let more = if several.len() > MOST_LISTED { ", …" } else { "" };
            Err(Failure::usage(format!(
                "`{name}` means {} people; name one by the id: {}{more}",
                several.len(),
                listed.join(", ")
            )))
        }
    }
}

fn nobody_called(name: &str, people: &[User]) -> Failure {
    Failure::usage(format!("there is nobody called `{name}`; {}", similar_names(name, people)))
}

fn similar_names(name: &str, people: &[User]) -> String {
    let wanted = plain_name(name);
    let likeness = |user: &User| strsim::jaro_winkler(&plain_name(&user.name), &wanted);
    let mut scored: Vec<(f64, String)> =
        people.iter().map(|user| (likeness(user), name_in_talk(&user.name))).collect();
    // A short name that the wanted one merely begins with scores high, but is not similar.
    let is_long = |name: &str| name.chars().count().saturating_mul(2) >= wanted.chars().count();
    scored.retain(|(score, name)| *score >= ALIKE && !name.is_empty() && is_long(name));
    scored.sort_by(|a, b| b.0.total_cmp(&a.0).then_with(|| a.1.cmp(&b.1)));
    scored.dedup_by(|a, b| a.1 == b.1);
    let names: Vec<String> =
        scored.into_iter().take(MOST_SUGGESTED).map(|(_, name)| format!("`{name}`")).collect();
    if names.is_empty() {
        return "give a name as it is shown in the chat, or an id".to_owned();
    }
    format!("did you mean {}?", names.join(" or "))
}
