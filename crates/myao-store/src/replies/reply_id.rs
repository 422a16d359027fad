//! What names a reply, how long one may be put off, and the lock under which all of a channel are changed.

use std::fmt;

use jiff::{SignedDuration, Timestamp};
use myao_core::chat::{ChannelId, instant_after};

use crate::{StoreError, db::Tx};

/// The longest time a reply may be put off: after that, whoever asked has given up. A later due time was noted by a
/// clock or a server that was wrong.
const LONGEST_PUT_OFF: SignedDuration = SignedDuration::from_hours(24);

/// A reply's number; its posts carry it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct ReplyId(pub i64);

impl fmt::Display for ReplyId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", self.0)
    }
}

/// The latest instant to which a reply can be put off.
pub(super) fn latest_put_off(now: Timestamp) -> Timestamp {
    instant_after(now, LONGEST_PUT_OFF)
}

/// Takes the channel's row lock, under which messages arrive one batch after the other.
pub(crate) async fn lock_channel_row(tx: &mut Tx, channel: &ChannelId) -> Result<(), StoreError> {
    on!(tx, c => sqlx::query("UPDATE channels SET revision = revision WHERE id = $1")
        .bind(channel.as_str()).execute(c).await.map(drop))?;
    Ok(())
}
