//! Keeps channels closed while an export is read: it is only known at its end whether people from outside speak in one,
//! and a channel that is external must not be open in between.

use std::collections::{BTreeMap, HashMap};

use myao_core::chat::{Channel, ChannelId, ChannelKind, Event, Visibility};
use myao_store::{ChannelRow, Store};

use crate::failure::Failure;

/// The channels that are stored as closed: as external, or as of another kind than public.
#[derive(Debug, Default)]
pub(super) struct ClosedChannels {
    /// The external ones, and whether a run is in them or has asked about them: then only the platform opens them again.
    stored: HashMap<ChannelId, bool>,
    /// The kinds that only the platform changes to a public one.
    kinds: HashMap<ChannelId, ChannelKind>,
    /// Those that the export does not call external, so far.
    doubted: BTreeMap<ChannelId, Channel>,
}

impl ClosedChannels {
    /// The channels that are external now.
    pub(super) async fn of(store: &Store) -> Result<Self, Failure> {
        let rows = store.archive().channels(&Visibility::Owner).await?;
        let is_the_platforms = |row: &ChannelRow| row.member || row.was_looked_up();
        let external = rows.iter().filter(|row| row.channel.external);
        let stored = external.map(|row| (row.channel.id.clone(), is_the_platforms(row))).collect();
        let closed =
            rows.iter().filter(|row| row.channel.kind != ChannelKind::Public && is_the_platforms(row));
        let kinds = closed.map(|row| (row.channel.id.clone(), row.channel.kind)).collect();
        Ok(Self { stored, kinds, ..Self::default() })
    }

    /// The events of an export, with these channels closed.
    pub(super) fn heed(&mut self, events: Vec<Event>) -> Vec<Event> {
        events.into_iter().map(|event| self.closed(event)).collect()
    }

    fn closed(&mut self, event: Event) -> Event {
        let Event::Channel(channel) = event else { return event };
        let kind = self.kinds.get(&channel.id).filter(|_| channel.kind == ChannelKind::Public);
        let channel = Channel { kind: kind.copied().unwrap_or(channel.kind), ..channel };
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
