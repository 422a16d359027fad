//! Looks up people and channels while messages are stored: a name may come late, a message may not (specification §4).
//!
//! Five loops run concurrently, so that none waits for another's rate limit: the whole workspace (`overview`), single
//! channels, whose kinds decide who may see what, single people, files of which a message tells only the id, and
//! channels that we are not in (`outside`). [`Lookups`] is the queue of the first four.

mod outside;
mod overview;

use std::{
    collections::BTreeMap,
    sync::{Arc, atomic::Ordering},
};

use jiff::{SignedDuration, Timestamp};
use myao_core::chat::{Channel, ChannelId, ChannelKind, Event, MessageTs, UserId};
use myao_slack::{api::ApiError, person::SlackPerson};
use myao_store::{StoreError, lookup_subject};

use super::SlackRun;
use crate::live::{Bell, LiveError, Lookup};

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
pub(super) async fn carry_out_lookups(slack: Arc<SlackRun>) -> Result<(), LiveError> {
    want_unnamed(&slack).await;
    let loops = async {
        tokio::join!(
            overview::look_up_when_wanted(&slack),
            look_up_channels(&slack),
            look_up_people(&slack),
            look_up_files(&slack),
            outside::ask_until_end(&slack)
        )
    };
    slack.shared.stop.run_until_cancelled(Box::pin(loops)).await;
    Ok(())
}

/// Queues the channels and people that have no name yet.
async fn want_unnamed(slack: &SlackRun) {
    match slack.shared.store.hearing().people_and_channels_to_name().await {
        Ok(unnamed) => {
            unnamed.channels.into_iter().for_each(|id| slack.lookups.want(Lookup::Channel(id)));
            unnamed.people.into_iter().for_each(|id| slack.lookups.want(Lookup::Person(id)));
        }
        Err(error) => tracing::warn!(%error, "channels and people without a name cannot be read"),
    }
}

async fn look_up_channels(slack: &SlackRun) {
    loop {
        let id = slack.lookups.next_channel().await;
        let learnt = learn_channel(slack, &id).await;
        note_outcome(slack, &lookup_subject(&id), learnt.as_ref().err()).await;
        slack.lookups.channel_ends(&id, learnt.is_err());
        let Err(error) = learnt else { continue };
        if error.may_pass() {
            tracing::debug!(channel = %id, %error, "a channel's lookup failed; trying again later");
            slack.lookups.want(Lookup::Channel(id));
            if !slack.shared.pause(AGAIN).await {
                return;
            }
        } else {
            // It sees itself only, and no other place sees it, until it is looked up for the next reply.
            tracing::warn!(channel = %id, %error, "a channel cannot be looked up");
        }
    }
}

/// Forgets what is remembered of people, if another process heard that it may not hold any more.
async fn forget_doubted(slack: &SlackRun) -> Result<(), LookupError> {
    let doubts = slack.shared.store.hearing().count_doubts().await?;
    if slack.doubts.swap(doubts, Ordering::SeqCst) != doubts {
        slack.directory.forget_everybody();
    }
    Ok(())
}

async fn learn_channel(slack: &SlackRun, id: &ChannelId) -> Result<(), LookupError> {
    let asked_at = slack.shared.clock.now();
    forget_doubted(slack).await?;
    let found = slack.directory.channel(id).await?;
    store_asked(slack).await?;
    // If it is wanted again, it changed during the lookup, and this answer may be older than the change.
    if slack.lookups.wants_channel(id) {
        return Ok(());
    }
    let is_shown = found.is_some();
    let stored = slack.shared.store.archive().channel_row(id).await?;
    let is_ours = stored.as_ref().is_none_or(|row| row.member);
    if let Some(channel) = found.or_else(|| stored.and_then(|row| close_if_unseen(row.channel))) {
        store_found_events(slack, vec![Event::Channel(channel)]).await?;
    }
    if !is_shown && is_ours {
        return Err(LookupError::NotShown);
    }
    // That Slack does not show a channel that we are not in is an answer.
    slack.shared.store.hearing().note_known(std::slice::from_ref(id), asked_at).await?;
    Ok(())
}

/// A channel that counts as public and that Slack does not show to us, closed: it turned private, or is gone.
fn close_if_unseen(channel: Channel) -> Option<Channel> {
    (channel.kind == ChannelKind::Public).then_some(Channel { kind: ChannelKind::Unknown, ..channel })
}

/// Stores the error of a lookup, for a person to see, or that it succeeded.
async fn note_outcome(slack: &SlackRun, subject: &str, error: Option<&LookupError>) {
    let noted = match error {
        Some(error) => {
            slack.shared.store.memory().set_back(subject, &error.to_string(), slack.shared.clock.now()).await
        }
        None => slack.shared.store.memory().clear_after_success(subject).await,
    };
    if let Err(error) = noted {
        tracing::warn!(subject, %error, "the result of a lookup could not be stored");
    }
}

async fn look_up_people(slack: &SlackRun) {
    let mut asked: BTreeMap<UserId, Timestamp> = BTreeMap::new();
    loop {
        let id = slack.lookups.next_person().await;
        let now = slack.shared.clock.steady();
        let is_fresh = |at: &Timestamp| now.duration_since(*at) < FRESH;
        asked.retain(|_, at| is_fresh(at));
        if asked.contains_key(&id) || slack.lookups.listed_at(&id).is_some_and(|at| is_fresh(&at)) {
            continue;
        }
        match learn_person(slack, &id).await {
            Ok(()) => drop(asked.insert(id, now)),
            Err(error) if error.may_pass() => {
                tracing::debug!(person = %id, %error, "a person's lookup failed; trying again later");
                slack.lookups.want(Lookup::Person(id));
                if !slack.shared.pause(AGAIN).await {
                    return;
                }
            }
            Err(error) => {
                tracing::debug!(person = %id, %error, "a person cannot be looked up");
                asked.insert(id, now);
            }
        }
    }
}

async fn look_up_files(slack: &SlackRun) {
    loop {
        let (channel, ts, id) = slack.lookups.next_file().await;
        let Err(error) = learn_file(slack, &channel, ts, &id).await else { continue };
        tracing::debug!(%channel, file = %id, %error, "a file cannot be looked up");
        if error.may_pass() {
            slack.lookups.want(Lookup::File { channel, ts, id });
            if !slack.shared.pause(AGAIN).await {
                return;
            }
        }
    }
}

async fn learn_file(
    slack: &SlackRun,
    channel: &ChannelId,
    ts: MessageTs,
    id: &str,
) -> Result<(), LookupError> {
    let Some(file) = slack.client.look_up_file(id).await? else { return Ok(()) };
    slack.shared.store.intake().name_bare_file(channel, ts, id, file, slack.shared.clock.now()).await?;
    Ok(())
}

async fn learn_person(slack: &SlackRun, id: &UserId) -> Result<(), LookupError> {
    let Some(person) = slack.directory.person(id).await? else {
        tracing::debug!(person = %id, "Slack does not show this person to us");
        return Ok(());
    };
    store_found_events(slack, vec![person.into_event()]).await?;
    store_asked(slack).await
}

/// Stores the names of people whom somebody was asked about on the way.
async fn store_asked(slack: &SlackRun) -> Result<(), LookupError> {
    let asked = slack.directory.take_asked();
    if asked.is_empty() {
        Ok(())
    } else {
        store_found_events(slack, asked.into_iter().map(SlackPerson::into_event).collect()).await
    }
}

/// Stores what was looked up. A channel that turns out to be a direct message may want answers.
async fn store_found_events(slack: &SlackRun, events: Vec<Event>) -> Result<(), LookupError> {
    let arrived = slack
        .shared
        .store
        .intake()
        .apply_live(events, &slack.shared.attention, slack.shared.clock.now())
        .await?;
    if !arrived.places.is_empty() {
        slack.shared.bells.ring(Bell::Replies);
    }
    Ok(())
}
