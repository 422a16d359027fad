//! What people do in the workspace. Each act sends the client the events that the bot would get.

mod clicks;
mod commands;
mod home;
mod interaction;
mod modals;
mod reactions;
mod shortcuts;

use myao_core::chat::{ChannelId, MessageTs, UserId};
use serde_json::json;

pub use clicks::Click;
pub use interaction::PlayedInteraction;

use super::{
    FakeSlack,
    message::{Author, BROADCAST, FakeMessage},
    spec::{ChannelSpec, UserSpec},
    state::WorkspaceState,
};

impl FakeSlack {
    /// Makes a channel, without an event. A test sets its workspace up with this.
    pub fn channel(&self, spec: ChannelSpec) -> ChannelId {
        self.shared.act(|state| {
            let now = state.time.now().as_second();
            state.world.add_channel(spec, now)
        })
    }

    /// Makes a person or bot, without an event.
    pub fn user(&self, spec: UserSpec) -> UserId {
        self.shared.act(|state| {
            let now = state.time.now().as_second();
            state.world.add_user(spec, now)
        })
    }

    /// Adds a custom emoji, without an event.
    pub fn emoji(&self, name: &str) {
        self.shared.act(|state| state.emoji.insert(name.to_owned()));
    }

    /// Somebody says something.
    pub fn say(&self, channel: &ChannelId, user: &UserId, text: &str) -> MessageTs {
        self.speak(channel, user, text, |_| {})
    }

    /// The same at a time stamp that the test chooses, for example in the past.
    pub fn say_at(&self, channel: &ChannelId, user: &UserId, text: &str, ts: MessageTs) -> MessageTs {
        self.speak(channel, user, text, |message| message.ts = ts)
    }

    /// Somebody replies in the thread of `root`.
    pub fn reply(&self, channel: &ChannelId, root: MessageTs, user: &UserId, text: &str) -> MessageTs {
        self.speak(channel, user, text, |message| message.thread_ts = Some(root))
    }

    /// The same at a time stamp that the test chooses.
    pub fn reply_at(&self, channel: &ChannelId, root: MessageTs, user: &UserId, text: &str, ts: MessageTs) {
        self.speak(channel, user, text, |message| (message.thread_ts, message.ts) = (Some(root), ts));
    }

    /// Somebody replies and sends the reply to the channel too.
    pub fn broadcast(&self, channel: &ChannelId, root: MessageTs, user: &UserId, text: &str) -> MessageTs {
        self.speak(channel, user, text, |message| {
            (message.thread_ts, message.subtype) = (Some(root), Some(BROADCAST));
        })
    }

    /// Somebody shares a file, with or without words.
    pub fn share_file(&self, channel: &ChannelId, user: &UserId, file: &str, text: &str) -> MessageTs {
        self.speak(channel, user, text, |message| {
            let id = format!("F0{:08}", message.ts.as_micros() % 100_000_000);
            message.subtype = Some("file_share");
            message.files.push(json!({"id": id, "name": file, "title": file, "mimetype": "text/plain",
                "filetype": "text", "user": user.as_str(), "mode": "hosted", "size": 12,
                "permalink": format!("https://fake.slack.com/files/{user}/{id}/{file}")}));
        })
    }

    /// Somebody says something of themselves (`/me`).
    pub fn me_message(&self, channel: &ChannelId, user: &UserId, text: &str) -> MessageTs {
        self.speak(channel, user, text, |message| message.subtype = Some("me_message"))
    }

    /// A webhook posts, under a name and without an account.
    pub fn bot_says(&self, channel: &ChannelId, name: &str, text: &str) -> MessageTs {
        self.shared.act(|state| {
            let mut message = FakeMessage::new(state.time.next_ts(), Author::Webhook(name.to_owned()), text);
            message.subtype = Some("bot_message");
            state.say(channel, message)
        })
    }

    fn speak(
        &self,
        channel: &ChannelId,
        user: &UserId,
        text: &str,
        shape: impl FnOnce(&mut FakeMessage),
    ) -> MessageTs {
        self.shared.act(|state| speak(state, channel, user, text, shape))
    }

    /// The author of a message changes its words.
    pub fn edit(&self, channel: &ChannelId, ts: MessageTs, text: &str) {
        self.shared.act(|state| state.edit(channel, ts, text));
    }

    /// A message is deleted.
    pub fn delete(&self, channel: &ChannelId, ts: MessageTs) {
        self.shared.act(|state| state.delete(channel, ts));
    }

    /// Everything up to a message is removed at once, as an administrator or a retention rule does it. Slack does not tell
    /// of each message.
    pub fn purge(&self, channel: &ChannelId, latest: MessageTs) {
        self.shared.act(|state| state.purge(channel, latest));
    }

    /// A link in a message gets a preview. Slack sends this as a change, though no word changed.
    pub fn unfurl(&self, channel: &ChannelId, ts: MessageTs, url: &str) {
        self.shared.act(|state| state.unfurl(channel, ts, url));
    }

    /// A link to a message gets a preview: somebody's words, with author.
    pub fn unfurl_message(&self, channel: &ChannelId, ts: MessageTs, author: &str, words: &str) {
        self.shared.act(|state| state.unfurl_message(channel, ts, author, words));
    }

    /// Slack sends a thread's root after a reply (`message_replied`, without its subtype).
    pub fn parent_update(&self, channel: &ChannelId, root: MessageTs) {
        self.shared.act(|state| state.tell_replied(channel, root));
    }

    /// Somebody comes into a channel.
    pub fn join(&self, channel: &ChannelId, user: &UserId) {
        self.shared.act(|state| state.join(channel, user));
    }

    /// Somebody leaves a channel.
    pub fn leave(&self, channel: &ChannelId, user: &UserId) {
        self.shared.act(|state| state.leave(channel, user));
    }

    /// The bot is taken into a channel.
    pub fn invite_bot(&self, channel: &ChannelId) {
        self.join(channel, &self.bot_user_id());
    }

    /// The bot is taken out of a channel.
    pub fn remove_bot(&self, channel: &ChannelId) {
        self.leave(channel, &self.bot_user_id());
    }

    /// A channel gets another name.
    pub fn rename_channel(&self, channel: &ChannelId, name: &str) {
        self.shared.act(|state| state.rename_channel(channel, name));
    }

    /// A channel is archived.
    pub fn archive(&self, channel: &ChannelId) {
        self.shared.act(|state| state.set_archived(channel, true));
    }

    /// An archived channel is brought back.
    pub fn unarchive(&self, channel: &ChannelId) {
        self.shared.act(|state| state.set_archived(channel, false));
    }

    /// A public channel becomes private; it keeps its id.
    pub fn convert_to_private(&self, channel: &ChannelId) {
        self.shared.act(|state| state.convert_to_private(channel));
    }

    /// A private channel becomes public; it keeps its id.
    pub fn convert_to_public(&self, channel: &ChannelId) {
        self.shared.act(|state| state.convert_to_public(channel));
    }

    /// A channel is shared with another workspace; it keeps its id.
    pub fn share_channel(&self, channel: &ChannelId) {
        self.shared.act(|state| state.share_channel(channel));
    }

    /// A channel is shared with another workspace and gets another id, which is returned.
    pub fn change_channel_id(&self, channel: &ChannelId) -> ChannelId {
        self.shared.act(|state| state.change_channel_id(channel))
    }

    /// Somebody changes their name.
    pub fn rename_user(&self, user: &UserId, name: &str) {
        self.shared.act(|state| state.rename_user(user, name));
    }

    /// Somebody leaves the workspace: the account is deactivated, and keeps its name.
    pub fn deactivate_user(&self, user: &UserId) {
        self.shared.act(|state| state.deactivate_user(user));
    }

    /// Runs `acts` without sending events to the client, for what only a catch-up finds. The bot's own posts in this
    /// time have no echo either.
    pub fn muted<T>(&self, acts: impl FnOnce(&Self) -> T) -> T {
        self.shared.act(|state| state.muted = true);
        let done = acts(self);
        self.shared.act(|state| state.muted = false);
        done
    }
}

/// Adds a message after `shape` has changed it.
pub(super) fn speak(
    state: &mut WorkspaceState,
    channel: &ChannelId,
    user: &UserId,
    text: &str,
    shape: impl FnOnce(&mut FakeMessage),
) -> MessageTs {
    let mut message = FakeMessage::new(state.time.next_ts(), Author::User(user.clone()), text);
    shape(&mut message);
    state.say(channel, message)
}
