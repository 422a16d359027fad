//! What one person may see at this moment, as Slack tells it: the channels they are in, and whether they are at home in
//! the workspace (ADR 120).

use std::{
    collections::{BTreeMap, BTreeSet},
    sync::{Mutex, MutexGuard, PoisonError},
};

use jiff::{SignedDuration, Timestamp};
use myao_core::{
    chat::{Channel, ChannelId, ChannelKind, UserId, Visibility, instant_after},
    ports::Clock,
};
use myao_slack::{api::ApiError, directory::Directory};
use myao_store::{ChannelRow, Store, StoreError};

use crate::commands::{CommandAsker, HomeOwner};

/// How long what Slack told of a person is believed.
const BELIEVED_FOR: SignedDuration = SignedDuration::from_secs(60);
/// Of how many people it is kept. When there are more, all are asked about again.
const MOST_KEPT: usize = 1_000;

/// A person, as Slack told.
#[derive(Clone, Debug)]
struct PersonSight {
    name: String,
    channels: BTreeSet<ChannelId>,
    /// Whether they are a guest, from elsewhere, or a bot.
    is_outsider: bool,
}

/// What Slack told of people lately.
#[derive(Debug, Default)]
pub(super) struct PersonSights(Mutex<SightsKept>);

#[derive(Debug, Default)]
struct SightsKept {
    by_person: BTreeMap<UserId, (Timestamp, PersonSight)>,
    /// How often all of it was dropped: what was asked before that is not kept.
    dropped: u64,
}

/// Why it is not known what somebody may see. Nothing is shown then.
#[derive(Debug, thiserror::Error)]
pub(super) enum SightError {
    #[error(transparent)]
    Slack(#[from] ApiError),
    #[error(transparent)]
    Store(#[from] StoreError),
    /// Slack knows nobody of that id, or does not show them.
    #[error("Slack does not show this person")]
    Unknown,
}

impl PersonSights {
    fn kept(&self) -> MutexGuard<'_, SightsKept> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Drops everything: somebody joined or left a channel, or a channel changed.
    pub(super) fn drop_all(&self) {
        let mut kept = self.kept();
        kept.by_person.clear();
        kept.dropped += 1;
    }

    async fn of(
        &self,
        directory: &Directory,
        clock: &dyn Clock,
        user: &UserId,
    ) -> Result<PersonSight, SightError> {
        let asked_at = clock.steady();
        let dropped = {
            let kept = self.kept();
            if let Some((at, sight)) = kept.by_person.get(user)
                && instant_after(*at, BELIEVED_FOR) > asked_at
            {
                return Ok(sight.clone());
            }
            kept.dropped
        };
        let person = directory.person(user).await?.ok_or(SightError::Unknown)?;
        let channels = directory.channels_of_person(user).await?;
        let is_outsider = person.outside || person.user.is_bot;
        let sight = PersonSight { name: person.user.name, channels, is_outsider };
        let mut kept = self.kept();
        if kept.dropped == dropped {
            if kept.by_person.len() >= MOST_KEPT {
                kept.by_person.clear();
            }
            kept.by_person.insert(user.clone(), (asked_at, sight.clone()));
        }
        Ok(sight)
    }

    /// The places that both of us are in at this moment. What people from elsewhere are in they may see as well.
    pub(super) async fn home_owner(
        &self,
        directory: &Directory,
        store: &Store,
        clock: &dyn Clock,
        user: &UserId,
    ) -> Result<HomeOwner, SightError> {
        let sight = self.of(directory, clock, user).await?;
        let rows = store.archive().channels(&Visibility::Owner).await?;
        let is_shared =
            |row: &ChannelRow| row.member && !row.has_opted_out() && sight.channels.contains(&row.channel.id);
        let places = rows.into_iter().filter(is_shared).map(|row| row.channel).collect();
        Ok(HomeOwner { user: user.clone(), places })
    }

    /// Who asks, and what may be shown to them in the channel where they ask: what the place sees, as far as they may see
    /// it themselves. Of a channel that they are not in, nothing is shown but what everybody in the workspace may see.
    pub(super) async fn asker(
        &self,
        directory: &Directory,
        store: &Store,
        clock: &dyn Clock,
        asked: &AskedAt<'_>,
    ) -> Result<CommandAsker, SightError> {
        let sight = self.of(directory, clock, asked.user).await?;
        let channel = match asked.channel {
            // Where a channel opted out, what was said in it is shown nowhere, so it is as if they asked elsewhere.
            Some(id) => {
                let row = store.archive().channel_row(id).await?;
                row.filter(|row| !row.has_opted_out()).map(|row| row.channel)
            }
            None => None,
        };
        let channel = match channel {
            Some(channel) if is_in(directory, &sight, asked.user, &channel).await? => Some(channel),
            _ => None,
        };
        let visibility = match &channel {
            Some(channel) => match store.hearing().seen_from(&channel.id).await? {
                Visibility::Place { channel, open_channels } => {
                    Visibility::Place { channel, open_channels: open_channels && !sight.is_outsider }
                }
                other @ (Visibility::Open | Visibility::Agent { .. } | Visibility::Owner) => other,
            },
            None if sight.is_outsider => return Err(SightError::Unknown),
            None => Visibility::Open,
        };
        Ok(CommandAsker { user: asked.user.clone(), name: sight.name, channel, visibility })
    }
}

/// Who asks, and where.
pub(super) struct AskedAt<'a> {
    pub(super) user: &'a UserId,
    pub(super) channel: Option<&'a ChannelId>,
}

/// Whether somebody is in a channel. Slack's list of somebody's channels may leave direct messages out.
async fn is_in(
    directory: &Directory,
    sight: &PersonSight,
    user: &UserId,
    channel: &Channel,
) -> Result<bool, ApiError> {
    if sight.channels.contains(&channel.id) {
        return Ok(true);
    }
    if channel.kind != ChannelKind::Dm {
        return Ok(false);
    }
    match directory.members(&channel.id).await {
        Ok(members) => Ok(members.contains(user)),
        // Of a direct message between two others, as an export has them, Slack shows us nothing.
        Err(error) if error.refusal() == Some("channel_not_found") => Ok(false),
        Err(error) => Err(error),
    }
}
