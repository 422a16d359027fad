//! Looks whether the database's file is still the one that was opened, and tells when it is not.

use std::sync::Arc;

use jiff::SignedDuration;

use super::{LiveError, RunContext};

/// How often it is looked.
const LOOK_EVERY: SignedDuration = SignedDuration::from_secs(2);

/// Looks until the run is to end.
pub(super) async fn watch_for_removal(shared: Arc<RunContext>) -> Result<(), LiveError> {
    let mut was_there = true;
    while shared.pause(LOOK_EVERY).await {
        let found = shared.store.is_in_place();
        match &found {
            Ok(()) if was_there => {}
            Ok(()) => tracing::warn!("the database file is back, and used again"),
            Err(error) if was_there => {
                tracing::error!(%error, "the database file is gone");
                shared.status.set_trouble(error.to_string());
            }
            Err(_) => {}
        }
        was_there = found.is_ok();
    }
    Ok(())
}
