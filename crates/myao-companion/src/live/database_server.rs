//! Follows the server with the newest timeline, of those that an address names.

use std::sync::Arc;

use jiff::SignedDuration;

use super::{LiveError, RunContext};

/// How often the hosts are asked.
const ASKED_EVERY: SignedDuration = SignedDuration::from_secs(5);

/// Asks until the run is to end.
pub(super) async fn follow_writing_server(shared: Arc<RunContext>) -> Result<(), LiveError> {
    while shared.pause(ASKED_EVERY).await {
        let asked = shared.store.follow_newest_server();
        if shared.stop.run_until_cancelled(asked).await.is_none() {
            break;
        }
    }
    Ok(())
}
