//! Models that are left alone for a while, and the line in which memory work waits for one that limits it.

use std::{
    collections::BTreeMap,
    sync::{Arc, Mutex, PoisonError},
};

use jiff::{SignedDuration, Timestamp};
use myao_core::ports::{ModelError, Role};
use tokio::sync::{OwnedSemaphorePermit, Semaphore, SemaphorePermit};

use super::{AskError, Asker};

/// What a person has to mend is not tried again by its role for so long: a thousand calls do not mend it either.
pub(super) const HOPELESS: SignedDuration = SignedDuration::from_secs(60);
/// After a limit memory work goes in line for so long: two of the minutes that limits are usually counted by.
const IN_LINE: SignedDuration = SignedDuration::from_mins(2);

/// A model is left alone until then.
#[derive(Clone)]
pub(super) struct ModelPause {
    pub(super) until: Timestamp,
    /// Whoever asks meanwhile is told this; without it they wait.
    pub(super) because: Option<ModelError>,
}

/// Which models are left alone, and by whom.
#[derive(Default)]
pub(super) struct Pauses {
    /// By model and role; a pause without a role is everybody's.
    paused: Mutex<BTreeMap<(String, Option<Role>), ModelPause>>,
    /// Models that limited memory work, which then asks them one call after the other.
    lines: Mutex<BTreeMap<String, PauseEntry>>,
}

struct PauseEntry {
    /// When it was last told of a limit.
    limited: Timestamp,
    /// One, for whoever's turn it is.
    turn: Arc<Semaphore>,
}

impl Pauses {
    /// Leaves a model alone: one role, since another may have another key, or all of them.
    pub(super) fn begin(&self, model: &str, role: Option<Role>, pause: ModelPause) {
        let mut paused = self.paused.lock().unwrap_or_else(PoisonError::into_inner);
        let key = (model.to_owned(), role);
        if paused.get(&key).is_none_or(|known| known.until < pause.until) {
            paused.insert(key, pause);
        }
    }

    /// The pause that holds for a role now: one with a reason before one that is waited for.
    fn current(&self, model: &str, role: Role, now: Timestamp) -> Option<ModelPause> {
        let paused = self.paused.lock().unwrap_or_else(PoisonError::into_inner);
        let of = |role| paused.get(&(model.to_owned(), role)).filter(|pause| pause.until > now).cloned();
        [of(Some(role)), of(None)]
            .into_iter()
            .flatten()
            .max_by_key(|pause| (pause.because.is_some(), pause.until))
    }

    /// Memory work asks this model one call after the other for [`IN_LINE`].
    pub(super) fn line_up(&self, model: &str, now: Timestamp) {
        let mut lines = self.lines.lock().unwrap_or_else(PoisonError::into_inner);
        let new = || PauseEntry { limited: now, turn: Arc::new(Semaphore::new(1)) };
        lines.entry(model.to_owned()).or_insert_with(new).limited = now;
    }

    fn line(&self, model: &str, now: Timestamp) -> Option<Arc<Semaphore>> {
        let lines = self.lines.lock().unwrap_or_else(PoisonError::into_inner);
        let line = lines.get(model).filter(|line| now.duration_since(line.limited) < IN_LINE);
        line.map(|line| Arc::clone(&line.turn))
    }
}

impl Asker {
    /// A slot for one call, once the model is not left alone. That is looked at again when the slot is there: a
    /// crowd waits for it, and what the first of them is told holds for all. Memory work that is limited also gets
    /// its `turn`, which it keeps until it is done.
    pub(super) async fn admitted(
        &self,
        model: &str,
        role: Role,
        turn: &mut Option<OwnedSemaphorePermit>,
    ) -> Result<Option<SemaphorePermit<'_>>, AskError> {
        let inner = &*self.inner;
        loop {
            self.pass_pause(model, role).await?;
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
            let is_paused = inner.pauses.current(model, role, inner.clock.now()).is_some();
            if !is_paused && self.line_for(model, role, turn.is_some()).is_none() {
                return Ok(slot);
            }
        }
    }

    fn line_for(&self, model: &str, role: Role, has_turn: bool) -> Option<Arc<Semaphore>> {
        let now = self.inner.clock.now();
        (role == Role::Memory && !has_turn).then(|| self.inner.pauses.line(model, now)).flatten()
    }

    async fn pass_pause(&self, model: &str, role: Role) -> Result<(), AskError> {
        loop {
            match self.inner.pauses.current(model, role, self.inner.clock.now()) {
                None => return Ok(()),
                Some(ModelPause { until, because: None }) => self.wait_until(until).await?,
                Some(ModelPause { because: Some(error), .. }) => {
                    return Err(AskError::Model { model: model.to_owned(), error, attempts: 0 });
                }
            }
        }
    }
}
