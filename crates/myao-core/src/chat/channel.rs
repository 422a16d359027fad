//! Channels with their kinds, users, and our own ids among them.

use serde::{Deserialize, Serialize};

use super::ids::{ChannelId, UserId};

/// What kind of conversation a channel is; decides who may see what is said there (specification §6).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum ChannelKind {
    /// Anybody in the workspace may read it.
    Public,
    /// Only its members may read it.
    Private,
    /// Two people, or a person and the bot.
    Dm,
    /// A direct message among several.
    GroupDm,
    /// Not yet confirmed by the platform; treated as private (design §2).
    Unknown,
}

stored_names!(ChannelKind, "kind of channel", {
    Public => "public",
    Private => "private",
    Dm => "dm",
    GroupDm => "group_dm",
    Unknown => "unknown",
});

/// A conversation space of the workspace.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Channel {
    /// The platform's id.
    pub id: ChannelId,
    /// The name without `#`; for a direct message whatever names it best.
    pub name: String,
    /// What kind it has now.
    pub kind: ChannelKind,
    /// Whether people from outside the workspace take part (shared channel, guests).
    pub external: bool,
}

impl Channel {
    /// Whether every place of the workspace may see it: public, and nobody from outside in it.
    pub fn is_open(&self) -> bool {
        self.kind == ChannelKind::Public && !self.external
    }
}

/// A person or bot.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct User {
    /// The platform's id.
    pub id: UserId,
    /// The name people call them by.
    pub name: String,
    /// Whether it is a program.
    pub is_bot: bool,
}

/// Our own ids on the platform.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Own {
    /// The id that people mention.
    pub user: UserId,
    /// The id that some of our posts are signed with, where the platform has a separate one for that.
    pub bot: Option<UserId>,
}

impl Own {
    /// Whether `user` is one of our ids, or a name under which we post.
    pub fn is(&self, user: &UserId) -> bool {
        let is_ours = |id: &UserId| *id == self.user || self.bot.as_ref() == Some(id);
        is_ours(user) || user.through().is_some_and(|bot| is_ours(&bot))
    }
}
