//! Describes the channels and people that a test makes.

use myao_core::chat::{ChannelId, ChannelKind, UserId};

/// A channel to be made. The bot is in it unless told otherwise.
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
    /// One that anybody may read.
    pub fn public(name: &str) -> Self {
        Self::new(name, ChannelKind::Public)
    }

    /// One for its members.
    pub fn private(name: &str) -> Self {
        Self::new(name, ChannelKind::Private)
    }

    /// The bot and this person.
    pub fn dm(user: &UserId) -> Self {
        Self::new("", ChannelKind::Dm).members(&[user])
    }

    /// The bot and these people.
    pub fn group_dm(users: &[&UserId]) -> Self {
        Self::new("mpdm", ChannelKind::GroupDm).members(users)
    }

    fn new(name: &str, kind: ChannelKind) -> Self {
        let name = name.to_owned();
        Self { name, kind, id: None, members: Vec::new(), has_bot: true, external: false, archived: false }
    }

    /// With this id instead of the next one.
    #[must_use]
    pub fn id(mut self, id: &str) -> Self {
        self.id = Some(ChannelId::new(id));
        self
    }

    /// With these people in it. Whoever speaks there is in it anyway.
    #[must_use]
    pub fn members(mut self, users: &[&UserId]) -> Self {
        self.members.extend(users.iter().copied().cloned());
        self
    }

    /// Without the bot.
    #[must_use]
    pub fn without_bot(mut self) -> Self {
        self.has_bot = false;
        self
    }

    /// Shared with another workspace.
    #[must_use]
    pub fn external(mut self) -> Self {
        self.external = true;
        self
    }

    /// Archived already.
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
    /// Somebody of the workspace, under this display name.
    pub fn person(name: &str) -> Self {
        let name = name.to_owned();
        Self { name, real_name: None, is_bot: false, is_guest: false, is_outsider: false }
    }

    /// Another app's bot.
    pub fn bot(name: &str) -> Self {
        Self { is_bot: true, ..Self::person(name) }
    }

    /// With this real name, instead of one made from the display name.
    #[must_use]
    pub fn real_name(mut self, name: &str) -> Self {
        self.real_name = Some(name.to_owned());
        self
    }

    /// A guest of one channel.
    #[must_use]
    pub fn guest(mut self) -> Self {
        self.is_guest = true;
        self
    }

    /// Somebody of another workspace, met in a shared channel.
    #[must_use]
    pub fn outsider(mut self) -> Self {
        self.is_outsider = true;
        self
    }
}
