//! Removes words from what holds them besides memories: raw copies, replies that are still to be sent, and recordings.

use jiff::Timestamp;

use super::Removed;
use crate::{StoreError, db::Tx, removals, replies, unread_events};

/// Takes the words out of the places in the database that hold them, and records their removal for copies outside it.
pub(super) async fn forget(tx: &mut Tx, removed: &[Removed], now: Timestamp) -> Result<(), StoreError> {
    unread_events::follow(tx, removed).await?;
    replies::removal::follow(tx, removed, now).await?;
    let oldest = removed.iter().map(|one| one.ts).min();
    match oldest {
        Some(oldest) => removals::note(tx, oldest, now).await,
        None => Ok(()),
    }
}
