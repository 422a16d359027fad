//! Opens windows at once: what Slack gives for that lives three seconds, so nothing is waited for but the row that says
//! what is asked. What they show is filled in afterwards ([`super::interactions`]).

use std::{
    collections::HashMap,
    sync::{Arc, Mutex, MutexGuard, PoisonError},
};

use myao_slack::{
    api::Client,
    modal::{Modal, ShownModal},
};
use tokio::{
    sync::{mpsc, oneshot},
    task::JoinSet,
};
use tokio_util::sync::CancellationToken;

use crate::live::LiveError;

/// How many windows may wait to be opened. Nobody waits long: what has no room is answered without a window.
const MOST_WAITING: usize = 256;
/// How many are opened at once.
const MOST_AT_ONCE: usize = 32;
/// How many opened windows are kept until somebody fills them in; when there are more, all are forgotten, and found again
/// by the names that we gave them.
const MOST_KEPT: usize = 1_000;
/// The most characters of a name that we give a window.
const MOST_OF_A_NAME: usize = 255;

/// The windows that are being opened.
#[derive(Debug)]
pub(super) struct Windows {
    orders: mpsc::Sender<WindowOrder>,
    /// By the key of what somebody asked.
    opening: Mutex<HashMap<String, oneshot::Receiver<Option<ShownModal>>>>,
}

/// A window to open.
#[derive(Debug)]
pub(super) struct WindowOrder {
    key: String,
    trigger: String,
    modal: Modal,
    opened: oneshot::Sender<Option<ShownModal>>,
}

impl Windows {
    /// None yet, and what opens them.
    pub(super) fn new() -> (Self, mpsc::Receiver<WindowOrder>) {
        let (orders, to_open) = mpsc::channel(MOST_WAITING);
        (Self { orders, opening: Mutex::default() }, to_open)
    }

    fn opening(&self) -> MutexGuard<'_, HashMap<String, oneshot::Receiver<Option<ShownModal>>>> {
        self.opening.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Has a window opened for what somebody asked. Returns at once.
    pub(super) fn open(&self, key: &str, trigger: &str, modal: Modal) {
        let (opened, outcome) = oneshot::channel();
        {
            let mut opening = self.opening();
            if opening.len() >= MOST_KEPT {
                opening.clear();
            }
            opening.insert(key.to_owned(), outcome);
        }
        let order = WindowOrder { key: key.to_owned(), trigger: trigger.to_owned(), modal, opened };
        if self.orders.try_send(order).is_err() {
            tracing::warn!("too many windows wait to be opened; this is answered without one");
        }
    }

    /// Takes the window that was opened for what somebody asked, once it is known. The outer `None`: this process opens none
    /// for it; the inner one: Slack opened none.
    pub(super) async fn take(&self, key: &str) -> Option<Option<ShownModal>> {
        let opening = self.opening().remove(key)?;
        Some(opening.await.ok().flatten())
    }
}

/// The name that we give the window for what somebody asked.
pub(super) fn name_of_window(key: &str) -> String {
    key.chars().take(MOST_OF_A_NAME).collect()
}

/// Opens windows, many at once, until the run is to end.
pub(super) async fn open_windows(
    client: Client,
    mut to_open: mpsc::Receiver<WindowOrder>,
    stop: CancellationToken,
) -> Result<(), LiveError> {
    let client = Arc::new(client);
    let mut tasks = JoinSet::new();
    loop {
        tokio::select! {
            () = stop.cancelled() => break,
            Some(order) = to_open.recv(), if tasks.len() < MOST_AT_ONCE => {
                let client = Arc::clone(&client);
                tasks.spawn(async move { open_window(&client, order).await });
            }
            Some(_) = tasks.join_next() => {}
        }
    }
    while tasks.join_next().await.is_some() {}
    Ok(())
}

async fn open_window(client: &Client, order: WindowOrder) {
    let WindowOrder { key, trigger, modal, opened } = order;
    let shown = match client.open_modal(&trigger, &name_of_window(&key), &modal).await {
        Ok(shown) => Some(shown),
        Err(error) => {
            tracing::warn!(%error, "no window was opened; what was asked is answered without one");
            None
        }
    };
    // Nobody waits for it where the run ends.
    drop(opened.send(shown));
}
