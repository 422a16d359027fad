//! Carries out forgettings, outside of the database too (specification §6, ADR 47).

use std::time::Duration;

use async_recursion::async_recursion as boxed;
use myao_config::Config;
use myao_core::ports::Clock;
use myao_store::{Compacted, ForgetWork, Forgetting, Store, StoreError};

use crate::ask::{Recorder, RecordingError, days_before};

/// How long to wait for readers of an older state of the database.
const PATIENCE: Duration = Duration::from_secs(20);

/// Why a forgetting is not done yet. What is done of it stays done, and the rest can be done at any time.
#[derive(Debug, thiserror::Error)]
pub enum ForgettingError {
    /// The database failed.
    #[error(transparent)]
    Store(#[from] StoreError),
    /// The recordings of calls to models may still hold the words.
    #[error(transparent)]
    Recording(#[from] RecordingError),
}

/// Does everything of a forgetting except the cleaning. `progress` is told repeatedly how far it has come.
///
/// # Errors
/// When the database fails.
pub async fn carry_out(
    store: &Store,
    clock: &dyn Clock,
    mut work: ForgetWork,
    mut progress: impl FnMut(&Forgetting),
) -> Result<(), StoreError> {
    while store.forget().do_next_piece(&mut work, clock.now()).await? {
        let Some(forgetting) = store.forget().find(work.id).await? else { break };
        progress(&forgetting);
    }
    Ok(())
}

/// Cleans up once the words are out of the texts: in recordings of calls, and in the files of the database.
///
/// # Errors
/// See [`ForgettingError`].
#[boxed]
pub async fn clean_up_after(
    config: &Config,
    store: &Store,
    clock: &dyn Clock,
) -> Result<Compacted, ForgettingError> {
    // The words must be out of the recordings before the forgetting counts as done.
    follow_removals(config, store, clock).await?;
    Ok(store.forget().clean_database(clock.now(), PATIENCE).await?)
}

/// Removes words that were removed from the chat from the recordings of model calls, and those that are older than
/// `privacy.recordings_days`, whether or not calls are recorded now.
///
/// # Errors
/// When the file cannot be read or written.
#[boxed]
pub async fn follow_removals(
    config: &Config,
    store: &Store,
    clock: &dyn Clock,
) -> Result<(), RecordingError> {
    let file = config.recording_file();
    if !file.exists() {
        return Ok(());
    }
    let recorder = Recorder::new(file);
    let now = clock.now();
    if let Some(days) = config.privacy.recordings_days {
        recorder.wipe_older(days_before(now, days), now)?;
    }
    recorder.follow_removals(store).await
}
