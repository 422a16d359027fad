//! Whether people from outside take part in a place is known before words are found for it, or they are found as if
//! they did (SPEC §6).

use jiff::SignedDuration;
use myao_core::chat::{ChannelId, later};
use myao_store::{Sight, StoreError};

use super::Answering;

/// A reply waits so long for its channel to be looked up: longer than two calls take, shorter than people wait.
const LONGEST_WAIT: SignedDuration = SignedDuration::from_secs(5);

impl Answering {
    /// Waits until it is known what the channel is, until that was tried in vain, or a few seconds.
    pub(super) async fn know(&self, channel: &ChannelId) -> Result<(), StoreError> {
        let Some(lookups) = &self.lookups else { return Ok(()) };
        if self.store.sight(channel).await? != Sight::Unknown {
            return Ok(());
        }
        let (until, mut ended) = (later(self.clock.now(), LONGEST_WAIT), lookups.ended());
        lookups.want_first(channel);
        while self.store.sight(channel).await? == Sight::Unknown && !lookups.was_in_vain(channel) {
            tokio::select! {
                _ = ended.changed() => {}
                () = self.clock.sleep_until(until) => break,
                () = self.stop.cancelled() => break,
            }
        }
        Ok(())
    }
}
