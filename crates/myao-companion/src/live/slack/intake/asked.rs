//! Notes what people ask by commands, buttons, shortcuts and forms, opens windows for it, and acknowledges it.

use std::collections::BTreeSet;

use myao_core::chat::{Interaction, InteractionRequest};
use myao_slack::socket::{Delivery, Envelope};

use super::{DATABASE_DOWN, Intake};
use crate::{commands::Commands, live::RunContext};

impl Intake {
    /// Notes what people ask, opens a window at once for what is answered in one, and returns the keys of what is new. While
    /// the database stores nothing, this waits; `None` when the run is stopping.
    pub(super) async fn store_interactions(&self, deliveries: &[Delivery]) -> Option<BTreeSet<String>> {
        let asked: Vec<Interaction> = deliveries
            .iter()
            .filter_map(|delivery| delivery.content.interaction.as_deref().cloned())
            .collect();
        if asked.is_empty() {
            return Some(BTreeSet::new());
        }
        let RunContext { store, clock, status, .. } = &*self.slack.shared;
        let new = loop {
            match store.interactions().take_in(asked.clone(), clock.now()).await {
                Ok(new) => break new,
                Err(error) => {
                    tracing::error!(%error, "what people ask by commands is not stored; nothing is acknowledged");
                    status.set_trouble(format!("the database fails: {error}"));
                }
            }
            if !self.slack.shared.pause(DATABASE_DOWN).await {
                return None;
            }
        };
        let commands = self.commands();
        // The same may stand among them twice, and what opens a window opens one.
        let mut unopened = new.clone();
        for interaction in asked.iter().filter(|interaction| unopened.remove(&interaction.key)) {
            let name = match &interaction.request {
                InteractionRequest::Shortcut { name, .. } => name,
                InteractionRequest::Button { action, .. } if Commands::place_of_window(action).is_some() => {
                    action
                }
                InteractionRequest::Command { .. }
                | InteractionRequest::Button { .. }
                | InteractionRequest::Vote { .. }
                | InteractionRequest::Submission { .. }
                | InteractionRequest::HomeOpened
                | InteractionRequest::Refused { .. } => continue,
            };
            if let Some(trigger) = &interaction.trigger {
                self.slack.windows.open(&interaction.key, trigger, commands.window_to_fill(name));
            }
        }
        Some(new)
    }

    /// Acknowledges what is stored. A form that was sent stays open, and says that it is worked on; one that was sent before
    /// closes.
    pub(super) fn acknowledge(&self, deliveries: Vec<Delivery>, new: &BTreeSet<String>) {
        let mut plain: Vec<Envelope> = Vec::new();
        for Delivery { envelope, content, .. } in deliveries {
            let Some(envelope) = envelope else { continue };
            let sent = content
                .interaction
                .filter(|interaction| interaction.view.is_some() && new.contains(&interaction.key));
            match sent.map(|interaction| interaction.request) {
                Some(InteractionRequest::Submission { name, .. }) => {
                    let wait = self.commands().window_to_fill(&name).in_place_of_form();
                    self.acknowledger.acknowledge_with(&envelope, wait);
                }
                _ => plain.push(envelope),
            }
        }
        self.acknowledger.acknowledge(&plain);
    }

    fn commands(&self) -> Commands<'_> {
        let RunContext { config, store, clock, asker, .. } = &*self.slack.shared;
        Commands { config, store, clock: &**clock, language: config.locale.language, asker }
    }
}
