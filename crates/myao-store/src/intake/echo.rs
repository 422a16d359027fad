//! Recognizes what the platform tells us about our own posts, and what is known from posting them.

use myao_core::chat::{DatedUser, Event, Hearsay, Own, User};

use super::directory::is_known_better;
use crate::{
    StoreError,
    archive::{self, secrets},
    db::{Tx, query_as},
};

/// Whether these events are about us and say nothing but what is stored, so that nothing has to be written for them: a
/// platform tells us everything that we post. `masks` is whether secrets are masked when they are stored.
///
/// The post and its echo are stored at about the same time. This is asked in the transaction that would write, since on
/// SQLite that one waits until the post is stored.
pub(super) async fn are_echoes(
    tx: &mut Tx,
    events: &[Event],
    own: &Own,
    masks: bool,
) -> Result<bool, StoreError> {
    if events.is_empty() || !events.iter().all(|event| is_ours(event, own)) {
        return Ok(false);
    }
    for event in events {
        if !is_stored(tx, event, masks).await? {
            return Ok(false);
        }
    }
    Ok(true)
}

/// Whether an event is a post of ours, or says who we are.
fn is_ours(event: &Event, own: &Own) -> bool {
    match event {
        Event::Message(_) | Event::Sighting(_) => {
            event.message().is_some_and(|message| !message.deleted && own.is(&message.user))
        }
        Event::User(user)
        | Event::Departed(user)
        | Event::Dated(DatedUser { user, .. })
        | Event::Hearsay(Hearsay { user, .. }) => own.is(&user.id),
        Event::Channel(_)
        | Event::Deleted { .. }
        | Event::HeardUntil { .. }
        | Event::AnswerStopped(_)
        | Event::Voted(_)
        | Event::Unread { .. } => false,
    }
}

async fn is_stored(tx: &mut Tx, event: &Event, masks: bool) -> Result<bool, StoreError> {
    match event {
        Event::Message(told) => {
            let told = if masks { secrets::mask_message(told.clone()) } else { told.clone() };
            let standing = archive::standing_message(tx, &told.channel, told.ts).await?;
            Ok(standing.is_some_and(|standing| standing == told))
        }
        Event::User(user) => is_described(tx, user, false).await,
        Event::Departed(user) => is_described(tx, user, true).await,
        Event::Dated(dated) => is_described(tx, &dated.user, dated.has_left).await,
        Event::Hearsay(hearsay) => is_known_better(tx, hearsay).await,
        Event::Channel(_)
        | Event::Sighting(_)
        | Event::Deleted { .. }
        | Event::HeardUntil { .. }
        | Event::AnswerStopped(_)
        | Event::Voted(_)
        | Event::Unread { .. } => Ok(false),
    }
}

async fn is_described(tx: &mut Tx, user: &User, has_left: bool) -> Result<bool, StoreError> {
    let row: Option<(String, i64, i64)> = on!(tx, c => query_as(
        "SELECT name, is_bot, has_left FROM users WHERE id = $1")
        .bind(user.id.as_str()).fetch_optional(c).await)?;
    Ok(row.is_some_and(|(name, is_bot, left)| {
        name == user.name && (is_bot != 0) == user.is_bot && (left != 0) == has_left
    }))
}
