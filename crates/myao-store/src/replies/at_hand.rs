//! Says what is to be done about replies, as one moment of the database has it.

use async_recursion::async_recursion as boxed;
use jiff::Timestamp;
use myao_core::context::Place;

use super::{WantedReply, WrittenReply, latest_put_off, unfinished, wanted};
use crate::{Sight, Store, StoreError, archive};

/// What is to be done about the replies of a workspace.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct RepliesAtHand {
    /// The places where something is due: first where posting goes on, then where words are to be found, each oldest
    /// first. A place may stand here twice.
    pub due: Vec<Place>,
    /// When the next reply that was put off is due; `None` if no reply was put off.
    pub next: Option<Timestamp>,
    /// Whether there are replies that cannot be read ([`Store::set_aside_unreadable`]).
    pub any_unreadable: bool,
}

/// The next thing to do in a place.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ReplyStep {
    /// The reply has its words: its parts are to be posted, if it is due. With it comes what a reply in its channel may
    /// be made from now, as from [`Store::sight`].
    Deliver(WrittenReply, Sight),
    /// The reply is due and waits for its words.
    FindWords(WantedReply),
}

impl Store {
    /// What is to be done about replies at `now`.
    #[boxed]
    pub async fn replies_at_hand(&self, now: Timestamp) -> Result<RepliesAtHand, StoreError> {
        let mut tx = self.db.snapshot().await?;
        let unfinished = unfinished(&mut tx, None).await?;
        // Those that are put off as well, to know when they are due.
        let wanted = wanted(&mut tx, None, Timestamp::MAX).await?;
        drop(tx);
        let any_unreadable = unfinished.iter().any(Result::is_err) || wanted.iter().any(Result::is_err);
        let mut at_hand = RepliesAtHand { any_unreadable, ..RepliesAtHand::default() };
        let unfinished = unfinished.into_iter().flatten().map(|reply| (reply.not_before, reply.place));
        let wanted = wanted.into_iter().flatten().map(|reply| (reply.not_before, reply.place));
        for (not_before, place) in unfinished.chain(wanted) {
            if not_before <= now || not_before > latest_put_off(now) {
                at_hand.due.push(place);
            } else {
                at_hand.next = Some(at_hand.next.map_or(not_before, |next| next.min(not_before)));
            }
        }
        Ok(at_hand)
    }

    /// The next thing to do in a place at `now`; `None` if nothing is. A reply that has its words goes first, even if it
    /// is not due yet: answers of a place stay in order.
    #[boxed]
    pub async fn reply_step(&self, place: &Place, now: Timestamp) -> Result<Option<ReplyStep>, StoreError> {
        let mut tx = self.db.snapshot().await?;
        let written = unfinished(&mut tx, Some(place)).await?.into_iter().find_map(Result::ok);
        if let Some(reply) = written {
            let channel = archive::channel(&mut tx, &place.channel).await?;
            let sight = channel.map_or(Sight::Unknown, |channel| channel.sight(self.hearing.since()));
            return Ok(Some(ReplyStep::Deliver(reply, sight)));
        }
        let wanted = wanted(&mut tx, Some(place), now).await?.into_iter().find_map(Result::ok);
        Ok(wanted.map(ReplyStep::FindWords))
    }
}
