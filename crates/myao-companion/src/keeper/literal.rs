//! Literal mode: every version is summarised, merged and carried into the workspace's memory before the next is written,
//! channel by channel, as the predecessor has it (ADR 74).
//!
//! What comes next follows from the rows alone: carry on what is merged, merge what is written, write what is cut. So a
//! round that was killed goes on where it was.

use myao_core::chat::Channel;

use super::{Keeper, KeeperError, chapter::MOST_LOOKS, lease::Lease, round::Round};

impl Keeper {
    /// Writes every chapter of the channel that has no text, each with its merge and its update of the workspace's
    /// memory.
    pub(super) async fn keep_to_the_letter(
        &self,
        round: &Round<'_>,
        channel: &Channel,
        lease: &Lease,
    ) -> Result<(), KeeperError> {
        let mut looked_at = None;
        let mut looks = 0;
        loop {
            self.merge_waiting_chapters(round, channel, lease).await?;
            if round.is_ending() {
                return Err(KeeperError::Stopped);
            }
            let Some(next) = self.chapters_for_now(round, &channel.id).await?.into_iter().next() else {
                return Ok(());
            };
            looks = if looked_at.replace(next.version) == Some(next.version) { looks + 1 } else { 1 };
            if looks > MOST_LOOKS {
                return Err(KeeperError::Restless(MOST_LOOKS));
            }
            self.write_each(round, channel, lease, vec![next]).await?;
        }
    }

    /// Carries on what this very round merged before it was killed, if there is such a merge.
    pub(super) async fn carry_on_after_a_kill(&self, round: &Round<'_>) -> Result<(), KeeperError> {
        let inputs = self.store.memory().for_workspace().await?;
        if inputs.iter().any(|input| !input.integrated && input.updated_at >= round.began) {
            self.carry_on(round).await?;
        }
        Ok(())
    }

    /// Takes the channels' long-term memories as they stand now into the workspace's, which is shown beside other
    /// sources from then on. Once that has failed, the rest of the round goes on without; the next round makes up for it.
    pub(super) async fn carry_on(&self, round: &Round<'_>) -> Result<(), KeeperError> {
        if round.workspace_fails() {
            return Ok(());
        }
        self.integrate_if_due(round).await?;
        round.show_workspace(self.workspace_to_show().await?);
        Ok(())
    }
}
