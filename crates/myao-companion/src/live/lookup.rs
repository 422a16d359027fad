//! Looks up people and channels while messages are stored: a name may come late, a message may not (SPEC §4).
//!
//! Three loops run concurrently, so that none waits for another's rate limit: the whole workspace (`overview`), single
//! channels, whose kinds decide who may see what, and single people. `pending` is their queue.

mod overview;
mod pending;

use std::{collections::BTreeMap, sync::Arc};

use jiff::{SignedDuration, Timestamp};
use myao_core::chat::{ChannelId, Event, UserId};
use myao_slack::api::ApiError;
use myao_store::{StoreError, lookup_subject};

use super::{LiveError, RunContext};

pub use pending::{Lookup, Lookups};

/// The wait after a failure that may pass; the client itself has waited and retried before.
const AGAIN: SignedDuration = SignedDuration::from_secs(15);
/// How long a person is not looked up again: events tell us of changes.
const FRESH: SignedDuration = SignedDuration::from_hours(1);

/// Why a lookup failed.
#[derive(Debug, thiserror::Error)]
enum LookupError {
    #[error(transparent)]
    Store(#[from] StoreError),
    #[error(transparent)]
    Slack(#[from] ApiError),
    #[error("Slack does not show it to us")]
    NotShown,
}

impl LookupError {
    fn may_pass(&self) -> bool {
        match self {
            Self::Store(_) => true,
            Self::Slack(error) => error.may_pass(),
            Self::NotShown => false,
        }
    }
}

/// Carries out lookups, within Slack's rate limits, until the run is to end.
pub(super) async fn learn(shared: Arc<RunContext>) -> Result<(), LiveError> {
    want_unnamed(&shared).await;
    let loops = async { tokio::join!(overview::run(&shared), channels(&shared), people(&shared)) };
    shared.stop.run_until_cancelled(Box::pin(loops)).await;
    Ok(())
}

/// Queues the channels and people that have no name yet.
async fn want_unnamed(shared: &RunContext) {
    match shared.store.unnamed().await {
        Ok(unnamed) => {
            unnamed.channels.into_iter().for_each(|id| shared.lookups.want(Lookup::Channel(id)));
            unnamed.people.into_iter().for_each(|id| shared.lookups.want(Lookup::Person(id)));
        }
        Err(error) => tracing::warn!(%error, "channels and people without a name cannot be read"),
    }
}

async fn channels(shared: &RunContext) {
    loop {
        let id = shared.lookups.next_channel().await;
        let learnt = learn_channel(shared, &id).await;
        note(shared, &lookup_subject(&id), learnt.as_ref().err()).await;
        shared.lookups.channel_ends(&id, learnt.is_err());
        let Err(error) = learnt else { continue };
        if error.may_pass() {
            tracing::debug!(channel = %id, %error, "a channel's lookup failed; trying again later");
            shared.lookups.want(Lookup::Channel(id));
            shared.pause(AGAIN).await;
        } else {
            // It sees itself only, and no other place sees it, until it is looked up for the next reply.
            tracing::warn!(channel = %id, %error, "a channel cannot be looked up");
        }
    }
}

async fn learn_channel(shared: &RunContext, id: &ChannelId) -> Result<(), LookupError> {
    let asked_at = shared.clock.now();
    let channel = shared.directory.channel(id).await?.ok_or(LookupError::NotShown)?;
    // If it is wanted again, it changed during the lookup, and this answer may be older than the change.
    if !shared.lookups.wants_channel(id) {
        apply(shared, vec![Event::Channel(channel)]).await?;
        shared.store.note_known(std::slice::from_ref(id), asked_at).await?;
    }
    Ok(())
}

/// Stores the error of a lookup, for a person to see, or that it succeeded.
async fn note(shared: &RunContext, subject: &str, error: Option<&LookupError>) {
    let noted = match error {
        Some(error) => shared.store.set_back(subject, &error.to_string(), shared.clock.now()).await,
        None => shared.store.clear_setback(subject).await,
    };
    if let Err(error) = noted {
        tracing::warn!(subject, %error, "the result of a lookup could not be stored");
    }
}

async fn people(shared: &RunContext) {
    // Listing everybody takes a few calls, looking up each person one call.
    shared.lookups.overview_tried().await;
    let mut asked: BTreeMap<UserId, Timestamp> = BTreeMap::new();
    loop {
        let id = shared.lookups.next_person().await;
        let now = shared.clock.now();
        let is_fresh = |at: &Timestamp| now.duration_since(*at) < FRESH;
        asked.retain(|_, at| is_fresh(at));
        if asked.contains_key(&id) || shared.lookups.met_at(&id).is_some_and(|at| is_fresh(&at)) {
            continue;
        }
        match learn_person(shared, &id).await {
            Ok(()) => drop(asked.insert(id, now)),
            Err(error) if error.may_pass() => {
                tracing::debug!(person = %id, %error, "a person's lookup failed; trying again later");
                shared.lookups.want(Lookup::Person(id));
                shared.pause(AGAIN).await;
            }
            Err(error) => {
                tracing::debug!(person = %id, %error, "a person cannot be looked up");
                asked.insert(id, now);
            }
        }
    }
}

async fn learn_person(shared: &RunContext, id: &UserId) -> Result<(), LookupError> {
    let Some(person) = shared.directory.person(id).await? else {
        tracing::debug!(person = %id, "Slack does not show this person to us");
        return Ok(());
    };
    apply(shared, vec![Event::User(person.user)]).await
}

/// Stores what was looked up. A channel that turns out to be a direct message may want answers.
async fn apply(shared: &RunContext, events: Vec<Event>) -> Result<(), LookupError> {
    let arrived = shared.store.apply_live(events, &shared.attention, shared.clock.now()).await?;
    if !arrived.places.is_empty() {
        shared.bells.replies.notify_one();
    }
    Ok(())
}
