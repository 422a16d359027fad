//! Looks up the whole workspace: everybody, and every channel that we are in.

use std::{collections::BTreeSet, pin::pin};

use futures::TryStreamExt as _;
use jiff::SignedDuration;
use myao_core::{
    chat::{Channel, ChannelId, ChannelKind, Event, UserId},
    context::Visibility,
};
use myao_store::{LOOKUP_OF_ALL, lookup_subject};

use super::{AGAIN, LookupError, apply, note};
use crate::live::{Lookup, RunContext};

/// Events stored in one transaction.
const MOST_AT_ONCE: usize = 400;
/// The wait after a failure that only a person can fix, such as a scope that the token lacks.
const UNTIL_SET_RIGHT: SignedDuration = SignedDuration::from_hours(1);

/// Looks everything up whenever that is wanted.
pub(super) async fn run(shared: &RunContext) {
    let lookups = &shared.lookups;
    loop {
        let due = lookups.overview_due().await;
        shared.clock.sleep_until(due).await;
        lookups.overview_begins();
        match look_up(shared).await {
            Ok(met) => {
                note(shared, LOOKUP_OF_ALL, None).await;
                lookups.overview_ends(Some((met, shared.clock.now())));
            }
            Err(error) => {
                note(shared, LOOKUP_OF_ALL, Some(&error)).await;
                lookups.overview_ends(None);
                tracing::warn!(%error, "channels and people cannot be looked up; trying again later");
                lookups.want(Lookup::Everything);
                shared.pause(if error.may_pass() { AGAIN } else { UNTIL_SET_RIGHT }).await;
            }
        }
    }
}

/// Returns who was listed. People come before channels: whether a channel is external depends on who is in it.
async fn look_up(shared: &RunContext) -> Result<BTreeSet<UserId>, LookupError> {
    let asked_at = shared.clock.now();
    let before = members(shared).await?;
    let mut met = BTreeSet::new();
    let mut pages = pin!(shared.directory.people());
    while let Some(people) = pages.try_next().await? {
        met.extend(people.iter().map(|person| person.user.id.clone()));
        for some in people.chunks(MOST_AT_ONCE) {
            apply(shared, some.iter().map(|person| Event::User(person.user.clone())).collect()).await?;
        }
    }
    let channels = shared.directory.channels().await?;
    for some in channels.chunks(MOST_AT_ONCE) {
        let current = some.iter().filter(|channel| !shared.lookups.has_changed(&channel.id));
        let current: Vec<Channel> = current.cloned().collect();
        let ids: Vec<ChannelId> = current.iter().map(|channel| channel.id.clone()).collect();
        apply(shared, current.into_iter().map(Event::Channel).collect()).await?;
        shared.store.note_known(&ids, asked_at).await?;
        for id in &ids {
            shared.store.clear_setback(&lookup_subject(id)).await?;
        }
    }
    join(shared, &channels).await?;
    leave(shared, &before, &channels).await?;
    Ok(met)
}

async fn members(shared: &RunContext) -> Result<Vec<Channel>, LookupError> {
    let rows = shared.store.channels(&Visibility::Owner).await?;
    Ok(rows.into_iter().filter(|row| row.member).map(|row| row.channel).collect())
}

async fn join(shared: &RunContext, channels: &[Channel]) -> Result<(), LookupError> {
    let known: BTreeSet<ChannelId> = members(shared).await?.into_iter().map(|channel| channel.id).collect();
    for channel in channels.iter().filter(|channel| !known.contains(&channel.id)) {
        tracing::info!(channel = %channel.id, "we are in a channel that is new to us");
        shared.store.join_channel(&channel.id, shared.backfill_from()).await?;
    }
    shared.bells.gaps.notify_one();
    Ok(())
}

/// Leaves the channels that we were in `before` and that are no longer listed, except those of a kind that the token may
/// not list: we may still be in them.
async fn leave(shared: &RunContext, before: &[Channel], now: &[Channel]) -> Result<(), LookupError> {
    let listed: BTreeSet<&ChannelId> = now.iter().map(|channel| &channel.id).collect();
    for channel in before.iter().filter(|channel| !listed.contains(&channel.id)) {
        if is_listable(shared, channel.kind) {
            tracing::info!(channel = %channel.id, "we are no longer in a channel");
            shared.store.leave_channel(&channel.id, shared.clock.now()).await?;
        }
    }
    Ok(())
}

fn is_listable(shared: &RunContext, kind: ChannelKind) -> bool {
    let needed: &[&str] = match kind {
        ChannelKind::Public => &["channels:read"],
        ChannelKind::Private => &["groups:read"],
        ChannelKind::Dm => &["im:read"],
        ChannelKind::GroupDm => &["mpim:read"],
        ChannelKind::Unknown => &["channels:read", "groups:read", "im:read", "mpim:read"],
    };
    let scopes = shared.client.scopes();
    scopes.is_none_or(|scopes| needed.iter().all(|scope| scopes.iter().any(|one| one == scope)))
}
