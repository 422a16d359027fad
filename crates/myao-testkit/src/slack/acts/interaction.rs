//! One interaction, as the test that made it follows it.

use std::sync::Arc;

use serde_json::Value;
use tokio::time::timeout;

use crate::slack::{
    PATIENCE,
    interactions::{InteractionAck, InteractionAnswer, InteractionRecord},
    state::SharedState,
    views::ShownView,
};

/// A command that somebody typed, a button that somebody clicked, or another interaction: what came back for it.
pub struct PlayedInteraction {
    shared: Arc<SharedState>,
    index: usize,
}

impl PlayedInteraction {
    pub(in crate::slack) fn new(shared: &Arc<SharedState>, index: usize) -> Self {
        Self { shared: Arc::clone(shared), index }
    }

    /// The payload as it was sent.
    pub fn payload(&self) -> Value {
        self.look(|record| record.payload.clone())
    }

    /// The address by which the app may answer; empty for an interaction that has none.
    pub fn response_url(&self) -> String {
        self.look(|record| text_of_field(&record.payload, "response_url"))
    }

    /// The id with which the app may open a view.
    pub fn trigger_id(&self) -> String {
        self.look(|record| text_of_field(&record.payload, "trigger_id"))
    }

    /// How often the envelope was sent. Without an open socket it is not: Slack then tells the person that the app did not
    /// respond.
    pub fn deliveries(&self) -> usize {
        self.look(|record| record.deliveries)
    }

    /// Sends the very same envelope once more, which Slack does not promise not to do.
    pub fn deliver_again(&self) {
        self.shared.act(|state| state.deliver_interaction(self.index));
    }

    /// The acknowledgements so far.
    pub fn acks(&self) -> Vec<InteractionAck> {
        self.look(|record| record.acks.clone())
    }

    /// The answers so far, in order.
    pub fn answers(&self) -> Vec<InteractionAnswer> {
        self.look(|record| record.answers.clone())
    }

    /// The views that were opened or pushed with its trigger, as they were at first.
    pub fn opened_views(&self) -> Vec<ShownView> {
        self.look(|record| record.opened.clone())
    }

    /// Waits for the first view that is opened or pushed with its trigger.
    ///
    /// # Panics
    /// When none comes within two minutes.
    pub async fn view_opened(&self) -> ShownView {
        self.wait_for("a view", |record| record.opened.first().cloned()).await
    }

    /// Waits for the first acknowledgement.
    ///
    /// # Panics
    /// When none comes within two minutes.
    pub async fn acknowledged(&self) -> InteractionAck {
        self.wait_for("its acknowledgement", |record| record.acks.first().cloned()).await
    }

    /// Waits for the first answer.
    ///
    /// # Panics
    /// When none comes within two minutes.
    pub async fn answered(&self) -> InteractionAnswer {
        self.wait_for("an answer", |record| record.answers.first().cloned()).await
    }

    /// Waits until there are this many answers, and returns all.
    ///
    /// # Panics
    /// When they do not come within two minutes.
    pub async fn answered_times(&self, count: usize) -> Vec<InteractionAnswer> {
        let enough =
            |record: &InteractionRecord| (record.answers.len() >= count).then(|| record.answers.clone());
        self.wait_for("its answers", enough).await
    }

    fn look<T: Default>(&self, look: impl FnOnce(&InteractionRecord) -> T) -> T {
        self.shared.look(|state| state.interactions.get(self.index).map(look).unwrap_or_default())
    }

    async fn wait_for<T>(&self, what: &str, found: impl Fn(&InteractionRecord) -> Option<T>) -> T {
        let waiting = async {
            let mut changes = self.shared.changes();
            loop {
                let now = self.shared.look(|state| state.interactions.get(self.index).and_then(&found));
                if let Some(now) = now {
                    return now;
                }
                // The sender lives as long as `self`, so the channel does not close.
                drop(changes.changed().await);
            }
        };
        let Ok(now) = timeout(PATIENCE, waiting).await else {
            let seen = self.shared.look(|state| format!("{}{}", state.seen, state.rules.told()));
            panic!("an interaction waited {PATIENCE:?} for {what}: {}\n{seen}", self.payload())
        };
        now
    }
}

fn text_of_field(payload: &Value, key: &str) -> String {
    payload.get(key).and_then(Value::as_str).unwrap_or_default().to_owned()
}
