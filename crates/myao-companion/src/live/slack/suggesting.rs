//! Suggests to people what to ask when they open their direct messages with us (ADR 128). Nothing depends on it: it is kept
//! nowhere, and given up where Slack is busy or does not have it.

use std::{
    collections::HashMap,
    sync::{Arc, Mutex, MutexGuard, PoisonError},
};

use myao_core::chat::{ChannelId, UserId};
use myao_slack::{api::Client, directory::Directory};
use tokio::sync::mpsc;
use tokio_util::sync::CancellationToken;

use super::person_sight::{AskedAt, PersonSights, SightError};
use crate::{
    commands::{Commands, Suggestions},
    live::{LiveError, RunContext},
};

/// How many may wait for it.
const MOST_WAITING: usize = 64;
/// Of how many people it is kept what is suggested to them. When there are more, all is forgotten.
const MOST_KEPT: usize = 10_000;

/// Somebody to whom something is to be suggested, and their direct messages with us.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct OpenedMessages {
    pub(super) user: UserId,
    pub(super) channel: ChannelId,
}

/// What is suggested at present, and to whom it is to be suggested anew.
#[derive(Debug)]
pub(super) struct SuggestionDesk {
    orders: mpsc::Sender<OpenedMessages>,
    shown: Mutex<HashMap<UserId, (ChannelId, Suggestions)>>,
}

impl SuggestionDesk {
    /// Nothing yet, and what is asked for.
    pub(super) fn new() -> (Self, mpsc::Receiver<OpenedMessages>) {
        let (orders, asked) = mpsc::channel(MOST_WAITING);
        (Self { orders, shown: Mutex::default() }, asked)
    }

    fn shown(&self) -> MutexGuard<'_, HashMap<UserId, (ChannelId, Suggestions)>> {
        self.shown.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Has something suggested to somebody, unless too many wait for that. Returns at once.
    pub(super) fn want(&self, opened: OpenedMessages) {
        drop(self.orders.try_send(opened));
    }

    /// A channel is not what it was: whoever is shown its name gets other suggestions.
    pub(super) fn doubt_channel(&self, id: &ChannelId) {
        let shown = self.shown();
        let names_it = shown.iter().filter(|(_, (_, suggestions))| suggestions.channels.contains(id));
        for (user, (channel, _)) in names_it {
            self.want(OpenedMessages { user: user.clone(), channel: channel.clone() });
        }
    }

    /// Notes what is suggested to somebody; `false` if it was before.
    fn note(&self, opened: &OpenedMessages, suggestions: &Suggestions) -> bool {
        let mut shown = self.shown();
        if shown.len() >= MOST_KEPT {
            shown.clear();
        }
        let now = (opened.channel.clone(), suggestions.clone());
        shown.insert(opened.user.clone(), now.clone()) != Some(now)
    }

    fn forget(&self, user: &UserId) {
        self.shown().remove(user);
    }
}

/// What suggestions are made with.
pub(super) struct Suggesting {
    pub(super) shared: Arc<RunContext>,
    pub(super) client: Client,
    pub(super) directory: Arc<Directory>,
    pub(super) sights: Arc<PersonSights>,
    pub(super) desk: Arc<SuggestionDesk>,
}

/// Suggests, one person after the other, until the run is to end.
pub(super) async fn suggest_prompts(
    slack: Suggesting,
    mut asked: mpsc::Receiver<OpenedMessages>,
    stop: CancellationToken,
) -> Result<(), LiveError> {
    let mut is_there = slack.shared.config.slack.agent_view && slack.client.is_agent();
    while let Some(Some(opened)) = stop.run_until_cancelled(asked.recv()).await {
        if !is_there || !slack.client.may_suggest() {
            continue;
        }
        let suggestions = match slack.suggestions_for(&opened).await {
            Ok(suggestions) => suggestions,
            Err(error) => {
                tracing::warn!(%error, "nothing is suggested to somebody: it is not known what they may see");
                continue;
            }
        };
        if !slack.desk.note(&opened, &suggestions) {
            continue;
        }
        if let Err(error) = slack.client.suggest_prompts(&opened.channel, &suggestions.prompts).await {
            tracing::info!(%error, "nothing is suggested to somebody who opened their direct messages");
            slack.desk.forget(&opened.user);
            is_there = !error.is_feature_missing();
        }
    }
    Ok(())
}

impl Suggesting {
    async fn suggestions_for(&self, opened: &OpenedMessages) -> Result<Suggestions, SightError> {
        let RunContext { config, store, clock, asker, .. } = &*self.shared;
        let at = AskedAt { user: &opened.user, channel: Some(&opened.channel) };
        let person = self.sights.asker(&self.directory, store, &**clock, &at).await?;
        let owner = self.sights.home_owner(&self.directory, store, &**clock, &opened.user).await?;
        let commands = Commands { config, store, clock: &**clock, asker };
        Ok(commands.suggestions(&person, &owner).await?)
    }
}
