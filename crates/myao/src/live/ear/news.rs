//! What is to be done about things that are no messages.

use jiff::SignedDuration;
use myao_slack::event::News;
use myao_store::StoreError;

use super::Ear;
use crate::live::{LiveError, Lookup};

/// When Slack drops events because there are too many in a minute, what is missing is no older than this.
const DROPPED_WITHIN: SignedDuration = SignedDuration::from_mins(2);

impl Ear {
    /// Does what has to be done before the delivery is acknowledged, and wants looked up what can wait.
    pub(super) async fn heed(&mut self, news: &News) -> Result<(), LiveError> {
        let (store, lookups) = (&self.shared.store, &self.shared.lookups);
        let now = self.shared.clock.now();
        match news {
            News::Joined(id) => {
                store.join_channel(id, self.shared.backfill_from()).await?;
                lookups.want(Lookup::Channel(id.clone()));
                self.shared.bells.gaps.notify_one();
            }
            News::Left(id) => store.leave_channel(id, now).await?,
            News::Changed(id) => lookups.want(Lookup::Channel(id.clone())),
            News::Closed(id) => {
                self.close(id).await?;
                lookups.want(Lookup::Channel(id.clone()));
            }
            News::Renumbered { from, to } => {
                match store.rename_channel(from, to, now).await {
                    // For a person to look at; what is said there is kept under the new id all the same.
                    Err(error @ StoreError::TwoMemories { .. }) => {
                        tracing::error!(%error, "a channel's new id is not followed");
                        store.flag(&format!("renumbered:{from}"), &error.to_string()).await?;
                    }
                    other => drop(other?),
                }
                if let Some(external) = self.channels.remove(from) {
                    self.channels.insert(to.clone(), external);
                }
                lookups.want(Lookup::Channel(to.clone()));
            }
            News::Arrived { channel, user } => {
                lookups.want(Lookup::Person(user.clone()));
                lookups.want(Lookup::Channel(channel.clone()));
            }
            News::Outsider(_) => lookups.want(Lookup::Everything),
            News::Dropped => {
                tracing::warn!("Slack dropped events since there were too many; they are fetched");
                store.open_gaps(now.saturating_sub(DROPPED_WITHIN).unwrap_or(now)).await?;
                self.shared.bells.gaps.notify_one();
            }
            News::Revoked => {
                return Err(LiveError::Refused("the app was removed or its tokens were revoked".to_owned()));
            }
        }
        Ok(())
    }
}
