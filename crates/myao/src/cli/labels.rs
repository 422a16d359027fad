//! What channels, times and pieces of work are called in text: names instead of ids, times of the configured zone.

use std::collections::{BTreeMap, BTreeSet};

use jiff::{Timestamp, tz::TimeZone};
use myao_core::{
    chat::{ChannelId, MessageTs},
    wording::moment_in_prompt,
};
use myao_store::WorkSubject;

/// The labels of all channels, with the configured zone.
pub(super) struct Labels {
    channels: BTreeMap<ChannelId, String>,
    zone: TimeZone,
}

impl Labels {
    /// Labels these channels, which are given by id and name.
    pub(super) fn new<'a>(
        channels: impl Iterator<Item = (&'a ChannelId, &'a str)> + Clone,
        zone: &TimeZone,
    ) -> Self {
        let mut names = BTreeSet::new();
        let mut shared = BTreeSet::new();
        for (_, name) in channels.clone() {
            if !names.insert(name) {
                shared.insert(name);
            }
        }
        let label = |(id, name): (&ChannelId, &str)| {
            let label = if shared.contains(name) { format!("#{name} ({id})") } else { format!("#{name}") };
            (id.clone(), label)
        };
        Self { channels: channels.map(label).collect(), zone: zone.clone() }
    }

    /// A channel's name, with its id where several have the name; the id of a channel that is not known.
    pub(super) fn channel(&self, id: &ChannelId) -> String {
        self.channels.get(id).cloned().unwrap_or_else(|| format!("#{id}"))
    }

    /// An instant in the configured zone, to the minute.
    pub(super) fn when(&self, at: Timestamp) -> String {
        moment_in_prompt(MessageTs::from_timestamp(at), &self.zone)
    }

    /// What a claim or a setback is about (`channel:C0123`), with the channel's name.
    pub(super) fn subject(&self, subject: &str) -> String {
        match WorkSubject::parse(subject) {
            WorkSubject::Channel(id) => self.channel(&id),
            WorkSubject::Thread(id, root) => {
                format!("{}, thread of {}", self.channel(&id), self.when(root.to_timestamp()))
            }
            WorkSubject::ShortTerm(id, version) => format!("{}, version {version}", self.channel(&id)),
            WorkSubject::LongTerm(id) => format!("{}, long-term", self.channel(&id)),
            WorkSubject::Workspace => "workspace".to_owned(),
            WorkSubject::Entry(entry) => format!("entry {entry}"),
            WorkSubject::Other(subject) => subject.to_owned(),
        }
    }
}
