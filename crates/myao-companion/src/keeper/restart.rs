//! A person wants memories written anew.

use myao_core::{
    chat::Channel,
    memory::{Origin, StepKind},
};
use myao_store::RestartFrom;

use super::{Keeper, KeeperError, lease::Lease, round::subject};

impl Keeper {
    /// Drops a channel's memories from there on; the next round writes them anew. What was flagged for a
    /// person is dealt with by that. False while another process works on the channel.
    pub async fn restart(&self, channel: &Channel, from: RestartFrom, by: &str) -> Result<bool, KeeperError> {
        let subject = subject(&channel.id);
        let Some(lease) = Lease::take(&self.store, &self.clock, &subject).await? else { return Ok(false) };
        let reason = match from {
            RestartFrom::Start => "cut and written anew from the start".to_owned(),
            RestartFrom::Chapter(version) => format!("written anew from chapter {version} on"),
        };
        let origin = Origin { kind: StepKind::Dropped, actor: by.to_owned(), reason };
        let done = self.store.restart(&lease.claim, &channel.id, from, origin, self.clock.now()).await;
        lease.release().await?;
        done?;
        self.store.clear_setback(&subject).await?;
        self.store.clear_flags(&channel.id).await?;
        Ok(true)
    }
}
