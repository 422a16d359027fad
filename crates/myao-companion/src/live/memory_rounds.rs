//! Memories, kept up to date beside the conversation: nothing here ever holds up a reply.

use std::{sync::Arc, time::Duration};

use jiff::{SignedDuration, Timestamp};
use myao_core::chat::later;

use super::{LiveError, RunContext};
use crate::{
    ask::Recorder,
    keeper::{KeeperError, RoundPolicy, Start},
};

/// How long removed words may stay in a recording of a call to a model.
const FOLLOWED_EVERY: SignedDuration = SignedDuration::from_secs(5);

/// As the live program keeps memories: channels begin with their window, what failed waits for its turn.
const POLICY: RoundPolicy = RoundPolicy { start: Start::Window, retry_now: false, workspace_now: false };

/// However much is said, a round begins no more often than that.
const AT_MOST_EVERY: SignedDuration = SignedDuration::from_secs(5);

/// Runs a round when something was said, when one is known to be due, and every `response.check_interval_seconds`.
pub(super) async fn keep(shared: Arc<RunContext>) -> Result<(), LiveError> {
    let mut began = shared.clock.now();
    while wait(&shared, began).await {
        began = shared.clock.now();
        // Ended by the asker, not dropped: calls under way are settled, and hold back nothing of the budget.
        match Box::pin(shared.keeper.round(POLICY, &|_| {})).await {
            Err(KeeperError::Stopped) => return Ok(()),
            Ok(report) => {
                if let Some(why) = report.waits_for_budget {
                    tracing::info!(why, "memories wait for tomorrow");
                }
            }
            // The database may be back at the next round; whoever stores messages says so if it is not.
            Err(error) => tracing::error!(%error, "a round of memory work failed"),
        }
    }
    Ok(())
}

/// Waits for the next round, the last of which began at `began`; false when the program stops.
async fn wait(shared: &RunContext, began: Timestamp) -> bool {
    let interval = Duration::from_secs(shared.config.response.check_interval_seconds);
    // A database that fails says so at the round itself.
    let due = shared.store.next_due(shared.clock.now()).await.ok().flatten().unwrap_or(Timestamp::MAX);
    let until = later(shared.clock.now(), interval).min(due);
    let soonest = later(began, AT_MOST_EVERY);
    let woken = async {
        tokio::select! {
            () = shared.bells.memory.notified() => {}
            () = shared.clock.sleep_until(until) => {}
        }
        shared.clock.sleep_until(soonest).await;
    };
    shared.stop.run_until_cancelled(woken).await.is_some()
}

/// Takes what was removed from the chat out of the recordings of calls to models, as long as there is a file of
/// them.
pub(super) async fn follow_removals(shared: Arc<RunContext>) -> Result<(), LiveError> {
    let file = shared.config.recording_file();
    let recorder = Recorder::new(file.clone());
    while shared.pause(FOLLOWED_EVERY).await {
        if !file.exists() {
            continue;
        }
        if let Err(error) = recorder.follow(&shared.store).await {
            tracing::error!(%error, "recordings of calls to models may still hold removed words");
        }
    }
    Ok(())
}
