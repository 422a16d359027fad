//! Describes the channels and people that a test makes.

use myao_core::chat::{ChannelId, ChannelKind, UserId};

/// A channel to be made. The bot is a member unless the test says otherwise.
#[derive(Clone, Debug)]
pub struct ChannelSpec {
    pub(super) name: String,
    pub(super) kind: ChannelKind,
    pub(super) id: Option<ChannelId>,
    pub(super) members: Vec<UserId>,
    pub(super) has_bot: bool,
    pub(super) external: bool,
    pub(super) archived: bool,
}

impl ChannelSpec {
    /// A channel that anybody may read.
    pub fn public(name: &str) -> Self {
        Self::new(name, ChannelKind::Public)
    }

    /// A channel for its members only.
    pub fn private(name: &str) -> Self {
        Self::new(name, ChannelKind::Private)
    }

    /// The direct messages of the bot and this person.
    pub fn dm(user: &UserId) -> Self {
        Self::new("", ChannelKind::Dm).members(&[user])
    }

    /// The group's direct messages of the bot and these people.
    pub fn group_dm(users: &[&UserId]) -> Self {
        Self::new("mpdm", ChannelKind::GroupDm).members(users)
    }

    fn new(name: &str, kind: ChannelKind) -> Self {
        let name = name.to_owned();
        Self { name, kind, id: None, members: Vec::new(), has_bot: true, external: false, archived: false }
    }

    /// Gives the channel this id instead of the next free one.
    #[must_use]
    pub fn id(mut self, id: &str) -> Self {
        self.id = Some(ChannelId::new(id));
        self
    }

    /// Makes these people members. Whoever speaks in the channel becomes a member anyway.
    #[must_use]
    pub fn members(mut self, users: &[&UserId]) -> Self {
        self.members.extend(users.iter().copied().cloned());
        self
    }

    /// Leaves the bot out of the channel.
    #[must_use]
    pub fn without_bot(mut self) -> Self {
        self.has_bot = false;
        self
    }

    /// Shares the channel with another workspace.
    #[must_use]
    pub fn external(mut self) -> Self {
        self.external = true;
        self
    }

    /// Makes the channel an archived one.
    #[must_use]
    pub fn archived(mut self) -> Self {
        self.archived = true;
        self
    }
}

/// A person or bot to be made.
#[derive(Clone, Debug)]
pub struct UserSpec {
    pub(super) name: String,
    pub(super) real_name: Option<String>,
    pub(super) is_bot: bool,
    pub(super) is_guest: bool,
    pub(super) is_outsider: bool,
}

impl UserSpec {
    /// A person of the workspace with this display name.
    pub fn person(name: &str) -> Self {
        let name = name.to_owned();
        Self { name, real_name: None, is_bot: false, is_guest: false, is_outsider: false }
    }

    /// A bot of another app.
    pub fn bot(name: &str) -> Self {
        Self { is_bot: true, ..Self::person(name) }
    }

    /// Sets the real name. Without this, it is made from the display name.
    #[must_use]
    pub fn real_name(mut self, name: &str) -> Self {
        self.real_name = Some(name.to_owned());
        self
    }

    /// Makes the person a guest of one channel.
    #[must_use]
    pub fn guest(mut self) -> Self {
        self.is_guest = true;
        self
    }

    /// Makes the person a member of another workspace, whom one meets in a shared channel.
    #[must_use]
    pub fn outsider(mut self) -> Self {
        self.is_outsider = true;
        self
    }
}
