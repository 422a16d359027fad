//! Looks up the whole workspace: everybody, and every channel that we are in.

use std::{collections::BTreeSet, pin::pin};

use futures::{Stream, TryStreamExt as _};
use jiff::{SignedDuration, Timestamp};
use myao_core::chat::{Channel, ChannelId, ChannelKind, Event, UserId, Visibility};
use myao_slack::{api::ApiError, person::SlackPerson};
use myao_store::{LOOKUP_OF_ALL, lookup_subject};

use super::{AGAIN, LookupError, forget_doubted, note_outcome, store_asked, store_found_events};
use crate::live::{Bell, Lookup, slack::SlackRun};

/// Events stored in one transaction.
const MOST_AT_ONCE: usize = 400;
/// Channels that are stored together as they become known: few, since others see nothing of them before.
const MOST_TOGETHER: usize = 20;
/// The wait after a failure that only a person can fix, such as a scope that the token lacks.
pub(super) const UNTIL_SET_RIGHT: SignedDuration = SignedDuration::from_hours(1);

/// Looks everything up whenever that is wanted.
pub(super) async fn look_up_when_wanted(slack: &SlackRun) {
    let lookups = &slack.lookups;
    loop {
        let due = lookups.overview_due().await;
        slack.shared.clock.sleep_until_steady(due).await;
        lookups.overview_begins();
        match look_up(slack).await {
            Ok(met) => {
                note_outcome(slack, LOOKUP_OF_ALL, None).await;
                lookups.overview_ends(Some((met, slack.shared.clock.steady())));
            }
            Err(error) => {
                note_outcome(slack, LOOKUP_OF_ALL, Some(&error)).await;
                lookups.overview_ends(None);
                tracing::warn!(%error, "channels and people cannot be looked up; trying again later");
                lookups.want(Lookup::Everything);
                if !slack.shared.pause(if error.may_pass() { AGAIN } else { UNTIL_SET_RIGHT }).await {
                    return;
                }
            }
        }
    }
}

/// Returns who was listed. People come before channels: whether a channel is external depends on who is in it.
async fn look_up(slack: &SlackRun) -> Result<BTreeSet<UserId>, LookupError> {
    let asked_at = slack.shared.clock.now();
    forget_doubted(slack).await?;
    let before = channels_with_us(slack).await?;
    let mut met = BTreeSet::new();
    let mut pages = pin!(slack.directory.people());
    while let Some(people) = pages.try_next().await? {
        met.extend(people.iter().map(|person| person.user.id.clone()));
        for some in people.chunks(MOST_AT_ONCE) {
            store_found_events(slack, some.iter().cloned().map(SlackPerson::into_event).collect()).await?;
        }
    }
    let mut channels = Vec::new();
    let mut some = Vec::new();
    let mut listed = pin!(slack.directory.channels().await?);
    while let Some(channel) = next_channel(slack, &mut listed).await? {
        channels.push(channel.clone());
        some.push(channel);
        if some.len() == MOST_TOGETHER {
            note_channels(slack, std::mem::take(&mut some), asked_at).await?;
        }
    }
    note_channels(slack, some, asked_at).await?;
    store_asked(slack).await?;
    join_channels(slack, &channels).await?;
    leave_unlisted_channels(slack, &before, &channels).await?;
    Ok(met)
}

/// The next channel. What a waiting person needs comes first: a call of this lookup is not made while a reply waits for
/// the calls that look its channel up.
async fn next_channel(
    slack: &SlackRun,
    listed: &mut (impl Stream<Item = Result<Channel, ApiError>> + Unpin),
) -> Result<Option<Channel>, LookupError> {
    slack.lookups.nobody_waits().await;
    Ok(listed.try_next().await?)
}

/// Stores channels as they were when Slack was asked at `asked_at`, without those that have changed since.
async fn note_channels(
    slack: &SlackRun,
    channels: Vec<Channel>,
    asked_at: Timestamp,
) -> Result<(), LookupError> {
    let current = channels.into_iter().filter(|channel| !slack.lookups.has_changed(&channel.id));
    let current: Vec<Channel> = current.collect();
    let ids: Vec<ChannelId> = current.iter().map(|channel| channel.id.clone()).collect();
    store_found_events(slack, current.into_iter().map(Event::Channel).collect()).await?;
    slack.shared.store.hearing().note_known(&ids, asked_at).await?;
    for id in &ids {
        slack.shared.store.memory().clear_after_success(&lookup_subject(id)).await?;
    }
    Ok(())
}

async fn channels_with_us(slack: &SlackRun) -> Result<Vec<Channel>, LookupError> {
    let rows = slack.shared.store.archive().channels(&Visibility::Owner).await?;
    Ok(rows.into_iter().filter(|row| row.member).map(|row| row.channel).collect())
}

async fn join_channels(slack: &SlackRun, channels: &[Channel]) -> Result<(), LookupError> {
    let known: BTreeSet<ChannelId> =
        channels_with_us(slack).await?.into_iter().map(|channel| channel.id).collect();
    for channel in channels.iter().filter(|channel| !known.contains(&channel.id)) {
        tracing::info!(channel = %channel.id, "we are in a channel that is new to us");
        slack.shared.store.hearing().join_channel(&channel.id, slack.first_sight()).await?;
    }
    slack.shared.bells.ring(Bell::Gaps);
    Ok(())
}

/// Leaves the channels that we were in `before` and that are no longer listed, except those of a kind that the token may
/// not list: we may still be in them.
async fn leave_unlisted_channels(
    slack: &SlackRun,
    before: &[Channel],
    now: &[Channel],
) -> Result<(), LookupError> {
    let listed: BTreeSet<&ChannelId> = now.iter().map(|channel| &channel.id).collect();
    for channel in before.iter().filter(|channel| !listed.contains(&channel.id)) {
        if is_listable(slack, channel.kind) {
            tracing::info!(channel = %channel.id, "we are no longer in a channel");
            let now = slack.shared.clock.now();
            slack.shared.store.hearing().leave_channel(&channel.id, now).await?;
            // From now on nothing tells of it: Slack is asked at once, and then from time to time.
            slack.lookups.want(Lookup::Channel(channel.id.clone()));
        }
    }
    Ok(())
}

fn is_listable(slack: &SlackRun, kind: ChannelKind) -> bool {
    let needed: &[&str] = match kind {
        ChannelKind::Public => &["channels:read"],
        ChannelKind::Private => &["groups:read"],
        ChannelKind::Dm => &["im:read"],
        ChannelKind::GroupDm => &["mpim:read"],
        ChannelKind::Unknown => &["channels:read", "groups:read", "im:read", "mpim:read"],
    };
    let scopes = slack.client.scopes();
    scopes.is_none_or(|scopes| needed.iter().all(|scope| scopes.iter().any(|one| one == scope)))
}
