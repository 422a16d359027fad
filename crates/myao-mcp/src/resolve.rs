//! Finds out which people, places and days the arguments of a tool mean, as far as the caller sees them.

use std::collections::BTreeSet;

use jiff::{Timestamp, tz::TimeZone};
use myao_core::{
    chat::{ChannelId, MessageTs, User, UserId, Visibility, name_in_talk},
    recall::{DayRange, NamedPeople},
};
use myao_store::Store;

use crate::{caller::AgentCaller, failure::ToolFailure};

/// The most people or places of one name that are listed.
const MOST_LISTED: usize = 5;

/// The people of the chat and those of the caller's own conversations. The others that agents told of are theirs.
pub(crate) async fn people_for(store: &Store, caller: &AgentCaller) -> Result<NamedPeople, ToolFailure> {
    let mut named = store.recall().named_people().await?;
    if !caller.is_owner() {
        named.people.retain(|user| {
            let agent = ChannelId::new(user.id.as_str()).agent();
            agent.is_none_or(|agent| agent == caller.token.agent)
        });
    }
    Ok(named)
}

/// Everybody whom one of these names means.
///
/// # Errors
/// When a name means nobody.
pub(crate) async fn people_of_names(
    store: &Store,
    caller: &AgentCaller,
    names: &[String],
) -> Result<Vec<UserId>, ToolFailure> {
    if names.is_empty() {
        return Ok(Vec::new());
    }
    let people = people_for(store, caller).await?;
    let mut meant = BTreeSet::new();
    for name in names {
        let found = people.with_name(name);
        if found.is_empty() {
            return Err(nobody_called(name));
        }
        meant.extend(found.into_iter().map(|user| user.id.clone()));
    }
    Ok(meant.into_iter().collect())
}

/// The one person whom a name or an id means.
///
/// # Errors
/// When it means nobody, or several people: these are named with their ids.
pub(crate) async fn person_of_name(
    store: &Store,
    caller: &AgentCaller,
    name: &str,
) -> Result<User, ToolFailure> {
    Ok(person_with_former_names(store, caller, name).await?.0)
}

/// The same, with what they were called before, the latest first.
///
/// # Errors
/// As [`person_of_name`].
pub(crate) async fn person_with_former_names(
    store: &Store,
    caller: &AgentCaller,
    name: &str,
) -> Result<(User, Vec<String>), ToolFailure> {
    let people = people_for(store, caller).await?;
    match &people.with_name(name)[..] {
        [] => Err(nobody_called(name)),
        [one] => {
            let former = people.former_names_of(one).into_iter().map(name_in_talk).collect();
            Ok(((*one).clone(), former))
        }
        several => {
            let one = |user: &&User| format!("{} ({})", user.id, name_in_talk(&user.name));
            let listed: Vec<String> = several.iter().take(MOST_LISTED).map(one).collect();
            Err(ToolFailure::told(format!(
                "`{name}` means {} people; give the id: {}",
                several.len(),
                listed.join(", ")
            )))
        }
    }
}

fn nobody_called(name: &str) -> ToolFailure {
    ToolFailure::told(format!("there is nobody called `{name}`: give a name as results show it, or an id"))
}

/// The places of these names that are seen. One that is not seen is treated like one that does not exist.
///
/// # Errors
/// When no place of a name is seen.
pub(crate) async fn places_of_names(
    store: &Store,
    visibility: &Visibility,
    names: &[String],
) -> Result<Vec<ChannelId>, ToolFailure> {
    let mut meant = BTreeSet::new();
    for name in names {
        let bare = name.trim().trim_start_matches(['#', '＃']);
        let mut ids: BTreeSet<ChannelId> =
            store.archive().channels_named(bare).await?.into_iter().map(|channel| channel.id).collect();
        let by_id = ChannelId::new(bare);
        if store.archive().channel(&by_id).await?.is_some() {
            ids.insert(by_id);
        }
        let seen = store.hearing().seen_among(visibility, ids).await?;
        if seen.is_empty() {
            return Err(ToolFailure::told(format!(
                "no place called `{name}` can be seen with this token: leave it out, or name another"
            )));
        }
        meant.extend(seen);
    }
    Ok(meant.into_iter().collect())
}

/// The one place of this name that is seen.
///
/// # Errors
/// When none is, or several are.
pub(crate) async fn place_of_name(
    store: &Store,
    visibility: &Visibility,
    name: &str,
) -> Result<ChannelId, ToolFailure> {
    let places = places_of_names(store, visibility, std::slice::from_ref(&name.to_owned())).await?;
    match &places[..] {
        [one] => Ok(one.clone()),
        several => {
            let ids: Vec<&str> = several.iter().take(MOST_LISTED).map(ChannelId::as_str).collect();
            Err(ToolFailure::told(format!("`{name}` means several places; give the id: {}", ids.join(", "))))
        }
    }
}

/// The days that an argument names.
///
/// # Errors
/// When it names none.
pub(crate) fn days_of_text(text: &str, now: Timestamp, zone: &TimeZone) -> Result<DayRange, ToolFailure> {
    DayRange::parse(text, now, zone).ok_or_else(|| {
        ToolFailure::told(format!(
            "`{text}` names no day; a day is 2026-03-01, 2026-03, 2026, 7d (the last seven), today, yesterday"
        ))
    })
}

/// An instant from a day or from RFC 3339: of a day its beginning.
///
/// # Errors
/// When it is neither.
pub(crate) fn instant_of_text(text: &str, now: Timestamp, zone: &TimeZone) -> Result<MessageTs, ToolFailure> {
    match text.trim().parse::<Timestamp>() {
        Ok(instant) => Ok(MessageTs::from_timestamp(instant)),
        Err(_no_instant) => Ok(days_of_text(text, now, zone)?.start),
    }
}
