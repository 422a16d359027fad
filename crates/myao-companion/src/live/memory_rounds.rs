//! Keeps memories up to date in the background: nothing here holds up a reply.

use std::{sync::Arc, time::Duration};

use jiff::{SignedDuration, Timestamp};
use myao_core::chat::instant_after;

use super::{LiveError, RunContext, RunSettings, looks_every};
use crate::{
    ask::{Recorder, days_before},
    keeper::{Keeper, KeeperError, KeeperParts, RoundEvent, RoundPolicy},
};

/// How often removed words are removed from the recordings of model calls, and leftovers of what passes through wiped.
const FOLLOWED_EVERY: SignedDuration = SignedDuration::from_secs(5);

/// How often recordings are looked through for old ones: that reads the whole file.
const EXPIRED_EVERY: SignedDuration = SignedDuration::from_hours(1);

/// The shortest time between the beginnings of two rounds.
const AT_MOST_EVERY: SignedDuration = SignedDuration::from_secs(5);

/// Runs a round when something was said, when one is known to be due, and every `response.check_interval_seconds`.
pub(super) async fn run_when_due(shared: Arc<RunContext>) -> Result<(), LiveError> {
    // Failed work waits for its time.
    let policy = RoundPolicy { start: shared.start, retry_now: false, workspace_now: false };
    let mut began = shared.clock.steady();
    let mut leaves_work = false;
    let mut keeper = shared.keeper.clone();
    let mut interval = shared.config.response.check_interval_seconds;
    let mut settings = shared.settings.clone();
    loop {
        let goes_on = tokio::select! {
            goes_on = wait_for_next(&shared, began, if leaves_work { 0 } else { interval }) => goes_on,
            new = settings.changed() => {
                interval = new.config.response.check_interval_seconds;
                keeper = keeper_by(&shared, &new);
                wait_until_soonest(&shared, began).await
            }
        };
        if !goes_on {
            return Ok(());
        }
        began = shared.clock.steady();
        // Ended by `Asker::stop`, not dropped, so that calls under way are settled and reserve nothing of the budget.
        match Box::pin(keeper.round(policy, &log_failure)).await {
            Err(KeeperError::Stopped) => return Ok(()),
            Ok(report) => {
                leaves_work = !report.busy.is_empty();
                if let Some(why) = report.waits_for_budget {
                    tracing::info!(why, "the day's budget is used up; memories wait for tomorrow");
                }
            }
            // The database may work again in the next round; if not, the intake reports it.
            Err(error) => tracing::error!(%error, "a round of memory work failed"),
        }
    }
}

/// The keeper of memories by these settings.
fn keeper_by(shared: &RunContext, settings: &RunSettings) -> Keeper {
    let RunSettings { config, templates, .. } = settings;
    Keeper::new(KeeperParts {
        store: shared.store.clone(),
        asker: shared.asker.clone(),
        clock: Arc::clone(&shared.clock),
        templates: Arc::clone(templates),
        settings: config.memory.clone(),
        zone: config.locale.timezone.clone(),
        input_tokens: usize::try_from(config.prompt.max_tokens).unwrap_or(usize::MAX),
        thread_memory_days: config.response.thread_memory_days,
    })
    .expiring(config.privacy.archive_days)
}

fn log_failure(event: RoundEvent) {
    if let RoundEvent::Failed { counted_as, reason, .. } = event {
        tracing::warn!(subject = counted_as, reason, "a memory was not brought up to date");
    }
}

/// Waits for the next round after the one that began at `began`, in steady time. Where that left work to another process,
/// `interval` is 0 and the next one comes soon: the other may die. False when the run is stopping.
async fn wait_for_next(shared: &RunContext, began: Timestamp, interval: u64) -> bool {
    let interval = looks_every(&shared.store, Duration::from_secs(interval));
    // If the database fails, the round itself says so.
    let due = shared
        .store
        .memory()
        .next_due_time(shared.clock.now())
        .await
        .ok()
        .flatten()
        .unwrap_or(Timestamp::MAX);
    let until = instant_after(shared.clock.now(), interval).min(due);
    let woken = async {
        tokio::select! {
            () = shared.bells.memory.notified() => {}
            () = shared.clock.sleep_until(until) => {}
        }
    };
    shared.stop.run_until_cancelled(woken).await.is_some() && wait_until_soonest(shared, began).await
}

/// Waits until another round may begin after that of `began`. False when the run is stopping.
async fn wait_until_soonest(shared: &RunContext, began: Timestamp) -> bool {
    let soonest = instant_after(began, AT_MOST_EVERY);
    shared.stop.run_until_cancelled(shared.clock.sleep_until_steady(soonest)).await.is_some()
}

/// Removes words that were removed from the chat from the recordings of model calls, if there is a file of them; and
/// what is left of messages that only passed through.
pub(super) async fn follow_removals(shared: Arc<RunContext>) -> Result<(), LiveError> {
    let file = shared.config.recording_file();
    let recorder = Recorder::new(file.clone());
    let mut days = shared.config.privacy.recordings_days;
    let mut settings = shared.settings.clone();
    let mut expired = Timestamp::MIN;
    while shared.pause(FOLLOWED_EVERY).await {
        if let Some(new) = settings.take_unseen() {
            days = new.config.privacy.recordings_days;
        }
        if let Err(error) = shared.store.replies().wipe_left_over(shared.clock.now()).await {
            tracing::error!(%error, "words of people who opted out may still be stored; trying again");
        }
        if !file.exists() {
            continue;
        }
        let now = shared.clock.now();
        if let Some(days) = days.filter(|_| instant_after(expired, EXPIRED_EVERY) <= now) {
            match recorder.wipe_older(days_before(now, days), now) {
                Ok(()) => expired = now,
                Err(error) => tracing::error!(%error, "old recordings still have their text; trying again"),
            }
        }
        if let Err(error) = recorder.follow_removals(&shared.store).await {
            tracing::error!(%error, "recordings of model calls may still hold removed words; trying again");
        }
    }
    Ok(())
}
