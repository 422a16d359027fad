//! Lets time pass, from one thing that comes due to the next: in one leap over a week most of them would not happen,
//! since they would be too old by then.

use async_recursion::async_recursion as boxed;
use jiff::{SignedDuration, Timestamp};
use myao_core::{chat::instant_after, ports::Clock as _};
use myao_store::{ChannelRow, StoreError};

use super::{LocalError, LocalWorkspace};
use crate::live::{Bell, all_upcoming_judgments};

/// The longest stretch that passes at once.
pub const LONGEST_PASS: SignedDuration = SignedDuration::from_hours(31 * 24);
/// How far the clock goes on while something is due and waits for its turn: rounds of memory work begin at most every 5 s.
const NUDGE: SignedDuration = SignedDuration::from_secs(6);
/// Most nudges in a row before the clock goes on to the next thing: what is still due then waits for something else.
const MOST_NUDGES: u32 = 5;
/// The most stops on the way; what comes due after them is done at the end.
const MOST_STOPS: u32 = 120;
/// The wait between two looks whether what is due is done: too short to be noticed by somebody who reads the page.
const LOOK_EVERY: SignedDuration = SignedDuration::from_millis(20);
/// Looks until the clock goes on although something is due: nobody seems to work on it, so it waits for a later time.
const LOOKS_FOR_WORK: u32 = 15;
/// Looks until a reply that is being written is no longer waited for: a model may take half a minute.
const LOOKS_FOR_REPLIES: u32 = 1500;

impl LocalWorkspace {
    /// Lets `span` pass, at most [`LONGEST_PASS`]. What comes due meanwhile happens at its time: chapters close, memories
    /// are written, pauses are judged, replies are posted. Returns the time it is then.
    ///
    /// # Errors
    /// When the database fails.
    #[boxed]
    pub async fn pass(&self, span: SignedDuration) -> Result<Timestamp, LocalError> {
        let until = instant_after(self.clock.now(), span.clamp(SignedDuration::ZERO, LONGEST_PASS));
        self.advance(&|| Some(until)).await?;
        Ok(self.clock.now())
    }

    /// Moves time on to where it is `wanted`, which is asked again at each stop; `None` ends it where it is.
    pub(super) async fn advance(
        &self,
        wanted: &(dyn Fn() -> Option<Timestamp> + Sync),
    ) -> Result<(), StoreError> {
        let _one = self.passing.lock().await;
        let mut towards = None;
        let mut stops = 0;
        let mut nudges = 0;
        while let Some(until) = wanted().filter(|until| self.clock.now() < *until) {
            // Whoever wants more time to pass gets as many stops for it.
            stops = if towards == Some(until) { stops + 1 } else { 0 };
            towards = Some(until);
            let now = self.clock.now();
            let waits = nudges < MOST_NUDGES && self.is_busy(now).await?;
            nudges = if waits { nudges + 1 } else { 0 };
            let next = if stops < MOST_STOPS { self.next_stop(now, waits).await? } else { None };
            self.move_to(next.map_or(until, |next| next.min(until))).await?;
            self.settle(wanted).await?;
            self.count_what_happened().await?;
            // Noted at each stop: after a kill, time goes on from here.
            self.store.hearing().note_heard(self.clock.now()).await?;
        }
        Ok(())
    }

    async fn move_to(&self, instant: Timestamp) -> Result<(), StoreError> {
        // Said before the clock gets there, so that what comes due then does not miss a word of it.
        self.store_past_until(instant).await?;
        self.clock.move_to(instant);
        self.bells.ring(Bell::Replies);
        self.bells.ring(Bell::Talk);
        self.note_change();
        Ok(())
    }

    /// When the next thing comes due; at most [`NUDGE`] after `now` if something is due already and `waits` for its
    /// turn.
    async fn next_stop(&self, now: Timestamp, waits: bool) -> Result<Option<Timestamp>, StoreError> {
        let soon = waits.then(|| instant_after(now, NUDGE));
        let memory = self.store.memory().next_due_time(now).await?;
        let reply = self.store.replies().to_act_on(now).await?.next;
        let judgment = all_upcoming_judgments(&self.store, &self.places, &self.manners, now)
            .await?
            .into_iter()
            .map(|one| one.at);
        let next = judgment.filter(|at| *at > now).min();
        Ok([soon, memory, reply, next, self.next_of_past().await].into_iter().flatten().min())
    }

    /// Waits in real time until what is due is done, within the limits [`LOOKS_FOR_WORK`] and [`LOOKS_FOR_REPLIES`], or no
    /// more time is `wanted`.
    async fn settle(&self, wanted: &(dyn Fn() -> Option<Timestamp> + Sync)) -> Result<(), StoreError> {
        let base = self.clock.base();
        for look in 0..LOOKS_FOR_REPLIES {
            base.sleep_until(instant_after(base.now(), LOOK_EVERY)).await;
            let is_writing = !self.typing().is_empty();
            if wanted().is_none() {
                return Ok(());
            }
            if !is_writing && (look >= LOOKS_FOR_WORK || !self.is_busy(self.clock.now()).await?) {
                return Ok(());
            }
        }
        Ok(())
    }

    /// Whether something is due: a reply, a pause to be judged, a channel for the keeper.
    async fn is_busy(&self, now: Timestamp) -> Result<bool, StoreError> {
        let is_due = all_upcoming_judgments(&self.store, &self.places, &self.manners, now)
            .await?
            .first()
            .is_some_and(|one| one.at <= now);
        Ok(is_due
            || !self.store.replies().to_act_on(now).await?.due.is_empty()
            || self.has_memory_work(now).await?)
    }

    /// Whether a channel is due for the keeper, and does not wait for another try after it failed.
    async fn has_memory_work(&self, now: Timestamp) -> Result<bool, StoreError> {
        let due = self.store.memory().channels_due_at(now).await?;
        if due.is_empty() {
            return Ok(false);
        }
        let failed = self.store.memory().list_open_setbacks().await?;
        let waits = |row: &ChannelRow| {
            let subject = format!("channel:{}", row.channel.id);
            failed.iter().any(|one| one.subject == subject && one.retry_at > now)
        };
        Ok(!due.iter().all(waits))
    }
}
