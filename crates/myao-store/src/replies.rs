//! Stores replies from the wish to the post, each posted exactly once over crashes (specification §4, design §5).
//!
//! A reply is *wanted* in the transaction that archives its trigger (T1, `intake::triggers`). A model is asked outside
//! of any transaction; its words are *written* if the reply is still wanted as the prompt saw it (T2, `write`). Each
//! part is marked as *sending* before it is posted (T3) and as *posted* afterwards, with our own message in the archive
//! (T4, both `intake::own_posts`). A crash between any two leaves rows that tell what to do:
//!
//! | crash between | left behind | then |
//! |---|---|---|
//! | T1 and T2 | a wanted reply | ask again |
//! | T2 and T3 | a part that is ready | send it |
//! | T3 and T4 | a part that is being sent | look for it on the platform: T4 if it is there, else T3 again |
//!
//! T2, T3 and T4 ask whether everything that the reply was made from still stands (`inputs`); if not, it is taken back
//! (`intake::take_back`, `withdrawn`) and made anew.
//!
//! A reaction need not be looked for: adding it once more changes nothing.
//!
//! A process that works on a place holds the claim on [`place_subject`]; every write checks it.
//!
//! While a reply is being written the platform may show it (`shown`), and somebody may stop it (`stopped`,
//! `intake::stop`). A message may show its beginning, which becomes the first post in the end (`streams`).
//!
//! `judgments` is what is said unasked, and why not; `passing` is what people who opted out ask us, until it is
//! answered. `votes` tells what people think of what we said.

mod answer_count;
mod at_hand;
pub(crate) mod deliver;
pub(crate) mod figures;
mod hush;
pub(crate) mod inputs;
pub(crate) mod judgments;
mod left_alone;
pub(crate) mod opening;
mod origin;
pub(crate) mod passing;
mod recalled;
mod record;
mod reply;
mod reply_id;
mod shown;
mod shown_words;
pub(crate) mod stopped;
pub(crate) mod streams;
mod trouble;
mod unsettled;
pub(crate) mod votes;
pub(crate) mod withdrawn;
mod write;

use crate::Store;
pub use answer_count::{ANSWERED_ENOUGH, AnswerCount};
pub use at_hand::{RepliesAtHand, ReplyStep};
pub use hush::ASKED_FOR_QUIET;
pub use origin::{ModelOfPost, PostOrigin, ShownTalk, UnaskedReason};
pub(crate) use record::answered_messages;
pub use record::{InputStanding, ReplyRecord, ShownThing};
pub use reply::{PartBody, PartState, ReplyPart, WantedReply, WrittenReply, place_subject};
pub(crate) use reply::{claimed_place, place_of_columns, unanswered_triggers};
pub use reply_id::ReplyId;
pub(crate) use reply_id::lock_channel_row;
pub use shown_words::ShownWords;
pub(crate) use stopped::STOPPED;
pub use stopped::StoppedReply;
pub use streams::AnswerStream;
pub use trouble::TroubledReply;
pub(crate) use unsettled::is_unsettled_post;
pub use votes::{VoteCount, VotedReply};
pub use write::{ReplyDraft, TALK_WENT_ON};

/// Replies from the wish to the post, and the judgments on what is said unasked.
///
/// [`Store::replies`] gives it.
#[derive(Debug)]
pub struct RepliesHandle<'a> {
    store: &'a Store,
}

impl Store {
    /// Replies from the wish to the post, and the judgments on what is said unasked.
    pub fn replies(&self) -> RepliesHandle<'_> {
        RepliesHandle { store: self }
    }
}
