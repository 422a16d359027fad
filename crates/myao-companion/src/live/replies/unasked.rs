//! What nobody asked for is said only as long as it is still right to say it (SPEC §4).

use jiff::Timestamp;
use myao_core::{chat::MessageTs, prompt::Excuse};
use myao_store::{StoreError, TALK_WENT_ON, WantedReply};

use super::Answering;

const QUIET: &str = "these are quiet hours";

/// Why a reply is not given now.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Declined {
    /// And never will be.
    Ever(&'static str),
    /// It may be from then on.
    Before(Timestamp, &'static str),
    /// It is not, and whoever asked is told so.
    Told(Excuse, &'static str),
}

impl Answering {
    /// Why something that nobody asked for about the message `about` is not to be said, without asking anybody:
    /// somebody was quicker, or it is night. That it is still so when the words are written, T2 makes sure.
    pub(super) async fn why_not_unasked(
        &self,
        reply: &WantedReply,
        about: MessageTs,
        too_old: &'static str,
    ) -> Result<Option<Declined>, StoreError> {
        let now = self.clock.now();
        if !self.store.is_left_alone(&reply.place, about).await? {
            return Ok(Some(Declined::Ever(TALK_WENT_ON)));
        }
        if about < self.attention.oldest(now) {
            return Ok(Some(Declined::Ever(too_old)));
        }
        let open = self.config.quiet_hours.map_or(now, |quiet| quiet.end(now, &self.config.locale.timezone));
        Ok((open > now).then_some(Declined::Before(open, QUIET)))
    }
}
