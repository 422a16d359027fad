//! Kinds of places, by which rules for places go (specification §4), and what a rule looks at to tell a place.

use std::collections::BTreeSet;

use super::{Channel, ChannelKind};

/// A kind of place, as rules name it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum PlaceKind {
    /// Channels that anybody in the workspace may read.
    Public,
    /// Channels that only their members may read.
    Private,
    /// Direct messages with one person.
    Dm,
    /// Direct messages among several.
    GroupDm,
    /// Channels with people from outside the workspace, whatever else they are.
    External,
}

stored_names!(PlaceKind, "kind of place", {
    Public => "public",
    Private => "private",
    Dm => "dm",
    GroupDm => "group_dm",
    External => "external",
});

impl PlaceKind {
    /// All kinds.
    pub const ALL: [Self; 5] = [Self::Public, Self::Private, Self::Dm, Self::GroupDm, Self::External];

    /// The kinds of a channel, the more particular first. One that is not confirmed counts as private.
    pub fn of(kind: ChannelKind, is_external: bool) -> impl Iterator<Item = Self> {
        let own = match kind {
            ChannelKind::Public => Self::Public,
            ChannelKind::Private | ChannelKind::Unknown => Self::Private,
            ChannelKind::Dm => Self::Dm,
            ChannelKind::GroupDm => Self::GroupDm,
        };
        is_external.then_some(Self::External).into_iter().chain([own])
    }
}

/// The kinds of places of which nothing is remembered, and those of which rules say that something is.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ForgottenKinds {
    /// Nothing is remembered of these.
    pub nothing: BTreeSet<PlaceKind>,
    /// Chapters are remembered of these, also where a less particular kind says nothing.
    pub chapters: BTreeSet<PlaceKind>,
}

impl ForgottenKinds {
    /// Whether something is remembered of every kind.
    pub fn are_none(&self) -> bool {
        self.nothing.is_empty()
    }

    /// Whether nothing is remembered of a channel of this kind. What is not confirmed yet may turn out to be any kind.
    pub fn hold(&self, kind: ChannelKind, is_external: bool) -> bool {
        if kind == ChannelKind::Unknown {
            return !self.are_none();
        }
        let told = |kind: &PlaceKind| self.nothing.contains(kind) || self.chapters.contains(kind);
        PlaceKind::of(kind, is_external).find(told).is_some_and(|kind| self.nothing.contains(&kind))
    }
}

/// What rules for places look at: a channel, and the names by which rules have meant it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PlaceFacts {
    /// The channel as it stands.
    pub channel: Channel,
    /// The keys of rules that meant it once, as they are compared ([`name_in_talk`](super::name_in_talk)).
    pub meant_by: BTreeSet<String>,
    /// The entries of channels never to be remembered that meant it once.
    pub opted_out_as: BTreeSet<String>,
}

impl PlaceFacts {
    /// Those of a channel that no rule has named before.
    pub fn new(channel: Channel) -> Self {
        Self { channel, meant_by: BTreeSet::new(), opted_out_as: BTreeSet::new() }
    }
}
