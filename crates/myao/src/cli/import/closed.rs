//! Keeps channels closed while an export is read: it is only known at its end whether people from outside speak in one,
//! and a channel that is external must not be open in between.

use std::collections::{BTreeMap, HashMap};

use myao_core::{
    chat::{Channel, ChannelId, Event},
    context::Visibility,
};
use myao_store::Store;

use crate::failure::Failure;

/// The channels that are stored as external.
#[derive(Debug, Default)]
pub(super) struct ClosedChannels {
    /// Whether a run is in them: then only the platform opens them again.
    stored: HashMap<ChannelId, bool>,
    /// Those that the export does not call external, so far.
    doubted: BTreeMap<ChannelId, Channel>,
}

impl ClosedChannels {
    /// The channels that are external now.
    pub(super) async fn of(store: &Store) -> Result<Self, Failure> {
        let rows = store.channels(&Visibility::Owner).await?;
        let external = rows.into_iter().filter(|row| row.channel.external);
        Ok(Self { stored: external.map(|row| (row.channel.id, row.member)).collect(), ..Self::default() })
    }

    /// The events of an export, with these channels closed.
    pub(super) fn heed(&mut self, events: Vec<Event>) -> Vec<Event> {
        events.into_iter().map(|event| self.closed(event)).collect()
    }

    fn closed(&mut self, event: Event) -> Event {
        let Event::Channel(channel) = event else { return event };
        let is_member = self.stored.get(&channel.id).copied();
        match is_member {
            Some(is_member) if !channel.external => {
                if !is_member {
                    self.doubted.insert(channel.id.clone(), channel.clone());
                }
                Event::Channel(Channel { external: true, ..channel })
            }
            Some(_) | None => {
                self.doubted.remove(&channel.id);
                Event::Channel(channel)
            }
        }
    }

    /// At the end: those in which the export has nobody from outside.
    pub(super) fn opened(self) -> impl Iterator<Item = Event> {
        self.doubted.into_values().map(Event::Channel)
    }
}
