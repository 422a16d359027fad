//! Records requests, and how many were in progress at once.

use std::{
    collections::BTreeMap,
    sync::{Mutex, MutexGuard, PoisonError},
};

use serde_json::Value;
use tokio::sync::watch;

/// One request.
#[derive(Clone, Debug)]
pub struct ReceivedRequest {
    /// The path, such as `/v1/chat/completions`.
    pub path: String,
    /// The part after the `?`, or empty.
    pub query: String,
    /// The headers, with names in lower case.
    pub headers: BTreeMap<String, String>,
    /// The body; null when it was not JSON.
    pub body: Value,
}

impl ReceivedRequest {
    /// A header's value.
    pub fn header(&self, name: &str) -> Option<&str> {
        self.headers.get(name).map(String::as_str)
    }
}

#[derive(Debug)]
pub(super) struct Traffic {
    /// Whether requests are kept.
    keeps: bool,
    calls: Mutex<Vec<ReceivedRequest>>,
    /// How many calls are in progress, and the most that ever were at once.
    current: Mutex<(usize, usize)>,
    asked: watch::Sender<usize>,
    released: watch::Sender<bool>,
}

impl Traffic {
    pub(super) fn new(keeps: bool) -> Self {
        Self {
            keeps,
            calls: Mutex::default(),
            current: Mutex::default(),
            asked: watch::Sender::new(0),
            released: watch::Sender::new(false),
        }
    }

    /// Begins a call, which ends when the result is dropped.
    pub(super) fn enter(&self, call: ReceivedRequest) -> InProgress<'_> {
        if self.keeps {
            lock_ignoring_poison(&self.calls).push(call);
        }
        let mut current = lock_ignoring_poison(&self.current);
        current.0 += 1;
        current.1 = current.1.max(current.0);
        drop(current);
        self.asked.send_modify(|asked| *asked += 1);
        InProgress(self)
    }

    pub(super) fn calls(&self) -> Vec<ReceivedRequest> {
        lock_ignoring_poison(&self.calls).clone()
    }

    pub(super) fn most_concurrent(&self) -> usize {
        lock_ignoring_poison(&self.current).1
    }

    pub(super) async fn asked(&self, calls: usize) {
        // The sender lives as long as this borrow, so the channel does not close.
        drop(self.asked.subscribe().wait_for(|asked| *asked >= calls).await);
    }

    pub(super) fn release(&self) {
        self.released.send_replace(true);
    }

    pub(super) async fn released(&self) {
        drop(self.released.subscribe().wait_for(|released| *released).await);
    }
}

/// A call in progress.
pub(super) struct InProgress<'a>(&'a Traffic);

impl Drop for InProgress<'_> {
    fn drop(&mut self) {
        lock_ignoring_poison(&self.0.current).0 -= 1;
    }
}

/// Ignores poisoning: a panic elsewhere in the test must not hide what was recorded before it.
pub(super) fn lock_ignoring_poison<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}
