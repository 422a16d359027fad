//! What changes, told to those who listen.

use std::collections::BTreeSet;
use std::sync::{Arc, Mutex, PoisonError};

use rmcp::{
    RoleServer,
    model::{ResourceUpdatedNotificationParam, SubscriptionFilter},
    service::{Peer, SubscriptionContext},
};
use tokio::sync::broadcast;

/// Something that changed.
#[derive(Clone, Debug)]
pub(crate) enum Change {
    Tools,
    Prompts,
    Resource(String),
}

/// Those who listen.
#[derive(Clone)]
pub(crate) struct Changes {
    all: broadcast::Sender<Change>,
    /// What a session of the older era has subscribed to.
    watched: Arc<Mutex<BTreeSet<String>>>,
}

impl Default for Changes {
    fn default() -> Self {
        Self { all: broadcast::channel(16).0, watched: Arc::default() }
    }
}

impl Changes {
    pub(crate) fn tell(&self, change: Change) {
        // Nobody may be listening.
        drop(self.all.send(change));
    }

    /// The same changes, for another session.
    pub(crate) fn for_session(&self) -> Self {
        Self { all: self.all.clone(), watched: Arc::default() }
    }

    /// Tells a subscription of the newer era, until it is cancelled.
    pub(crate) async fn stream_to(&self, context: &SubscriptionContext) {
        let mut changes = self.all.subscribe();
        loop {
            let change = tokio::select! {
                () = context.cancelled() => return,
                change = changes.recv() => change,
            };
            let Ok(change) = change else { return };
            // What is not subscribed to is refused by the sink.
            drop(match change {
                Change::Tools => context.sink().notify_tool_list_changed().await,
                Change::Prompts => context.sink().notify_prompt_list_changed().await,
                Change::Resource(uri) => context.sink().notify_resource_updated(uri).await,
            });
        }
    }

    /// Tells a session of the older era of a resource.
    pub(crate) fn watch(&self, uri: String, peer: Peer<RoleServer>) {
        let is_first = {
            let mut watched = self.watched.lock().unwrap_or_else(PoisonError::into_inner);
            watched.insert(uri);
            watched.len() == 1
        };
        if !is_first {
            return;
        }
        let mut changes = self.all.subscribe();
        let watched = Arc::clone(&self.watched);
        tokio::spawn(async move {
            while let Ok(change) = changes.recv().await {
                let Change::Resource(uri) = change else { continue };
                let is_watched = watched.lock().unwrap_or_else(PoisonError::into_inner).contains(&uri);
                let told = ResourceUpdatedNotificationParam::new(uri);
                if is_watched && peer.notify_resource_updated(told).await.is_err() {
                    return;
                }
            }
        });
    }

    pub(crate) fn unwatch(&self, uri: &str) {
        self.watched.lock().unwrap_or_else(PoisonError::into_inner).remove(uri);
    }
}

/// What may be subscribed to: everything.
pub(crate) fn accepted(requested: &SubscriptionFilter) -> SubscriptionFilter {
    requested.clone()
}
