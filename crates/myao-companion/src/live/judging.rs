//! Judges whether to speak up unasked where talk has paused (specification §4, design §6).
//!
//! Which pauses are due follows from what is stored and from the time (`upcoming`); nothing is kept in memory.
//! [`Judging::look`] has a model judge the pauses that are due (`verdict`), and stores what was decided. A decision to
//! speak only opens a reply: its text is written when it is due, as for any other reply (`replies`).

mod upcoming;
mod verdict;

use std::{pin::pin, sync::Arc, time::Duration};

use async_recursion::async_recursion as boxed;
use futures::{StreamExt as _, stream};
use jiff::{SignedDuration, Timestamp};
use myao_config::Config;
use myao_core::{chat::instant_after, judgment::Manners, ports::Clock, wording::Templates};
use myao_store::{Claim, Decided, JUDGING, Store, StoreError};
use tokio::sync::Notify;
use tokio_util::sync::CancellationToken;
use tracing::Instrument as _;

pub(crate) use self::upcoming::{HOUR, enough_said, manners_in_channel};
pub use self::upcoming::{UpcomingJudgment, all_upcoming_judgments};
use self::verdict::Judged;
use super::{LiveError, RunContext, looks_every};
use crate::{
    ask::{Asker, JUDGMENT_CALLS},
    keeper::Lease,
    spans,
};

/// The most pauses judged in one pass, so that what comes due meanwhile does not wait behind a long queue.
const MOST_AT_ONCE: usize = 16;
/// The wait before the next pass while another process judges, or after the database failed.
const LEFT_ALONE: SignedDuration = SignedDuration::from_secs(5);
/// The shortest time between two passes: each reads half a day of messages.
const AT_MOST_EVERY: SignedDuration = SignedDuration::from_secs(1);

/// Judges pauses until the run is to end.
pub(super) async fn judge_pauses(shared: Arc<RunContext>) -> Result<(), LiveError> {
    shared.store.replies().note_heard_bots(&shared.attention.bots).await?;
    let mut judging = Judging {
        manners: shared.config.manners(shared.seed),
        config: shared.config.clone(),
        store: shared.store.clone(),
        clock: Arc::clone(&shared.clock),
        templates: Arc::clone(&shared.templates),
        asker: shared.asker.clone(),
        stop: shared.stop.child_token(),
    };
    let mut feed = shared.settings.clone();
    while !shared.stop.is_cancelled() {
        let new = {
            let mut judge = pin!(judging.run(&shared.bells.talk, &shared.bells.replies));
            let new = tokio::select! {
                () = &mut judge => break,
                new = feed.changed() => new,
            };
            // The pass that is under way ends first: its calls are paid for.
            judging.stop.cancel();
            judge.await;
            new
        };
        judging = Judging {
            manners: new.config.manners(shared.seed),
            config: new.config.clone(),
            templates: Arc::clone(&new.templates),
            stop: shared.stop.child_token(),
            ..judging
        };
    }
    Ok(())
}

/// What judgments are made with.
pub struct Judging {
    /// The configuration.
    pub config: Config,
    /// When and how often we speak up.
    pub manners: Manners,
    /// The database.
    pub store: Store,
    /// The clock.
    pub clock: Arc<dyn Clock>,
    /// The prompts.
    pub templates: Arc<Templates>,
    /// Calls the models.
    pub asker: Asker,
    /// Cancelled when nothing new is to be begun. Calls to models end with [`Asker::stop`].
    pub stop: CancellationToken,
}

/// The result of one pass.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct JudgingPass {
    /// Pauses that were judged.
    pub judged: usize,
    /// Replies that were opened.
    pub opened: usize,
    /// When the next pause comes due, if one does.
    pub next: Option<Timestamp>,
    /// Whether the day's budget has nothing left for judgments.
    pub is_spent: bool,
}

impl Judging {
    /// Judges until [`Judging::stop`] is cancelled. Waits for `talk`, which is notified when something was said, and
    /// notifies `replies` when it opened one. If a notification is lost, the next pass comes after
    /// `response.check_interval_seconds`.
    #[boxed]
    pub async fn run(&self, talk: &Notify, replies: &Notify) {
        while !self.stop.is_cancelled() {
            let began = self.clock.steady();
            let again = match self.look().await {
                Ok(Some(look)) => {
                    if look.opened > 0 {
                        replies.notify_one();
                    }
                    let next = look.next.filter(|_| !look.is_spent);
                    let interval = Duration::from_secs(self.config.response.check_interval_seconds);
                    let interval = looks_every(&self.store, interval);
                    next.unwrap_or(Timestamp::MAX).min(instant_after(self.clock.now(), interval))
                }
                Ok(None) => instant_after(self.clock.now(), LEFT_ALONE),
                Err(error) => {
                    tracing::error!(%error, "pauses could not be judged; trying again");
                    instant_after(self.clock.now(), LEFT_ALONE)
                }
            };
            let soonest = instant_after(began, AT_MOST_EVERY);
            tokio::select! {
                () = self.stop.cancelled() => return,
                () = async {
                    tokio::select! {
                        () = talk.notified() => {}
                        () = self.clock.sleep_until(again) => {}
                    }
                    self.clock.sleep_until_steady(soonest).await;
                } => {}
            }
        }
    }

    /// Runs one pass. `None` while another process does.
    ///
    /// # Errors
    /// When the database fails.
    #[boxed]
    pub async fn look(&self) -> Result<Option<JudgingPass>, StoreError> {
        // Most passes find nothing to judge, and taking the claim and giving it back are two writes.
        let now = self.clock.now();
        let next = self.upcoming(now).await?.first().map(|ready| ready.at);
        if next.is_none_or(|at| at > now) {
            return Ok(Some(JudgingPass { next, ..JudgingPass::default() }));
        }
        let Some(lease) = Lease::take(&self.store, &self.clock, JUDGING).await? else { return Ok(None) };
        let looked = self.look_under(&lease.claim).await;
        let released = lease.release().await;
        match looked {
            // Another process took over.
            Err(StoreError::ClaimLost(_)) => Ok(None),
            looked => looked.and_then(|look| released.map(|()| Some(look))),
        }
    }

    async fn upcoming(&self, now: Timestamp) -> Result<Vec<UpcomingJudgment>, StoreError> {
        all_upcoming_judgments(&self.store, &self.config.places, &self.manners, now).await
    }

    async fn look_under(&self, claim: &Claim) -> Result<JudgingPass, StoreError> {
        let now = self.clock.now();
        let mut waiting = self.upcoming(now).await?.into_iter().peekable();
        let mut look = JudgingPass::default();
        loop {
            let mut batch = Vec::new();
            while let Some(ready) = waiting.next_if(|ready| ready.at <= now && batch.len() < MOST_AT_ONCE) {
                batch.push(ready);
            }
            let is_last = batch.len() < MOST_AT_ONCE;
            // Places whose own budget has no room cost no call, and must not keep others from their turn.
            if !self.judge_batch(claim, batch, &mut look).await? || is_last {
                break;
            }
        }
        let next = waiting.next().map(|ready| ready.at);
        look.next = [look.next, next].into_iter().flatten().min();
        Ok(look)
    }

    /// Judges some pauses; whether each of them is in a place whose own budget has no room.
    async fn judge_batch(
        &self,
        claim: &Claim,
        batch: Vec<UpcomingJudgment>,
        look: &mut JudgingPass,
    ) -> Result<bool, StoreError> {
        let judgments =
            stream::iter(batch).map(|ready| self.judge_pause(claim, ready).instrument(spans::judgment()));
        let judgments = judgments.buffer_unordered(JUDGMENT_CALLS);
        let mut are_without_room = true;
        // If one fails, the others are still waited for: their calls are paid for and have to be settled.
        for judged in judgments.collect::<Vec<_>>().await {
            let judged = judged?;
            are_without_room &= matches!(judged, Judged::PlaceSpent);
            match judged {
                Judged::Decided(decided) => {
                    look.judged += 1;
                    look.opened += usize::from(matches!(decided, Decided::Speaks(..)));
                    if let Decided::Holds(until) = decided {
                        look.next = Some(look.next.map_or(until, |next| next.min(until)));
                    }
                }
                Judged::Spent => look.is_spent = true,
                Judged::PlaceSpent | Judged::Stopped => {}
            }
        }
        Ok(are_without_room)
    }
}
