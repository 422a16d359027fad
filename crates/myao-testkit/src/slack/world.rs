//! The workspace: people, channels and messages.

use std::collections::{BTreeMap, BTreeSet};

use myao_core::chat::{ChannelId, ChannelKind, MessageTs, UserId};

use super::{identity, message::FakeMessage, spec::ChannelSpec, spec::UserSpec};

/// Everything a workspace holds.
#[derive(Default)]
pub(super) struct World {
    pub(super) users: BTreeMap<UserId, FakeUser>,
    pub(super) channels: BTreeMap<ChannelId, FakeChannel>,
    /// How many ids were given out.
    numbers: u32,
}

/// A person or bot.
pub(super) struct FakeUser {
    pub(super) id: UserId,
    pub(super) spec: UserSpec,
    /// When the profile last changed, in Unix seconds.
    pub(super) updated: i64,
    /// Whether the account is deactivated.
    pub(super) is_deactivated: bool,
}

/// A conversation.
pub(super) struct FakeChannel {
    pub(super) id: ChannelId,
    pub(super) name: String,
    pub(super) kind: ChannelKind,
    pub(super) external: bool,
    pub(super) archived: bool,
    /// When it was created, in Unix seconds.
    pub(super) created: i64,
    /// The members, with the bot if it is one.
    pub(super) members: BTreeSet<UserId>,
    pub(super) messages: BTreeMap<MessageTs, FakeMessage>,
    /// The replies of each thread, by its root.
    pub(super) threads: BTreeMap<MessageTs, BTreeSet<MessageTs>>,
}

impl World {
    /// A workspace with only the bot in it.
    pub(super) fn new() -> Self {
        let mut world = Self::default();
        let spec = UserSpec::bot(identity::BOT_NAME);
        let id = UserId::new(identity::BOT_USER);
        world.users.insert(id.clone(), FakeUser { id, spec, updated: 0, is_deactivated: false });
        world
    }

    pub(super) fn add_user(&mut self, spec: UserSpec, now: i64) -> UserId {
        let id = UserId::new(format!("U0{:08}", self.number()));
        self.users.insert(id.clone(), FakeUser { id: id.clone(), spec, updated: now, is_deactivated: false });
        id
    }

    pub(super) fn add_channel(&mut self, spec: ChannelSpec, now: i64) -> ChannelId {
        let letter = if spec.kind == ChannelKind::Dm { 'D' } else { 'C' };
        let number = self.number();
        let id = spec.id.unwrap_or_else(|| ChannelId::new(format!("{letter}0{number:08}")));
        let mut members: BTreeSet<UserId> = spec.members.into_iter().collect();
        if spec.has_bot {
            members.insert(UserId::new(identity::BOT_USER));
        }
        let channel = FakeChannel {
            id: id.clone(),
            name: spec.name,
            kind: spec.kind,
            external: spec.external,
            archived: spec.archived,
            created: now,
            members,
            messages: BTreeMap::new(),
            threads: BTreeMap::new(),
        };
        self.channels.insert(id.clone(), channel);
        id
    }

    /// The direct messages between the bot and `user`, if there are any.
    pub(super) fn dm_with(&self, user: &UserId) -> Option<&ChannelId> {
        let mut dms = self.channels.values().filter(|channel| channel.kind == ChannelKind::Dm);
        dms.find(|channel| channel.members.contains(user)).map(|channel| &channel.id)
    }

    /// # Panics
    /// When there is no such channel, because the test named one that it did not make.
    pub(super) fn channel(&mut self, id: &ChannelId) -> &mut FakeChannel {
        self.channels
            .get_mut(id)
            .unwrap_or_else(|| panic!("the test names a channel that is not there: {id}"))
    }

    fn number(&mut self) -> u32 {
        self.numbers += 1;
        self.numbers
    }
}

impl FakeChannel {
    pub(super) fn has_bot(&self) -> bool {
        self.members.iter().any(|member| member.as_str() == identity::BOT_USER)
    }

    /// Whether only its members may know of it.
    pub(super) fn is_closed(&self) -> bool {
        self.kind != ChannelKind::Public
    }

    /// The `channel_type` of events in it.
    pub(super) fn event_kind(&self) -> &'static str {
        match self.kind {
            ChannelKind::Public => "channel",
            ChannelKind::Private | ChannelKind::Unknown => "group",
            ChannelKind::Dm => "im",
            ChannelKind::GroupDm => "mpim",
        }
    }

    /// The API's names for its kind: in the `types` of a list, and in the scopes of its methods.
    pub(super) fn type_and_scope(&self) -> (&'static str, &'static str) {
        match self.kind {
            ChannelKind::Public => ("public_channel", "channels"),
            ChannelKind::Private | ChannelKind::Unknown => ("private_channel", "groups"),
            ChannelKind::Dm => ("im", "im"),
            ChannelKind::GroupDm => ("mpim", "mpim"),
        }
    }

    pub(super) fn insert(&mut self, message: FakeMessage) {
        if let Some(root) = message.thread_ts {
            self.threads.entry(root).or_default().insert(message.ts);
        }
        self.messages.insert(message.ts, message);
    }

    /// Removes a message from the channel, and from its thread.
    pub(super) fn remove(&mut self, ts: MessageTs) -> Option<FakeMessage> {
        let message = self.messages.remove(&ts)?;
        if let Some(root) = message.thread_ts
            && let Some(replies) = self.threads.get_mut(&root)
        {
            replies.remove(&ts);
            if replies.is_empty() {
                self.threads.remove(&root);
            }
        }
        Some(message)
    }

    /// The replies under a root, oldest first.
    pub(super) fn replies(&self, root: MessageTs) -> impl DoubleEndedIterator<Item = &FakeMessage> {
        self.threads.get(&root).into_iter().flatten().filter_map(|ts| self.messages.get(ts))
    }
}
