//! Limits how often one person is answered (docs/manners.md): answers cost, and two programs that answer each other
//! would never end.

use myao_core::prompt::Excuse;
use myao_store::{ANSWERED_ENOUGH, StoreError, WantedReply};

use super::{Answering, unasked::Declined};
use crate::live::HOUR;

/// The most replies to one person, or one of `slack.answer_bots`, within an [`HOUR`], wherever they ask. Few people come
/// near that; two programs that answer each other do within minutes.
const MOST_REPLIES: u64 = 30;

impl Answering {
    /// Declines a reply if everybody who asks for it was answered often enough; a person is told so, once. Requests made
    /// at the same time are counted in the order in which they were made, so that asking in many places at once is no
    /// way around the limit.
    pub(super) async fn why_enough(&self, reply: &WantedReply) -> Result<Option<Declined>, StoreError> {
        let now = self.clock.now();
        let since = now.saturating_sub(HOUR).unwrap_or(now);
        let mut is_first = false;
        for asker in &reply.askers {
            let answered = self.store.replies().how_often_answered(asker, reply.id, since).await?;
            let left = MOST_REPLIES.saturating_sub(answered.given);
            // Somebody is below the limit: that is enough.
            if answered.ahead < left {
                return Ok(None);
            }
            let is_bot = self.attention.answers_bot(asker);
            is_first |= !is_bot && answered.told == 0 && answered.ahead == left;
        }
        let told = if is_first {
            Declined::Told(Excuse::TooMany, ANSWERED_ENOUGH)
        } else {
            Declined::Ever(ANSWERED_ENOUGH)
        };
        Ok((!reply.askers.is_empty()).then_some(told))
    }
}
