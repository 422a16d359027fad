//! Acts on news: events that are no messages.

use jiff::SignedDuration;
use myao_core::chat::ChannelId;
use myao_slack::event::News;
use myao_store::StoreError;

use super::Intake;
use crate::live::{Bell, LiveError, Lookup, slack::SlackRun};

/// How old a missing event can be when Slack says that it dropped some: it does so when there are too many in a minute.
const DROPPED_WITHIN: SignedDuration = SignedDuration::from_mins(2);

impl Intake {
    /// Does what has to be done before the delivery is acknowledged, and queues lookups of the rest.
    pub(super) async fn heed_before_acknowledging(&mut self, news: &News) -> Result<(), LiveError> {
        let SlackRun { shared, lookups, directory, .. } = &*self.slack;
        let store = &shared.store;
        let now = self.slack.shared.clock.now();
        if self.heed_tab(news) {
            return Ok(());
        }
        // Who is where may have changed.
        self.slack.sights.drop_all();
        match news {
            News::Departed | News::MessagesOpened { .. } | News::InView { .. } => {}
            News::Joined(id) => {
                store.hearing().join_channel(id, self.slack.first_sight()).await?;
                self.doubt_channel(id).await?;
                self.slack.shared.bells.ring(Bell::Gaps);
            }
            News::HistoryChanged { channel, until } => {
                store.hearing().note_changed_history(channel, *until).await?;
                self.slack.shared.bells.ring(Bell::Gaps);
            }
            News::Left(id) => {
                store.hearing().leave_channel(id, now).await?;
                // From now on nothing tells of it: Slack is asked at once, and then from time to time.
                lookups.want(Lookup::Channel(id.clone()));
            }
            News::Changed(id) => self.doubt_channel(id).await?,
            News::Closed(id) => {
                self.close_channel(id).await?;
                self.doubt_channel(id).await?;
            }
            News::Renumbered { from, to } => self.renumber_channel(from, to).await?,
            News::Arrived { channel, user } => {
                lookups.want(Lookup::Person(user.clone()));
                self.doubt_channel(channel).await?;
            }
            News::Outsider(user) => {
                // Slack sends this for every change of a known guest's profile as well.
                if !directory.is_outsider(user) {
                    directory.forget(user);
                    store.hearing().doubt_all(now).await?;
                }
                lookups.want(Lookup::Everything);
            }
            News::Dropped => {
                tracing::warn!("Slack dropped events because there were too many; fetching them");
                directory.forget_everybody();
                store.hearing().doubt_all(now).await?;
                lookups.want(Lookup::Everything);
                store.hearing().open_gaps_since(now.saturating_sub(DROPPED_WITHIN).unwrap_or(now)).await?;
                self.slack.shared.bells.ring(Bell::Gaps);
            }
            News::Revoked => {
                return Err(LiveError::Refused(
                    "Slack refuses: the app was removed or its tokens were revoked".to_owned(),
                ));
            }
        }
        Ok(())
    }

    /// Heeds what somebody does in our tabs, which says nothing of who is where; whether that was all.
    fn heed_tab(&self, news: &News) -> bool {
        let shared = &self.slack.shared;
        if let News::MessagesOpened { channel, user } = news {
            shared.in_view.note_direct_messages(user, channel);
            self.slack.suggestions.want(user, channel);
            return true;
        }
        if let News::InView { user, direct_messages, channels } = news {
            let now = shared.clock.steady();
            shared.in_view.note(user.as_ref(), direct_messages.as_ref(), channels.clone(), now);
            return true;
        }
        false
    }

    /// Takes a channel's new id over.
    async fn renumber_channel(&mut self, from: &ChannelId, to: &ChannelId) -> Result<(), LiveError> {
        let store = &self.slack.shared.store;
        match store.intake().rename_channel_everywhere(from, to, self.slack.shared.clock.now()).await {
            // Flagged for a person. New messages are kept under the new id nevertheless.
            Err(error @ StoreError::TwoMemories { .. }) => {
                tracing::error!(%error, "a channel got a new id, which cannot be taken over");
                store.memory().flag_for_person(&format!("renumbered:{from}"), &error.to_string()).await?;
            }
            other => drop(other?),
        }
        if self.channels.remove(from) {
            self.channels.insert(to.clone());
        }
        self.doubt_channel(to).await
    }
}
