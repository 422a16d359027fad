//! Names and kinds of people and channels, learnt beside the messages: a name may be late, a message never
//! (SPEC §4).
//!
//! Three lanes, so that none waits for another's rate limit: the whole workspace (`overview`), single channels,
//! whose kinds decide who may see what, and single people.

mod overview;
mod pending;

use std::{collections::BTreeMap, sync::Arc};

use jiff::{SignedDuration, Timestamp};
use myao_core::chat::{ChannelId, Event, UserId};
use myao_slack::api::ApiError;
use myao_store::StoreError;

use super::{LiveError, RunContext};

pub use pending::{Lookup, Lookups};

/// After a failure that may pass; the client itself has waited and tried again before.
const AGAIN: SignedDuration = SignedDuration::from_secs(15);
/// Of somebody looked up so lately nothing new is to be learnt: changes are told.
const FRESH: SignedDuration = SignedDuration::from_hours(1);

/// Why something was not learnt.
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

/// Looks things up as they are wanted, within Slack's rates, until the run is to end.
pub(super) async fn learn(shared: Arc<RunContext>) -> Result<(), LiveError> {
    want_what_is_unnamed(&shared).await;
    let lanes = async { tokio::join!(overview::lane(&shared), channels(&shared), people(&shared)) };
    shared.stop.run_until_cancelled(Box::pin(lanes)).await;
    Ok(())
}

/// What was never looked up before the last end.
async fn want_what_is_unnamed(shared: &RunContext) {
    match shared.store.unnamed().await {
        Ok(unnamed) => {
            unnamed.channels.into_iter().for_each(|id| shared.lookups.want(Lookup::Channel(id)));
            unnamed.people.into_iter().for_each(|id| shared.lookups.want(Lookup::Person(id)));
        }
        Err(error) => tracing::warn!(%error, "who is without a name is not known"),
    }
}

async fn channels(shared: &RunContext) {
    loop {
        let id = shared.lookups.next_channel().await;
        let learnt = learn_channel(shared, &id).await;
        note(shared, &id, learnt.as_ref().err()).await;
        shared.lookups.channel_ends(&id, learnt.is_err());
        let Err(error) = learnt else { continue };
        if error.may_pass() {
            tracing::debug!(channel = %id, %error, "a channel is looked up later");
            shared.lookups.want(Lookup::Channel(id));
            shared.pause(AGAIN).await;
        } else {
            // It sees itself only, and is seen by no other, until it is looked up for the next reply.
            tracing::warn!(channel = %id, %error, "a channel cannot be looked up");
        }
    }
}

async fn learn_channel(shared: &RunContext, id: &ChannelId) -> Result<(), LookupError> {
    let asked_at = shared.clock.now();
    let channel = shared.directory.channel(id).await?.ok_or(LookupError::NotShown)?;
    // What is wanted again changed while it was looked up: this answer may be older than the change.
    if !shared.lookups.wants_channel(id) {
        apply(shared, vec![Event::Channel(channel)]).await?;
        shared.store.note_known(std::slice::from_ref(id), asked_at).await?;
    }
    Ok(())
}

/// Notes why a channel cannot be looked up, for a person to see, or that it can.
async fn note(shared: &RunContext, id: &ChannelId, error: Option<&LookupError>) {
    let subject = myao_store::lookup_subject(id);
    let noted = match error {
        Some(error) => shared.store.set_back(&subject, &error.to_string(), shared.clock.now()).await,
        None => shared.store.clear_setback(&subject).await,
    };
    if let Err(error) = noted {
        tracing::warn!(channel = %id, %error, "how a lookup ended could not be noted");
    }
}

async fn people(shared: &RunContext) {
    // Everybody at once costs a few calls, each alone a call per person.
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
                tracing::debug!(person = %id, %error, "somebody is looked up later");
                shared.lookups.want(Lookup::Person(id));
                shared.pause(AGAIN).await;
            }
            Err(error) => {
                tracing::debug!(person = %id, %error, "somebody cannot be looked up");
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

/// Stores what was learnt: a channel that turns out to be a direct message wants answers.
async fn apply(shared: &RunContext, events: Vec<Event>) -> Result<(), LookupError> {
    let arrived = shared.store.apply_live(events, &shared.attention, shared.clock.now()).await?;
    if !arrived.places.is_empty() {
        shared.bells.replies.notify_one();
    }
    Ok(())
}
