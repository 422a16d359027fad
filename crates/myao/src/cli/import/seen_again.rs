//! Brings back messages that were taken for deleted and are in the export (ADR 82).

use std::collections::{BTreeMap, BTreeSet};

use myao_core::chat::{Event, Message, MessageTs};
use myao_store::{Applied, DeletedAddress, MissingIn};

use super::{EVENTS_AT_ONCE, Failure};
use crate::app::App;

/// Messages of an export that were taken for deleted. They are set aside while the export is read, since only at its end
/// it is known when it was taken; there are as many as there are such deletions at most.
#[derive(Default)]
pub(super) struct SeenAgain {
    concluded: BTreeMap<DeletedAddress, MissingIn>,
    messages: Vec<Event>,
}

fn address_of_deleted(message: &Message) -> DeletedAddress {
    (message.channel.clone(), message.ts)
}

/// What became of them.
#[derive(Debug, Default)]
pub(super) struct SeenAgainOutcome {
    /// How many messages stand again, by where they were missing.
    pub(super) back: BTreeMap<MissingIn, u64>,
    /// How many were missing later than the export was taken, and stay deleted.
    pub(super) still_deleted: u64,
}

impl SeenAgain {
    pub(super) async fn begin(app: &App) -> Result<Self, Failure> {
        Ok(Self { concluded: app.store.archive().taken_for_deleted().await?, messages: Vec::new() })
    }

    /// Sets aside what is to come back of these events.
    pub(super) fn notice(&mut self, events: &[Event]) {
        if self.concluded.is_empty() {
            return;
        }
        for event in events {
            if event
                .message()
                .is_some_and(|message| self.concluded.contains_key(&address_of_deleted(message)))
            {
                self.messages.push(event.clone());
            }
        }
    }

    /// Brings back what an export that was taken at `taken` undoes.
    pub(super) async fn bring_back(
        self,
        app: &App,
        taken: MessageTs,
        applied: &mut Applied,
    ) -> Result<SeenAgainOutcome, Failure> {
        let mut outcome = SeenAgainOutcome::default();
        let seen: BTreeSet<DeletedAddress> =
            self.messages.iter().filter_map(Event::message).map(address_of_deleted).collect();
        for missing in seen.iter().filter_map(|address| self.concluded.get(address)) {
            if missing.is_undone_by(taken) {
                *outcome.back.entry(*missing).or_default() += 1;
            } else {
                outcome.still_deleted += 1;
            }
        }
        for some in self.messages.chunks(EVENTS_AT_ONCE) {
            let again = app.store.intake().apply_seen(some.to_vec(), taken, app.clock.now()).await?;
            // They counted as there already when the export was read.
            applied.brought_back += again.brought_back;
            applied.same = applied.same.saturating_sub(again.brought_back);
        }
        Ok(outcome)
    }
}
