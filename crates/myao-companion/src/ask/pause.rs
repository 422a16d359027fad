//! Models that are not called for a while, and the queue of memory work for a model that limits it.

use std::{
    collections::BTreeMap,
    sync::{Arc, Mutex, PoisonError},
};

use jiff::{SignedDuration, Timestamp};
use myao_core::{
    chat::instant_after,
    ports::{BUILTIN, ModelError, Role},
};
use myao_store::SharedLimit;
use tokio::sync::{OwnedSemaphorePermit, Semaphore, SemaphorePermit};

use super::{AskError, Asker};

/// How long a role does not call its model after an error that only a person can fix: more calls would not fix it.
pub(super) const HOPELESS: SignedDuration = SignedDuration::from_secs(60);
/// How long memory work calls a model one call at a time after a rate limit: two of the minutes that limits are usually
/// counted by.
const IN_LINE: SignedDuration = SignedDuration::from_mins(2);

/// A time in which a model is not called.
#[derive(Clone)]
pub(super) struct ModelPause {
    pub(super) until: Timestamp,
    /// `Some`: calls fail with this error meanwhile. `None`: they wait.
    pub(super) because: Option<ModelError>,
}

/// The pauses of all models, in steady time.
#[derive(Default)]
pub(super) struct Pauses {
    /// By model and role; a pause without a role holds for every role.
    paused: Mutex<BTreeMap<(String, Option<Role>), ModelPause>>,
    /// Models that rate-limited memory work: it calls them one call at a time.
    lines: Mutex<BTreeMap<String, PauseEntry>>,
}

struct PauseEntry {
    /// When the last rate limit was met.
    limited: Timestamp,
    /// Has one permit.
    turn: Arc<Semaphore>,
}

impl Pauses {
    /// Begins a pause for one role, since another role may have another key, or for all of them. The later end counts.
    pub(super) fn begin(&self, model: &str, role: Option<Role>, pause: ModelPause) {
        let mut paused = self.paused.lock().unwrap_or_else(PoisonError::into_inner);
        let key = (model.to_owned(), role);
        if paused.get(&key).is_none_or(|known| known.until < pause.until) {
            paused.insert(key, pause);
        }
    }

    /// The pause that holds for a role now. One that fails calls comes before one that lets them wait.
    fn current(&self, model: &str, role: Role, now: Timestamp) -> Option<ModelPause> {
        let paused = self.paused.lock().unwrap_or_else(PoisonError::into_inner);
        let of = |role| paused.get(&(model.to_owned(), role)).filter(|pause| pause.until > now).cloned();
        [of(Some(role)), of(None)]
            .into_iter()
            .flatten()
            .max_by_key(|pause| (pause.because.is_some(), pause.until))
    }

    /// Makes memory work call this model one call at a time for [`IN_LINE`].
    pub(super) fn line_up(&self, model: &str, now: Timestamp) {
        let mut lines = self.lines.lock().unwrap_or_else(PoisonError::into_inner);
        let new = || PauseEntry { limited: now, turn: Arc::new(Semaphore::new(1)) };
        lines.entry(model.to_owned()).or_insert_with(new).limited = now;
    }

    fn waiting_line(&self, model: &str, now: Timestamp) -> Option<Arc<Semaphore>> {
        let lines = self.lines.lock().unwrap_or_else(PoisonError::into_inner);
        let line = lines.get(model).filter(|line| now.duration_since(line.limited) < IN_LINE);
        line.map(|line| Arc::clone(&line.turn))
    }
}

/// The name of a pause in the database.
fn subject_of_pause(model: &str, role: Option<Role>) -> String {
    role.map_or_else(|| format!("model:{model}"), |role| format!("model:{model}#{}", role.as_str()))
}

impl Asker {
    /// Waits for a slot and for the end of the model's pauses. Pauses are checked again once the slot is there: many
    /// callers wait for it, and the limit that the first one meets holds for all. Memory work that is rate-limited also
    /// waits for its `turn`, which it keeps until its call is done.
    pub(super) async fn wait_for_slot(
        &self,
        model: &str,
        role: Role,
        turn: &mut Option<OwnedSemaphorePermit>,
    ) -> Result<Option<SemaphorePermit<'_>>, AskError> {
        let inner = &*self.inner;
        loop {
            self.wait_pause_out(model, role).await?;
            if let Some(line) = self.line_for(model, role, turn.is_some()) {
                let waiting = inner.stop.run_until_cancelled(line.acquire_owned());
                *turn = waiting.await.ok_or(AskError::Stopped)?.ok();
                continue;
            }
            let slot = match inner.slots.get(&role) {
                Some(slots) => {
                    inner.stop.run_until_cancelled(slots.acquire()).await.ok_or(AskError::Stopped)?.ok()
                }
                None => None,
            };
            self.take_over_pause(model, role).await;
            let is_paused = inner.pauses.current(model, role, inner.clock.steady()).is_some();
            if !is_paused && self.line_for(model, role, turn.is_some()).is_none() {
                return Ok(slot);
            }
        }
    }

    /// Begins a pause in this process that another process was told to make.
    async fn take_over_pause(&self, model: &str, role: Role) {
        let inner = &*self.inner;
        if !inner.store.is_on_server() || model == BUILTIN {
            return;
        }
        let now = inner.clock.now();
        let subjects = [subject_of_pause(model, None), subject_of_pause(model, Some(role))];
        match inner.store.paused_until([&subjects[0], &subjects[1]], now).await {
            Ok(Some(until)) => {
                let steady = inner.clock.steady();
                let until = instant_after(steady, until.duration_since(now));
                inner.pauses.begin(model, Some(role), ModelPause { until, because: None });
                if role == Role::Memory {
                    inner.pauses.line_up(model, steady);
                }
            }
            Ok(None) => {}
            Err(error) => {
                tracing::debug!(%error, "it is not known whether other processes leave a model alone");
            }
        }
    }

    /// Makes this process and all others pause the calls of a model until an instant of our steady time.
    pub(super) async fn pause_all_processes(&self, model: &str, role: Option<Role>, until: Timestamp) {
        self.inner.pauses.begin(model, role, ModelPause { until, because: None });
        if !self.inner.store.is_on_server() {
            return;
        }
        let limit = SharedLimit { subject: subject_of_pause(model, role), spacing: 0, burst: 1 };
        let clock = &self.inner.clock;
        let until = instant_after(clock.now(), until.duration_since(clock.steady()));
        if let Err(error) = self.inner.store.pause_until(limit, until).await {
            tracing::debug!(%error, "other processes are not told to leave a model alone");
        }
    }

    fn line_for(&self, model: &str, role: Role, has_turn: bool) -> Option<Arc<Semaphore>> {
        let now = self.inner.clock.steady();
        (role == Role::Memory && !has_turn).then(|| self.inner.pauses.waiting_line(model, now)).flatten()
    }

    async fn wait_pause_out(&self, model: &str, role: Role) -> Result<(), AskError> {
        loop {
            match self.inner.pauses.current(model, role, self.inner.clock.steady()) {
                None => return Ok(()),
                Some(ModelPause { until, because: None }) => self.wait_until(until).await?,
                Some(ModelPause { because: Some(error), .. }) => {
                    return Err(AskError::Model { model: model.to_owned(), error, attempts: 0 });
                }
            }
        }
    }
}
