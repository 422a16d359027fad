//! What holds removed words besides memories: raw copies, replies that are still to be sent, and recordings.

use jiff::Timestamp;

use super::Removed;
use crate::{StoreError, db::Tx, removals, replies, unread_events};

/// Takes the words out of what holds them in the database, and notes that they were removed for what does not.
pub(super) async fn forget(tx: &mut Tx, removed: &[Removed], now: Timestamp) -> Result<(), StoreError> {
    unread_events::follow(tx, removed).await?;
    replies::removal::follow(tx, removed, now).await?;
    let oldest = removed.iter().map(|one| one.ts).min();
    match oldest {
        Some(oldest) => removals::note(tx, oldest, now).await,
        None => Ok(()),
    }
}
