//! Indexes what was archived before there was an index, in the background: nothing waits for it.

use std::sync::Arc;

use jiff::SignedDuration;
use myao_store::StoreError;

use super::{LiveError, RunContext};

/// How often the progress of the index is logged.
const TOLD_EVERY: SignedDuration = SignedDuration::from_secs(10);
/// How often we look whether the index has to be made anew, or the database works again.
const LOOKED_AT_EVERY: SignedDuration = SignedDuration::from_mins(10);

/// Keeps the index whole until the run ends.
pub(super) async fn keep_index_whole(shared: Arc<RunContext>) -> Result<(), LiveError> {
    loop {
        if let Err(error) = finish_index(&shared).await {
            tracing::error!(%error, "the index for recall is not finished; trying again in 10 minutes");
        }
        if !shared.pause(LOOKED_AT_EVERY).await {
            return Ok(());
        }
    }
}

/// Indexes what is not indexed yet. Each step is a transaction: after a run that ends in between, the next one goes on
/// from there.
async fn finish_index(shared: &RunContext) -> Result<(), StoreError> {
    let mut progress = shared.store.recall().index_progress().await?;
    if progress.is_complete {
        return Ok(());
    }
    tracing::info!(
        done = progress.channels_done,
        channels = progress.channels,
        "indexing what was said before"
    );
    let mut told = shared.clock.now();
    while !progress.is_complete {
        if shared.stop.is_cancelled() {
            return Ok(());
        }
        progress = shared.store.recall().index_some().await?;
        let now = shared.clock.now();
        if now.duration_since(told) >= TOLD_EVERY {
            told = now;
            tracing::info!(done = progress.channels_done, channels = progress.channels, "indexing");
        }
    }
    tracing::info!(channels = progress.channels, "all that was said can be searched");
    Ok(())
}
