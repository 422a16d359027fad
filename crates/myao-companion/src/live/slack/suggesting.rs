//! Suggests to people what to ask when they open their direct messages with us (ADR 128). Nothing depends on it: it is kept
//! nowhere, tried again where Slack is busy, and given up where Slack does not have it.

use std::{
    collections::HashMap,
    sync::{Arc, Mutex, MutexGuard, PoisonError},
};

use jiff::SignedDuration;
use myao_core::chat::{ChannelId, UserId, instant_after};
use myao_slack::{api::Client, directory::Directory};
use myao_store::StoreError;
use tokio::sync::Notify;
use tokio_util::sync::CancellationToken;

use super::person_sight::{AskedAt, PersonSights, SightError};
use crate::{
    commands::{Commands, Suggestions},
    live::{LiveError, RunContext},
};

/// Of how many people it is kept what is suggested to them. When there are more, all is forgotten.
const MOST_KEPT: usize = 10_000;
/// How long it rests where Slack cannot be reached.
const REST: SignedDuration = SignedDuration::from_secs(5);

/// What is suggested at present, and to whom it is to be suggested anew.
#[derive(Debug, Default)]
pub(super) struct SuggestionDesk {
    lists: Mutex<SuggestionLists>,
    bell: Notify,
}

#[derive(Debug, Default)]
struct SuggestionLists {
    /// Who waits for suggestions, with their direct messages with us.
    wanted: HashMap<UserId, ChannelId>,
    shown: HashMap<UserId, (ChannelId, Suggestions)>,
}

impl SuggestionDesk {
    fn lists(&self) -> MutexGuard<'_, SuggestionLists> {
        self.lists.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Has something suggested to somebody. Returns at once.
    pub(super) fn want(&self, user: &UserId, channel: &ChannelId) {
        self.lists().wanted.insert(user.clone(), channel.clone());
        self.bell.notify_one();
    }

    /// A channel is not what it was: whoever this process showed its name gets other suggestions. Who saw it before a
    /// restart, or by another process, gets them when they open their direct messages again.
    pub(super) fn doubt_channel(&self, id: &ChannelId) {
        let SuggestionLists { wanted, shown } = &mut *self.lists();
        let names_it = shown.iter().filter(|(_, (_, suggestions))| suggestions.channels.contains(id));
        wanted.extend(names_it.map(|(user, (channel, _))| (user.clone(), channel.clone())));
        self.bell.notify_one();
    }

    /// Takes out somebody who waits, once there is one.
    async fn next(&self) -> (UserId, ChannelId) {
        loop {
            {
                let mut lists = self.lists();
                let user = lists.wanted.keys().next().cloned();
                if let Some(next) = user.and_then(|user| lists.wanted.remove_entry(&user)) {
                    return next;
                }
            }
            self.bell.notified().await;
        }
    }

    /// Notes what is suggested to somebody; `false` if it was before.
    fn note(&self, user: &UserId, channel: &ChannelId, suggestions: &Suggestions) -> bool {
        let shown = &mut self.lists().shown;
        if shown.len() >= MOST_KEPT {
            shown.clear();
        }
        let now = (channel.clone(), suggestions.clone());
        shown.insert(user.clone(), now.clone()) != Some(now)
    }

    fn forget(&self, user: &UserId) {
        self.lists().shown.remove(user);
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
pub(super) async fn suggest_prompts(slack: Suggesting, stop: CancellationToken) -> Result<(), LiveError> {
    let mut is_there = slack.shared.config.slack.agent_view && slack.client.is_agent();
    while let Some((user, channel)) = stop.run_until_cancelled(slack.desk.next()).await {
        if !is_there {
            continue;
        }
        let suggestions = match slack.suggestions_for(&user, &channel).await {
            Ok(suggestions) => suggestions,
            Err(error) => {
                tracing::warn!(%error, "nothing is suggested to somebody: the database fails");
                continue;
            }
        };
        if !slack.desk.note(&user, &channel, &suggestions) {
            continue;
        }
        let Err(error) = slack.client.suggest_prompts(&channel, &suggestions.prompts).await else { continue };
        tracing::info!(%error, "what is suggested to somebody was not taken by Slack");
        slack.desk.forget(&user);
        is_there = !error.is_feature_missing();
        if error.may_pass() {
            slack.desk.want(&user, &channel);
            let clock = &slack.shared.clock;
            let until = instant_after(clock.steady(), REST);
            stop.run_until_cancelled(clock.sleep_until_steady(until)).await;
        }
    }
    Ok(())
}

impl Suggesting {
    /// What is suggested to somebody now: no place, where it is not known what they may see.
    async fn suggestions_for(&self, user: &UserId, channel: &ChannelId) -> Result<Suggestions, StoreError> {
        let RunContext { config, store, clock, asker, .. } = &*self.shared;
        let language = store.interactions().preferred_language(user).await?;
        let language = language.unwrap_or(config.locale.language);
        let commands = Commands { config, store, clock: &**clock, language, asker };
        let seen = async {
            let at = AskedAt { user, channel: Some(channel) };
            let person = self.sights.asker(&self.directory, store, &**clock, &at).await?;
            let owner = self.sights.home_owner(&self.directory, store, &**clock, user).await?;
            Ok::<_, SightError>((person, owner))
        };
        match seen.await {
            Ok((person, owner)) => commands.suggestions(&person, &owner).await,
            Err(SightError::Store(error)) => Err(error),
            Err(SightError::Slack(_) | SightError::Unknown) => Ok(commands.suggestions_without_places()),
        }
    }
}
