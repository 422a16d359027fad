//! Reads what somebody sees of the workspace.

use std::collections::BTreeMap;

use async_recursion::async_recursion as boxed;
use myao_core::chat::{Channel, ChannelId, ChannelKind, Message, MessageTs, Names, User, UserId, Visibility};
use myao_store::{LocalReaction, Range, StoreError};

use super::{LocalError, LocalWorkspace};

/// A message with its reactions and its thread.
#[derive(Clone, Debug)]
pub struct LocalSay {
    /// The message.
    pub message: Message,
    /// Its reactions: each emoji, with who added it.
    pub reactions: BTreeMap<String, Vec<UserId>>,
    /// The replies in its thread, oldest first; none under a reply.
    pub replies: Vec<LocalSay>,
}

/// The talk of a channel, from a message on.
#[derive(Clone, Debug)]
pub struct LocalTalk {
    /// The messages at top level, oldest first, each with its thread. Replies whose root was deleted or lies before stand
    /// among them by themselves.
    pub says: Vec<LocalSay>,
    /// Whether there is talk before the first.
    pub has_earlier: bool,
    /// What people and channels are called, as far as it is seen from here.
    pub names: Names,
}

impl LocalWorkspace {
    /// Everybody, ourselves included, by name.
    ///
    /// # Errors
    /// When the database fails.
    #[boxed]
    pub async fn people(&self) -> Result<Vec<User>, StoreError> {
        self.store.local().all_people().await
    }

    /// The channels that somebody may read, by kind and name: public ones, and those they are in.
    ///
    /// # Errors
    /// When the database fails.
    #[boxed]
    pub async fn channels_of(&self, who: &UserId) -> Result<Vec<Channel>, StoreError> {
        let theirs = self.store.local().channels_of(who).await?;
        let all = self.store.archive().channels(&Visibility::Owner).await?;
        let mut seen: Vec<Channel> = all.into_iter().map(|row| row.channel).collect();
        seen.retain(|channel| channel.is_open() || theirs.contains(&channel.id));
        let is_direct = |channel: &Channel| matches!(channel.kind, ChannelKind::Dm | ChannelKind::GroupDm);
        seen.sort_by(|a, b| is_direct(a).cmp(&is_direct(b)).then_with(|| a.name.cmp(&b.name)));
        Ok(seen)
    }

    /// The newest talk of a channel that was said before `before`: at least `most` messages at top level, if there are
    /// that many, and the replies since.
    ///
    /// # Errors
    /// [`LocalError::NotThere`] for a channel that they may not read.
    #[boxed]
    pub async fn talk(
        &self,
        who: &UserId,
        channel: &ChannelId,
        before: MessageTs,
        most: u32,
    ) -> Result<LocalTalk, LocalError> {
        if !self.sees(who, channel).await? {
            return Err(LocalError::NotThere);
        }
        let visibility = self.store.hearing().seen_from(channel).await?;
        let (from, has_earlier) = self.store.local().talk_from(channel, before, most).await?;
        let range = Range { channel: channel.clone(), from: from.just_before(), to: before.just_before() };
        let (_, messages) = self.store.archive().talk_in_range(&visibility, &range).await?;
        let reactions = self.store.local().reactions_since(channel, from).await?;
        let names = self.store.archive().names(&visibility).await?;
        Ok(LocalTalk { says: group_by_thread(messages, &reactions), has_earlier, names })
    }

    /// A thread by itself: its root and then its replies, oldest first. `None` if nothing of it stands.
    ///
    /// # Errors
    /// [`LocalError::NotThere`] for a channel that they may not read.
    #[boxed]
    pub async fn talk_of_thread(
        &self,
        who: &UserId,
        channel: &ChannelId,
        root: MessageTs,
    ) -> Result<Option<LocalTalk>, LocalError> {
        if !self.sees(who, channel).await? {
            return Err(LocalError::NotThere);
        }
        let visibility = self.store.hearing().seen_from(channel).await?;
        let (_, messages) = self
            .store
            .memory()
            .talk_of_thread(&visibility, channel, root, MessageTs::MAX.just_before())
            .await?;
        if messages.is_empty() {
            return Ok(None);
        }
        let reactions = self.store.local().reactions_since(channel, root).await?;
        let says = messages.into_iter().map(|message| say_with_reactions(message, &reactions)).collect();
        let names = self.store.archive().names(&visibility).await?;
        Ok(Some(LocalTalk { says, has_earlier: false, names }))
    }
}

/// A message with its reactions, and no replies yet.
fn say_with_reactions(message: Message, all: &[LocalReaction]) -> LocalSay {
    let mut reactions: BTreeMap<String, Vec<UserId>> = BTreeMap::new();
    for reaction in all.iter().filter(|reaction| reaction.ts == message.ts) {
        reactions.entry(reaction.emoji.clone()).or_default().push(reaction.user.clone());
    }
    LocalSay { message, reactions, replies: Vec::new() }
}

/// Messages as threads.
fn group_by_thread(messages: Vec<Message>, reactions: &[LocalReaction]) -> Vec<LocalSay> {
    let mut says: Vec<LocalSay> = Vec::new();
    let mut roots: BTreeMap<MessageTs, usize> = BTreeMap::new();
    for message in messages {
        let root = message.thread_ts.and_then(|root| roots.get(&root).copied());
        let ts = message.ts;
        let say = say_with_reactions(message, reactions);
        if let Some(root) = root.and_then(|root| says.get_mut(root)) {
            root.replies.push(say);
        } else {
            roots.insert(ts, says.len());
            says.push(say);
        }
    }
    says
}
