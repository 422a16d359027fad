//! Replays: the past of some channels is judged again with other settings, in the background of a page
//! (specification §4). A few replays are kept.

use std::sync::{Arc, Mutex, PoisonError};

use jiff::Timestamp;
use myao_companion::replay::ReplayOutcome;
use myao_config::Config;
use myao_core::chat::Channel;

/// How many replays are kept.
const MOST_KEPT: usize = 4;

/// Who judges the past.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum ReplayJudge {
    /// Nobody judges; only the moments of judgment are listed.
    Rules,
    /// `builtin` judges, which costs nothing.
    Builtin,
    /// The model of `agents.judgment` judges, and is called at most `most` times.
    Model { most: u64 },
}

/// What is to be judged again, and how.
pub(crate) struct ReplayOrder {
    pub(crate) channels: Vec<Channel>,
    /// From the first instant on, until before the second.
    pub(crate) span: (Timestamp, Timestamp),
    /// The configuration, with the settings that are tried.
    pub(crate) config: Config,
    pub(crate) judge: ReplayJudge,
}

/// How far a replay has come.
#[derive(Clone)]
pub(crate) struct ReplayState {
    pub(crate) id: u64,
    pub(crate) order: Arc<ReplayOrder>,
    /// The outcomes of the channels that are done.
    pub(crate) outcomes: Vec<ReplayOutcome>,
    /// The id of the last removal of words before the replay began. Words that were removed later may stand in its
    /// reasons.
    last_removal: i64,
    /// Whether the reasons were dropped, because words were removed after the replay began.
    pub(crate) is_wiped: bool,
    pub(crate) is_over: bool,
    /// Why the replay ended before all channels were done.
    pub(crate) stopped: Option<String>,
}

impl ReplayState {
    /// Whether some pauses were not judged.
    pub(crate) fn is_cut(&self) -> bool {
        let is_short = self.is_over && self.outcomes.len() < self.order.channels.len();
        is_short || self.outcomes.iter().any(|outcome| outcome.is_cut)
    }
}

/// The replay that is under way, and the last ones that are over.
#[derive(Default)]
pub(crate) struct Replays {
    kept: Mutex<Vec<ReplayState>>,
}

impl Replays {
    fn with<T>(&self, act: impl FnOnce(&mut Vec<ReplayState>) -> T) -> T {
        act(&mut self.kept.lock().unwrap_or_else(PoisonError::into_inner))
    }

    /// The replay with this number.
    pub(crate) fn find(&self, id: u64) -> Option<ReplayState> {
        self.with(|kept| kept.iter().find(|state| state.id == id).cloned())
    }

    /// The number of the replay that is under way; there is at most one.
    pub(crate) fn under_way(&self) -> Option<u64> {
        self.with(|kept| kept.iter().find(|state| !state.is_over).map(|state| state.id))
    }

    /// Adds a replay that begins, and returns its number. `None` when another is under way.
    pub(crate) fn begin(&self, order: &Arc<ReplayOrder>, last_removal: i64) -> Option<u64> {
        self.with(|kept| {
            if kept.iter().any(|state| !state.is_over) {
                return None;
            }
            let id = kept.last().map_or(1, |last| last.id.saturating_add(1));
            let order = Arc::clone(order);
            let outcomes = Vec::new();
            let is_wiped = false;
            let is_over = false;
            kept.push(ReplayState { id, order, outcomes, last_removal, is_wiped, is_over, stopped: None });
            let more = kept.len().saturating_sub(MOST_KEPT);
            kept.drain(..more);
            Some(id)
        })
    }

    /// Drops the reasons of replays that may have read words which were removed since. A judge repeats words in its
    /// reasons.
    pub(crate) fn wipe(&self, last_removal: i64) {
        self.with(|kept| {
            for state in kept.iter_mut().filter(|state| state.last_removal < last_removal) {
                state.is_wiped = true;
                let moments = state.outcomes.iter_mut().flat_map(|outcome| &mut outcome.moments);
                for verdict in moments.filter_map(|moment| moment.verdict.as_mut()) {
                    verdict.reason.clear();
                }
            }
        });
    }

    /// Changes the state of a replay.
    pub(crate) fn note(&self, id: u64, act: impl FnOnce(&mut ReplayState)) {
        self.with(|kept| kept.iter_mut().find(|state| state.id == id).map(act));
    }
}
