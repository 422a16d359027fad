//! What is to be done about things that are no messages.

use jiff::SignedDuration;
use myao_slack::event::News;
use myao_store::StoreError;

use super::Intake;
use crate::live::{LiveError, Lookup, RunContext};

/// When Slack drops events because there are too many in a minute, what is missing is no older than this.
const DROPPED_WITHIN: SignedDuration = SignedDuration::from_mins(2);

impl Intake {
    /// Does what has to be done before the delivery is acknowledged, and wants looked up what can wait.
    pub(super) async fn heed(&mut self, news: &News) -> Result<(), LiveError> {
        let RunContext { store, lookups, directory, .. } = &*self.shared;
        let now = self.shared.clock.now();
        match news {
            News::Joined(id) => {
                store.join_channel(id, self.shared.backfill_from()).await?;
                self.doubt(id).await?;
                self.shared.bells.gaps.notify_one();
            }
            News::Left(id) => store.leave_channel(id, now).await?,
            News::Changed(id) => self.doubt(id).await?,
            News::Closed(id) => {
                self.close(id).await?;
                self.doubt(id).await?;
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
                if self.channels.remove(from) {
                    self.channels.insert(to.clone());
                }
                self.doubt(to).await?;
            }
            News::Arrived { channel, user } => {
                lookups.want(Lookup::Person(user.clone()));
                self.doubt(channel).await?;
            }
            News::Outsider(user) => {
                // Of one who was a guest before, every new face is told like this.
                if !directory.is_outsider(user) {
                    directory.forget(user);
                    store.doubt_all(now).await?;
                }
                lookups.want(Lookup::Everything);
            }
            News::Dropped => {
                tracing::warn!("Slack dropped events since there were too many; they are fetched");
                self.hear_from_now_on();
                lookups.want(Lookup::Everything);
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
